import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { useSandbox } from '../sandbox/useSandbox.mts';
import { run } from './engine.mts';
import { at, byId, callOf } from './helpers.mts';

const sandbox = await useSandbox();

const lastBody = () => sandbox.requests.at(-1)?.body;

/** How it counts the keywords in it is in `run.test.mts`. */
describe('the option Custom Body', () => {
	it.each(['{}', [], ['a', 'b'], '{"terms":"a"}'])(
		'with %j from an expression is sent in place of the body, the counts stay open, and everything that the service said comes out',
		async (customBody) => {
			const response = { ok: true };
			sandbox.fault({ kind: 'status', status: 200, body: response });
			const options = { customBody: '={{ $json.customBody }}' };
			const parameters = callOf('keyword.create', { options });
			const items = [{ customBody }] as IDataObject[];
			const { json } = await run(sandbox, { items, parameters });
			expect(json).toMatchObject([{ count: null, skipped: null, response }]);
			const isText = typeof customBody === 'string';
			expect(lastBody()).toEqual(isText ? JSON.parse(customBody) : customBody);
		},
	);

	it('that was only added has null, with which the node sends its own body', async () => {
		await run(sandbox, {
			parameters: callOf('keyword.create', { options: { customBody: 'null' } }),
		});
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
