import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';

import { itemAt } from '../defined.mts';
import { read } from '../docs/markdown.mts';
import { useSandbox } from '../sandbox/useSandbox.mts';
import { run } from './engine.mts';
import { at, listPages } from './helpers.mts';
import { OWN_OUTPUTS, SUMMARY_LISTS } from './schemas.mts';
import { TABLE } from './table.mts';
import { TOOL_TYPE } from './workflows.mts';

/**
 * Cited Page > Summarize: its fields, periods and texts. Its numbers are in `model/summarize.test.mts`,
 * and the platforms of a page in `platforms.test.mts`.
 */

const sandbox = await useSandbox({ empty: true });

/** The fields of an item without lists, in the order of the output. */
const FLAT_FIELDS = Object.keys(OWN_OUTPUTS['citedPage.summarize'] ?? {}).filter(
	(name) => !(name in SUMMARY_LISTS),
);
const ALL_LISTS = Object.keys(SUMMARY_LISTS);

async function summaries(given: INodeParameters): Promise<IDataObject[]> {
	const { error, json } = await run(sandbox, { parameters: at('citedPage.summarize', given) });
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

const PAGE = {
	id: 'x',
	url: 'https://a.example/',
	title: 'A',
	domain: 'a.example',
	citations: 2,
	isOwnDomain: false,
	platforms: ['search_ai_mode', 'future_engine'],
	firstSeenAt: '2026-03-03T00:00:00Z',
};

describe('the items of Summarize', () => {
	const period = { period: 'custom', startDate: '2026-02-26', endDate: '2026-03-08' };
	beforeEach(() => listPages(sandbox, PAGE));

	it.each([true, false])(
		'are flat, with the fields of the preview, whether the previous period is beside them or not: %s',
		async (comparePrevious) => {
			const summary = await summarize({ ...period, comparePrevious });
			expect(Object.keys(summary)).toEqual(FLAT_FIELDS);
			const cells = Object.values(summary).filter((value) => value !== null);
			expect(new Set(cells.map((value) => typeof value))).toEqual(new Set(['string', 'number']));
		},
	);

	it('for each complete month say what is usual, also by the months before the period', async () => {
		const year = { period: 'custom', startDate: '2026-01-15', endDate: '2026-09-15' };
		const ranges = (await summaries({ ...year, splitBy: 'month' })).map(
			({ startDate, ownShareUsualLow: low, ownShareUsualHigh: high, isUnusual }) =>
				isUnusual === null ? null : [startDate, low, high, isUnusual],
		);
		// Seven months are complete, so two more are read, and the last of the seven has eight before it
		expect(ranges).toEqual([
			null,
			null,
			null,
			['2026-04-01', 0, 0, false],
			['2026-05-01', 0, 0, false],
			['2026-06-01', 0, 0, false],
			['2026-07-01', 0, 0, false],
			['2026-08-01', 0, 0, false],
			null,
		]);
	});

	it('for each month are compared only with a complete one, and partial ones with none', async () => {
		const spring = { period: 'custom', startDate: '2026-02-01', endDate: '2026-05-08' };
		const include = ['lostPages', 'platforms'];
		const partial = { citationsChange: null, pagesLost: null, previousCitations: null };
		expect(await summaries({ ...spring, splitBy: 'month', include })).toMatchObject([
			{ startDate: '2026-02-01', previousStartDate: '2026-01-01', previousEndDate: '2026-01-31' },
			{ startDate: '2026-03-01', previousStartDate: '2026-02-01', citationsChange: 0 },
			{ startDate: '2026-04-01', previousStartDate: '2026-03-01', pagesLost: 0 },
			{ startDate: '2026-05-01', endDate: '2026-05-08', previousStartDate: null, ...partial },
		]);
		const [first, second] = await summaries({ ...period, splitBy: 'month' });
		expect(first).toMatchObject({ startDate: '2026-02-26', previousStartDate: null, ...partial });
		expect(second).toMatchObject({ startDate: '2026-03-01', previousStartDate: null, ...partial });
	});

	it('are compared with none as long as they have not ended, split or not', async () => {
		const dayIn = (days: number) =>
			new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
		const ending = async (days: number, splitBy: string) => {
			const parameters = {
				period: 'custom',
				startDate: dayIn(days - 13),
				endDate: dayIn(days),
				splitBy,
				comparePrevious: true,
			};
			return (await summaries(parameters)).map(
				({ previousEndDate, ownShareChange, isUnusual }) => ({
					isCompared: previousEndDate !== null,
					hasChange: ownShareChange !== null,
					isJudged: isUnusual !== null,
				}),
			);
		};
		const none = { isCompared: false, hasChange: false, isJudged: false };
		for (const days of [0, 1, 10]) {
			expect(await ending(days, 'none')).toEqual([none]);
			expect((await ending(days, 'week')).at(-1)).toEqual(none);
			expect((await ending(days, 'day')).at(-1)).toEqual(none);
		}
		expect(await ending(-1, 'none')).toMatchObject([{ isCompared: true }]);
		expect(await ending(-1, 'week')).toMatchObject([{ isCompared: true }, { isCompared: true }]);
		expect((await ending(0, 'day')).at(-2)).toMatchObject({ isCompared: true });
	});

	it('for each week are compared with the week before, but a first short one with none', async () => {
		const [short, whole, last] = await summaries({
			period: 'custom',
			startDate: '2026-02-20',
			endDate: '2026-03-08',
			splitBy: 'week',
		});
		expect(short).toMatchObject({ days: 3, citationsChange: null, ownShareChange: null });
		expect(whole).toMatchObject({ days: 7, citationsChange: null, previousStartDate: null });
		expect(last).toMatchObject({ days: 7, citationsChange: 0, previousStartDate: '2026-02-23' });
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
])('Summarize with %j is refused before anything is sent', async (parameters, message) => {
	await expect(summarize(parameters)).rejects.toThrow(message);
	expect(sandbox.requests).toEqual([]);
});

it('the period of Summarize may be without an end', async () => {
	const endless = { ...custom, endDate: '9999-12-31', comparePrevious: false };
	expect(await summarize(endless)).toMatchObject({ previousStartDate: null, pages: 0 });
});

it.each([1, 4, 7])(
	'no summary is made of only some pages: request %i of 7 fails, and so does it',
	async (nth) => {
		sandbox.fault({ kind: 'status', status: 422, match: { nth } });
		await expect(summarize({ period: 'last7Days' })).rejects.toMatchObject({ httpCode: '422' });
	},
);

it("as a tool, 'competitors' has you and as many of the most cited others as 'Top Entries' says; for people, it has all", async () => {
	for (const [n, name] of ['Ada', 'Bea', 'Cy', 'Di'].entries()) {
		const domain = `${name.toLowerCase()}.example`;
		sandbox.discover.competitor({ name, domain, state: 'tracked' });
		const url = `https://${domain}/tea`;
		sandbox.discover.citedPage({ url, citations: n + 1, firstSeenAt: '2026-03-03T00:00:00Z' });
	}
	const parameters = at('citedPage.summarize', {
		period: 'custom',
		startDate: '2026-03-01',
		endDate: day(Date.now()),
		include: ['competitors'],
		options: { top: 2 },
	});
	const namesFor = async (node: Partial<INode>) => {
		const { json, said } = await run(sandbox, { parameters, node });
		const { competitors } = itemAt(said.length > 0 ? said : json, 0);
		return (competitors as IDataObject[]).map(({ name, isOwn }) => (isOwn ? 'You' : name));
	};
	expect(await namesFor({})).toEqual(['Di', 'Cy', 'Bea', 'Ada', 'You']);
	const tool = { type: TOOL_TYPE, rewireOutputLogTo: 'ai_tool' as const };
	expect(await namesFor(tool)).toEqual(['Di', 'Cy', 'You']);
});

describe('for a summary', () => {
	const include = ['platforms', 'topDomains', 'topPages'];
	it.each<[IDataObject, IDataObject]>([
		[{ citations: '2' }, { pages: 1, citations: 2 }],
		[
			{ title: null, isOwnDomain: null },
			{ ownPages: 0, pages: 1 },
		],
		[{ isOwnDomain: ' FALSE ' }, { ownPages: 0, topPages: [{ isOwnDomain: false }] }],
		[
			{ citations: '0', domain: null, platforms: null, url: null, firstSeenAt: null },
			{ topDomains: [], pages: 0 },
		],
	])('a page with %j is understood', async (changes, expected) => {
		listPages(sandbox, { ...PAGE, ...changes });
		expect(await summarize({ include })).toMatchObject(expected);
	});

	it.each([
		...['id', 'url', 'domain', 'citations', 'firstSeenAt'].map((name) => ({ [name]: null })),
		{ citations: 1.5 },
		{ isOwnDomain: 'perhaps' },
		{ platforms: 4 },
	])('a page with %j is not as documented', async (changes) => {
		listPages(sandbox, { ...PAGE, ...changes });
		await expect(summarize({})).rejects.toThrow(/has an unexpected format/);
	});

	it("a platform that is added later can be a filter, and comes after today's four", async () => {
		listPages(sandbox, PAGE, { ...PAGE, id: 'y', platforms: ['search_ai_mode'] });
		const filters = { platforms: '={{ ["future_engine"] }}' };
		const { pages, citations, platforms } = await summarize({ include, filters });
		expect({ pages, citations }).toEqual({ pages: 1, citations: 2 });
		expect((platforms as IDataObject[]).slice(3)).toEqual([
			{ platform: 'search_ai_mode', pages: 1, ownPages: 0, previousPages: 1 },
			{ platform: 'future_engine', pages: 1, ownPages: 0, previousPages: 1 },
		]);
	});
});

it.each([
	['the hint for the workflow builder', TABLE.get('citedPage.summarize')?.builderHint],
	['the page about tools', /fromAI\('include'.*/.exec(read('docs/ai-tool.md'))?.[0]],
])('a model learns from %s which lists Summarize has', (_where, words) => {
	expect(ALL_LISTS).toHaveLength(8);
	expect(ALL_LISTS.filter((list) => !words?.includes(list))).toEqual([]);
});
