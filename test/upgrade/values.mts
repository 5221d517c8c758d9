import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { itemAt } from '../defined.mts';
import type { Given } from './play.mts';
import type { Service } from './service.mts';

/**
 * The values of all parameters of an operation, by name. `items` is the input; `…ByUrl` is for that mode of a locator.
 */
export type Values = Record<string, unknown>;

type Kind = Service['records'][number]['kind'];
type Stored = IDataObject & { id: string };

const byList = (value: string) => ({ __rl: true, mode: 'list', value, cachedResultName: 'Shown' });
const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/** Finds IDs and addresses among the records of the service. */
function finder({ records }: Service) {
	const all = (kind: Kind, fits: Partial<Record<string, unknown>> = {}) => {
		const found = (records as unknown as Array<Stored & { kind: Kind }>).filter(
			(record) =>
				record.kind === kind &&
				Object.entries(fits).every(([name, value]) => (record[name] ?? null) === value),
		);
		if (found.length === 0) throw new Error(`The service has no such ${kind}`);
		return found;
	};
	const ids = (kind: Kind, fits: Partial<Record<string, unknown>> = {}) =>
		all(kind, fits).map(({ id }) => id);
	return { all, ids };
}

const UNKNOWN = { citedPage: 'a0000000-0000-4000-8000-00000000ffff' };

/** One that exists, one that does not, and another one that exists. */
const threeOf = (ids: string[], name = 'id') =>
	[ids[0], 'unknown_1', ids[1] ?? ids[0]].map((id) => ({ [name]: id }));

/** The options of every operation. */
export const OPTIONS: Values = {
	concurrency: 3,
	maxRetries: 2,
	timeout: 20_000,
	queryParameters: { parameters: [{ name: 'extra', value: 'a b&c' }] },
	batchSize: 50,
	ifExists: 'returnExisting',
	customBody: '{ "custom": ["body", 1] }',
};

const listed = { returnAll: false, limit: 2 };
const ACTIVE = { archivedAt: null };

