import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { itemAt } from '../defined.mts';
import { hasKeyword } from './discover.mts';
import { handlers } from './operations/index.mts';
import { startSandbox, type FaultSpec, type Sandbox } from './sandbox.mts';
import { STORED_KINDS } from './schema.mts';

const KEY = 'secret-of-the-test';

let sandbox: Sandbox;
beforeAll(async () => {
	// Each list fits into one page
	const seed = { keyword: 90, question: 90, backlink: 90, citedPage: 90 };
	sandbox = await startSandbox({ apiKey: KEY, seed });
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

interface Reply {
	status: number;
	body: never;
	headers: Headers;
}

async function call(request: string, body?: unknown, key = KEY, { url } = sandbox): Promise<Reply> {
	const [method = '', path = ''] = request.split(' ');
	const response = await fetch(url + path, {
		method,
		redirect: 'manual',
		headers: {
			Authorization: `Bearer ${key}`,
			...(body !== undefined && { 'Content-Type': 'application/json' }),
		},
		...(body !== undefined && { body: JSON.stringify(body) }),
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

async function list(path: string, from = sandbox): Promise<Page> {
	const { status, body } = await call(`GET ${path}`, undefined, KEY, from);
	expect(status).toBe(200);
	return (body as { data: Page }).data;
}
const ids = async (path: string) => (await list(path)).items.map(({ id }) => id);
const refusal = async (request: string, body?: unknown) => {
	const reply = await call(request, body);
	return [reply.status, (reply.body as { type: string }).type];
};

describe('the sandbox', () => {
	test.each([
		'GET /v1/keywords?surprise=1',
		'GET /v1/keywords?limit=101',
		'GET /v1/keywords?type=old',
		'GET /v1/people-also-ask?status[]=new',
		'GET /v1/backlinks?competitorId=not-a-uuid',
		'GET /v1/ai-visibility/citations?startDate=2026-02-30',
		'POST /v1/keywords {"keywords":["tea"],"language":"en"}',
		'POST /v1/competitors {"domain":"https://tea.example/"}',
		'PATCH /v1/people-also-ask/paa_0001 {"status":"new","question":"x"}',
		'DELETE /v1/backlinks/bl_0002 {}',
		'POST /v1/actions {"type":"dance","title":"x"}',
		'POST /v1/gsc/index {"url":"/page","type":"URL_UPDATED"}',
		'POST /v1/gsc/index {"url":"https://www.northwind-tea.example/","type":"UPDATED"}',
		'DELETE /v1/keywords/nope -> not-found',
		'POST /v1/actions/nope/generate -> not-found',
		'GET /v1/nothing -> not-found',
		'DELETE /v1/keywords/ -> not-found',
		'GET /V1/keywords -> not-found',
	])('refuses what the contract does not name: %s', async (step) => {
		await check(step.includes(' -> ') ? step : `${step} -> validation-failed`);
	});

	test.each([
		['application/json', 400],
		['text/plain', 415],
	])('refuses a body that is not JSON: %s with %i', async (type, status) => {
		const headers = { Authorization: `Bearer ${KEY}`, 'Content-Type': type };
		const init = { method: 'POST', headers, body: '{"keywords": [' };
		expect((await fetch(`${sandbox.url}/v1/keywords`, init)).status).toBe(status);
	});

	test.each([
		['GET /v1/keywords/kw_0001/cluster', 'getKeywordCluster', { status: 200, body: [{ id: 5 }] }],
	] as const)(
		'notices that its own answer to %s (%s: %j) is not in the contract',
		async (request, name, answer) => {
			const handler = vi.spyOn(handlers, name).mockReturnValue(answer as never);
			expect(await refusal(request)).toEqual([500, 'response-violation']);
			handler.mockRestore();
			expect(sandbox.responseViolations).toHaveLength(1);
		},
	);
});

describe('lists of the sandbox', () => {
	test('equal records come in the order of the database, which differs from page to page', async () => {
		const tied = await startSandbox({ apiKey: KEY, empty: true, seed: { question: 1500 } });
		const changes = { createdAt: '2026-01-01T00:00:00.000Z', archivedAt: null };
		tied.state.update('question', changes);
		const seen: string[] = [];
		for (let offset = 0; offset < 1500; offset += 100) {
			const page = await list(`/v1/people-also-ask?limit=100&offset=${offset}`, tied);
			expect(page).toMatchObject({ total: 1500, count: 100 });
			seen.push(...page.items.map(({ id }) => id));
		}
		expect(seen).toHaveLength(1500);
		expect(new Set(seen).size).toBeLessThan(1500);
		await tied.close();
	});
});

const COMPETITOR = 'c0000000-0000-4000-8000-00000000000d';
const PLAN = '"type":"write_article","title":"Plan"';

/** Steps for two kinds of records that are new, processed, or archived permanently. */
const triage = (path: string) => `
	PATCH ${path}/$ {"status":"processed"} -> {"status":"processed"}
	not in ${path}?status=new
	in ${path}?status=processed
	PATCH ${path}/$ {"status":"new"} -> {"status":"new"}
	DELETE ${path}/$ -> 204
	not in ${path}?status=new,processed
	PATCH ${path}/$ {"status":"new"} -> not-found
	DELETE ${path}/$ -> not-found`;

/**
 * Name and record of each story, and its steps: a request with its body, and the status, the code of the refusal or a part
 * of the body that it leads to. $ is the record; "in" and "not in" tell which lists it is in.
 */
const STORIES: Array<[name: string, id: string, steps: string]> = [
	['forum opportunity', 'fo_0001', triage('/v1/forum-opportunities')],
	['related question', 'paa_0001', triage('/v1/people-also-ask')],
	[
		'action: title and slug are unique, references exist, what does not apply is dropped',
		'act_0022',
		`
	POST /v1/actions {${PLAN},"slug":"plan"} -> 201
	POST /v1/actions {"type":"other","title":"Plan"} -> action-title-already-exists
	POST /v1/actions {"type":"write_article","slug":"plan"} -> action-slug-already-exists
	POST /v1/actions {"type":"write_article","slug":"the-guide-1"} -> action-slug-already-exists
	POST /v1/actions {"type":"write_article","keywordIds":["kw_0001","no"]} -> action-reference-not-found
	POST /v1/actions {"type":"write_article","categoryId":"no"} -> action-reference-not-found
	POST /v1/actions {"type":"write_article","fanoutQueryIds":["no"]} -> action-reference-not-found
	POST /v1/actions {"type":"add_prompt","slug":"the-guide-1","categoryId":"no","keywordIds":["no"],"fanoutQueryIds":["fq_0001"]} -> {"id":"act_0022","slug":null,"categoryId":null,"keywordIds":[],"fanoutQueryIds":["fq_0001"]}
	in /v1/actions
	POST /v1/actions/$/generate -> action-not-generatable`,
	],
	[
		'keyword: new, planned, processed, archived and back',
		'kw_0002',
		`
	in /v1/keywords?type=new
	POST /v1/actions {${PLAN},"keywordIds":["kw_0002"]} -> {"id":"act_0021"}
	not in /v1/keywords?type=new
	in /v1/keywords?type=planned
	POST /v1/actions/act_0021/generate -> {"status":"done"}
	POST /v1/actions/act_0021/generate -> action-not-generatable
	not in /v1/keywords?type=planned
	in /v1/keywords?type=processed
	DELETE /v1/keywords/$ -> 204
	not in /v1/keywords?type=processed
	in /v1/keywords?type=archived
	DELETE /v1/keywords/$ -> not-found
	PATCH /v1/keywords/$/unarchive -> 204
	in /v1/keywords?type=processed`,
	],
	[
		'backlink: processed, new, archived and back',
		'bl_0002',
		`
	PATCH /v1/backlinks/$/update {"status":"processed"} -> 204
	not in /v1/backlinks
	in /v1/backlinks?type=processed
	PATCH /v1/backlinks/$/update {"status":"new"} -> 204
	in /v1/backlinks
	DELETE /v1/backlinks/$ -> 204
	in /v1/backlinks?type=archived
	PATCH /v1/backlinks/$/update {"status":"new"} -> not-found
	PATCH /v1/backlinks/$/unarchive -> 204
	in /v1/backlinks`,
	],
	[
		'competitor: discovered, tracked, removed, tracked again, always the same record',
		COMPETITOR,
		`
	in /v1/competitors?scope=discovered
	in /v1/competitors?scope=all
	DELETE /v1/competitors/$ -> not-found
	POST /v1/competitors {"domain":"HARBOUR-LEAF-2.example"} -> {"id":"${COMPETITOR}"}
	in /v1/competitors
	not in /v1/competitors?scope=discovered
	POST /v1/competitors {"domain":"harbour-leaf-2.example"} -> competitor-already-exists
	DELETE /v1/competitors/$ -> 204
	not in /v1/competitors?scope=all
	POST /v1/competitors {"domain":"harbour-leaf-2.example"} -> {"id":"${COMPETITOR}"}
	in /v1/competitors`,
	],
];

async function check(step: string, id = ''): Promise<void> {
	const [, not, path] = /^(not )?in (.*)/.exec(step) ?? [];
	if (path) {
		const found = await ids(`${path}${path.includes('?') ? '&' : '?'}limit=100`);
		return expect(found.includes(id), step).toBe(!not);
	}
	const [, request = '', body, expected = ''] = /^(\S+ \S+) ?(\{.*\})? -> (.*)$/.exec(step) ?? [];
	const sent = body === undefined ? undefined : (JSON.parse(body) as unknown);
	const reply = await call(request.replace('$', id), sent);
	if (/^\d+$/.test(expected)) return expect(reply.status, step).toBe(Number(expected));
	const isRefusal = /^[a-z]/.test(expected);
	expect(reply.status >= 400, step).toBe(isRefusal);
	const wanted = isRefusal ? { type: expected } : (JSON.parse(expected) as object);
	expect(reply.body, step).toMatchObject(wanted);
}

test.each(STORIES)('the sandbox does what the contract says: %s', async (_name, id, steps) => {
	for (const step of steps.trim().split('\n')) await check(step.trim(), id);
	expect(sandbox.responseViolations).toEqual([]);
});

describe('faults of the sandbox', () => {
	const raw = (path = '/v1/workspace', init: RequestInit = {}) =>
		fetch(sandbox.url + path, {
			redirect: 'manual',
			...init,
			headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' },
		});
	const create = { method: 'POST', body: '{"keywords":["cut keyword"]}' };

	test('fire on the nth match, the given number of times, and only on matches', async () => {
		const match = { method: 'get', path: '/v1/keywords', query: { limit: 5 }, nth: 2, times: 2 };
		const headers = { 'X-Why': 'test' };
		const fault = sandbox.fault({ match, kind: 'status', status: 503, headers });
		const limited = Array<string>(4).fill('/v1/keywords?limit=5');
		const replies = [];
		for (const path of ['/v1/keywords', '/v1/workspace', ...limited]) replies.push(await raw(path));
		expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 503, 503, 200]);
		expect(itemAt(replies, 3).headers.get('X-Why')).toBe('test');
		expect(fault).toMatchObject({ seen: 4, fired: 2 });
		const faults = sandbox.requests.map((entry) => entry.fault ?? '');
		expect(faults).toEqual(['', '', '', 'status', 'status', '']);
	});

	// The status (null: the connection is cut), the text, and whether the work is done
	test.each<[FaultSpec, number | null, RegExp, boolean]>([
		[{ kind: 'cutBefore' }, null, /^$/, false],
		[{ kind: 'cutAfter' }, null, /^$/, true],
		[{ kind: 'malformed' }, 200, /^\{"data".*oops$/, false],
		[{ kind: 'truncated' }, 201, /^\{"cou/, true],
		[{ kind: 'empty' }, 200, /^$/, false],
		[{ kind: 'html' }, 200, /^<!doctype html>/, false],
		[{ kind: 'envelope' }, 200, /^\{\}$/, false],
		[{ kind: 'huge' }, 201, /^\{"count":1,"padding":"x{1000}/, true],
		[{ kind: 'drip', every: 1 }, 201, /^\{"count":1\}$/, true],
		[{ kind: 'redirect', location: 'https://elsewhere.example/' }, 302, /^$/, false],
		[{ kind: 'status', status: 500, body: 'words' }, 500, /^words$/, false],
		[{ kind: 'lateStatus', status: 502 }, 502, /injected-fault/, true],
	])('answer as told, and do the work or not: %j', async (spec, status, text, isDone) => {
		sandbox.fault(spec);
		const reply = await raw('/v1/keywords', create).catch(() => undefined);
		expect(reply?.status ?? null).toBe(status);
		expect((await reply?.text()) ?? '').toMatch(text);
		const entry = { status, served: isDone ? 201 : null, fault: spec.kind };
		expect(sandbox.requests).toMatchObject([entry]);
		expect(hasKeyword(sandbox.state, 'cut keyword')).toBe(isDone);
		expect(sandbox.responseViolations).toEqual([]);
	});
});

test('a reset of the sandbox gives back the records, whatever was done to them', () => {
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
	expect(sandbox.discover.keyword({ keyword: 'changed' }).id).toBe('kw_0091');
});

test('the log of the sandbox has all requests, but never the key', async () => {
	await call(`GET /v1/keywords?keyword=${KEY}&type=new`);
	await call('POST /v1/keywords', { keywords: [KEY, 'tea'] });
	await call(`DELETE /v1/keywords/${KEY}`);
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

test('npm run sandbox prints its URL, answers, takes calls of its methods, and ends on SIGTERM', async () => {
	const main = fileURLToPath(new URL('./main.mts', import.meta.url));
	const options = ['--import', 'tsx', main, '--port', '0', '--key', KEY, '--empty'];
	const child = spawn(process.execPath, options);
	const output = await new Promise<string>((resolve) => {
		let text = '';
		child.stdout.on('data', (chunk: Buffer) => {
			text += chunk.toString();
			if (text.includes('Ctrl+C')) resolve(text);
		});
	});
	expect(output).toContain(KEY);
	const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0] ?? '';
	expect((await list('/v1/keywords', { ...sandbox, url })).total).toBe(0);
	await call('POST /__sandbox/keyword', [{ keyword: 'over HTTP' }], KEY, { ...sandbox, url });
	expect((await list('/v1/keywords', { ...sandbox, url })).total).toBe(1);
	const code = new Promise((resolve) => child.once('exit', resolve));
	child.kill('SIGTERM');
	// Windows has no signals; there, the process just ends
	expect(await code).toBe(process.platform === 'win32' ? null : 0);
});
