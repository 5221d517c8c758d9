import { execFileSync, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import express from 'express';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { itemAt } from '../defined.mts';
import {
	documentedOperations,
	openapi,
	startSandbox,
	type FaultSpec,
	type Sandbox,
} from './sandbox.mts';
import { handlers } from './operations/index.mts';
import { discoverers, hasKeyword } from './discover.mts';
import { present } from './present.mts';
import { STORED_KINDS } from './schema.mts';
import * as OpenApiValidator from 'express-openapi-validator';

const KEY = 'secret-of-the-test';
/** An ID that no record has. */
const NOWHERE = 'ffffffff-0000-4000-8000-000000000000';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ apiKey: KEY });
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

interface Reply {
	status: number;
	body: never;
	headers: Headers;
}

async function call(method: string, path: string, body?: unknown, key = KEY): Promise<Reply> {
	const response = await fetch(sandbox.url + path, {
		method,
		redirect: 'manual',
		headers: {
			Authorization: `Bearer ${key}`,
			...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
		},
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	});
	const text = await response.text();
	const parsed = (text ? JSON.parse(text) : undefined) as never;
	return { status: response.status, body: parsed, headers: response.headers };
}

interface Item {
	id: string;
	[field: string]: unknown;
}
interface Page {
	total: number;
	offset: number;
	limit: number;
	count: number;
	items: Item[];
}

async function list(path: string): Promise<Page> {
	const { status, body } = await call('GET', path);
	expect(status).toBe(200);
	return (body as { data: Page }).data;
}
async function listOf({ url }: Sandbox, path: string): Promise<Page> {
	const response = await fetch(url + path, { headers: { Authorization: `Bearer ${KEY}` } });
	return ((await response.json()) as { data: Page }).data;
}
const ids = async (path: string) => (await list(path)).items.map(({ id }) => id);
const refusal = async (method: string, path: string, body?: unknown) => {
	const reply = await call(method, path, body);
	return [reply.status, (reply.body as { type: string }).type];
};

describe('strictness', () => {
	test('the document is a valid OpenAPI document', async () => {
		const first = itemAt(
			OpenApiValidator.middleware({
				apiSpec: openapi as never,
				validateApiSpec: true,
			}),
			0,
		);
		const error = await new Promise((resolve) =>
			first({ app: express() } as never, {} as never, resolve as never),
		);
		expect(error).toBeUndefined();
	});

	test.each(documentedOperations)('$method $path needs the key', async ({ method, path }) => {
		const anonymous = await fetch(sandbox.url + path, { method });
		expect(anonymous.status).toBe(401);
		expect(await anonymous.json()).toMatchObject({ type: 'unauthorized' });
		expect((await call(method, path, undefined, 'wrong')).status).toBe(401);
	});

	test.each([
		'/v1/keywords?surprise=1',
		'/v1/keywords?limit=0',
		'/v1/keywords?limit=101',
		'/v1/keywords?limit=ten',
		'/v1/keywords?offset=-1',
		'/v1/keywords?offset=1.5',
		'/v1/keywords?type=old',
		'/v1/keywords?type=new&type=all',
		'/v1/keywords?keyword=',
		'/v1/keywords?sortBy=keyword',
		'/v1/keywords?sortOrder=up',
		'/v1/competitors?scope=removed',
		'/v1/forum-opportunities?status=new,old',
		'/v1/people-also-ask?status[]=new',
		'/v1/people-also-ask?status[0]=new',
		'/v1/backlinks?competitorId=not-a-uuid',
		'/v1/backlinks?type=new',
		'/v1/ai-visibility/citations?startDate=2026-02-30',
		'/v1/ai-visibility/citations?endDate=2026-01-01T00:00:00Z',
		'/v1/ai-visibility/citations?sortBy=title',
		'/v1/workspace?id=1',
	])('refuses the query of %s', async (path) => {
		expect(await refusal('GET', path)).toEqual([400, 'validation-failed']);
	});

	test.each<[string, string, unknown]>([
		['POST', '/v1/keywords', {}],
		['POST', '/v1/keywords', { keywords: [] }],
		['POST', '/v1/keywords', { keywords: [' '] }],
		['POST', '/v1/keywords', { keywords: 'tea' }],
		['POST', '/v1/keywords', { keywords: ['tea'], language: 'en' }],
		['POST', '/v1/competitors', { domain: 'https://tea.example/' }],
		['POST', '/v1/competitors', { domain: 'tea.example/shop' }],
		['POST', '/v1/forum-opportunities', { title: 'x', url: '' }],
		['POST', '/v1/forum-opportunities', { url: 'https://tea.example' }],
		['PATCH', '/v1/forum-opportunities/fo_0001', { status: 'archived' }],
		['PATCH', '/v1/people-also-ask/paa_0001', { status: 'new', question: 'x' }],
		['PATCH', '/v1/backlinks/bl_0002/update', {}],
		['PATCH', '/v1/keywords/kw_0001/unarchive', { archived: false }],
		['PATCH', '/v1/keywords/kw_0001/unarchive', {}],
		['DELETE', '/v1/backlinks/bl_0002', {}],
		['PATCH', '/v1/categories/cat_0001', { name: '' }],
		['POST', '/v1/actions', { title: 'no type' }],
		['POST', '/v1/actions', { type: 'dance', title: 'x' }],
		['POST', '/v1/actions', { type: 'other', title: 'x', status: 'new' }],
		['POST', '/v1/actions', { type: 'write_article', keywordIds: 'kw_0001' }],
		['POST', '/v1/gsc/index', { url: '/page', type: 'URL_UPDATED' }],
		['POST', '/v1/gsc/index', { url: 'https://[', type: 'URL_UPDATED' }],
		['POST', '/v1/gsc/index', { url: 'https://www.northwind-tea.example/', type: 'UPDATED' }],
	])('refuses %s %s with the body %j', async (method, path, body) => {
		expect(await refusal(method, path, body)).toEqual([400, 'validation-failed']);
	});

	test.each([
		['DELETE', '/v1/keywords/nope'],
		['DELETE', '/v1/keywords/a%2Fb'],
		['PATCH', '/v1/keywords/nope/unarchive'],
		['GET', '/v1/keywords/nope/cluster'],
		['DELETE', '/v1/competitors/nope'],
		['DELETE', '/v1/forum-opportunities/nope'],
		['DELETE', '/v1/people-also-ask/nope'],
		['DELETE', '/v1/backlinks/nope'],
		['PATCH', '/v1/backlinks/nope/unarchive'],
		['DELETE', '/v1/categories/nope'],
		['POST', '/v1/actions/nope/generate'],
		['PATCH', '/v1/ai-visibility/prompts/nope/unarchive'],
		['GET', '/v1/nothing'],
		['GET', '/v2/keywords'],
		['DELETE', '/v1/keywords/'],
		['GET', '/V1/keywords'],
	])('%s %s is not found', async (method, path) => {
		expect(await refusal(method, path)).toEqual([404, 'not-found']);
	});

	test('a body that is not JSON is refused', async () => {
		const send = (type: string) =>
			fetch(`${sandbox.url}/v1/keywords`, {
				method: 'POST',
				headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': type },
				body: '{"keywords": [',
			});
		expect((await send('application/json')).status).toBe(400);
		expect((await send('text/plain')).status).toBe(415);
		expect((await call('POST', '/v1/keywords')).status).toBe(415);
	});

	test('an answer that breaks the document leads to a 500', async () => {
		const shown = vi.spyOn(present, 'clusterKeyword');
		shown.mockReturnValue({ searchVolume: 'many' } as never);
		const reply = await call('GET', '/v1/keywords/kw_0221/cluster');
		shown.mockRestore();
		expect(reply.status).toBe(500);
		expect(reply.body).toMatchObject({ type: 'response-violation' });
		expect(sandbox.responseViolations).toHaveLength(1);
		expect(itemAt(sandbox.responseViolations, 0).message).toContain('searchVolume');
	});

	test.each([200, 204] as const)('so is a %i without the body of the document', async (status) => {
		const handler = vi.spyOn(handlers, 'getWorkspace').mockReturnValue({ status });
		const reply = await call('GET', '/v1/workspace');
		handler.mockRestore();
		expect(reply.status).toBe(500);
		expect(reply.body).toMatchObject({ type: 'response-violation' });
		expect(sandbox.responseViolations).toHaveLength(1);
	});

	test('so is a body where the document has none', async () => {
		const handler = vi.spyOn(handlers, 'deleteCompetitor');
		handler.mockReturnValue({ status: 200, body: {} });
		const reply = await call('DELETE', '/v1/competitors/comp_1');
		handler.mockRestore();
		expect(reply.status).toBe(500);
		expect(sandbox.responseViolations).toHaveLength(1);
	});
});

