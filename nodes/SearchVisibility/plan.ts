import type { IExecuteFunctions, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { toNodeError } from '../shared/errors/nodeErrors';
import { toUrl } from '../shared/parameters/addresses';
import { REQUEST_DEFAULTS } from '../shared/parameters/requestOptions';
import { isObject } from '../shared/parameters/values';
import { Batches } from './batches';
import { requestOf } from './itemInput';
import type { ItemInput, Job, Operation } from './operation';
import { fieldsOf } from './options';
import { readInput } from './readInput';
import type { Settings } from './settings';

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
	const batches = operation.batches === undefined ? undefined : new Batches(operation.batches);
	const single: Job[] = [];
	const refused: Plan['refused'] = [];
	let settings: Settings | undefined;
	for (let itemIndex = 0; itemIndex < context.getInputData().length; itemIndex++) {
		try {
			const input = readInput(context, operation, fields, itemIndex);
			settings ??= input.settings;
			if (batches && input.settings.customBody === undefined) batches.add(input);
			else single.push({ input, itemIndexes: [itemIndex] });
		} catch (error) {
			refused.push({ error: toNodeError(context.getNode(), error, itemIndex), itemIndex });
			if (!context.continueOnFail()) break;
		}
	}
	const { concurrency } = settings ?? REQUEST_DEFAULTS;
	const jobs = [...single, ...(batches?.jobs(settings?.batchSize) ?? [])];
	return { operation, concurrency, jobs, refused };
}

/** @returns a text that is the same for two jobs exactly if they do the same work */
export function fingerprint(operation: Operation, input: ItemInput): string {
	const { method, path, query, body } = requestOf(operation, input);
	const lookups = input.lookups.map(({ field, url }) => ({ name: field.property.name, url }));
	return JSON.stringify({ method, path, query, body, lookups }, canonical);
}

/** How keys are ordered, and how the scheme and host of a URL are written, does not make it other work. */
function canonical(name: string, value: unknown): unknown {
	if (name === 'url' && typeof value === 'string') return toUrl(value)?.href ?? value;
	if (!isObject(value)) return value;
	return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
