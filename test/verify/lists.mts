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
import type { Json } from './records.mts';

/** The lists of the service, from the contract. */
export interface ListSpec {
	/** The resource of the node */
	name: string;
	path: string;
	section: string;
	/** The name of the schema of a record */
	schema: string;
	/** The parameter that selects one of several lists, its values and its default */
	selector?: { name: string; values: string[]; usual: string };
	sortKeys: string[];
	/** What the list is sorted by unless asked, highest first */
	order: { field: string; isAscending?: true; rule: string };
	/** The operation that reads it */
	getAll: string;
	/** The operations of the node and the events of the trigger that read it */
	operations: string[];
}

const ORDERS: Record<string, ListSpec['order']> = {
	keyword: { field: 'compositeScore', rule: '4.2: keywords come by compositeScore, highest first' },
	competitor: { field: 'createdAt', rule: '4.3: tracked competitors come newest first' },
	forumOpportunity: { field: 'createdAt', rule: '4.4: the order of forum opportunities' },
	question: { field: 'createdAt', rule: '4.5: the order of questions' },
	backlink: {
		field: 'domainFromRank',
		rule: '4.6: backlinks come by domainFromRank, highest first',
	},
	citedPage: { field: 'citations', rule: '4.8: cited pages come most cited first' },
	action: { field: 'position', isAscending: true, rule: '2.9: actions come by position' },
};

function specOf(path: string, operation: DescribedOperation): ListSpec {
	const parameters = (operation.parameters ?? []).map((one) => resolved<Parameter>(contract, one));
	const schemaOf = (name: string) => parameters.find((one) => one.name === name)?.schema;
	const [table = ''] =
		[...TABLE].find(([, one]) => one.path === path && one.returns === 'list') ?? [];
	const [name = ''] = table.split('.');
	const content = (operation.responses[200] as { content: Record<string, { schema: Schema }> })
		.content;
	const page = resolved<Schema>(contract, defined(content['application/json']).schema);
	const items = defined(page.properties?.data?.properties?.items?.items?.$ref);
	const selector = ['type', 'scope'].find((one) => schemaOf(one));
	const { enum: values = [], default: usual } = schemaOf(selector ?? '') ?? {};
	const events = Object.entries(EVENTS).filter(([, event]) => event.path === path);
	const composed = [...TABLE].filter(([, one]) => one.path === path && one.compose);
	return {
		name,
		path,
		section: defined(operation['x-section']),
		schema: items.split('/').pop() ?? '',
		...(selector && { selector: { name: selector, values, usual: String(usual) } }),
		sortKeys: schemaOf('sortBy')?.enum ?? [],
		order: defined(ORDERS[name]),
		getAll: table,
		operations: [
			table,
			...composed.map(([one]) => one),
			...events.map(([event]) => `trigger.${event}`),
		],
	};
}

export const LISTS: ListSpec[] = operationsOf(contract)
	.filter(([, { operationId }]) => operationId.startsWith('list'))
	.map(([name, operation]) => specOf(name.replace('GET ', ''), operation));

/** A filter of a list; `values` are tried one by one, IDs and parts of texts come from records. */
export interface Filter {
	rule: string;
	list: string;
	name: string;
	/** The fields of a record that it is about */
	fields: string[];
	values?: string[];
	/** The list where it applies, if it does not in all */
	within?: Json;
	/** The assumption about upper and lower case */
	caseRule?: string;
}

const filter = (list: string, name: string, more: Partial<Filter> = {}): Filter => {
	const { section, path } = defined(LISTS.find((one) => one.name === list));
	const rule = `${section}: the filter ${name} of ${path}`;
	return { rule, list, name, fields: [name], ...more };
};

const TRIAGE = ['new', 'processed'];

export const FILTERS: Filter[] = [
	filter('keyword', 'keyword', {
		caseRule: '4.2: whether the search for keywords is case-sensitive',
	}),
	filter('keyword', 'competitorId'),
	filter('forumOpportunity', 'status', { values: TRIAGE }),
	filter('forumOpportunity', 'competitorId'),
	filter('question', 'status', { values: TRIAGE }),
	filter('backlink', 'domainFrom', {
		caseRule: '4.6: whether the filter domainFrom is case-sensitive',
	}),
	filter('backlink', 'competitorId', { within: { type: 'competitors' } }),
	filter('citedPage', 'domain'),
	filter('action', 'search', {
		fields: ['title', 'description'],
		caseRule: '4.9: whether the search for actions is case-sensitive',
	}),
	filter('action', 'types', { fields: ['type'], values: ['write_article'] }),
	filter('action', 'status', { values: ['new', 'in_progress'] }),
];
