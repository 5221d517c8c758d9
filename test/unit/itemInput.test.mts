import type { IDataObject } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { itemAt } from '../defined.mts';
import { fields, itemInput } from './built.mts';
import { byId, failureOf, FakeService, itemsOf, runNode } from './nodeContext.mts';

let service: FakeService;
beforeEach(() => {
	vi.useFakeTimers();
	service = new FakeService();
});
afterEach(() => void vi.useRealTimers());

/** What the service gets for a call. */
async function sentFor(parameters: IDataObject) {
	await runNode(service, { parameters });
	return itemAt(service.sent, -1);
}

describe('what is sent for an item', () => {
	it('goes into the path, encoded', async () => {
		const sent = await sentFor({
			...{ resource: 'question', operation: 'update', status: 'new' },
			questionId: byId('a:b@c+d'),
		});
		expect(sent).toEqual({
			method: 'PATCH',
			path: '/v1/people-also-ask/a%3Ab%40c%2Bd',
			query: {},
			body: { status: 'new' },
			timeout: 31_000,
		});
	});

	it('goes into the query, lists with commas (contract 4)', async () => {
		service.lists['/v1/people-also-ask'] = () => [];
		const { query, body } = await sentFor({
			...{ resource: 'question', operation: 'getAll', limit: 7 },
			filters: { status: ['new', 'processed'] },
		});
		expect(query).toEqual({ status: 'new,processed', offset: 0, limit: 7 });
		expect(body).toBeUndefined();
	});

	it('never is a choice of the node itself', async () => {
		service.lists['/v1/backlinks'] = () => [];
		const call = { resource: 'backlink', operation: 'getAll' };
		await sentFor({ ...call, type: 'all', sort: { sortBy: 'firstSeen' } });
		const firstThree = service.sent.slice(0, 3);
		expect(firstThree.map(({ query }) => [query.type, query.sortBy])).toEqual(
			['competitors', 'processed', 'archived'].map((type) => [type, 'firstSeen']),
		);
		expect((await sentFor({ ...call, type: 'mine' })).query.type).toBe('mine');
	});

	it('is none of the choices that the node does not send, which it remembers all the same', () => {
		const property = { displayName: 'Type', name: 'type', type: 'options', default: '' } as const;
		const field = fields.inQuery(property, { notSent: ['all', 'any'] });
		const inputFor = (value: string) => {
			const input = itemInput.newInput(0);
			itemInput.put(input, field, value);
			return { values: input.values, query: input.query };
		};
		expect(inputFor('any')).toEqual({ values: { type: 'any' }, query: {} });
		expect(inputFor('new')).toEqual({ values: { type: 'new' }, query: { type: 'new' } });
	});

	it('is text in the query, and keeps its type in the body', async () => {
		service.lists['/v1/keywords'] = () => [];
		const { query } = await sentFor({
			...{ resource: 'keyword', operation: 'getAll', type: 'new' },
			filters: { competitorId: byId(17) },
		});
		expect(query.competitorId).toBe('17');
		const { body } = await sentFor({
			...{ resource: 'action', operation: 'create', type: 'write_article' },
			additionalFields: { keywordIds: 'k1, k2' },
		});
		expect(body).toEqual({ type: 'write_article', keywordIds: ['k1', 'k2'] });
	});

	it('has no body where there is nothing to say', async () => {
		const call = { resource: 'action', operation: 'generate', actionId: byId('a') };
		expect((await sentFor(call)).body).toBeUndefined();
	});

	it('has the body that the user wrote, whatever the parameters say', async () => {
		const call = { resource: 'competitor', operation: 'create', domain: 'a.example' };
		const sent = await sentFor({ ...call, options: { customBody: '{ "host": "b.example" }' } });
		expect(sent.body).toEqual({ host: 'b.example' });
	});

	it('has what the user adds to the query, which counts more than the parameters', async () => {
		service.lists['/v1/keywords'] = () => [];
		const pairs = [
			{ name: 'type', value: 'planned' },
			{ name: 'more', value: 'x' },
		];
		const { query } = await sentFor({
			...{ resource: 'keyword', operation: 'getAll', type: 'new', returnAll: true },
			filters: { keyword: 'tea' },
			options: { queryParameters: { parameters: pairs } },
		});
		expect(query).toEqual({ keyword: 'tea', type: 'planned', more: 'x', offset: 0, limit: 100 });
	});

	it.each([
		['keyword', { operation: 'archive', keywordId: byId('k') }, { id: 'k', archived: true }],
		['prompt', { operation: 'unarchive', promptId: byId('p') }, { id: 'p', archived: false }],
		['category', { operation: 'update', categoryId: byId('c'), name: 'x' }, { id: 'c', name: 'x' }],
		['workspace', { operation: 'get' }, undefined],
	])('may be answered without a body or not: %s', async (resource, call, expected) => {
		service.respond = () => ({ statusCode: 200, body: '' });
		const options = { maxRetries: 0 };
		const run = { parameters: { resource, ...call, options } };
		if (expected) expect((await runNode(service, run)).json).toEqual([expected]);
		else {
			expect((await failureOf(service, run)).message).toBe('The response could not be read');
		}
	});

	it('has the limits of its item', async () => {
		service.respond = () => ({ statusCode: 502 });
		await runNode(service, {
			items: itemsOf({ timeout: 500, maxRetries: 1 }, { timeout: 700, maxRetries: 2 }),
			parameters: (options) => ({
				...{ resource: 'question', operation: 'archive', questionId: byId(options.timeout) },
				options,
			}),
			continues: true,
		});
		const tries = (id: string) => service.sent.filter(({ path }) => path.endsWith(id));
		expect(tries('500').map(({ timeout }) => timeout)).toEqual([1500, 1500]);
		expect(tries('700').map(({ timeout }) => timeout)).toEqual([1700, 1700, 1700]);
	});
});

