import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { CASES } from './differences.mts';
import { ASSUMED, type Finding } from './findings.mts';
import { reportOf } from './report.mts';
import { forget, startVariant, virtualClock, type Answered, type Difference } from './variant.mts';
import { CouldNotRun, isFailed, verify, type Options } from './verify.mts';

const SMALL = {
	...{ keyword: 120, competitor: 3, discoveredCompetitor: 4, forumOpportunity: 12 },
	...{ question: 50, backlink: 30, citedPage: 40, action: 12 },
};

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ seed: SMALL, validateResponses: false });
});
afterAll(async () => await sandbox.close());

/** Verifies a service that differs from the sandbox in one thing. */
async function verified(
	difference: Difference = {},
	options: Partial<Options> = {},
	target = sandbox,
) {
	const clock = virtualClock();
	const service = await startVariant(target.url, difference, clock);
	try {
		const access = { baseUrl: service.url, apiKey: target.apiKey };
		return { ...(await verify({ ...access, clock, ...options })), clock };
	} finally {
		await service.close();
		if (options.write) {
			target.reset();
			forget();
		}
	}
}

const differing = ({ findings }: Awaited<ReturnType<typeof verified>>) =>
	findings.filter(({ state }) => state === 'differs');

describe('a service that keeps the contract', () => {
	it('differs in nothing, whether only read or also changed', async () => {
		for (const write of [false, true]) {
			const result = await verified({}, { write });
			expect(differing(result)).toEqual([]);
			expect(result.leftBehind).toEqual([]);
			expect(result.findings.filter(({ came }) => /itself failed/.test(came))).toEqual([]);
		}
	});
	it('has a line for each assumption of the contract', async () => {
		const { findings } = await verified();
		const rules = findings.map(({ rule }) => rule);
		expect(rules).toEqual(expect.arrayContaining([...ASSUMED.keys()]));
		expect(new Set(rules).size).toBe(rules.length);
	});
});

describe('the report has one line about a service where', () => {
	// %s, because $name would be cut
	it.each(CASES.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
		const { difference, rule, advice, write, needsChange } = one;
		const found = differing(await verified(difference, { write: write ?? false }));
		expect(found.map((line) => line.rule)).toEqual([rule]);
		expect(found[0]?.advice).toMatch(advice);
		if (needsChange) expect(found.filter(isFailed)).toEqual(found);
	});
});

describe('a service that cannot be verified is named in one sentence, if it', () => {
	const refused = (answered: Answered): Difference => ({ ask: () => answered });
	it.each([
		[
			'refuses the key',
			refused({ status: 401, body: { type: 'no' } }),
			/refused the API key: 401 \(no\)\.$/,
		],
		['answers with HTML', refused({ status: 200, body: '<html></html>' }), /answers with HTML/],
		['redirects', refused({ status: 301, headers: { location: '/x' } }), /redirects to another/],
		[
			'is something else',
			refused({ status: 404, body: {} }),
			/Neither the workspace nor the keywords/,
		],
		['does not answer', { ask: () => 'cut' as const }, /^Nothing answers at the base URL/],
	])('%s', async (_name, difference, sentence) => {
		const reason: unknown = await verified(difference).catch((error: unknown) => error);
		expect(reason).toBeInstanceOf(CouldNotRun);
		expect((reason as Error).message).toMatch(sentence);
	});
});

describe('a service', () => {
	const unlike = (found: Finding[], why: RegExp) =>
		found.filter(({ state, came }) => state === 'unknown' && why.test(came)).length;

	it('gets two requests a second, which takes less than two minutes', async () => {
		const { measured, clock } = await verified();
		expect(clock.passed()).toBeGreaterThan((measured.requests - 1) * 450);
		expect(clock.passed()).toBeLessThan(90_000);
	});

	it('that is slow is read for as long as allowed; what is left is unknown', async () => {
		const slow: Difference = { ask: ({ clock }) => void clock.sleep(4000) };
		const result = await verified(slow, { minutes: 1 });
		expect(result.clock.passed()).toBeLessThan(2 * 60_000);
		expect(differing(result)).toEqual([]);
		expect(unlike(result.findings, /No time was left/)).toBeGreaterThan(10);
	});

	it('that accepts one request a second is read completely, and its limit is described', async () => {
		let next = 0;
		const limited: Difference = {
			ask: ({ clock }) => {
				if (clock.now() < next) {
					return {
						status: 429,
						headers: { 'retry-after': '1' },
						body: { type: 'slow-down', message: 'Slow down' },
					};
				}
				next = clock.now() + 990;
				return undefined;
			},
		};
		const result = await verified(limited, { minutes: 10 });
		expect(differing(result).map(({ rule }) => rule)).toEqual([]);
		expect(result.findings).toContainEqual(
			expect.objectContaining({
				rule: '8: the response when a rate limit is exceeded',
				state: 'holds',
			}),
		);
		expect(result.measured.limits).toMatch(/retry-after; \d+ requests refused/);
		expect(unlike(result.findings, /No time/)).toBe(0);
	});

	it.each([
		['is empty', {}],
		[
			'has one record of each kind',
			Object.fromEntries(Object.keys(SMALL).map((kind) => [kind, 1])),
		],
	])('that %s differs in nothing, and what cannot be seen is unknown', async (_name, seed) => {
		const other = await startSandbox({ empty: true, seed });
		try {
			const result = await verified({}, { write: true }, other);
			expect(differing(result)).toEqual([]);
			expect(unlike(result.findings, /no .* to look at|no records? /i)).toBeGreaterThan(5);
		} finally {
			await other.close();
		}
	});

	it('that is cut off while it is read leaves the rest unknown', async () => {
		const cut: Difference = { ask: ({ count }) => (count > 60 ? 'cut' : undefined) };
		const result = await verified(cut);
		expect(differing(result)).toEqual([]);
		expect(unlike(result.findings, /connection was lost|not answer any more/)).toBeGreaterThan(10);
	});

	it('that is cut off in the middle of changes is left with what the report names', async () => {
		const cut: Difference = {
			ask: ({ method, path }) =>
				method === 'PATCH' && path.endsWith('/unarchive') ? 'cut' : undefined,
		};
		const { leftBehind } = await verified(cut, { write: true });
		expect(leftBehind).toEqual([expect.stringMatching(/^Archive the keywords "verify .* one"/)]);
	});
});

