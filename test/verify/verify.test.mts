import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { Lines } from './lines.mts';
import { reportOf } from './report.mts';
import type { Access } from './service.mts';
import { CouldNotRun, verify, type Options } from './verify.mts';

const SMALL = {
	...{ keyword: 120, competitor: 3, discoveredCompetitor: 4, forumOpportunity: 12 },
	...{ question: 50, backlink: 30, citedPage: 40, action: 12 },
};

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ seed: SMALL, validateResponses: false });
});
afterAll(async () => await sandbox.close());

type Json = Record<string, unknown>;

/** A request, and what the sandbox made of it. */
interface Seen {
	what: string;
	query: URLSearchParams;
	status: number;
	body: Json;
	time: number;
	count: number;
}

/** How a service differs from the sandbox: it answers itself, cuts the connection, or changes what came. */
interface Difference {
	ask?: (seen: Pick<Seen, 'what' | 'query' | 'time' | 'count'>) => Response | 'cut' | undefined;
	change?: (seen: Seen) => void;
}

const refusal = (status: number, headers: Record<string, string> = {}) =>
	new Response(JSON.stringify({ type: 'no', message: 'Not now' }), { status, headers });

/** Verifies a service; its clock takes no time. */
async function verified(
	{ ask, change }: Difference = {},
	options: Partial<Options> = {},
	{ url: baseUrl, apiKey } = sandbox,
) {
	let [passed, count] = [0, 0];
	const clock = {
		now: () => Date.now() + passed,
		sleep: async (ms: number) => await Promise.resolve(void (passed += ms)),
	};
	const begin = clock.now();
	const send: Access['fetch'] = async (url, request) => {
		const { pathname, searchParams: query } = new URL(url);
		const what = `${request.method} ${pathname}`;
		const asked = { what, query, time: clock.now(), count: ++count };
		const own = ask?.(asked);
		if (own === 'cut') throw new Error('cut');
		if (own) return own;
		const target = `${baseUrl}${pathname}?${String(query).replaceAll('+', '%20')}`;
		const response = await fetch(target, request);
		const text = await response.text();
		const body = text === '' ? {} : (JSON.parse(text) as Json);
		const seen = { ...asked, status: response.status, body };
		change?.(seen);
		const empty = response.status === 204;
		return new Response(empty ? null : JSON.stringify(seen.body), { status: seen.status });
	};
	try {
		const result = await verify({ baseUrl, apiKey, fetch: send, clock, ...options });
		const of = (wanted: string) =>
			result.lines.flatMap(({ state, rule, evidence }) =>
				state === wanted ? `${rule}: ${evidence}` : [],
			);
		const [differs, notSeen] = [of('differs'), of('not seen')];
		return { ...result, passed: clock.now() - begin, count, differs, notSeen };
	} finally {
		if (options.write) sandbox.reset();
	}
}

const listIn = ({ body }: Seen) =>
	(body.data as { items?: Json[]; total: number } | undefined) ?? { total: 0 };

