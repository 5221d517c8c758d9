import { expect, test, vi } from 'vitest';
import { itemAt } from '../defined.mts';
import { handlers } from './operations/index.mts';
import { hasKeyword } from './operations/keywords.mts';
import { startSandbox, type FaultSpec } from './sandbox.mts';
import { useSandbox } from './useSandbox.mts';

/** Only mistakes that would let other tests pass; `verify` and the engine tests find the others. */

const sandbox = await useSandbox({ seed: { keyword: 90 } });

/** @param request such as POST /v1/keywords {"keywords":["tea"]} */
function send(request: string, { url, apiKey } = sandbox): Promise<Response> {
	const [, method = '', path = '', body] = /^(\S+) (\S+) ?(.*)$/.exec(request) ?? [];
	return fetch(url + path, {
		method,
		redirect: 'manual',
		headers: {
			Authorization: `Bearer ${apiKey}`,
			...(body && { 'Content-Type': 'application/json' }),
		},
		...(body && { body }),
	});
}

test.each([
	...[
		'GET /v1/keywords?surprise=1',
		'GET /v1/keywords?limit=101',
		'GET /v1/keywords?type=old',
		'GET /v1/people-also-ask?status[]=new',
		'GET /v1/backlinks?competitorId=not-a-uuid',
		'GET /v1/ai-visibility/citations?startDate=2026-02-30',
		'POST /v1/keywords {"keywords":["tea"],"language":"en"}',
		'POST /v1/competitors {"domain":"https://tea.example/"}',
		'DELETE /v1/backlinks/bl_0002 {}',
		'POST /v1/gsc/index {"url":"/page","type":"URL_UPDATED"}',
	].map((request) => [request, 400, 'validation-failed'] as const),
	...['GET /v1/nothing', 'DELETE /v1/keywords/', 'GET /V1/keywords'].map(
		(request) => [request, 404, 'not-found'] as const,
	),
])('the sandbox refuses what the contract does not name: %s with %i %s', async (...refused) => {
	const [request, status, type] = refused;
	const response = await send(request);
	expect(await response.json()).toMatchObject({ type });
	expect(response.status).toBe(status);
});

test('the sandbox notices that its own answer is not in the contract', async () => {
	const answer = { status: 200 as const, body: [{ id: 5 }] };
	const handler = vi.spyOn(handlers, 'getKeywordCluster').mockReturnValue(answer as never);
	expect((await send('GET /v1/keywords/kw_0001/cluster')).status).toBe(500);
	handler.mockRestore();
	expect(sandbox.responseViolations).toHaveLength(1);
});

test('equal records of the sandbox come in the order of the database, which differs from page to page', async () => {
	const tied = await startSandbox({ empty: true, seed: { question: 1500 } });
	const changes = '"createdAt" = now(), "archivedAt" = NULL';
	tied.state.run(`UPDATE question SET ${changes} WHERE workspace = $1`);
	const seen: Array<{ id: string }> = [];
	for (let offset = 0; offset < 1500; offset += 100) {
		const page = await send(`GET /v1/people-also-ask?limit=100&offset=${offset}`, tied);
		const { data } = (await page.json()) as { data: { items: typeof seen } };
		seen.push(...data.items);
	}
	await tied.close();
	expect(seen).toHaveLength(1500);
	expect(new Set(seen.map(({ id }) => id)).size).toBeLessThan(1500);
});

test('a fault of the sandbox fires on the nth match, the given number of times, and only on matches', async () => {
	const match = { method: 'get', path: '/v1/keywords', query: { limit: '5' }, nth: 2, times: 2 };
	const fault = sandbox.fault({ match, kind: 'status', status: 503, headers: { 'X-Why': 'test' } });
	const limited = Array<string>(4).fill('/v1/keywords?limit=5');
	const replies = [];
	for (const path of ['/v1/keywords', '/v1/workspace', ...limited]) {
		replies.push(await send(`GET ${path}`));
	}
	expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 503, 503, 200]);
	expect(itemAt(replies, 3).headers.get('X-Why')).toBe('test');
	expect(fault).toMatchObject({ seen: 4, fired: 2 });
});

// The status (null: the connection is cut), the text, and whether the work is done
test.each<[FaultSpec, number | null, RegExp, boolean]>([
	[{ kind: 'cutBefore' }, null, /^$/, false],
	[{ kind: 'cutAfter' }, null, /^$/, true],
	[{ kind: 'truncated' }, 201, /^\{"cou/, true],
	[{ kind: 'empty' }, 200, /^$/, false],
	[{ kind: 'html' }, 200, /^<!doctype html>/, false],
	[{ kind: 'envelope' }, 200, /^\{\}$/, false],
	[{ kind: 'huge' }, 201, /^\{"count":1,"padding":"x{1000}/, true],
	[{ kind: 'drip', every: 1 }, 201, /^\{"count":1\}$/, true],
	[{ kind: 'redirect', location: 'https://elsewhere.example/' }, 302, /^$/, false],
	[{ kind: 'status', status: 500, body: 'words' }, 500, /^words$/, false],
	[{ kind: 'lateStatus', status: 502 }, 502, /injected-fault/, true],
])(
	'the fault %j of the sandbox gives the status %j, and the work is done or not',
	async (spec, status, text, isDone) => {
		sandbox.fault(spec);
		const reply = await send('POST /v1/keywords {"keywords":["cut keyword"]}').catch(() => null);
		expect(reply?.status ?? null).toBe(status);
		expect((await reply?.text()) ?? '').toMatch(text);
		const entry = { status, served: isDone ? 201 : null, fault: spec.kind };
		expect(sandbox.requests).toMatchObject([entry]);
		expect(hasKeyword(sandbox.state, 'cut keyword')).toBe(isDone);
		expect(sandbox.responseViolations).toEqual([]);
	},
);
