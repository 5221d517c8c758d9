import type { Field } from '../../shared/parameters/field';
import { collection, forNode } from '../../shared/parameters/field';
import type { Operation } from '../operation';

/** On as soon as it is added, because nobody adds it to leave it off. */
const dryRun = forNode(
	{
		displayName: 'Dry Run',
		name: 'dryRun',
		type: 'boolean',
		default: true,
		description: 'Whether to show what would be done instead of doing it',
	},
	{ unlessAdded: false },
);

/** @returns the options of an operation, which change what it does; none if it has no such option */
export function optionsOf({ method, options = [] }: Operation): Field[] {
	const own = method === 'GET' ? options : [dryRun, ...options];
	const property = { displayName: 'Options', name: 'options', placeholder: 'Add Option' };
	return own.length === 0 ? [] : [collection(property, own)];
}

/** How requests are sent, whatever the operation. n8n shows this in the Settings tab. */
export const requestOptions = collection(
	{
		displayName: 'Request Options',
		name: 'requestOptions',
		placeholder: 'Add Option',
		isNodeSetting: true,
	},
	[
		forNode({
			displayName: 'Max Retries',
			name: 'maxRetries',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 20, numberPrecision: 0 },
			default: 4,
			description:
				'Max number of times to repeat a request that fails, unless that could create something twice',
		}),
		forNode({
			displayName: 'Requests at Once',
			name: 'concurrency',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 20, numberPrecision: 0 },
			default: 20,
			description:
				'Max number of requests to run at the same time. The value of the first item applies to all items.',
		}),
		forNode({
			displayName: 'Timeout (ms)',
			name: 'timeout',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 3600000, numberPrecision: 0 },
			default: 30000,
			description: 'Max time to wait for each response, in milliseconds',
		}),
	],
);
