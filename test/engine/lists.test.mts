import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { startSandbox, type Sandbox, type StoredKind } from '../sandbox/sandbox.mts';
import { run, type Access, type RunResult } from './engine.mts';
import { withSandbox } from './helpers.mts';

/** Lists whose records tie, from a database that orders equal records differently on each page. */

const SEED = {
	keyword: 1150,
	backlink: 1700,
	question: 832,
	citedPage: 1500,
	forumOpportunity: 315,
	competitor: 230,
};

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ seed: SEED, validateResponses: false });
});
beforeEach(() => sandbox.clearLog());
afterAll(() => sandbox.close());

const read = async (resource: string, more: INodeParameters = {}, access: Access = sandbox) =>
	await run(access, { parameters: { resource, operation: 'getAll', returnAll: true, ...more } });

function succeeded({ error, json }: RunResult): IDataObject[] {
	if (error) throw error;
	return json;
}

const idsOf = (records: Array<{ id?: unknown }>) => records.map(({ id }) => String(id)).sort();
const recordsOf = (kind: StoredKind) => sandbox.state.all(kind) as unknown as IDataObject[];
const listed = (kind: StoredKind) => recordsOf(kind).filter((one) => one.archivedAt === null);
const linked = () => listed('backlink').filter(({ own, status }) => !own && status === 'new');
const cited = () => recordsOf('citedPage').filter(({ status }) => status === 'new');

const by = (sortBy: string, sortOrder = 'desc') => ({ sort: { sortBy, sortOrder } });

describe('a list with ties', () => {
	const cases: Array<[string, INodeParameters, number, () => IDataObject[]]> = [
		['keyword', { type: 'all', ...by('competitionIndex') }, 1104, () => listed('keyword')],
		// Half of the keywords have none of these
		['keyword', { type: 'all', ...by('aiScore', 'asc') }, 1104, () => listed('keyword')],
		['backlink', by('backlinkSpamScore'), 1037, linked],
		// Some are in two of its lists
		['backlink', { type: 'all', ...by('domainFromRank') }, 1579, () => listed('backlink')],
		['question', {}, 800, () => listed('question')],
		['citedPage', { type: 'new' }, 1136, cited],
		['citedPage', { type: 'new', ...by('firstSeenAt', 'asc') }, 1136, cited],
		['forumOpportunity', {}, 300, () => listed('forumOpportunity')],
	];
	it.each(cases)(
		'of %s, %j, has all %i records, each once, in their order, in at most 8 times their pages of requests',
		async (resource, parameters, count, expected) => {
			const result = await read(resource, parameters);
			const records = succeeded(result);
			expect([records.length, result.hints]).toEqual([count, []]);
			expect(idsOf(records)).toEqual(idsOf(expected()));
			expect(sandbox.requests.length).toBeLessThanOrEqual(8 * Math.ceil(count / 100));
			const { sortBy = 'citations', sortOrder = 'desc' } = (parameters.sort ?? {}) as IDataObject;
			const values = records
				.map((record) => record[String(sortBy)])
				.filter((value) => value !== null);
			const steps = values.slice(1).filter((value, index) => {
				const before = values[index] as number;
				return sortOrder === 'desc' ? (value as number) > before : (value as number) < before;
			});
			expect(steps).toEqual([]);
		},
	);

	// Contract 4.3: tracked competitors come by creation date, the newest first
	it('that cannot be sorted has the first records of the order in the contract up to a limit', async () => {
		const tracked = () => recordsOf('competitor').filter(({ state }) => state === 'tracked');
		for (const [n, { id }] of tracked().entries()) {
			sandbox.edit('competitor', String(id), {
				createdAt: `2026-01-${10 + (n % 20)}T06:00:00.000Z`,
			});
		}
		const days = tracked().map(({ createdAt }) => String(createdAt));
		const limit = days.length - 15;
		const first = days.sort().reverse().slice(0, limit);
		const records = succeeded(await read('competitor', { limit, returnAll: false }));
		expect(records.map(({ createdAt }) => createdAt)).toEqual(first);
	});

	it('of cited pages comes by default whole but for what is archived, each record once, with its list', async () => {
		const kept = recordsOf('citedPage').filter(({ status }) => status !== 'archived');
		const pages = succeeded(await read('citedPage'));
		expect(idsOf(pages)).toEqual(idsOf(kept));
		const byId = new Map(kept.map(({ id, status }) => [id, status]));
		expect(pages.filter(({ id, listType }) => byId.get(id) !== listType)).toEqual([]);
	});

	it.each<[INodeParameters, (page: IDataObject) => number]>([
		[{}, ({ citations }) => -Number(citations)],
		[by('firstSeenAt', 'asc'), ({ firstSeenAt }) => Date.parse(String(firstSeenAt))],
	])('of several types has the first of them all, in order: %j', async (order, valueOf) => {
		const values = succeeded(await read('citedPage', order)).map(valueOf);
		expect(values).toEqual([...values].sort((a, b) => a - b));
		const first = await read('citedPage', { ...order, returnAll: false, limit: 20 });
		expect(succeeded(first).map(valueOf)).toEqual(values.slice(0, 20));
		expect(new Set(first.json.map(({ listType }) => listType)).size).toBe(2);
	});
});

