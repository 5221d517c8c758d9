import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

import { listen } from '../listen.mts';
import { OPERATIONS } from './shapes.mts';
import { ALL_WORK, edit, READS, refusal, refuse, verified, type Wrong } from './verified.mts';
import { verify } from './verify.mts';
import { useWorkspace } from './workspace.mts';

const workspace = useWorkspace();
const large = useWorkspace({ keyword: 250 });

/** What fetch throws. */
const lost = (code: string) => Object.assign(new TypeError('fetch failed'), { cause: { code } });

/** What cannot be taken back: docs/assumptions.md names it. */
const NEVER_TRIED = [
	'DELETE /v1/people-also-ask/{id}',
	'PATCH /v1/categories/{id}',
	'DELETE /v1/categories/{id}',
	'POST /v1/actions',
	'POST /v1/actions/{id}/generate',
	'POST /v1/gsc/index',
	'POST /v1/gsc/inspect',
	'PATCH /v1/ai-visibility/prompts/{id}/unarchive',
].map((route) => `${route}: not asked`);

it('verify says of a service which keeps the contract that all reads of the node work and nothing differs, and of each operation what was seen', async () => {
	const all = await verified(workspace.answer, {}, true);
	const { reads, differs, notSeen, holds, report, firstLine } = all;
	expect(firstLine).toBe(`${ALL_WORK}**`);
	for (const { name, evidence } of reads)
		expect(report).toContain(`| ${name} | works | ${evidence} |`);
	expect(differs).toEqual([]);
	const asked = 'what is read is in test/verify/reading.mts, and what filters do in filtering.mts';
	expect(
		notSeen.filter((line) => line.startsWith('GET')),
		asked,
	).toEqual([
		expect.stringContaining('actions, filter search, description: '),
		expect.stringContaining('people-also-ask, shape: '),
	]);
	const writes =
		'what is tried is in test/verify/writing.mts, and what is not, in NEVER_TRIED and docs/assumptions.md';
	expect(
		notSeen.filter((line) => line.endsWith('not asked')),
		writes,
	).toEqual(NEVER_TRIED);
	expect(holds.length).toBeGreaterThan(60);
	for (const route of OPERATIONS.keys()) expect(report).toContain(`| ${route}`);
});

it('verify sees every sort key of keywords, although half of them have no score and fill the first page of an order', async () => {
	const { sandbox, answer } = large;
	const query = 'type=all&sortBy=aiScore&sortOrder=desc&limit=100';
	const headers = { authorization: `Bearer ${sandbox.apiKey}` };
	const response = await fetch(`${sandbox.url}/v1/keywords?${query}`, { headers });
	const { data } = (await response.json()) as { data: { items: Array<{ aiScore: unknown }> } };
	expect(data.items.map(({ aiScore }) => aiScore)).toEqual(Array(100).fill(null));
	const { holds } = await verified(answer);
	const sorted = holds.filter((line) => /^GET \/v1\/keywords, sortBy=/.test(line));
	expect(sorted).toHaveLength(5);
});

it('verify only reads unless asked, at most two requests a second, and waits where a service asks for it', async () => {
	let next = 0;
	const asked: string[] = [];
	const { count, seconds, differs, holds, firstLine } = await verified(workspace.answer, {
		ask: ({ what, time }) => {
			asked.push(what);
			if (time < next) return refusal(429, '', { 'retry-after': '1' });
			next = time + 700;
			return undefined;
		},
	});
	expect(asked.filter((what) => !what.startsWith('GET'))).toEqual([]);
	expect(seconds).toBeGreaterThan((count - 1) * 0.45);
	expect(firstLine).toBe(`${ALL_WORK}**`);
	expect(differs).toEqual([]);
	expect(holds).toContain('A rate limit: 429, Retry-After: 1');
});

const after20 = (answer: () => unknown): Wrong => ({
	ask: ({ count }) => (count > 20 ? answer() : undefined),
});
const quota = () => refusal(429, '', { 'retry-after': '7200' });
const empty = edit(/./, ({ data }) => {
	data.items = [];
	data.total = 0;
});

it.each<[string, Wrong, RegExp]>([
	[
		'cut off by a quota',
		after20(quota),
		/^\*\*(\d+) of \1 reads .* Not tried: .*\n\n\*\*Cut off:\*\* GET \S+ met a limit \(429\)/,
	],
	[
		'cut off by a lost connection',
		after20(() => lost('ECONNRESET')),
		/^\*\*(\d+) of \1 reads .* Not tried: .*\n\n\*\*Cut off:\*\* the connection was lost \(ECONNRESET\)/,
	],
	[
		'refused one list',
		refuse(/actions/, 403),
		/^\*\*\d+ of \d+ reads .* Not: Content Action > Get Many, The lists to choose from in the editor\..*\n\n\*\*Refused:\*\* GET \S+actions: 403/,
	],
	[
		'given no records',
		empty,
		/^\*\*(\d+) of \1 reads .* Not tried: Keyword > Get Cluster[.,].*\n\n\*\*Empty:\*\* no list has a record/,
	],
])('verify that was %s says after what works, and finds no difference', async (_, wrong, start) => {
	const { report, differs, notSeen } = await verified(workspace.answer, wrong);
	expect(report).toMatch(start);
	expect(differs).toEqual([]);
	expect(notSeen.length).toBeGreaterThan(20);
});