describe('verify', () => {
	it('finds that a service which keeps the contract holds, and leaves nothing behind but content actions', async () => {
		const { differs, lines, leftBehind, cutOff } = await verified({}, { write: true });
		expect(differs).toEqual([]);
		expect(cutOff).toBe('');
		expect(leftBehind).toEqual([expect.stringContaining('content actions')]);
		expect(lines.length).toBeGreaterThanOrEqual(new Lines().all.length);
		expect(lines.filter(({ state }) => state === 'holds').length).toBeGreaterThan(50);
		expect(lines.filter(({ evidence }) => evidence === '')).toEqual([]);
	});

	it('only reads unless asked, two requests a second', async () => {
		const asked: string[] = [];
		const { passed, count } = await verified({
			ask: ({ what }) => void asked.push(what) as undefined,
		});
		expect(asked.filter((what) => !what.startsWith('GET'))).toEqual([]);
		expect(passed).toBeGreaterThan((count - 1) * 450);
		expect(passed).toBeLessThan(120_000);
	});

	it('says of an empty workspace that it says little', async () => {
		const other = await startSandbox({ empty: true, validateResponses: false });
		const result = await verified({}, {}, other);
		await other.close();
		expect(result).toMatchObject({ isEmpty: true, differs: [] });
		expect(reportOf(result)).toContain('**Empty:** no list has a record');
		expect(result.notSeen.length).toBeGreaterThan(50);
	});

	it.each<[string, Difference]>([
		[
			'a quota',
			{ ask: ({ count }) => (count > 20 ? refusal(429, { 'retry-after': '7200' }) : undefined) },
		],
		['a lost connection', { ask: ({ count }) => (count > 20 ? 'cut' : undefined) }],
	])(
		'says that it was cut off by %s, and finds no difference in the rest',
		async (_, difference) => {
			const result = await verified(difference);
			expect(result.cutOff).toMatch(/limit \(429\), and asked to wait 7200 s|connection was lost/);
			expect(result.differs).toEqual([]);
			expect(reportOf(result)).toContain('**Cut off:**');
		},
	);

	it('goes on after a change whose connection was lost, and names what may be left behind', async () => {
		let cuts = 0;
		const ask = ({ what }: { what: string }) =>
			what === 'POST /v1/keywords' && ++cuts === 1 ? 'cut' : undefined;
		const { leftBehind, lines, facts } = await verified({ ask }, { write: true });
		expect(leftBehind.join()).toContain('Archive the keywords');
		expect(leftBehind.join()).toContain('if it was created');
		expect(facts.join()).toContain('The changes of keywords could not be looked at');
		expect(lines.find(({ rule }) => rule.includes('when a competitor is created'))?.state).toBe(
			'holds',
		);
	});

	it('waits where a service asks for it, and describes the limit', async () => {
		let next = 0;
		const result = await verified({
			ask: ({ time }) => {
				if (time < next) return refusal(429, { 'retry-after': '1' });
				next = time + 990;
				return undefined;
			},
		});
		expect(result.differs).toEqual([]);
		const rule = result.lines.find((one) => one.rule.includes('when a rate limit is exceeded'));
		expect(rule).toMatchObject({ state: 'holds', evidence: '429 with Retry-After: 1' });
	});
});

/** One difference, and the only lines that it may lead to. */
const DIFFERENCES: Array<[about: string, Difference, lines: RegExp[], write?: true]> = [
	[
		'sorting is ignored',
		{ ask: ({ query }) => void (query.delete('sortBy'), query.delete('sortOrder')) as undefined },
		[/names of the sort parameters.*asc: not rising.*both gave the same records/],
	],
	[
		'a total that is too high',
		{
			change: (seen) => {
				if (seen.what === 'GET /v1/people-also-ask' && seen.body.data) listIn(seen).total += 2;
			},
		},
		[
			/the total fits what comes.*people-also-ask: the total is 51, and only 49 records come: it may lag/,
		],
	],
	[
		'smaller pages',
		{
			ask: ({ query }) =>
				void (Number(query.get('limit')) > 50 && query.set('limit', '50')) as undefined,
		},
		[/a page has up to 100 records.*keywords.*a page of 100 has 50/],
	],
	[
		'other fields, an order by insertion, the record inside data',
		{
			change: (seen) => {
				if (seen.what.endsWith('/workspace') && seen.status === 200)
					seen.body = { data: seen.body };
				if (seen.what.endsWith('people-also-ask')) listIn(seen).items?.reverse();
				if (seen.what !== 'GET /v1/keywords') return;
				for (const one of listIn(seen).items ?? []) {
					one.term = one.keyword;
					delete one.keyword;
				}
			},
		},
		[
			/the fields of a keyword: 0 of \d+ have `keyword`/,
			/in a cluster: id, keyword.*those of a keyword: .*term/,
			/the order of questions: \d+ records with \d+ different values of `createdAt`, not falling/,
			/a single record is returned.*inside data/,
		],
	],
	[
		'other statuses and bodies of rejections',
		{
			change: (seen) => {
				if (seen.status < 400) return;
				if (seen.status === 400) seen.status = 422;
				seen.body = { code: seen.body.type, detail: seen.body.message };
			},
		},
		[
			/status code for invalid query.*422/,
			/contains the message: the fields code, detail/,
			/contains the code, except.*code, detail/,
		],
	],
	[
		'errors whose type says nothing',
		{
			change: (seen) => {
				if (seen.status < 400) return;
				const { type, message } = seen.body;
				seen.body = { type: 'about:blank', message, code: type };
			},
		},
		[/contains the code, except.*type, message, code/],
	],
	[
		'refusals that are not about the body',
		{ ask: ({ what }) => (/^POST.*(inspect|competitors)/.test(what) ? refusal(409) : undefined) },
		[],
		true,
	],
	[
		'another body for competitors, other names to sort by',
		{
			ask: ({ what, query }) =>
				what === 'POST /v1/competitors' || query.has('sortBy') ? refusal(400) : undefined,
		},
		[/a competitor is created: 400 "Not now" \(no\)/, /names of the sort parameters.*: 400/],
		true,
	],
];