describe('a check of values against each other', () => {
	it('refuses an item before anything is sent', async () => {
		const error = await failureOf(service, {
			parameters: {
				...{ resource: 'citedPage', operation: 'getAll', type: 'new' },
				filters: { startDate: '2026-02-01', endDate: '2026-01-31' },
			},
		});
		expect(error.name).toBe('NodeOperationError');
		expect(error.context).toMatchObject({ itemIndex: 0 });
		expect(service.sent).toEqual([]);
	});
});

describe('settings', () => {
	const { settingsIn } = itemInput;
	const USUAL = {
		limit: undefined,
		simplify: true,
		dryRun: false,
		returnExisting: false,
		returnIncomplete: false,
		timeout: 30_000,
		maxRetries: 4,
		concurrency: 20,
		batchSize: undefined,
		queryParameters: {},
		customBody: undefined,
	};

	it('have the documented defaults', () => {
		expect(settingsIn({})).toEqual(USUAL);
	});

	it.each<[IDataObject, object]>([
		[{ limit: 50 }, { limit: 50 }],
		[{ limit: 50, returnAll: false }, { limit: 50 }],
		[{ simplify: false }, { simplify: false }],
		[{ simplify: true }, {}],
		[{ ifExists: 'returnExisting' }, { returnExisting: true }],
		[{ ifExists: 'error' }, {}],
		[{ ifIncomplete: 'return' }, { returnIncomplete: true }],
		[{ dryRun: true }, { dryRun: true }],
		[{ dryRun: 'true' }, {}],
		[{ timeout: 1 }, { timeout: 1 }],
		[{ maxRetries: 0 }, { maxRetries: 0 }],
		[{ concurrency: 1 }, { concurrency: 1 }],
		[{ batchSize: 10 }, { batchSize: 10 }],
		[{ batchSize: '10' }, {}],
		[{ queryParameters: { a: 'b' } }, { queryParameters: { a: 'b' } }],
		[{ queryParameters: ['a'] }, {}],
		[{ customBody: { a: 1 } }, { customBody: { a: 1 } }],
		[{ customBody: [] }, { customBody: [] }],
		[{ customBody: null }, {}],
		[{ customBody: 'a' }, {}],
	])('for %j differ from them by %j', (values, changes) => {
		expect(settingsIn(values)).toEqual({ ...USUAL, ...changes });
	});
});
