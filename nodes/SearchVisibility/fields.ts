import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { SearchListName } from './methods/listSearch';
import type { Field, Operation } from './operation';
import { forNode, inQuery } from './operation';

/** A parameter that takes a record: from a list, or by its ID. */
export function recordLocator(
	displayName: string,
	name: string,
	searchListMethod: SearchListName,
	more: Partial<INodeProperties> = {},
): INodeProperties {
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		description: `Choose the ${displayName.toLowerCase()} from the list, or enter its ID`,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select a ${displayName.toLowerCase()}...`,
				typeOptions: { searchListMethod, searchable: true },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 8f14e45f-ceea-467f-a0e6-4c2b3f1a9d10',
			},
		],
		...more,
	};
}

const returnAll = forNode({
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
});

const limit: Field = forNode(
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		default: 50,
		description: 'Max number of results to return',
	},
	{ when: { returnAll: ['false'] } },
);

/** The "Get Many" operation of a list endpoint; its own fields stand after the limit. */
export function getMany(
	operation: Pick<Operation, 'action' | 'description' | 'path' | 'fields' | 'check'>,
): Operation {
	return {
		value: 'getAll',
		name: 'Get Many',
		method: 'GET',
		isList: true,
		...operation,
		fields: [returnAll, limit, ...operation.fields],
	};
}

/** A collection of filters, each sent under its own name. */
export function filters(...fields: Field[]): Field {
	return forNode(
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add Filter',
			default: {},
		},
		{ fields },
	);
}

/** The sort keys of a list; nothing is sent unless it is chosen. */
export function sort(keys: INodePropertyOptions[], defaultKey: string): Field {
	return forNode(
		{
			displayName: 'Sort',
			name: 'sort',
			type: 'collection',
			placeholder: 'Add Sort Option',
			default: {},
		},
		{
			fields: [
				inQuery({
					displayName: 'Sort By',
					name: 'sortBy',
					type: 'options',
					options: keys,
					default: defaultKey,
					description: 'What to sort the results by',
				}),
				inQuery({
					displayName: 'Sort Order',
					name: 'sortOrder',
					type: 'options',
					options: [
						{ name: 'Ascending', value: 'asc' },
						{ name: 'Descending', value: 'desc' },
					],
					default: 'desc',
					description: 'Whether the smallest or the largest value comes first',
				}),
			],
		},
	);
}

/** The states between which a person moves questions and forum opportunities (contract 3.2). */
export const STATUS_OPTIONS: INodePropertyOptions[] = [
	{ name: 'New', value: 'new' },
	{ name: 'Processed', value: 'processed' },
];