it.each(DIFFERENCES)(
	'verify states: %s, and nothing else',
	async (_, difference, expected, write) => {
		const { differs } = await verified(difference, { write: write ?? false });
		const unexpected = differs.filter((text) => !expected.some((line) => line.test(text)));
		const missing = expected.filter((line) => !differs.some((text) => line.test(text)));
		expect({ unexpected, missing }).toEqual({ unexpected: [], missing: [] });
	},
);

it('a list of equal times is no evidence of an order, whatever stands behind the milliseconds', async () => {
	const { lines } = await verified({
		change: (seen) => {
			if (!seen.what.endsWith('forum-opportunities')) return;
			for (const [at, one] of (listIn(seen).items ?? []).entries())
				one.createdAt = `2026-01-01T00:00:00.000${String(999 - at)}Z`;
		},
	});
	const order = lines.find(({ rule }) => rule.includes('the order of forum opportunities'));
	expect(order?.state).toBe('not seen');
});

it('a total that lags behind a change is told', async () => {
	let since = Infinity;
	const { differs } = await verified(
		{
			change: (seen) => {
				if (seen.what === 'POST /v1/keywords') since = Math.min(since, seen.time);
				if (seen.what !== 'GET /v1/keywords' || !seen.query.get('keyword')) return;
				if (seen.time - since < 3000) seen.body = { data: { items: [], total: 0 } };
			},
		},
		{ write: true },
	);
	expect(differs.join()).toMatch(/keywords showed and counted a change only after \d+ s: it lags/);
});

describe('verify ends with one sentence if the service', () => {
	it.each([
		['rejects the key', refusal(401), /rejected the API key: 401 "Not now" \(no\)\.$/],
		['locks the key', refusal(403), /rejected the API key: 403/],
		['answers with HTML', new Response('<html></html>'), /answers with HTML/],
		['redirects', new Response('', { status: 301 }), /redirects to another/],
		['is something else', refusal(404), /Neither the workspace nor the keywords/],
		['does not answer', 'cut' as const, /^Nothing can be asked at the base URL/],
	])('%s', async (_name, answer, sentence) => {
		const ask = () => (answer === 'cut' ? answer : answer.clone());
		const reason: unknown = await verified({ ask }).catch((error: unknown) => error);
		expect(reason).toBeInstanceOf(CouldNotRun);
		expect((reason as Error).message).toMatch(sentence);
	});
});

it.each([
	['never shows the key, nor values of the workspace', false],
	['shows values of the workspace when asked, but not the key', true],
])('the report %s', async (_, showValues) => {
	const words = 'Northwind Tea: northwind-tea.example with sandbox-key';
	const result = await verified(
		{ change: (seen) => void (seen.status >= 400 && (seen.body.message = words)) },
		{ showValues },
	);
	const text = reportOf(result);
	expect(text).not.toContain('sandbox-key');
	expect(text.includes('Northwind Tea')).toBe(showValues);
});

describe('npm run verify ends with', () => {
	const script = fileURLToPath(new URL('main.mts', import.meta.url));
	const start = async (args: string[]) =>
		await new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
			execFile(process.execPath, ['--import', 'tsx', script, ...args], (error, stdout, stderr) =>
				resolve({ code: error?.code ?? 0, stdout, stderr }),
			);
		});
	const access = ['--base-url', 'http://127.0.0.1:1', '--api-key', 'k'];

	it.each([
		['changes without consent', [...access, '--write'], /To agree to this, add --yes\.$/],
		[
			'a report in no folder',
			[...access, '--report', '/no/such/folder/report.md'],
			/cannot be written/,
		],
	])('2 and one sentence: %s', async (_name, args, sentence) => {
		const { code, stdout, stderr } = await start(args);
		expect(stderr.trim()).toMatch(sentence);
		expect([code, stdout]).toEqual([2, '']);
	});

	it('0 where nothing differs, 1 where something does, and 2 if it was cut off, with the report on standard output', async () => {
		const args = ['--base-url', sandbox.url, '--api-key', sandbox.apiKey, '--rate', '100'];
		expect(await start(args)).toMatchObject({
			code: 0,
			stdout: expect.stringMatching(/^# What this/),
		});
		const match = { path: '/v1/keywords', times: null };
		sandbox.fault({ kind: 'status', status: 400, match });
		const wrong = await start(args);
		sandbox.clearFaults();
		expect(wrong).toMatchObject({ code: 1, stdout: expect.stringMatching(/## Differs/) });
	});
});
