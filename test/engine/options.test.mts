import type { INodeProperties } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { defined } from '../defined.mts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { description, run } from './engine.mts';
import { byId, idsOf } from './helpers.mts';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const lastRequest = () => sandbox.requests.at(-1);

describe('the option Custom Body', () => {
	const create = { resource: 'keyword', operation: 'create', keywords: 'own' };
	it.each([
		['{ "keywords": ["a", "b"] }', { submitted: 2, count: 2, skipped: 0 }],
		[{ keywords: ['a', 'b', 'b'] }, { submitted: 3, count: 2, skipped: 1 }],
	])(
		'with %j replaces the body, and the counts are those of its keywords',
		async (customBody, counts) => {
			const { json } = await run(sandbox, {
				items: [{ customBody }] as never,
				parameters: { ...create, options: { customBody: '={{ $json.customBody }}' } },
			});
			expect(lastRequest()?.body).not.toMatchObject({ keywords: ['own'] });
			expect(json).toEqual([counts]);
		},
	);

	it.each(['{}', [], ['a', 'b'], '{"terms":"a"}'])(
		'with %j is sent unchanged, the counts stay open, and everything that the service said comes out',
		async (customBody) => {
			const response = { ok: true };
			sandbox.fault({ kind: 'status', status: 200, body: response });
			const { json } = await run(sandbox, {
				items: [{ customBody }] as never,
				parameters: { ...create, options: { customBody: '={{ $json.customBody }}' } },
			});
			const sent = typeof customBody === 'string' ? (JSON.parse(customBody) as object) : customBody;
			expect(lastRequest()?.body).toEqual(sent);
			expect(json).toMatchObject([{ count: null, skipped: null, response }]);
		},
	);

	it('that was only added has null, with which the node sends its own body', async () => {
		const ours = description.properties.find(({ name, displayOptions }) => {
			const { resource, operation } = displayOptions?.show ?? {};
			return name === 'options' && resource?.[0] === 'keyword' && operation?.[0] === 'create';
		});
		const added = (ours?.options as INodeProperties[]).find(({ name }) => name === 'customBody');
		const options = { customBody: defined(added).default };
		expect(JSON.parse(String(options.customBody))).toBeNull();
		await run(sandbox, { parameters: { ...create, options } });
		expect(lastRequest()?.body).toEqual({ keywords: ['own'] });
	});

	it.each([
		[{ status: 'new' }, { status: 'new' }],
		// The contract does not show which status this sets
		[{ state: 'processed' }, {}],
	])('with %j decides the output of a change without an answer', async (body, shown) => {
		const [id] = idsOf(sandbox.state.all('backlink'));
		const update = { resource: 'backlink', operation: 'update', backlinkId: byId(id) };
		const options = { customBody: JSON.stringify(body) };
		sandbox.fault({ kind: 'empty' });
		const { json } = await run(sandbox, {
			parameters: { ...update, status: 'processed', options },
		});
		expect(json).toEqual([{ id, ...shown }]);
	});
});
