import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { IS_THOROUGH } from '../seed.mts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { run } from './engine.mts';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

/** Just more than a function takes as arguments, which is where a list of items is most likely to break something. */
describe.runIf(IS_THOROUGH)('130,000 items', () => {
	const items = Array.from({ length: 130_000 }, () => ({}));

	// Without the error output, because there n8n itself sorts out the failed items
	it('fail one by one when the Base URL cannot be used', async () => {
		const parameters = { resource: 'workspace', operation: 'get' };
		const options = { items, parameters, onError: 'continueRegularOutput' as const };
		const { error, output } = await run({ url: 'no address', apiKey: 'key' }, options);
		expect([error, output.length]).toEqual([undefined, items.length]);
		expect(output.at(-1)).toMatchObject({
			json: { message: "The 'Base URL' in the credential is not a valid address" },
			pairedItem: { item: items.length - 1 },
		});
	});

	it('send their keywords in few requests', async () => {
		const create = { resource: 'keyword', operation: 'create', keywords: 'green tea' };
		const parameters = { ...create, options: { batchSize: 1000 } };
		const { error, output } = await run(sandbox, { items, parameters });
		expect([error, sandbox.requests.length]).toEqual([undefined, 1]);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([
			items.map((_, item) => ({ item })),
		]);
	});
});
