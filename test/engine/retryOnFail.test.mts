import type { INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';

import type { Sandbox } from '../sandbox/sandbox.mts';
import { retry, run } from './engine.mts';
import { withSandbox } from './helpers.mts';
import { runWay } from './workflows.mts';

/** Doing the same work twice, in n8n's own executions; every other case is in `retryMemory.test.mts`. */

const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };

/** Without a title, which must be unique, so that the service would take the same note twice. */
const note = (description: string): INodeParameters => ({
	resource: 'action',
	operation: 'create',
	type: 'other',
	title: 'Not sent',
	options: {
		maxRetries: 0,
		customBody: `={ "type": "other", "description": "${description}" }`,
	},
});

const notesIn = (sandbox: Sandbox) =>
	[...sandbox.state.all('action')].filter(({ description }) => description?.startsWith('Note'));

it('as an AI tool, two calls with the same text create two actions', async () => {
	await withSandbox(async (sandbox) => {
		const calls = [{ text: 'Note' }, { text: 'Note' }];
		await runWay(sandbox, { way: 'tool', items: calls, parameters: note('Note'), node });
		expect(notesIn(sandbox)).toHaveLength(2);
	});
});

it.each([undefined, node])(
	'what is done is not repeated when a user retries the failed execution (%j)',
	async (settings) => {
		const items = [{ n: 0 }, { n: 1 }, { n: 2 }, { n: 3 }];
		const parameters = note('Note {{ $json.n }}');
		await withSandbox(async (sandbox) => {
			const numbers = () =>
				notesIn(sandbox).map(({ description }) => Number(description?.slice(5)));
			const match = { method: 'POST', nth: 3, times: settings ? 3 : 1 };
			sandbox.fault({ kind: 'status', status: 422, match });
			const options = { items, parameters, ...(settings && { node: settings }) };
			const first = await run(sandbox, options);
			expect(first.error).toMatchObject({ httpCode: '422' });
			expect(numbers()).toEqual([0, 1]);
			const { error, json } = await retry(sandbox, first, { items, parameters });
			expect(error).toBeUndefined();
			expect(json).toHaveLength(4);
			expect(numbers()).toEqual([0, 1, 2, 3]);
		});
	},
);
