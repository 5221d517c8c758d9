import { describe, expect, it } from 'vitest';

import { itemAt } from '../defined.mts';
import { run } from './engine.mts';
import { withSandbox } from './helpers.mts';

/** Very many items. */

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
