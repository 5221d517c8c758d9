import { describe, expect, it } from 'vitest';

import { itemAt } from '../defined.mts';
import { shareOf } from '../seed.mts';
import { run } from './engine.mts';
import { withSandbox } from './helpers.mts';

/** Very many items and very large answers. */

const MANY = 150_000;

// Without the error output, because there n8n itself sorts out the failed items
const MODES = [undefined, 'continueRegularOutput'] as const;

describe('150,000 items', () => {
	const items = Array.from({ length: MANY }, () => ({}));

	it.each(MODES)('fail one by one when the Base URL cannot be used (%s)', async (onError) => {
		const { error, output } = await run(
			{ url: 'no address', apiKey: 'key' },
			{ items, parameters: { resource: 'workspace', operation: 'get' }, onError },
		);
		if (!onError) {
			expect(error?.message).toMatch(/Base URL/);
			return;
		}
		expect(error).toBeUndefined();
		expect(output).toHaveLength(MANY);
		expect(itemAt(output, MANY - 1).pairedItem).toEqual({ item: MANY - 1 });
	});

	// Where the first one ends the run, their number makes little difference
	it.each(shareOf(MODES, 1, 2))(
		'fail one by one when no operation is selected (%s)',
		async (onError) => {
			const { error, output } = await run(
				{ url: 'http://127.0.0.1:1', apiKey: 'key' },
				{ items, parameters: { resource: 'workspace', operation: 'none' }, onError },
			);
			if (onError) expect(output).toHaveLength(MANY);
			else expect(error?.message).toMatch(/No operation/);
		},
	);

	it('send their keywords in few requests', async () => {
		await withSandbox(async (sandbox) => {
			const { error, output } = await run(sandbox, {
				items,
				parameters: {
					resource: 'keyword',
					operation: 'create',
					keywords: 'green tea',
					options: { batchSize: 1000 },
				},
			});
			expect(error).toBeUndefined();
			expect(output).toHaveLength(1);
			expect(itemAt(output, 0).pairedItem).toHaveLength(MANY);
			expect(sandbox.requests).toHaveLength(1);
		});
	});
});

describe('an error of the service', () => {
	const long = 'x'.repeat(200_000);
	const nested = (depth: number) => `${'{"message":['.repeat(depth)}"deep"${']}'.repeat(depth)}`;

	it.each([
		['without spaces', { message: long }],
		['with a long code', { type: long, message: 'Two words' }],
		[
			'with many fields',
			{
				errors: Object.fromEntries(
					Array.from({ length: 5000 }, (_, n) => [`${n}`, long.slice(0, 100)]),
				),
			},
		],
		['nested 4,000 deep', JSON.parse(nested(4000)) as object],
	])('stays short: %s', async (_name, body) => {
		await withSandbox(async (sandbox) => {
			sandbox.fault({ kind: 'status', status: 400, body, match: { times: null } } as never);
			const parameters = { resource: 'indexing', operation: 'notify', url: 'https://a.example/' };
			const items = Array.from({ length: 10 }, () => ({}));
			const { output } = await run(sandbox, {
				items,
				parameters,
				onError: 'continueRegularOutput',
			});
			expect(output).toHaveLength(10);
			for (const { json } of output) expect(JSON.stringify(json).length).toBeLessThan(2000);
		});
	});

	it('keeps words that look like a tag', async () => {
		await withSandbox(async (sandbox) => {
			const body = { message: '<title> must not be empty' };
			sandbox.fault({ kind: 'status', status: 400, body } as never);
			const parameters = { resource: 'indexing', operation: 'notify', url: 'https://a.example/' };
			const { error } = await run(sandbox, { parameters });
			expect(error?.description).toContain('‹title› must not be empty');
		});
	});
});
