import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { defined } from '../defined.mts';
import { useSandbox } from '../sandbox/useSandbox.mts';
import { description, run } from './engine.mts';
import { at, byId, callOf } from './helpers.mts';

const sandbox = await useSandbox();

const lastBody = () => sandbox.requests.at(-1)?.body;

describe('the option Custom Body', () => {
	/** Creates keywords with this body, which comes from an expression. */
	const create = async (customBody: unknown) => {
		const options = { customBody: '={{ $json.customBody }}' };
		const parameters = at('keyword.create', { keywords: 'own', options });
		const items = [{ customBody }] as IDataObject[];
		return (await run(sandbox, { items, parameters })).json;
	};

	it.each([
		['{ "keywords": ["a", "b"] }', { submitted: 2, count: 2, skipped: 0 }],
		[{ keywords: ['a', 'b', 'b'] }, { submitted: 3, count: 2, skipped: 1 }],
	])(
		'with %j replaces the body, and the counts are those of its keywords',
		async (body, counts) => {
			expect(await create(body)).toEqual([counts]);
			expect(lastBody()).not.toMatchObject({ keywords: ['own'] });
		},
	);

	it.each(['{}', [], ['a', 'b'], '{"terms":"a"}'])(
		'with %j is sent unchanged, the counts stay open, and everything that the service said comes out',
		async (body) => {
			const response = { ok: true };
			sandbox.fault({ kind: 'status', status: 200, body: response });
			expect(await create(body)).toMatchObject([{ count: null, skipped: null, response }]);
			expect(lastBody()).toEqual(typeof body === 'string' ? JSON.parse(body) : body);
		},
	);

	it('that was only added has null, with which the node sends its own body', async () => {
		const ours = description.properties.find(({ name, displayOptions }) => {
			const { resource, operation } = displayOptions?.show ?? {};
			return name === 'options' && resource?.[0] === 'keyword' && operation?.[0] === 'create';
		});
		const added = (ours?.options as INodeProperties[]).find(({ name }) => name === 'customBody');
		const customBody = defined(added).default as string;
		expect(JSON.parse(customBody)).toBeNull();
		await run(sandbox, { parameters: callOf('keyword.create', { options: { customBody } }) });
		expect(lastBody()).toEqual({ keywords: ['white peony', 'silver needle'] });
	});

	it.each([
		[{ status: 'new' }, { status: 'new' }],
		// The contract does not show which status this sets
		[{ state: 'processed' }, {}],
	])('with %j decides the output of a change without an answer', async (body, shown) => {
		sandbox.fault({ kind: 'empty' });
		const options = { customBody: JSON.stringify(body) };
		const given = { backlinkId: byId('bl_0001'), status: 'processed', options };
		const { json } = await run(sandbox, { parameters: at('backlink.update', given) });
		expect(json).toEqual([{ id: 'bl_0001', ...shown }]);
	});
});
