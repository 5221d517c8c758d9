import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isObject } from '../shared/parameters/values';
import { CREDENTIAL } from '../shared/credential';
import { isRepeatable, isTool } from './itemInput';
import type { Job, Operation } from './operation';
import type { Plan } from './plan';
import { fingerprint } from './plan';

const KEY = 'searchVisibilityTries';

/** A job that is done, or may be, as plain data that n8n can store with the execution. */
interface StoredJob {
	/** The work as the user described it, and as it was sent if a record was looked up for it */
	works: string[];
	/** Undefined if it is unclear whether the work was done */
	records?: IDataObject[] | undefined;
	/** ID of the record in the path, if it was looked up */
	id?: string | undefined;
}

/** One run of the node, with all its attempts. */
interface Session {
	/** Where the work is stored: the run, and the credential and base URL, which stand for the workspace */
	place: string;
	/** The plan of the first attempt; its jobs show what is done */
	plan: Plan;
	/** What earlier executions did besides these jobs, and a later one may have to do again */
	others: StoredJob[];
}

/**
 * By the first input item, because n8n passes the very same object to every attempt of a run and releases it
 * afterwards.
 */
const sessionsByItem = new WeakMap<object, Map<string, Session>>();

/**
 * Remembers what earlier attempts of the same run have done. With the node setting "Retry On Fail", n8n runs the whole
 * node again for all items, and so does a user who retries a failed execution. Without a memory, work that succeeded
 * the first time, or may have succeeded, would be done twice.
 *
 * Within an execution, the jobs of the first attempt count, because parameters may change over time. When a user
 * retries the execution, a job counts as done if the same work was done in the same workspace.
 */
export class RetryMemory {
	private constructor(
		private readonly sessions: Map<string, Session>,
		/** The execution, node and run; as a tool without the run */
		private readonly key: string,
		private readonly context: IExecuteFunctions,
		private readonly runIndex: string | undefined,
	) {}

	/** @returns undefined if there is nothing to remember: no items, or an operation that only reads */
	static of(context: IExecuteFunctions, { method }: Operation): RetryMemory | undefined {
		const [first] = context.getInputData();
		if (method === 'GET' || !first) return undefined;
		const { retryOnFail, name } = context.getNode();
		// As a tool, every attempt has its own run index; in a loop, the same item may come again
		const runIndex = isTool(context)
			? undefined
			: String(context.evaluateExpression('{{ $runIndex }}', 0));
		const sessions = sessionsByItem.get(first.json) ?? new Map<string, Session>();
		// Without this setting there is only one attempt, but a user may still retry the execution
		if (retryOnFail) sessionsByItem.set(first.json, sessions);
		const key = JSON.stringify([context.getExecutionId(), name, runIndex]);
		return new RetryMemory(sessions, key, context, runIndex);
	}

	/** The plan of the first attempt; undefined during the first attempt itself. */
	get plan(): Plan | undefined {
		return this.sessions.get(this.key)?.plan;
	}

	/** Marks in the plan what earlier executions did of it. */
	startWith(plan: Plan, baseUrl: string): void {
		if (this.plan) return;
		const { credentials } = this.context.getNode();
		const place = JSON.stringify([this.runIndex, credentials?.[CREDENTIAL]?.id, baseUrl]);
		const earlier: unknown = this.entries[place];
		// Without what is damaged
		const others = new Set(Array.isArray(earlier) ? earlier.filter(isStoredJob) : []);
		const byWork = new Map<string, StoredJob[]>();
		for (const stored of others) {
			for (const work of stored.works) byWork.set(work, [...(byWork.get(work) ?? []), stored]);
		}
		for (const job of others.size > 0 ? plan.jobs : []) {
			// By work and not by position, because a user may have removed items
			const same = byWork.get(fingerprint(plan.operation, job.input));
			const stored = same?.find((one) => others.has(one));
			if (!stored || job.input.settings.dryRun) continue;
			others.delete(stored);
			// The user has read that a POST may be done, and decided to send it again
			if (!stored.records && !isRepeatable(plan.operation)) continue;
			// A deleted record is no longer in any list
			if (stored.id) job.resolved = { ...job.input, id: stored.id };
			job.outcome = { isEarlier: true, records: stored.records };
		}
		this.sessions.set(this.key, { place, plan, others: [...others] });
	}

	/** Call this when the run fails: stores what was done with the execution, for a user who retries it. */
	keep(): void {
		const session = this.sessions.get(this.key);
		if (!session || this.runIndex === undefined) return;
		const { place, plan, others } = session;
		const ended = plan.jobs.filter(({ outcome }) => outcome);
		// What was done now may have undone other work, as a notification that a page was deleted does
		const kept = ended.every(({ outcome }) => outcome?.isEarlier) ? others : [];
		const jobs = [...kept, ...ended.map((job) => asData(plan.operation, job))];
		this.context.getContext('node')[KEY] = { ...this.entries, [place]: jobs };
	}

	/**
	 * Call this when the run ends normally, so that no user can retry it. n8n itself still can if the first item has an
	 * error, either its own or a field of that name in the service's answer.
	 */
	ended([first]: INodeExecutionData[]): void {
		delete this.entries[this.sessions.get(this.key)?.place ?? ''];
		if (first?.json.error === undefined) this.sessions.delete(this.key);
	}

	/** What is stored with the execution, by place. */
	private get entries(): IDataObject {
		const entries = this.context.getContext('node')[KEY];
		return isObject(entries) ? entries : {};
	}
}

function asData(operation: Operation, { input, resolved, outcome }: Job): StoredJob {
	const works = [fingerprint(operation, input)];
	if (resolved) works.push(fingerprint(operation, { ...resolved, lookups: [] }));
	return { works: [...new Set(works)], records: outcome?.records, id: resolved?.id };
}

function isStoredJob(value: unknown): value is StoredJob {
	if (!isObject(value) || !Array.isArray(value.works)) return false;
	const { records, id } = value;
	const isRecords = Array.isArray(records) && records.every(isObject);
	return (records === undefined || isRecords) && (id === undefined || typeof id === 'string');
}
