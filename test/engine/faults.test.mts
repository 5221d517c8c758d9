import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it, vi } from 'vitest';

import { itemAt } from '../defined.mts';
import { run } from './engine.mts';
import { byId, failedOf, idsOf, nothingUnderWay, tooMany, withSandbox } from './helpers.mts';

/** What only real requests show. How requests are paced, repeated and given up is in the unit tests of the client. */

const allKeywords = (options: INodeParameters = {}): INodeParameters => ({
	...{ resource: 'keyword', operation: 'getAll', type: 'all', returnAll: true },
	options,
});

describe('requests at the same time', () => {
	it.each([
		[1, 1],
		[3, 3],
		[undefined, 20],
	])('with Requests at Once %s are at most %i', async (concurrency, most) => {
		await withSandbox(async (sandbox) => {
			// Long enough for all of them to overlap, even on a busy machine
			sandbox.setLatency(20 * most);
			const { error } = await run(sandbox, {
				items: idsOf(sandbox.state.all('backlink'))
					.slice(0, 40)
					.map((id) => ({ id })),
				parameters: {
					...{ resource: 'backlink', operation: 'unarchive' },
					...{ backlinkId: byId('={{ $json.id }}'), options: concurrency ? { concurrency } : {} },
				},
			});
			expect(error).toBeUndefined();
			// Without a choice, they begin with 5, and each answer allows one more
			if (concurrency) expect(sandbox.maxInFlight).toBe(most);
			else expect(sandbox.maxInFlight).toBeGreaterThan(5);
			expect(sandbox.maxInFlight).toBeLessThanOrEqual(most);
		});
	});

	it('are no more than Requests at Once for several lists together', async () => {
		await withSandbox(
			async (sandbox) => {
				sandbox.setLatency(10);
				const { json } = await run(sandbox, {
					items: [{}, {}, {}],
					parameters: allKeywords({ concurrency: 4 }),
				});
				expect(json).toHaveLength(3 * 576);
				expect(sandbox.maxInFlight).toBe(4);
			},
			{ seed: { keyword: 600 } },
		);
	});

	it('are one for new actions and competitors, which the service keeps in order', async () => {
		await withSandbox(async (sandbox) => {
			sandbox.setLatency(10);
			const items = Array.from({ length: 8 }, (_, n) => ({ n }));
			const creates = [
				{ resource: 'action', type: 'other', title: '=Note {{ $json.n }}' },
				{ resource: 'competitor', domain: '=rival-{{ $json.n }}.example' },
			];
			for (const create of creates) {
				const parameters = { ...create, operation: 'create', options: { concurrency: 20 } };
				await run(sandbox, { items, parameters });
			}
			expect(sandbox.maxInFlight).toBe(1);
			const titles = sandbox.state.all('action').slice(-8);
			expect(titles.map(({ title }) => title)).toEqual(items.map(({ n }) => `Note ${n}`));
		});
	});
});

it('one refusal of a rate limit pauses all requests, and a hint says that nothing is missing', async () => {
	await withSandbox(async (sandbox) => {
		const ids = idsOf(sandbox.state.all('question')).slice(0, 60);
		sandbox.state.update('question', { archivedAt: null });
		sandbox.setLatency(20);
		sandbox.fault({ ...tooMany('3'), match: { nth: 11 } });
		const { json, output, error, hints } = await run(sandbox, {
			items: ids.map((id) => ({ id })),
			parameters: {
				...{ resource: 'question', operation: 'update', status: 'processed' },
				questionId: byId('={{ $json.id }}'),
			},
		});
		expect(error).toBeUndefined();
		expect(idsOf(json)).toEqual(ids);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(ids.map((_, item) => ({ item })));
		expect(sandbox.requests).toHaveLength(ids.length + 1);
		const [hint = ''] = hints.map(({ message }) => message);
		expect(hint).toMatch(/slow down.* sent 1 request again\. Nothing is missing\.$/);
		const refusal = itemAt(sandbox.requests, 10);
		expect(refusal.status).toBe(429);
		// Requests that start before the refusal arrives cannot know about it, and a busy machine takes its time
		const told = refusal.time + 2000;
		const over = refusal.time + 3000;
		const during = sandbox.requests.filter(({ time }) => time > told && time < over);
		expect(during).toEqual([]);
		const before = sandbox.requests.filter(({ time }) => time <= told);
		expect(before.length).toBeLessThan(ids.length);
	});
});

it.each([undefined, 'continueRegularOutput'] as const)(
	'one page that fails for good ends a list at once, even if another page waits to be sent again (%s)',
	async (onError) => {
		await withSandbox(
			async (sandbox) => {
				sandbox.setLatency(50);
				const path = '/v1/keywords';
				sandbox.fault({ ...tooMany('40'), match: { path, query: { offset: '100' } } });
				sandbox.fault({ kind: 'status', status: 401, match: { path, query: { offset: '200' } } });
				const began = Date.now();
				const { error, json } = await run(sandbox, { parameters: allKeywords(), onError });
				if (onError) expect(json).toMatchObject([{ error: { httpCode: '401' } }]);
				else expect(error).toMatchObject({ httpCode: '401' });
				// Otherwise, it would take 40 seconds or more
				expect(Date.now() - began).toBeLessThan(20_000);
			},
			{ seed: { keyword: 600 } },
		);
	},
);

describe.each(['hang', 'drip'] as const)('a request whose answer does not come (%s)', (kind) => {
	const parameters = { resource: 'workspace', operation: 'get' };

	it('is aborted after its time-out', async () => {
		await withSandbox(async (sandbox) => {
			sandbox.fault({ kind, match: { times: null } });
			const options = { concurrency: 2, maxRetries: 0, timeout: 500 };
			const items = [{}, {}, {}, {}];
			const onError = 'continueRegularOutput';
			const result = await run(sandbox, { items, parameters: { ...parameters, options }, onError });
			expect(failedOf(result)).toHaveLength(4);
			await nothingUnderWay(sandbox);
		});
	});

	it('is aborted when the execution is cancelled', async () => {
		await withSandbox(async (sandbox) => {
			sandbox.fault({ kind, match: { times: null } });
			const heard = async () => {
				await vi.waitFor(() => expect(sandbox.requests).toHaveLength(1), { timeout: 60_000 });
			};
			await run(sandbox, { parameters, cancelAfter: heard() });
			expect(sandbox.requests).toHaveLength(1);
			await nothingUnderWay(sandbox);
		});
	});
});
