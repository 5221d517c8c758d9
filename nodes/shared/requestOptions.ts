import { forNode } from './field';

/*
 * What users may set for requests. Their defaults are those of all requests, also of the trigger and of searches in lists,
 * where there is nothing to set.
 */

export const concurrency = forNode({
	displayName: 'Concurrency',
	name: 'concurrency',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 20, numberPrecision: 0 },
	default: 20,
	description:
		'The most requests that may be under way at the same time. The node starts with 5 and finds out how many the service takes. The value of the first item counts for all.',
});

export const maxRetries = forNode({
	displayName: 'Max Retries',
	name: 'maxRetries',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 20, numberPrecision: 0 },
	default: 4,
	description:
		'How many more times a request is tried when the service is busy or fails. A request that creates something is repeated only when the service certainly did not work on it.',
});

export const timeout = forNode({
	displayName: 'Timeout',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 3600000, numberPrecision: 0 },
	default: 30000,
	description: 'How many milliseconds to wait for the answer to one try of a request',
});

export const REQUEST_DEFAULTS = {
	/** The most requests under way at once */
	concurrency: Number(concurrency.property.default),
	/** How many more tries after the first */
	maxRetries: Number(maxRetries.property.default),
	/** Milliseconds for one try */
	timeout: Number(timeout.property.default),
};
