import type { IExecuteFunctions, INodeExecutionData, NodeApiError } from 'n8n-workflow';
import { NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';

import { errorItem, forModel, toNodeError } from '../shared/nodeErrors';
import type { Operation } from './operation';
import type { Job } from './plan';
import { makePlan } from './plan';
import { addHints, withProgress } from './report';
import { RESOURCES } from './resources';
import { RetryMemory } from './retryMemory';
import { Run } from './run';

/**
 * Runs the operation that the user chose for all input items.
 *
 * All parameters are read and checked before the first request, so that bad input stops the run with nothing done.
 * @returns one output, in the order of the input, each item paired with the input items that it comes from
 * @throws NodeApiError or NodeOperationError, unless the node continues on errors: then failed items come out as such
 */
export async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const isForModel = isRunForAgent(context);
	try {
		const output = await executeChosen(context);
		return [output.length === 0 && isForModel ? [NOTHING_FOUND] : output];
	} catch (thrown) {
		const error = toNodeError(context.getNode(), thrown);
		throw isForModel ? forModel(error) : error;
	}
}

/**
 * Whether the engine runs the node as the tool of an agent. `isToolExecution` does not tell: it is for agents that call
 * the tool themselves, and there n8n gives the model the description of an error and an empty list as they are.
 */
const isRunForAgent = (context: IExecuteFunctions) =>
	context.getNode().rewireOutputLogTo === NodeConnectionTypes.AiTool;

/** Without an item, the model would get an empty text, and could not tell whether the tool worked. */
const NOTHING_FOUND: INodeExecutionData = {
	json: { message: 'No records were found' },
	pairedItem: { item: 0 },
};

async function executeChosen(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const failed = new FailedItems(context.continueOnFail());
	const operation = chosenOperation(context);
	const memory = operation && RetryMemory.of(context, operation.method);
	const done = operation ? await runOperation(context, operation, failed, memory) : [];
	if (!operation) failed.throwOrKeep(noOperation(context), [...context.getInputData().keys()]);
	const output = [...done, ...failed.items].sort((a, b) => firstItem(a) - firstItem(b));
	memory?.ended(output);
	return output;
}

/** Failed items where the node continues on errors; where it does not, the first failure is thrown. */
class FailedItems {
	readonly items: INodeExecutionData[] = [];

	/** An item whose keywords went into several requests fails once */
	private readonly known = new Set<number>();

	constructor(private readonly continues: boolean) {}

	throwOrKeep(error: NodeApiError | NodeOperationError, itemIndexes: number[]): void {
		if (!this.continues) throw error;
		for (const index of itemIndexes) {
			if (this.known.has(index)) continue;
			this.known.add(index);
			this.items.push(errorItem(error, index));
		}
	}
}

function chosenOperation(context: IExecuteFunctions): Operation | undefined {
	const resource = context.getNodeParameter('resource', 0);
	const operation = context.getNodeParameter('operation', 0, '');
	return RESOURCES.find(({ value }) => value === resource)?.operations.find(
		({ value }) => value === operation,
	);
}

const noOperation = (context: IExecuteFunctions) =>
	new NodeOperationError(context.getNode(), 'No operation is selected', {
		description:
			"Choose a resource and an operation. For a custom API call, use n8n's HTTP Request node with the same credential.",
	});

async function runOperation(
	context: IExecuteFunctions,
	operation: Operation,
	failed: FailedItems,
	memory?: RetryMemory,
): Promise<INodeExecutionData[]> {
	const plan = memory?.plan ?? makePlan(context, operation);
	for (const { error, itemIndex } of plan.refused) failed.throwOrKeep(error, [itemIndex]);
	if (plan.jobs.length === 0) return [];
	if (memory && !memory.plan) memory.plan = plan;
	const run = await Run.start(context, plan, memory).catch((error: unknown) => {
		const nodeError = toNodeError(context.getNode(), error);
		for (const { itemIndexes } of plan.jobs) failed.throwOrKeep(nodeError, itemIndexes);
	});
	if (!run) return [];
	try {
		const output = await run.doJobs((error: unknown, { itemIndexes }: Job) => {
			const about = { noun: nounOf(operation), refusalHint: operation.refusalHint };
			const nodeError = toNodeError(context.getNode(), error, itemIndexes[0], about);
			failed.throwOrKeep(nodeError, itemIndexes);
		});
		addHints(context, run, output);
		return output;
	} catch (error) {
		memory?.keep();
		throw withProgress(toNodeError(context.getNode(), error), run);
	}
}

/** @returns what a missing record is called, where the operation names one */
function nounOf(operation: Operation): string | undefined {
	if (!operation.path.includes('{id}')) return undefined;
	return RESOURCES.find(({ operations }) => operations.includes(operation))?.name.toLowerCase();
}

function firstItem({ pairedItem }: INodeExecutionData): number {
	const first = Array.isArray(pairedItem) ? pairedItem[0] : pairedItem;
	return typeof first === 'object' ? first.item : 0;
}
