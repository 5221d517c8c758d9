import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isTool } from './itemInput';
import type { Operation } from './operation';
import type { Plan } from './plan';

/** By the first input item: every try gets the same object. When n8n drops the item, its plans go too. */
const plansByItem = new WeakMap<object, Map<string, Plan>>();

/**
 * With "Retry On Fail", n8n runs the node again for all items. Each try uses the plan of the first one, because the jobs of
 * this plan show what is done, and parameters may have changed since.
 */
export class RetryMemory {
	private readonly plans?: Map<string, Plan>;
	private readonly key: string = '';

	constructor(context: IExecuteFunctions, { method }: Operation) {
		const [first] = context.getInputData();
		const { retryOnFail, name } = context.getNode();
		if (!retryOnFail || method === 'GET' || !first) return;
		// In a loop, the same item may come again, with another run index. In a tool, every try has another run index
		const runIndex = isTool(context) ? 'any' : context.evaluateExpression('{{ $runIndex }}', 0);
		this.key = JSON.stringify([context.getExecutionId(), name, runIndex]);
		this.plans = plansByItem.get(first.json) ?? new Map<string, Plan>();
		plansByItem.set(first.json, this.plans);
	}

	/** Undefined until the first try has made the plan. */
	get plan(): Plan | undefined {
		return this.plans?.get(this.key);
	}

	/** Keeps the plan for the next try, if there can be one. */
	remember(plan: Plan): void {
		this.plans?.set(this.key, plan);
	}

	/** n8n tries again when the first output item has a field `error`, whoever wrote it. Otherwise, the plan is forgotten. */
	end([first]: INodeExecutionData[]): void {
		if (first?.json.error === undefined) this.plans?.delete(this.key);
	}
}
