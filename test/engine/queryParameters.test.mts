import { describe, expect, it } from 'vitest';

import { run } from './engine.mts';
import { withSandbox } from './helpers.mts';

/**
 * Query Parameters from expressions. If the whole collection is one expression, n8n drops it and it never reaches the
 * node.
 */

describe('Query Parameters', () => {
	const ask = async (...pairs: Array<[unknown, unknown]>) =>
		await withSandbox(async (sandbox) => {
			const parameters = pairs.map((_, n) => ({
				name: `={{ $json.pairs[${n}][0] }}`,
				value: `={{ $json.pairs[${n}][1] }}`,
			}));
			const options = { queryParameters: { parameters } };
			const { error } = await run(sandbox, {
				items: [{ pairs }] as never,
				parameters: { resource: 'workspace', operation: 'get', options },
			});
			return { error, query: sandbox.requests[0]?.query };
		});

	it.each([
		[[['a', 'b']], { a: 'b' }],
		[[['a', ['b', 'c']]], { a: 'b,c' }],
		[[['a', [null, 'b']]], { a: 'b' }],
		[
			[
				['a', 'b'],
				['a', 'c'],
			],
			{ a: 'b,c' },
		],
		[
			[
				['a', 7],
				['b', true],
			],
			{ a: '7', b: 'true' },
		],
		[[['', 'b']], {}],
		[
			[
				['a', ''],
				['b', null],
				['c', [undefined, '']],
				['d', 'undefined'],
				['e', 0],
			],
			{ e: '0' },
		],
	] as Array<[Array<[unknown, unknown]>, object]>)('%j are sent as %j', async (pairs, expected) => {
		expect((await ask(...pairs)).query).toEqual(expected);
	});

	it.each([
		['a', { b: 'c' }],
		[{ a: 1 }, 'b'],
		['__proto__', 'b'],
	])('%j: %j is refused', async (name, value) => {
		const { error, query } = await ask([name, value]);
		expect(error?.message).toMatch(/^The 'Query Parameters' parameter/);
		expect(query).toBeUndefined();
	});
});
