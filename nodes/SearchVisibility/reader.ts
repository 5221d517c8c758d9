import type { IDataObject } from 'n8n-workflow';

import { RequestFailure } from '../shared/errors/requestFailure';
import { isComparable, isInOrder, type SortOrder } from '../shared/lists/order';
import { type List, type ListResult, readJoined } from '../shared/lists/readList';
import type { Requester } from '../shared/request/client';
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

/** Reads the lists of a workspace, and collects what users should know about them. */
export class Reader {
	missingCount = 0;
	/** Whether a list has more records than Limit, and Limit has its default value */
	hasMore = false;
	/** The field that a list should be sorted by, but is not */
	unsortedBy?: string;
	readonly hints = new Set<string>();
	private readonly workspaces: Shared<Workspace> = new Map();
	private readonly competitors: Shared<IDataObject[]> = new Map();

	constructor(
		private readonly client: Requester,
		private readonly operation: Operation,
	) {}

	/**
	 * @returns the records of a list, or what `compose` makes of several
	 * @throws RequestFailure when a list is incomplete, unless the user asked for what was found
	 */
	async read(input: ItemInput, signal: AbortSignal): Promise<IDataObject[]> {
		const { operation } = this;
		const request = requestOf(operation, input);
		const listWith = (query?: IDataObject, mark?: IDataObject) =>
			listFor(this.client, { ...request, query: { ...request.query, ...query } }, mark);
		const readAll = async (lists: List[]) =>
			this.accepted(await readJoined(lists, { signal }), input);
		const reads: Reads = {
			visit: async (queries, each) =>
				(await readAll(queries.map((query) => listWith(query)))).forEach(each),
			workspace: async () =>
				await once(this.workspaces, '', () => readWorkspace(this.client, signal)),
			competitors: async () => {
				const query = { scope: 'tracked' };
				const tracked = listFor(this.client, { ...request, path: '/v1/competitors', query });
				return await once(this.competitors, '', () => readAll([tracked]));
			},
			hint: (message) => this.hints.add(message),
		};
		if (operation.compose) return await operation.compose(input, reads);
		const { limit } = input.settings;
		const filter = await operation.filter?.(input, reads);
		const types = input.values.type === 'all' ? operation.lists : undefined;
		const lists = types?.map((type) => listWith({ type }, { listType: type })) ?? [listWith()];
		const most = filter ? undefined : limit;
		let result = await readJoined(lists, { limit: most, signal });
		const order = orderOf(request);
		// The first records of each list are enough only if each has a number or a time to sort by
		if (types && order && most && !isComparable(result.records, order)) {
			result = await readJoined(lists, { signal });
		}
		let read = this.accepted(result, input);
		if (request.query?.sortBy ?? request.query?.sortOrder) this.checkOrder(read, order);
		if (types && order) read = mergeSorted(order, read);
		const kept = filter ? read.map(filter).filter((one) => one !== undefined) : read;
		const field = operation.fields.find(({ property }) => property.name === 'limit');
		const isCut = limit !== undefined && (result.isCut || kept.length > limit);
		this.hasMore ||= isCut && limit === field?.property.default;
		return kept.slice(0, limit).map((record) => shown(operation, record, input));
	}

	/** A service may ignore the order that is asked for. For cited pages, the parameters are a guess (contract 4.8). */
	private checkOrder(records: IDataObject[], order?: SortOrder): void {
		if (!order) return;
		const lists = new Set(records.map(({ listType }) => listType));
		for (const list of lists) {
			const own = records.filter(({ listType }) => listType === list);
			if (!isInOrder(own, order)) this.unsortedBy = order.field;
		}
	}

	private accepted({ records, missing, reason }: ListResult, { settings }: ItemInput) {
		if (reason && !settings.returnIncomplete) throw new RequestFailure(reason, { missing });
		this.missingCount += missing;
		return records;
	}
}