export function valuesOf(name: string, service: Service): Values {
	const { all, ids } = finder(service);
	const linked = itemAt(all('backlink', { ...ACTIVE, own: false, status: 'new' }), 0)
		.competitorId as string;
	const rival = all('keyword', ACTIVE).find(({ competitorId }) => competitorId)
		?.competitorId as string;
	const tracked = byList(itemAt(ids('competitor', { state: 'tracked' }), 0));
	const onKeyword = (keywords: string[]) => ({
		keywordId: byList(itemAt(keywords, 0)),
		items: threeOf(keywords),
	});
	const onBacklink = (backlinks: string[]) => ({
		backlinkId: byList(itemAt(backlinks, 0)),
		items: threeOf(backlinks),
	});
	const openKeywords = ids('keyword', ACTIVE);
	const openBacklinks = ids('backlink', { ...ACTIVE, own: false, status: 'new' });
	const threads = all('forumOpportunity', ACTIVE);
	const onThread = {
		forumOpportunityId: byList(itemAt(threads, 0).id),
		forumOpportunityIdByUrl: itemAt(threads, 1).url,
		items: threeOf(threads.map(({ id }) => id)),
	};
	const questions = ids('question', ACTIVE);
	const onQuestion = { questionId: byList(itemAt(questions, 0)), items: threeOf(questions) };
	const categories = ids('category');
	const onCategory = { categoryId: byId(itemAt(categories, 0)), items: threeOf(categories) };
	const pages = all('citedPage', { status: 'new' });
	const OWN_PAGE = 'https://www.northwind-tea.example/blog/white-tea';
	const ownPages = [
		{ url: OWN_PAGE },
		{ url: 'https://other.example/page' },
		{ url: 'https://www.northwind-tea.example/café?a=1&b=2' },
	];
	const values: Record<string, Values> = {
		'workspace.get': { simplify: true },
		'keyword.archive': onKeyword(openKeywords),
		'keyword.unarchive': onKeyword(
			all('keyword').flatMap(({ id, archivedAt }) => (archivedAt ? id : [])),
		),
		'keyword.getCluster': onKeyword(openKeywords),
		'keyword.create': {
			keywords: 'white peony, silver needle\nwhite peony',
			items: [{ words: 'a, b' }, { words: ['b', 'c'] }, { words: '' }, { words: 'd' }],
		},
		'keyword.getAll': {
			...listed,
			type: 'all',
			keyword: 'e',
			competitorId: byList(rival),
			sortBy: 'searchVolume',
			sortOrder: 'asc',
			items: [{ word: 'green' }, { word: 'nothing has this' }],
		},
		'competitor.create': {
			domain: 'https://www.New-Rival.example/shop',
			items: [
				{ domain: 'one.example' },
				{ domain: itemAt(all('competitor', { state: 'tracked' }), 0).domain },
				{ domain: itemAt(all('competitor', { state: 'discovered' }), 0).domain },
			],
		},
		'competitor.delete': {
			competitorId: tracked,
			items: threeOf(ids('competitor', { state: 'tracked' })),
		},
		'competitor.getAll': {
			...listed,
			scope: 'all',
			items: [{ scope: 'tracked' }, { scope: 'odd' }],
		},
		'forumOpportunity.create': {
			title: 'Which kettle?',
			url: 'https://forum.example/t/99',
			competitorId: tracked,
			items: [
				{ url: 'https://forum.example/t/1' },
				{ url: 'forum.example' },
				{ url: itemAt(threads, 0).url },
			],
		},
		'forumOpportunity.getAll': {
			...listed,
			competitorId: tracked,
			status: ['new'],
			items: [{ limit: 1 }, { limit: 0 }],
		},
		'forumOpportunity.update': { ...onThread, status: 'processed' },
		'forumOpportunity.archive': onThread,
		'question.getAll': { ...listed, status: ['new'], items: [{ limit: 1 }, { limit: 'many' }] },
		'question.update': { ...onQuestion, status: 'processed' },
		'question.archive': onQuestion,
		'backlink.getAll': {
			...listed,
			type: 'competitors',
			competitorId: byList(linked),
			domainFrom: '.example',
			sortBy: 'firstSeen',
			sortOrder: 'desc',
			items: [{ limit: 1 }, { limit: -1 }],
		},
		'backlink.archive': onBacklink(openBacklinks),
		'backlink.unarchive': onBacklink(
			all('backlink').flatMap(({ id, archivedAt }) => (archivedAt ? id : [])),
		),
		'backlink.update': { ...onBacklink(openBacklinks), status: 'processed' },
		'category.update': { ...onCategory, name: 'Brewing' },
		'category.delete': onCategory,
		'citedPage.getAll': {
			...listed,
			type: 'new',
			domain: '.example',
			startDate: '2025-01-01T00:00:00',
			endDate: '2025-05-31',
			sortBy: 'lastSeenAt',
			sortOrder: 'desc',
			items: [{ start: '2025-05-01' }, { start: 'yesterday' }, { start: '' }],
		},
		'citedPage.summarize': {
			period: 'custom',
			startDate: '2025-05-20',
			endDate: '2025-06-01T12:00:00',
			comparePrevious: true,
			domain: '.example',
			platforms: ['answer_engine', 'search_ai_mode'],
			top: 2,
			items: [{ domain: 'leaf' }, { domain: 'https://' }, { domain: '' }],
		},
		'action.create': {
			type: 'write_article',
			title: 'White tea for beginners',
			simplify: true,
			articleId: byId(itemAt(ids('article'), 0)),
			backlinkId: byList(itemAt(openBacklinks, 0)),
			citationId: byList(itemAt(pages, 4).id),
			citationIdByUrl: itemAt(pages, 6).url,
			competitorId: byList(itemAt(ids('competitor', { state: 'discovered' }), 0)),
			additionalInstructions: 'Without jargon\nand short',
			categoryId: byId(itemAt(categories, 0)),
			description: 'Explain the leaves',
			fanoutQueryIds: ids('fanoutQuery').join(', '),
			keywordIds: openKeywords.slice(0, 2),
			shortDescription: 'Asked 12 times',
			slug: 'white-tea',
			items: [
				{ title: 'One' },
				{ title: itemAt(all('action', ACTIVE), 0).title },
				{ title: 'Two' },
			],
		},
		'action.generate': {
			actionId: byList(
				itemAt(ids('action', { ...ACTIVE, type: 'write_article', status: 'new' }), 0),
			),
			items: threeOf(ids('action', { ...ACTIVE, type: 'write_article', status: 'new' })),
		},
		'action.getAll': {
			...listed,
			simplify: true,
			search: 'a',
			status: 'new, in_progress',
			types: ['write_article'],
			items: [{ limit: 1 }, { limit: 1.5 }],
		},
		'indexing.notify': { url: OWN_PAGE, type: 'URL_UPDATED', items: ownPages },
		'indexing.inspect': { url: OWN_PAGE, items: ownPages },
		'prompt.unarchive': { promptId: byId(itemAt(ids('prompt'), 0)), items: threeOf(ids('prompt')) },
	};
	if (!values[name]) throw new Error(`values.mts has nothing for ${name}`);
	return values[name];
}

const onItem = (name: string) => ({ [name]: byId('={{ $json.id }}') as never });
const LIMIT = { limit: '={{ $json.limit }}' };
const URL_OF_ITEM = { url: '={{ $json.url }}' };

