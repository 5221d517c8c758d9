import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { itemAt } from '../defined.mts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { amount } from '../seed.mts';
import { run } from './engine.mts';
import { failedOf, MODES } from './helpers.mts';
import { SCHEMA_FOLDER, schemaFile } from './schemas.mts';
import { summariesInSql, type Wanted } from './summarySql.mts';

const PREVIEW = JSON.parse(
	readFileSync(join(SCHEMA_FOLDER, schemaFile('citedPage.summarize')), 'utf8'),
) as { properties: object };

/** Cited Page > Summarize, and the lists that it shares with Get Many and Type "All". */

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ empty: true });
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const DAY = 86_400_000;
const PLATFORMS = ['chat_assistant', 'answer_engine', 'search_ai_overview', 'search_ai_mode'];
type Platform = 'chat_assistant';
const LISTS = ['new', 'processed', 'archived'] as const;

/** One page, with the answers that cited it. */
interface Page {
	id?: string;
	url: string;
	domain: string;
	isOwnDomain: boolean;
	status: (typeof LISTS)[number];
	citations: Array<{ at: number; platform: Platform }>;
}

const addPage = (page: Page) =>
	sandbox.state.add('citedPage', {
		title: `About ${page.url}`,
		...page,
		citations: [...page.citations].sort((a, b) => a.at - b.at),
	});

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

const callFor = ({ domain, platforms, top, ...others }: Wanted): INodeParameters => ({
	period: 'custom',
	...others,
	filters: { ...(domain && { domain }), platforms },
	options: { top },
});

const FIRST = Date.parse('2026-02-25T00:00:00Z');

/** Times in and around both periods, to the millisecond. */
const timesAround = (days: number) => {
	const edges = [FIRST - days * DAY, FIRST, FIRST + days * DAY];
	return fc.oneof(
		fc.constantFrom(...edges.flatMap((edge) => [edge - 1, edge])),
		fc.integer({ min: itemAt(edges, 0) - 2 * DAY, max: itemAt(edges, 2) + 2 * DAY }),
	);
};

const DOMAINS = ['a.example', 'b.example', 'own.example', 'blog.own.example', 'z.test'];

const pagesAround = (days: number, most: number) => {
	const citation = fc.record({
		at: timesAround(days),
		platform: fc.constantFrom(...PLATFORMS) as fc.Arbitrary<Platform>,
	});
	const page = fc.record({
		domain: fc.constantFrom(...DOMAINS),
		path: fc.nat({ max: 5 }),
		status: fc.constantFrom(...LISTS),
		citations: fc.array(citation, { minLength: 1, maxLength: 4 }),
	});
	// Unique addresses, which decide ties
	return fc
		.uniqueArray(page, { maxLength: most, selector: ({ domain, path }) => `${domain}/${path}` })
		.map((pages) =>
			pages.map(({ domain, path, ...rest }) => ({
				...rest,
				domain,
				isOwnDomain: domain.includes('own'),
				url: `https://${domain}/${path}`,
			})),
		);
};

/** More days where they make fewer parts. */
const SPLITS = [
	{ splitBy: 'none', most: 40 },
	{ splitBy: 'day', most: 5 },
	{ splitBy: 'week', most: 24 },
	{ splitBy: 'month', most: 70 },
] as const;

const workspaces = fc
	.constantFrom(...SPLITS)
	.chain(({ splitBy, most }) =>
		fc.integer({ min: 1, max: most }).map((days) => ({ splitBy, days })),
	)
	.chain(({ splitBy, days }) =>
		fc.record({
			pages: pagesAround(days, 25),
			wanted: fc.record({
				startDate: fc.constant(day(FIRST)),
				endDate: fc.constant(day(FIRST + (days - 1) * DAY)),
				splitBy: fc.constant(splitBy),
				comparePrevious: fc.boolean(),
				domain: fc.constantFrom('', '', 'own', 'example', 'nobody'),
				platforms: fc.oneof(fc.constant<string[]>([]), fc.subarray(PLATFORMS)),
				top: fc.constantFrom(0, 1, 3, 10),
			}),
			move: fc.option(
				fc.record({
					request: fc.integer({ min: 1, max: 10 }),
					which: fc.nat(),
					to: fc.constantFrom(...LISTS),
				}),
			),
		}),
	);

/** Platforms come in any order. */
const sorted = (item: IDataObject): unknown =>
	JSON.parse(
		JSON.stringify(item, (_name, value: unknown) =>
			Array.isArray(value) && typeof value[0] === 'string' ? [...value].sort() : value,
		),
	);

