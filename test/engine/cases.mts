import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { expect } from 'vitest';

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

/** Records that the sandbox begins with (seed.mts). */
export const KEYWORD = 'kw_0001';
const BACKLINK = 'bl_0002';
const QUESTION = 'paa_0001';
const THREAD_FOUND = 'fo_0001';
const CATEGORY = 'cat_0001';
const ARTICLE_WRITTEN = 'art_0001';
const PAGE = 'a0000000-0000-4000-8000-000000000001';
const COMPETITOR = 'c0000000-0000-4000-8000-000000000003';
/** One that is not tracked. */
const DISCOVERED = 'c0000000-0000-4000-8000-00000000000d';

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

/** Another type of content action than that of the main case, with what only this type has. */
const planning = (
	target: { name: string; id: string },
	parameters: INodeParameters,
): Definition => ({
	parameters: { title: 'Also to do', [target.name]: byId(target.id), ...parameters },
	sends: { body: { title: 'Also to do', [target.name]: target.id, ...parameters } },
	gives: { type: parameters.type, [target.name]: target.id },
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
const SORTED_BACKLINKS = { sortBy: 'firstSeen', sortOrder: 'asc' };
const FROM_COMPETITOR = { competitorId: COMPETITOR };
const OF_COMPETITOR = { competitorId: byId(COMPETITOR) };

/** By operation. Where one case cannot have all fields, further ones follow, such as "action.create, get_cited". */
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
		{ type: 'all', filters: { keyword: 'tea', ...OF_COMPETITOR }, sort: SORTED_KEYWORDS },
		{ type: 'all', keyword: 'tea', ...FROM_COMPETITOR, ...SORTED_KEYWORDS },
		FROM_COMPETITOR,
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
		parameters: { ...THREAD, additionalFields: OF_COMPETITOR },
		sends: { body: { ...THREAD, ...FROM_COMPETITOR } },
		gives: { title: 'Which kettle?', status: 'new' },
	},
	'forumOpportunity.getAll': list(
		{ filters: { status: ['new', 'processed'], ...OF_COMPETITOR } },
		{ status: 'new,processed', ...FROM_COMPETITOR },
		FROM_COMPETITOR,
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
		{
			type: 'competitors',
			filters: { domainFrom: '.example', ...OF_COMPETITOR },
			sort: SORTED_BACKLINKS,
		},
		{ type: 'competitors', domainFrom: '.example', ...FROM_COMPETITOR, ...SORTED_BACKLINKS },
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
			additionalFields: {
				...DETAILS,
				shortDescription: '',
				categoryId: byId(CATEGORY),
				fanoutQueryIds: 'fq_0001, fq_0002',
			},
		},
		sends: {
			body: {
				...ARTICLE,
				...DETAILS,
				categoryId: CATEGORY,
				fanoutQueryIds: ['fq_0001', 'fq_0002'],
			},
		},
		gives: { ...ARTICLE, status: 'new' },
	},
	'action.create, update_article': planning(
		{ name: 'articleId', id: ARTICLE_WRITTEN },
		{ type: 'update_article', additionalInstructions: 'Add a section about water' },
	),
	'action.create, earn_link': planning({ name: 'backlinkId', id: BACKLINK }, { type: 'earn_link' }),
	'action.create, get_cited': planning({ name: 'citationId', id: PAGE }, { type: 'get_cited' }),
	'action.create, track_competitor': planning(
		{ name: 'competitorId', id: DISCOVERED },
		{ type: 'track_competitor' },
	),
	'action.create, other': {
		parameters: {
			type: 'other',
			title: 'Also to do',
			additionalFields: { shortDescription: 'Cited by 12 answers' },
		},
		sends: { body: { type: 'other', shortDescription: 'Cited by 12 answers' } },
		gives: { shortDescription: 'Cited by 12 answers' },
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

/** Including the further ones. */
export const ALL_CASES = Object.entries(DEFINED).map(
	([title, { on = '', parameters, sends, gives, composedOf = 1 }]) => {
		const [name = ''] = title.split(', ');
		const operation = TABLE.get(name);
		if (!operation) throw new Error(`The node has no operation ${name}`);
		const { method, path } = operation;
		const key = recordParameter(name);
		return {
			title,
			name,
			composedOf,
			parameters: { ...(key && { [key]: byId(on) }), ...parameters },
			sends: { method, path: path.replace('{id}', on), ...sends },
			gives: { ...(key && method !== 'GET' && { id: on }), ...gives },
		};
	},
);

export type OperationCase = (typeof ALL_CASES)[number];

/** One for each operation. */
export const CASES = ALL_CASES.filter(({ title, name }) => title === name);
