import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { defined, itemAt } from '../defined.mts';
import { read } from '../docs/markdown.mts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { run } from './engine.mts';
import { SCHEMA_FOLDER, schemaFile, SUMMARY_LISTS } from './schemas.mts';
import { TABLE } from './table.mts';

const PREVIEW = JSON.parse(
	readFileSync(join(SCHEMA_FOLDER, schemaFile('citedPage.summarize')), 'utf8'),
) as { properties: object };

/** The fields of an item with all lists, and of one without any, in the order of the output. */
const ALL_FIELDS = Object.keys(PREVIEW.properties);
const FLAT_FIELDS = ALL_FIELDS.filter((name) => !(name in SUMMARY_LISTS));
const ALL_LISTS = Object.keys(SUMMARY_LISTS);

const SUMMARIZE = defined(TABLE.get('citedPage.summarize'));

/** Cited Page > Summarize, and the lists that it shares with Get Many and Type "All". */

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ empty: true });
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const DAY = 86_400_000;

/** By the address of each page: its list, and when it was cited on which platform. */
const CITED = {
	'own.example/a': ['new', '02-20 chat_assistant, 02-26 chat_assistant, 03-08 answer_engine'],
	'c.example/lost': ['processed', '02-25 answer_engine'],
	'c.example/z': [
		'archived',
		'03-01 search_ai_overview, 03-01 chat_assistant, 03-02 chat_assistant',
	],
	'c.example/g': ['new', '03-08 search_ai_mode, 03-08 search_ai_mode'],
	'c.example/f': ['processed', '03-08 search_ai_mode, 03-08 search_ai_mode'],
	'b.example/d': ['new', '03-02 answer_engine, 03-03 answer_engine'],
	'own.example/later': ['new', '03-09 chat_assistant'],
} as const;

function addPages(): void {
	for (const [address, [status, cited]] of Object.entries(CITED)) {
		const [domain = ''] = address.split('/');
		const citations = cited.split(', ').map((one) => {
			const [day, platform] = one.split(' ') as [string, 'chat_assistant'];
			return { at: Date.parse(`2026-${day}T12:00:00Z`), platform };
		});
		const page = { title: `About ${address}`, url: `https://${address}`, domain };
		const isOwnDomain = domain === 'own.example';
		sandbox.state.add('citedPage', { ...page, isOwnDomain, status, citations });
	}
}

async function summaries(parameters: INodeParameters): Promise<IDataObject[]> {
	const result = await run(sandbox, {
		parameters: { resource: 'citedPage', operation: 'summarize', ...parameters },
	});
	if (result.error) throw result.error;
	expect(sandbox.responseViolations).toEqual([]);
	return result.json;
}

async function summarize(parameters: INodeParameters): Promise<IDataObject> {
	const items = await summaries(parameters);
	expect(items).toHaveLength(1);
	return itemAt(items, 0);
}

const day = (time: number) => new Date(time).toISOString().slice(0, 10);

