import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { ParameterSortOrder, TriageStatus } from '../../contract/types';
import type { BodyField, Named, NodeField, QueryField } from '../shared/field';
import { choices, collection, forNode, inBody, inQuery } from '../shared/field';
import type { SearchListName } from './lists';
import { listNamed } from './lists';
import type { ItemInput, JoinedList, Operation } from './operation';

const LOCATOR: INodeProperties = {
	displayName: '',
	name: '',
	type: 'resourceLocator',
	default: { mode: 'id', value: '' },
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select...',
			typeOptions: { searchable: true },
		},
		{
			displayName: 'By URL',
			name: 'url',
			type: 'string',
			placeholder: 'e.g. https://www.example.com/page',
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 8f14e45f-ceea-467f-a0e6-4c2b3f1a9d10',
		},
	],
};

/** The same as {@link optionalLocator}, but required. */
export function recordLocator<const Name extends string>(
	displayName: string,
	name: Name,
	searchListMethod?: SearchListName,
): Named<Name> {
	return { ...optionalLocator(displayName, name, searchListMethod), required: true };
}

/**
 * A parameter that takes a record: from a list, by the URL of the page that it stands for, or by its ID.
 * @param searchListMethod without it there is only the ID, for records that the contract has no list of
 */
export function optionalLocator<const Name extends string>(
	displayName: string,
	name: Name,
	searchListMethod?: SearchListName,
): Named<Name> {
	const noun = displayName.toLowerCase();
	const byUrl = Boolean(searchListMethod && listNamed(searchListMethod).byUrl);
	const modes: Record<string, boolean> = { list: Boolean(searchListMethod), url: byUrl, id: true };
	const ways = byUrl ? 'its URL or ID' : 'its ID';
	return {
		...LOCATOR,
		// Without a list there is no choice of modes, so the label has to say what is wanted
		displayName: searchListMethod ? displayName : `${displayName} ID`,
		name,
		default: { mode: searchListMethod ? 'list' : 'id', value: '' },
		description: searchListMethod
			? `Choose the ${noun} from the list, or specify ${ways}`
			: `ID of the ${noun} in the service`,
		modes: (LOCATOR.modes ?? [])
			.filter(({ name: mode }) => modes[mode])
			.map((mode) => ({
				...mode,
				...(mode.name === 'list' &&
					searchListMethod && {
						placeholder: `Select ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}...`,
						typeOptions: { ...mode.typeOptions, searchListMethod },
					}),
			})),
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

/** The "Get Many" operation of a list endpoint; its own fields stand after the limit. */
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
	};
}

/**
 * What the type "all" stands for: a choice of the node's own, which is never sent.
 * @param types in the order in which records usually move from one list to the next when somebody works on them
 */
export function joined(...types: string[]): (input: ItemInput) => JoinedList[] | undefined {
	const lists = types.map((type) => ({ query: { type }, mark: { listType: type } }));
	return ({ values }) => (values.type === 'all' ? lists : undefined);
}

/** A collection of filters, each sent under its own name unless the node itself filters by it. */
export function filters<Query extends string>(
	...fields: Array<QueryField<Query> | NodeField<never, never>>
): NodeField<Query, never> {
	return collection<Query, never>(
		{ displayName: 'Filters', name: 'filters', placeholder: 'Add Filter' },
		fields,
	);
}

/** A collection of what need not be given to create a record. */
export function additionalFields<Body extends string>(
	...fields: Array<BodyField<Body>>
): NodeField<never, Body> {
	return collection<never, Body>(
		{ displayName: 'Additional Fields', name: 'additionalFields', placeholder: 'Add Field' },
		fields,
	);
}

/** The sort keys of a list; nothing is sent unless it is chosen. */
export function sort(
	keys: INodePropertyOptions[],
	defaultKey: string,
): NodeField<'sortBy' | 'sortOrder', never> {
	const sortBy = inQuery({
		displayName: 'Sort By',
		name: 'sortBy',
		type: 'options',
		options: keys,
		default: defaultKey,
		description: 'Field to sort the results by',
	});
	const sortOrder = inQuery({
		displayName: 'Sort Order',
		name: 'sortOrder',
		type: 'options',
		options: choices<ParameterSortOrder>({
			asc: { name: 'Ascending' },
			desc: { name: 'Descending' },
		}),
		default: 'desc',
		description: 'Direction to sort the results in',
	});
	return collection<'sortBy' | 'sortOrder', never>(
		{ displayName: 'Sort', name: 'sort', placeholder: 'Add Sort Option' },
		[sortBy, sortOrder],
	);
}

/** Fewer fields, where a record has more than ten. */
export const simplify = forNode({
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

/** The states between which a person moves questions and forum opportunities (contract 3.2). */
export const STATUS_OPTIONS = choices<TriageStatus>({
	new: { name: 'New' },
	processed: { name: 'Processed' },
});

/** The state that a person moves a question or a forum opportunity to. */
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

/** The states to list; without a choice, all. */
export const statusFilter = inQuery({
	displayName: 'Status',
	name: 'status',
	type: 'multiOptions',
	options: STATUS_OPTIONS,
	default: [],
	description: 'Statuses of the records to return. If empty, records of any status are returned.',
});

/** The choice of all lists together, before those of the contract. */
export function withAll(
	description: string,
	others: INodePropertyOptions[],
): INodePropertyOptions[] {
	return [{ name: 'All', value: 'all', description }, ...others];
}