/** The parameters whose values come from the items. */
export const BY_ITEM: Record<string, INodeParameters> = {
	'keyword.archive': onItem('keywordId'),
	'keyword.unarchive': onItem('keywordId'),
	'keyword.getCluster': onItem('keywordId'),
	'keyword.create': { keywords: '={{ $json.words }}' },
	'keyword.getAll': { filters: { keyword: '={{ $json.word }}' } },
	'competitor.create': { domain: '={{ $json.domain }}' },
	'competitor.delete': onItem('competitorId'),
	'competitor.getAll': { scope: '={{ $json.scope }}' },
	'forumOpportunity.create': URL_OF_ITEM,
	'forumOpportunity.getAll': LIMIT,
	'forumOpportunity.update': onItem('forumOpportunityId'),
	'forumOpportunity.archive': onItem('forumOpportunityId'),
	'question.getAll': LIMIT,
	'question.update': onItem('questionId'),
	'question.archive': onItem('questionId'),
	'backlink.getAll': LIMIT,
	'backlink.archive': onItem('backlinkId'),
	'backlink.unarchive': onItem('backlinkId'),
	'backlink.update': onItem('backlinkId'),
	'category.update': { ...onItem('categoryId'), name: '=Brewing {{ $itemIndex }}' },
	'category.delete': onItem('categoryId'),
	'citedPage.getAll': { filters: { startDate: '={{ $json.start }}' } },
	'citedPage.summarize': { filters: { domain: '={{ $json.domain }}' } },
	'action.create': { title: '={{ $json.title }}', additionalFields: {} },
	'action.generate': onItem('actionId'),
	'action.getAll': LIMIT,
	'indexing.notify': URL_OF_ITEM,
	'indexing.inspect': URL_OF_ITEM,
	'prompt.unarchive': onItem('promptId'),
};

const envelope = (item: IDataObject) => ({
	status: 200,
	body: { data: { total: 1, offset: 0, limit: 2, count: 1, items: [item] } },
});
const NOTHING = { status: 204 };

/** The service's answers, as in the contract, to requests that it would refuse because of their additions. */
export const ANSWERS: Record<string, NonNullable<Given['answer']>> = {
	other: { status: 200, body: { id: 'x_1', title: 'Answered' } },
	'keyword.create': { status: 201, body: { count: 1 } },
	'citedPage.summarize': envelope({ id: 'x_1', url: 'https://a.example/', platforms: [] }),
	'keyword.getCluster': { status: 200, body: [{ id: 'x_1' }, { id: 'x_2' }] },
	...Object.fromEntries(
		[
			'keyword',
			'competitor',
			'forumOpportunity',
			'question',
			'backlink',
			'citedPage',
			'action',
		].map((resource) => [`${resource}.getAll`, envelope({ id: 'x_1', name: 'Listed' })]),
	),
	...Object.fromEntries(
		[
			'keyword.archive',
			'keyword.unarchive',
			'competitor.delete',
			'forumOpportunity.archive',
			'question.archive',
			'backlink.archive',
			'backlink.unarchive',
			'backlink.update',
			'category.delete',
			'prompt.unarchive',
			'action.generate',
			'indexing.inspect',
		].map((name) => [name, NOTHING]),
	),
};

interface Special {
	title: string;
	changes: INodeParameters;
	given?: Given;
}

const RETURN_EXISTING = { ifExists: 'returnExisting' };

const withQuery = (...values: string[]): INodeParameters => ({
	filters: {},
	options: { queryParameters: { parameters: values.map((value) => ({ name: 'status', value })) } },
});