describe('the numbers of Summarize', () => {
	const period = { period: 'custom', startDate: '2026-02-26', endDate: '2026-03-08' };
	const include = ['platforms', 'topDomains', 'topPages', 'topOwnPages'];
	const urls = (pages: unknown) => (pages as IDataObject[]).map(({ url }) => String(url).slice(8));
	beforeEach(addPages);

	const counted = {
		...{ workspaceId: expect.any(String), workspaceName: expect.any(String) },
		...{ startDate: '2026-02-26', endDate: '2026-03-08', days: 11 },
		...{ citations: 11, ownCitations: 2, ownShare: 18.2, pages: 5, ownPages: 1, pagesGained: 4 },
	};
	const included = {
		platforms: [
			{ platform: 'chat_assistant', pages: 2, ownPages: 1 },
			{ platform: 'answer_engine', pages: 2, ownPages: 1 },
			{ platform: 'search_ai_overview', pages: 1, ownPages: 0 },
			{ platform: 'search_ai_mode', pages: 2, ownPages: 0 },
		],
		topDomains: [
			{ domain: 'c.example', isOwnDomain: false, pages: 3, citations: 7, share: 63.6 },
			{ domain: 'b.example', isOwnDomain: false, pages: 1, citations: 2, share: 18.2 },
			{ domain: 'own.example', isOwnDomain: true, pages: 1, citations: 2, share: 18.2 },
		],
	};
	const compared = {
		pagesLost: 1,
		...{ citationsChange: 9, ownCitationsChange: 1, ownShareChange: -31.8 },
		...{ pagesChange: 3, ownPagesChange: 0 },
		...{ previousStartDate: '2026-02-15', previousEndDate: '2026-02-25', previousCitations: 2 },
		...{ previousOwnCitations: 1, previousOwnShare: 50, previousPages: 2, previousOwnPages: 1 },
	};
	const alone = Object.fromEntries(Object.keys(compared).map((name) => [name, null]));

	it.each([
		[true, compared],
		[false, alone],
	])(
		'are those of the period, with the previous one beside them: %s',
		async (comparePrevious, more) => {
			const summary = await summarize({ ...period, comparePrevious });
			expect(summary).toEqual({ ...counted, ...more });
			expect(Object.keys(summary)).toEqual(FLAT_FIELDS);
			const cells = Object.values(summary).filter((value) => value !== null);
			expect(new Set(cells.map((value) => typeof value))).toEqual(new Set(['string', 'number']));
		},
	);

	it('have the lists beside them that are included', async () => {
		const summary = await summarize({ ...period, include: ALL_LISTS });
		expect(Object.keys(summary)).toEqual(ALL_FIELDS);
		const { platforms, topDomains, topPages, topOwnPages } = summary;
		expect({ platforms, topDomains }).toEqual(included);
		// Ties by domain and address
		const tied = ['b.example/d', 'c.example/f', 'c.example/g', 'own.example/a'];
		expect(urls(topPages)).toEqual(['c.example/z', ...tied]);
		expect(topOwnPages).toEqual([
			{
				...{ id: expect.any(String), url: 'https://own.example/a', title: 'About own.example/a' },
				...{ domain: 'own.example', isOwnDomain: true, citations: 2 },
				platforms: ['chat_assistant', 'answer_engine'],
			},
		]);
		const { topDomains: alone, ...others } = await summarize({
			...period,
			include: ['topDomains'],
		});
		expect(alone).toEqual(topDomains);
		expect(Object.keys(others)).toEqual(FLAT_FIELDS);
	});

	it('show you beside each tracked competitor, and which pages were gained and lost', async () => {
		for (const domain of ['b.example', 'c.example', 'none.example'])
			sandbox.discover.competitor({ domain, name: `About ${domain}`, state: 'tracked' });
		sandbox.discover.competitor({ domain: 'own.example', name: 'Not tracked' });
		const entry = (name: unknown, domain: string, isOwn: boolean, ...numbers: number[]) => {
			const [pages, citations, share, shareChange] = numbers;
			return { name, domain, isOwn, pages, citations, share, shareChange };
		};
		const { workspace } = sandbox.state;
		const summary = await summarize({ ...period, include: ALL_LISTS });
		expect(summary.competitors).toEqual([
			entry('About c.example', 'c.example', false, 3, 7, 63.6, 13.6),
			entry('About b.example', 'b.example', false, 1, 2, 18.2, 18.2),
			entry(workspace.name, 'northwind-tea.example', true, 1, 2, 18.2, -31.8),
			entry('About none.example', 'none.example', false, 0, 0, 0, 0),
		]);
		expect(urls(summary.gainedPages)).toEqual([
			...['c.example/z', 'b.example/d', 'c.example/f', 'c.example/g'],
		]);
		expect(urls(summary.lostPages)).toEqual(['c.example/lost']);
		expect(summary.lostOwnPages).toEqual([]);
		const next = { period: 'custom', startDate: '2026-03-09', endDate: '2026-03-09' };
		const { lostPages, lostOwnPages, pagesLost } = await summarize({
			...{ ...next, include: ALL_LISTS, options: { top: 2 } },
		});
		expect(pagesLost).toBe(3);
		expect(urls(lostPages)).toEqual(['c.example/f', 'c.example/g']);
		expect(lostOwnPages).toMatchObject([
			{ url: 'https://own.example/a', isOwnDomain: true, citations: 1 },
		]);
		const alone = await summarize({ ...period, include: ['competitors'], comparePrevious: false });
		const changes = (alone.competitors as IDataObject[]).map(({ shareChange }) => shareChange);
		expect(changes).toEqual([null, null, null, null]);
	});

	it.each<[object, object, string[]]>([
		[{ options: { top: 2 } }, { pages: 5, citations: 11 }, ['c.example/z', 'b.example/d']],
		[{ filters: { domain: 'own' } }, { ownShare: 100, pagesLost: 0 }, ['own.example/a']],
		// Of a page that fits, all citations count
		[{ filters: { platforms: ['search_ai_overview'] } }, { citations: 3 }, ['c.example/z']],
		[{ filters: { domain: 'none' } }, { citations: 0, ownShare: null, topDomains: [] }, []],
	])('with %j are %j, and the top pages %j', async (parameters, expected, pages) => {
		const summary = await summarize({ ...period, include, ...parameters });
		expect(summary).toMatchObject(expected);
		expect(urls(summary.topPages)).toEqual(pages);
	});

	it('name the workspace of the credential, which is read once for all items, as are its competitors', async () => {
		const chosen = { ...period, include: ['competitors'] };
		const parameters = { resource: 'citedPage', operation: 'summarize', ...chosen };
		const { json } = await run(sandbox, { parameters, items: [{}, {}] });
		const { id, name } = sandbox.state.workspace;
		const named = json.map(({ workspaceId, workspaceName }) => [workspaceId, workspaceName]);
		expect(named).toEqual([
			[id, name],
			[id, name],
		]);
		const paths = sandbox.requests.map(({ path }) => path);
		for (const once of ['/v1/workspace', '/v1/competitors'])
			expect(paths.filter((path) => path === once)).toHaveLength(1);
	});

	it.each([1, 2, 3])('count a page once that moves on before request %i of 3', async (request) => {
		const call = { ...period, comparePrevious: false };
		const before = await summarize(call);
		sandbox.beforeList((n) => {
			if (n !== request) return;
			for (const { id, status } of [...sandbox.state.all('citedPage')])
				sandbox.edit('citedPage', id, { status: status === 'new' ? 'processed' : 'archived' });
		});
		expect(await summarize(call)).toEqual(before);
	});

	it.each([
		['month', '02-26 to 02-28: 1 of 1, was 1', '03-01 to 03-08: 10 of 5, was 1'],
		['week', '02-26 to 03-01: 3 of 2, was 1', '03-02 to 03-08: 8 of 5, was 3'],
	])('for each %s are counted from part to part: %s, then %s', async (splitBy, ...expected) => {
		const parts = (await summaries({ ...period, splitBy })).map(
			({ startDate, endDate, citations, pages, previousCitations }) =>
				`${String(startDate).slice(5)} to ${String(endDate).slice(5)}: ${citations} of ${pages}, was ${previousCitations}`,
		);
		expect(parts).toEqual(expected);
	});

	it('for each day are counted from day to day', async () => {
		const days = { ...period, startDate: '2026-03-01', endDate: '2026-03-03', splitBy: 'day' };
		expect(await summaries(days)).toMatchObject([
			{ days: 1, citations: 2, pagesGained: 1, pagesLost: 0, ownShare: 0, ownShareChange: null },
			{ days: 1, citations: 2, pagesGained: 1, pagesLost: 0, ownShare: 0, ownShareChange: 0 },
			{ days: 1, citations: 1, pagesGained: 0, pagesLost: 1, previousEndDate: '2026-03-02' },
		]);
	});
});

