import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { defined } from '../defined.mts';
import { startSandbox, type Sandbox, type StoredKind } from '../sandbox/sandbox.mts';
import { description, loadedNode, loadOptionsContext, type Access } from './engine.mts';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;
type LoadOptions = (this: ILoadOptionsFunctions) => Promise<INodePropertyOptions[]>;

const { methods } = loadedNode('searchVisibility');
const searches = methods?.listSearch as Record<string, ListSearch>;
const options = methods?.loadOptions as Record<string, LoadOptions>;

const contextFor = (access: Access) =>
	loadOptionsContext(access, {
		resource: 'workspace',
		operation: 'get',
	}) as unknown as ILoadOptionsFunctions;

const search = async (name: string, filter?: string, token?: string, access: Access = sandbox) =>
	await defined(searches[name]).call(contextFor(access), filter, token);

/** All pages, as loaded by scrolling to the end. */
async function searchToTheEnd(name: string, filter?: string, access: Access = sandbox) {
	const results: INodeListSearchResult['results'] = [];
	let token: string | undefined;
	let pages = 0;
	do {
		const page = await search(name, filter, token, access);
		results.push(...page.results);
		token = page.paginationToken as string | undefined;
		pages++;
	} while (token !== undefined && pages < 200);
	return { results, pages };
}

type Row = Record<string, unknown> & { id: string };

interface List {
	name: string;
	kind: StoredKind;
	path: string;
	/** The records that the operations with this list can act on */
	fits: (row: Row) => boolean;
	/** The name that users know the record by */
	label: string;
	/** The query parameter with which the service filters, if it can */
	filterParameter?: string;
	/** Whether it filters only by the domain, so that the node searches in the rest */
	isPartial?: true;
	/** A text that some but not all of the labels contain */
	filter: string;
}

const isActive = ({ archivedAt }: Row) => !archivedAt;
const isArchived = ({ archivedAt }: Row) => Boolean(archivedAt);

const backlinks = {
	kind: 'backlink',
	path: '/v1/backlinks',
	label: 'urlFrom',
	filterParameter: 'domainFrom',
	isPartial: true,
} as const;
const keywords = { kind: 'keyword', path: '/v1/keywords', label: 'keyword' } as const;
const competitors = { kind: 'competitor', path: '/v1/competitors', label: 'name' } as const;

const LISTS: List[] = [
	{
		name: 'searchArchivedBacklinks',
		...backlinks,
		fits: isArchived,
		filter: 'thebrewreview',
	},
	{
		// Contract 3.3: users work through competitor backlinks; their own backlinks are identified by ID
		name: 'searchCompetitorBacklinks',
		...backlinks,
		fits: (row) => isActive(row) && (!row.own || row.status === 'processed'),
		filter: 'brewguide',
	},
	{
		name: 'searchActiveKeywords',
		...keywords,
		fits: isActive,
		filterParameter: 'keyword',
		filter: 'sencha',
	},
	{
		name: 'searchArchivedKeywords',
		...keywords,
		fits: isArchived,
		filterParameter: 'keyword',
		filter: 'loose leaf',
	},
	{
		name: 'searchCitedPages',
		kind: 'citedPage',
		path: '/v1/ai-visibility/citations',
		fits: ({ status }) => status !== 'archived',
		label: 'title',
		filterParameter: 'domain',
		isPartial: true,
		filter: 'teatalk',
	},
	{
		name: 'searchDiscoveredCompetitors',
		...competitors,
		fits: ({ state }) => state === 'discovered',
		filter: 'silver',
	},
	{
		name: 'searchTrackedCompetitors',
		...competitors,
		fits: ({ state }) => state === 'tracked',
		filter: 'silver',
	},
	{
		name: 'searchForumOpportunities',
		kind: 'forumOpportunity',
		path: '/v1/forum-opportunities',
		fits: isActive,
		label: 'title',
		filter: 'Matcha',
	},
	{
		name: 'searchPlannedArticles',
		kind: 'action',
		path: '/v1/actions',
		fits: (row) => isActive(row) && row.type === 'write_article',
		label: 'title',
		filterParameter: 'search',
		filter: 'about sencha',
	},
	{
		name: 'searchQuestions',
		kind: 'question',
		path: '/v1/people-also-ask',
		fits: isActive,
		label: 'question',
		filter: 'CAFFEINE',
	},
];

const rowsOf = ({ kind, fits }: List, state = sandbox.state): Row[] =>
	[...(state.all(kind) as unknown as Iterable<Row>)].filter(fits);

const idsOf = (results: Array<{ value: unknown }>) => results.map(({ value }) => String(value));

it('every list that the node names exists, and no other', () => {
	const named = (key: string) =>
		new Set(JSON.stringify(description).match(new RegExp(`(?<="${key}":")\\w+`, 'g')));
	const inLists = named('searchListMethod');
	expect(inLists.size).toBeGreaterThan(0);
	expect([...inLists].sort()).toEqual(Object.keys(searches).sort());
	expect([...named('loadOptionsMethod')].sort()).toEqual(Object.keys(options).sort());
	expect(Object.keys(searches).sort()).toEqual(LISTS.map(({ name }) => name).sort());
});