/** Cases that do not follow from the description alone. */
export const MORE: Record<string, (service: Service) => Special[]> = {
	'keyword.create': () => [
		{
			title: 'Keywords that are there',
			changes: { keywords: 'organic green tea online, new one' },
		},
		{
			title: 'Several batches',
			changes: { keywords: 'a, b, c, d, e', options: { batchSize: 2, concurrency: 1 } },
		},
		{
			title: 'Custom body as a list',
			changes: { options: { customBody: '["a", "b"]' } },
			given: { answer: { status: 201, body: { count: 1 } } },
		},
	],
	'keyword.getAll': () => [
		{
			title: 'Several pages',
			changes: { returnAll: true, type: 'new', filters: {}, sort: {} },
			given: { more: { kind: 'keyword', count: 205 } },
		},
		{
			title: 'Limit beyond a page',
			changes: { limit: 150, type: 'new', filters: {}, sort: {} },
			given: { more: { kind: 'keyword', count: 205 } },
		},
	],
	'question.getAll': () => [
		{
			title: 'Several pages',
			changes: { returnAll: true, filters: {} },
			given: { more: { kind: 'question', count: 110 } },
		},
	],
	'competitor.create': (service) => {
		const { domain } = itemAt(finder(service).all('competitor', { state: 'tracked' }), 0);
		return [
			{
				title: 'Return existing',
				changes: { domain: domain as string, options: RETURN_EXISTING },
			},
			{ title: 'Fail if existing', changes: { domain: domain as string } },
			{ title: 'E-mail address', changes: { domain: 'info@rival.example' } },
		];
	},
	'forumOpportunity.update': (service) => {
		const { url } = itemAt(finder(service).all('forumOpportunity', ACTIVE), 0);
		const locator = (value: string) => ({
			forumOpportunityId: { __rl: true, mode: 'url', value } as never,
		});
		return [
			{ title: 'By URL with a slash', changes: locator(`${url}/#answer`) },
			{ title: 'By URL of none', changes: locator('https://nowhere.example/') },
			{ title: 'By expression', changes: { forumOpportunityId: '={{ $json.id }}' } },
		];
	},
	'backlink.getAll': (service) => {
		const { domainFrom } = itemAt(finder(service).all('backlink', { own: true }), 0);
		const filters = { domainFrom: `https://${String(domainFrom).toUpperCase()}/page` };
		return [{ title: 'Pasted domain', changes: { type: 'mine', filters } }];
	},
	'backlink.update': () => [
		{ title: 'Custom body', changes: { options: { customBody: '{ "status": "new" }' } } },
		{
			title: 'Custom body, empty',
			changes: { options: { customBody: '[]' } },
			given: { answer: NOTHING },
		},
	],
	'question.update': () => [
		{
			title: 'Answer of another kind',
			changes: {},
			given: { answer: { status: 200, body: [] } },
		},
	],
	'workspace.get': () => [
		{
			title: 'Wrapped answer',
			changes: {},
			given: { answer: { status: 200, body: { data: { id: 'ws_1', name: 'Wrapped' } } } },
		},
	],
	'citedPage.getAll': () => [
		{ title: 'Domain with a path', changes: { filters: { domain: 'rival.example/blog' } } },
		{ title: 'Day with words', changes: { filters: { startDate: '2025-05-05 dec' } } },
		{
			title: 'Query parameters',
			changes: {
				sort: {},
				options: { queryParameters: { parameters: [{ name: 'sortBy', value: 'domain' }] } },
			},
		},
	],
	'action.create': (service) => {
		const { all } = finder(service);
		const planned = itemAt(all('action', { ...ACTIVE, type: 'write_article' }), 0);
		const cited = itemAt(all('action', { ...ACTIVE, type: 'get_cited', status: 'new' }), 0);
		const options = RETURN_EXISTING;
		return [
			{
				title: 'Return existing, same title',
				changes: { title: planned.title as string, additionalFields: {}, options },
			},
			{
				title: 'Return existing, same slug',
				changes: { additionalFields: { slug: planned.slug as string }, options },
			},
			{
				title: 'Return existing, same target',
				changes: {
					type: 'get_cited',
					citationId: byId(cited.citationId as string) as never,
					additionalFields: {},
					options,
				},
			},
			{ title: 'Fail if existing', changes: { title: planned.title as string } },
			{
				title: 'Target unknown',
				changes: {
					type: 'get_cited',
					citationId: byId(UNKNOWN.citedPage) as never,
					additionalFields: {},
				},
			},
			{
				title: 'Custom body',
				changes: { options: { customBody: '={{ { type: "other", title: "Own" } }}' } },
			},
			{
				title: 'Type by expression',
				changes: {
					type: '={{ "earn_" + "link" }}',
					backlinkId: byId(itemAt(all('backlink', ACTIVE), 1).id) as never,
					articleId: byId('={{ null }}') as never,
					citationId: byId('={{ $json.none }}') as never,
					competitorId: byId('={{ "" }}') as never,
					additionalInstructions: '={{ "" }}',
				},
			},
			{
				title: 'Keywords as text',
				changes: { additionalFields: { keywordIds: 'kw_0001, kw_0002' } },
			},
		];
	},
	'action.getAll': () => [
		{ title: 'Return all', changes: { returnAll: true, filters: {} } },
		{ title: 'Query parameter with a list', changes: withQuery('={{ ["new", "in_progress"] }}') },
		{ title: 'Query parameter twice', changes: withQuery('new', 'in_progress') },
	],
	'indexing.notify': () => [{ title: 'Not a URL', changes: { url: 'blog/white-tea' } }],
	'prompt.unarchive': () => [{ title: 'By expression', changes: { promptId: '={{ $json.id }}' } }],
};
