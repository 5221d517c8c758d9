import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { isRepeatable, type ServiceClient } from '../shared/request/client';
import type { Credential } from '../shared/request/credential';
import { mapConcurrently } from '../shared/request/mapConcurrently';
import { RequestFailure } from '../shared/errors/requestFailure';
import { toUrl } from '../shared/parameters/addresses';
import { isObject } from '../shared/parameters/values';
import { dryRunItem } from './dryRun';
import { recordIn, outputsIn } from './output';
import { requestOf } from './itemInput';
import { Lookup } from './lookup';
import type { ItemInput, Job, Operation } from './operation';
import type { Plan } from './plan';
import { Reader } from './reader';

/** With these statuses, a service may reject a request because of one entry, or because of too many. */
const BATCH_REJECTIONS = [400, 413, 422];

type OnFailure = (error: unknown, job: Job) => void;

/** What an execution does in one workspace: its jobs, which share a client, and what was read. */
export class WorkspaceRun {
	readonly jobs: Job[] = [];
	existingCount = 0;
	/** How many requests for batches were repeated: the counts in their responses are then unknown */
	unknownCounts = 0;
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
	 * Does all jobs, as many at a time as the operation and the credential allow. Jobs of one record follow each other.
	 * @param onFailure called for each job that fails; if it throws, no more request starts, and no wait goes on
	 * @param signal ends everything in the same way when it fires
	 * @returns the items of all jobs
	 * @throws what `onFailure` throws
	 */
	async doJobs(onFailure: OnFailure, signal?: AbortSignal): Promise<INodeExecutionData[]> {
		// The gate holds back any further requests, so more jobs at once would gain nothing
		const atOnce = this.plan.operation.sequential ? 1 : this.concurrency;
		// All URLs become IDs first: one item may choose a record by its URL, and another the same record by its ID
		await mapConcurrently(
			this.jobs.filter(isUnresolved),
			atOnce,
			async (job, jobSignal) => await this.findRecord(job, onFailure, jobSignal),
			signal,
		);
		const itemsByRecord = await mapConcurrently(
			byRecord(this.jobs.filter((job) => !isUnresolved(job))),
			atOnce,
			async (jobs, jobSignal) => await this.doInOrder(jobs, onFailure, jobSignal),
			signal,
		);
		return itemsByRecord.flat();
	}

	private async findRecord(job: Job, onFailure: OnFailure, signal: AbortSignal): Promise<void> {
		try {
			job.resolved = await this.lookup.resolve(job.input, signal);
		} catch (error) {
			onFailure(error, job);
		}
	}

	/**
	 * Does the jobs of one record. With Retry On Fail, an earlier try may have done some of them. What a try then does with a job:
	 *
	 *     the earlier try              | may be sent twice           | may be sent once only
	 *     -----------------------------|-----------------------------|----------------------
	 *     did not do the job           | sends it                    | sends it
	 *     ended unclearly              | sends it                    | fails as before
	 *     did it, no open job before   | gives what it gave          | gives what it gave
	 *     did it, after an open job    | sends it again              | sends it again with lastOneCounts,
	 *                                  |                             | otherwise gives what it gave
	 *
	 * A job is open if one of the first two rows sends it. The last row lets the last change arrive last: if try 1 failed at job A
	 * and did job B, try 2 sends A, and must send B again, or the value of A would stay.
	 */
	private async doInOrder(
		jobs: Job[],
		onFailure: OnFailure,
		signal: AbortSignal,
	): Promise<INodeExecutionData[]> {
		const { operation } = this.plan;
		const firstOpen = jobs.findIndex((job) => isOpen(job, operation));
		const sendsDoneAgain = isRepeatable(operation) || operation.lastOneCounts === true;
		const items: INodeExecutionData[] = [];
		let removal: Promise<IDataObject[]> | undefined;
		for (const [index, job] of jobs.entries()) {
			const isAfterOpen = firstOpen >= 0 && index > firstOpen;
			const isSentAgain = job.outcome?.outputs !== undefined && isAfterOpen && sendsDoneAgain;
			const mustSend = isOpen(job, operation) || isSentAgain;
			const work = removal ?? this.outputsOf(job, mustSend, signal);
			// A deleted or archived record is gone, so the next item for this record shares the request
			if (operation.method === 'DELETE') removal = work;
			try {
				const outputs = await work;
				// A dry run has no outcome, because nothing was done
				if (!job.input.settings.dryRun) job.outcome = { outputs };
				const pairedItem = pairingOf(job, operation);
				for (const json of outputs) items.push({ json, pairedItem });
			} catch (error) {
				const mayBeDone = error instanceof RequestFailure && error.details.mayBeDone;
				if (mayBeDone) job.outcome = { failure: error };
				onFailure(withBatch(error, operation, job), job);
			}
		}
		return items;
	}

