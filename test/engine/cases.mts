import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { expect } from 'vitest';

import type { Operation } from '../../nodes/SearchVisibility/operation.ts';
import type { LoggedRequest, Sandbox } from '../sandbox/sandbox.mts';
import { TABLE } from './table.mts';

type Sent = Partial<Pick<LoggedRequest, 'query' | 'body'>>;

/** One operation in use: what a user enters, what the service must receive, and what must come out. */
export interface OperationCase {
	resource: string;
	operation: string;
	/** Parameters of one input item; the IDs come from records in the sandbox */
	parameters: (sandbox: Sandbox) => INodeParameters;
	/** What the service receives at the end of the run; method and path come from the table */
	sends: (parameters: INodeParameters) => Pick<LoggedRequest, 'method' | 'path'> & Sent;
	/** Fields of the first output item */
	gives: (parameters: INodeParameters) => IDataObject;
	/** Whether a second run with the same parameters succeeds as well */
	repeatable?: boolean;
	/**
	 * How many requests it takes if the node composes the output; any other operation takes one request to one endpoint
	 */
	composedOf?: number;
}

type Defined = Omit<OperationCase, 'sends'> & { sends?: (parameters: INodeParameters) => Sent };

const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const idOf = (parameter: unknown) => (parameter as { value: string }).value;

type Kind = Parameters<Sandbox['state']['all']>[0];

/** @returns the ID of the first record of this kind that fits */
export function anId(sandbox: Sandbox, kind: Kind, fits: (record: never) => boolean = () => true) {
	for (const record of sandbox.state.each(kind)) if (fits(record as never)) return record.id;
	throw new Error(`The sandbox has no such ${kind}`);
}

const isActive = ({ archivedAt }: { archivedAt: string | null }) => !archivedAt;
const isArchived = ({ archivedAt }: { archivedAt: string | null }) => Boolean(archivedAt);

/** The operations that act on one record and get an answer without a body. */
function onRecord(
	resource: Kind,
	operation: string,
	fits: (record: never) => boolean,
	gives: IDataObject,
): Defined {
	const parameter = `${resource}Id`;
	return {
		resource,
		operation,
		parameters: (sandbox) => ({ [parameter]: byId(anId(sandbox, resource, fits)) }),
		gives: (parameters) => ({ id: idOf(parameters[parameter]), ...gives }),
	};
}

function list(
	resource: string,
	parameters: INodeParameters,
	query: IDataObject,
	gives: IDataObject,
): Defined {
	return {
		resource,
		operation: 'getAll',
		parameters: () => ({ returnAll: false, limit: 5, ...parameters }),
		sends: () => ({ query: { offset: '0', limit: '5', ...query } }),
		gives: () => gives,
		repeatable: true,
	};
}

/** Matches a value that the service chooses. */
const ANY = expect.anything();

const ARCHIVED = { archived: true };
const RESTORED = { archived: false };

