import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { RequestFailure } from '../shared/errors/requestFailure';
import { CREDENTIAL } from '../shared/request/transport';
import { isObject } from '../shared/parameters/values';
import type { Plan } from './plan';
import { fingerprint } from './plan';

const KEY = 'searchVisibilityTries';

/**
 * How a job ended in an earlier attempt: with records, or with a failure after which the work may still have been done.
 */
interface PastAttempt {
	records?: IDataObject[] | undefined;
	failure?: RequestFailure | undefined;
}

/** A past attempt as plain data, which n8n can store with the execution. */
interface StoredAttempt {
	executionId: string;
	work: string;
	/** The workspace in which the work was done; undefined if an earlier version of the package stored this */
	where?: string;
	records?: IDataObject[];
	failure?: Pick<RequestFailure, 'kind' | 'details'>;
	/** ID of the record in the path, if it was looked up */
	id?: string;
}

/** What is remembered about one run of the node. */
interface Session {
	plan?: Plan;
	attempts: Map<number, PastAttempt>;
	/** What earlier executions stored about other work, which a later one may have to do again */
	others?: StoredAttempt[];
	/** Whether this execution has done something itself, or may have */
	hasActed?: boolean;
}

/**
 * By the first input item, because n8n passes the very same object to every attempt of a run and releases it
 * afterwards.
 */
const sessions = new WeakMap<object, Map<string, Session>>();

/**
 * Remembers what earlier attempts of the same run have done. With the node setting "Retry On Fail", n8n runs the whole
 * node again for all items, and so does a user who retries a failed execution. Without a memory, work that succeeded
 * the first time, or may have succeeded, would be done twice.
 *
 * Within an execution, jobs are matched by position, and the jobs of the first attempt count, because parameters may
 * change over time. When a user retries the execution, a job counts as done only if it would do the same work in the
 * same workspace.
 */
export class RetryMemory {
	private constructor(
		private readonly sessions: Map<string, Session>,
		private readonly key: string,
		private readonly executionId: string,
		private readonly credentialId: string,
		private readonly store: IDataObject,
		private readonly runKey?: string,
	) {}

	/** Set when the run starts */
	private where = '';

	/** @returns undefined if there is nothing to remember: no items, or an operation that only reads */
	static of(context: IExecuteFunctions, method: string): RetryMemory | undefined {
		const [first] = context.getInputData();
		const { retryOnFail, name, type, credentials } = context.getNode();
		if (method === 'GET' || !first) return undefined;
		// As a tool, every attempt has its own run index (n8n 1.123 shows a tool only by its type); in a loop, the same
		// item may come again
		const isTool = type.endsWith('Tool') || context.isToolExecution?.() === true;
		const runKey = isTool
			? undefined
			: `run ${String(context.evaluateExpression('{{ $runIndex }}', 0))}`;
		const executionId = context.getExecutionId();
		const known = sessions.get(first.json) ?? new Map<string, Session>();
		// Without this setting there is only one attempt, but a user may still retry the execution
		if (retryOnFail) sessions.set(first.json, known);
		const store = context.getContext('node');
		const key = JSON.stringify([executionId, name, runKey]);
		const credentialId = credentials?.[CREDENTIAL]?.id ?? '';
		return new RetryMemory(known, key, executionId, credentialId, store, runKey);
	}

	private get session(): Session {
		const session = this.sessions.get(this.key) ?? { attempts: new Map<number, PastAttempt>() };
		this.sessions.set(this.key, session);
		return session;
	}

	/** What is stored with the execution, by run of the node. */
	private get storedRuns(): IDataObject {
		const runs = this.store[KEY];
		return isObject(runs) ? runs : {};
	}

	/** What an earlier attempt stored with the execution; nothing else writes there. */
	private get stored(): StoredAttempt[] {
		return (this.storedRuns[this.runKey ?? ''] ?? []) as StoredAttempt[];
	}