describe('seed and lists', () => {
	test('two starts give the same records', async () => {
		const now = new Date('2026-01-01T00:00:00Z');
		const twins = await Promise.all([startSandbox({ now }), startSandbox({ now })]);
		const records = twins.map(({ state }) => [...state.all('citedPage'), ...state.all('keyword')]);
		expect(records[0]).toEqual(records[1]);
		await Promise.all(twins.map((twin) => twin.close()));
	});

	test('starts empty or with other counts on demand', async () => {
		const other = await startSandbox({ empty: true, seed: { keyword: 3 } });
		expect(other.summary()).toMatchObject({ counts: { keyword: 3, question: 0, citedPage: 0 } });
		await other.close();
	});

	test('pages walk through a list without gaps', async () => {
		const { total } = await list('/v1/actions');
		const seen: string[] = [];
		for (let offset = 0; offset < total; offset += 5) {
			const page = await list(`/v1/actions?limit=5&offset=${offset}`);
			expect(page).toMatchObject({ total, offset, limit: 5, count: page.items.length });
			seen.push(...page.items.map(({ id }) => id));
		}
		expect(new Set(seen).size).toBe(total);
		expect(await list(`/v1/actions?offset=${total}`)).toMatchObject({ count: 0, total });
	});

	const ordered: [string, string, 'asc' | 'desc'][] = [
		['/v1/keywords', 'compositeScore', 'desc'],
		['/v1/keywords?sortBy=searchVolume&sortOrder=asc', 'searchVolume', 'asc'],
		['/v1/backlinks', 'domainFromRank', 'desc'],
		['/v1/backlinks?sortBy=firstSeen', 'firstSeen', 'desc'],
		['/v1/competitors', 'createdAt', 'desc'],
		['/v1/ai-visibility/citations', 'citations', 'desc'],
		['/v1/ai-visibility/citations?sortBy=domain&sortOrder=asc', 'domain', 'asc'],
		['/v1/actions', 'position', 'asc'],
		['/v1/people-also-ask', 'createdAt', 'desc'],
	];
	test.each(ordered)('%s is ordered by %s %s', async (path, field, order) => {
		const { items } = await list(path);
		expect(items.length).toBeGreaterThan(5);
		const values = items.map((item) => item[field] as string | number);
		const expected = [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
		expect(values).toEqual(order === 'asc' ? expected : expected.reverse());
	});

	test('filters', async () => {
		const keywords = await list('/v1/keywords?keyword=MATCHA&limit=100');
		expect(keywords.total).toBeGreaterThan(0);
		for (const { keyword } of keywords.items) expect(keyword).toContain('matcha');

		const rival = 'c0000000-0000-4000-8000-000000000002';
		const links = await list(`/v1/backlinks?competitorId=${rival}`);
		expect(links.total).toBeGreaterThan(0);
		for (const { competitorId } of links.items) expect(competitorId).toBe(rival);
		// Applies only to competitor backlinks.
		const mine = await list('/v1/backlinks?type=mine');
		expect((await list(`/v1/backlinks?type=mine&competitorId=${rival}`)).total).toBe(mine.total);

		const pages = await list('/v1/ai-visibility/citations?domain=TeaTalk');
		expect(pages.total).toBeGreaterThan(0);
		for (const { domain } of pages.items) expect(domain).toContain('teatalk');
	});

	test('arrays come comma-separated or repeated', async () => {
		const path = '/v1/people-also-ask';
		const [all, fresh, old] = [
			(await list(path)).total,
			(await list(`${path}?status=new`)).total,
			(await list(`${path}?status=processed`)).total,
		];
		expect(fresh + old).toBe(all);
		expect((await list(`${path}?status=new,processed`)).total).toBe(all);
		expect((await list(`${path}?status=new&status=processed`)).total).toBe(all);
	});

	test('an unknown action type gives nothing', async () => {
		expect((await list('/v1/actions?types=dance')).total).toBe(0);
		expect((await list('/v1/actions?types=dance,write_article')).total).toBeGreaterThan(0);
		expect((await list('/v1/actions?search=MATCHA')).total).toBeGreaterThan(0);
	});

	test('a period counts only its own citations', async () => {
		const page = sandbox.discover.citedPage({
			url: 'https://period.example/a',
			firstSeenAt: '2025-03-01T12:00:00.000Z',
			lastSeenAt: '2025-03-05T12:00:00.000Z',
			citations: 5,
			platforms: ['answer_engine', 'search_ai_mode'],
		});
		const path = '/v1/ai-visibility/citations?domain=period.example';
		expect((await list(path)).items).toEqual([page]);
		const oneDay = await list(`${path}&startDate=2025-03-02&endDate=2025-03-02`);
		expect(oneDay.items).toEqual([{ ...page, citations: 1, platforms: ['search_ai_mode'] }]);
		expect((await list(`${path}&startDate=2025-03-05`)).total).toBe(1);
		expect((await list(`${path}&startDate=2025-03-06`)).total).toBe(0);
		expect((await list(`${path}&endDate=2025-02-28`)).total).toBe(0);
	});

	test('the workspace domain is stored as entered', async () => {
		const { body } = await call('GET', '/v1/workspace');
		expect(body).toMatchObject({ domain: 'https://www.Northwind-Tea.example/' });
	});

	test('all of 100,000 keywords are listed', async () => {
		const big = await startSandbox({ apiKey: KEY, empty: true, seed: { keyword: 100_000 } });
		const read = (type: string, offset: number) =>
			listOf(big, `/v1/keywords?type=${type}&limit=100&offset=${offset}`);
		const { total } = await read('all', 0);
		expect(total + (await read('archived', 0)).total).toBe(100_000);
		const listed = new Set<string>();
		for (const offset of [0, total / 2, total - 100, total]) {
			for (const { id } of (await read('all', offset)).items) listed.add(id);
		}
		expect(listed.size).toBe(300);
		await big.close();
	});
});

describe('equal records', () => {
	let tied: Sandbox;
	beforeAll(async () => {
		const seed = { question: 1500, keyword: 40 };
		tied = await startSandbox({ apiKey: KEY, empty: true, seed });
		const changes = { createdAt: '2026-01-01T00:00:00.000Z', archivedAt: null };
		tied.state.update('question', changes);
	});
	afterAll(() => tied.close());

	test('come in the order of the database, which differs from page to page', async () => {
		const seen: string[] = [];
		for (let offset = 0; offset < 1500; offset += 100) {
			const page = await listOf(tied, `/v1/people-also-ask?limit=100&offset=${offset}`);
			expect(page).toMatchObject({ total: 1500, count: 100 });
			seen.push(...page.items.map(({ id }) => id));
		}
		expect(seen).toHaveLength(1500);
		expect(new Set(seen).size).toBeLessThan(1500);
	});

	test('keywords without a score come where PostgreSQL puts them: above all others', async () => {
		const path = '/v1/keywords?limit=100&type=all&sortBy=aiScore';
		const scores = (await listOf(tied, path)).items.map(({ aiScore }) => aiScore);
		const none = scores.filter((score) => score === null).length;
		expect(none).toBeGreaterThan(scores.length / 3);
		expect(scores.slice(0, none)).toEqual(Array(none).fill(null));
		const ascending = (await listOf(tied, `${path}&sortOrder=asc`)).items;
		expect(ascending.at(-1)?.aiScore).toBeNull();
	});
});

test('each key has its own workspace, and an unknown key none', async () => {
	const shared = await startSandbox({
		apiKeys: ['one', 'two'],
		empty: true,
		seed: { question: 5 },
	});
	const { id } = discoverers.question(itemAt(shared.states, 1));
	const ask = async (key: string) => {
		const headers = { Authorization: `Bearer ${key}` };
		const response = await fetch(`${shared.url}/v1/people-also-ask`, { headers });
		const { data } = (await response.json()) as { data?: Page };
		return data?.items.filter((item) => item.id === id).length ?? response.status;
	};
	expect([await ask('one'), await ask('two'), await ask('three')]).toEqual([0, 1, 401]);
	expect(shared.requests.map(({ workspace }) => workspace)).toEqual([0, 1, -1]);
	expect(shared.state.count('question')).toBe(5);
	await shared.close();
});

describe('states', () => {
	test('keyword: new, planned, processed, archived and back', async () => {
		const id = itemAt(await ids('/v1/keywords?limit=1'), 0);
		const isAt = async (type: string) =>
			(await ids(`/v1/keywords?type=${type}&limit=100`)).includes(id);
		const plan = { type: 'write_article', title: 'Plan', slug: 'plan', keywordIds: [id] };
		const action = (await call('POST', '/v1/actions', plan)).body as Item;
		expect([await isAt('new'), await isAt('planned')]).toEqual([false, true]);
		const written = await call('POST', `/v1/actions/${action.id}/generate`);
		expect(written.body).toMatchObject({ id: action.id, status: 'done' });
		expect([await isAt('planned'), await isAt('processed')]).toEqual([false, true]);
		expect((await call('DELETE', `/v1/keywords/${id}`)).status).toBe(204);
		expect([await isAt('processed'), await isAt('archived')]).toEqual([false, true]);
		expect((await call('DELETE', `/v1/keywords/${id}`)).status).toBe(404);
		expect((await call('PATCH', `/v1/keywords/${id}/unarchive`)).status).toBe(204);
		expect([await isAt('processed'), await isAt('archived')]).toEqual([true, false]);
	});

	test('keyword create skips existing keywords; clusters come with indexing', async () => {
		const known = itemAt([...sandbox.state.all('keyword')], 0).keyword;
		const keywords = ['Brand new', 'brand new ', known.toUpperCase()];
		expect(await call('POST', '/v1/keywords', { keywords })).toMatchObject({
			status: 201,
			body: { count: 1 },
		});
		const [id] = await ids('/v1/keywords?keyword=brand%20new');
		expect((await call('GET', `/v1/keywords/${id}/cluster`)).body).toEqual([]);
		expect((await call('GET', '/v1/keywords/kw_0001/cluster')).body).not.toEqual([]);
	});

	test.each([
		['/v1/forum-opportunities', 'fo_0001'],
		['/v1/people-also-ask', 'paa_0001'],
	])('%s: new, processed, new, archived permanently', async (path, id) => {
		const listed = async (status: string) =>
			(await ids(`${path}?limit=100&status=${status}`)).includes(id);
		const patch = (status: string) => call('PATCH', `${path}/${id}`, { status });
		expect(await patch('processed')).toMatchObject({ status: 200, body: { status: 'processed' } });
		expect([await listed('new'), await listed('processed')]).toEqual([false, true]);
		expect(await patch('new')).toMatchObject({ status: 200, body: { status: 'new' } });
		expect((await call('DELETE', `${path}/${id}`)).status).toBe(204);
		expect([await listed('new'), await listed('processed')]).toEqual([false, false]);
		expect((await patch('new')).status).toBe(404);
		expect((await call('DELETE', `${path}/${id}`)).status).toBe(404);
	});

	test('forum opportunity: a known URL gives the record unchanged', async () => {
		const body = { title: 'A thread', url: 'https://forum.example/1' };
		const first = await call('POST', '/v1/forum-opportunities', body);
		const second = await call('POST', '/v1/forum-opportunities', { ...body, title: 'Other' });
		expect([first.status, second.status]).toEqual([201, 201]);
		expect(second.body).toEqual(first.body);
		expect(first.body).not.toHaveProperty('competitorId');
		const stray = { ...body, url: 'https://forum.example/2', competitorId: 'nobody' };
		expect(await refusal('POST', '/v1/forum-opportunities', stray)).toEqual([
			400,
			'competitor-not-found',
		]);
	});

	test('backlink: processed, new, archived and back', async () => {
		const id = itemAt(await ids('/v1/backlinks?limit=1'), 0);
		const isAt = async (type: string) =>
			(await ids(`/v1/backlinks?type=${type}&limit=100`)).includes(id);
		const update = (status: string) =>
			call('PATCH', `/v1/backlinks/${id}/update`, { status }).then((reply) => reply.status);
		expect(await update('processed')).toBe(204);
		expect([await isAt('competitors'), await isAt('processed')]).toEqual([false, true]);
		expect(await update('new')).toBe(204);
		expect([await isAt('competitors'), await isAt('processed')]).toEqual([true, false]);
		expect((await call('DELETE', `/v1/backlinks/${id}`)).status).toBe(204);
		expect([await isAt('competitors'), await isAt('archived')]).toEqual([false, true]);
		expect(await update('new')).toBe(404);
		expect((await call('PATCH', `/v1/backlinks/${id}/unarchive`)).status).toBe(204);
		expect([await isAt('competitors'), await isAt('archived')]).toEqual([true, false]);
	});

	test('competitor: discovered, tracked, removed, tracked again, always the same record', async () => {
		const { id, domain } = sandbox.discover.competitor({ name: 'Rare Leaf' });
		const path = '/v1/competitors';
		const isAt = async (scope: string) =>
			(await ids(`${path}?limit=100&scope=${scope}`)).includes(id);
		const everywhere = async () => [
			await isAt('tracked'),
			await isAt('discovered'),
			await isAt('all'),
		];
		expect(await everywhere()).toEqual([false, true, true]);
		expect((await call('DELETE', `${path}/${id}`)).status).toBe(404);
		const track = () => call('POST', path, { domain: domain.toUpperCase() });
		expect(await track()).toMatchObject({ status: 201, body: { id } });
		expect(await everywhere()).toEqual([true, false, true]);
		expect(await refusal('POST', path, { domain })).toEqual([400, 'competitor-already-exists']);
		expect((await call('DELETE', `${path}/${id}`)).status).toBe(204);
		expect(await everywhere()).toEqual([false, false, false]);
		expect(await track()).toMatchObject({ status: 201, body: { id } });
		expect(await everywhere()).toEqual([true, false, true]);
	});

	test('competitor limit', async () => {
		sandbox.setCompetitorLimit(13);
		const add = (domain: string) => call('POST', '/v1/competitors', { domain });
		expect(await add('one.example')).toMatchObject({ status: 201, body: { name: 'One' } });
		expect(await refusal('POST', '/v1/competitors', { domain: 'two.example' })).toEqual([
			400,
			'competitor-limit-exceeded',
		]);
	});

	test('prompt: one free slot, then refused', async () => {
		const restore = (id: string) => `/v1/ai-visibility/prompts/${id}/unarchive`;
		expect(await call('PATCH', restore('pr_0001'))).toMatchObject({
			status: 200,
			body: { id: 'pr_0001', archived: false },
		});
		expect(await refusal('PATCH', restore('pr_0002'))).toEqual([400, 'prompt-limit-exceeded']);
		sandbox.setPromptLimit(2);
		expect((await call('PATCH', restore('pr_0002'))).status).toBe(200);
	});

	test('category: rename, unique name, delete clears what was assigned', async () => {
		const path = '/v1/categories/cat_0001';
		expect(await call('PATCH', path, { name: 'Tips' })).toMatchObject({
			status: 200,
			body: { id: 'cat_0001', name: 'Tips' },
		});
		expect(await refusal('PATCH', path, { name: 'Recipes' })).toEqual([
			400,
			'category-name-already-exists',
		]);
		const planned = { type: 'write_article', title: 'In a category', categoryId: 'cat_0001' };
		const action = (await call('POST', '/v1/actions', planned)).body as Item;
		expect((await call('DELETE', path)).status).toBe(204);
		const actions = await list('/v1/actions?search=In%20a%20category');
		expect(actions.items).toEqual([{ ...action, categoryId: null }]);
		expect(sandbox.state.get('article', 'art_0001')?.categoryId).toBeNull();
		expect((await call('DELETE', path)).status).toBe(404);
	});
});

describe('actions', () => {
	const citationId = 'a0000000-0000-4000-8000-000000000001';
	const targets: [string, Record<string, string>][] = [
		['update_article', { articleId: 'art_0001' }],
		['earn_link', { backlinkId: 'bl_0002' }],
		['get_cited', { citationId }],
		['reply_thread', { citationId }],
		['record_video', { citationId }],
		['track_competitor', { competitorId: 'c0000000-0000-4000-8000-00000000000d' }],
		['publish_article', { articleId: 'art_0001' }],
		['request_indexing', { articleId: 'art_0001' }],
	];
	const create = (body: object) => refusal('POST', '/v1/actions', body);

	test.each(targets)('%s needs its target, and only once', async (type, target) => {
		const field = itemAt(Object.keys(target), 0);
		expect(await create({ type, title: 'a' })).toEqual([400, 'action-target-missing']);
		expect(await create({ type, title: 'a', [field]: NOWHERE })).toEqual([
			400,
			'action-reference-not-found',
		]);
		const made = await call('POST', '/v1/actions', { type, title: 'a', ...target });
		expect(made).toMatchObject({ status: 201, body: { type, status: 'new', ...target } });
		expect(await create({ type, title: 'b', ...target })).toEqual([400, 'action-target-occupied']);
	});

	test('title and slug are unique', async () => {
		const plan = { type: 'write_article', title: 'One', slug: 'one' };
		expect((await call('POST', '/v1/actions', plan)).status).toBe(201);
		expect(await create({ type: 'other', title: 'One' })).toEqual([
			400,
			'action-title-already-exists',
		]);
		for (const slug of ['one', 'the-guide-1']) {
			expect(await create({ ...plan, title: `With ${slug}`, slug })).toEqual([
				400,
				'action-slug-already-exists',
			]);
		}
	});

	test('references must exist', async () => {
		for (const reference of [
			{ keywordIds: ['kw_0001', 'nope'] },
			{ categoryId: 'nope' },
			{ fanoutQueryIds: ['nope'] },
		]) {
			expect(await create({ type: 'write_article', title: 'x', ...reference })).toEqual([
				400,
				'action-reference-not-found',
			]);
		}
	});

	test('fields of other types are dropped, and actions go to the end', async () => {
		const extra = { slug: 'the-guide-1', categoryId: 'nope', keywordIds: ['nope'] };
		const body = { type: 'add_prompt', title: 'Ask', fanoutQueryIds: ['fq_0001'], ...extra };
		const made = (await call('POST', '/v1/actions', body)).body as Item;
		expect(made).toMatchObject({ slug: null, categoryId: null, keywordIds: [] });
		expect(made.fanoutQueryIds).toEqual(['fq_0001']);
		expect((await ids('/v1/actions?limit=100')).at(-1)).toBe(made.id);
	});

	test('generate is for articles that are not written yet', async () => {
		const note = (await call('POST', '/v1/actions', { type: 'other', title: 'Note' })).body as Item;
		expect(await refusal('POST', `/v1/actions/${note.id}/generate`)).toEqual([
			400,
			'action-not-generatable',
		]);
	});
});

describe('indexing', () => {
	const url = 'https://www.northwind-tea.example/tea';
	const notify = (body: object) => call('POST', '/v1/gsc/index', body);

	test('the first notification returns nothing, later ones return earlier ones', async () => {
		expect((await notify({ url, type: 'URL_UPDATED' })).body).toEqual({
			urlNotificationMetadata: { url },
		});
		expect((await notify({ url, type: 'URL_DELETED' })).body).toMatchObject({
			urlNotificationMetadata: { latestUpdate: { url, type: 'URL_UPDATED' } },
		});
		const third = await notify({ url, type: 'URL_UPDATED' });
		const { urlNotificationMetadata } = third.body as { urlNotificationMetadata: object };
		expect(Object.keys(urlNotificationMetadata)).toEqual(['url', 'latestUpdate', 'latestRemove']);
		expect((await call('POST', '/v1/gsc/inspect', { url })).body).toMatchObject({
			inspectionResult: { indexStatusResult: { verdict: 'PASS' } },
		});
	});

	test('only for pages of the own domain and its subdomains', async () => {
		const type = 'URL_UPDATED';
		expect((await notify({ url: 'https://shop.northwind-tea.example/', type })).status).toBe(200);
		expect((await notify({ url: 'https://NORTHWIND-TEA.example/grün', type })).status).toBe(200);
		for (const host of ['tea.example', 'notnorthwind-tea.example', 'northwind-tea.example.evil']) {
			expect(await refusal('POST', '/v1/gsc/index', { url: `https://${host}/`, type })).toEqual([
				403,
				'not-property-owner',
			]);
		}
		sandbox.setSearchConsole(false);
		for (const [path, body] of [
			['/v1/gsc/index', { url, type }],
			['/v1/gsc/inspect', { url }],
		] as const) {
			expect(await refusal('POST', path, body)).toEqual([403, 'search-console-not-connected']);
		}
	});
});

describe('traffic', () => {
	const raw = (path = '/v1/workspace', init: RequestInit = {}) =>
		fetch(sandbox.url + path, {
			redirect: 'manual',
			...init,
			headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' },
		});

	test('a fault fires on the nth match, the given number of times, and only on matches', async () => {
		const match = { method: 'get', path: '/v1/keywords', query: { limit: 5 }, nth: 2, times: 2 };
		const fault = sandbox.fault({
			match,
			kind: 'status',
			status: 503,
			headers: { 'X-Why': 'test' },
		});
		await raw('/v1/keywords');
		await raw('/v1/workspace');
		const replies = [];
		for (let i = 0; i < 4; i++) replies.push(await raw('/v1/keywords?limit=5'));
		expect(replies.map(({ status }) => status)).toEqual([200, 503, 503, 200]);
		expect(itemAt(replies, 1).headers.get('X-Why')).toBe('test');
		expect(await itemAt(replies, 1).json()).toHaveProperty('type', 'injected-fault');
		expect(fault).toMatchObject({ seen: 4, fired: 2 });
		expect(sandbox.requests.map((entry) => entry.fault)).toEqual([
			undefined,
			undefined,
			undefined,
			'status',
			'status',
			undefined,
		]);
	});

	test('faults set one after the other take turns; a path may be a regular expression', async () => {
		sandbox.fault({ kind: 'status', status: 500, body: 'plain words' });
		sandbox.fault({ match: { path: 'space$', times: null }, kind: 'status', status: 502 });
		const replies = [await raw(), await raw(), await raw(), await raw('/v1/actions')];
		expect(replies.map(({ status }) => status)).toEqual([500, 502, 502, 200]);
		expect(await itemAt(replies, 0).text()).toBe('plain words');
		sandbox.clearFaults();
		expect((await raw()).status).toBe(200);
	});

	const create = { method: 'POST', body: '{"keywords":["cut keyword"]}' };
	test.each([
		['cutBefore', false],
		['cutAfter', true],
	] as const)('%s cuts the connection, work done: %s', async (kind, done) => {
		sandbox.fault({ kind });
		await expect(raw('/v1/keywords', create)).rejects.toThrow('fetch failed');
		expect(hasKeyword(sandbox.state, 'cut keyword')).toBe(done);
		expect(sandbox.requests[0]).toMatchObject({ status: null, fault: kind });
	});

	const contents: [FaultSpec, (text: string) => boolean][] = [
		[{ kind: 'malformed' }, (text) => text.startsWith('{"data"')],
		[{ kind: 'truncated' }, (text) => text.startsWith('{"id":"ws_0001"')],
		[{ kind: 'empty' }, (text) => text === ''],
		[{ kind: 'html' }, (text) => text.startsWith('<!doctype html>')],
	];
	test.each(contents)('%j is not JSON', async (spec, looksRight) => {
		sandbox.fault(spec);
		const reply = await raw();
		const text = await reply.text();
		expect(reply.status).toBe(200);
		expect(looksRight(text)).toBe(true);
		expect(() => JSON.parse(text) as unknown).toThrow();
	});

	test('envelope, huge and redirect', async () => {
		sandbox.fault({ kind: 'envelope' });
		sandbox.fault({ kind: 'huge' });
		sandbox.fault({ kind: 'redirect', location: 'https://elsewhere.example/' });
		expect(await (await raw()).json()).toEqual({});
		const huge = await (await raw()).text();
		expect(huge.length).toBeGreaterThan(10 * 1024 * 1024);
		expect(JSON.parse(huge)).toMatchObject({ id: 'ws_0001' });
		const redirected = await raw();
		expect(redirected.status).toBe(302);
		expect(redirected.headers.get('Location')).toBe('https://elsewhere.example/');
	});

	test.each<[string, FaultSpec, number, boolean]>([
		['a status', { kind: 'status', status: 503, retryAfter: 0 }, 503, false],
		['a late status', { kind: 'lateStatus', status: 502, retryAfter: 'past' }, 502, true],
		['a body that is not documented', { kind: 'undocumented', body: [] }, 201, true],
	])('%s: how it answers, and whether the work is done', async (_, spec, status, isDone) => {
		sandbox.fault(spec);
		const reply = await raw('/v1/keywords', create);
		expect(reply.status).toBe(status);
		expect(reply.headers.has('Retry-After')).toBe(status > 500);
		expect(itemAt(sandbox.requests, 0).retryAfter ?? null).toBe(reply.headers.get('Retry-After'));
		const type = 'injected-fault';
		expect(await reply.json()).toEqual(status > 500 ? expect.objectContaining({ type }) : []);
		expect(hasKeyword(sandbox.state, 'cut keyword')).toBe(isDone);
		expect(itemAt(sandbox.requests, 0).served).toBe(isDone ? 201 : null);
		expect(sandbox.responseViolations).toEqual([]);
	});

	test('an answer without a body gets one that is not documented; a refusal stays', async () => {
		sandbox.fault({ kind: 'undocumented', body: { status: 'ok' }, match: { times: 2 } });
		const replies = [];
		for (let i = 0; i < 2; i++) replies.push(await call('DELETE', '/v1/keywords/kw_0001'));
		expect(replies).toMatchObject([
			{ status: 200, body: { status: 'ok' } },
			{ status: 404, body: { type: 'not-found' } },
		]);
		expect(sandbox.requests.map(({ served }) => served)).toEqual([204, 404]);
	});

	test('drip sends byte by byte and is complete at the end', async () => {
		sandbox.fault({ kind: 'drip' });
		const before = performance.now();
		const reply = await raw('/v1/keywords', create);
		expect(await reply.text()).toBe('{"count":1}');
		expect(performance.now() - before).toBeGreaterThan(900);
	});

	test('hang does not answer until the client gives up', async () => {
		sandbox.fault({ kind: 'hang' });
		await expect(raw('/v1/workspace', { signal: AbortSignal.timeout(100) })).rejects.toThrow();
		expect(sandbox.requests[0]).toMatchObject({ fault: 'hang', status: null });
	});

	test('an invalid fault is refused', () => {
		expect(() => sandbox.fault({ kind: 'explode' } as never)).toThrow('explode');
		expect(() => sandbox.fault({ kind: 'hang', nth: 1 } as never)).toThrow('nth');
		expect(() => sandbox.fault({ kind: 'status' } as never)).toThrow('status');
	});

	test.each([
		[undefined, /^1$/],
		[3, /^3$/],
		['date', /GMT$/],
		[null, /^null$/],
		[0, /^0$/],
		[-3, /^-3$/],
		['past', /GMT$/],
	] as const)('rate limit with Retry-After %s', async (retryAfter, expected) => {
		sandbox.setRateLimit({ perSecond: 0, retryAfter });
		const reply = await raw();
		expect(reply.status).toBe(429);
		expect(String(reply.headers.get('Retry-After'))).toMatch(expected);
		expect(await reply.json()).toHaveProperty('type', 'rate-limited');
		expect(sandbox.requests[0]).toMatchObject({ status: 429, fault: 'rateLimit' });
		sandbox.setRateLimit(null);
		expect((await raw()).status).toBe(200);
	});

	test('the limit counts within one second and starts again with the next', async () => {
		await new Promise((resolve) => setTimeout(resolve, 1010 - (Date.now() % 1000)));
		sandbox.setRateLimit({ perSecond: 2 });
		const statuses = [];
		for (let i = 0; i < 3; i++) statuses.push((await raw()).status);
		expect(statuses).toEqual([200, 200, 429]);
		await new Promise((resolve) => setTimeout(resolve, 1010 - (Date.now() % 1000)));
		expect((await raw()).status).toBe(200);
	});

	test('latency, and how many requests were under way at once', async () => {
		sandbox.setLatency(1000);
		const before = performance.now();
		await Promise.all(Array.from({ length: 4 }, () => raw().then((reply) => reply.text())));
		expect(performance.now() - before).toBeGreaterThan(950);
		expect(sandbox.maxInFlight).toBe(4);
		expect(sandbox.requests.map(({ inFlight }) => inFlight)).toEqual([1, 2, 3, 4]);
		sandbox.setLatency(0);
		await raw();
		expect(itemAt(sandbox.requests, 4).inFlight).toBe(1);
	});
});

describe('variants', () => {
	test('oldPositions: the newer action comes first, even one that is created now', async () => {
		const before = await ids('/v1/actions');
		sandbox.setVariant({ oldPositions: true });
		const { body } = await call('POST', '/v1/actions', { type: 'other', title: 'Now' });
		const listed = await list('/v1/actions');
		expect(listed.items.map(({ id }) => id)).toEqual([(body as Item).id, ...before.reverse()]);
		const times = listed.items.map(({ createdAt }) => createdAt);
		expect(times).toEqual([...times].sort().reverse());
		sandbox.setVariant({ oldPositions: false });
		expect((await ids('/v1/actions')).slice(0, -1)).toEqual(before.reverse());
	});

	test.each([
		['keywords/kw', 'unarchive'],
		['backlinks/bl', 'unarchive'],
		['ai-visibility/prompts/pr', 'unarchive'],
	])('restoreActive404: %s', async (path, restore) => {
		const target = `/v1/${path}_0001/${restore}`;
		await call('PATCH', target);
		expect((await call('PATCH', target)).status).toBeLessThan(300);
		sandbox.setVariant({ restoreActive404: true });
		expect((await call('PATCH', target)).status).toBe(404);
	});

	test('pageSize: smaller pages than asked for', async () => {
		const whole = await ids('/v1/actions?limit=100');
		sandbox.setVariant({ pageSize: 7 });
		const page = await list('/v1/actions?limit=100&offset=7');
		expect(page).toMatchObject({ total: 18, offset: 7, limit: 7, count: 7 });
		expect(page.items.map(({ id }) => id)).toEqual(whole.slice(7, 14));
		expect((await list('/v1/actions?limit=5')).limit).toBe(5);
	});

	test('wrapRecords: records, clusters and counts, but neither lists nor refusals', async () => {
		sandbox.setVariant({ wrapRecords: true });
		const bodyOf = async (...request: Parameters<typeof call>) => (await call(...request)).body;
		expect(await bodyOf('GET', '/v1/workspace')).toMatchObject({ data: { id: 'ws_0001' } });
		const cluster: { data: unknown[] } = await bodyOf('GET', '/v1/keywords/kw_0001/cluster');
		expect(cluster.data.length).toBeGreaterThan(0);
		const keywords = ['wrapped keyword'];
		expect(await bodyOf('POST', '/v1/keywords', { keywords })).toEqual({ data: { count: 1 } });
		expect(await bodyOf('DELETE', '/v1/keywords/kw_0001')).toBeUndefined();
		expect(await bodyOf('DELETE', '/v1/keywords/kw_0001')).toHaveProperty('type');
		expect((await list('/v1/keywords')).items).toHaveLength(20);
		expect(sandbox.responseViolations).toEqual([]);
		expect(itemAt(sandbox.requests, 0).assumed).toEqual(['wrapRecords']);
	});

	test('highTotal: lists announce more records than they have', async () => {
		sandbox.setVariant({ highTotal: 100_000 });
		expect(await list('/v1/actions')).toMatchObject({ total: 100_000, count: 18 });
		sandbox.reset();
		expect((await list('/v1/actions')).total).toBe(18);
		expect(itemAt(sandbox.requests, 0).assumed).toBeUndefined();
	});

	test('twins: URLs that differ only after # or by a trailing slash', async () => {
		const twins = await startSandbox({ apiKey: KEY, seed: { twinForumOpportunity: 2 } });
		const urls = [...twins.state.all('forumOpportunity')].slice(-4).map(({ url }) => url);
		const [one, other] = [1, 2].map((n) => `https://forum.twins.example/threads/${n}`);
		expect(urls).toEqual([one, `${one}#answer-2`, other, `${other}/`]);
		await twins.close();
	});

	test.each([{ pageSize: 0 }, { pageSize: '7' }, { wrapRecords: 1 }, { unicorn: true }])(
		'refuses %j',
		(changes) => {
			expect(() => sandbox.setVariant(changes as never)).toThrow(Object.keys(changes)[0]);
		},
	);
});

test('a reset gives back the records, whatever was done to them', () => {
	const contents = () =>
		JSON.stringify(
			STORED_KINDS.map((kind) => [...sandbox.state.all(kind)]),
			(_key, value) => (typeof value === 'string' ? value.replace(/^\d{4}-.*Z$/, 'a time') : value),
		).replaceAll(/"at":\d+/g, '"at":0');
	const before = contents();
	sandbox.state.update('citedPage', { title: 'changed', citations: [] });
	sandbox.state.update('action', { keywordIds: ['changed'] });
	sandbox.state.remove('question', 'paa_0001');
	sandbox.discover.keyword({ keyword: 'changed' });
	expect(contents()).not.toBe(before);
	sandbox.reset();
	expect(contents()).toBe(before);
	expect(hasKeyword(sandbox.state, 'changed')).toBe(false);
	expect(sandbox.discover.keyword({ keyword: 'changed' }).id).toBe('kw_0251');
});

describe('shift and hooks', () => {
	test('records disappear and appear between two page reads', async () => {
		const path = '/v1/actions';
		const before = await ids(`${path}?limit=100`);
		sandbox.shift({ path, beforeRequest: 2, remove: [0, itemAt(before, 3)], insert: 1 });
		const first = await list(`${path}?limit=5`);
		expect(first.items.map(({ id }) => id)).toEqual(before.slice(0, 5));
		const second = await list(`${path}?limit=5&offset=5`);
		expect(second.total).toBe(first.total - 1);
		expect(second.items.map(({ id }) => id)).toEqual(before.slice(7, 12));
		expect((await list(`${path}?limit=5&offset=5`)).total).toBe(second.total);
	});

	test.each([
		'/v1/keywords?sortBy=searchVolume',
		'/v1/competitors',
		'/v1/competitors?scope=discovered',
		'/v1/forum-opportunities',
		'/v1/people-also-ask',
		'/v1/backlinks',
		'/v1/backlinks?type=mine',
		'/v1/ai-visibility/citations',
		'/v1/ai-visibility/citations?type=processed',
	])('what is inserted into %s comes first', async (path) => {
		const known = STORED_KINDS.flatMap((kind) => sandbox.state.all(kind).map(({ id }) => id));
		sandbox.shift({ path: itemAt(path.split('?'), 0), beforeRequest: 1, insert: 2 });
		const isNew = (await ids(path)).map((id) => !known.includes(id));
		expect(isNew.slice(0, 3)).toEqual([true, true, false]);
	});

	test('actions are appended', async () => {
		sandbox.shift({ path: '/v1/actions', beforeRequest: 1, insert: 1 });
		expect((await list('/v1/actions?limit=100')).items.at(-1)?.title).toContain('Found action');
	});

	test('a hook sees every list read until it is removed', async () => {
		const reads: string[] = [];
		const stop = sandbox.beforeList(({ path, query, n }) =>
			reads.push(`${n} ${path} ${String(query.limit)}`),
		);
		await list('/v1/actions?limit=7');
		await call('GET', '/v1/workspace');
		await list('/v1/backlinks');
		stop();
		await list('/v1/actions');
		expect(reads).toEqual(['1 /v1/actions 7', '2 /v1/backlinks 20']);
	});

	test('discovery puts records on top and marks own pages', async () => {
		const page = sandbox.discover.citedPage({ url: 'https://www.northwind-tea.example/new' });
		expect(page).toMatchObject({ isOwnDomain: true, citations: 1, status: 'new' });
		const again = sandbox.discover.citedAgain(page.id, undefined, 'search_ai_mode');
		expect(again).toMatchObject({ id: page.id, citations: 2, firstSeenAt: page.firstSeenAt });
		const newest = await list('/v1/ai-visibility/citations?sortBy=lastSeenAt&limit=1');
		expect(newest.items).toEqual([again]);
		sandbox.edit('citedPage', page.id, { status: 'processed' });
		const done = await ids('/v1/ai-visibility/citations?type=processed&sortBy=lastSeenAt&limit=1');
		expect(done).toEqual([page.id]);
		const question = sandbox.discover.question({ question: 'Why tea?' });
		expect((await list('/v1/people-also-ask?limit=1')).items).toEqual([question]);
		expect(() => sandbox.edit('citedPage', page.id, { colour: 'red' })).toThrow('colour');
	});
});

describe('log', () => {
	test('contains all requests, but never the key', async () => {
		await call('GET', `/v1/keywords?keyword=${KEY}&type=new`);
		await call('POST', `/v1/keywords`, { keywords: [KEY, 'tea'] });
		await call('DELETE', `/v1/keywords/${KEY}`);
		await fetch(`${sandbox.url}/v1/workspace`, { headers: { 'X-Api-Key': KEY } });
		expect(JSON.stringify(sandbox.requests)).not.toContain(KEY);
		expect(sandbox.requests).toMatchObject([
			{ n: 1, method: 'GET', path: '/v1/keywords', query: { type: 'new' }, authorized: true },
			{ n: 2, method: 'POST', body: { keywords: ['[key]', 'tea'] }, status: 201 },
			{ n: 3, method: 'DELETE', path: '/v1/keywords/[key]', status: 404 },
			{ n: 4, authorized: false, status: 401, headers: { 'x-api-key': '[key]' } },
		]);
		for (const { headers } of sandbox.requests) expect(headers).not.toHaveProperty('authorization');
		sandbox.clearLog();
		expect(sandbox.requests).toEqual([]);
	});
});

describe('control interface', () => {
	const control = async (method: string, path: string, body?: unknown) => {
		const response = await fetch(`${sandbox.url}/__sandbox${path}`, {
			method,
			headers: { 'Content-Type': 'application/json' },
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
		});
		const text = await response.text();
		return { status: response.status, body: text ? (JSON.parse(text) as unknown) : undefined };
	};

	test('has the same powers as the methods, and is not logged', async () => {
		const found = await control('POST', '/discover', {
			kind: 'citedPage',
			count: 2,
			record: { title: 'Over HTTP' },
		});
		expect(found).toMatchObject({ status: 200, body: [{ title: 'Over HTTP' }, {}] });
		const { id } = itemAt(found.body as Item[], 0);
		const edit = { kind: 'citedPage', id, changes: { status: 'archived' } };
		expect((await control('POST', '/edit', edit)).status).toBe(204);
		expect(sandbox.state.get('citedPage', id)?.status).toBe('archived');

		await control('POST', '/limits', { competitors: 12 });
		expect(await refusal('POST', '/v1/competitors', { domain: 'a.example' })).toEqual([
			400,
			'competitor-limit-exceeded',
		]);
		await control('POST', '/search-console', { connected: false });
		expect(sandbox.state.searchConsoleConnected).toBe(false);
		expect((await control('POST', '/variants', { pageSize: 7 })).status).toBe(204);
		expect((await list('/v1/actions')).limit).toBe(7);

		await control('POST', '/faults', { kind: 'status', status: 418, match: { times: 9 } });
		expect((await call('GET', '/v1/workspace')).status).toBe(418);
		expect((await control('GET', '/faults')).body).toMatchObject([{ seen: 1, fired: 1 }]);
		await control('DELETE', '/faults');
		await control('POST', '/rate-limit', { perSecond: 0, retryAfter: null });
		expect((await call('GET', '/v1/workspace')).status).toBe(429);
		await control('POST', '/rate-limit', { perSecond: null });
		await control('POST', '/latency', { ms: 50 });
		const before = performance.now();
		expect((await call('GET', '/v1/workspace')).status).toBe(200);
		expect(performance.now() - before).toBeGreaterThan(45);

		await control('POST', '/shift', { path: '/v1/actions', beforeRequest: 1, insert: 1 });
		await list('/v1/actions');
		const { body } = await control('GET', '/requests');
		expect(body).toMatchObject({ maxInFlight: 1, responseViolations: [] });
		expect((body as { requests: unknown[] }).requests).toHaveLength(6);
		await control('DELETE', '/requests');
		expect(sandbox.requests).toEqual([]);

		const state = (await control('GET', '/state')).body;
		expect(state).toMatchObject({ counts: { action: 21, citedPage: 232 } });
		await control('POST', '/reset');
		expect(sandbox.summary()).toMatchObject({ counts: { action: 20, citedPage: 230 } });
		expect((await control('GET', '/openapi.json')).body).toEqual(openapi);
	});

	test.each<[string, unknown]>([
		['/discover', { kind: 'unicorn' }],
		['/discover', { kind: 'question', record: { quesion: 'x' } }],
		['/edit', { kind: 'question', id: 'nope', changes: {} }],
		['/edit', { kind: 'unicorn', id: 'nope', changes: {} }],
		['/latency', {}],
		['/rate-limit', {}],
		['/variants', { pageSize: 'small' }],
		['/faults', { kind: 'nothing' }],
		['/shift', { path: '/v1/nothing', beforeRequest: 1 }],
		['/shift', { path: '/v1/actions' }],
	])('refuses %s %j', async (path, body) => {
		const reply = await control('POST', path, body);
		expect(reply).toMatchObject({ status: 400, body: { type: 'control-refused' } });
	});

	test('knows no other paths', async () => {
		expect((await control('GET', '/nothing')).status).toBe(404);
	});
});

test('a call of every operation never breaks the document', async () => {
	const citationId = 'a0000000-0000-4000-8000-000000000001';
	const url = 'https://www.northwind-tea.example/x';
	const bodies: Record<string, unknown> = {
		createKeywords: { keywords: ['walk'] },
		createCompetitor: { domain: 'walk.example' },
		createForumOpportunity: {
			title: 'Walk',
			url: 'https://walk.example/1',
			competitorId: 'c0000000-0000-4000-8000-000000000001',
		},
		updateForumOpportunity: { status: 'processed' },
		updateQuestion: { status: 'processed' },
		updateBacklink: { status: 'processed' },
		updateCategory: { name: 'Walked' },
		createAction: { type: 'record_video', title: 'Walk', citationId },
		notifyIndexing: { url, type: 'URL_DELETED' },
		inspectUrl: { url },
	};
	const recordIds: Record<string, string> = {
		keywords: 'kw_0002',
		competitors: 'c0000000-0000-4000-8000-000000000002',
		'forum-opportunities': 'fo_0002',
		'people-also-ask': 'paa_0002',
		backlinks: 'bl_0003',
		categories: 'cat_0002',
		actions: 'act_0001',
		prompts: 'pr_0001',
	};
	// Deletes come last, so that the other operations still find every record.
	const walk = [...documentedOperations].sort(
		(a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'),
	);
	for (const { method, path, operationId } of walk) {
		const record = path.split('/').at(path.split('/').indexOf('{id}') - 1) ?? '';
		const target = path.replace('{id}', recordIds[record] ?? '');
		const { status } = await call(method, target, bodies[operationId]);
		expect([operationId, status]).toEqual([operationId, expect.toBeOneOf([200, 201, 204])]);
	}
	for (const type of ['archived', 'processed', 'mine']) await list(`/v1/backlinks?type=${type}`);
	expect(sandbox.responseViolations).toEqual([]);
});

test('validation of answers can be switched off', async () => {
	const lax = await startSandbox({ apiKey: KEY, validateResponses: false });
	lax.state.workspace.name = 5 as never;
	const reply = await fetch(`${lax.url}/v1/workspace`, {
		headers: { Authorization: `Bearer ${KEY}` },
	});
	expect(reply.status).toBe(200);
	await lax.close();
});

test('closes at once, open connections or not', async () => {
	const other = await startSandbox({ apiKey: KEY });
	other.fault({ kind: 'hang' });
	const hanging = fetch(`${other.url}/v1/workspace`).catch((error: Error) => error.message);
	while (other.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
	const before = performance.now();
	await other.close();
	// A hanging request would take a minute
	expect(performance.now() - before).toBeLessThan(10_000);
	expect(await hanging).toBe('fetch failed');
});

describe('command line', () => {
	const main = fileURLToPath(new URL('./main.mts', import.meta.url));
	const options = ['--import', 'tsx', main];

	test('prints its URL, answers, ends on SIGTERM', async () => {
		const child = spawn(process.execPath, [...options, '--port', '0', '--key', 'k1', '--empty']);
		const output = await new Promise<string>((resolve) => {
			let text = '';
			child.stdout.on('data', (chunk: Buffer) => {
				text += chunk.toString();
				if (text.includes('Ctrl+C')) resolve(text);
			});
		});
		const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0] ?? '';
		expect(output).toContain('k1');
		const reply = await fetch(`${url}/v1/keywords`, { headers: { Authorization: 'Bearer k1' } });
		expect(await reply.json()).toHaveProperty('data.total', 0);
		const code = new Promise((resolve) => child.once('exit', resolve));
		child.kill('SIGTERM');
		// Windows has no signals; there, the process just ends
		expect(await code).toBe(process.platform === 'win32' ? null : 0);
	});

	test('says so when the port is busy', async () => {
		const server = createServer();
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const port = String((server.address() as AddressInfo).port);
		expect(() =>
			execFileSync(process.execPath, [...options, '--port', port], { stdio: 'pipe' }),
		).toThrow(`Port ${port} is busy`);
		server.close();
	});
});
