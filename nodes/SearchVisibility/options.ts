import type { IDataObject } from 'n8n-workflow';

import type { Field } from '../shared/parameters/field';
import { alphabetically, collection, forNode } from '../shared/parameters/field';
import { concurrency, maxRetries, timeout } from '../shared/parameters/requestOptions';
import {
	FORBIDDEN_KEYS,
	InvalidValue,
	isGiven,
	isObject,
	jsonBody,
	quote,
	text,
} from '../shared/parameters/values';
import type { Operation } from './operation';

/** Options that every operation has. */
const COMMON_OPTIONS: Field[] = [
	concurrency,
	maxRetries,
	forNode(
		{
			displayName: 'Query Parameters',
			name: 'queryParameters',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: 'Add Parameter',
			default: {},
			description: 'Query parameters to add to the request, for anything the node has no field for',
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
	timeout,
];

/**
 * Lists, and names that occur more than once, are joined with commas (contract section 4). What is empty is not sent.
 * @returns text by name
 */
function queryParameters(value: unknown): IDataObject | undefined {
	const query = new Map<string, string[]>();
	for (const { name, value: given } of pairsIn(value)) {
		if (!isGiven(name)) continue;
		const key = parameterName(name);
		const values = [given].flat().filter(isGiven);
		if (values.length > 0) query.set(key, [...(query.get(key) ?? []), ...values.map(asText)]);
	}
	return Object.fromEntries([...query].map(([name, values]) => [name, values.join(',')]));
}

function pairsIn(value: unknown): IDataObject[] {
	const pairs = isObject(value) ? value.parameters : undefined;
	return Array.isArray(pairs) ? pairs.filter(isObject) : [];
}

const asText = (value: unknown) => (typeof value === 'string' ? value : text(value));

function parameterName(name: unknown): string {
	if (!FORBIDDEN_KEYS.includes(asText(name))) return asText(name);
	throw new InvalidValue('has a name that is not allowed', `Got ${quote(name)}.`);
}

const dryRun: Field = forNode({
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: false,
	description:
		'Whether to change nothing and return the request that would be sent. Parameters are checked and records are looked up as usual.',
});

/** If the contract does not show the body, users can replace it. */
export const customBody: Field = forNode(
	{
		displayName: 'Custom Body',
		name: 'customBody',
		type: 'json',
		default: '',
		placeholder: 'e.g. { "field": "value" }',
		description:
			'JSON to send in place of the body the node builds from its parameters, if the service expects a different one',
	},
	{ check: jsonBody },
);

export const batchSize: Field = forNode({
	displayName: 'Batch Size',
	name: 'batchSize',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 1000, numberPrecision: 0 },
	default: 100,
	description:
		'Max number of keywords per request, across all items. The value of the first item applies to all items.',
});

export const ifExists: Field = forNode({
	displayName: 'If It Exists',
	name: 'ifExists',
	type: 'options',
	options: [
		{
			name: 'Fail',
			value: 'error',
			description: 'Throw an error',
		},
		{
			name: 'Return Existing',
			value: 'returnExisting',
			description: 'Return the existing record unchanged',
		},
	],
	default: 'error',
	description:
		'What to do if the service refuses to create a record because it already exists. With Return Existing, you can safely run a workflow more than once.',
});

export const ifIncomplete: Field = forNode({
	displayName: 'If Incomplete',
	name: 'ifIncomplete',
	type: 'options',
	options: [
		{
			name: 'Fail',
			value: 'error',
			description: 'Throw an error, so that a partial list is never mistaken for a complete one',
		},
		{
			name: 'Return What Was Found',
			value: 'return',
			description:
				'Return the records that were found, and show a hint with the number of missing ones',
		},
	],
	default: 'error',
	description:
		'What to do if the list cannot be read completely, for example because many records are equal in the sort order',
});

/** @returns all fields of an operation, ending with the "Options" collection that every operation has */
export function fieldsOf(operation: Operation): Field[] {
	return [...operation.fields, optionsOf(operation)];
}

function optionsOf({ method, options = [] }: Operation): Field {
	const more = method === 'GET' ? options : [...options, dryRun];
	const fields = [...COMMON_OPTIONS, ...more].sort((a, b) =>
		alphabetically(a.property.displayName, b.property.displayName),
	);
	return collection({ displayName: 'Options', name: 'options', placeholder: 'Add Option' }, fields);
}
