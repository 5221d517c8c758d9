import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import * as executing from '../../nodes/SearchVisibility/execute.ts';
import {
	byId,
	contextOf,
	failureOf,
	FakeService,
	itemsOf,
	numbered,
	runNode,
	type Sent,
} from './nodeContext.mts';

const PAGES = '/v1/ai-visibility/citations';

let service: FakeService;
beforeEach(() => {
	vi.useFakeTimers({ now: Date.UTC(2026, 0, 31, 12) });
	service = new FakeService();
});
afterEach(() => void vi.useRealTimers());

const archive = (options: IDataObject = {}) => ({
	items: numbered(12),
	parameters: ({ n }: IDataObject) => ({
		...{ resource: 'question', operation: 'archive', questionId: byId(`q${String(n)}`) },
		options,
	}),
});

describe('a run that ends early', () => {
	it('sends nothing more, and does not wait', async () => {
		service.respond = ({ path }) => {
			if (path.endsWith('q1')) return { statusCode: 422 };
			return { statusCode: 429, headers: { 'retry-after': '3000' } };
		};
		const began = Date.now();
		const error = await failureOf(service, archive({ concurrency: 2 }));
		expect(error).toMatchObject({ httpCode: '422', context: { itemIndex: 1 } });
		expect(Date.now() - began).toBeLessThan(1000);
		expect(service.sent).toHaveLength(2);
	});

	it('because the execution was cancelled says so', async () => {
		const cancel = new AbortController();
		service.respond = ({ path }) => {
			if (path.endsWith('q2')) cancel.abort();
			return undefined;
		};
		const run = { ...archive({ concurrency: 1 }), cancelled: cancel.signal };
		const error = await failureOf(service, run);
		expect(error.message).toBe('The execution was cancelled');
		expect(service.sent).toHaveLength(3);
	});
});

it('a record that several items archive is archived once, and all of them succeed', async () => {
	const gone = new Set<string>();
	service.respond = ({ path }) => {
		if (gone.has(path)) return { statusCode: 404 };
		gone.add(path);
		return undefined;
	};
	const { parameters } = archive();
	const twice = { items: [...numbered(3), ...numbered(3)], parameters, continues: true };
	expect((await runNode(service, twice)).json.map(({ id }) => id)).toEqual(
		[0, 1, 2, 0, 1, 2].map((n) => `q${n}`),
	);
	expect((await runNode(service, { ...twice, items: numbered(1) })).json).toMatchObject([
		{ error: { httpCode: '404' } },
	]);
});

describe('a list', () => {
	it('that is made of several gives each record once, with the list that it comes from', async () => {
		service.lists[PAGES] = ({ type }) => [{ id: type }, { id: 'both' }] as IDataObject[];
		const parameters = { resource: 'citedPage', operation: 'getAll', type: 'all', limit: 50 };
		const { json } = await runNode(service, { parameters });
		expect(json).toHaveLength(4);
		for (const type of ['new', 'processed', 'archived']) {
			expect(json).toContainEqual({ id: type, listType: type });
		}
	});

	it('that is not whole is an error, or what was found, with a hint', async () => {
		const items = [{ id: 1 }];
		service.respond = ({ query: { offset } }) => ({
			body: { data: { total: 10, offset, limit: 100, items: offset === 0 ? items : [] } },
		});
		const list = { resource: 'question', operation: 'getAll', returnAll: true };
		const error = await failureOf(service, { parameters: list });
		expect(error.message).toBe('The list could not be read completely');
		expect(error.description).toMatch(/than it announced.*'If Incomplete'/);
		const options = { ifIncomplete: 'return' };
		const { json, hints } = await runNode(service, { parameters: { ...list, options } });
		expect([json, hints.length]).toEqual([items, 1]);
	});

	it('that is made of several ends with enough records', async () => {
		service.lists[PAGES] = ({ type }) =>
			Array.from({ length: 30 }, (_, n) => ({ id: `${String(type)}${n}` }));
		const parameters = { resource: 'citedPage', operation: 'getAll', type: 'all', limit: 40 };
		expect((await runNode(service, { parameters })).json).toHaveLength(40);
		expect(service.sent.some(({ query }) => query.type === 'archived')).toBe(false);
	});
});

