import { forNode } from './field';

/*
 * The request options that users can set. Their defaults apply to all requests, including those of the trigger and of
 * list searches, which have no such options.
 */

export const concurrency = forNode({
	displayName: 'Concurrency',
	name: 'concurrency',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 20, numberPrecision: 0 },
	default: 20,
	description:
		'Max number of requests to run at the same time. The node starts with 5 and adapts to what the service accepts. The value of the first item applies to all items.',
});

export const maxRetries = forNode({
	displayName: 'Max Retries',
	name: 'maxRetries',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 20, numberPrecision: 0 },
	default: 4,
	description:
		'Max number of times to retry a request when the service is busy or fails. A request that creates something is retried only if the service has certainly not processed it.',
});

export const timeout = forNode({
	displayName: 'Timeout',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 3600000, numberPrecision: 0 },
	default: 30000,
	description: 'How long to wait for the response to each attempt at a request, in milliseconds',
});

export const REQUEST_DEFAULTS = {
	/** Upper bound for the number of requests under way; the first item decides */
	concurrency: Number(concurrency.property.default),
	/** Attempts after the first one */
	maxRetries: Number(maxRetries.property.default),
	/** Time-out of one attempt, in milliseconds */
	timeout: Number(timeout.property.default),
};

export type RequestSettings = typeof REQUEST_DEFAULTS;
