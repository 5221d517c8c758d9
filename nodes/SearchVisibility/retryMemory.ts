import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { RequestFailure } from '../shared/failure';
import { isObject } from '../shared/values';
import type { Plan } from './plan';
import { fingerprint } from './plan';

const KEY = 'searchVisibilityTries';

/** How a job ended in an earlier try: with records, or with a failure after which the work may be done all the same. */
interface PastAttempt {
	records?: IDataObject[] | undefined;
	failure?: RequestFailure | undefined;
}

/** The same as plain data, for n8n to store with the execution. */
interface StoredAttempt {
	executionId: string;
	work: string;
	records?: IDataObject[];
	failure?: Pick<RequestFailure, 'kind' | 'details'>;
	/** Of the record that the path names, where it was looked up */
	id?: string;
}

/** What is remembered of one run of the node. */
interface Session {
	plan?: Plan;
	attempts: Map<number, PastAttempt>;
}

/** By the first input item: n8n hands the very same object to every try of a run, and lets go of it afterwards. */
const sessions = new WeakMap<object, Map<string, Session>>();

/**
 * What happened in an earlier try of the same run. With the node setting "Retry On Fail", n8n runs the whole node again,
 * for all items, and so does a person who retries a failed execution: without a memory, what succeeded the first time, or
 * may have, would be done twice.
 *
 * Within an execution the place of a job decides, and the jobs of the first try count, since parameters may change with
 * time. When a person retries, a job counts as done only if it would do the same work.
 */
export class RetryMemory {
	private constructor(
		private readonly sessions: Map<string, Session>,
		private readonly key: string,
		private readonly executionId: string,
		private readonly store: IDataObject,
		private readonly runKey?: string,
	) {}

	/** @returns undefined where there is nothing to remember: no items, or nothing is written */
	static of(context: IExecuteFunctions, method: string): RetryMemory | undefined {
		const [first] = context.getInputData();
		const { retryOnFail, name, type } = context.getNode();
		if (method === 'GET' || !first) return undefined;
		// As a tool, every try has a run index of its own (n8n 1.123 tells a tool only by its type); in a loop, the same item
		// may come again
		const isTool = type.endsWith('Tool') || context.isToolExecution?.() === true;
		const runKey = isTool
			? undefined
			: `run ${String(context.evaluateExpression('{{ $runIndex }}', 0))}`;
		const executionId = context.getExecutionId();
		const known = sessions.get(first.json) ?? new Map<string, Session>();
		// Without that setting there is one try only, but a person may still retry the execution
		if (retryOnFail) sessions.set(first.json, known);
		const store = context.getContext('node');
		const key = JSON.stringify([executionId, name, runKey]);
		return new RetryMemory(known, key, executionId, store, runKey);
	}

	private get session(): Session {
		const session = this.sessions.get(this.key) ?? { attempts: new Map<number, PastAttempt>() };
		this.sessions.set(this.key, session);
		return session;
	}

	/** What is stored with the execution, by the run of the node. */
	private get storedRuns(): IDataObject {
		const runs = this.store[KEY];
		return isObject(runs) ? runs : {};
	}

	/** What an earlier try stored with the execution: nobody else writes there. */
	private get stored(): StoredAttempt[] {
		return (this.storedRuns[this.runKey ?? ''] ?? []) as StoredAttempt[];
	}

	/** What the first try had to do; undefined in the first try itself. */
	get plan(): Plan | undefined {
		return this.session.plan;
	}

	set plan(plan: Plan) {
		this.session.plan = plan;
		const others = this.stored.filter(({ executionId }) => executionId !== this.executionId);
		if (others.length === 0) return;
		// By what they did, not by their place: a person may have taken items out
		const byWork = new Map<string, StoredAttempt[]>();
		for (const one of others) byWork.set(one.work, [...(byWork.get(one.work) ?? []), one]);
		for (const [index, job] of plan.jobs.entries()) {
			const attempt = byWork.get(fingerprint(plan.operation, job.input))?.shift();
			// A person has read that a POST may be done, and decided to send it again
			if (!attempt || (!attempt.records && plan.operation.method === 'POST')) continue;
			const { records, failure, id } = attempt;
			// What was deleted is in no list any more
			if (id) job.resolved = { ...job.input, id };
			this.session.attempts.set(index, {
				records,
				failure: failure && new RequestFailure(failure.kind, failure.details),
			});
		}
	}

	/** @returns how a job ended in an earlier try, unless it certainly was not done */
	past(job: number): PastAttempt | undefined {
		return this.session.attempts.get(job);
	}

	succeeded(job: number, records: IDataObject[]): void {
		this.session.attempts.set(job, { records });
	}

	failed(job: number, failure: unknown): void {
		const isUnclear = failure instanceof RequestFailure && failure.details.mayBeDone;
		if (isUnclear) this.session.attempts.set(job, { failure });
	}

	/** The run failed: what was done is stored with the execution, for a person who retries it. */
	keep(): void {
		const { plan, attempts } = this.session;
		if (!plan || this.runKey === undefined) return;
		const stored = plan.jobs.flatMap(({ input, resolved }, index) => {
			const { records, failure } = attempts.get(index) ?? {};
			if (!records && !failure) return [];
			return {
				executionId: this.executionId,
				work: fingerprint(plan.operation, input),
				id: resolved?.id,
				...(records && { records }),
				...(failure && { failure: { kind: failure.kind, details: { ...failure.details } } }),
			};
		});
		this.store[KEY] = { ...this.storedRuns, [this.runKey]: stored };
	}

	/**
	 * The run came to its end, so nobody can retry it. n8n itself still does, where the first item has an error: of its
	 * own, or because an answer of the service has a field of that name.
	 */
	ended([first]: INodeExecutionData[]): void {
		if (this.stored.length > 0) delete this.storedRuns[this.runKey ?? ''];
		if (first?.json.error === undefined) this.sessions.delete(this.key);
	}
}
