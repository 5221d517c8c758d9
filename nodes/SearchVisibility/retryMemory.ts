import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isTool } from './itemInput';
import type { Operation } from './operation';
import type { Plan } from './plan';

/** By the first input item: every try gets the same object, and the plan is released with it. */
const plansByItem = new WeakMap<object, Map<string, Plan>>();

/**
 * With "Retry On Fail", n8n runs the whole node again for all items. The plan of the first try counts, because parameters may
 * change over time, and its jobs show what is done.
 */
export class RetryMemory {
	private readonly plans?: Map<string, Plan>;
	private readonly key: string = '';

	constructor(context: IExecuteFunctions, { method }: Operation) {
		const [first] = context.getInputData();
		const { retryOnFail, name } = context.getNode();
		if (!retryOnFail || method === 'GET' || !first) return;
		// A tool gets a new run index with every try; in a loop, the same item may come again
		const run = isTool(context) || context.evaluateExpression('{{ $runIndex }}', 0);
		this.key = JSON.stringify([context.getExecutionId(), name, run]);
		this.plans = plansByItem.get(first.json) ?? new Map<string, Plan>();
		plansByItem.set(first.json, this.plans);
	}

	/** The plan of the first try; undefined during the first try itself. */
	get plan(): Plan | undefined {
		return this.plans?.get(this.key);
	}
	set plan(plan: Plan) {
		this.plans?.set(this.key, plan);
	}

	/** n8n tries again if the first item has `error`, also one that came from the service. */
	end([first]: INodeExecutionData[]): void {
		if (first?.json.error === undefined) this.plans?.delete(this.key);
	}
}