it.each([
	['last7Days', 7],
	['last28Days', 28],
	['last90Days', 90],
	[undefined, 28],
])('the period %s of Summarize is %i full days in UTC, ending yesterday', async (period, days) => {
	const yesterdays = [day(Date.now() - DAY)];
	const summary = await summarize(period ? { period } : {});
	// They are the same, unless midnight has passed in the meantime
	yesterdays.push(day(Date.now() - DAY));
	expect(yesterdays).toContain(summary.endDate);
	const last = Date.parse(String(summary.endDate));
	expect(summary).toMatchObject({
		startDate: day(last - (days - 1) * DAY),
		days,
		previousStartDate: day(last - (2 * days - 1) * DAY),
		previousEndDate: day(last - days * DAY),
	});
});

describe('the period of Summarize', () => {
	const custom = { period: 'custom', startDate: '2026-03-02', endDate: '2026-03-08' };
	it.each<[INodeParameters, string]>([
		[{ ...custom, endDate: '2026-03-01' }, "The 'End Date' parameter is before the 'Start Date'"],
		[
			{ ...custom, startDate: '2025-03-01', endDate: '2026-03-02', splitBy: 'day' },
			"The 'Split By' parameter splits the period into more than 366 parts",
		],
		[
			{ include: ['lostPages', 'competitors'], comparePrevious: false },
			"The 'Include Lists' parameter has lists of lost pages, but 'Compare With Previous Period' is off",
		],
		[
			{ include: '={{ ["competitors", "rivals"] }}' },
			`The 'Include Lists' parameter must be one of: ${[...ALL_LISTS].sort().join(', ')}`,
		],
		...['Answer Engine', '{"a": 1}'].map((platform): [INodeParameters, string] => [
			{ filters: { platforms: `={{ ${JSON.stringify([platform])} }}` } },
			"The 'Platforms' parameter contains an unknown value",
		]),
	])(
		'is refused before anything is sent if it cannot be right: %j',
		async (parameters, message) => {
			await expect(summarize(parameters)).rejects.toThrow(message);
			expect(sandbox.requests).toEqual([]);
		},
	);

	it.each<[INodeParameters, object]>([
		[
			{ endDate: '9999-12-31', comparePrevious: false },
			{ pages: 0, previousStartDate: null },
		],
		[{ startDate: '2026-03-08' }, { startDate: '2026-03-08', endDate: '2026-03-08', days: 1 }],
	])('may be without an end, or one day: %j', async (parameters, expected) => {
		expect(await summarize({ ...custom, ...parameters })).toMatchObject(expected);
	});
});