describe('the filters of Cited Page > Get Many that the service does not have', () => {
	const filters: Array<[INodeParameters, (page: IDataObject) => boolean]> = [
		[{ ownership: 'any', platforms: [], minCitations: 0 }, () => true],
		[{ ownership: 'own' }, ({ isOwnDomain }) => isOwnDomain === true],
		[{ minCitations: 3 }, ({ citations }) => Number(citations) >= 3],
		[{ platforms: ['answer_engine'] }, ({ platforms }) => on(platforms, 'answer_engine')],
		[
			{ ownership: 'others', platforms: ['search_ai_mode', 'chat_assistant'], minCitations: 2 },
			({ isOwnDomain, platforms, citations }) =>
				isOwnDomain !== true &&
				(on(platforms, 'search_ai_mode') || on(platforms, 'chat_assistant')) &&
				Number(citations) >= 2,
		],
	];
	const on = (platforms: unknown, name: string) => (platforms as string[]).includes(name);

	it.each(filters)(
		'%j keep what fits, in the order of the list, and the limit counts what is left',
		async (given, fits) => {
			await withSandbox(async (small) => {
				small.state.untie('citedPage', 'domain');
				for (const list of [
					{ type: 'all', ...by('domain') },
					{ type: 'new', ...by('domain', 'asc') },
				]) {
					const fitting = succeeded(await read('citedPage', list, small)).filter(fits);
					expect(fitting.length).toBeGreaterThan(5);
					const filtered = { ...list, filters: given };
					expect(succeeded(await read('citedPage', filtered, small))).toEqual(fitting);
					small.clearLog();
					const first = await read('citedPage', { ...filtered, returnAll: false, limit: 5 }, small);
					expect(succeeded(first)).toEqual(fitting.slice(0, 5));
					if (given.ownership === 'any') expect(small.requests[0]?.query.limit).toBe('5');
				}
			});
		},
	);

	it('keep the pages of tracked competitors, with the competitor beside each, whose list is read once', async () => {
		await withSandbox(
			async (small) => {
				const tracked = ['leaf.example', 'shop.leaf.example', 'xn--mnchen-3ya.example'];
				for (const domain of [...tracked, 'https://www.brew.example/teas']) {
					small.discover.competitor({ name: `The ${domain}`, domain, state: 'tracked' });
				}
				small.discover.competitor({ domain: 'found.example' });
				const owners = {
					'leaf.example': 'leaf.example',
					'blog.leaf.example': 'leaf.example',
					'a.shop.leaf.example': 'shop.leaf.example',
					'xn--mnchen-3ya.example': 'xn--mnchen-3ya.example',
					'brew.example': 'https://www.brew.example/teas',
				};
				const others = ['leaf.example.evil.example', 'tealeaf.example', 'found.example'];
				for (const domain of [...Object.keys(owners), ...others]) {
					small.discover.citedPage({ url: `https://${domain}/page` });
				}
				const { error, json } = await run(small, {
					parameters: {
						...{ resource: 'citedPage', operation: 'getAll' },
						filters: { ownership: 'competitors' },
					},
					items: [{}, {}],
				});
				expect(error).toBeUndefined();
				const found = json.map(({ domain, competitorDomain: of }) => [domain, of]);
				expect(found).toHaveLength(2 * Object.keys(owners).length);
				expect(Object.fromEntries(found)).toEqual(owners);
				for (const page of json) {
					expect(page.competitorName).toBe(`The ${String(page.competitorDomain)}`);
				}
				const competitors = small.requests.filter(({ path }) => path === '/v1/competitors');
				expect(competitors.map(({ query }) => query.scope)).toEqual(['tracked']);
			},
			{ empty: true, validateResponses: false },
		);
	});

	it.each([
		['isOwnDomain', 'perhaps', { ownership: 'own' }],
		['domain', 7, { ownership: 'competitors' }],
		['platforms', 7, { platforms: ['answer_engine'] }],
		['citations', 'many', { minCitations: 2 }],
	])(
		'cannot be used where %s is %j, and the error names the field',
		async (name, value, wanted) => {
			await withSandbox(async (small) => {
				const page = { id: 'x', url: 'https://a.example/', isOwnDomain: true, citations: 3 };
				const items = [{ ...page, platforms: [], [name]: value }];
				const body = { data: { total: 1, offset: 0, limit: 100, count: 1, items } };
				const match = { path: '/v1/ai-visibility/citations', times: null };
				small.fault({ kind: 'status', status: 200, body, match } as never);
				const { error } = await read('citedPage', { filters: wanted }, small);
				expect(error?.description).toContain(`'${name}' of the cited page`);
			});
		},
	);
});
