import type { INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { itemAt } from '../defined.mts';
import { startSandbox, type FaultSpec, type Sandbox } from '../sandbox/sandbox.mts';
import { amount } from '../seed.mts';
import { run } from './engine.mts';
import { byId, idsOf, nothingUnderWay, timed, tooMany, withSandbox } from './helpers.mts';

const allKeywords = (options: INodeParameters = {}): INodeParameters => ({
	resource: 'keyword',
	operation: 'getAll',
	type: 'all',
	returnAll: true,
	options,
});

describe('a list of 10,000 keywords', () => {
	const pages = 100;
	let sandbox: Sandbox;
	let expected: string[];
	beforeAll(async () => {
		sandbox = await startSandbox({ seed: { keyword: 10_000 }, validateResponses: false });
		sandbox.state.update('keyword', { archivedAt: null });
		sandbox.state.untie('keyword', 'compositeScore');
		expected = idsOf(sandbox.state.all('keyword')).sort();
	});
	beforeEach(() => {
		sandbox.clearFaults();
		sandbox.clearLog();
	});
	afterAll(() => sandbox.close());

	const readAll = async () => {
		const { json, error } = await run(sandbox, { parameters: allKeywords() });
		expect(error).toBeUndefined();
		expect(idsOf(json).sort()).toEqual(expected);
	};

	it(`takes exactly ${pages} requests`, async () => {
		await readAll();
		expect(sandbox.requests).toHaveLength(pages);
		expect(new Set(sandbox.requests.map(({ query }) => query.offset)).size).toBe(pages);
	});
});

describe('requests under way at the same time', () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox({ seed: { keyword: 1500 } });
	});
	beforeEach(() => {
		sandbox.reset();
		sandbox.setLatency(10);
	});
	afterAll(() => sandbox.close());

	const updateAll = (options: INodeParameters) => ({
		items: idsOf(sandbox.state.all('backlink'))
			.slice(0, 40)
			.map((id) => ({ id })),
		parameters: {
			resource: 'backlink',
			operation: 'unarchive',
			backlinkId: byId('={{ $json.id }}'),
			options,
		},
	});

	it.each([1, 3])('are %i if that is the concurrency, in bulk', async (concurrency) => {
		// Long enough for all of them to overlap, even on a busy machine
		sandbox.setLatency(20 * concurrency);
		const { error } = await run(sandbox, updateAll({ concurrency }));
		expect(error).toBeUndefined();
		expect(sandbox.maxInFlight).toBe(concurrency);
	});

	it('are at most 20 by default', async () => {
		sandbox.setLatency(100);
		await run(sandbox, updateAll({}));
		expect(sandbox.maxInFlight).toBeGreaterThan(5);
		expect(sandbox.maxInFlight).toBeLessThanOrEqual(20);
	});

	it('are no more than the concurrency for several lists together', async () => {
		const { json } = await run(sandbox, {
			parameters: allKeywords({ concurrency: 4 }),
			items: [{}, {}, {}],
		});
		expect(json).toHaveLength(3 * 1440);
		expect(sandbox.maxInFlight).toBe(4);
	});

	it('are one for actions and for competitors, which the service keeps in order', async () => {
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
		const titles = [...sandbox.state.all('action')].slice(-8).map(({ title }) => title);
		expect(titles).toEqual(items.map(({ n }) => `Note ${n}`));
		const domains = [...sandbox.state.all('competitor')].slice(-8).map(({ domain }) => domain);
		expect(domains).toEqual(items.map(({ n }) => `rival-${n}.example`));
	});
});

describe.concurrent('notifications for a service that takes a limited number a second', () => {
	const urls = Array.from({ length: 500 }, (_, n) => ({
		url: `https://www.northwind-tea.example/blog/${n}`,
	}));
	const parameters = {
		resource: 'indexing',
		operation: 'notify',
		url: '={{ $json.url }}',
		type: 'URL_UPDATED',
	};

	// Slow by nature: 500 notifications at 20 a second take at least 24 seconds
	const most = amount(80, 500);
	it(
		`SLOW ${most} at 20 a second: all arrive once, in order, with few refusals, and a note`,
		{ timeout: 180_000 },
		async () => {
			const items = urls.slice(0, most);
			await withSandbox(async (sandbox) => {
				sandbox.setRateLimit({ perSecond: 20 });
				const { output, error, hints } = await run(sandbox, { parameters, items });
				expect(error).toBeUndefined();
				expect(output.map(({ json }) => json.urlNotificationMetadata)).toEqual(items);
				expect(output.map(({ pairedItem }) => pairedItem)).toEqual(
					items.map((_, item) => ({ item })),
				);
				const taken = sandbox.requests.filter(({ status }) => status === 200);
				expect(taken.map(({ body }) => (body as { url: string }).url).sort()).toEqual(
					items.map(({ url }) => url).sort(),
				);
				const refused = sandbox.requests.length - taken.length;
				expect(refused).toBeGreaterThan(0);
				expect(refused).toBeLessThanOrEqual(amount(40, 75));
				const hint = hints.map(({ message }) => message).join('\n');
				expect(hint).toMatch(/slow down/);
				expect(hint).toContain(`sent ${refused} requests again. Nothing is missing.`);
			});
		},
	);
});

