import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { ParameterSortOrder, TriageStatus } from '../../contract/types';
import type { Field } from '../shared/parameters/field';
import { choices, collection, forNode, inBody, inQuery } from '../shared/parameters/field';
import type { SearchListName } from './searchLists';
import { listNamed } from './searchLists';
import type { ItemInput, JoinedList, Operation } from './operation';
import { ifIncomplete } from './options';

/** Like {@link optionalLocator}, but required. */
export function recordLocator(
	displayName: string,
	name: string,
	searchListMethod?: SearchListName,
): INodeProperties {
	return { ...optionalLocator(displayName, name, searchListMethod), required: true };
}

/**
 * A parameter that identifies a record: from a list, by the URL of its page, or by its ID.
 * @param searchListMethod if missing, only the ID can be used, because the contract has no list of these records
 */
export function optionalLocator(
	displayName: string,
	name: string,
	searchListMethod?: SearchListName,
): INodeProperties {
	const noun = displayName.toLowerCase();
	const byUrl = searchListMethod && listNamed(searchListMethod).byUrl;
	const usual = searchListMethod ? 'list' : 'id';
	return {
		// Without a list there is only one mode, so the label must say what to enter
		displayName: searchListMethod ? displayName : `${displayName} ID`,
		name,
		type: 'resourceLocator',
		default: { mode: usual, value: '' },
		description: searchListMethod
			? `Choose the ${noun} from the list, or specify its ${byUrl ? 'URL or ID' : 'ID'}`
			: `ID of the ${noun} in the service`,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list' as const,
				placeholder: `Select ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}...`,
				typeOptions: { searchable: true, ...(searchListMethod && { searchListMethod }) },
			},
			{
				displayName: 'By URL',
				name: 'url',
				type: 'string' as const,
				placeholder: 'e.g. https://www.example.com/page',
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string' as const,
				placeholder: 'e.g. 8f14e45f-ceea-467f-a0e6-4c2b3f1a9d10',
			},
		].filter((mode) => mode.name === 'id' || (mode.name === 'url' ? byUrl : searchListMethod)),
	};
}

const returnAll = forNode({
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
});

const limit = forNode(
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		default: 50,
		description: 'Max number of results to return',
	},
	{ when: { returnAll: [false] } },
);

/** The "Get Many" operation of a list endpoint. Its own fields follow the limit. */
export function getMany(
	operation: Omit<Operation, 'value' | 'name' | 'method' | 'answer'>,
): Operation {
	return {
		value: 'getAll',
		name: 'Get Many',
		method: 'GET',
		answer: 'list',
		...operation,
		fields: [returnAll, limit, ...operation.fields],
		options: [ifIncomplete],
	};
}

/**
 * What the type "all" means. It is a choice of the node, and is never sent.
 * @param types in the order in which records usually move from one list to the next as users work on them
 * @returns a function that gives the lists to read; undefined unless "all" is selected
 */
export function joined(...types: string[]): (input: ItemInput) => JoinedList[] | undefined {
	const lists = types.map((type) => ({ query: { type }, mark: { listType: type } }));
	return ({ values }) => (values.type === 'all' ? lists : undefined);
}

/** A collection of filters. Each is sent under its own name, unless the node itself applies it. */
export const filters = (...fields: Field[]): Field =>
	collection({ displayName: 'Filters', name: 'filters', placeholder: 'Add Filter' }, fields);

/** A collection of optional values for a new record. */
export const additionalFields = (...fields: Field[]): Field =>
	collection(
		{ displayName: 'Additional Fields', name: 'additionalFields', placeholder: 'Add Field' },
		fields,
	);

/** The sort order of a list. Nothing is sent unless the user adds it. */
export function sort(keys: INodePropertyOptions[], defaultKey: string): Field {
	return collection({ displayName: 'Sort', name: 'sort', placeholder: 'Add Sort Option' }, [
		inQuery({
			displayName: 'Sort By',
			name: 'sortBy',
			type: 'options',
			options: keys,
			default: defaultKey,
			description: 'Field to sort the results by',
		}),
		inQuery({
			displayName: 'Sort Order',
			name: 'sortOrder',
			type: 'options',
			options: choices<ParameterSortOrder>({
				asc: { name: 'Ascending' },
				desc: { name: 'Descending' },
			}),
			default: 'desc',
			description: 'Direction to sort the results in',
		}),
	]);
}

/** Reduces the fields of records that have more than ten. */
export const simplify = forNode({
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

/** The states between which users move questions and forum opportunities (contract 3.2). */
export const STATUS_OPTIONS = choices<TriageStatus>({
	new: { name: 'New' },
	processed: { name: 'Processed' },
});

/** The state to which a user moves a question or a forum opportunity. */
export const newStatus = inBody({
	displayName: 'Status',
	name: 'status',
	type: 'options',
	options: STATUS_OPTIONS,
	default: 'processed',
	required: true,
	description:
		'Status to set: Processed for a record that has been dealt with, New to work on it again',
});

/** The states to list; all of them if none is selected. */
export const statusFilter = inQuery({
	displayName: 'Status',
	name: 'status',
	type: 'multiOptions',
	options: STATUS_OPTIONS,
	default: [],
	description: 'Statuses of the records to return. If empty, records of any status are returned.',
});

/**
 * The choice between the lists of an endpoint, or all of them together, which is a choice of the node.
 * @param all what "All" means
 */
export function listType(
	description: string,
	all: string,
	lists: INodePropertyOptions[],
	usual: string,
): Field {
	const options = [{ name: 'All', value: 'all', description: all }, ...lists];
	return inQuery(
		{ displayName: 'Type', name: 'type', type: 'options', options, default: usual, description },
		{ notSent: ['all'] },
	);
}
