import {
	optionsByValue,
	collection,
	type Parameter,
	forNode,
} from '../../shared/parameters/parameter';
import { jsonBody } from '../../shared/parameters/values';
import type { Operation } from '../operation';

/** On as soon as it is added, because nobody adds Dry Run to leave it off. */
const dryRun = forNode({
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: true,
	absentDefault: false,
	description: 'Whether to show what would be done instead of doing it',
});

/** @returns the "Options" collection of an operation; no parameter if there are no options */
export function optionsOf({ method, options = [] }: Operation): Parameter[] {
	const all = method === 'GET' ? options : [dryRun, ...options];
	const property = { displayName: 'Options', name: 'options', placeholder: 'Add Option' };
	return all.length === 0 ? [] : [collection(property, all)];
}

export const ifIncomplete: Parameter = forNode({
	displayName: 'If Incomplete',
	name: 'ifIncomplete',
	type: 'options',
	options: optionsByValue({
		error: {
			name: 'Fail',
			description: 'Stop with an error instead of returning a partial list',
		},
		return: {
			name: 'Return What Was Found',
			description:
				'Return the records found so far and say in a hint how many are missing at least',
		},
	}),
	default: 'return',
	absentDefault: 'error',
	description: 'What to do if some records cannot be retrieved',
});

/** For operations whose body the contract does not show, or not in full. */
export const customBody: Parameter = forNode(
	{
		displayName: 'Custom Body',
		name: 'customBody',
		type: 'json',
		// Valid JSON, because the editor marks an empty field as an error
		default: 'null',
		description: 'JSON to send as the request body. While it is null, the node sends its own.',
	},
	{ check: (entered) => (String(entered).trim() === 'null' ? undefined : jsonBody(entered)) },
);

export const ifExists: Parameter = forNode({
	displayName: 'If It Exists',
	name: 'ifExists',
	type: 'options',
	options: optionsByValue({
		error: { name: 'Fail', description: 'Stop with an error' },
		returnExisting: {
			name: 'Return Existing',
			description: 'Return the existing record unchanged',
		},
	}),
	default: 'returnExisting',
	absentDefault: 'error',
	description:
		"What to do if the service rejects a new record because it already exists. With 'Return Existing', you can safely run a workflow more than once.",
});
