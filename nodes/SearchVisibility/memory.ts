import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { RequestFailure } from '../shared/errors';

const KEY = 'searchVisibilityTries';

/** How a piece of work ended in an earlier try. Plain data: n8n stores it with the execution. */
interface Ending {
	work: string;
	executionId: string;
	records?: IDataObject[];
	failure?: Pick<RequestFailure, 'kind' | 'details'>;
}

/**
 * What happened in an earlier try of this execution. With the node setting "Retry On Fail", n8n runs the whole node
 * again, for all items: without a memory, what succeeded the first time, or may have, would be done twice. What
 * succeeded is also not done again when a person retries the execution in n8n.
 */
export class Memory {
	private readonly endings: Record<number, Ending>;

	private constructor(
		private readonly store: IDataObject,
		private readonly runKey: string,
		private readonly executionId: string,
	) {
		this.endings = (store[runKey] ??= {}) as Record<number, Ending>;
	}

	/** @returns undefined where there is nothing to remember: no retries, or nothing is written */
	static of(context: IExecuteFunctions, method: string): Memory | undefined {
		if (!context.getNode().retryOnFail || method === 'GET') return undefined;
		const store = (context.getContext('node')[KEY] ??= {}) as IDataObject;
		// In a loop the node runs several times, each with items of its own
		const runKey = `run ${String(context.evaluateExpression('{{ $runIndex }}', 0))}`;
		return new Memory(store, runKey, context.getExecutionId());
	}

	/**
	 * @param job its place among all jobs, which are the same in every try
	 * @param work what it does: a person may have changed the workflow before retrying the execution
	 * @returns what came out of it in an earlier try, if it succeeded
	 * @throws RequestFailure where it is not known whether it did, unless a person has read so and retries
	 */
	recall(job: number, work: string): IDataObject[] | undefined {
		const ending = this.endings[job];
		if (ending?.work !== work) return undefined;
		const { records, failure, executionId } = ending;
		if (!failure) return records;
		if (executionId !== this.executionId) return undefined;
		throw new RequestFailure(failure.kind, failure.details);
	}

	succeeded(job: number, work: string, records: IDataObject[]): void {
		this.endings[job] = { work, executionId: this.executionId, records };
	}

	/** Only what may have been done all the same must not be tried again. */
	failed(job: number, work: string, failure: unknown): void {
		if (!(failure instanceof RequestFailure) || !failure.mayBeDone) return;
		const { kind, details } = failure;
		this.endings[job] = { work, executionId: this.executionId, failure: { kind, details } };
	}

	/** There will be no other try. */
	forget(): void {
		delete this.store[this.runKey];
	}
}
