import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { FaultSpec } from '../sandbox/sandbox.mts';
import { CASES } from './cases.mts';
import { run } from './engine.mts';
import { callOf, failedOf, nameOf, withSandbox } from './helpers.mts';

/** Successful answers that differ from what the contract shows: nothing may get lost, and no item may be empty. */

const BODIES: unknown[] = [
	{},
	[],
	[null],
	['text'],
	{ status: 'ok' },
	{ data: {} },
	{ data: [] },
	{ data: null },
	{ data: { status: 'ok' } },
	{ data: { data: { id: 'x' } } },
	{ a: 1, data: { odd: 'x' } },
];

const names = CASES.map(nameOf);
const reads = [
	'workspace.get',
	'keyword.getCluster',
	'citedPage.summarize',
	...names.filter((name) => name.endsWith('getAll')),
];
const writes = names.filter((name) => !reads.includes(name));

const answering = (body: unknown): FaultSpec =>
	({ kind: 'status', status: 200, body, match: { times: null } }) as FaultSpec;

describe.each(reads)('%s', (name) => {
	it('fails if the answer is not as documented', async () => {
		await withSandbox(async (sandbox) => {
			for (const body of BODIES) {
				// The contract allows an empty cluster, so it is no error, wrapped or not
				const isEmpty =
					name === 'keyword.getCluster' && /^(\[\]|\{"data":\[\]\})$/.test(JSON.stringify(body));
				sandbox.fault(answering(body));
				const { output, error } = await run(sandbox, { parameters: callOf(name, sandbox) });
				expect(output, JSON.stringify(body)).toEqual([]);
				if (isEmpty) expect(error).toBeUndefined();
				else
					expect(error?.message, JSON.stringify(body)).toMatch(
						/does not have the documented format/,
					);
				sandbox.clearFaults();
			}
		});
	});
});

describe.each(writes)('%s', (name) => {
	it('keeps its item, with the unchanged answer', async () => {
		await withSandbox(async (sandbox) => {
			for (const body of BODIES) {
				sandbox.fault(answering(body));
				const result = await run(sandbox, {
					items: [{}, {}],
					parameters: callOf(name, sandbox, { options: { concurrency: 1 } }),
					onError: 'continueRegularOutput',
				});
				expect(failedOf(result), JSON.stringify(body)).toEqual([]);
				const items = result.output.flatMap(({ pairedItem }) => pairedItem);
				expect(items, JSON.stringify(body)).toEqual([{ item: 0 }, { item: 1 }]);
				for (const { json } of result.output) expect(Object.keys(json)).not.toEqual([]);
				sandbox.clearFaults();
			}
		});
	});
});

describe('a record wrapped in data', () => {
	/** The contract does not show these answers, so they are passed on unchanged */
	const unknown = ['action.generate', 'indexing.notify', 'indexing.inspect', 'prompt.unarchive'];
	const shown = names.filter((name) => !unknown.includes(name));

	it.each(shown)('%s: gives the same output as without', async (name) => {
		await withSandbox(async (sandbox) => {
			const parameters = callOf(name, sandbox);
			const plain = await run(sandbox, { parameters });
			sandbox.reset();
			sandbox.setVariant({ wrapRecords: true });
			const wrapped = await run(sandbox, { parameters });
			expect(wrapped.error).toBeUndefined();
			const fields = (json: IDataObject[]) => json.map((one) => Object.keys(one).sort());
			expect(fields(wrapped.json)).toEqual(fields(plain.json));
		});
	});
});
