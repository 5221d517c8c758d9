import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { ServiceClient } from '../shared/request/client';
import type { Credential } from '../shared/request/credential';
import { mapConcurrently } from '../shared/request/mapConcurrently';
import { RequestFailure } from '../shared/errors/requestFailure';
import { toUrl } from '../shared/parameters/addresses';
import { isObject } from '../shared/parameters/values';
import { dryRunItem } from './dryRun';
import { recordIn, recordsIn } from './output';
import { isRepeatable, requestOf } from './itemInput';
import { Lookup } from './lookup';
import type { ItemInput, Job, Operation } from './operation';
import type { Plan } from './plan';
import { Reader } from './reader';

/** With these statuses, a service may reject a request because of one entry, or because of too many. */
const BATCH_REJECTIONS = [400, 413, 422];

/** The jobs of an execution in one workspace. They share a client, and what was read. */
export class Run {
	readonly jobs: Job[] = [];
	existingCount = 0;
	/** How many requests were repeated, so that the counts in the response are of no use */
	uncountedCount = 0;
	readonly reader: Reader;
	private readonly lookup: Lookup;

	constructor(
		readonly plan: Plan,
		readonly client: ServiceClient,
		private readonly concurrency: number,
	) {
		this.reader = new Reader(client, plan.operation);
		this.lookup = new Lookup(client);
	}

	/**
	 * Does all jobs, as many at a time as the operation and the service allow. Jobs of one record follow each other.
	 * @param failed called for each job that fails; if `failed` throws, the run ends: no more request starts, and no wait goes on
	 * @param signal ends the run in the same way when it fires
	 * @returns the items of all jobs
	 * @throws what `failed` throws
	 */
	async doJobs(
		failed: (error: unknown, job: Job) => void,
		signal?: AbortSignal,
	): Promise<INodeExecutionData[]> {
		const { operation } = this.plan;
		// The gate holds back any further requests, so more jobs at once would gain nothing
		const atOnce = operation.sequential ? 1 : this.concurrency;
		// All URLs become IDs first: one item may choose a record by its URL, and another the same record by its ID
		const open = this.jobs.filter(isUnresolved);
		const find = async (job: Job, runSignal: AbortSignal) => {
			try {
				job.resolved = await this.lookup.resolve(job.input, runSignal);
			} catch (error) {
				failed(error, job);
			}
		};
		await mapConcurrently(open, atOnce, find, signal);
		const inTurn = async (jobs: Job[], runSignal: AbortSignal) =>
			await this.doInTurn(jobs, failed, runSignal);
		return (await mapConcurrently(byRecord(this.jobs), atOnce, inTurn, signal)).flat();
	}

	private async doInTurn(
		jobs: Job[],
		failed: (error: unknown, job: Job) => void,
		signal: AbortSignal,
	): Promise<INodeExecutionData[]> {
		const { operation } = this.plan;
		const items: INodeExecutionData[] = [];
		let before: Promise<IDataObject[]> | undefined;
		let hasSent = false;
		for (const job of jobs) {
			// A job without an outcome is sent. So is a job with an unclear outcome, if sending it twice does no harm
			hasSent ||= !job.outcome || (!job.outcome.records && isRepeatable(operation));
			// A deleted or archived record is gone, so the next item for this record shares the request
			const shared = operation.method === 'DELETE' ? before : undefined;
			try {
				const records = await (before = shared ?? this.doOrRecall(job, hasSent, signal));
				// A dry run has no outcome, because nothing was done
				if (!job.input.settings.dryRun) job.outcome = { records };
				// The items share this object, because n8n stores a shared object only once
				const pairedItem = operation.batches
					? job.itemIndexes.map((item) => ({ item }))
					: { item: job.input.itemIndex };
				for (const json of records) items.push({ json, pairedItem });
			} catch (error) {
				const mayBeDone = error instanceof RequestFailure && error.details.mayBeDone;
				if (mayBeDone) job.outcome = { failure: error };
				failed(withBatch(error, operation, job), job);
			}
		}
		return items;
	}

