import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { expect } from 'vitest';

import { defined } from '../defined.mts';
import type { LoggedRequest, Sandbox } from '../sandbox/sandbox.mts';
import { TABLE } from './table.mts';

/** One operation in use: what a user enters, what the service must receive, and what must come out. */
export interface OperationCase {
	resource: string;
	operation: string;
	/** Parameters of one input item; the IDs come from records in the sandbox */
	parameters: (sandbox: Sandbox) => INodeParameters;
	/** What the service receives at the end of the run */
	sends: (parameters: INodeParameters) => Sent & Pick<LoggedRequest, 'method' | 'path'>;
	/** Fields of the first output item */
	gives: (parameters: INodeParameters) => IDataObject;
	/**
	 * How many requests it takes if the node composes the output; any other operation takes one request to one endpoint
	 */
	composedOf?: number | undefined;
}

type Sent = Partial<Pick<LoggedRequest, 'path' | 'query' | 'body'>>;

/** Method, path and the ID of a record are added. */
interface Definition {
	parameters: (sandbox: Sandbox) => INodeParameters;
	sends?: Sent | ((parameters: INodeParameters) => Sent);
	gives: IDataObject;
	composedOf?: number;
}

const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const idOf = (parameter: unknown) => (parameter as { value: string }).value;

type Kind = Parameters<Sandbox['state']['all']>[0];

/** @returns the ID of the first record of this kind that fits */
export function anId(sandbox: Sandbox, kind: Kind, fits: (record: never) => boolean = () => true) {
	for (const record of sandbox.state.each(kind)) if (fits(record as never)) return record.id;
	throw new Error(`The sandbox has no such ${kind}`);
}

interface Archivable {
	archivedAt: string | null;
}
const isActive = ({ archivedAt }: Archivable) => !archivedAt;
const isArchived = ({ archivedAt }: Archivable) => Boolean(archivedAt);
const isTracked = ({ state }: { state: string }) => state === 'tracked';
const isPlanned = ({ type, status }: { type: string; status: string }) =>
	type === 'write_article' && status === 'new';

/** An operation on the first record that fits; `entered` is in the body, and comes out. */
const acting = (
	kind: Kind,
	fits: (record: never) => boolean,
	gives: IDataObject,
	entered?: IDataObject,
): Definition => ({
	parameters: (sandbox) =>
		({ [`${kind}Id`]: byId(anId(sandbox, kind, fits)), ...entered }) as INodeParameters,
	...(entered && { sends: { body: entered } }),
	gives: { ...gives, ...entered },
});

const list = (parameters: INodeParameters, query: IDataObject, gives: IDataObject): Definition => ({
	parameters: () => ({ returnAll: false, limit: 5, ...parameters }),
	sends: { query: { offset: '0', limit: '5', ...query } },
	gives,
});

/** Matches a value that the service chooses. */
const ANY = expect.anything();
const ARCHIVED = { archived: true };
const RESTORED = { archived: false };
const PROCESSED = { status: 'processed' };
const THREAD = { title: 'Which kettle?', url: 'https://forum.example/t/99' };
const ARTICLE = { type: 'write_article', title: 'White tea for beginners' };
const DETAILS = { slug: 'white-tea', description: 'Explain the leaves' };
const OWN_PAGE = { url: 'https://www.northwind-tea.example/blog/white-tea' };
const PERIOD = { startDate: '2020-01-01', endDate: '2100-01-31' };
const SORTED_KEYWORDS = { sortBy: 'searchVolume', sortOrder: 'asc' };
const SORTED_PAGES = { sortBy: 'lastSeenAt', sortOrder: 'desc' };