it('a summary sees the day on which the run began and all records, and keeps to the concurrency', async () => {
	service.latency = 10;
	service.lists[PAGES] = ({ type }) =>
		Array.from({ length: 300 }, (_, n) => ({
			...{ id: `${String(type)}${n}`, url: `https://a.example/${n}`, domain: 'a.example' },
			...{ title: 'x', citations: 2, isOwnDomain: false, platforms: ['chat_assistant'] },
			...{ firstSeenAt: '2026-01-25T00:00:00Z', lastSeenAt: '2026-01-26T00:00:00Z' },
		}));
	const summarize = { resource: 'citedPage', operation: 'summarize', period: 'last7Days' };
	const options = { concurrency: 2 };
	const { json } = await runNode(service, {
		parameters: { ...summarize, comparePrevious: false, options },
	});
	const period = { startDate: '2026-01-24', endDate: '2026-01-30' };
	expect(json).toMatchObject([{ ...period, days: 7, pages: 900, citations: 1800 }]);
	for (const { query } of service.sent) expect(query).toMatchObject(period);
	expect(service.atOnce).toBe(2);
});

describe('a record that exists', () => {
	const create = (ifExists: string) => ({
		parameters: {
			...{ resource: 'competitor', operation: 'create', domain: 'a.example' },
			options: { ifExists },
		},
	});
	const exists = { statusCode: 400, body: { type: 'competitor-already-exists' } };
	beforeEach(() => {
		service.lists['/v1/competitors'] = () => [{ id: 'c1', domain: 'www.a.example' }];
		service.respond = ({ method }) => (method === 'POST' ? exists : undefined);
	});

	it('is returned where the option says so, with a hint', async () => {
		const { json, hints } = await runNode(service, create('returnExisting'));
		expect(json).toEqual([{ id: 'c1', domain: 'www.a.example' }]);
		expect(hints).toHaveLength(1);
	});

	const tracked = (domain: string, day: number, times: IDataObject = {}) => ({
		...{ id: `c${day}`, domain, createdAt: `2026-01-0${day}T00:00:00Z`, ...times },
	});
	it.each<[string, IDataObject[], string]>([
		['a.example', [tracked('a.example', 1), tracked('www.a.example', 2)], 'c1'],
		['www.a.example', [tracked('www.a.example', 1), tracked('a.example', 2)], 'c1'],
		[
			'A.example/path',
			[tracked('https://www.a.example/', 2), tracked('https://A.example/', 1)],
			'c1',
		],
		['a.example', [tracked('b.example', 3), tracked('www.a.example', 1)], 'c1'],
		[
			'bücher.example',
			[tracked('www.bücher.example', 2), tracked('xn--bcher-kva.example', 1)],
			'c1',
		],
		['xn--bcher-kva.example', [tracked('bücher.example', 1)], 'c1'],
		[
			'a.example',
			[tracked('a.example', 2), tracked('a.example', 3), tracked('a.example', 1)],
			'c3',
		],
		[
			'a.example',
			[1, 2].map((day) =>
				tracked('a.example', day, { createdAt: null, updatedAt: `2026-01-0${day}` }),
			),
			'c2',
		],
	])(
		'is the one with exactly this domain (%s), then one with or without www, then the newest: %j',
		async (domain, records, id) => {
			service.lists['/v1/competitors'] = () => records;
			const { parameters } = create('returnExisting');
			const { json } = await runNode(service, { parameters: { ...parameters, domain } });
			expect(json).toMatchObject([{ id }]);
		},
	);

	it('is the one with exactly this domain where a create is repeated because its answer was lost', async () => {
		service.lists['/v1/competitors'] = () => [tracked('a.example', 1), tracked('www.a.example', 2)];
		const answers = [{ statusCode: 504 }, exists];
		service.respond = ({ method }) => (method === 'POST' ? answers.shift() : undefined);
		expect((await runNode(service, create('error'))).json).toMatchObject([{ id: 'c1' }]);
	});

	it('is an error otherwise, and where it cannot be found', async () => {
		expect((await failureOf(service, create('error'))).description).toContain("'If It Exists'");
		service.lists['/v1/competitors'] = () => [];
		const { description } = await failureOf(service, create('returnExisting'));
		expect(description).toContain('The existing record could not be found.');
	});
});

