import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { OPERATIONS } from './facts.mts';
import type { Json } from './service.mts';
import { verify } from './verify.mts';

const seed = {
	...{ keyword: 120, competitor: 3, discoveredCompetitor: 4, forumOpportunity: 12 },
	...{ question: 50, backlink: 30, citedPage: 40, action: 12 },
};

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ seed, validateResponses: false });
});
afterAll(async () => await sandbox.close());

/** A request, and what the sandbox made of it. */
interface Seen {
	what: string;
	query: URLSearchParams;
	time: number;
	count: number;
	data?: { items: Json[]; total: number };
}

/** What a wrong service does before the sandbox is asked, perhaps in its place, and to its pages. */
type Wrong = { ask?: (seen: Seen) => unknown; change?: (seen: Required<Seen>) => unknown };

const refusal = (status: number, message = 'Not with sandbox-key', headers = {}) =>
	new Response(JSON.stringify({ message }), { status, headers });

/** Verifies a service; its clock takes no time. */
async function verified({ ask, change }: Wrong = {}, write = false) {
	let [passed, count] = [0, 0];
	const now = () => Date.now() + passed;
	const clock = { now, sleep: async (ms: number) => await Promise.resolve(void (passed += ms)) };
	const send = async (url: string, request: RequestInit) => {
		const { pathname, searchParams: query } = new URL(url);
		const what = `${request.method} ${pathname}`;
		const seen: Seen = { what, query, time: now(), count: ++count };
		const own = ask?.(seen);
		if (own === 'cut') throw new Error('cut');
		if (own instanceof Response) return own;
		const search = String(query).replaceAll('+', '%20');
		const response = await fetch(`${sandbox.url}${pathname}?${search}`, request);
		if (response.status === 204) return response;
		const json = (await response.json()) as Pick<Seen, 'data'>;
		if (json.data || seen.what.startsWith('POST'))
			change?.({ ...seen, data: json.data ?? { items: [], total: 0 } });
		return new Response(JSON.stringify(json), { status: response.status });
	};
	const [start, { url: baseUrl, apiKey }] = [now(), sandbox];
	const result = await verify({ baseUrl, apiKey, fetch: send, clock, write });
	if (write) sandbox.reset();
	expect(result.report).not.toContain(apiKey);
	const of = (state: string) =>
		result.facts.flatMap((one) => (one.state === state ? `${one.about}: ${one.evidence}` : []));
	const lines = { differs: of('differs'), notSeen: of('not seen'), holds: of('holds') };
	return { ...result, ...lines, count, seconds: (now() - start) / 1000 };
}

it('verify finds that a service which keeps the contract holds, and says of each operation what was seen', async () => {
	const { notSeen, holds, report } = await verified({}, true);
	expect(report).toMatch(/^\*\*0 differ/);
	expect(notSeen.filter((line) => line.startsWith('GET'))).toHaveLength(1);
	expect(holds.length).toBeGreaterThan(60);
	for (const route of OPERATIONS.keys()) expect(report).toContain(`| ${route}`);
});

it('verify only reads unless asked, at most two requests a second, and waits where a service asks for it', async () => {
	let next = 0;
	const asked: string[] = [];
	const { count, seconds, differs, holds } = await verified({
		ask: ({ what, time }) => {
			asked.push(what);
			if (time < next) return refusal(429, '', { 'retry-after': '1' });
			return void (next = time + 700);
		},
	});
	expect(asked.filter((what) => !what.startsWith('GET'))).toEqual([]);
	expect(seconds).toBeGreaterThan((count - 1) * 0.45);
	expect(differs).toEqual([]);
	expect(holds).toContain('A rate limit: 429, Retry-After: 1');
});

const drop = (path: RegExp, ...names: string[]): Wrong => ({
	ask: ({ what, query }) => path.test(what) && names.forEach((name) => query.delete(name)),
});
const edit = (path: RegExp, change: NonNullable<Wrong['change']>): Wrong => ({
	change: (seen) => path.test(seen.what) && change(seen),
});
const refuse = (path: RegExp, status: number): Wrong => ({
	ask: ({ what, query }) => path.test(`${what}?${query}`) && refusal(status),
});
const [KEYWORDS, QUESTIONS, LINKS, ACTIONS] = [/keywords$/, /also-ask$/, /backlinks$/, /actions$/];
const numeric = edit(ACTIONS, ({ data }) => data.items.forEach((one) => (one.title = 1)));
let since = 0;
const late = edit(KEYWORDS, ({ what, time, data }) => {
	if (what.startsWith('POST')) since = time;
	if (time - since < 3000) data.items.length = data.total = 0;
});

