import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isTool } from './itemInput';
import type { Operation } from './operation';
import type { Plan } from './plan';

/** By the first input item: every attempt of a run gets the same object, and the plan is released with it. */
const plansByItem = new WeakMap<object, Map<string, Plan>>();

/**
 * The attempts of one run of the node. With "Retry On Fail", n8n runs the whole node again for all items; the plan of the
 * first attempt counts, because parameters may change over time, and its jobs show what is done.
 */
export class RetryMemory {
	private readonly plans?: Map<string, Plan>;
	private readonly key: string = '';

	constructor(context: IExecuteFunctions, { method }: Operation) {
		const [first] = context.getInputData();
		const { retryOnFail, name } = context.getNode();
		if (!retryOnFail || method === 'GET' || !first) return;
		// As a tool, every attempt has its own run index; in a loop, the same item may come again
		const run = isTool(context) || context.evaluateExpression('{{ $runIndex }}', 0);
		this.key = JSON.stringify([context.getExecutionId(), name, run]);
		this.plans = plansByItem.get(first.json) ?? new Map<string, Plan>();
		plansByItem.set(first.json, this.plans);
	}

	/** The plan of the first attempt; undefined during the first attempt itself. */
	get plan(): Plan | undefined {
		return this.plans?.get(this.key);
	}
	set plan(plan: Plan) {
		this.plans?.set(this.key, plan);
	}

	/** n8n runs the node again if the first item has an error: its own, or a field of that name in the service's answer. */
	end([first]: INodeExecutionData[]): void {
		if (first?.json.error === undefined) this.plans?.delete(this.key);
	}
}
