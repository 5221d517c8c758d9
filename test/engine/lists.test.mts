import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { StoredKind } from '../sandbox/sandbox.mts';
import { useSandbox } from '../sandbox/useSandbox.mts';
import { run } from './engine.mts';
import { at, idsOf, listPages } from './helpers.mts';

/** Lists whose records tie, from a database that orders equal records differently on each page. */

const SEED = {
	keyword: 450,
	backlink: 650,
	question: 332,
	citedPage: 600,
	forumOpportunity: 215,
	competitor: 130,
};

const sandbox = await useSandbox({ seed: SEED, validateResponses: false });
const small = await useSandbox();

async function read(resource: string, parameters: INodeParameters = {}, from = sandbox) {
	const list = at(`${resource}.getAll`, { returnAll: true, ...parameters });
	const { error, json, hints } = await run(from, { parameters: list });
	if (error) throw error;
	expect(hints).toEqual([]);
	return json;
}

const recordsOf = (kind: StoredKind) => sandbox.state.all(kind) as unknown as IDataObject[];
const listed = (kind: StoredKind) => recordsOf(kind).filter((one) => one.archivedAt === null);
const linked = () => listed('backlink').filter(({ own, status }) => !own && status === 'new');
const cited = () => recordsOf('citedPage').filter(({ status }) => status === 'new');

const by = (sortBy: string, sortOrder = 'desc') => ({ sort: { sortBy, sortOrder } });

describe('a list with ties', () => {
	it.each<[string, INodeParameters, number, () => IDataObject[]]>([
		['keyword', { type: 'all', ...by('competitionIndex') }, 432, () => listed('keyword')],
		// Half of the keywords have none of these
		['keyword', { type: 'all', ...by('aiScore', 'asc') }, 432, () => listed('keyword')],
		['backlink', by('backlinkSpamScore'), 397, linked],
		// Some are in two of its lists
		['backlink', { type: 'all', ...by('domainFromRank') }, 604, () => listed('backlink')],
		['question', {}, 320, () => listed('question')],
		['citedPage', { type: 'new' }, 455, cited],
		['citedPage', { type: 'new', ...by('firstSeenAt', 'asc') }, 455, cited],
		['forumOpportunity', {}, 205, () => listed('forumOpportunity')],
	])(
		'of %s, %j, has all %i records, each once, in their order, in at most 8 times their pages of requests',
		async (resource, parameters, count, expected) => {
			const records = await read(resource, parameters);
			expect(records).toHaveLength(count);
			expect(idsOf(records).sort()).toEqual(idsOf(expected()).sort());
			expect(sandbox.requests.length).toBeLessThanOrEqual(8 * Math.ceil(count / 100));
			const { sortBy = 'citations', sortOrder = 'desc' } = (parameters.sort ?? {}) as IDataObject;
			const values = records
				.map((record) => record[String(sortBy)] as number | string)
				.filter((value) => value !== null);
			const sign = sortOrder === 'desc' ? -1 : 1;
			const rising = (a: (typeof values)[number], b: (typeof values)[number]) => {
				if (a === b) return 0;
				return a < b ? -1 : 1;
			};
			const inOrder = [...values].sort((a, b) => sign * rising(a, b));
			expect(values).toEqual(inOrder);
		},
	);

	// Contract 4.3: tracked competitors come by creation date, the newest first
	it('that cannot be sorted has the first records of the order in the contract up to a limit', async () => {
		const tracked = sandbox.state.all('competitor', { state: 'tracked' });
		const days = tracked.map((_, n) => `2026-01-${10 + (n % 20)}T06:00:00.000Z`);
		for (const [n, { id }] of tracked.entries())
			sandbox.edit('competitor', id, { createdAt: days[n] });
		const limit = days.length - 15;
		const records = await read('competitor', { limit, returnAll: false });
		const first = days.sort().reverse().slice(0, limit);
		expect(records.map(({ createdAt }) => createdAt)).toEqual(first);
	});

	it('of cited pages comes by default whole but for what is archived, each record once, with its list', async () => {
		const kept = recordsOf('citedPage').filter(({ status }) => status !== 'archived');
		const pages = await read('citedPage');
		expect(idsOf(pages).sort()).toEqual(idsOf(kept).sort());
		const byId = new Map(kept.map(({ id, status }) => [id, status]));
		expect(pages.filter(({ id, listType }) => byId.get(id) !== listType)).toEqual([]);
	});

	it('of backlinks with the type All has those that are not archived, each with its list', async () => {
		const lists = new Set(
			(await read('backlink', { type: 'all' }, small)).map((one) => one.listType),
		);
		expect(lists).toEqual(new Set(['competitors', 'mine', 'processed']));
	});

	it.each<[INodeParameters, (page: IDataObject) => number]>([
		[{}, ({ citations }) => -Number(citations)],
		[by('firstSeenAt', 'asc'), ({ firstSeenAt }) => Date.parse(String(firstSeenAt))],
	])('of several types has the first of them all, in order: %j', async (order, valueOf) => {
		const values = (await read('citedPage', order)).map(valueOf);
		expect(values).toEqual([...values].sort((a, b) => a - b));
		const first = await read('citedPage', { ...order, returnAll: false, limit: 20 });
		expect(first.map(valueOf)).toEqual(values.slice(0, 20));
		expect(new Set(first.map(({ listType }) => listType)).size).toBe(2);
	});
});