describe('the numbers of Summarize', () => {
	it('agree with what SQL makes of the single citations, for days, weeks and months, even while a page moves between the lists', async () => {
		await fc.assert(
			fc.asyncProperty(workspaces, async ({ pages, wanted, move }) => {
				sandbox.reset();
				const added = pages.map(addPage);
				sandbox.beforeList((n) => {
					if (n !== move?.request || added.length === 0) return;
					const { id } = itemAt(added, move.which % added.length);
					sandbox.edit('citedPage', id, { status: move.to });
				});
				const items = await summaries(callFor(wanted));
				expect(items.map(sorted)).toEqual(summariesInSql(sandbox, wanted).map(sorted));
				for (const item of items) expect(Object.keys(item)).toEqual(NAMES);
			}),
			{ numRuns: amount(30, 500) },
		);
	}, 120_000);

	/** In the order in which they are shown. */
	const NAMES = [
		...['startDate', 'endDate', 'days'],
		...['citations', 'ownCitations', 'ownShare', 'pages', 'ownPages', 'pagesGained', 'pagesLost'],
		...['citationsChange', 'ownCitationsChange', 'ownShareChange'],
		...['pagesChange', 'ownPagesChange', 'previousStartDate', 'previousEndDate'],
		...['previousCitations', 'previousOwnCitations', 'previousOwnShare'],
		...['previousPages', 'previousOwnPages'],
		...['platforms', 'topDomains', 'topPages', 'topOwnPages'],
	];

	it('are in the preview of the output', () => {
		expect(Object.keys(PREVIEW.properties)).toEqual(NAMES);
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
			"The 'Split By' parameter would give more than 366 parts",
		],
		...['Answer Engine', '{"a": 1}'].map((platform): [INodeParameters, string] => [
			{ filters: { platforms: `={{ ${JSON.stringify([platform])} }}` } },
			"The 'Platforms' parameter has a value that the service does not know",
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
	it.each(MODES)('if a list is shorter than announced, on error %s', async (onError) => {
		sandbox.setVariant({ highTotal: 5 });
		const result = await run(sandbox, {
			parameters: { resource: 'citedPage', operation: 'summarize' },
			onError,
		});
		const messages = onError
			? failedOf(result).map(({ json }) => json.message)
			: [result.error?.message];
		expect(messages).toEqual([expect.stringMatching(/list/i)]);
		expect([...result.output, ...result.errors]).toHaveLength(onError ? 1 : 0);
	});

	it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])('if request %i of 10 fails', async (nth) => {
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
	const answering = (...items: IDataObject[]) => {
		const { length: count } = items;
		const body = { data: { total: count, offset: 0, limit: 100, count, items } };
		sandbox.fault({ kind: 'status', status: 200, body, match: { times: null } } as never);
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
		expect(await summarize({})).toMatchObject(expected);
	});

	it.each([
		...['id', 'url', 'domain', 'citations', 'firstSeenAt'].map((name) => ({ [name]: null })),
		...[1.5, '1.5', 'many', -1, true].map((citations) => ({ citations })),
		...['perhaps', 2, {}, 'constructor'].map((isOwnDomain) => ({ isOwnDomain })),
		...[4, [{ name: 'answer_engine' }]].map((platforms) => ({ platforms })),
	])('a page with %j is not as documented', async (changes) => {
		answering({ ...page, ...changes });
		await expect(summarize({})).rejects.toThrow(/does not have the documented format/);
	});

	it("a platform that is added later can be a filter, and comes after today's four", async () => {
		answering(page, { ...page, id: 'y', platforms: ['search_ai_mode'] });
		const filters = { platforms: '={{ ["future_engine"] }}' };
		const { pages, citations, platforms } = await summarize({ filters });
		expect({ pages, citations }).toEqual({ pages: 1, citations: 2 });
		expect((platforms as IDataObject[]).slice(3)).toEqual([
			{ platform: 'search_ai_mode', pages: 1, ownPages: 0 },
			{ platform: 'future_engine', pages: 1, ownPages: 0 },
		]);
	});
});

it('Type All of backlinks has those to competitors in any state', async () => {
	const archivedAt = '2026-03-03T00:00:00Z';
	for (const more of [{}, { status: 'processed' as const }, { archivedAt }, { own: true }]) {
		sandbox.discover.backlink(more);
	}
	const list = { resource: 'backlink', operation: 'getAll', type: 'all', returnAll: true };
	const { json } = await run(sandbox, { parameters: list });
	const lists = json.map(({ listType }) => listType);
	expect(lists).toEqual(['competitors', 'processed', 'archived']);
});

it('a query parameter does not overrule the lists that Type All reads', async () => {
	for (const status of LISTS) sandbox.discover.citedPage({ status });
	const queryParameters = { parameters: [{ name: 'type', value: 'archived' }] };
	const list = { resource: 'citedPage', operation: 'getAll', type: 'all', returnAll: true };
	const { json } = await run(sandbox, { parameters: { ...list, options: { queryParameters } } });
	expect(json.map(({ listType }) => listType)).toEqual(['new', 'processed', 'archived']);
});
