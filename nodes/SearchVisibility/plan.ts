import type { IExecuteFunctions, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { toNodeError } from '../shared/nodeErrors';
import { REQUEST_DEFAULTS } from '../shared/requestOptions';
import { textList } from '../shared/values';
import { requestOf } from './itemInput';
import type { ItemInput, Operation } from './operation';
import { fieldsOf } from './options';
import { readInput } from './readInput';

/** One piece of work: what is sent for one input item, or for several where the operation gathers them. */
export interface Job {
	input: ItemInput;
	itemIndexes: number[];
	/** The same with the IDs of records that are named by their URL, once they were looked up */
	resolved?: ItemInput;
}

/** Everything that a run has to do. */
export interface Plan {
	operation: Operation;
	/** The most requests under way at once, as the first item says */
	concurrency: number;
	jobs: Job[];
	/** Items whose parameters were refused */
	refused: Array<{ error: NodeApiError | NodeOperationError; itemIndex: number }>;
}

/** Reads and checks the parameters of all items before anything is sent, so that bad input stops a run with nothing done. */
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

/** @returns what a job does, as text */
export function fingerprint(operation: Operation, input: ItemInput): string {
	const { method, path, query, body } = requestOf(operation, input);
	return JSON.stringify([method, path, query, body, input.lookups.map(({ url }) => url)]);
}

const alone = (input: ItemInput): Job => ({ input, itemIndexes: [input.itemIndex] });

/** Spreads the entries of all items over as few requests as possible; of items with the same settings, an entry is sent once. */
function inBatches(inputs: ItemInput[], name: string): Job[] {
	const custom = inputs.filter(({ settings }) => settings.customBody !== undefined);
	const gathered = inputs.filter(({ settings }) => settings.customBody === undefined);
	/** For each group, which items bring an entry */
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

/** Items can share a request only where these are the same. */
const sharedBy = ({ settings: { queryParameters, timeout, maxRetries } }: ItemInput) =>
	JSON.stringify([queryParameters, timeout, maxRetries]);
