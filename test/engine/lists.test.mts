import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { startSandbox, type Sandbox, type StoredKind } from '../sandbox/sandbox.mts';
import { SEED as RANDOM_SEED } from '../seed.mts';
import { run, type Access, type RunOptions, type RunResult } from './engine.mts';
import { doneOf, failedOf, wordsOf } from './helpers.mts';
import { TOOL_TYPE } from './workflows.mts';

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
	type Case = [string, INodeParameters, number, () => IDataObject[]];
	const keywords = (parameters: INodeParameters): Case => [
		'keyword',
		{ type: 'all', ...parameters },
		1104,
		() => listed('keyword'),
	];
	const citedPages = (parameters: INodeParameters): Case => ['citedPage', parameters, 1136, cited];
	const cases: Case[] = [
		keywords(by('competitionIndex')),
		// Half of the keywords have none of these
		keywords(by('aiScore', 'asc')),
		['backlink', by('backlinkSpamScore'), 1037, linked],
		['question', {}, 800, () => listed('question')],
		citedPages({}),
		citedPages(by('firstSeenAt', 'asc')),
		['forumOpportunity', {}, 300, () => listed('forumOpportunity')],
	];
	it.each(cases)(
		'%s %j: all %i come, each once, in their order, in at most 8 times their pages of requests',
		async (resource, parameters, count, expected) => {
			const records = succeeded(await read(resource, parameters));
			expect(records).toHaveLength(count);
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

	it.each([
		['keyword', by('competitionIndex')],
		['keyword', by('aiScore')],
		['keyword', by('aiScore', 'asc')],
		['backlink', by('domainFromRank', 'asc')],
	] as Array<[string, ReturnType<typeof by>]>)(
		'%s %j: up to a limit, it has the values of the first records',
		async (resource, { sort: { sortBy, sortOrder } }) => {
			const all = resource === 'keyword' ? listed('keyword') : linked();
			// PostgreSQL takes null for larger than all others (x-assumed)
			const numbers = all.map((record) => (record[sortBy] ?? Infinity) as number);
			numbers.sort((a, b) => (sortOrder === 'asc' ? a - b : b - a));
			for (const limit of [250, 700]) {
				const parameters = { type: resource === 'keyword' ? 'all' : 'competitors', limit };
				const sorted = { ...parameters, ...by(sortBy, sortOrder), returnAll: false };
				const records = succeeded(await read(resource, sorted));
				expect(new Set(idsOf(records)).size).toBe(limit);
				const values = records.map((record) => (record[sortBy] ?? Infinity) as number);
				expect(values).toEqual(numbers.slice(0, limit));
			}
		},
	);

	it('that fills 26 pages and lacks half of the scores takes at most 60 requests', async () => {
		const large = await startSandbox({ seed: { keyword: 2700 }, validateResponses: false });
		try {
			const records = succeeded(await read('keyword', { type: 'all' }, large));
			expect(new Set(idsOf(records)).size).toBe(2592);
			expect(large.requests.length).toBeLessThanOrEqual(60);
		} finally {
			await large.close();
		}
	});

	// Contract 4.3: tracked competitors come by creation date, the newest first
	it('that cannot be sorted: up to a limit, it has the first records of the order in the contract', async () => {
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

	it('comes whole with Type All, each record once, with its list', async () => {
		const pages = succeeded(await read('citedPage', { type: 'all' }));
		expect(idsOf(pages)).toEqual(idsOf(recordsOf('citedPage')));
		const byId = new Map(recordsOf('citedPage').map(({ id, status }) => [id, status]));
		expect(pages.filter(({ id, listType }) => byId.get(id) !== listType)).toEqual([]);
	});

	it('has each record that is named by its URL', async () => {
		const threads = listed('forumOpportunity');
		const forumOpportunityId = { __rl: true, mode: 'url', value: '={{ $json.url }}' };
		const result = await run(sandbox, {
			parameters: {
				...{ resource: 'forumOpportunity', operation: 'update', status: 'processed' },
				...{ forumOpportunityId, options: { dryRun: true } },
			},
			items: threads.map(({ url }) => ({ url })),
		});
		const paths = succeeded(result).map(({ path }) => String(path).split('/').at(-1));
		expect(paths).toEqual(threads.map(({ id }) => id));
	});
});

/** A service whose records all tie and come in a new order on each page. One of them never comes. */
async function withTiedService(work: (access: Access) => Promise<void>): Promise<void> {
	const count = 150;
	let last = RANDOM_SEED;
	const random = () => (last = (last * 48_271) % 2_147_483_647) / 2_147_483_647;
	const server = createServer(({ url = '' }, response) => {
		const { searchParams } = new URL(url, 'http://127.0.0.1');
		const offset = Number(searchParams.get('offset'));
		const limit = Math.min(Number(searchParams.get('limit')), count - offset);
		const ids = Array.from({ length: count - 1 }, (_, n) => `r${n}`);
		const items = Array.from({ length: limit }, () => ({
			id: ids.splice(Math.floor(random() * ids.length), 1)[0],
			createdAt: '2026-01-01T06:00:00Z',
		}));
		response.setHeader('Content-Type', 'application/json');
		response.end(JSON.stringify({ data: { total: count, offset, limit, count: limit, items } }));
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	try {
		await work({ url: `http://127.0.0.1:${port}`, apiKey: 'key' });
	} finally {
		server.close();
	}
}

describe('a list that has a new order on each page', () => {
	const parameters = { resource: 'question', operation: 'getAll', returnAll: true };
	const found = { options: { ifIncomplete: 'return' } };

	it.each<[string, Partial<RunOptions>]>([
		['Stop Workflow', {}],
		['Continue', { onError: 'continueRegularOutput' }],
		['Continue (using error output)', { onError: 'continueErrorOutput' }],
		['use as an AI tool', { node: { type: TOOL_TYPE, rewireOutputLogTo: 'ai_tool' } }],
	])(
		'and hides a record, with %s: one error that names ties, what helps and the option, or what was found and a hint that says how many are missing',
		async (_, how) => {
			await withTiedService(async (access) => {
				const failed = await run(access, { parameters, ...how });
				for (const part of ['equal', 'sort', 'filters', 'If Incomplete', 'Return What Was Found']) {
					expect(wordsOf(failed)).toContain(part);
				}
				expect(wordsOf(failed)).not.toContain('kept changing');
				expect(failedOf(failed)).toHaveLength(how.onError ? 1 : 0);
				// The model reads the error, and no record
				const given = [...doneOf(failed), ...failed.said.filter(({ error }) => !error)];
				expect(given).toEqual([]);
				const result = await run(access, { parameters: { ...parameters, ...found }, ...how });
				expect([...failedOf(result), result.error]).toEqual([undefined]);
				const records = [...result.json, ...result.said].filter(({ id }) => id !== undefined);
				expect(new Set(idsOf(records)).size).toBe(149);
				const words = [...result.hints, ...result.said].map(({ message }) => message);
				expect(words.join()).toMatch(/incomplete.* 1 record/);
				if (how.node) expect(result.said.at(-1)?.message).toMatch(/incomplete.* 1 record/);
			});
		},
	);
});
