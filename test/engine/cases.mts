import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { expect } from 'vitest';

import { defined } from '../defined.mts';
import type { LoggedRequest } from '../sandbox/sandbox.mts';
import { recordParameter, TABLE } from './table.mts';

/** One operation in use. Method, path and the ID of a record are added. */
interface Definition {
	/** The ID of the record that the operation acts on */
	on?: string;
	/** What a user enters */
	parameters?: INodeParameters;
	/** What the service receives at the end of the run */
	sends?: Partial<Pick<LoggedRequest, 'method' | 'path' | 'query' | 'body'>>;
	/** Fields of the first output item */
	gives: IDataObject;
	/** How many requests it takes: one to one endpoint, unless the node composes the output */
	composedOf?: number;
}

/** Records that the sandbox begins with. */
export const KEYWORD = 'kw_0001';
const BACKLINK = 'bl_0002';
const QUESTION = 'paa_0001';
const THREAD_FOUND = 'fo_0001';
const CATEGORY = 'cat_0001';
export const COMPETITOR = 'c0000000-0000-4000-8000-000000000001';

export const byId = (value: unknown) => ({ __rl: true, mode: 'id', value }) as never;

/** An operation on a record; `entered` is in the body, and comes out. */
const acting = (on: string, gives: IDataObject, entered?: INodeParameters): Definition => ({
	on,
	...(entered && { parameters: entered, sends: { body: entered } }),
	gives: { ...gives, ...entered },
});

const list = (parameters: INodeParameters, query: IDataObject, gives: IDataObject): Definition => ({
	parameters: { returnAll: false, limit: 5, ...parameters },
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
const DETAILS = { slug: 'white-tea', description: 'Explain the leaves', keywordIds: [KEYWORD] };
const OWN_PAGE = { url: 'https://www.northwind-tea.example/blog/white-tea' };
const DAY = 24 * 60 * 60 * 1000;
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
/** The last 1,000 days that have ended */
const DAYS = 1000;
const END = Date.now() - DAY;
const PERIOD = { startDate: dayOf(END - (DAYS - 1) * DAY), endDate: dayOf(END) };
const SORTED_KEYWORDS = { sortBy: 'searchVolume', sortOrder: 'asc' };
const SORTED_PAGES = { sortBy: 'lastSeenAt', sortOrder: 'desc' };

const DEFINED: Record<string, Definition> = {
	'workspace.get': {
		parameters: { simplify: true },
		sends: { query: {} },
		gives: { brandName: 'Northwind Tea', domain: 'www.northwind-tea.example' },
	},
	'keyword.create': {
		parameters: { keywords: 'white peony, silver needle\nwhite peony' },
		sends: { body: { keywords: ['white peony', 'silver needle'] } },
		gives: { submitted: 2, count: 2, skipped: 0 },
	},
	'keyword.getAll': list(
		{ type: 'all', filters: { keyword: 'tea' }, sort: SORTED_KEYWORDS },
		{ type: 'all', keyword: 'tea', ...SORTED_KEYWORDS },
		{ id: ANY },
	),
	'keyword.archive': acting(KEYWORD, ARCHIVED),
	'keyword.unarchive': acting('kw_0025', RESTORED),
	'keyword.getCluster': acting(KEYWORD, { keyword: ANY }),
	'competitor.create': {
		parameters: { domain: 'https://www.new-rival.example/shop' },
		sends: { body: { domain: 'new-rival.example' } },
		gives: { domain: 'new-rival.example' },
	},
	'competitor.getAll': list({ scope: 'all' }, { scope: 'all' }, { domain: ANY }),
	'competitor.delete': acting(COMPETITOR, { deleted: true }),
	'forumOpportunity.create': {
		parameters: { ...THREAD, additionalFields: { competitorId: byId(COMPETITOR) } },
		sends: { body: { ...THREAD, competitorId: COMPETITOR } },
		gives: { title: 'Which kettle?', status: 'new' },
	},
	'forumOpportunity.getAll': list(
		{ filters: { status: ['new', 'processed'] } },
		{ status: 'new,processed' },
		{ url: ANY },
	),
	'forumOpportunity.update': acting(THREAD_FOUND, {}, PROCESSED),
	'forumOpportunity.archive': acting(THREAD_FOUND, ARCHIVED),
	'question.getAll': list(
		{ filters: { status: ['new'] } },
		{ status: 'new' },
		{ question: ANY, status: 'new' },
	),
	'question.update': acting(QUESTION, {}, PROCESSED),
	'question.archive': acting(QUESTION, ARCHIVED),
	'backlink.getAll': list(
		{ type: 'competitors', filters: { domainFrom: '.example' }, sort: { sortBy: 'firstSeen' } },
		{ type: 'competitors', domainFrom: '.example', sortBy: 'firstSeen' },
		{ domainFrom: ANY },
	),
	'backlink.archive': acting(BACKLINK, ARCHIVED),
	'backlink.unarchive': acting('bl_0014', RESTORED),
	'backlink.update': acting(BACKLINK, {}, PROCESSED),
	'category.update': acting(CATEGORY, {}, { name: 'Brewing' }),
	'category.delete': acting(CATEGORY, { deleted: true }),
	'citedPage.getAll': list(
		{
			type: 'new',
			filters: { domain: '.example', ...PERIOD, startDate: `${PERIOD.startDate}T00:00:00` },
			sort: SORTED_PAGES,
		},
		{ type: 'new', domain: '.example', ...PERIOD, ...SORTED_PAGES },
		{ url: ANY, platforms: ANY },
	),
	'citedPage.summarize': {
		parameters: {
			period: 'custom',
			...PERIOD,
			endDate: `${PERIOD.endDate}T00:00:00`,
			comparePrevious: true,
			filters: { domain: 'northwind', platforms: [] },
		},
		sends: {
			path: '/v1/ai-visibility/citations',
			// The period before is read last
			query: {
				type: 'archived',
				domain: 'northwind',
				offset: '0',
				limit: '100',
				startDate: dayOf(END - (2 * DAYS - 1) * DAY),
				endDate: dayOf(END - DAYS * DAY),
			},
		},
		gives: { ...PERIOD, days: DAYS, ownShare: 100 },
		// Three lists in two periods
		composedOf: 6,
	},
	'action.create': {
		parameters: {
			...ARTICLE,
			simplify: true,
			additionalFields: { ...DETAILS, shortDescription: '', categoryId: byId(CATEGORY) },
		},
		sends: { body: { ...ARTICLE, ...DETAILS, categoryId: CATEGORY } },
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
	'action.generate': acting('act_0001', {}),
	'indexing.notify': {
		parameters: { ...OWN_PAGE, type: 'URL_UPDATED' },
		sends: { body: { ...OWN_PAGE, type: 'URL_UPDATED' } },
		gives: { ...OWN_PAGE, type: 'URL_UPDATED', received: true, urlNotificationMetadata: ANY },
	},
	'indexing.inspect': { parameters: OWN_PAGE, sends: { body: OWN_PAGE }, gives: {} },
	'prompt.unarchive': acting('pr_0001', RESTORED),
};

export const CASES = Object.entries(DEFINED).map(
	([name, { on = '', parameters, sends, gives, composedOf = 1 }]) => {
		const { method, path } = defined(TABLE.get(name));
		const key = recordParameter(name);
		return {
			name,
			composedOf,
			parameters: { ...(key && { [key]: byId(on) }), ...parameters },
			sends: { method, path: path.replace('{id}', on), ...sends },
			gives: { ...(key && method !== 'GET' && { id: on }), ...gives },
		};
	},
);

export type OperationCase = (typeof CASES)[number];