describe('a competitor whose domain has another spelling', () => {
	const create = (domain: string, options: IDataObject = {}) => ({
		items: itemsOf({ domain }, { domain: `www.${domain}` }, { domain: 'plain.example' }),
		parameters: (item: IDataObject) => ({
			...{ resource: 'competitor', operation: 'create', domain: item.domain, options },
		}),
		continues: true,
	});

	it('is added in ASCII if it is new', async () => {
		service.lists['/v1/competitors'] = () => [{ id: 'c1', domain: 'other.example' }];
		const { json } = await runNode(service, create('münchen.example'));
		expect(json.map(({ domain }) => domain)).toEqual([
			...['xn--mnchen-3ya.example', 'www.xn--mnchen-3ya.example', 'plain.example'],
		]);
	});
});

describe('a create that may have been done', () => {
	type Given = Array<{ statusCode: number; body?: unknown }>;
	const create = async (resource: string, more: IDataObject, answers: Given) => {
		service.respond = ({ method }) =>
			method === 'POST' ? { body: {}, ...(answers.shift() ?? { statusCode: 500 }) } : undefined;
		return await runNode(service, { parameters: { resource, operation: 'create', ...more } });
	};

	it('is done if the service then says that the record exists', async () => {
		service.lists['/v1/competitors'] = () => [{ id: 'c1', domain: 'a.example' }];
		const exists = { statusCode: 400, body: { type: 'competitor-already-exists' } };
		const answers = [{ statusCode: 504 }, exists];
		const { json, hints } = await create('competitor', { domain: 'a.example' }, answers);
		expect([json, hints]).toEqual([[{ id: 'c1', domain: 'a.example' }], []]);
	});

	it('says so if the record that exists cannot be looked up', async () => {
		const exists = { statusCode: 400, body: { type: 'competitor-already-exists' } };
		const answers = [{ statusCode: 504 }, exists];
		service.respond = ({ method }) =>
			method === 'POST' ? { body: {}, ...answers.shift() } : { statusCode: 403 };
		const parameters = { resource: 'competitor', operation: 'create', domain: 'a.example' };
		const error = await failureOf(service, { parameters });
		expect(error.message).toBe('The API key does not have permission to do this');
		expect(error.description).toContain('it may have done the work. Running it again is safe.');
		expect(error.context.mayBeDone).toBe(true);
	});

	it.each([
		// The last answer counts only the rest
		[
			500,
			{ count: null, skipped: null },
			[expect.stringMatching(/^1 request had to be sent again/)],
		],
		// A refusal says that nothing was done
		[
			429,
			{ count: 1, skipped: 1 },
			[
				expect.stringMatching(/^The service asked to slow down/),
				'Skipped 1 keyword that already existed.',
			],
		],
	])('has the count after %i only if it is certain', async (statusCode, counts, told) => {
		const answers = [{ statusCode }, { statusCode: 201, body: { count: 1 } }];
		const { json, hints } = await create('keyword', { keywords: 'a, b' }, answers);
		expect(json).toEqual([{ submitted: 2, ...counts }]);
		expect(hints).toEqual(told);
	});
});

