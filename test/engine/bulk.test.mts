import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { IS_THOROUGH } from '../seed.mts';
import { startSandbox, type FaultSpec, type Sandbox } from '../sandbox/sandbox.mts';
import { run } from './engine.mts';
import { doneOf, failedOf } from './helpers.mts';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const range = (from: number, to: number) =>
	Array.from({ length: to - from }, (_, index) => from + index);
const pairs = (from: number, to: number) => range(from, to).map((item) => ({ item }));
const bodiesOf = () => sandbox.requests.map(({ body }) => body as IDataObject);
const REFUSED: FaultSpec = {
	kind: 'status',
	status: 422,
	body: { type: 'odd', message: 'Not these' },
};
const CONTINUES = ['continueRegularOutput', 'continueErrorOutput'] as const;

describe('Keyword > Create', () => {
	const create = (options: INodeParameters = {}): INodeParameters => ({
		resource: 'keyword',
		operation: 'create',
		keywords: '={{ $json.keywords }}',
		options,
	});
	const single = range(0, 250).map((n) => ({ keywords: `fresh ${n}` }));
	const sentKeywords = () => bodiesOf().map(({ keywords }) => keywords as string[]);

	it('sends 250 items with one keyword each in three requests, each paired with exactly its items', async () => {
		const { output, json, error } = await run(sandbox, { items: single, parameters: create() });
		expect(error).toBeUndefined();
		expect(json).toEqual([100, 100, 50].map((count) => ({ submitted: count, count, skipped: 0 })));
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([
			pairs(0, 100),
			pairs(100, 200),
			pairs(200, 250),
		]);
		expect(sentKeywords().flat().sort()).toEqual(single.map(({ keywords }) => keywords).sort());
		expect(sandbox.requests).toHaveLength(3);
	});

	it.each(CONTINUES)('lets a keyword that the service refuses fail alone (%s)', async (onError) => {
		// 100 to 199, and each first half of them until only one keyword is left
		sandbox.fault({ ...REFUSED, match: { nth: 2, times: 8 } });
		const result = await run(sandbox, {
			items: single,
			parameters: create({ concurrency: 1 }),
			onError,
		});
		expect(result.error).toBeUndefined();
		expect(failedOf(result)).toMatchObject([
			{ pairedItem: { item: 100 }, json: { error: { code: 'odd' } } },
		]);
		const done = doneOf(result).flatMap(({ pairedItem }) => pairedItem);
		expect(done).toEqual([...pairs(0, 100), ...pairs(101, 250)]);
		const known = new Set([...sandbox.state.all('keyword')].map(({ keyword }) => keyword));
		single.forEach(({ keywords }, n) => expect(known.has(keywords)).toBe(n !== 100));
		expect(sandbox.requests).toHaveLength(3 + 2 * 7);
	});

	it('counts no item as done of which only some keywords were accepted', async () => {
		sandbox.fault({ ...REFUSED, match: { nth: 2 } });
		// The second item has one keyword in the batch that succeeded and two in the one that failed
		const items = [{ keywords: 'fresh 0' }, { keywords: 'fresh 1, fresh 2, fresh 3' }];
		const parameters = create({ batchSize: 2, concurrency: 1 });
		const { error } = await run(sandbox, { items, parameters });
		expect(error?.description).toMatch(/Already done and not rolled back: item 0\./);
	});
});

/** Just more than a function takes as arguments, which is where a list of items is most likely to break something. */
describe.runIf(IS_THOROUGH)('130,000 items', () => {
	const items = Array.from({ length: 130_000 }, () => ({}));

	// Without the error output, because there n8n itself sorts out the failed items
	it('fail one by one when the Base URL cannot be used', async () => {
		const parameters = { resource: 'workspace', operation: 'get' };
		const options = { items, parameters, onError: CONTINUES[0] };
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
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([pairs(0, items.length)]);
	});
});