describe.concurrent('one refusal pauses all workers', () => {
	it.each(['429', '503'])('%s with Retry-After 3', async (status) => {
		await withSandbox(async (sandbox) => {
			const ids = idsOf(sandbox.state.all('question')).slice(0, 60);
			sandbox.state.update('question', { archivedAt: null });
			sandbox.setLatency(20);
			sandbox.fault({ ...tooMany('3'), status: Number(status), match: { nth: 11 } } as FaultSpec);
			const { json, error } = await run(sandbox, {
				items: ids.map((id) => ({ id })),
				parameters: {
					resource: 'question',
					operation: 'update',
					questionId: byId('={{ $json.id }}'),
					status: 'processed',
				},
			});
			expect(error).toBeUndefined();
			expect(idsOf(json)).toEqual(ids);
			expect(sandbox.requests).toHaveLength(ids.length + 1);
			const refusal = itemAt(sandbox.requests, 10);
			expect(refusal.status).toBe(Number(status));
			// Requests that start before the refusal arrives cannot know about it, and a busy machine takes its time
			const told = refusal.time + 2000;
			const over = refusal.time + 3000;
			const during = sandbox.requests.filter(({ time }) => time > told && time < over);
			expect(during).toEqual([]);
			const before = sandbox.requests.filter(({ time }) => time <= told);
			expect(before.length).toBeLessThan(ids.length);
		});
	});
});

it('records that disappear between two pages, up to a limit: none of the others is skipped', async () => {
	const work = async (sandbox: Sandbox) => {
		// With ties, pages would be read again in any case
		sandbox.state.untie('question', 'createdAt');
		const parameters = { resource: 'question', operation: 'getAll', limit: 250 };
		const listed = idsOf((await run(sandbox, { parameters })).json);
		sandbox.beforeList((n) => {
			if (n !== 2) return;
			for (const id of listed.slice(0, 3)) sandbox.state.remove('question', id);
		});
		const ids = idsOf((await run(sandbox, { parameters })).json);
		expect(new Set(ids).size).toBe(250);
		expect(listed.slice(3).filter((id) => !ids.includes(id))).toEqual([]);
		expect(sandbox.state.count('question')).toBe(557);
	};
	await withSandbox(work, { seed: { question: 560 } });
});

/** Waits until the service has received this many requests. */
const heard = async (sandbox: Sandbox, count: number) => {
	await vi.waitFor(() => expect(sandbox.requests).toHaveLength(count), { timeout: 60_000 });
	// Enough time for an answer that asks to wait
	await new Promise((resolve) => setTimeout(resolve, 300));
};

describe.concurrent('a request that is no longer waited for', () => {
	const parameters = (options: INodeParameters) => ({
		resource: 'workspace',
		operation: 'get',
		options,
	});

	it.each(['hang', 'drip'] as const)('is aborted after a time-out: %s', async (kind) => {
		const sandbox = await startSandbox();
		sandbox.fault({ kind, match: { times: null } });
		const { output } = await run(sandbox, {
			items: [{}, {}, {}, {}],
			parameters: parameters({ concurrency: 2, maxRetries: 0, timeout: 500 }),
			onError: 'continueRegularOutput',
		});
		expect(output.filter(({ json }) => json.error)).toHaveLength(4);
		await nothingUnderWay(sandbox).finally(() => sandbox.close());
	});

	it.each(['hang', 'drip'] as const)('is aborted after a cancellation: %s', async (kind) => {
		const sandbox = await startSandbox();
		await run(sandbox, { parameters: parameters({}) });
		sandbox.clearLog();
		sandbox.fault({ kind, match: { times: null } });
		await run(sandbox, { parameters: parameters({}), cancelAfter: heard(sandbox, 1) });
		expect(sandbox.requests).toHaveLength(1);
		await nothingUnderWay(sandbox).finally(() => sandbox.close());
	});
});

describe.concurrent('the pages of a list', () => {
	// Records tie, so the list is read again, in other orders
	it('have the filters, and those of the first reading the sort', async () => {
		const parameters = {
			...{ ...allKeywords(), filters: { keyword: 'tea' } },
			sort: { sortBy: 'aiScore', sortOrder: 'asc' },
		};
		const filters = { type: 'all', keyword: 'tea' };
		await withSandbox(
			async (sandbox) => {
				const { error, json } = await run(sandbox, { parameters });
				expect(error).toBeUndefined();
				expect(json.length).toBeGreaterThan(100);
				for (const [n, { query }] of sandbox.requests.entries()) {
					const isFirst = n < Math.ceil(json.length / 100);
					expect(query).toMatchObject({ ...filters, ...(isFirst && parameters.sort) });
				}
			},
			{ seed: { keyword: 500 } },
		);
	});
});

describe.concurrent('the first error ends all waiting', () => {
	/** Otherwise, each of these would take 40 seconds or more. */
	const FAR_BELOW = 20_000;

	it.each([undefined, 'continueRegularOutput'] as const)(
		'one page that fails permanently ends the list, even if another page is waiting (%s)',
		async (onError) => {
			await withSandbox(
				async (sandbox) => {
					sandbox.setLatency(50);
					const path = '/v1/keywords';
					sandbox.fault({ ...tooMany('40'), match: { path, query: { offset: '100' } } });
					sandbox.fault({ kind: 'status', status: 401, match: { path, query: { offset: '200' } } });
					const time = await timed(async () => {
						const { error, json } = await run(sandbox, {
							parameters: allKeywords(),
							onError,
						});
						if (onError) expect(json).toMatchObject([{ error: { httpCode: '401' } }]);
						else expect(error).toMatchObject({ httpCode: '401' });
					});
					expect(time).toBeLessThan(FAR_BELOW);
				},
				{ seed: { keyword: 900 } },
			);
		},
	);
});
