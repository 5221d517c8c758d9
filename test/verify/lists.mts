import { EVENTS } from '../../nodes/SearchVisibilityTrigger/events.ts';
import {
	contract,
	operationsOf,
	resolved,
	type DescribedOperation,
	type Parameter,
	type Schema,
} from '../contract/document.mts';
import { defined } from '../defined.mts';
import { TABLE } from '../engine/table.mts';
import { ASSUMED, ruleOf } from './findings.mts';

/** A filter of a list. */
export interface Filter {
	name: string;
	/** The fields of a record that it is about */
	fields: string[];
	/** Tried one by one; without them, an ID or a part of a text comes from a record */
	values: string[];
	/** The assumption about upper and lower case */
	caseRule: string;
}

/** A list of the service, from the contract. */
export type ListSpec = ReturnType<typeof specOf>;

/** What a list is sorted by, where that is neither its default sort key nor the time of creation. */
const ORDERS: Record<string, string> = { citedPage: 'citations', action: 'position' };

/** Values that do not come from an enumeration, or would be many. */
const VALUES: Record<string, string[]> = {
	'action.status': ['new', 'in_progress'],
	'action.types': ['write_article'],
};

const FIELDS: Record<string, string[]> = { search: ['title', 'description'], types: ['type'] };

const NO_FILTERS = ['offset', 'limit', 'sortBy', 'sortOrder', 'startDate', 'endDate'];

function specOf(path: string, operation: DescribedOperation) {
	const section = defined(operation['x-section']);
	const parameters = (operation.parameters ?? []).map((one) => resolved<Parameter>(contract, one));
	const named = (name: string) => parameters.find((one) => one.name === name)?.schema;
	const readers = [...TABLE].filter(([, one]) => one.path === path && one.method === 'GET');
	const getAll = defined(readers.find(([, { compose }]) => !compose))[0];
	const name = defined(getAll.split('.')[0]);
	const events = Object.entries(EVENTS).filter(([, event]) => event.path === path);
	const selector = ['type', 'scope'].find(named);
	const { enum: choices = [], default: usual } = named(selector ?? '') ?? {};
	const { enum: sortKeys = [], default: sortKey } = named('sortBy') ?? {};
	const field = ORDERS[name] ?? String(sortKey ?? 'createdAt');
	const assumedOrder = [...ASSUMED.keys()].find((one) => one.startsWith(`${section}: the order`));
	const filters = parameters
		.filter((one) => one.name !== selector && !NO_FILTERS.includes(one.name))
		.map(({ name: filter, schema }): Filter => {
			const items = resolved<Schema>(contract, schema.items ?? {});
			const assumed = ruleOf(schema['x-assumed'] ?? '');
			return {
				name: filter,
				fields: FIELDS[filter] ?? [filter],
				values: VALUES[`${name}.${filter}`] ?? items.enum ?? [],
				caseRule: assumed.includes('case-sensitive') ? assumed : '',
			};
		});
	return {
		/** The resource of the node */
		name,
		path,
		section,
		/** The operation that reads it, and what else in the node and in the trigger does */
		getAll,
		operations: [...readers.map(([one]) => one), ...events.map(([one]) => `trigger.${one}`)],
		/** The parameter that selects one of several lists, its values and its default */
		...{ selector, choices, usual: String(usual ?? '') },
		sortKeys,
		filters,
		/** What it is sorted by unless asked, highest first */
		order: {
			field,
			isAscending: name === 'action',
			rule: assumedOrder ?? `${section}: the list at ${path} comes by ${field} unless asked`,
		},
	};
}

export const LISTS: ListSpec[] = operationsOf(contract)
	// A list within a record is none that can be read without knowing the record
	.filter(([name, { operationId }]) => operationId.startsWith('list') && !name.includes('{id}'))
	.map(([name, operation]) => specOf(name.replace('GET ', ''), operation));
