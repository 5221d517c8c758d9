import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';

import type { NodeError } from '../shared/errors/nodeErrors';
import { errorItem, forModel, toNodeError } from '../shared/errors/nodeErrors';
import type { Job, Operation } from './operation';
import { makePlan } from './plan';
import { addHints, withProgress } from './report';
import { RESOURCES } from './resources';
import { RetryMemory } from './retryMemory';
import { Run } from './run';

/**
 * Runs the selected operation for all input items.
 *
 * All parameters are read and checked before the first request, so that bad input stops the run before anything is
 * done.
 * @returns one output, in the order of the input, each item paired with the input items that it comes from
 * @throws NodeApiError or NodeOperationError; if the node continues on errors, failed items are part of the output
 * instead
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
 * Whether the engine runs the node as an agent's tool. `isToolExecution` does not show this: it is true if the agent
 * calls the tool itself, and then n8n passes both the description of an error and an empty list on to the model.
 */
const isRunForAgent = (context: IExecuteFunctions) =>
	context.getNode().rewireOutputLogTo === NodeConnectionTypes.AiTool;

/** Without an item, the model would get an empty text and could not tell whether the tool worked. */
const NOTHING_FOUND: INodeExecutionData = {
	json: { message: 'No records were found' },
	pairedItem: { item: 0 },
};

async function executeChosen(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const failed = new FailedItems(context.continueOnFail());
	const operation = chosenOperation(context);
	const memory = operation && RetryMemory.of(context, operation);
	const done = operation ? await runOperation(context, operation, failed, memory) : [];
	if (!operation) failed.throwOrKeep(noOperation(context), [...context.getInputData().keys()]);
	const output = [...done, ...failed.items].sort((a, b) => firstItem(a) - firstItem(b));
	memory?.ended(output);
	return output;
}

/** Collects the failed items if the node continues on errors; otherwise throws the first failure. */
class FailedItems {
	/** An item whose keywords are spread over several requests fails only once */
	private readonly errors = new Map<number, NodeError>();

	constructor(private readonly continues: boolean) {}

	get items(): INodeExecutionData[] {
		return [...this.errors].map(([index, error]) => errorItem(error, index));
	}

	throwOrKeep(error: NodeError, itemIndexes: number[]): void {
		if (!this.continues) throw error;
		for (const index of itemIndexes) {
			const first = this.errors.get(index);
			// The most important thing to know of an item is that sending it again could do it twice
			const tellsMore = error.context.mayBeDone && !first?.context.mayBeDone;
			if (!first || tellsMore) this.errors.set(index, error);
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
		throw withProgress(toNodeError(context.getNode(), error), plan);
	}
}

/** @returns what to call a missing record, if the operation is about one */
function nounOf(operation: Operation): string | undefined {
	if (!operation.path.includes('{id}')) return undefined;
	return RESOURCES.find(({ operations }) => operations.includes(operation))?.name.toLowerCase();
}

function firstItem({ pairedItem }: INodeExecutionData): number {
	const first = Array.isArray(pairedItem) ? pairedItem[0] : pairedItem;
	return typeof first === 'object' ? first.item : 0;
}
