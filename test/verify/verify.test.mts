import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { ASSUMED } from './findings.mts';
import { reportOf } from './report.mts';
import * as variants from './variants.mts';
import { CouldNotRun, isFailed, verify, type Options } from './verify.mts';

const SMALL = {
	...{ keyword: 120, competitor: 3, discoveredCompetitor: 4, forumOpportunity: 12 },
	...{ question: 50, backlink: 30, citedPage: 40, action: 12 },
};

let sandbox: Sandbox;
const known = new Map<string, variants.Answered>();
beforeAll(async () => {
	sandbox = await startSandbox({ seed: SMALL, validateResponses: false });
});
afterAll(async () => await sandbox.close());

/** Verifies a service that differs from the sandbox; what all of them read is asked of the sandbox once. */
async function verified(
	difference: variants.Difference = {},
	options: Partial<Options> = {},
	{ url: baseUrl, apiKey } = sandbox,
) {
	const clock = variants.virtualClock();
	const fetch = variants.sender(difference, clock, known);
	try {
		const result = await verify({ baseUrl, apiKey, fetch, clock, ...options });
		const differs = result.findings.filter(({ state }) => state === 'differs');
		const unknown = result.findings
			.filter(({ state }) => state === 'unknown')
			.map(({ came }) => came);
		return { ...result, clock, differs, unknown };
	} finally {
		if (options.write) sandbox.reset();
	}
}

describe('verify finds', () => {
	it('no difference in a service that keeps the contract, leaves nothing behind, and has one line for each assumption', async () => {
		const { differs, findings, leftBehind, unknown } = await verified({}, { write: true });
		const rules = findings.map(({ rule }) => rule);
		expect(differs).toEqual([]);
		expect(leftBehind).toEqual([]);
		expect(unknown.filter((came) => came.includes('itself failed'))).toEqual([]);
		expect(rules).toEqual(expect.arrayContaining([...ASSUMED.keys()]));
		expect(new Set(rules).size).toBe(rules.length);
	});

	it.each([
		['is empty', {}],
		[
			'has one record of each kind',
			Object.fromEntries(Object.keys(SMALL).map((kind) => [kind, 1])),
		],
	])('no difference in a service that %s, and says what cannot be seen', async (_name, seed) => {
		const other = await startSandbox({ empty: true, seed, validateResponses: false });
		const { differs, unknown } = await verified({}, { write: true }, other);
		await other.close();
		expect(differs).toEqual([]);
		expect(
			unknown.filter((came) => /no .* to look at|no records/i.test(came)).length,
		).toBeGreaterThan(5);
	});

	it.each(variants.SERVICES)(
		'a line for each difference of a service, and no other: $about',
		async ({ lines, copes = false, write = false, ...difference }) => {
			const { differs } = await verified(difference, { write });
			const found = differs.map(({ rule, came, advice }) => `${rule}: ${came}: ${advice}`);
			const unexpected = found.filter((text) => !lines.some((line) => line.test(text)));
			const missing = lines.filter((line) => !found.some((text) => line.test(text)));
			expect({ unexpected, missing }).toEqual({ unexpected: [], missing: [] });
			expect(found).toHaveLength(lines.length);
			expect(differs.filter(isFailed)).toEqual(copes ? [] : differs);
		},
	);
});

describe('verify ends with one sentence if the service', () => {
	it.each([
		[
			'refuses the key',
			{ status: 401, body: { type: 'no' } },
			/refused the API key: 401 \(no\)\.$/,
		],
		['answers with HTML', { status: 200, body: '<html></html>' }, /answers with HTML/],
		['redirects', { status: 301, body: '' }, /redirects to another/],
		['is something else', { status: 404, body: {} }, /Neither the workspace nor the keywords/],
		['does not answer', 'cut' as const, /^Nothing answers at the base URL/],
	])('%s', async (_name, answer, sentence) => {
		const reason: unknown = await verified({ ask: () => answer }).catch((error: unknown) => error);
		expect(reason).toBeInstanceOf(CouldNotRun);
		expect((reason as Error).message).toMatch(sentence);
	});
});

