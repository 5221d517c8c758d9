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
	itemsOf,
	numbered,
	runNode,
} from './nodeContext.mts';

const ACTIONS = '/v1/actions';
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

describe('how many requests are under way at once', () => {
	it.each([
		[{}, 5, 12],
		[{ concurrency: 3 }, 3, 3],
		[{ concurrency: 1 }, 1, 1],
	])('with %j: %i to %i', async (options, fewest, most) => {
		service.latency = 10;
		await runNode(service, archive(options));
		expect(service.atOnce).toBeGreaterThanOrEqual(fewest);
		expect(service.atOnce).toBeLessThanOrEqual(most);
	});

	it.each([
		['action', { type: 'other' }],
		['competitor', { domain: 'a.example' }],
	])('one where the service keeps the order: %s', async (resource, more) => {
		service.latency = 10;
		const parameters = { resource, operation: 'create', ...more };
		await runNode(service, { items: numbered(6), parameters });
		expect(service.atOnce).toBe(1);
	});

	it('as many pages of a list as it says', async () => {
		service.latency = 10;
		service.lists['/v1/people-also-ask'] = () => Array.from({ length: 900 }, (_, n) => ({ id: n }));
		const list = { resource: 'question', operation: 'getAll', returnAll: true };
		await runNode(service, { parameters: { ...list, options: { concurrency: 2 } } });
		expect(service.atOnce).toBe(2);
	});

	it('the output keeps the order of the input all the same', async () => {
		service.respond = async ({ path }) => {
			const wait = path.endsWith('q0') ? 500 : 10;
			await new Promise((resolve) => setTimeout(resolve, wait));
			return undefined;
		};
		const { output } = await runNode(service, archive());
		expect(output.map(({ json: { id }, pairedItem }) => [id, pairedItem])).toEqual(
			Array.from({ length: 12 }, (_, item) => [`q${item}`, { item }]),
		);
	});
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
	const questions = (count: number) => {
		service.lists['/v1/people-also-ask'] = () =>
			Array.from({ length: count }, (_, id) => ({ id, question: `Q${id}` }));
	};
	const list = { resource: 'question', operation: 'getAll' };

	it('is read up to the limit, or whole', async () => {
		questions(250);
		expect((await runNode(service, { parameters: { ...list, limit: 120 } })).json).toHaveLength(
			120,
		);
		const all = await runNode(service, { parameters: { ...list, returnAll: true, limit: 120 } });
		expect(all.json).toHaveLength(250);
		expect(all.json[249]).toEqual({ id: 249, question: 'Q249' });
		expect(all.output[249]?.pairedItem).toEqual({ item: 0 });
	});

	it('is read with the query of its item on every page', async () => {
		questions(150);
		const parameters = { ...list, returnAll: true, filters: { status: ['new'] } };
		await runNode(service, { parameters });
		expect(service.sent.map(({ query }) => query)).toEqual([
			{ status: 'new', offset: 0, limit: 100 },
			{ status: 'new', offset: 100, limit: 100 },
		]);
	});

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
			body: { data: { total: 10, offset, limit: 100, count: 1, items: [{ id: 1 }] } },
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

describe('If It Exists', () => {
	const create = (ifExists: string, titles: string[] = ['a']) => ({
		items: itemsOf(...titles.map((title) => ({ title }))),
		parameters: ({ title }: IDataObject) => ({
			...{ resource: 'action', operation: 'create', type: 'other', title },
			options: { ifExists },
		}),
	});
	const EXISTS = { statusCode: 400, body: { type: 'action-title-already-exists' } };
	const existing: IDataObject[] = [];
	beforeEach(() => {
		existing.length = 0;
		service.lists[ACTIONS] = () => existing;
		service.respond = ({ method, body }) => {
			if (method === 'GET') return undefined;
			const { title } = body as IDataObject;
			if (existing.some((one) => one.title === title)) return EXISTS;
			const created = { id: `a${existing.length}`, type: 'other', title };
			existing.push(created as IDataObject);
			return { statusCode: 201, body: created };
		};
	});

	it('"Fail" fails, and looks for nothing', async () => {
		existing.push({ id: 'old', title: 'a' });
		const error = await failureOf(service, create('error'));
		expect(error.message).toBe('Another action already has this title');
		expect(error.description).toContain("set the option 'If It Exists' to 'Return Existing'");
		expect(service.reads).toEqual([]);
	});

	it('"Return Existing" gives the record that is there, and a hint', async () => {
		existing.push({ id: 'old', title: 'a', type: 'get_cited' });
		const { json, hints } = await runNode(service, create('returnExisting', ['b', 'a']));
		expect(json).toEqual([
			{ id: 'a1', type: 'other', title: 'b' },
			{ id: 'old', type: 'get_cited', title: 'a' },
		]);
		expect(hints).toEqual(['1 record already existed and came out unchanged.']);
	});

	it('counts several', async () => {
		existing.push({ id: 'old', title: 'a' }, { id: 'older', title: 'b' });
		const { hints } = await runNode(service, create('returnExisting', ['a', 'b', 'c']));
		expect(hints).toEqual(['2 records already existed and came out unchanged.']);
	});

	it('finds what the run itself has created, without another look', async () => {
		existing.push({ id: 'old', title: 'a' });
		const { json } = await runNode(service, create('returnExisting', ['a', 'b', 'b']));
		expect(json.map(({ id }) => id)).toEqual(['old', 'a1', 'a1']);
		// By the title, and by no other list
		expect(service.reads).toHaveLength(2);
		expect(service.reads.map(({ query }) => query.search)).toEqual(['a', 'b']);
	});

	it('reads a list once, and finds in it also what the run has created since', async () => {
		existing.push({ id: 'old', slug: 'a' });
		service.respond = ({ method, body }) => {
			if (method === 'GET') return undefined;
			const { slug } = body as IDataObject;
			const known = [
				'a',
				...service.writes.slice(0, -1).map((sent) => (sent.body as IDataObject).slug),
			];
			if (known.includes(slug)) {
				return { statusCode: 400, body: { type: 'action-slug-already-exists' } };
			}
			return { statusCode: 201, body: { id: 'new', slug } };
		};
		const { json } = await runNode(service, {
			items: itemsOf({ slug: 'a' }, { slug: 'b' }, { slug: 'b' }),
			parameters: ({ slug }) => ({
				...{ resource: 'action', operation: 'create', type: 'write_article', simplify: false },
				...{ additionalFields: { slug }, options: { ifExists: 'returnExisting' } },
			}),
		});
		expect(json).toEqual([
			{ id: 'old', slug: 'a' },
			{ id: 'new', slug: 'b' },
			{ id: 'new', slug: 'b' },
		]);
		expect(service.reads).toHaveLength(1);
	});

	it('fails where the record is nowhere', async () => {
		service.respond = ({ method }) => (method === 'GET' ? undefined : EXISTS);
		const error = await failureOf(service, create('returnExisting'));
		expect(error.message).toBe('Another action already has this title');
		expect(error.description).toContain('The existing record could not be found.');
		expect(error.description).not.toContain('Return Existing');
	});

	it('changes nothing about other failures', async () => {
		service.respond = () => ({ statusCode: 400, body: { type: 'action-reference-not-found' } });
		const error = await failureOf(service, create('returnExisting'));
		expect(error).toMatchObject({ context: { code: 'action-reference-not-found' } });
		expect(service.reads).toEqual([]);
		service.respond = () => ({ statusCode: 401 });
		expect(await failureOf(service, create('returnExisting'))).toMatchObject({ httpCode: '401' });
	});

	it('looks for what was sent, also where the user wrote the body', async () => {
		existing.push({ id: 'old', title: 'own' });
		const parameters = {
			...{ resource: 'action', operation: 'create', type: 'other', title: 'a' },
			options: { ifExists: 'returnExisting', customBody: { title: 'own' } },
		};
		expect((await runNode(service, { parameters })).json).toEqual([{ id: 'old', title: 'own' }]);
	});
});

describe('a body of the user', () => {
	it('that is a list counts as well for what comes out', async () => {
		service.respond = () => ({ body: { count: 1 } });
		const parameters = {
			...{ resource: 'keyword', operation: 'create', keywords: 'a' },
			options: { customBody: '["x", "y"]' },
		};
		const { json, output } = await runNode(service, { parameters });
		expect(service.sent[0]?.body).toEqual(['x', 'y']);
		expect(json).toEqual([{ submitted: 2, count: 1, skipped: 1 }]);
		expect(output[0]?.pairedItem).toEqual([{ item: 0 }]);
	});
});

describe('a record that is named by its URL', () => {
	it('is looked up before the request', async () => {
		const path = '/v1/forum-opportunities';
		service.lists[path] = () => [{ id: 'f', url: 'https://a.example/x' }];
		const call = { resource: 'forumOpportunity', operation: 'archive' };
		const parameters = { ...call, forumOpportunityId: byUrl('https://a.example/x') };
		expect((await runNode(service, { parameters })).json).toEqual([{ id: 'f', archived: true }]);
		expect(service.sent.map((sent) => `${sent.method} ${sent.path}`)).toEqual([
			`GET ${path}`,
			`DELETE ${path}/f`,
		]);
	});

	it('is read with no more requests at once than its run may have', async () => {
		service.latency = 10;
		const path = '/v1/forum-opportunities';
		service.lists[path] = () =>
			Array.from({ length: 800 }, (_, n) => ({ id: `f${n}`, url: `https://a.example/${n}` }));
		const call = { resource: 'forumOpportunity', operation: 'archive' };
		const parameters = { ...call, forumOpportunityId: byUrl('https://a.example/7') };
		await runNode(service, { parameters: { ...parameters, options: { concurrency: 2 } } });
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