describe.each(LISTS)('$name', (list) => {
	const { name, label, filter, filterParameter, isPartial, path } = list;

	it('shows every record that can be acted on exactly once, and no others', async () => {
		if (list.kind === 'keyword') sandbox.state.untie('keyword', 'compositeScore');
		const rows = rowsOf(list);
		expect(rows.length).toBeGreaterThan(3);
		expect(rows.length).toBeLessThan([...sandbox.state.all(list.kind)].length);
		const { results, pages } = await searchToTheEnd(name);
		expect(idsOf(results).sort()).toEqual(rows.map(({ id }) => id).sort());
		expect(sandbox.requests.every((request) => request.path === path)).toBe(true);
		expect(pages).toBeLessThanOrEqual(sandbox.requests.length);
		expect(sandbox.responseViolations).toEqual([]);
	});

	it(`finds "${filter}", and passes it to the service if the service can filter`, async () => {
		const expected = rowsOf(list).filter((row) => {
			return `${row[label]} ${isPartial ? row[String(filterParameter)] : ''}`
				.toLowerCase()
				.includes(filter.toLowerCase());
		});
		expect(expected.length).toBeGreaterThan(0);
		expect(expected.length).toBeLessThan(rowsOf(list).length);
		const { results } = await searchToTheEnd(name, ` ${filter} `);
		expect(idsOf(results).sort()).toEqual(expected.map(({ id }) => id).sort());
		const sent = filterParameter ? { [filterParameter]: filter } : {};
		const asked = sandbox.requests.filter(
			({ query }) => !isPartial || String(filterParameter) in query,
		);
		expect(asked.length).toBeGreaterThan(0);
		for (const { query } of asked) {
			const { offset: _offset, limit: _limit, type: _type, types: _types, ...others } = query;
			const { scope: _scope, ...filters } = others;
			expect(filters).toEqual(sent);
		}
	});
});

describe('getKeywords', () => {
	const getKeywords = async (access: Access = sandbox) =>
		await defined(options.getKeywords).call(contextFor(access));

	it('offers the active keywords, the best first', async () => {
		const found = await getKeywords();
		const rows = [...sandbox.state.all('keyword')].filter(({ archivedAt }) => !archivedAt);
		expect(found.map(({ value }) => value).sort()).toEqual(rows.map(({ id }) => id).sort());
		const scores = found.map(({ value }) => sandbox.state.get('keyword', String(value)));
		const scored = scores.flatMap((row) => row?.compositeScore ?? []);
		expect(scored.length).toBeGreaterThan(100);
		expect(sandbox.requests.every(({ query }) => query.type === 'all')).toBe(true);
	});
});

describe('in a large workspace, with ties as PostgreSQL has them', () => {
	let large: Sandbox;
	beforeAll(async () => {
		const seed = { keyword: 2555, backlink: 4000, citedPage: 2035, question: 2000 };
		large = await startSandbox({ seed, validateResponses: false });
	});
	beforeEach(() => large.clearLog());
	afterAll(() => large.close());

	it.each([
		// Opened; for two lists, three requests would do
		['searchActiveKeywords', '', 1],
		['searchQuestions', '', 1],
		['searchCitedPages', '', 2],
		['searchCompetitorBacklinks', '', 2],
		// A part of many names
		['searchActiveKeywords', 'tea', 1],
		['searchQuestions', 'tea', 2],
		['searchCitedPages', 'tea', 4],
		['searchCompetitorBacklinks', 'brewguide', 2],
		// Nothing has this name; two lists may cost twenty
		['searchActiveKeywords', 'zeppelin', 1],
		['searchQuestions', 'zeppelin', 10],
		['searchCitedPages', 'zeppelin', 20],
		['searchCompetitorBacklinks', 'zeppelin', 20],
		['searchCompetitorBacklinks', 'https://zeppelin.example/', 20],
	])('%s with "%s" costs at most %i requests', async (name, filter, most) => {
		const { results } = await search(name, filter, undefined, large);
		expect(results.length > 0).toBe(!filter.includes('zeppelin'));
		expect(large.requests.length).toBeLessThanOrEqual(most);
	});

	it('getKeywords costs at most 10 requests', async () => {
		const found = await defined(options.getKeywords).call(contextFor(large));
		expect(found.length).toBeGreaterThan(500);
		expect(large.requests.length).toBeLessThanOrEqual(10);
	});

	it('a word without a match is no error where the service takes ten requests a second', async () => {
		large.setRateLimit({ perSecond: 10 });
		try {
			const { results } = await search('searchCompetitorBacklinks', 'zeppelin', undefined, large);
			expect(results).toEqual([]);
		} finally {
			large.setRateLimit(null);
		}
	});
});

const everyMethod: Array<[string, (access: Access) => Promise<unknown>]> = [
	...LISTS.map(({ name }): [string, (access: Access) => Promise<unknown>] => [
		name,
		async (access) => await search(name, '', undefined, access),
	]),
	['getKeywords', async (access) => await defined(options.getKeywords).call(contextFor(access))],
];

describe.each(everyMethod)('%s says what went wrong', (_name, call) => {
	it('when the key is wrong', async () => {
		const failure = call({ url: sandbox.url, apiKey: 'wrong-key' });
		await expect(failure).rejects.toMatchObject({
			name: 'NodeApiError',
			message: 'The service did not accept the API key',
			description: expect.stringContaining('credential'),
			httpCode: '401',
		});
		expect(sandbox.requests).toHaveLength(1);
		await expect(failure).rejects.not.toMatchObject({
			message: expect.stringContaining('wrong-key'),
		});
	});
});
