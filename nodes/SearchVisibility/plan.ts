import type { IExecuteFunctions, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { toNodeError } from '../shared/nodeErrors';
import { REQUEST_DEFAULTS } from '../shared/requestOptions';
import { textList } from '../shared/values';
import { requestOf } from './itemInput';
import type { ItemInput, Operation } from './operation';
import { fieldsOf } from './options';
import { readInput } from './readInput';

/** One piece of work: the request for one input item, or for several if the operation collects them. */
export interface Job {
	input: ItemInput;
	itemIndexes: number[];
	/** The input with the IDs of records that were identified by URL, once they have been looked up */
	resolved?: ItemInput;
}

/** Everything that a run has to do. */
export interface Plan {
	operation: Operation;
	/** Upper bound for the number of requests under way; the first item decides */
	concurrency: number;
	jobs: Job[];
	/** Items whose parameters were rejected */
	refused: Array<{ error: NodeApiError | NodeOperationError; itemIndex: number }>;
}

/**
 * Reads and checks the parameters of all items before anything is sent, so that bad input stops a run before anything
 * is done.
 * @returns the jobs of the valid items, and the errors of the rejected ones
 */
export function makePlan(context: IExecuteFunctions, operation: Operation): Plan {
	const fields = fieldsOf(operation);
	const inputs: ItemInput[] = [];
	const refused: Plan['refused'] = [];
	for (let itemIndex = 0; itemIndex < context.getInputData().length; itemIndex++) {
		try {
			inputs.push(readInput(context, operation, fields, itemIndex));
		} catch (error) {
			refused.push({ error: toNodeError(context.getNode(), error, itemIndex), itemIndex });
			if (!context.continueOnFail()) break;
		}
	}
	const jobs = operation.batches ? inBatches(inputs, operation.batches) : inputs.map(alone);
	const { concurrency } = inputs[0]?.settings ?? REQUEST_DEFAULTS;
	return { operation, concurrency, jobs, refused };
}

/** @returns a text that is the same for two jobs exactly if they do the same work */
export function fingerprint(operation: Operation, input: ItemInput): string {
	const { method, path, query, body } = requestOf(operation, input);
	return JSON.stringify([method, path, query, body, input.lookups.map(({ url }) => url)]);
}

const alone = (input: ItemInput): Job => ({ input, itemIndexes: [input.itemIndex] });

/**
 * Spreads the entries of all items over as few requests as possible. Among items with the same settings, each entry is
 * sent once.
 */
function inBatches(inputs: ItemInput[], name: string): Job[] {
	const custom = inputs.filter(({ settings }) => settings.customBody !== undefined);
	const gathered = inputs.filter(({ settings }) => settings.customBody === undefined);
	/** For each group, the items that contribute each entry */
	const groups = new Map<string, { input: ItemInput; bringers: Map<string, number[]> }>();
	for (const input of gathered) {
		const group = groups.get(sharedBy(input)) ?? { input, bringers: new Map<string, number[]>() };
		groups.set(sharedBy(input), group);
		for (const entry of textList(input.body[name])) {
			const known = group.bringers.get(entry);
			if (known) known.push(input.itemIndex);
			else group.bringers.set(entry, [input.itemIndex]);
		}
	}
	const batchSize = inputs[0]?.settings.batchSize ?? Number.POSITIVE_INFINITY;
	const jobs = custom.map(alone);
	for (const { input, bringers } of groups.values()) {
		const entries = [...bringers.keys()];
		for (let start = 0; start < entries.length; start += batchSize) {
			const batch = entries.slice(start, start + batchSize);
			const itemIndexes = [...new Set(batch.flatMap((entry) => bringers.get(entry) ?? []))];
			itemIndexes.sort((a, b) => a - b);
			jobs.push({ input: { ...input, body: { [name]: batch } }, itemIndexes });
		}
	}
	return jobs;
}

/** Items can share a request only if these are the same. */
const sharedBy = ({ settings: { queryParameters, timeout, maxRetries } }: ItemInput) =>
	JSON.stringify([queryParameters, timeout, maxRetries]);