	/**
	 * @returns the output of a job: of now if it must be sent, otherwise of an earlier try
	 * @throws the failure of now or of the earlier try
	 */
	private async outputsOf(
		job: Job,
		mustSend: boolean,
		signal: AbortSignal,
	): Promise<IDataObject[]> {
		const { outcome, resolved: input = job.input } = job;
		const { operation } = this.plan;
		if (outcome && !mustSend) {
			if (outcome.failure) throw outcome.failure;
			return outcome.outputs;
		}
		if (input.settings.dryRun) return [dryRunItem(operation, input)];
		const readsLists = operation.execute !== undefined || operation.returns === 'list';
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
		const onUnclear = () => {
			isRepeated = true;
		};
		const response = await this.client
			.request(request, { signal, mayBeDone, onUnclear })
			.catch((thrown: unknown) => this.existingRecord(sent, RequestFailure.from(thrown), signal));
		if (operation.whereExisting) this.lookup.add(recordIn(response));
		if (isRepeated && operation.batchField) this.unknownCounts++;
		return outputsIn(operation, response, sent, isRepeated);
	}

	/**
	 * @returns the existing record, if the user asked for it or an unclear attempt has created it
	 * @throws the failure otherwise
	 */
	private async existingRecord(input: ItemInput, failure: RequestFailure, signal: AbortSignal) {
		const { whereExisting, repeatable } = this.plan.operation;
		const search = whereExisting?.(failure.details.code ?? '', input);
		// If an earlier attempt ended unclearly, it has probably created the record
		const isOurs = failure.details.mayBeDone && repeatable !== undefined;
		const isWanted = input.settings.returnExisting || isOurs;
		if (!search || !isWanted) throw failure;
		if (isOurs) this.lookup.forget();
		const record = await this.lookup.find(search, signal).catch((error: unknown) => {
			throw isOurs ? RequestFailure.from(error).with({ mayBeDone: true }) : error;
		});
		if (!record) throw failure.with({ existingNotFound: true });
		if (!isOurs) this.existingCount++;
		return record;
	}
}

export function runsOf(
	plan: Plan,
	clientFor: (credential: Credential) => ServiceClient,
): WorkspaceRun[] {
	const runs = new Map<string, WorkspaceRun>();
	for (const job of plan.jobs) {
		const { credential } = job;
		const { credentialHash, concurrency } = credential;
		const run =
			runs.get(credentialHash) ?? new WorkspaceRun(plan, clientFor(credential), concurrency);
		runs.set(credentialHash, run);
		run.jobs.push(job);
	}
	return [...runs.values()];
}

/** Whether a record that was chosen by its URL has not been found. */
const isUnresolved = ({ input, resolved }: Job) => input.lookups.length > 0 && !resolved;

/** Whether the job has to be sent: no earlier try did it, or one ended unclearly and doing it twice does no harm. */
function isOpen({ outcome }: Job, operation: Operation): boolean {
	return !outcome || (outcome.failure !== undefined && isRepeatable(operation));
}

/** @returns the jobs of each record or URL together, in the order of the items; a job with neither stands alone */
function byRecord(jobs: Job[]): Job[][] {
	const groups = new Map<unknown, Job[]>();
	for (const job of jobs) {
		const { id, body, settings } = job.resolved ?? job.input;
		// Dry runs change nothing, so no job waits for another
		const key = settings.dryRun ? job : (id ?? toUrl(String(body.url))?.href ?? job);
		const group = groups.get(key) ?? [];
		group.push(job);
		groups.set(key, group);
	}
	return [...groups.values()];
}

/** All items of a job share this object, because n8n stores a shared object only once. */
const pairingOf = ({ input, itemIndexes }: Job, { batchField }: Operation) =>
	batchField ? itemIndexes.map((item) => ({ item })) : { item: input.itemIndex };

/** @returns the failure; if the service rejected a batch, with the number of its entries */
function withBatch(error: unknown, { batchField = '' }: Operation, { input }: Job): unknown {
	const entries = input.settings.customBody ? undefined : input.body[batchField];
	if (!(error instanceof RequestFailure) || !Array.isArray(entries)) return error;
	const { statusCode = 0, mayBeDone } = error.details;
	const rejectsBatch = BATCH_REJECTIONS.includes(statusCode) && !mayBeDone;
	return rejectsBatch && entries.length > 1 ? error.with({ batch: entries.length }) : error;
}
