import type { IDataObject } from 'n8n-workflow';

import type { Field } from '../../shared/parameters/field';
import { collection, forNode } from '../../shared/parameters/field';
import {
	InvalidValue,
	isGiven,
	isNothing,
	isObject,
	quote,
	text,
} from '../../shared/parameters/values';
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
	forNode(
		{
			displayName: 'Query Parameters',
			name: 'queryParameters',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: 'Add Parameter',
			default: {},
			description: 'Additional query parameters, for features that this node has no field for',
			options: [
				{
					displayName: 'Parameter',
					name: 'parameters',
					values: [
						{
							displayName: 'Name',
							name: 'name',
							type: 'string',
							default: '',
							placeholder: 'e.g. sortBy',
							description: 'Name of the query parameter',
						},
						{
							displayName: 'Value',
							name: 'value',
							type: 'string',
							default: '',
							description: 'Value of the query parameter',
						},
					],
				},
			],
		},
		{ check: queryParameters },
	),
	forNode({
		displayName: 'Timeout (ms)',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 3600000, numberPrecision: 0 },
		default: 30000,
		description: 'Max time to wait for each response, in milliseconds',
	}),
];

/** Anywhere else, a yes or no in place of text is a mistake. */
const asText = (value: unknown) => text(typeof value === 'boolean' ? String(value) : value);

/**
 * Lists, and names that occur more than once, are joined with commas (contract section 4). What is empty is not sent.
 * @returns text by name
 */
function queryParameters(value: unknown): IDataObject | undefined {
	const query = new Map<string, string[]>();
	const pairs = isObject(value) && Array.isArray(value.parameters) ? value.parameters : [];
	for (const { name, value: given } of pairs.filter(isObject)) {
		if (!isGiven(name)) continue;
		const key = text(name);
		if (isNothing(given)) {
			const hint = `Its expression returns nothing. To send no ${quote(key)}, let it return an empty text.`;
			throw new InvalidValue(`has no value for ${quote(key)}`, hint);
		}
		const values = [given].flat().filter(isGiven);
		if (values.length > 0) query.set(key, [...(query.get(key) ?? []), ...values.map(asText)]);
	}
	return Object.fromEntries([...query].map(([name, values]) => [name, values.join(',')]));
}

const dryRun: Field = forNode({
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: false,
	description:
		'Whether to return the request instead of sending it, so that nothing is changed. Parameters are still checked, and records are still looked up.',
});

/** @returns the "Options" collection, which every operation has: first what many people need, then what is technical */
export function optionsOf({ method, inOrder, options = [] }: Operation): Field {
	const own = method === 'GET' ? options : [dryRun, ...options];
	const technical = [...(inOrder ? [] : [concurrency]), ...COMMON_OPTIONS];
	const property = { displayName: 'Options', name: 'options', placeholder: 'Add Option' };
	return collection(property, [...own, ...technical]);
}
