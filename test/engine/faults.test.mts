import { describe, expect, it, vi } from 'vitest';

import { run } from './engine.mts';
import { byId, failedOf, idsOf, nothingUnderWay, tooMany, withSandbox } from './helpers.mts';

/** What only real requests show. How requests are paced, repeated and given up is in the unit tests of the client. */

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
					.slice(0, 24)
					.map((id) => ({ id })),
				parameters: {
					...{ resource: 'backlink', operation: 'unarchive' },
					...{ backlinkId: byId('={{ $json.id }}') },
					...(concurrency && { requestOptions: { concurrency } }),
				},
			});
			expect(error).toBeUndefined();
			// Without a choice, they begin with 5, and each answer allows one more
			if (concurrency) expect(sandbox.maxInFlight).toBe(most);
			else expect(sandbox.maxInFlight).toBeGreaterThan(5);
			expect(sandbox.maxInFlight).toBeLessThanOrEqual(most);
		});
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
				const parameters = { ...create, operation: 'create', requestOptions: { concurrency: 20 } };
				await run(sandbox, { items, parameters });
			}
			expect(sandbox.maxInFlight).toBe(1);
			const titles = sandbox.state.all('action').slice(-8);
			expect(titles.map(({ title }) => title)).toEqual(items.map(({ n }) => `Note ${n}`));
		});
	});
});

it('one page that fails for good ends a list at once, even if another page waits to be sent again', async () => {
	await withSandbox(
		async (sandbox) => {
			const parameters = { resource: 'keyword', operation: 'getAll', returnAll: true };
			sandbox.setLatency(50);
			sandbox.fault({ ...tooMany('40'), match: { query: { offset: '100' } } });
			sandbox.fault({ kind: 'status', status: 401, match: { query: { offset: '200' } } });
			const began = Date.now();
			const { error } = await run(sandbox, { parameters: { ...parameters, type: 'all' } });
			expect(error).toMatchObject({ httpCode: '401' });
			// Otherwise, it would take 40 seconds or more
			expect(Date.now() - began).toBeLessThan(20_000);
		},
		{ seed: { keyword: 600 } },
	);
});

describe.each(['hang', 'drip'] as const)('a request whose answer does not come (%s)', (kind) => {
	const parameters = { resource: 'workspace', operation: 'get' };

	it('is aborted after its time-out', async () => {
		await withSandbox(async (sandbox) => {
			sandbox.fault({ kind, match: { times: null } });
			const requestOptions = { concurrency: 2, maxRetries: 0, timeout: 500 };
			const items = [{}, {}, {}, {}];
			const onError = 'continueRegularOutput';
			const given = { ...parameters, requestOptions };
			const result = await run(sandbox, { items, parameters: given, onError });
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