describe('the report', () => {
	const telling: Difference = {
		ask: ({ path, query }) =>
			path === '/v1/backlinks' || query.has('zqxverify')
				? {
						status: 403,
						body: { message: 'Northwind Tea: northwind-tea.example with sandbox-key' },
					}
				: undefined,
	};
	it('never shows the key, and values of the workspace only when asked', async () => {
		const texts = await Promise.all(
			[false, true].map(async (showValues) =>
				reportOf(await verified(telling, { showValues }), { version: '1.0.0' }),
			),
		);
		const { brandName = '', domain = '' } = sandbox.state.workspace as {
			brandName?: string;
			domain?: string;
		};
		const titles = [...sandbox.state.each('citedPage')].map((page) =>
			String((page as { title?: string }).title),
		);
		for (const text of texts) expect(text).not.toContain('sandbox-key');
		for (const value of [brandName, 'northwind-tea', domain, ...titles]) {
			expect(texts[0]).not.toContain(value);
		}
		expect(texts[1]).toContain('Northwind Tea: northwind-tea.example');
	});

	it('says first what to change, and which operations are safe', async () => {
		const sorted = CASES.find(({ name }) => name === 'cited pages are sorted by sort and order');
		const text = reportOf(await verified(sorted?.difference), { version: '1.0.0' });
		expect(text).toMatch(/\*\*\d+ hold, 1 differ, \d+ unknown\.\*\* 1 of them need/);
		expect(text).toMatch(/\*\*Safe to use\*\*: .*Keyword > Get Many/);
		expect(text).toMatch(/\*\*Only with .*\*\*: Cited Page > Get Many/);
		expect(text).toMatch(/\*\*Not tried\*\*: .*Keyword > Create/);
		expect(text).toMatch(
			/## What to change\n\n.*\n.*\n\| \*\*4\.8\*\* the names of the sort parameters/,
		);
	});
});

describe('npm run verify ends with', () => {
	const script = fileURLToPath(new URL('main.mts', import.meta.url));
	const start = async (args: string[], env: NodeJS.ProcessEnv = {}) =>
		await new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
			const options = { env: { ...process.env, ...env } };
			execFile(
				process.execPath,
				['--import', 'tsx', script, ...args],
				options,
				(error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
			);
		});
	const access = ['--base-url', 'http://127.0.0.1:1', '--api-key', 'k'];

	it.each([
		['no base URL', [], /^The base URL is missing/],
		['no key', ['--base-url', 'https://api.example.com'], /^The API key is missing/],
		[
			'a base URL without http',
			['--base-url', 'api.example.com', '--api-key', 'k'],
			/not an address/,
		],
		['an unknown option', ['--writes'], /^Unknown option '--writes'/],
		['a rate in words', [...access, '--rate', 'fast'], /^--rate must be a number/],
		[
			'changes without consent',
			[...access, '--write'],
			/Nothing was sent\. To agree to this, add --yes\.$/,
		],
		[
			'a report in no folder',
			[...access, '--report', '/no/such/folder/report.md'],
			/cannot be written/,
		],
		['a closed port', access, /^Nothing answers at the base URL/m],
	])('2 and one sentence: %s', async (_name, args, sentence) => {
		const { code, stdout, stderr } = await start(args);
		expect(stderr.trim()).toMatch(sentence);
		expect([code, stdout]).toEqual([2, '']);
	});

	it('0 where nothing needs a change, and 1 where something does, with the report on standard output', async () => {
		const env = {
			SEARCH_VISIBILITY_BASE_URL: sandbox.url,
			SEARCH_VISIBILITY_API_KEY: sandbox.apiKey,
		};
		const fine = await start(['--rate', '100'], env);
		expect(fine).toMatchObject({ code: 0, stdout: expect.stringMatching(/^# How this service/) });
		const other = await startVariant(
			sandbox.url,
			{ ask: ({ query }) => void query.delete('sortOrder') },
			virtualClock(),
		);
		const wrong = await start(['--rate', '100'], { ...env, SEARCH_VISIBILITY_BASE_URL: other.url });
		await other.close();
		expect(wrong).toMatchObject({ code: 1, stdout: expect.stringMatching(/## What to change/) });
	});
});
