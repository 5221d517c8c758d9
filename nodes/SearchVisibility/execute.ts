import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import {
	errorForModel,
	errorItem,
	forModel,
	type NodeError,
	toNodeError,
} from '../shared/errors/nodeErrors';
import { withSignal } from '../shared/compatibility';
import { mapConcurrently } from '../shared/request/mapConcurrently';
import { cancelSignalOf, clientMaker } from '../shared/request/transport';
import { RetryMemory } from './retryMemory';
import { isTool } from './itemInput';
import { makePlan } from './plan';
import type { Job } from './operation';
import { addHints, incompleteItem, missingIn, withProgress } from './report';
import { RESOURCES } from './resources';
import { customBody } from './resources/options';
import { type WorkspaceRun, runsOf } from './run';

/**
 * Runs the selected operation for all input items.
 * @returns one output, in the order of the input, each item paired with the input items that it comes from
 * @throws NodeApiError or NodeOperationError; if the node continues on errors, failed items are part of the output
 * instead
 */
export async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	try {
		const output = await executeChosen(context);
		if (output.length > 0 || !isTool(context)) return [output];
		// Without an item, some versions of n8n give the model an empty text, which does not tell whether the tool worked
		return [[{ json: { message: 'No records were found' }, pairedItem: { item: 0 } }]];
	} catch (thrown) {
		const error = toNodeError(context.getNode(), thrown);
		throw isTool(context) ? forModel(error) : error;
	}
}

async function executeChosen(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const node = context.getNode();
	const resourceName = context.getNodeParameter('resource', 0);
	const operationName = context.getNodeParameter('operation', 0, '');
	const resource = RESOURCES.find(({ value }) => value === resourceName);
	const operation = resource?.operations.find(({ value }) => value === operationName);
	const failedItems = new FailedItems(context);
	if (!resource || !operation) {
		const description =
			"Choose a resource and an operation. For a custom API call, use n8n's HTTP Request node with the same credential.";
		const error = new NodeOperationError(node, 'No operation is selected', { description });
		failedItems.throwOrKeep(error, [...context.getInputData().keys()]);
		return failedItems.joinedWith([]);
	}
	const memory = new RetryMemory(context, operation);
	const plan = memory.plan ?? (await makePlan(context, operation));
	for (const { error, itemIndex } of plan.invalid) failedItems.throwOrKeep(error, [itemIndex]);
	if (plan.jobs.length > 0) memory.remember(plan);
	const runs = runsOf(plan, clientMaker(context));
	// A 404 of a path without an ID is not about a record
	const noun = operation.path.includes('{id}') ? resource.name.toLowerCase() : undefined;
	const stop = new AbortController();
	const onFailure = (error: unknown, { input: { settings }, itemIndexes }: Job) => {
		const about = {
			noun,
			rejectionAdvice: operation.rejectionAdvice,
			isForModel: isTool(context),
			// A model cannot set an option
			canUseCustomBody:
				!isTool(context) && operation.options?.includes(customBody) && !settings.customBody,
			returnsExisting: isTool(context) || settings.returnExisting,
		};
		const nodeError = toNodeError(node, error, itemIndexes[0], about);
		try {
			failedItems.throwOrKeep(nodeError, itemIndexes);
		} catch (thrown) {
			// Ends the runs of all workspaces. Only the first failure counts, also if several runs fail at the same time
			stop.abort(thrown);
			throw stop.signal.reason;
		}
	};
	const doRun = async (run: WorkspaceRun, signal: AbortSignal) =>
		await run.doJobs(onFailure, signal);
	try {
		const done = await withSignal(
			[cancelSignalOf(context), stop.signal],
			async (signal) => await mapConcurrently(runs, runs.length, doRun, signal),
		);
		const output = failedItems.joinedWith(done.flat());
		addHints(context, plan, runs, output);
		const missing = missingIn(runs);
		if (missing > 0 && isTool(context)) output.push(incompleteItem(missing));
		memory.end(output);
		return output;
	} catch (error) {
		throw withProgress(toNodeError(node, error), plan);
	}
}

/** Collects the failed items if the node continues on errors; otherwise throws the first failure. */
class FailedItems {
	/** An item fails once, even if its keywords are spread over several requests */
	private readonly errors = new Map<number, NodeError>();

	constructor(private readonly context: IExecuteFunctions) {}

	throwOrKeep(error: NodeError, itemIndexes: number[]): void {
		if (!this.context.continueOnFail()) throw error;
		for (const index of itemIndexes) {
			const first = this.errors.get(index);
			// An error that warns of doing the work twice replaces one that does not
			const tellsMore = error.context.mayBeDone && !first?.context.mayBeDone;
			if (!first || tellsMore) this.errors.set(index, error);
		}
	}

	joinedWith(done: INodeExecutionData[]): INodeExecutionData[] {
		const itemOf = isTool(this.context) ? errorForModel : errorItem;
		const failed = [...this.errors].map(([index, error]) => itemOf(error, index));
		return [...done, ...failed].sort((a, b) => firstItem(a) - firstItem(b));
	}
}

function firstItem({ pairedItem }: INodeExecutionData): number {
	const first = Array.isArray(pairedItem) ? pairedItem[0] : pairedItem;
	return typeof first === 'object' ? first.item : 0;
}