describe('verify', () => {
	it('sends two requests a second and only GET unless asked, and ends within two minutes', async () => {
		const asked: string[] = [];
		const { clock } = await verified({ ask: ({ what }) => void asked.push(what) });
		expect(asked.filter((what) => !what.startsWith('GET'))).toEqual([]);
		expect(clock.passed()).toBeGreaterThan((asked.length - 1) * 450);
		expect(clock.passed()).toBeLessThan(90_000);
	});

	it('reads a slow service for as long as allowed, and leaves the rest unknown', async () => {
		const { differs, unknown, clock } = await verified(
			{ ask: ({ clock: slow }) => void slow.sleep(4000) },
			{ minutes: 1 },
		);
		expect(clock.passed()).toBeLessThan(2 * 60_000);
		expect(differs).toEqual([]);
		expect(unknown.filter((came) => came.startsWith('No time was left')).length).toBeGreaterThan(
			10,
		);
	});

	it('waits where a service accepts one request a second, and describes this limit', async () => {
		let next = 0;
		const result = await verified(
			{
				ask: ({ clock }) => {
					const isEarly = clock.now() < next;
					if (isEarly)
						return { ...variants.refusal('slow-down', 429), headers: { 'retry-after': '1' } };
					next = clock.now() + 990;
					return undefined;
				},
			},
			{ minutes: 10 },
		);
		expect(result.differs).toEqual([]);
		const rule = '8: the response when a rate limit is exceeded';
		expect(result.findings.find((one) => one.rule === rule)).toMatchObject({ state: 'holds' });
		expect(result.facts.join()).toMatch(/retry-after; \d+ requests refused/);
	});

	it('names what is left behind when the connection is lost in the middle of a change, and only that', async () => {
		const { leftBehind, differs, unknown } = await verified(
			{ ask: ({ what }) => (/^PATCH .*unarchive$/.test(what) ? 'cut' : undefined) },
			{ write: true },
		);
		expect(leftBehind).toEqual([expect.stringMatching(/^Archive the keywords "verify .* one"/)]);
		expect(differs).toEqual([]);
		expect(unknown.filter((came) => came.includes('connection was lost')).length).toBeGreaterThan(
			10,
		);
	});

	it('names nothing as left behind if the service refuses all changes', async () => {
		const { leftBehind } = await verified(
			{ ask: ({ what }) => (what.startsWith('GET') ? undefined : variants.refusal('read-only')) },
			{ write: true },
		);
		expect(leftBehind).toEqual([]);
	});
});

describe('the report', () => {
	const words = 'Northwind Tea: northwind-tea.example with sandbox-key';
	const telling: variants.Difference = {
		ask: ({ path, query }) => {
			query.delete('sortOrder');
			return path === '/v1/backlinks' ? variants.refusal('no', 403, words) : undefined;
		},
	};

	it('never shows the key, nor values of the workspace, and says first what to change and which operations are safe', async () => {
		const text = reportOf(await verified(telling));
		const titles = [...sandbox.state.each('citedPage')].map((page) => String(page.title));
		for (const value of ['sandbox-key', 'Northwind Tea', 'northwind-tea', ...titles])
			expect(text).not.toContain(value);
		expect(text).toMatch(/\*\*\d+ hold, 3 differ, \d+ unknown\.\*\* 3 of them need/);
		expect(text).toMatch(/\*\*Safe to use\*\*: .*Question > Get Many/);
		expect(text).toMatch(/\*\*Only with .*\*\*: .*Cited Page > Get Many/);
		expect(text).toMatch(/\*\*Do not use yet\*\*: .*Backlink > Get Many/);
		expect(text).toMatch(/\*\*Not tried\*\*: .*Keyword > Create/);
		expect(text).toMatch(/## What to change\n\n.*\n.*\n\| \*\*4\*\* GET \/v1\/backlinks/);
	});

	it('shows values of the workspace when asked, but not the key', async () => {
		const text = reportOf(await verified(telling, { showValues: true }));
		expect(text).toContain('Northwind Tea: northwind-tea.example');
		expect(text).not.toContain('sandbox-key');
	});
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
		['no base URL', [], /^The base URL is missing/],
		['an unknown option', ['--writes'], /^Unknown option '--writes'/],
		['a rate in words', [...access, '--rate', 'fast'], /^--rate must be a number/],
		[
			'changes without consent',
			[...access, '--write'],
			/No operation deletes them\.[^]*Nothing was sent\. To agree to this, add --yes\.$/,
		],
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

	it('0 where nothing needs a change, and 1 where something does, with the report on standard output', async () => {
		const args = ['--base-url', sandbox.url, '--api-key', sandbox.apiKey, '--rate', '100'];
		const fine = await start([...args, '--minutes', '0.001']);
		expect(fine).toMatchObject({ code: 0, stdout: expect.stringMatching(/^# How this service/) });
		sandbox.fault({ kind: 'status', status: 403, match: { path: '/v1/backlinks', times: null } });
		const wrong = await start(args);
		sandbox.clearFaults();
		expect(wrong).toMatchObject({ code: 1, stdout: expect.stringMatching(/## What to change/) });
	});
});
