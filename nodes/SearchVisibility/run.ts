import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { ServiceClient } from '../shared/request/client';
import { mapConcurrently } from '../shared/request/mapConcurrently';
import { RequestFailure } from '../shared/errors/requestFailure';
import type { MarkedList } from '../shared/lists/joinedLists';
import { readLists, visitLists } from '../shared/lists/joinedLists';
import type { ReadPage } from '../shared/lists/pages';
import { pagesOf } from '../shared/lists/pages';
import { readList } from '../shared/lists/pagination';
import type { StopSignal } from '../shared/request/stop';
import { cancelSignalOf, connect } from '../shared/request/transport';
import { isObject } from '../shared/parameters/values';
import { outputOf, recordIn, recordsIn } from './answer';
import { requestOf } from './itemInput';
import { Lookup } from './lookup';
import type { ComposeTools, ItemInput, Job, Operation } from './operation';
import type { Plan } from './plan';
import type { RetryMemory } from './retryMemory';

/** What all jobs of a run share. */
export class Run {
	/** Jobs whose work was done */
	readonly done = new Set<Job>();

	/** Jobs whose work may have been done although they failed */
	readonly unclear = new Set<Job>();

	/** How many records already existed */
	existingCount = 0;

	/** How many jobs were repeated so that the service's answer does not tell everything */
	uncountedCount = 0;

	private readonly startedAt = Date.now();

	private constructor(
		readonly plan: Plan,
		readonly client: ServiceClient,
		private readonly lookup: Lookup,
		private readonly cancelled?: StopSignal,
		private readonly memory?: RetryMemory,
	) {
		// What an earlier attempt of the node did must not count as open
		for (const [index, job] of plan.jobs.entries()) {
			const past = memory?.past(index);
			if (past) (past.records ? this.done : this.unclear).add(job);
		}
	}

	/** @throws RequestFailure when the credential has no usable base URL, or no API key */
	static async start(context: IExecuteFunctions, plan: Plan, memory?: RetryMemory): Promise<Run> {
		const { concurrency } = plan;
		const { client, baseUrl } = await connect(context, { concurrency });
		memory?.startWith(plan, baseUrl);
		const lookup = new Lookup(client, concurrency);
		return new Run(plan, client, lookup, cancelSignalOf(context), memory);
	}

	/**
	 * Does all jobs, as many at a time as the operation and the service allow.
	 * @param failed called for each job that fails; if it throws, the run ends: no job starts any more, and none waits
	 * @returns the items of all jobs, in order
	 * @throws what `failed` throws
	 */
	async doJobs(failed: (error: unknown, job: Job) => void): Promise<INodeExecutionData[]> {
		const { operation, jobs } = this.plan;
		const atOnce = operation.inOrder ? 1 : this.plan.concurrency;
		const doJob = async (job: Job, index: number, stop: StopSignal) => {
			try {
				const records = await this.settle(job, index, stop);
				this.done.add(job);
				this.unclear.delete(job);
				this.memory?.succeeded(index, records);
				// One object for all, because n8n stores objects that are the same only once
				const pairedItem = pairing(operation, job);
				return records.map((json) => ({ json, pairedItem }));
			} catch (error) {
				if (error instanceof RequestFailure && error.details.mayBeDone) this.unclear.add(job);
				this.memory?.failed(index, error);
				failed(error, job);
				return [];
			}
		};
		return (await mapConcurrently(jobs, atOnce, doJob, this.cancelled)).flat();
	}

	/** Does one job, or what an earlier attempt of the node left undone. */
	private async settle(job: Job, index: number, stop: StopSignal): Promise<IDataObject[]> {
		const past = this.memory?.past(index);
		if (past?.records) return past.records;
		const { method, answer, compose, repeatable } = this.plan.operation;
		if (past?.failure && method === 'POST' && !repeatable) throw past.failure;
		// Kept with the job, because a record deleted in an earlier attempt is no longer in any list
		job.resolved ??= await this.lookup.resolve(job.input, stop);
		if (compose) return await compose(job.resolved, this.toolsFor(job.resolved, stop));
		if (answer === 'list') return await this.readRecords(job.resolved, stop);
		return await this.sendOne(job.resolved, stop, past !== undefined);
	}

	private async readRecords(input: ItemInput, stop: StopSignal): Promise<IDataObject[]> {
		const { operation, concurrency } = this.plan;
		const { limit } = input.settings;
		const lists = operation
			.lists?.(input)
			?.map(({ query, mark }): MarkedList => ({ readPage: this.pagesFor(input, query), mark }));
		const records = lists
			? await readLists(lists, limit, concurrency, stop)
			: await readList(this.pagesFor(input), limit, concurrency, stop);
		return records.map((record) => outputOf(operation, record, input));
	}

	private toolsFor(input: ItemInput, stop: StopSignal): ComposeTools {
		return {
			visit: async (queries, visit) => {
				const lists = queries.map((query) => this.pagesFor(input, query));
				await visitLists(lists, visit, this.plan.concurrency, stop);
			},
			now: this.startedAt,
		};
	}

	private pagesFor(input: ItemInput, query: IDataObject = {}): ReadPage {
		const request = requestOf(this.plan.operation, input);
		return pagesOf(this.client, { ...request, query: { ...request.query, ...query } });
	}

	private async sendOne(
		input: ItemInput,
		stop: StopSignal,
		mayBeDone: boolean,
	): Promise<IDataObject[]> {
		const { operation } = this.plan;
		const request = requestOf(operation, input);
		// The output shows the body as it was sent, even if the user replaced it, possibly with a list
		const { body = {} } = request;
		const sent = { ...input, body: isObject(body) ? body : { list: body } };
		let isRepeated = mayBeDone;
		const unclear = () => {
			isRepeated = true;
		};
		const answer = await this.client
			.request(request, { stop, mayBeDone, unclear })
			.catch(async (failure: unknown) => await this.existingRecord(sent, failure, stop));
		if (operation.findExisting) this.lookup.add(recordIn(answer));
		const records = recordsIn(operation, answer, sent);
		if (!isRepeated || !operation.afterRepeat) return records;
		this.uncountedCount++;
		return records.map((record) => ({ ...record, ...operation.afterRepeat }));
	}

	/** @returns the record that is in the way, if the user asked for it; otherwise throws the failure */
	private async existingRecord(
		input: ItemInput,
		thrown: unknown,
		stop: StopSignal,
	): Promise<IDataObject> {
		const failure = RequestFailure.from(thrown);
		const { findExisting, repeatable } = this.plan.operation;
		const place = findExisting?.(failure.details.code ?? '', input);
		// After an unclear try, the record is probably the one that it created
		const isDone = failure.details.mayBeDone && repeatable !== undefined;
		if (!place || !(input.settings.returnExisting || isDone)) throw failure;
		const record = await this.lookup.findExisting(place, input, stop);
		if (!record) throw failure.with({ isMissing: true });
		if (!isDone) this.existingCount++;
		return record;
	}
}

function pairing({ batches }: Operation, { input, itemIndexes }: Job) {
	return batches ? itemIndexes.map((item) => ({ item })) : { item: input.itemIndex };
}
