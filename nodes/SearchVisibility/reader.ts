import type { IDataObject } from 'n8n-workflow';

import { RequestFailure } from '../shared/errors/requestFailure';
import { isComparable, isInOrder, type SortOrder } from '../shared/lists/order';
import { type List, type ListResult, readJoined } from '../shared/lists/readList';
import type { Requester, ServiceRequest } from '../shared/request/client';
import { readWorkspace, type Workspace } from '../shared/request/workspace';
import { requestOf } from './itemInput';
import type { ItemInput, Operation, Reads } from './operation';
import { shown } from './output';
import { listFor, mergeSorted, orderOf } from './serviceLists';

/** Results that several jobs share, by key. */
export type Shared<T> = Map<string, Promise<T>>;

/** Reads once for all jobs. After a failure, the next job reads again. */
export async function once<T>(shared: Shared<T>, key: string, read: () => Promise<T>): Promise<T> {
	const reading = shared.get(key) ?? read();
	shared.set(key, reading);
	return await reading.catch((error: unknown) => {
		shared.delete(key);
		throw error;
	});
}

/** Makes the list of the operation, with more in its query and in each record. */
type ListWith = (query?: IDataObject, extraFields?: IDataObject) => List;

/** Reads the lists of a workspace, and collects what users should know about them. */
export class Reader {
	missingCount = 0;
	/** Whether a list has more records than Limit, and Limit has its default value */
	hasMore = false;
	/** The field that a list should be sorted by, but is not */
	unsortedBy?: string;
	readonly hints = new Set<string>();
	private readonly workspaces: Shared<Workspace> = new Map();
	private readonly competitors: Shared<ListResult> = new Map();
	/** What is already part of `missingCount`, because several items may share a result */
	private readonly countedResults = new WeakSet<ListResult>();

	constructor(
		private readonly client: Requester,
		private readonly operation: Operation,
	) {}

	/**
	 * @returns the records of a list, or what `execute` of the operation makes of several lists
	 * @throws RequestFailure when a list is incomplete, unless the user asked for what was found
	 */
	async read(input: ItemInput, signal: AbortSignal): Promise<IDataObject[]> {
		const request = requestOf(this.operation, input);
		const listWith: ListWith = (query, extraFields) =>
			listFor(this.client, { ...request, query: { ...request.query, ...query } }, extraFields);
		const reads = this.readsFor(input, listWith, signal);
		return this.operation.execute
			? await this.operation.execute(input, reads)
			: await this.readRecords(input, request, listWith, reads, signal);
	}

	/** What an operation may read for one input item. */
	private readsFor(input: ItemInput, listWith: ListWith, signal: AbortSignal): Reads {
		const trackedCompetitors: ServiceRequest = {
			method: 'GET',
			path: '/v1/competitors',
			query: { scope: 'tracked' },
		};
		return {
			forEachRecord: async (queries, each) => {
				const lists = queries.map((query) => listWith(query));
				this.recordsOf(await readJoined(lists, { signal }), input).forEach(each);
			},
			workspace: async () =>
				await once(this.workspaces, '', () => readWorkspace(this.client, signal)),
			competitors: async () => {
				const read = async () =>
					await readJoined([listFor(this.client, trackedCompetitors)], { signal });
				// Whether an incomplete list will do is up to each item
				return this.recordsOf(await once(this.competitors, '', read), input);
			},
			addHint: (message) => this.hints.add(message),
		};
	}

	private async readRecords(
		input: ItemInput,
		request: ServiceRequest,
		listWith: ListWith,
		reads: Reads,
		signal: AbortSignal,
	): Promise<IDataObject[]> {
		const { operation } = this;
		const { limit } = input.settings;
		const filter = await operation.filter?.(input, reads);
		const types = input.values.type === 'all' ? operation.allTypes : undefined;
		const lists = types?.map((type) => listWith({ type }, { listType: type })) ?? [listWith()];
		// The node filters the complete list
		const readLimit = filter ? undefined : limit;
		let result = await readJoined(lists, { limit: readLimit, signal });
		const order = orderOf(request);
		// A record without a value to sort by could belong anywhere among those of the other lists
		if (types && order && readLimit && !isComparable(result.records, order)) {
			result = await readJoined(lists, { signal });
		}
		let records = this.recordsOf(result, input);
		if (request.query?.sortBy ?? request.query?.sortOrder) this.checkOrder(records, order);
		if (types && order) records = mergeSorted(order, records);
		if (filter) records = records.map(filter).filter((record) => record !== undefined);
		const limitParameter = operation.parameters.find(({ property }) => property.name === 'limit');
		const isCut = limit !== undefined && (result.isCut || records.length > limit);
		this.hasMore ||= isCut && limit === limitParameter?.property.default;
		return records.slice(0, limit).map((record) => shown(operation, record, input));
	}

	/** A service may ignore the order that is asked for. For cited pages, the parameters are a guess (contract 4.8). */
	private checkOrder(records: IDataObject[], order?: SortOrder): void {
		if (!order) return;
		const types = new Set(records.map(({ listType }) => listType));
		for (const type of types) {
			const ofType = records.filter(({ listType }) => listType === type);
			if (!isInOrder(ofType, order)) this.unsortedBy = order.field;
		}
	}

	/**
	 * @returns the records of a list that was read
	 * @throws RequestFailure when the list is incomplete, unless the user asked for what was found
	 */
	private recordsOf(result: ListResult, { settings }: ItemInput): IDataObject[] {
		const { records, missing, reason } = result;
		if (reason && !settings.returnIncomplete) throw new RequestFailure(reason, { missing });
		if (!this.countedResults.has(result)) this.missingCount += missing;
		this.countedResults.add(result);
		return records;
	}
}