/** What is different in the services A to D, and how many lines that leads to. */
const DIFFERENCES: Array<[service: string, about: string, Wrong, lines: RegExp, count?: number]> = [
	['A', 'order ignored', drop(/./, 'sortBy', 'sortOrder'), /sortBy.+both orders are the same/, 12],
	['A', 'filter ignored', drop(/./, 'domainFrom'), /a value of 1 records finds 18; 1 of 18 fit/],
	['A', 'type', numeric, /actions.*: \/data\/items\/title must be string,null \(\d+×\)$/, 3],
	['A', 'total', edit(QUESTIONS, ({ data }) => data.total++), /total 50, pages of 49, 0/],
	['B', 'one order', drop(LINKS, 'sortBy'), /sortBy=\w+: \d+ different values, not in/, 2],
	['B', 'offset ignored', drop(KEYWORDS, 'offset'), /total 1\d\d, pages of 100, 100, 100 diff/, 2],
	['B', 'pages', edit(QUESTIONS, ({ data }) => data.items.splice(20)), /pages of 20, 20, 9,/],
	['C', 'order refused', refuse(/links.*sortBy/, 400), /sortBy=\w+: 400 .*Not with …/, 3],
	['C', 'list ignored', drop(LINKS, 'type'), /backlinks, type: .* the same records/],
	['D', 'late', late, /shows a change at once: after POST \S+ and 3 s, 1 such/],
	['D', 'refused for another reason', refuse(/POST.*competitors/, 409), /none/, 0],
];

it.each([...'ABCD'])('verify states what differs in service %s, and nothing else', async (name) => {
	const own = DIFFERENCES.filter(([service]) => service === name);
	const ask = (seen: Seen) => own.map(([, , { ask }]) => ask?.(seen)).find(Boolean);
	const change = (seen: Required<Seen>) => own.forEach(([, , { change }]) => change?.(seen));
	const { differs, report } = await verified({ ask, change }, name === 'D');
	const told = differs.map((line) => own.find(([, , , lines]) => lines.test(line))?.[1]);
	const expected = own.flatMap(([, about, , , count = 1]) => Array<string>(count).fill(about));
	expect(told.sort()).toEqual(expected.sort());
	expect(report).not.toContain('Left behind');
});

const after20 = (answer: () => unknown): Wrong => ({ ask: ({ count }) => count > 20 && answer() });
const quota = () => refusal(429, '', { 'retry-after': '7200' });
const empty = edit(/./, ({ data }) => (data.items.length = data.total = 0));

it.each<[string, Wrong, RegExp]>([
	['cut off by a quota', after20(quota), /^\*\*Cut off:\*\* GET \S+ met a limit \(429\)/],
	['cut off by a lost connection', after20(() => 'cut'), /^\*\*Cut off:\*\* the connection/],
	['refused one list', refuse(/actions/, 403), /^\*\*Refused:\*\* GET \S+actions: 403/],
	['given no records', empty, /^\*\*Empty:\*\* no list has a record/],
])('verify that was %s says so first, and finds no difference', async (_, wrong, first) => {
	const { report, differs, notSeen } = await verified(wrong);
	expect(report).toMatch(first);
	expect(differs).toEqual([]);
	expect(notSeen.length).toBeGreaterThan(20);
});

it.each<[string, Response | 'cut', RegExp]>([
	['rejects the key', refusal(401), /^The service rejected the API key: GET \S+ gave 401 .*…/],
	['locks the key', refusal(403), /^The service rejected the API key: GET \S+ gave 403 /],
	['answers with HTML', new Response('<html>'), /not the service: .* gave no JSON\.$/],
	['redirects', new Response('', { status: 301 }), /^This is not the service: .* 301 without JSON/],
	['does not answer', 'cut', /^Nothing can be asked at the base URL/],
])('verify ends with one sentence if the service %s', async (_, answer, sentence) => {
	await expect(verified({ ask: () => answer })).rejects.toThrow(sentence);
});

it.each([
	['API key', { apiKey: '' }, /\(SEARCH_VISIBILITY_API_KEY\) is empty/],
	['base URL', { baseUrl: '' }, /\(SEARCH_VISIBILITY_BASE_URL\) must be an/],
])('verify without a value for the %s names its variable', async (_, missing, sentence) => {
	const result = verify({ baseUrl: sandbox.url, apiKey: 'key', ...missing });
	await expect(result).rejects.toThrow(sentence);
});

it('verify goes on after a change whose connection was lost, does not repeat it, and names what may be left behind', async () => {
	let cuts = 0;
	const ask = ({ what }: Seen) => what === 'POST /v1/keywords' && ++cuts && 'cut';
	const { report, notSeen, holds } = await verified({ ask }, true);
	expect(report).toMatch(/^\*\*Left behind:\*\* \/v1\/keywords: verify \w+ may not be as it was\n/);
	expect(notSeen).toContain('POST /v1/keywords: the connection was lost');
	expect(holds).toContain('POST /v1/competitors: 201');
	expect(cuts).toBe(1);
});

it('npm run verify ends with 0 where nothing differs, with 1 where something does, and with 2 without a service', async () => {
	const script = fileURLToPath(new URL('main.mts', import.meta.url));
	const run = async (url: string) => {
		const args = ['--import', 'tsx', script, '--base-url', url, '--api-key', 'sandbox-key'];
		return await promisify(execFile)(process.execPath, [...args, '--rate', '1000']);
	};
	expect((await run(sandbox.url)).stdout).toMatch(/^\*\*0 differ/);
	sandbox.fault({ kind: 'status', status: 400, match: { path: '/v1/actions', times: null } });
	const stdout = expect.stringMatching(/^\*\*1 differ.*\| differs \| GET \S+actions/s);
	await expect(run(sandbox.url)).rejects.toMatchObject({ code: 1, stdout });
	const none = { code: 2, stdout: '', stderr: expect.stringContaining('Nothing can be asked') };
	await expect(run('http://127.0.0.1:1')).rejects.toMatchObject(none);
});
