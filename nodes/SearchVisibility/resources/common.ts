import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { TriageStatus } from '../../../contract/types';
import { absoluteUrl } from '../../shared/parameters/addresses';
import {
	optionsByValue,
	collection,
	type Parameter,
	forNode,
	inBody,
} from '../../shared/parameters/parameter';
import { textList } from '../../shared/parameters/textList';
import type { Operation, Details, ItemInput } from '../operation';
import { SEARCH_LISTS, type SearchListName } from '../serviceLists';

/** An operation that returns the record. */
const returningRecord =
	(value: string, name: string) =>
	(details: Details<Operation>): Operation => ({
		value,
		name,
		returns: 'record',
		...details,
	});

/** @param after what the output says of the record, because the response is empty, such as { archived: true } */
const returningNothing =
	(value: string, name: string, after: IDataObject) =>
	(details: Details<Operation>): Operation => ({
		value,
		name,
		returns: 'nothing',
		toOutput: (response) => response ?? after,
		builderHint: `Returns the ID and ${JSON.stringify(after)}.`,
		...details,
	});

export const createOperation = returningRecord('create', 'Create');
export const updateOperation = returningRecord('update', 'Update');
export const archiveOperation = returningNothing('archive', 'Archive', { archived: true });
export const unarchiveOperation = returningNothing('unarchive', 'Unarchive', { archived: false });
export const deleteOperation = returningNothing('delete', 'Delete', { deleted: true });

/** The texts of operations that mark a record as processed or new (contract 3.2 and 3.3). */
export const marking = (noun: string) => ({
	action: `Mark ${noun} as processed or new`,
	description: `Mark a ${noun} as processed, or set it back to new`,
	wouldDo: ({ id, values }: ItemInput) => `Mark ${noun} ${id} as ${String(values.status)}`,
});

export const notice = (displayName: string) =>
	forNode({ displayName, name: 'notice', type: 'notice', default: '' });

export const recordLocator = (...record: Parameters<typeof optionalLocator>): INodeProperties => ({
	...optionalLocator(...record),
	required: true,
});

/**
 * A parameter that identifies a record: from a list, by ID, or by URL if the list has `byUrl`.
 * @param searchListMethod if missing, only the ID can be used, because the contract has no list of these records
 */
export function optionalLocator(
	displayName: string,
	name: string,
	searchListMethod?: SearchListName,
): INodeProperties {
	const noun = displayName.toLowerCase();
	const byUrl = searchListMethod && SEARCH_LISTS[searchListMethod].byUrl;
	const initialMode = searchListMethod ? 'list' : 'id';
	const isOffered: Record<string, boolean> = {
		list: searchListMethod !== undefined,
		url: byUrl === true,
		id: true,
	};
	return {
		// Without a list there is only one mode, so the label must say what to enter
		displayName: searchListMethod ? displayName : `${displayName} ID`,
		name,
		type: 'resourceLocator',
		default: { mode: initialMode, value: '' },
		description: searchListMethod
			? `Choose the ${noun} from the list, or specify its ${byUrl ? 'URL or ID' : 'ID'}`
			: `ID of the ${noun}, from the dashboard of the service or an earlier node. There is no list to choose from.`,
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
		].filter(({ name: mode }) => isOffered[mode]),
	};
}

export const pageUrl = (
	description: string,
	placeholder = 'e.g. https://www.example.com/blog/new-post',
) =>
	inBody(
		{
			displayName: 'URL',
			name: 'url',
			required: true,
			placeholder,
			description,
		},
		{ check: absoluteUrl },
	);

/** Only for these types, n8n has a button with which the model fills in a parameter. */
const FOR_MODELS = ['string', 'number', 'dateTime'];

/** A collection to which people add parameters. A tool opens with all that a model can fill in, except those with `when`. */
function openInTools(
	property: Omit<INodeProperties, 'type' | 'default'>,
	parameters: Parameter[],
): Parameter[] {
	const open = parameters.filter(
		({ property: { type }, when }) => !when && FOR_MODELS.includes(type),
	);
	const initialValues = Object.fromEntries(
		open.map(({ property: { name }, absentDefault }) => [name, absentDefault]),
	);
	const forPeople = collection(property, parameters);
	const forTools = { ...forPeople, property: { ...forPeople.property, default: initialValues } };
	if (open.length === 0) return [forPeople];
	return [
		{ ...forPeople, when: { '@tool': [false] } },
		{ ...forTools, when: { '@tool': [true] } },
	];
}

export const additionalFields = (...parameters: Parameter[]): Parameter[] =>
	openInTools(
		{ displayName: 'Additional Fields', name: 'additionalFields', placeholder: 'Add Field' },
		parameters,
	);

export const filters = (...parameters: Parameter[]): Parameter[] =>
	openInTools({ displayName: 'Filters', name: 'filters', placeholder: 'Add Filter' }, parameters);

const RAW = { name: 'Raw', description: 'All fields' };
const SELECTED = { name: 'Selected Fields', description: 'The ID and the fields that you name' };

/** What n8n's own nodes offer in AI tools: with fewer fields, a model has less to read. */
const toolOutput = (options: INodePropertyOptions[], initial: string): Parameter[] => [
	forNode(
		{
			displayName: 'Output',
			name: 'output',
			type: 'options',
			options,
			default: initial,
			description: 'Which fields to return to the agent',
		},
		{ when: { '@tool': [true] } },
	),
	forNode(
		{
			displayName: 'Fields',
			name: 'fields',
			required: true,
			placeholder: 'e.g. title, status',
			description: 'Names of the fields to return, separated by commas, as in the raw data',
		},
		{ when: { '@tool': [true], output: ['selected'] }, check: (entered) => textList(entered) },
	),
];

/** For records whose fields are all needed, or are not in the contract. */
export const selectableOutput = toolOutput(optionsByValue({ raw: RAW, selected: SELECTED }), 'raw');

/** For records with more than ten fields: a switch, or in an AI tool, a choice. */
export const outputParameters = [
	forNode(
		{
			displayName: 'Simplify',
			name: 'simplify',
			type: 'boolean',
			default: true,
			description: 'Whether to return a simplified version of the response instead of the raw data',
		},
		{ when: { '@tool': [false] } },
	),
	...toolOutput(
		optionsByValue({
			raw: RAW,
			selected: SELECTED,
			simplified: { name: 'Simplified', description: 'The fields that matter most' },
		}),
		'simplified',
	),
];

/** Contract 3.2 and 3.3. */
export const STATUS_OPTIONS = optionsByValue<TriageStatus>({
	new: { name: 'New' },
	processed: { name: 'Processed' },
});

export const statusToSet = inBody({
	displayName: 'Status',
	name: 'status',
	type: 'options',
	options: STATUS_OPTIONS,
	default: 'processed',
	required: true,
	description:
		"Status to set: 'Processed' when it is done, or 'New' to put it back on the to-do list",
});