describe('no summary is made of only some pages', () => {
	it.each([1, 4, 7])('if request %i of 7 fails', async (nth) => {
		sandbox.fault({ kind: 'status', status: 422, match: { nth } });
		const reading = summarize({ period: 'last7Days' });
		await expect(reading).rejects.toMatchObject({ httpCode: '422' });
	});
});

describe('for a summary', () => {
	const page = {
		...{ id: 'x', url: 'https://a.example/', title: 'A', domain: 'a.example', citations: 2 },
		...{ isOwnDomain: false, platforms: ['search_ai_mode', 'future_engine'] },
		firstSeenAt: '2026-03-03T00:00:00Z',
	};
	const include = ['platforms', 'topDomains', 'topPages'];
	const answering = (...items: IDataObject[]) => {
		const page = (all: IDataObject[]) => ({
			data: { total: all.length, offset: 0, limit: 100, count: all.length, items: all },
		});
		const match = { path: '/v1/ai-visibility/citations', times: null };
		const isNew = { ...match, query: { type: 'new' } };
		sandbox.fault({ kind: 'status', status: 200, body: page(items), match: isNew } as never);
		sandbox.fault({ kind: 'status', status: 200, body: page([]), match } as never);
	};

	it.each<[IDataObject, IDataObject]>([
		[{ citations: '2' }, { pages: 1, citations: 2 }],
		[{ platforms: null }, { pages: 1, citations: 2 }],
		[
			{ title: null, isOwnDomain: null },
			{ pages: 1, ownPages: 0 },
		],
		...[1, '1', 'true', 'True', true].map((isOwnDomain): [IDataObject, IDataObject] => [
			{ isOwnDomain },
			{ ownPages: 1, topPages: [{ isOwnDomain: true }] },
		]),
		...[0, '0', 'false', ' FALSE '].map((isOwnDomain): [IDataObject, IDataObject] => [
			{ isOwnDomain },
			{ ownPages: 0, topPages: [{ isOwnDomain: false }] },
		]),
		[
			{ platforms: 'search_ai_mode, answer_engine,' },
			{ topPages: [{ platforms: ['search_ai_mode', 'answer_engine'] }] },
		],
		[{ citations: 0, platforms: null, url: null, firstSeenAt: null }, { pages: 0 }],
		[
			{ citations: '0', domain: null },
			{ pages: 0, topDomains: [] },
		],
	])('a page with %j is understood', async (changes, expected) => {
		answering({ ...page, ...changes });
		expect(await summarize({ include })).toMatchObject(expected);
	});

	it.each([
		...['id', 'url', 'domain', 'citations', 'firstSeenAt'].map((name) => ({ [name]: null })),
		...[1.5, '1.5', 'many', -1, true].map((citations) => ({ citations })),
		...['perhaps', 2, {}, 'constructor'].map((isOwnDomain) => ({ isOwnDomain })),
		...[4, [{ name: 'answer_engine' }]].map((platforms) => ({ platforms })),
	])('a page with %j is not as documented', async (changes) => {
		answering({ ...page, ...changes });
		await expect(summarize({})).rejects.toThrow(/has an unexpected format/);
	});

	it("a platform that is added later can be a filter, and comes after today's four", async () => {
		answering(page, { ...page, id: 'y', platforms: ['search_ai_mode'] });
		const filters = { platforms: '={{ ["future_engine"] }}' };
		const { pages, citations, platforms } = await summarize({ include, filters });
		expect({ pages, citations }).toEqual({ pages: 1, citations: 2 });
		expect((platforms as IDataObject[]).slice(3)).toEqual([
			{ platform: 'search_ai_mode', pages: 1, ownPages: 0 },
			{ platform: 'future_engine', pages: 1, ownPages: 0 },
		]);
	});
});

it.each([
	['the hint for the workflow builder', SUMMARIZE.hint],
	['the page about tools', /fromAI\('include'.*/.exec(read('docs/ai-tool.md'))?.[0]],
])('a model learns from %s which lists Summarize has', (_where, words) => {
	expect(ALL_LISTS).toHaveLength(8);
	expect(ALL_LISTS.filter((list) => !words?.includes(list))).toEqual([]);
});

it('Type All of backlinks has those that are not archived', async () => {
	const archivedAt = '2026-03-03T00:00:00Z';
	for (const more of [{}, { status: 'processed' as const }, { archivedAt }, { own: true }]) {
		sandbox.discover.backlink(more);
	}
	const list = { resource: 'backlink', operation: 'getAll', type: 'all', returnAll: true };
	const { json } = await run(sandbox, { parameters: list });
	const lists = json.map(({ listType }) => listType);
	expect(lists).toEqual(['competitors', 'mine', 'processed']);
});
