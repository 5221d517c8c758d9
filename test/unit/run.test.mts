import type { IDataObject } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { executing } from './built.mts';
import {
	atOnce,
	byId,
	byUrl,
	contextOf,
	failureOf,
	FakeService,
	numbered,
	runNode,
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

describe('a list', () => {
	const list = { resource: 'question', operation: 'getAll' };

	it('that is made of several gives each record once, with the list that it comes from', async () => {
		service.lists[PAGES] = ({ type }) => [{ id: type }, { id: 'both' }] as IDataObject[];
		const parameters = { resource: 'citedPage', operation: 'getAll', type: 'all', limit: 50 };
		const { json } = await runNode(service, { parameters });
		expect(json).toHaveLength(4);
		expect(json).toEqual(
			expect.arrayContaining([
				{ id: 'new', listType: 'new' },
				{ id: 'processed', listType: 'processed' },
				{ id: 'archived', listType: 'archived' },
			]),
		);
	});

	it('that is made of several ends with enough records', async () => {
		service.lists[PAGES] = ({ type }) =>
			Array.from({ length: 30 }, (_, n) => ({ id: `${String(type)}${n}` }));
		const parameters = { resource: 'citedPage', operation: 'getAll', type: 'all', limit: 40 };
		expect((await runNode(service, { parameters })).json).toHaveLength(40);
		expect(service.sent.some(({ query }) => query.type === 'archived')).toBe(false);
	});

	it('that is not whole is an error, and gives no records', async () => {
		service.respond = ({ query: { offset } }) => ({
			body: { data: { total: 10, offset, limit: 100, items: offset === 0 ? [{ id: 1 }] : [] } },
		});
		const error = await failureOf(service, { parameters: { ...list, returnAll: true } });
		expect(error.message).toBe('The list could not be read completely');
	});
});

describe('an operation that is made of several reads', () => {
	const summarize = {
		resource: 'citedPage',
		operation: 'summarize',
		period: 'last7Days',
		comparePrevious: false,
	};

	const page = (id: string) => ({
		...{ id, url: `https://a.example/${id}`, domain: 'a.example', title: id, citations: 2 },
		...{ isOwnDomain: false, platforms: ['chat_assistant'] },
		...{ firstSeenAt: '2026-01-25T00:00:00Z', lastSeenAt: '2026-01-26T00:00:00Z' },
	});

	it('sees the day on which the run began, and all records', async () => {
		service.lists[PAGES] = ({ type }) => [page(String(type))];
		const { json } = await runNode(service, { parameters: summarize });
		expect(json).toMatchObject([
			{
				period: { startDate: '2026-01-24', endDate: '2026-01-30', days: 7 },
				pages: 3,
				citations: 6,
			},
		]);
		for (const { query } of service.sent) {
			expect(query).toMatchObject({ startDate: '2026-01-24', endDate: '2026-01-30' });
		}
	});

	it('keeps to the concurrency', async () => {
		service.latency = 10;
		service.lists[PAGES] = ({ type }) =>
			Array.from({ length: 500 }, (_, n) => page(`${String(type)}${n}`));
		await runNode(service, { parameters: { ...summarize, options: { concurrency: 2 } } });
		expect(service.atOnce).toBe(2);
	});
});

it('two lists are read with no more requests at once than the run may have', async () => {
	service.latency = 10;
	const url = 'https://a.example/x';
	service.lists[PAGES] = ({ type }) => (type === 'new' ? [{ id: 'c', url }] : []);
	await runNode(service, {
		parameters: {
			...{ resource: 'action', operation: 'create', type: 'get_cited', citationId: byUrl(url) },
			options: { concurrency: 1 },
		},
	});
	expect(service.writes).toMatchObject([{ body: { citationId: 'c' } }]);
	expect(service.atOnce).toBe(1);
});

it('nothing is left behind once a run is over', async () => {
	const { context } = contextOf(service, archive());
	await atOnce(executing.execute(context));
	expect(vi.getTimerCount()).toBe(0);
});

describe('a create that may have been done', () => {
	const answers = (...all: Array<{ statusCode: number; body: unknown }>) => {
		service.respond = ({ method }) =>
			method === 'POST'
				? { headers: {}, ...(all.shift() ?? { statusCode: 500, body: {} }) }
				: undefined;
	};
	const create = (resource: string, more: IDataObject) => ({
		parameters: { resource, operation: 'create', ...more },
	});
	const posts = () => service.sent.filter(({ method }) => method === 'POST').length;

	it('is sent again where the service returns the record that exists', async () => {
		answers({ statusCode: 502, body: {} }, { statusCode: 201, body: { id: 'f1' } });
		const thread = { title: 'a', url: 'https://a.example/1' };
		const { json, hints } = await runNode(service, create('forumOpportunity', thread));
		expect(json).toEqual([{ id: 'f1' }]);
		expect(hints).toEqual([]);
	});

	it('is done if the service then says that the record exists', async () => {
		service.lists['/v1/competitors'] = () => [{ id: 'c1', domain: 'a.example' }];
		answers(
			{ statusCode: 504, body: {} },
			{ statusCode: 400, body: { type: 'competitor-already-exists' } },
		);
		const { json, hints } = await runNode(service, create('competitor', { domain: 'a.example' }));
		expect(json).toEqual([{ id: 'c1', domain: 'a.example' }]);
		expect(hints).toEqual([]);
	});

	it('leaves the count open where the last answer counts only the rest', async () => {
		answers({ statusCode: 500, body: {} }, { statusCode: 201, body: { count: 1 } });
		const { json, hints } = await runNode(service, create('keyword', { keywords: 'a, b' }));
		expect(json).toEqual([{ submitted: 2, count: null, skipped: null }]);
		expect(hints).toEqual([expect.stringMatching(/^1 request had to be sent again/)]);
	});

	it('keeps the count after a refusal, which says that nothing was done', async () => {
		answers({ statusCode: 429, body: {} }, { statusCode: 201, body: { count: 1 } });
		const { json } = await runNode(service, create('keyword', { keywords: 'a, b' }));
		expect(json).toEqual([{ submitted: 2, count: 1, skipped: 1 }]);
	});

	it('is not sent again otherwise', async () => {
		answers({ statusCode: 502, body: {} });
		await failureOf(service, create('action', { type: 'other' }));
		expect(posts()).toBe(1);
	});
});
