import type { Field } from '../../shared/parameters/field';
import { collection, forNode } from '../../shared/parameters/field';
import type { Operation } from '../operation';

/** For operations that can send several requests at the same time. */
const concurrency: Field = forNode({
	displayName: 'Requests at Once',
	name: 'concurrency',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 20, numberPrecision: 0 },
	default: 20,
	description:
		'Max number of requests to run at the same time. The node starts with 5 and adapts to what the service accepts. The value of the first item applies to all items.',
});

/** Options that every operation has. */
const COMMON_OPTIONS: Field[] = [
	forNode({
		displayName: 'Max Retries',
		name: 'maxRetries',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 20, numberPrecision: 0 },
		default: 4,
		description:
			'Max number of times to retry a request when the service is busy or fails. Requests that create something are retried only if this cannot create it twice.',
	}),
	forNode({
		displayName: 'Timeout (ms)',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 3600000, numberPrecision: 0 },
		default: 30000,
		description: 'Max time to wait for each response, in milliseconds',
	}),
];

const dryRun: Field = forNode({
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: false,
	description:
		'Whether to return the request instead of sending it, so that nothing is changed. Parameters are still checked, and records are still looked up.',
});

/** @returns the "Options" collection, which every operation has: first what many people need, then what is technical */
export function optionsOf({ method, sequential, options = [] }: Operation): Field {
	const own = method === 'GET' ? options : [dryRun, ...options];
	const technical = [...(sequential ? [] : [concurrency]), ...COMMON_OPTIONS];
	const property = { displayName: 'Options', name: 'options', placeholder: 'Add Option' };
	return collection(property, [...own, ...technical]);
}