	/** The plan of the first attempt; undefined during the first attempt itself. */
	get plan(): Plan | undefined {
		return this.session.plan;
	}

	/**
	 * Takes over what earlier attempts stored about the jobs of this plan.
	 *
	 * The credential and its base URL stand for the workspace, because a key may have been renewed in the meantime.
	 */
	startWith(plan: Plan, baseUrl: string): void {
		this.where = JSON.stringify([this.credentialId, baseUrl]);
		if (this.session.plan) return;
		this.session.plan = plan;
		const earlier = this.stored.filter(({ executionId }) => executionId !== this.executionId);
		if (earlier.length === 0) return;
		// Matched by work rather than by position, because a user may have removed items
		const byWork = new Map<string, StoredAttempt[]>();
		// If one of several equal requests is done, what is unclear about another must not hide it
		const doneFirst = [...earlier].sort((a, b) => Number(!a.records) - Number(!b.records));
		for (const one of doneFirst) {
			if (!this.isHere(one)) continue;
			byWork.set(one.work, [...(byWork.get(one.work) ?? []), one]);
		}
		const found = new Set<StoredAttempt>();
		for (const [index, job] of plan.jobs.entries()) {
			const attempt = byWork.get(fingerprint(plan.operation, job.input))?.shift();
			if (attempt) found.add(attempt);
			// The user has read that a POST may be done, and decided to send it again
			if (!attempt || (!attempt.records && plan.operation.method === 'POST')) continue;
			const { records, failure, id } = attempt;
			// A deleted record is no longer in any list
			if (id) job.resolved = { ...job.input, id };
			this.session.attempts.set(index, {
				records,
				failure: failure && new RequestFailure(failure.kind, failure.details),
			});
		}
		this.session.others = earlier.filter((one) => !found.has(one));
	}

	private isHere({ where = this.where }: StoredAttempt): boolean {
		return where === this.where;
	}

	/** @returns how a job ended in an earlier attempt; undefined if it was certainly not done */
	past(job: number): PastAttempt | undefined {
		return this.session.attempts.get(job);
	}

	succeeded(job: number, records: IDataObject[]): void {
		const isTakenOver = this.past(job)?.records === records;
		if (!isTakenOver) this.remember(job, { records });
	}

	failed(job: number, failure: unknown): void {
		const isUnclear = failure instanceof RequestFailure && failure.details.mayBeDone;
		if (isUnclear) this.remember(job, { failure });
	}

	private remember(job: number, attempt: PastAttempt): void {
		this.session.attempts.set(job, attempt);
		this.session.hasActed = true;
	}

	/** Call this when the run fails: stores what was done with the execution, for a user who retries it. */
	keep(): void {
		const { plan, attempts, others = [], hasActed } = this.session;
		if (!plan || this.runKey === undefined) return;
		const stored = plan.jobs.flatMap(({ input, resolved }, index) => {
			const { records, failure } = attempts.get(index) ?? {};
			if (!records && !failure) return [];
			return {
				executionId: this.executionId,
				work: fingerprint(plan.operation, input),
				where: this.where,
				id: resolved?.id,
				...(records && { records }),
				...(failure && { failure: { kind: failure.kind, details: { ...failure.details } } }),
			};
		});
		// What was done now may have undone other work here, as a notification that a page was deleted does
		const kept = others.filter((one) => !hasActed || !this.isHere(one));
		this.store[KEY] = { ...this.storedRuns, [this.runKey]: [...kept, ...stored] };
	}

	/**
	 * Call this when the run ends normally, so that no user can retry it. n8n itself still can if the first item has an
	 * error, either its own or a field of that name in the service's answer.
	 */
	ended([first]: INodeExecutionData[]): void {
		if (this.stored.length > 0) delete this.storedRuns[this.runKey ?? ''];
		if (first?.json.error === undefined) this.sessions.delete(this.key);
	}
}
