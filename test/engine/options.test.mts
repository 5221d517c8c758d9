import type { INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { run } from './engine.mts';
import { byId, idsOf } from './helpers.mts';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const lastRequest = () => sandbox.requests.at(-1);

describe('query parameters', () => {
	const citations = { resource: 'citedPage', operation: 'getAll', type: 'new', returnAll: true };
	const pairs = (...parameters: Array<{ name: string; value: string }>) => ({
		options: { queryParameters: { parameters } },
	});

	it('are added to every page, next to those of the node', async () => {
		const more = pairs({ name: 'sortBy', value: 'domain' }, { name: '', value: 'left empty' });
		const { error } = await run(sandbox, { parameters: { ...citations, ...more } });
		expect(error).toBeUndefined();
		expect(sandbox.requests.length).toBeGreaterThan(1);
		for (const { query } of sandbox.requests) {
			expect(query).toMatchObject({ type: 'new', sortBy: 'domain', limit: expect.any(String) });
			expect(Object.keys(query)).toHaveLength(4);
		}
	});

	it('cannot break the paging', async () => {
		const more = pairs({ name: 'offset', value: '50' }, { name: 'limit', value: '1' });
		const { json } = await run(sandbox, { parameters: { ...citations, ...more } });
		const all = await run(sandbox, { parameters: citations });
		expect(json).toEqual(all.json);
	});

	it.each<[unknown, object]>([
		[[['a', ['b', null, 'c']]], { a: 'b,c' }],
		[
			[
				['a', 7],
				['b', true],
				['a', 'c'],
			],
			{ a: '7,c', b: 'true' },
		],
		[
			[
				['', 'b'],
				['a', ''],
				['b', null],
				['c', [undefined, '']],
				['d', 'undefined'],
				['e', 0],
			],
			{ e: '0' },
		],
		[
			[['a&b=1#/../', 'x&y=1#z/../../@evil.example']],
			{ 'a&b=1#/../': 'x&y=1#z/../../@evil.example' },
		],
		[[['a', { b: 'c' }]], {}],
		[[[{ a: 1 }, 'b']], {}],
	])('from expressions, %j, are sent as %j, or refused', async (given, sent) => {
		const parameters = (given as unknown[]).map((_, n) => ({
			name: `={{ $json.pairs[${n}][0] }}`,
			value: `={{ $json.pairs[${n}][1] }}`,
		}));
		const { error } = await run(sandbox, {
			items: [{ pairs: given }] as never,
			parameters: {
				resource: 'workspace',
				operation: 'get',
				options: { queryParameters: { parameters } },
			},
		});
		if (Object.keys(sent).length > 0) expect(lastRequest()?.query).toEqual(sent);
		else {
			expect(error?.message).toMatch(/^The 'Query Parameters' parameter/);
			expect(sandbox.requests).toEqual([]);
		}
	});
});

describe('a custom body', () => {
	const create = { resource: 'keyword', operation: 'create', keywords: 'not sent' };
	const bodies: Array<[string, unknown, object]> = [
		['as JSON text', '{ "keywords": ["a", "b"] }', { submitted: 2, count: 2, skipped: 0 }],
		['as an object', { keywords: ['a', 'b', 'b'] }, { submitted: 3, count: 2, skipped: 1 }],
	];
	it.each(bodies)('%s replaces the body', async (_, customBody, counts) => {
		const { json } = await run(sandbox, {
			items: [{ customBody }] as never,
			parameters: { ...create, options: { customBody: '={{ $json.customBody }}' } },
		});
		expect(lastRequest()?.body).not.toMatchObject({ keywords: ['not sent'] });
		expect(json).toEqual([counts]);
	});

	it.each(['{}', [], ['a', 'b']])('%j is sent unchanged', async (customBody) => {
		sandbox.fault({ kind: 'status', status: 200, body: { ok: true } });
		const { error } = await run(sandbox, {
			items: [{ customBody }] as never,
			parameters: { ...create, options: { customBody: '={{ $json.customBody }}' } },
		});
		expect(error).toBeUndefined();
		expect(lastRequest()?.body).toEqual(customBody === '{}' ? {} : customBody);
	});

	it('of another shape is sent unchanged, and the counts stay open', async () => {
		sandbox.fault({ kind: 'status', status: 200, body: { ok: true } });
		const { json } = await run(sandbox, {
			parameters: { ...create, options: { customBody: '{"terms":"a"}' } },
		});
		expect(lastRequest()?.body).toEqual({ terms: 'a' });
		// Everything that the service said comes out
		const response = { ok: true };
		expect(json).toEqual([{ submitted: null, count: null, skipped: null, response }]);
	});

	it('decides the output', async () => {
		const [id] = idsOf(sandbox.state.all('backlink'));
		const update = { resource: 'backlink', operation: 'update', backlinkId: byId(id) };
		const { json } = await run(sandbox, {
			parameters: { ...update, status: 'processed', options: { customBody: '{"status":"new"}' } },
		});
		expect(json).toEqual([{ id, status: 'new' }]);
	});

	it('is not combined with the keywords of other items', async () => {
		const { json, output } = await run(sandbox, {
			items: [{ body: '' }, { body: '{"keywords":["own"]}' }, { body: '' }],
			parameters: {
				...create,
				keywords: '={{ "k" + $itemIndex }}',
				options: { customBody: '={{ $json.body }}' },
			},
		});
		expect(json.map(({ submitted }) => submitted)).toEqual([2, 1]);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([
			[{ item: 0 }, { item: 2 }],
			[{ item: 1 }],
		]);
	});
});

describe('a service with other names for what the contract does not show', () => {
	const custom = (body: object) => ({ customBody: JSON.stringify(body) });
	const aBacklink = () => byId(idsOf(sandbox.state.all('backlink'))[0]);
	const firstCitation = () => {
		const domains = [...sandbox.state.all('citedPage')].map(({ domain }) => domain).sort();
		return { domain: domains[0] };
	};
	const calls: Array<[string, () => INodeParameters, INodeParameters, () => object]> = [
		[
			'keyword.create',
			() => ({ keywords: 'gunpowder tea' }),
			custom({ terms: ['gunpowder tea'] }),
			() => ({ submitted: 1, count: 1 }),
		],
		[
			'competitor.create',
			() => ({ domain: 'rival.example' }),
			custom({ website: 'rival.example' }),
			() => ({ domain: 'rival.example' }),
		],
		[
			'backlink.update',
			() => ({ backlinkId: aBacklink(), status: 'processed' }),
			custom({ state: 'processed' }),
			// The contract does not show which status the body sets
			() => ({ id: idsOf(sandbox.state.all('backlink'))[0] }),
		],
		[
			'citedPage.getAll',
			() => ({ sort: { sortBy: 'domain', sortOrder: 'asc' } }),
			{
				queryParameters: {
					parameters: [
						{ name: 'sort', value: 'domain' },
						{ name: 'order', value: 'asc' },
					],
				},
			},
			firstCitation,
		],
	];

	it.each(calls)('%s: the options are the way out', async (name, parameters, options, gives) => {
		sandbox.setVariant({ otherNames: true });
		const [resource, operation] = name.split('.');
		const call = { resource, operation, ...parameters() };
		expect((await run(sandbox, { parameters: call })).error).toMatchObject({ httpCode: '400' });
		const { sort: _sort, ...others } = call as INodeParameters;
		const { error, json } = await run(sandbox, { parameters: { ...others, options } });
		expect(error).toBeUndefined();
		expect(json[0]).toMatchObject(gives());
	});
});