describe('the filters of Cited Page > Get Many that the service does not have', () => {
	const on = ({ platforms }: IDataObject, ...names: string[]) =>
		names.some((name) => (platforms as string[]).includes(name));

	it.each<[INodeParameters, (page: IDataObject) => boolean]>([
		[{ ownership: 'any', platforms: [], minCitations: 0 }, () => true],
		[{ ownership: 'own' }, ({ isOwnDomain }) => isOwnDomain === true],
		[{ minCitations: 3 }, ({ citations }) => Number(citations) >= 3],
		[{ platforms: ['answer_engine'] }, (page) => on(page, 'answer_engine')],
		[
			{ ownership: 'others', platforms: ['search_ai_mode', 'chat_assistant'], minCitations: 2 },
			(page) =>
				page.isOwnDomain !== true &&
				on(page, 'search_ai_mode', 'chat_assistant') &&
				Number(page.citations) >= 2,
		],
	])(
		'%j keep what fits, in the order of the list, and the limit counts what is left',
		async (filters, fits) => {
			small.state.untie('citedPage', 'domain');
			for (const list of [
				{ type: 'all', ...by('domain') },
				{ type: 'new', ...by('domain', 'asc') },
			]) {
				const fitting = (await read('citedPage', list, small)).filter(fits);
				expect(fitting.length).toBeGreaterThan(5);
				expect(await read('citedPage', { ...list, filters }, small)).toEqual(fitting);
				small.clearLog();
				const limited = { ...list, filters, returnAll: false, limit: 5 };
				expect(await read('citedPage', limited, small)).toEqual(fitting.slice(0, 5));
				if (filters.ownership === 'any') expect(small.requests[0]?.query.limit).toBe('5');
			}
		},
	);

	it.each([
		['isOwnDomain', 'perhaps', { ownership: 'own' }],
		['domain', 7, { ownership: 'competitors' }],
		['platforms', 7, { platforms: ['answer_engine'] }],
		['citations', 'many', { minCitations: 2 }],
	])(
		'cannot be used where %s is %j, and the error names the field',
		async (name, value, filters) => {
			const page = { id: 'x', url: 'https://a.example/', isOwnDomain: true, citations: 3 };
			listPages(small, { ...page, platforms: [], [name]: value });
			const description = expect.stringContaining(`'${name}' of the cited page`) as string;
			await expect(read('citedPage', { filters }, small)).rejects.toMatchObject({ description });
		},
	);
});