it("verify names a read that fails with the node's own error, and says what its endpoint refused", async () => {
	const wrong = refuse(/people-also-ask/, 400);
	const { reads, firstLine, facts } = await verified(workspace.answer, wrong);
	expect(firstLine).toContain(`**${READS - 4} of ${READS} reads `);
	expect(firstLine).toMatch(/ Not: Related Question > Get Many, .*Trigger > two checks\./);
	const { evidence } = reads.find(({ name }) => name === 'Related Question > Get Many') ?? {};
	expect(evidence).toMatch(/^The service rejected one of the values\..*"Not with \*\*\*"/);
	const [refused] = facts.filter(({ about }) => about === 'GET /v1/people-also-ask');
	expect(refused).toMatchObject({ state: 'differs', minds: 'Yes: Get Many fails' });
});

/** A list of questions that has no end. */
const endless = edit(/people-also-ask$/, ({ query, data }) => {
	const offset = Number(query.get('offset') ?? 0);
	data.total = 100_000;
	data.items = Array.from({ length: Number(query.get('limit') ?? 20) }, (_, index) => ({
		id: `q${offset + index}`,
		question: 'Why?',
		status: 'new',
		createdAt: '2026-01-01T00:00:00.000Z',
		updatedAt: '2026-01-01T00:00:00.000Z',
	}));
});

it('verify does not try a read that takes more than 100 requests, and says so', async () => {
	const { reads, firstLine, count, differs } = await verified(workspace.answer, endless);
	expect(firstLine).toBe(
		`**${READS - 1} of ${READS - 1} reads work with this service. Not tried: Trigger > two checks.**`,
	);
	const evidence = 'it takes more than 100 requests';
	expect(reads.at(-1)).toMatchObject({ state: 'not tried', evidence });
	expect(count).toBeLessThan(300);
	expect(differs).toEqual([]);
});

it.each<[string, Response | Error, RegExp]>([
	['rejects the key', refusal(401), /^The service rejected the API key: GET \S+ gave 401 .*…/],
	['locks the key', refusal(403), /^The service rejected the API key: GET \S+ gave 403 /],
	['answers with HTML', new Response('<html>'), /not the service: .* gave no JSON\.$/],
	['redirects', new Response('', { status: 301 }), /^This is not the service: .* 301 without JSON/],
	[
		'refuses the connection',
		lost('ECONNREFUSED'),
		/: the connection was refused \(ECONNREFUSED\)\.$/,
	],
	[
		'is not found',
		lost('ENOTFOUND'),
		/^Nothing can be asked at .*: the host was not found \(ENOTFOUND\)/,
	],
])('verify ends with one sentence if the service %s', async (_, answer, sentence) => {
	await expect(verified(workspace.answer, { ask: () => answer })).rejects.toThrow(sentence);
});

it.each([
	['API key', { apiKey: '' }, /\(SEARCH_VISIBILITY_API_KEY\) is empty/],
	['base URL', { baseUrl: '' }, /\(SEARCH_VISIBILITY_BASE_URL\) must be an/],
])('verify without a value for the %s names its variable', async (_, missing, sentence) => {
	const result = verify({ baseUrl: workspace.sandbox.url, apiKey: 'key', ...missing });
	await expect(result).rejects.toThrow(sentence);
});

it('verify goes on after a change whose connection was lost, does not repeat it, and names what may be left behind', async () => {
	let cuts = 0;
	const ask: Wrong['ask'] = ({ what }) => {
		if (what !== 'POST /v1/keywords') return undefined;
		cuts++;
		return lost('ECONNRESET');
	};
	const { report, notSeen, holds } = await verified(workspace.answer, { ask }, true);
	expect(report).toMatch(
		/^.*\n\n\*\*Left behind:\*\* \/v1\/keywords: verify \w+ may not be as it was\n/,
	);
	expect(notSeen).toContain('POST /v1/keywords: the connection was lost (ECONNRESET)');
	expect(holds).toContain('POST /v1/competitors: 201');
	expect(cuts).toBe(1);
});

it('npm run verify ends with 0 where nothing differs, with 1 where something does, and with 2 without a service', async () => {
	const { sandbox } = workspace;
	const script = fileURLToPath(new URL('main.mts', import.meta.url));
	const run = async (url: string) => {
		const args = ['--import', 'tsx', script, '--base-url', url, '--api-key', 'sandbox-key'];
		return await promisify(execFile)(process.execPath, [...args, '--rate', '1000']);
	};
	expect((await run(sandbox.url)).stdout).toContain(ALL_WORK);
	sandbox.fault({ kind: 'status', status: 400, match: { path: '/v1/actions', times: null } });
	const stdout = expect.stringMatching(/^\*\*\d+ of .*\n\| differs \| GET \S+actions/s);
	await expect(run(sandbox.url)).rejects.toMatchObject({ code: 1, stdout });
	const closed = await listen(createServer());
	await closed.close();
	const stderr = expect.stringContaining('the connection was refused (ECONNREFUSED)');
	await expect(run(closed.url)).rejects.toMatchObject({ code: 2, stdout: '', stderr });
});
