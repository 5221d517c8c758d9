import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';

import { itemAt } from '../defined.mts';
import { read } from '../docs/markdown.mts';
import { useSandbox } from '../sandbox/useSandbox.mts';
import { run } from './engine.mts';
import { at, listPages } from './helpers.mts';
import { OWN_OUTPUTS, SUMMARY_LISTS } from './schemas.mts';
import { TABLE } from './table.mts';

/** Cited Page > Summarize: its fields, periods and texts. Its numbers are in `model/summarize.test.mts`. */

const sandbox = await useSandbox({ empty: true });

/** The fields of an item with all lists, and of one without any, in the order of the output. */
const ALL_FIELDS = Object.keys(OWN_OUTPUTS['citedPage.summarize'] ?? {});
const FLAT_FIELDS = ALL_FIELDS.filter((name) => !(name in SUMMARY_LISTS));
const ALL_LISTS = Object.keys(SUMMARY_LISTS);

async function summaries(parameters: INodeParameters, items = [{}]): Promise<IDataObject[]> {
	const summarize = at('citedPage.summarize', parameters);
	const { error, json } = await run(sandbox, { parameters: summarize, items });
	if (error) throw error;
	expect(sandbox.responseViolations).toEqual([]);
	return json;
}

async function summarize(parameters: INodeParameters): Promise<IDataObject> {
	const items = await summaries(parameters);
	expect(items).toHaveLength(1);
	return itemAt(items, 0);
}

const DAY = 86_400_000;
const day = (time: number) => new Date(time).toISOString().slice(0, 10);

/** By the address of each page: its list, and when it was cited on which platform. */
const CITED = {
	'own.example/a': ['new', '02-20 chat_assistant, 02-26 chat_assistant, 03-08 answer_engine'],
	'c.example/lost': ['processed', '02-25 answer_engine'],
	'c.example/z': ['archived', '03-01 search_ai_overview, 03-01 chat_assistant'],
	'own.example/later': ['new', '03-09 chat_assistant'],
} as const;