const DEFINED: Record<string, Definition> = {
	'workspace.get': {
		parameters: () => ({ simplify: true }),
		sends: { query: {} },
		gives: { brandName: 'Northwind Tea', domain: 'www.northwind-tea.example' },
	},
	'keyword.create': {
		parameters: () => ({ keywords: 'white peony, silver needle\nwhite peony' }),
		sends: { body: { keywords: ['white peony', 'silver needle'] } },
		gives: { submitted: 2, count: 2, skipped: 0 },
	},
	'keyword.getAll': list(
		{ type: 'all', filters: { keyword: 'tea' }, sort: SORTED_KEYWORDS },
		{ type: 'all', keyword: 'tea', ...SORTED_KEYWORDS },
		{ id: ANY },
	),
	'keyword.archive': acting('keyword', isActive, ARCHIVED),
	'keyword.unarchive': acting('keyword', isArchived, RESTORED),
	'keyword.getCluster': acting('keyword', isActive, { keyword: ANY }),
	'competitor.create': {
		parameters: () => ({ domain: 'https://www.new-rival.example/shop' }),
		sends: { body: { domain: 'www.new-rival.example' } },
		gives: { domain: 'www.new-rival.example' },
	},
	'competitor.getAll': list({ scope: 'all' }, { scope: 'all' }, { domain: ANY }),
	'competitor.delete': acting('competitor', isTracked, { deleted: true }),
	'forumOpportunity.create': {
		parameters: (sandbox) => ({
			...THREAD,
			additionalFields: { competitorId: byId(anId(sandbox, 'competitor', isTracked)) },
		}),
		sends: ({ additionalFields }) => ({
			body: { ...THREAD, competitorId: idOf((additionalFields as IDataObject).competitorId) },
		}),
		gives: { title: 'Which kettle?', status: 'new' },
	},
	'forumOpportunity.getAll': list(
		{ filters: { status: ['new', 'processed'] } },
		{ status: 'new,processed' },
		{ url: ANY },
	),
	'forumOpportunity.update': acting('forumOpportunity', isActive, {}, PROCESSED),
	'forumOpportunity.archive': acting('forumOpportunity', isActive, ARCHIVED),
	'question.getAll': list(
		{ filters: { status: ['new'] } },
		{ status: 'new' },
		{ question: ANY, status: 'new' },
	),
	'question.update': acting('question', isActive, {}, PROCESSED),
	'question.archive': acting('question', isActive, ARCHIVED),
	'backlink.getAll': list(
		{ type: 'competitors', filters: { domainFrom: '.example' }, sort: { sortBy: 'firstSeen' } },
		{ type: 'competitors', domainFrom: '.example', sortBy: 'firstSeen' },
		{ domainFrom: ANY },
	),
	'backlink.archive': acting('backlink', isActive, ARCHIVED),
	'backlink.unarchive': acting('backlink', isArchived, RESTORED),
	'backlink.update': acting('backlink', isActive, {}, PROCESSED),
	'category.update': acting('category', () => true, {}, { name: 'Brewing' }),
	'category.delete': acting('category', () => true, { deleted: true }),
	'citedPage.getAll': list(
		{
			type: 'new',
			filters: { domain: '.example', ...PERIOD, startDate: '2020-01-01T00:00:00' },
			sort: SORTED_PAGES,
		},
		{ type: 'new', domain: '.example', ...PERIOD, ...SORTED_PAGES },
		{ url: ANY, platforms: ANY },
	),
	'citedPage.summarize': {
		parameters: () => ({
			...{ period: 'custom', ...PERIOD, endDate: '2100-01-31T00:00:00', comparePrevious: true },
			filters: { domain: 'northwind', platforms: [] },
		}),
		sends: {
			path: '/v1/ai-visibility/citations',
			// The period before is read last
			query: {
				...{ type: 'archived', domain: 'northwind', offset: '0', limit: '100' },
				...{ startDate: '1939-12-01', endDate: '2019-12-31' },
			},
		},
		gives: { ...PERIOD, days: 29_251, ownShare: 100 },
		// Three lists in two periods
		composedOf: 6,
	},
	'action.create': {
		parameters: (sandbox) => ({
			...{ ...ARTICLE, simplify: true },
			additionalFields: {
				...{ ...DETAILS, shortDescription: '' },
				keywordIds: [anId(sandbox, 'keyword', isActive)],
				categoryId: byId(anId(sandbox, 'category')),
			},
		}),
		sends: ({ additionalFields }) => {
			const { keywordIds, categoryId } = additionalFields as IDataObject;
			return { body: { ...ARTICLE, ...DETAILS, keywordIds, categoryId: idOf(categoryId) } };
		},
		gives: { ...ARTICLE, status: 'new' },
	},
	'action.getAll': list(
		{
			simplify: true,
			filters: { search: 'a', status: 'new, in_progress', types: ['write_article'] },
		},
		{ search: 'a', status: 'new,in_progress', types: 'write_article' },
		{ type: 'write_article' },
	),
	'action.generate': acting('action', isPlanned, {}),
	'indexing.notify': {
		parameters: () => ({ ...OWN_PAGE, type: 'URL_UPDATED' }),
		sends: { body: { ...OWN_PAGE, type: 'URL_UPDATED' } },
		gives: { ...OWN_PAGE, type: 'URL_UPDATED', received: true, urlNotificationMetadata: ANY },
	},
	'indexing.inspect': { parameters: () => OWN_PAGE, sends: { body: OWN_PAGE }, gives: {} },
	'prompt.unarchive': acting('prompt', isArchived, RESTORED),
};

export const CASES = Object.entries(DEFINED).map(
	([name, { parameters, sends = {}, gives, composedOf }]): OperationCase => {
		const [resource = '', operation = ''] = name.split('.');
		const { method, path, fields } = defined(TABLE.get(name));
		const { name: key } = fields.find(({ sendIn }) => sendIn === 'path')?.property ?? {};
		return {
			...{ resource, operation, parameters, composedOf },
			sends: (given) => ({
				...{ method, path: key ? path.replace('{id}', () => idOf(given[key])) : path },
				...(typeof sends === 'function' ? sends(given) : sends),
			}),
			gives: (given) => ({ ...(key && method !== 'GET' && { id: idOf(given[key]) }), ...gives }),
		};
	},
);
