import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { itemAt } from '../defined.mts';
import type { Sandbox } from '../sandbox/sandbox.mts';
import { retry, run } from './engine.mts';
import { MODES, withSandbox, wordsOf } from './helpers.mts';
import { runWorkflow } from './randomWorkflows.mts';

/** What Retry On Fail must never do: do the same work twice, or call something undone that is done. */

const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };

const note = (description: string): INodeParameters => ({
	resource: 'action',
	operation: 'create',
	type: 'other',
	additionalFields: { description },
	options: { maxRetries: 0 },
});

const notesIn = (sandbox: Sandbox) =>
	[...sandbox.state.all('action')].filter(({ description }) => description?.startsWith('Note'));

const requestsOf = ({ requests }: Sandbox, method: string) =>
	requests.filter((request) => request.method === method);

describe('as an AI tool', () => {
	it.each(['cutAfter', 'truncated'] as const)('%s: an action is created once', async (kind) => {
		await withSandbox(async (sandbox) => {
			sandbox.fault({ kind, match: { method: 'POST', times: null } });
			const turns = await runWorkflow(sandbox, {
				way: 'tool',
				items: [{}],
				parameters: note('Note from an agent'),
				node,
				batch: 1,
				together: false,
			});
			const turn = itemAt(turns, 0);
			expect(notesIn(sandbox)).toHaveLength(1);
			expect(requestsOf(sandbox, 'POST')).toHaveLength(1);
			expect(turn.error?.message).toMatch(/may have done the work/);
		});
	});

	it('two calls with the same text create two actions', async () => {
		await withSandbox(async (sandbox) => {
			const calls = [{ text: 'Note' }, { text: 'Note' }];
			const options = { items: calls, parameters: note('Note'), node, batch: 1, together: true };
			await runWorkflow(sandbox, { way: 'tool', ...options });
			expect(notesIn(sandbox)).toHaveLength(2);
		});
	});
});

describe('parameters that change over time', () => {
	const items = [{ n: 0 }, { n: 1 }, { n: 2 }];

	it.each(MODES)('finished and unclear work is not repeated (%s)', async (onError) => {
		await withSandbox(async (sandbox) => {
			// The first item definitely fails, so that n8n tries again in every mode; the second one may be done
			sandbox.fault({ kind: 'status', status: 422, match: { method: 'POST', nth: 1 } });
			sandbox.fault({ kind: 'cutAfter', match: { method: 'POST', nth: onError ? 2 : 3 } });
			const parameters = note('=Note {{ $json.n }} {{ Math.random() }}');
			const result = await run(sandbox, { items, parameters, onError, node });
			expect(wordsOf(result)).toMatch(/may have done the work/);
			const numbers = notesIn(sandbox).map(({ description }) => description?.split(' ')[1]);
			expect(new Set(numbers).size).toBe(numbers.length);
		});
	});

	it('keywords are sent as in the first attempt', async () => {
		await withSandbox(async (sandbox) => {
			sandbox.fault({ kind: 'status', status: 422, match: { method: 'POST', nth: 2 } });
			const { error, json } = await run(sandbox, {
				items,
				parameters: {
					resource: 'keyword',
					operation: 'create',
					keywords: '=a {{ Math.random() }}, b {{ Math.random() }}',
					options: { batchSize: 2, concurrency: 1 },
				},
				node,
			});
			expect(error).toBeUndefined();
			expect(json.map(({ count }) => count)).toEqual([2, 2, 2]);
			const added = [...sandbox.state.all('keyword')].filter(({ keyword }) =>
				/ 0\.\d/.test(keyword),
			);
			expect(added).toHaveLength(6);
		});
	});
});

describe('a user retries the failed execution', () => {
	const items = [{ n: 0 }, { n: 1 }, { n: 2 }, { n: 3 }];
	const numbered = note('=Note {{ $json.n }}');
	const numbersIn = (sandbox: Sandbox) =>
		notesIn(sandbox).map(({ description }) => Number(description?.slice(5)));

	it.each([undefined, node])('what is done is not repeated (%j)', async (settings) => {
		await withSandbox(async (sandbox) => {
			sandbox.fault({
				kind: 'status',
				status: 422,
				match: { method: 'POST', nth: 3, times: settings ? 3 : 1 },
			});
			const options = { items, parameters: numbered, ...(settings && { node: settings }) };
			const first = await run(sandbox, options);
			expect(first.error).toMatchObject({ httpCode: '422' });
			expect(numbersIn(sandbox)).toEqual([0, 1]);
			const { error, json } = await retry(sandbox, first, { items, parameters: numbered });
			expect(error).toBeUndefined();
			expect(json).toHaveLength(4);
			expect(numbersIn(sandbox)).toEqual([0, 1, 2, 3]);
		});
	});
});
