import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { run } from './engine.mts';
import { withSandbox } from './helpers.mts';

/** Collections from one expression, as agents and workflow builders write them. */

const getAll = (more: object): INodeParameters => ({
	resource: 'citedPage',
	operation: 'getAll',
	...more,
});

describe('a collection as a whole', () => {
	it.each([
		['an object', { domain: 'tea.example' }],
		['JSON text', '{"domain":"tea.example"}'],
	])('%s is understood', async (_name, filters) => {
		await withSandbox(async (sandbox) => {
			const parameters = getAll({ filters: '={{ $json.filters }}' as never });
			const { error } = await run(sandbox, { items: [{ filters }], parameters });
			expect(error).toBeUndefined();
			expect(sandbox.requests[0].query).toMatchObject({ domain: 'tea.example' });
		});
	});

	it.each([undefined, null, '', 'null', [], {}])('%j is nothing', async (filters) => {
		await withSandbox(async (sandbox) => {
			const parameters = getAll({ filters: '={{ $json.filters }}' as never });
			const { error } = await run(sandbox, { items: [{ filters }] as never, parameters });
			expect(error).toBeUndefined();
			expect(sandbox.requests[0].query).not.toHaveProperty('domain');
		});
	});

	it.each(['tea.example', 7, true, ['domain'], [{ domain: 'a' }]])(
		'%j is refused, not ignored',
		async (filters) => {
			await withSandbox(async (sandbox) => {
				const parameters = getAll({ filters: '={{ $json.filters }}' as never });
				const { error } = await run(sandbox, { items: [{ filters }] as never, parameters });
				expect(error?.message).toBe("The 'Filters' parameter must be an object");
				expect(sandbox.requests).toEqual([]);
			});
		},
	);
});

describe('Query Parameters', () => {
	const ask = async (queryParameters: unknown) =>
		await withSandbox(async (sandbox) => {
			const options = { queryParameters: '={{ $json.queryParameters }}' };
			const { error } = await run(sandbox, {
				items: [{ queryParameters }] as never,
				parameters: { resource: 'workspace', operation: 'get', options } as never,
			});
			const [request] = sandbox.requests;
			return { error, query: request?.query };
		});

	it.each([
		[{ parameters: [{ name: 'a', value: 'b' }] }, { a: 'b' }],
		[[{ name: 'a', value: 'b' }], { a: 'b' }],
		[{ a: 'b' }, { a: 'b' }],
		[{ a: ['b', 'c'] }, { a: 'b,c' }],
		[{ a: [null, 'b'] }, { a: 'b' }],
		[
			[
				{ name: 'a', value: 'b' },
				{ name: 'a', value: 'c' },
			],
			{ a: 'b,c' },
		],
		[
			{ a: 7, b: true },
			{ a: '7', b: 'true' },
		],
		[[{ name: '', value: 'b' }], {}],
	])('%j are sent as %j', async (given, expected) => {
		expect((await ask(given)).query).toEqual(expected);
	});

	it.each([
		[{ a: { b: 'c' } }],
		[[{ name: { a: 1 }, value: 'b' }]],
		[['a=b']],
		[7],
		[JSON.parse('{"__proto__": "b"}') as object],
	])('%j are refused', async (given) => {
		const { error, query } = await ask(given);
		expect(error?.message).toMatch(/^The 'Query Parameters' parameter/);
		expect(query).toBeUndefined();
	});
});