const DEFINED: Defined[] = [
	{
		resource: 'workspace',
		operation: 'get',
		parameters: () => ({ simplify: true }),
		sends: () => ({ query: {} }),
		gives: () => ({ brandName: 'Northwind Tea', domain: 'www.northwind-tea.example' }),
		repeatable: true,
	},
	{
		resource: 'keyword',
		operation: 'create',
		parameters: () => ({ keywords: 'white peony, silver needle\nwhite peony' }),
		sends: () => ({
			body: { keywords: ['white peony', 'silver needle'] },
		}),
		gives: () => ({ submitted: 2, count: 2, skipped: 0 }),
		repeatable: true,
	},
	list(
		'keyword',
		{
			type: 'all',
			filters: { keyword: 'tea' },
			sort: { sortBy: 'searchVolume', sortOrder: 'asc' },
		},
		{ type: 'all', keyword: 'tea', sortBy: 'searchVolume', sortOrder: 'asc' },
		{ id: ANY },
	),
	onRecord('keyword', 'archive', isActive, ARCHIVED),
	onRecord('keyword', 'unarchive', isArchived, RESTORED),
	{
		resource: 'keyword',
		operation: 'getCluster',
		parameters: (sandbox) => ({ keywordId: byId(anId(sandbox, 'keyword', isActive)) }),
		gives: () => ({ keyword: ANY }),
		repeatable: true,
	},
	{
		resource: 'competitor',
		operation: 'create',
		parameters: () => ({ domain: 'https://www.new-rival.example/shop' }),
		sends: () => ({
			body: { domain: 'www.new-rival.example' },
		}),
		gives: () => ({ domain: 'www.new-rival.example' }),
	},
	list('competitor', { scope: 'all' }, { scope: 'all' }, { domain: ANY }),
	onRecord('competitor', 'delete', ({ state }: { state: string }) => state === 'tracked', {
		deleted: true,
	}),
	{
		resource: 'forumOpportunity',
		operation: 'create',
		parameters: (sandbox) => ({
			title: 'Which kettle?',
			url: 'https://forum.example/t/99',
			additionalFields: {
				competitorId: byId(
					anId(sandbox, 'competitor', ({ state }: { state: string }) => state === 'tracked'),
				),
			},
		}),
		sends: ({ additionalFields }) => ({
			body: {
				title: 'Which kettle?',
				url: 'https://forum.example/t/99',
				competitorId: idOf((additionalFields as IDataObject).competitorId),
			},
		}),
		gives: () => ({ title: 'Which kettle?', status: 'new' }),
		repeatable: true,
	},
	list(
		'forumOpportunity',
		{ filters: { status: ['new', 'processed'] } },
		{ status: 'new,processed' },
		{ url: ANY },
	),
	...triage('forumOpportunity', 'forumOpportunityId'),
	list(
		'question',
		{ filters: { status: ['new'] } },
		{ status: 'new' },
		{ question: ANY, status: 'new' },
	),
	...triage('question', 'questionId'),
	list(
		'backlink',
		{ type: 'competitors', filters: { domainFrom: '.example' }, sort: { sortBy: 'firstSeen' } },
		{ type: 'competitors', domainFrom: '.example', sortBy: 'firstSeen' },
		{ domainFrom: ANY },
	),
	onRecord('backlink', 'archive', isActive, ARCHIVED),
	onRecord('backlink', 'unarchive', isArchived, RESTORED),
	{
		resource: 'backlink',
		operation: 'update',
		parameters: (sandbox) => ({
			backlinkId: byId(anId(sandbox, 'backlink', isActive)),
			status: 'processed',
		}),
		sends: () => ({
			body: { status: 'processed' },
		}),
		gives: ({ backlinkId }) => ({ id: idOf(backlinkId), status: 'processed' }),
		repeatable: true,
	},
	{
		resource: 'category',
		operation: 'update',
		parameters: (sandbox) => ({ categoryId: byId(anId(sandbox, 'category')), name: 'Brewing' }),
		sends: () => ({
			body: { name: 'Brewing' },
		}),
		gives: ({ categoryId }) => ({ id: idOf(categoryId), name: 'Brewing' }),
		repeatable: true,
	},
	onRecord('category', 'delete', () => true, { deleted: true }),
	list(
		'citedPage',
		{
			type: 'new',
			filters: { domain: '.example', startDate: '2020-01-01T00:00:00', endDate: '2100-01-31' },
			sort: { sortBy: 'lastSeenAt', sortOrder: 'desc' },
		},
		{
			type: 'new',
			domain: '.example',
			startDate: '2020-01-01',
			endDate: '2100-01-31',
			sortBy: 'lastSeenAt',
			sortOrder: 'desc',
		},
		{ url: ANY, platforms: ANY },
	),
	{
		resource: 'citedPage',
		operation: 'summarize',
		parameters: () => ({
			period: 'custom',
			startDate: '2020-01-01',
			endDate: '2100-01-31T00:00:00',
			comparePrevious: true,
			filters: { domain: 'northwind', platforms: [] },
		}),
		// The second look at the last list but one
		sends: () => ({
			method: 'GET',
			path: '/v1/ai-visibility/citations',
			query: {
				type: 'processed',
				domain: 'northwind',
				startDate: '2020-01-01',
				endDate: '2100-01-31',
				offset: '0',
				limit: '1',
			},
		}),
		gives: () => ({
			...{ startDate: '2020-01-01', endDate: '2100-01-31', days: 29_251 },
			ownShare: 100,
		}),
		repeatable: true,
		// Three lists in two periods, and a second check of all but the last in each
		composedOf: 10,
	},
	{
		resource: 'action',
		operation: 'create',
		parameters: (sandbox) => ({
			type: 'write_article',
			title: 'White tea for beginners',
			simplify: true,
			additionalFields: {
				slug: 'white-tea',
				keywordIds: [anId(sandbox, 'keyword', isActive)],
				categoryId: byId(anId(sandbox, 'category')),
				description: 'Explain the leaves',
				shortDescription: '',
			},
		}),
		sends: ({ additionalFields }) => {
			const { keywordIds, categoryId } = additionalFields as IDataObject;
			return {
				body: {
					type: 'write_article',
					title: 'White tea for beginners',
					slug: 'white-tea',
					keywordIds,
					categoryId: idOf(categoryId),
					description: 'Explain the leaves',
				},
			};
		},
		gives: () => ({ type: 'write_article', title: 'White tea for beginners', status: 'new' }),
	},
	list(
		'action',
		{
			simplify: true,
			filters: { search: 'a', status: 'new, in_progress', types: ['write_article'] },
		},
		{ search: 'a', status: 'new,in_progress', types: 'write_article' },
		{ type: 'write_article' },
	),
	{
		resource: 'action',
		operation: 'generate',
		parameters: (sandbox) => ({
			actionId: byId(
				anId(
					sandbox,
					'action',
					({ type, status }: { type: string; status: string }) =>
						type === 'write_article' && status === 'new',
				),
			),
		}),
		gives: ({ actionId }) => ({ id: idOf(actionId) }),
	},
	{
		resource: 'indexing',
		operation: 'notify',
		parameters: () => ({
			url: 'https://www.northwind-tea.example/blog/white-tea',
			type: 'URL_UPDATED',
		}),
		sends: ({ url }) => ({
			body: { url, type: 'URL_UPDATED' },
		}),
		gives: () => ({ urlNotificationMetadata: ANY }),
		repeatable: true,
	},
	{
		resource: 'indexing',
		operation: 'inspect',
		parameters: () => ({ url: 'https://www.northwind-tea.example/blog/white-tea' }),
		sends: ({ url }) => ({ body: { url } }),
		gives: () => ({}),
		repeatable: true,
	},
	{
		resource: 'prompt',
		operation: 'unarchive',
		parameters: (sandbox) => ({ promptId: byId(anId(sandbox, 'prompt', isArchived)) }),
		gives: ({ promptId }) => ({ id: idOf(promptId), archived: false }),
		repeatable: true,
	},
];

/** Update and archive for records that users move between new and processed (contract 3.2). */
function triage(resource: 'question' | 'forumOpportunity', parameter: string) {
	const cases: Defined[] = [
		{
			resource,
			operation: 'update',
			parameters: (sandbox) => ({
				[parameter]: byId(anId(sandbox, resource, isActive)),
				status: 'processed',
			}),
			sends: () => ({
				body: { status: 'processed' },
			}),
			gives: (parameters) => ({ id: idOf(parameters[parameter]), status: 'processed' }),
			repeatable: true,
		},
		onRecord(resource, 'archive', isActive, ARCHIVED),
	];
	return cases;
}

export const CASES: OperationCase[] = DEFINED.map((defined) => {
	const { resource, operation, sends } = defined;
	const { method, path, fields } = TABLE.get(`${resource}.${operation}`) as Operation;
	const { name = '' } = fields.find(({ sendIn }) => sendIn === 'path')?.property ?? {};
	return {
		...defined,
		sends: (parameters) => ({
			method,
			path: path.replace('{id}', () => idOf(parameters[name])),
			...sends?.(parameters),
		}),
	};
});
