import type { INodePropertyOptions } from 'n8n-workflow';

import type { ParameterSortOrder } from '../../../contract/types';
import { partOfDomain } from '../../shared/parameters/addresses';
import { namesLike } from '../../shared/parameters/textList';
import {
	optionsByValue,
	collection,
	type Parameter,
	forNode,
	inQuery,
} from '../../shared/parameters/parameter';
import type { Operation, Details } from '../operation';
import { notice, STATUS_OPTIONS } from './common';
import { ifIncomplete } from './options';

/**
 * The "Get Many" operation of a list endpoint. The parameters in `details` follow the limit.
 * @param first the parameters above the limit, such as the choice of a list
 */
export const getMany = (
	first: Parameter[],
	details: Omit<Details<Operation>, 'options'>,
): Operation => ({
	value: 'getAll',
	name: 'Get Many',
	returns: 'list',
	...details,
	parameters: [
		...first,
		forNode({
			displayName: 'Return All',
			name: 'returnAll',
			type: 'boolean',
			default: false,
			description: 'Whether to return all results or only up to a given limit',
		}),
		forNode(
			{
				displayName: 'Limit',
				name: 'limit',
				type: 'number',
				typeOptions: { minValue: 1, numberPrecision: 0 },
				default: 50,
				description: 'Max number of results to return',
			},
			{ when: { returnAll: [false] } },
		),
		...details.parameters,
	],
	options: [ifIncomplete],
});

/**
 * The choice between the lists of an endpoint, or all of them.
 * @param all what "All" means
 * @param initial the choice of a new node
 * @param leftOut what this choice leaves out, which stands under it as long as it is chosen
 */
export function listType(
	description: string,
	all: string,
	lists: INodePropertyOptions[],
	initial: string,
	leftOut?: string,
): Parameter[] {
	const options = [{ name: 'All', value: 'all', description: all }, ...lists];
	const type = inQuery({
		displayName: 'Type',
		name: 'type',
		type: 'options',
		options,
		default: initial,
		description,
	});
	if (leftOut === undefined) return [type];
	return [type, { ...notice(leftOut), when: { type: [initial] } }];
}

export const domainFilter = (displayName: string, name: string, description: string) =>
	inQuery(
		{ displayName, name, placeholder: 'e.g. example.com', description },
		{ check: partOfDomain },
	);

export const statusFilter = inQuery(
	{
		displayName: 'Status',
		name: 'status',
		type: 'multiOptions',
		options: STATUS_OPTIONS,
		default: ['new'],
		description: 'Only return records with these statuses. Leave empty for all.',
	},
	{ check: namesLike(STATUS_OPTIONS) },
);

export function sort(keys: INodePropertyOptions[], defaultKey: string): Parameter {
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
			options: optionsByValue<ParameterSortOrder>({
				asc: { name: 'Ascending' },
				desc: { name: 'Descending' },
			}),
			default: 'desc',
			description: 'Direction to sort the results in',
		}),
	]);
}