describe('the items of Summarize', () => {
	const period = { period: 'custom', startDate: '2026-02-26', endDate: '2026-03-08' };
	beforeEach(() => {
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
	});

	const counted = {
		...{ workspaceId: 'ws_0001', workspaceName: 'Northwind marketing' },
		...{ startDate: '2026-02-26', endDate: '2026-03-08', days: 11 },
		...{ citations: 4, ownCitations: 2, ownShare: 50, pages: 2, ownPages: 1, pagesGained: 1 },
	};
	const compared = {
		pagesLost: 1,
		...{ citationsChange: 2, ownCitationsChange: 1, ownShareChange: 0 },
		...{ pagesChange: 0, ownPagesChange: 0 },
		...{ previousStartDate: '2026-02-15', previousEndDate: '2026-02-25', previousCitations: 2 },
		...{ previousOwnCitations: 1, previousOwnShare: 50, previousPages: 2, previousOwnPages: 1 },
	};
	const alone = Object.fromEntries(Object.keys(compared).map((name) => [name, null]));

	it.each([
		[true, compared],
		[false, alone],
	])(
		'are flat, with the numbers of the period, and of the previous one beside them: %s',
		async (comparePrevious, more) => {
			const summary = await summarize({ ...period, comparePrevious });
			expect(summary).toEqual({ ...counted, ...more });
			expect(Object.keys(summary)).toEqual(FLAT_FIELDS);
			const cells = Object.values(summary).filter((value) => value !== null);
			expect(new Set(cells.map((value) => typeof value))).toEqual(new Set(['string', 'number']));
		},
	);

	it('have the lists beside the numbers that are included, and no others', async () => {
		const summary = await summarize({ ...period, include: ALL_LISTS });
		expect(Object.keys(summary)).toEqual(ALL_FIELDS);
		expect(summary.topOwnPages).toEqual([
			{
				...{ id: expect.any(String), url: 'https://own.example/a', title: 'About own.example/a' },
				...{ domain: 'own.example', isOwnDomain: true, citations: 2 },
				platforms: ['chat_assistant', 'answer_engine'],
			},
		]);
		const { topDomains, ...others } = await summarize({ ...period, include: ['topDomains'] });
		expect(topDomains).toEqual(summary.topDomains);
		expect(Object.keys(others)).toEqual(FLAT_FIELDS);
	});

	it('name the workspace of the credential, which is read once for all of them, as are its competitors', async () => {
		const json = await summaries({ ...period, include: ['competitors'] }, [{}, {}]);
		const { workspaceId, workspaceName } = counted;
		expect(json).toMatchObject(Array(2).fill({ workspaceId, workspaceName }));
		const paths = sandbox.requests.map(({ path }) => path);
		for (const once of ['/v1/workspace', '/v1/competitors'])
			expect(paths.filter((path) => path === once)).toHaveLength(1);
	});

	it('for each month are counted from part to part', async () => {
		expect(await summaries({ ...period, splitBy: 'month' })).toMatchObject([
			{ startDate: '2026-02-26', endDate: '2026-02-28', citations: 1, previousCitations: 1 },
			{ startDate: '2026-03-01', endDate: '2026-03-08', citations: 3, previousCitations: 1 },
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
])('Summarize with %j is refused before anything is sent', async (parameters, message) => {
	await expect(summarize(parameters)).rejects.toThrow(message);
	expect(sandbox.requests).toEqual([]);
});

it.each<[INodeParameters, object]>([
	[
		{ endDate: '9999-12-31', comparePrevious: false },
		{ previousStartDate: null, pages: 0 },
	],
	[{ startDate: '2026-03-08' }, { startDate: '2026-03-08', endDate: '2026-03-08', days: 1 }],
])(
	'the period of Summarize may be without an end, or one day: %j',
	async (parameters, expected) => {
		expect(await summarize({ ...custom, ...parameters })).toMatchObject(expected);
	},
);

it.each([1, 4, 7])(
	'no summary is made of only some pages: request %i of 7 fails, and so does it',
	async (nth) => {
		sandbox.fault({ kind: 'status', status: 422, match: { nth } });
		await expect(summarize({ period: 'last7Days' })).rejects.toMatchObject({ httpCode: '422' });
	},
);

describe('for a summary', () => {
	const page = {
		...{ id: 'x', url: 'https://a.example/', title: 'A', domain: 'a.example', citations: 2 },
		...{ isOwnDomain: false, platforms: ['search_ai_mode', 'future_engine'] },
		firstSeenAt: '2026-03-03T00:00:00Z',
	};
	const include = ['platforms', 'topDomains', 'topPages'];
	it.each<[IDataObject, IDataObject]>([
		[{ citations: '2' }, { pages: 1, citations: 2 }],
		[{ platforms: null }, { pages: 1, citations: 2 }],
		[
			{ title: null, isOwnDomain: null },
			{ ownPages: 0, pages: 1 },
		],
		[{ isOwnDomain: '1' }, { ownPages: 1, topPages: [{ isOwnDomain: true }] }],
		[{ isOwnDomain: ' FALSE ' }, { ownPages: 0, topPages: [{ isOwnDomain: false }] }],
		[
			{ platforms: 'search_ai_mode, answer_engine,' },
			{ topPages: [{ platforms: ['search_ai_mode', 'answer_engine'] }] },
		],
		[{ citations: 0, platforms: null, url: null, firstSeenAt: null }, { pages: 0 }],
		[
			{ citations: '0', domain: null },
			{ topDomains: [], pages: 0 },
		],
	])('a page with %j is understood', async (changes, expected) => {
		listPages(sandbox, { ...page, ...changes });
		expect(await summarize({ include })).toMatchObject(expected);
	});

	it.each([
		...['id', 'url', 'domain', 'citations', 'firstSeenAt'].map((name) => ({ [name]: null })),
		...[{ citations: 1.5 }, { isOwnDomain: 'perhaps' }, { platforms: 4 }],
	])('a page with %j is not as documented', async (changes) => {
		listPages(sandbox, { ...page, ...changes });
		await expect(summarize({})).rejects.toThrow(/has an unexpected format/);
	});

	it("a platform that is added later can be a filter, and comes after today's four", async () => {
		listPages(sandbox, page, { ...page, id: 'y', platforms: ['search_ai_mode'] });
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
	['the hint for the workflow builder', TABLE.get('citedPage.summarize')?.hint],
	['the page about tools', /fromAI\('include'.*/.exec(read('docs/ai-tool.md'))?.[0]],
])('a model learns from %s which lists Summarize has', (_where, words) => {
	expect(ALL_LISTS).toHaveLength(8);
	expect(ALL_LISTS.filter((list) => !words?.includes(list))).toEqual([]);
});
