import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { CASES } from './cases.mts';
import { run } from './engine.mts';
import { callOf, doneOf, failedOf, MODES, nameOf, ownRequests } from './helpers.mts';
import { TABLE } from './table.mts';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

it('every operation that the node offers has a test here, and there are no other tests', () => {
	expect(CASES.map(nameOf).sort()).toEqual([...TABLE.keys()].sort());
});

describe.each(CASES.map((testCase) => [nameOf(testCase), testCase] as const))(
	'the operation %s',
	(name, testCase) => {
		it('sends what the contract says, and returns the answer, paired', async () => {
			const parameters = callOf(name, sandbox);
			const result = await run(sandbox, { parameters });
			expect(result.error).toBeUndefined();
			const { status, ...sent } = sandbox.requests.at(-1) as Sandbox['requests'][number];
			expect(status).toBeLessThan(300);
			expect(sent).toMatchObject(testCase.sends(parameters));
			expect(ownRequests(name, sandbox.requests)).toHaveLength(testCase.composedOf ?? 1);
			expect(result.json[0]).toMatchObject(testCase.gives(parameters));
			for (const { pairedItem } of result.output)
				expect([pairedItem].flat()).toEqual([{ item: 0 }]);
			expect(sandbox.responseViolations).toEqual([]);
		});

		const refusal = { kind: 'status', status: 422, body: { type: 'odd', message: 'No.' } } as const;

		it.each(MODES.slice(1))('with "%s" one item fails, and the others succeed', async (onError) => {
			// Without this, one request has the keywords of both items
			const isGathered = name === 'keyword.create';
			const own = isGathered ? { keywords: '=fresh {{ $json.n }}' } : {};
			const options = { ...(isGathered && { batchSize: 1 }) };
			const requestOptions = { concurrency: 1 };
			const parameters = callOf(name, sandbox, { ...own, options, requestOptions });
			// Items that name the same record share the request that deletes it
			const [, record] = Object.entries(parameters).find(([key]) => key.endsWith('Id')) ?? [];
			if (TABLE.get(name)?.method === 'DELETE') {
				const { value } = record as { value: string };
				Object.assign(record as object, { value: `={{ $json.n ? '${value}' : 'other' }}` });
			}
			const items = [{ n: 0 }, { n: 1 }];
			sandbox.fault({ ...refusal, match: { times: 1 } });
			const result = await run(sandbox, { parameters, items, onError });
			expect(result.error).toBeUndefined();
			const [failed, ...others] = failedOf(result);
			expect(others).toEqual([]);
			expect(failed?.pairedItem).toEqual({ item: 0 });
			expect(failed?.json).toMatchObject({
				...(onError === 'continueErrorOutput' && { n: 0 }),
				message: expect.any(String),
				error: { code: 'odd', httpCode: '422', description: expect.stringContaining('No.') },
			});
			const done = doneOf(result).flatMap(({ pairedItem }) => pairedItem);
			expect(new Set(done.map((one) => (one as { item: number }).item))).toEqual(new Set([1]));
		});
	},
);

describe('expressions in parameters', () => {
	it('are read for each item', async () => {
		const ids = [...sandbox.state.all('question')].slice(0, 7).map(({ id }) => id);
		const items = ids.map((id, n) => ({ id, to: n % 2 ? 'new' : 'processed' }));
		const { json, output } = await run(sandbox, {
			items,
			parameters: {
				resource: 'question',
				operation: 'update',
				questionId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
				status: '={{ $json.to }}',
			},
		});
		expect(json.map(({ id, status }) => ({ id, to: status }))).toEqual(items);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
	});
});

it('the node returns nothing for no items', async () => {
	const parameters = { resource: 'workspace', operation: 'get' };
	const { output, error } = await run(sandbox, { items: [], parameters });
	expect({ output, error }).toEqual({ output: [], error: undefined });
	expect(sandbox.requests).toEqual([]);
});
