import { describe, expect, it } from 'vitest';

import { itemAt } from '../defined.mts';
import { IS_THOROUGH } from '../seed.mts';
import { run } from './engine.mts';
import { withSandbox } from './helpers.mts';

/** Just more than a function takes as arguments, which is where a list of items is most likely to break something. */
const MANY = 130_000;

const items = Array.from({ length: MANY }, () => ({}));

describe.runIf(IS_THOROUGH)('very many items', () => {
	// Without the error output, because there n8n itself sorts out the failed items
	it('fail one by one when the Base URL cannot be used', async () => {
		const { error, output } = await run(
			{ url: 'no address', apiKey: 'key' },
			{
				items,
				parameters: { resource: 'workspace', operation: 'get' },
				onError: 'continueRegularOutput',
			},
		);
		expect(error).toBeUndefined();
		expect(output).toHaveLength(MANY);
		const { json, pairedItem } = itemAt(output, MANY - 1);
		expect(pairedItem).toEqual({ item: MANY - 1 });
		expect(json.message).toBe("The 'Base URL' in the credential is not a valid address");
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
