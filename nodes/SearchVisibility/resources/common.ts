import type {
	IDataObject,
	IHttpRequestMethods,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { TriageStatus } from '../../../contract/types';
import { absoluteUrl } from '../../shared/parameters/addresses';
import { choices, collection, type Field, forNode, inBody } from '../../shared/parameters/field';
import { textList } from '../../shared/parameters/textList';
import type { Operation, Details, ItemInput } from '../operation';
import { SEARCH_LISTS, type SearchListName } from '../serviceLists';

/* What several resources share: operations that differ only in their record, and parameters. */

/** @param after what the operation makes true of the record, for the output if the response is empty */
const operationKind =
	(value: string, name: string, method: IHttpRequestMethods, after?: IDataObject) =>
	(details: Details<Operation>): Operation => ({
		...{ value, name, method },
		...(after
			? { returns: 'nothing', result: (response) => response ?? after }
			: { returns: 'record' }),
		...(after && { hint: `Returns the ID and ${JSON.stringify(after)}.` }),
		...details,
	});

export const createOperation = operationKind('create', 'Create', 'POST');
export const updateOperation = operationKind('update', 'Update', 'PATCH');
export const archiveOperation = operationKind('archive', 'Archive', 'DELETE', { archived: true });
export const unarchiveOperation = operationKind('unarchive', 'Unarchive', 'PATCH', {
	archived: false,
});
export const deleteOperation = operationKind('delete', 'Delete', 'DELETE', { deleted: true });

/** The sentences of an operation that moves a record between new and processed (contract 3.2 and 3.3). */
export const marking = (noun: string) => ({
	action: `Mark ${noun} as processed or new`,
	description: `Mark a ${noun} as processed, or set it back to new`,
	wouldDo: ({ id, values }: ItemInput) => `Mark ${noun} ${id} as ${String(values.status)}`,
});

/** What to know before an operation is used, shown above its fields. */
export const notice = (displayName: string) =>
	forNode({ displayName, name: 'notice', type: 'notice', default: '' });

/** Like {@link optionalLocator}, but required. */
export const recordLocator = (...record: Parameters<typeof optionalLocator>): INodeProperties => ({
	...optionalLocator(...record),
	required: true,
});

/**
 * A parameter that identifies a record: from a list, by its URL where the list allows that, or by its ID.
 * @param searchListMethod if missing, only the ID can be used, because the contract has no list of these records
 */
export function optionalLocator(
	displayName: string,
	name: string,
	searchListMethod?: SearchListName,
): INodeProperties {
	const noun = displayName.toLowerCase();
	const byUrl = searchListMethod && SEARCH_LISTS[searchListMethod].byUrl;
	const usual = searchListMethod ? 'list' : 'id';
	return {
		// Without a list there is only one mode, so the label must say what to enter
		displayName: searchListMethod ? displayName : `${displayName} ID`,
		name,
		type: 'resourceLocator',
		default: { mode: usual, value: '' },
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
		].filter(({ name: mode }) => mode === 'id' || (mode === 'url' ? byUrl : searchListMethod)),
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

/** The types of fields that have n8n's button to let the model fill them in. */
const FOR_MODELS = ['string', 'number', 'dateTime'];

/**
 * A collection of optional values. A tool opens with those that a model can fill in, unless they apply only sometimes;
 * people add what they need.
 */
function openInTools(
	property: Omit<INodeProperties, 'type' | 'default'>,
	fields: Field[],
): Field[] {
	const open = fields.filter(({ property: { type }, when }) => !when && FOR_MODELS.includes(type));
	const usual = Object.fromEntries(
		open.map(({ property: { name }, unlessAdded }) => [name, unlessAdded]),
	);
	const forPeople = collection(property, fields);
	const forTools = { ...forPeople, property: { ...forPeople.property, default: usual } };
	if (open.length === 0) return [forPeople];
	return [
		{ ...forPeople, when: { '@tool': [false] } },
		{ ...forTools, when: { '@tool': [true] } },
	];
}

export const additionalFields = (...fields: Field[]): Field[] =>
	openInTools(
		{ displayName: 'Additional Fields', name: 'additionalFields', placeholder: 'Add Field' },
		fields,
	);

/** Filters of a list. Each is sent under its own name, unless the node itself applies it. */
export const filters = (...fields: Field[]): Field[] =>
	openInTools({ displayName: 'Filters', name: 'filters', placeholder: 'Add Filter' }, fields);

const RAW = { name: 'Raw', description: 'All fields' };
const SELECTED = { name: 'Selected Fields', description: 'The ID and the fields that you name' };

/** n8n's choice of an output for AI tools, which makes the answers that a model reads shorter. */
const toolOutput = (options: INodePropertyOptions[], usual: string): Field[] => [
	forNode(
		{
			displayName: 'Output',
			name: 'output',
			type: 'options',
			options,
			default: usual,
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
		{ when: { '@tool': [true], output: ['selected'] }, check: (value) => textList(value) },
	),
];

/** For records whose fields are all needed, or not known. */
export const selectableFields = toolOutput(choices({ raw: RAW, selected: SELECTED }), 'raw');

/** Reduces the fields of records that have more than ten: a switch, or as an AI tool, a choice. */
export const outputFields = [
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
		choices({
			raw: RAW,
			selected: SELECTED,
			simplified: { name: 'Simplified', description: 'The fields that matter most' },
		}),
		'simplified',
	),
];

/** The states between which users move questions, forum opportunities, and backlinks (contract 3.2 and 3.3). */
export const STATUS_OPTIONS = choices<TriageStatus>({
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
