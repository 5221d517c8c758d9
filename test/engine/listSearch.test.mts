import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodeParameters,
	INodePropertyOptions,
} from 'n8n-workflow';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { defined, firstOf, itemAt } from '../defined.mts';
import { startSandbox, type Sandbox, type StoredKind } from '../sandbox/sandbox.mts';
import { anId } from './cases.mts';
import { description, loadedNode, loadOptionsContext, run, type Access } from './engine.mts';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
beforeEach(() => sandbox.reset());
afterEach(() => vi.restoreAllMocks());
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
	/** The field with the page that the editor opens */
	url?: string;
}

const isActive = ({ archivedAt }: Row) => !archivedAt;
const isArchived = ({ archivedAt }: Row) => Boolean(archivedAt);

const backlinks = {
	kind: 'backlink',
	path: '/v1/backlinks',
	label: 'urlFrom',
	filterParameter: 'domainFrom',
	isPartial: true,
	url: 'urlFrom',
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
		url: 'url',
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
		url: 'url',
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
	const { name, label, filter, filterParameter, isPartial, path, url } = list;

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

	it('finds every record by its name, also those that tie', async () => {
		for (const row of rowsOf(list).slice(-3)) {
			const { results } = await searchToTheEnd(name, String(row[label]));
			expect(idsOf(results)).toContain(row.id);
		}
	});

	it('starts with one request for one page', async () => {
		const { results } = await search(name);
		expect(results.length).toBeGreaterThan(0);
		expect(sandbox.requests).toHaveLength(1);
		expect(itemAt(sandbox.requests, 0).query).toMatchObject({ offset: '0', limit: '100' });
	});

	it('names records as users do', async () => {
		const { results } = await searchToTheEnd(name);
		for (const result of results) {
			const row = sandbox.state.get(list.kind, String(result.value)) as unknown as Row;
			const seen = String(row[label]).replace('https://', '');
			// Page titles can repeat, so the domain follows them, or what else differs
			expect(result.name.startsWith(row.domain ? `${seen} (${row.domain})` : seen)).toBe(true);
			expect(result.url).toBe(url && row[url]);
		}
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

	it('is empty, without a next page, if nothing matches', async () => {
		expect(await search(name, 'no such thing')).toEqual({ results: [] });
	});
});

/** While a filter is set, n8n's editor loads further pages only if the hits overflow the list. */
describe('a filter shows the hits at once', () => {
	it('from a later page, if the service does not filter', async () => {
		sandbox.discover.question({
			question: 'Who invented the samovar?',
			createdAt: '2020-01-01T00:00:00.000Z',
		});
		const { results } = await search('searchQuestions', 'SAMOVAR');
		expect(results.map((result) => result.name)).toEqual(['Who invented the samovar?']);
	});

	it('from all pages, if a few match on each', async () => {
		const first = itemAt([...sandbox.state.all('question')], 0);
		sandbox.edit('question', first.id, { question: 'Is a samovar loud?' });
		sandbox.discover.question({
			question: 'Who invented the samovar?',
			createdAt: '2020-01-01T00:00:00.000Z',
		});
		const { results } = await search('searchQuestions', 'samovar');
		expect(results).toHaveLength(2);
	});

	it('from all the lists that it combines', async () => {
		const pages = [...sandbox.state.all('citedPage')];
		const domain = 'samovar.example';
		for (const status of ['new', 'processed']) {
			const page = pages.find((one) => one.status === status);
			sandbox.edit('citedPage', page?.id as string, { domain, url: `https://${domain}/${status}` });
		}
		const { results } = await search('searchCitedPages', 'samovar');
		expect(results.map(({ url }) => url).sort()).toEqual([
			`https://${domain}/new`,
			`https://${domain}/processed`,
		]);
	});

	it('even far down in a long list', async () => {
		const large = await startSandbox({ empty: true, seed: { question: 2500 } });
		try {
			large.discover.question({
				question: 'Who invented the samovar?',
				createdAt: '2000-01-01T00:00:00.000Z',
			});
			const { results } = await searchToTheEnd('searchQuestions', 'samovar', large);
			expect(results.map((result) => result.name)).toEqual(['Who invented the samovar?']);
			const { results: atOnce } = await search('searchQuestions', 'samovar', undefined, large);
			expect(atOnce).toHaveLength(1);
		} finally {
			await large.close();
		}
	});

	it('with one request among 100,000 keywords', async () => {
		const large = await startSandbox({ empty: true, seed: { keyword: 100_000 } });
		try {
			const filter = 'sencha gift set 41';
			const rows = [...large.state.all('keyword')].filter(
				({ keyword, archivedAt }) => keyword.includes(filter) && !archivedAt,
			);
			expect(rows.length).toBeGreaterThan(5);
			const found = await search('searchActiveKeywords', filter, undefined, large);
			expect(idsOf(found.results).sort()).toEqual(rows.map(({ id }) => id).sort());
			expect(found.paginationToken).toBeUndefined();
			expect(large.requests).toHaveLength(1);
		} finally {
			await large.close();
		}
	}, 60_000);
});

it.each(['processed', '.000Z'])(
	'a filter does not search invisible fields: "%s"',
	async (filter) => {
		for (const name of [
			'searchQuestions',
			'searchForumOpportunities',
			'searchTrackedCompetitors',
		]) {
			expect(await search(name, filter), name).toEqual({ results: [] });
		}
	},
);

describe('labels', () => {
	it('of a cited page without a title is its URL, which distinguishes it from others of the domain', async () => {
		const id = anId(sandbox, 'citedPage', ({ status }: { status: string }) => status === 'new');
		sandbox.edit('citedPage', id, { title: '' });
		const { results } = await searchToTheEnd('searchCitedPages');
		const result = results.find(({ value }) => value === id);
		expect(result?.name).toBe(result?.url);
	});

	it('of backlinks from one domain, or from one page, differ', async () => {
		const domainFrom = 'samovar.example';
		const urls = ['https://samovar.example/a', 'https://samovar.example/b'] as const;
		sandbox.discover.backlink({ domainFrom, urlFrom: urls[0], urlTo: 'https://rival.example/1' });
		sandbox.discover.backlink({ domainFrom, urlFrom: urls[0], urlTo: 'https://rival.example/2' });
		sandbox.discover.backlink({ domainFrom, urlFrom: urls[1] });
		const { results } = await search('searchCompetitorBacklinks', 'samovar');
		expect(results.map(({ name }) => name).sort()).toEqual([
			'samovar.example/a (https://rival.example/1)',
			'samovar.example/a (https://rival.example/2)',
			'samovar.example/b',
		]);
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
		expect(scored).toEqual([...scored].sort((a, b) => b - a));
		expect(sandbox.requests.every(({ query }) => query.type === 'all')).toBe(true);
	});

	it('offers at most 500 of many', async () => {
		const large = await startSandbox({ empty: true, seed: { keyword: 1000 } });
		try {
			large.state.untie('keyword', 'compositeScore');
			expect(await getKeywords(large)).toHaveLength(500);
			expect(large.requests).toHaveLength(5);
		} finally {
			await large.close();
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

	it('when the service is down', async () => {
		shortenWaits();
		const body = { message: 'Out of tea' };
		sandbox.fault({ match: { times: null }, kind: 'status', status: 500, body });
		await expect(call(sandbox)).rejects.toMatchObject({
			name: 'NodeApiError',
			message: 'The service could not process the request',
			description: expect.stringContaining('"Out of tea"'),
			httpCode: '500',
		});
	});

	it('when the Base URL is invalid, without a request', async () => {
		await expect(call({ ...sandbox, url: 'northwind' })).rejects.toMatchObject({
			message: expect.stringContaining('Base URL'),
		});
		expect(sandbox.requests).toEqual([]);
	});
});

/** Shortens the waits before retries, but not the time-outs. */
function shortenWaits(): void {
	const { setTimeout: realTimeout } = globalThis;
	vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
		work: () => void,
		milliseconds = 0,
		...rest: unknown[]
	) =>
		realTimeout(
			work,
			milliseconds < 10_000 ? milliseconds / 100 : milliseconds,
			...(rest as []),
		)) as unknown as typeof setTimeout);
}

describe('"By URL" when the node runs', () => {
	const byUrl = (value: string) => ({ __rl: true, mode: 'url', value });
	const writes = () => sandbox.requests.filter(({ method }) => method !== 'GET');
	const idAfter = (value: unknown) => String(value).split('/').pop();

	const forum = (operation: string, url: string): INodeParameters => ({
		resource: 'forumOpportunity',
		operation,
		forumOpportunityId: byUrl(url),
		...(operation === 'update' && { status: 'processed' }),
	});
	const citeMe = (url: string): INodeParameters => ({
		resource: 'action',
		operation: 'create',
		type: 'get_cited',
		title: 'Get onto the page',
		citationId: byUrl(url),
	});

	/** The last thread of the list, which takes every page to find. */
	const lastThread = () =>
		[...sandbox.state.all('forumOpportunity')]
			.filter(({ archivedAt }) => !archivedAt)
			.pop() as unknown as { id: string; url: string };
	/** A page for which no action is planned yet. */
	const pageWith = (status: string) => {
		const taken = [...sandbox.state.all('action')].map(({ citationId }) => citationId);
		return [...sandbox.state.all('citedPage')].find(
			(page) => page.status === status && !taken.includes(page.id),
		) as unknown as { id: string; url: string };
	};

	const VARIANTS: Array<[string, (url: string) => string]> = [
		['as it is', (url) => url],
		['with a slash at the end', (url) => `${url}/`],
		['with spaces around it', (url) => `  ${url} `],
	];

	describe.each(VARIANTS)('%s', (_name, variant) => {
		it.each(['update', 'archive'])('finds the forum opportunity for %s', async (operation) => {
			const { id, url } = lastThread();
			const { json, error } = await run(sandbox, { parameters: forum(operation, variant(url)) });
			expect(error).toBeUndefined();
			expect(json).toMatchObject([{ id }]);
			expect(writes().map(({ path }) => idAfter(path))).toEqual([id]);
		});

		it.each(['new', 'processed'])('finds the cited page that is %s', async (status) => {
			const { id, url } = pageWith(status);
			const { json, error } = await run(sandbox, { parameters: citeMe(variant(url)) });
			expect(error).toBeUndefined();
			expect(json).toMatchObject([{ type: 'get_cited', citationId: id }]);
			expect(writes()).toMatchObject([{ body: { citationId: id } }]);
		});
	});

	it('finds the record even if the service keeps the slash', async () => {
		const { id, url } = lastThread();
		sandbox.edit('forumOpportunity', id, { url: `${url}/` });
		const { json } = await run(sandbox, { parameters: forum('update', url) });
		expect(json).toMatchObject([{ id, status: 'processed' }]);
	});

	it('does not confuse two pages', async () => {
		const [one, other] = firstOf([...sandbox.state.all('forumOpportunity')], 2);
		sandbox.edit('forumOpportunity', one.id, { url: 'https://forum.example/t/1?page=2' });
		sandbox.edit('forumOpportunity', other.id, { url: 'https://forum.example/t/10' });
		const { error } = await run(sandbox, {
			parameters: forum('update', 'https://forum.example/t/1'),
		});
		expect(error?.message).toContain("'Forum Opportunity'");
		expect(writes()).toEqual([]);
	});

	it.each([
		['forumOpportunity.update', forum('update', 'https://nowhere.example/x'), 'Forum Opportunity'],
		[
			'forumOpportunity.archive',
			forum('archive', 'https://nowhere.example/x'),
			'Forum Opportunity',
		],
		['action.create', citeMe('https://nowhere.example/x'), 'Cited Page'],
	])(
		'%s refuses an unknown URL with the name of the parameter',
		async (_name, parameters, name) => {
			const { error, output } = await run(sandbox, { parameters });
			expect(output).toEqual([]);
			expect(error?.message).toContain(`'${name}'`);
			expect(error?.description).toContain('https://nowhere.example/x');
			expect(writes()).toEqual([]);
		},
	);

	it('refuses what is not a URL before any request', async () => {
		const { error } = await run(sandbox, { parameters: forum('archive', 'forum/threads/1') });
		expect(error?.message).toContain("'Forum Opportunity'");
		expect(sandbox.requests).toEqual([]);
	});

	it('refuses an archived page, which is in no list', async () => {
		const { error } = await run(sandbox, { parameters: citeMe(pageWith('archived').url) });
		expect(error?.message).toContain("'Cited Page'");
		expect(writes()).toEqual([]);
	});

	it('continues with the other items, each with its own URL', async () => {
		const { id, url } = lastThread();
		const items: IDataObject[] = [{ url: 'https://nowhere.example/x' }, { url }];
		const result = await run(sandbox, {
			items,
			onError: 'continueErrorOutput',
			parameters: forum('update', '={{ $json.url }}'),
		});
		expect(result.errors).toMatchObject([{ pairedItem: { item: 0 } }]);
		expect(result.output).toMatchObject([{ json: { id }, pairedItem: { item: 1 } }]);
		expect(sandbox.requests.filter(({ method }) => method === 'GET')).toHaveLength(1);
	});
});

it('cited pages are found by domain or title, all and each once, as somebody scrolls', async () => {
	const pages = [...sandbox.state.all('citedPage')].filter(({ status }) => status !== 'archived');
	pages.forEach(({ id }, n) => {
		const domain = n % 3 === 0 ? 'samovar.example' : `site${n}.example`;
		const title = n % 5 === 0 ? `SAMOVARS, part ${n}` : `Page ${n}`;
		sandbox.edit('citedPage', id, { domain, title, url: `https://${domain}/${n}` });
	});
	const { results, pages: loads } = await searchToTheEnd('searchCitedPages', 'samovar');
	const expected = pages.filter((_page, n) => n % 3 === 0 || n % 5 === 0);
	expect(idsOf(results).sort()).toEqual(expected.map(({ id }) => id).sort());
	expect(loads).toBeGreaterThan(1);
});

it('a backlink is found by its URL, also among thousands', async () => {
	const large = await startSandbox({ empty: true, seed: { backlink: 3000 } });
	try {
		const link = large.discover.backlink({ domainFrom: 'samovar.example', domainFromRank: 0 });
		const { results } = await search('searchCompetitorBacklinks', link.urlFrom, undefined, large);
		expect(idsOf(results)).toEqual([link.id]);
		expect(large.requests.every(({ query }) => query.domainFrom === 'samovar.example')).toBe(true);
	} finally {
		await large.close();
	}
});
