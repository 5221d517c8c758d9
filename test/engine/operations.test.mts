import type { INodeExecutionData } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { itemAt } from '../defined.mts';
import { read } from '../docs/markdown.mts';
import { useSandbox } from '../sandbox/useSandbox.mts';
import { ALL_CASES, CASES } from './cases.mts';
import { run } from './engine.mts';
import { at, byId, callOf, doneOf, failedOf, MODES, ownRequests } from './helpers.mts';
import { schemaFile, type Preview } from './schemas.mts';
import { recordParameter, sentFields, TABLE } from './table.mts';

const sandbox = await useSandbox();

const FOLDER = 'nodes/SearchVisibility/__schema__';

const FROM =
	'the case is in test/engine/cases.mts, its records in test/sandbox/seed.mts, limits in state.mts';

const itemsOf = (output: INodeExecutionData[]) => [
	...new Set(
		output.flatMap(({ pairedItem }) => pairedItem as { item: number }).map((one) => one.item),
	),
];

it('every operation that the node offers has a case', () => {
	const named = CASES.map(({ name }) => name);
	const missing = [...TABLE.keys()].filter((name) => !named.includes(name));
	expect(missing, 'these operations belong in test/engine/cases.mts').toEqual([]);
});

it('every field of an operation is sent in one of its cases, so that the sandbox compares it with the contract', () => {
	const missing = [...TABLE].flatMap(([name, operation]) => {
		const sent = ALL_CASES.filter((one) => one.name === name).map(({ sends }) => sends);
		return sentFields(operation)
			.filter(({ property, sendIn }) => {
				const isSent = ({ query, body }: (typeof sent)[number]) =>
					property.name in Object(sendIn === 'query' ? query : body);
				return !sent.some(isSent);
			})
			.map(({ property }) => `${name}: ${property.name}`);
	});
	const named = [...new Set(missing)];
	expect(named, `in no case of test/engine/cases.mts: ${named.join(', ')}`).toEqual([]);
});

it.each(ALL_CASES)(
	'the operation $title sends what the contract says, and returns the answer, paired, with no field that the output preview lacks',
	async ({ name, parameters, sends, gives, composedOf }) => {
		const { error, json, output } = await run(sandbox, { parameters: at(name, parameters) });
		expect(error?.description ?? error?.message, FROM).toBeUndefined();
		const { status, ...sent } = itemAt(sandbox.requests, -1);
		expect(status).toBeLessThan(300);
		expect(sent).toMatchObject(sends);
		expect(ownRequests(name, sandbox.requests)).toHaveLength(composedOf);
		expect(json[0]).toMatchObject(gives);
		const { properties = {} } = JSON.parse(read(`${FOLDER}/${schemaFile(name)}`)) as Preview;
		expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(itemAt(json, 0))));
		expect(itemsOf(output)).toEqual([0]);
		expect(sandbox.responseViolations).toEqual([]);
	},
);

describe.each(CASES)('the operation $name', ({ name, sends }) => {
	const refusal = { kind: 'status', status: 422, body: { type: 'odd', message: 'No.' } } as const;

	it.each(MODES.slice(1))('with "%s" one item fails, and the others succeed', async (onError) => {
		// Without these, one request has the keywords of both items, or deletes the record of both
		const own = name === 'keyword.create' && { keywords: '=fresh {{ $json.n }}' };
		const key = recordParameter(name);
		const id = `={{ $json.n ? '${sends.path.split('/').at(-1)}' : 'other' }}`;
		const parameters = callOf(name, {
			...own,
			...(key && sends.method === 'DELETE' && { [key]: byId(id) }),
			options: { ...(own && { batchSize: 1 }) },
		});
		const items = [{ n: 0 }, { n: 1 }];
		sandbox.fault({ ...refusal, match: { times: 1 } });
		const access = { ...sandbox, url: sandbox.url, apiKey: sandbox.apiKey, concurrency: 1 };
		const result = await run(access, { parameters, items, onError });
		expect(result.error).toBeUndefined();
		expect(failedOf(result)).toMatchObject([
			{
				pairedItem: { item: 0 },
				json: {
					...(onError === 'continueErrorOutput' && { n: 0 }),
					message: expect.any(String),
					error: { code: 'odd', httpCode: '422', description: expect.stringContaining('No.') },
				},
			},
		]);
		expect(itemsOf(doneOf(result))).toEqual([1]);
	});
});

it('expressions in parameters are read for each item', async () => {
	const questions = sandbox.state.all('question').slice(0, 7);
	const items = questions.map(({ id }, n) => ({ id, status: n % 2 ? 'new' : 'processed' }));
	const given = { questionId: byId('={{ $json.id }}'), status: '={{ $json.status }}' };
	const { json, output } = await run(sandbox, { items, parameters: at('question.update', given) });
	expect(json).toMatchObject(items);
	expect(output.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
});

it('the node returns nothing for no items', async () => {
	const { output, error } = await run(sandbox, { items: [], parameters: at('workspace.get') });
	expect({ output, error }).toEqual({ output: [], error: undefined });
	expect(sandbox.requests).toEqual([]);
});

it('new actions and competitors are sent one at a time, because the service keeps them in order', async () => {
	sandbox.setLatency(10);
	const items = Array.from({ length: 8 }, (_, n) => ({ n }));
	for (const parameters of [
		at('action.create', { type: 'other', title: '=Note {{ $json.n }}' }),
		at('competitor.create', { domain: '=rival-{{ $json.n }}.example' }),
	])
		await run(sandbox, { items, parameters });
	expect(sandbox.maxInFlight).toBe(1);
	const titles = sandbox.state.all('action').slice(-8);
	expect(titles.map(({ title }) => title)).toEqual(items.map(({ n }) => `Note ${n}`));
});