	/**
	 * @param hasSent whether this try of the node sends this job, or has sent an earlier job of the same record. Example: try 1
	 * failed at job A and did job B. Try 2 sends A, so it must send B again, or the value of A would stay
	 * @returns the output of a job, which an earlier try of the node may have done
	 */
	private async doOrRecall(
		job: Job,
		hasSent: boolean,
		signal: AbortSignal,
	): Promise<IDataObject[]> {
		const { outcome, resolved: input = job.input } = job;
		const { operation } = this.plan;
		// Without an ID, only Notify has several jobs for one record, a URL. If one is sent again, those after it are too, so that
		// the last one wins: first 'updated', then 'removed'
		const mayRepeat = isRepeatable(operation) || input.id === undefined;
		if (outcome?.records && !(hasSent && mayRepeat)) return outcome.records;
		if (outcome?.failure && !isRepeatable(operation)) throw outcome.failure;
		if (input.settings.dryRun) return [dryRunItem(operation, input)];
		const readsLists = operation.compose !== undefined || operation.returns === 'list';
		if (readsLists) return await this.reader.read(input, signal);
		return await this.send(input, signal, outcome !== undefined);
	}

	private async send(input: ItemInput, signal: AbortSignal, mayBeDone: boolean) {
		const { operation } = this.plan;
		const request = requestOf(operation, input);
		// The output shows what was sent, even if it was a custom body, which may be a list
		const body = input.settings.customBody ?? input.body;
		const sent = { ...input, body: isObject(body) ? body : { list: body } };
		let isRepeated = mayBeDone;
		const unclear = () => {
			isRepeated = true;
		};
		const response = await this.client
			.request(request, { signal, mayBeDone, unclear })
			.catch((thrown: unknown) => this.existingRecord(sent, RequestFailure.from(thrown), signal));
		if (operation.findExisting) this.lookup.add(recordIn(response));
		if (isRepeated && operation.batches) this.uncountedCount++;
		return recordsIn(operation, response, sent, isRepeated);
	}

	/**
	 * @returns the existing record, if the user asked for it or an unclear attempt has created it
	 * @throws the failure otherwise
	 */
	private async existingRecord(input: ItemInput, failure: RequestFailure, signal: AbortSignal) {
		const { findExisting, repeatable } = this.plan.operation;
		const existing = findExisting?.(failure.details.code ?? '', input);
		// If an earlier attempt ended unclearly, it has probably created the record
		const isOurs = failure.details.mayBeDone && repeatable !== undefined;
		if (!existing || !(input.settings.returnExisting || isOurs)) throw failure;
		if (isOurs) this.lookup.add(undefined);
		const record = await this.lookup.findExisting(existing, signal).catch((error: unknown) => {
			throw isOurs ? RequestFailure.from(error).with({ mayBeDone: true }) : error;
		});
		if (!record) throw failure.with({ existingNotFound: true });
		if (!isOurs) this.existingCount++;
		return record;
	}
}

export function runsOf(plan: Plan, clientFor: (credential: Credential) => ServiceClient): Run[] {
	const runs = new Map<string, Run>();
	for (const job of plan.jobs) {
		const { credential } = job;
		const { account, concurrency } = credential;
		const run = runs.get(account) ?? new Run(plan, clientFor(credential), concurrency);
		runs.set(account, run);
		run.jobs.push(job);
	}
	return [...runs.values()];
}

const isUnresolved = ({ input, resolved }: Job) => input.lookups.length > 0 && !resolved;

/** @returns the jobs of each record or URL together, in the order of the items; a job with neither stands alone */
function byRecord(jobs: Job[]): Job[][] {
	const groups = new Map<unknown, Job[]>();
	for (const job of jobs) {
		// A job whose record was not found has failed already
		if (isUnresolved(job)) continue;
		const { id, body, settings } = job.resolved ?? job.input;
		// Dry runs change nothing, so no job waits for another
		const key = settings.dryRun ? job : (id ?? toUrl(String(body.url))?.href ?? job);
		const group = groups.get(key);
		if (group) group.push(job);
		else groups.set(key, [job]);
	}
	return [...groups.values()];
}

/** @returns the failure; if the service rejected a batch, with the number of its entries */
function withBatch(error: unknown, { batches = '' }: Operation, { input }: Job): unknown {
	const entries = input.body[batches];
	if (!(error instanceof RequestFailure) || !Array.isArray(entries)) return error;
	const { statusCode = 0, mayBeDone } = error.details;
	const rejectsBatch = BATCH_REJECTIONS.includes(statusCode) && !mayBeDone;
	return rejectsBatch && entries.length > 1 ? error.with({ batch: entries.length }) : error;
}