describe('keywords that the service refuses', () => {
	const keywordsIn = ({ body }: Sent) => (body as { keywords: string[] }).keywords;
	const refuse = (isRefused: (keywords: string[]) => boolean, statusCode = 422) => {
		service.respond = (request) => {
			const { length: count } = keywordsIn(request);
			return isRefused(keywordsIn(request)) ? { statusCode } : { body: { count } };
		};
	};
	const create = (count: number, options: IDataObject = {}) => ({
		items: numbered(count),
		parameters: ({ n }: IDataObject) => ({
			...{ resource: 'keyword', operation: 'create', keywords: `tea ${String(n)}`, options },
		}),
		continues: true,
	});
	const outcome = ({ output }: Awaited<ReturnType<typeof runNode>>) => {
		const itemsIn = (items: typeof output) =>
			items.flatMap(({ pairedItem }) => [pairedItem].flat() as Array<{ item: number }>);
		const failed = output.filter(({ json }) => json.error);
		return {
			done: itemsIn(output.filter((one) => !failed.includes(one))).map(({ item }) => item),
			failed: itemsIn(failed).map(({ item }) => item),
		};
	};

	it.each([400, 413, 422])(
		'fail alone if the node continues: their batch is divided (%i)',
		async (statusCode) => {
			refuse((keywords) => keywords.includes('tea 42'), statusCode);
			const { done, failed } = outcome(await runNode(service, create(250)));
			expect(failed).toEqual([42]);
			expect(done.sort((a, b) => a - b)).toEqual(
				numbered(250)
					.map((_, n) => n)
					.filter((n) => n !== 42),
			);
			expect(service.sent.length).toBeLessThanOrEqual(3 + 2 * 7);
		},
	);

	it('fail alone, whichever they are, and the others are accepted once', async () => {
		vi.useRealTimers();
		const some = fc.uniqueArray(fc.nat(59), { maxLength: 12 });
		await fc.assert(
			fc.asyncProperty(some, fc.integer({ min: 1, max: 60 }), async (bad, batchSize) => {
				service = new FakeService();
				const accepted: string[] = [];
				refuse((keywords) => {
					const isRefused = bad.some((n) => keywords.includes(`tea ${n}`));
					if (!isRefused) accepted.push(...keywords);
					return isRefused;
				});
				const { context } = contextOf(service, create(60, { batchSize, concurrency: 1 }));
				const [output = []] = await executing.execute(context);
				const { failed } = outcome({ output, json: [], hints: [] });
				expect(failed.filter((n) => !accepted.includes(`tea ${n}`))).toEqual(failed);
				expect(failed).toEqual(expect.arrayContaining(bad));
				expect(new Set(accepted).size).toBe(accepted.length);
				expect(accepted.length + failed.length).toBe(60);
				// Only after many refusals in a row, others fail with them
				if (bad.length <= 3) expect(failed).toHaveLength(bad.length);
			}),
			{ numRuns: 50 },
		);
	});

	it('because there are too many are sent in smaller batches', async () => {
		refuse((keywords) => keywords.length > 30, 413);
		expect(outcome(await runNode(service, create(100))).failed).toEqual([]);
		expect(service.sent).toHaveLength(7);
	});

	it.each([30, 10])(
		'because a request may have %i are all accepted, however many batches run at once',
		async (most) => {
			refuse((keywords) => keywords.length > most, 413);
			expect(outcome(await runNode(service, create(2000))).failed).toEqual([]);
		},
	);

	it('are given up soon, also if the service accepted others before', async () => {
		const accepted: number[] = [];
		refuse(() => accepted.push(1) > 5);
		const { failed } = outcome(await runNode(service, create(3000)));
		expect(failed).toHaveLength(2500);
		expect(service.sent.length).toBeLessThan(700);
	});

	it('in each of many batches fail alone', async () => {
		refuse((keywords) => keywords.some((one) => one.endsWith('17')));
		const { failed } = outcome(await runNode(service, create(3000)));
		expect(failed).toEqual(Array.from({ length: 30 }, (_, n) => 100 * n + 17));
	});

	it('all of them are found out with few requests', async () => {
		refuse(() => true);
		expect(outcome(await runNode(service, create(1000))).failed).toHaveLength(1000);
		expect(service.sent.length).toBeLessThan(300);
	});

	it('are looked for in one batch only, where the service has refused all of it', async () => {
		refuse(() => true);
		const run = create(2000, { concurrency: 1 });
		expect(outcome(await runNode(service, run)).failed).toHaveLength(2000);
		// The first one is divided until it is given up, the other 19 are sent once
		expect(service.sent.length).toBeLessThan(60);
	});

	it('are looked for in each batch, where the service has accepted another', async () => {
		let count = 0;
		refuse(() => count++ > 0);
		const run = create(300, { concurrency: 1 });
		expect(outcome(await runNode(service, run)).failed).toHaveLength(200);
		expect(service.sent.length).toBeGreaterThan(2 * 20);
	});

	it('are sent again with Retry On Fail, but none that was accepted', async () => {
		refuse((keywords) => keywords.includes('tea 0'));
		const run = { ...create(20), node: { retryOnFail: true } };
		const first = await runNode(service, run);
		const before = service.sent.length;
		const second = await runNode(service, run);
		expect(second.output).toEqual(first.output);
		expect(service.sent.slice(before).map(keywordsIn)).toEqual([['tea 0']]);
	});
});
