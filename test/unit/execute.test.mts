import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { itemAt } from '../defined.mts';
import * as executing from '../../nodes/SearchVisibility/execute.ts';
import type { Answer } from './nodeContext.mts';
import {
	at,
	byId,
	contextOf,
	itemsOf,
	numbered,
	page,
	useLastingFailures,
	useService,
} from './nodeContext.mts';

const service = useService();

const REFUSED: Answer = { statusCode: 422 };
const SLOW: Answer = { statusCode: 429, headers: { 'retry-after': '1' } };

/** Marks the question with the ID that stands in the item. */
const update = (limits = {}) => ({
	limits,
	parameters: ({ id }: IDataObject) =>
		at('question.update', { questionId: byId(id), status: 'processed' }),
});
/** Adds keywords, two in a request. */
const create = ({ keywords }: IDataObject, options: IDataObject = {}) =>
	at('keyword.create', { keywords, options: { batchSize: 2, ...options } });

describe('output', () => {
	it('is in the order of the first item that it comes from', async () => {
		const { output } = await service.run({
			items: itemsOf(...['b', 'a, c', ' ', 'a'].map((keywords) => ({ keywords }))),
			parameters: (json) => create(json),
			continues: true,
		});
		const itemsIn = ({ pairedItem }: INodeExecutionData) =>
			([pairedItem].flat() as Array<{ item: number }>).map(({ item }) => item);
		expect(output.map(itemsIn)).toEqual([[0, 1, 3], [1], [2]]);
	});

	it('refers to its input item with one object for all records, because n8n stores each object', async () => {
		service.lists['/v1/people-also-ask'] = () => [{ id: 'a' }, { id: 'b' }];
		const parameters = at('question.getAll', { returnAll: true });
		const { output } = await service.run({ items: numbered(2), parameters });
		const [first, second, third] = output.map(({ pairedItem }) => pairedItem);
		expect(output).toHaveLength(4);
		expect(second).toBe(first);
		expect(third).toEqual({ item: 1 });
	});
});

describe('failed items', () => {
	useLastingFailures(service);

	it.each([
		[at('odd.get'), undefined, 'No operation is selected'],
		[at('keyword.odd'), undefined, 'No operation is selected'],
		[at('workspace.get'), 'odd', /Base URL/],
	])('stand for all items if nothing can be sent: %j', async (parameters, baseUrl, message) => {
		const run = { continues: true, items: numbered(2), parameters, ...(baseUrl && { baseUrl }) };
		const { output, json } = await service.run(run);
		for (const one of json) expect(one.message).toMatch(message);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(service.sent).toEqual([]);
	});

	it.each([
		['first', [502, 422, 502]],
		['last', [422, 422, 502]],
	])('tell the failure after which a repeat could do it twice: the %s', async (_, codes) => {
		service.respond = () => ({ statusCode: itemAt(codes, service.sent.length - 1) });
		const parameters = create({ keywords: 'a, b, c' }, { batchSize: 1 });
		const limits = { concurrency: 1 };
		const { json } = await service.run({ parameters, limits, continues: true });
		expect(service.sent).toHaveLength(3);
		expect(json).toMatchObject([{ error: { mayBeDone: true } }]);
	});
});

describe('an AI agent', () => {
	const options = { ifIncomplete: 'return' };
	const parameters = at('competitor.getAll', { returnAll: true, options });
	const tool: Partial<INode> = { type: 'searchVisibilityTool', rewireOutputLogTo: 'ai_tool' };
	const read = async (node: Partial<INode>) => await service.run({ parameters, node });

	it('gets a text where there is no record', async () => {
		const nothing = { json: { message: 'No records were found' }, pairedItem: { item: 0 } };
		service.lists['/v1/competitors'] = () => [];
		expect((await read(tool)).output).toEqual([nothing]);
		expect((await read({})).output).toEqual([]);
	});

	it('is told in the output that records are missing', async () => {
		const items = [{ id: 'a' }, { id: 'b' }];
		service.respond = () => page(items, 3);
		expect((await read({})).json).toEqual(items);
		const message = expect.stringMatching(/incomplete: at least 1 record /) as string;
		const { output } = await read(tool);
		expect(output.slice(0, 2).map(({ json }) => json)).toEqual(items);
		expect(output.slice(2)).toEqual([{ json: { message }, pairedItem: { item: 0 } }]);
	});
});

describe('hints', () => {
	const told = 'The service asked to slow down. The node waited and sent 1 request again.';
	it.each([
		['are done', 'q2', `${told} Nothing is missing.`],
		['failed', 'refused', told],
		['were rejected', '', told],
	])('say that nothing is missing only where all items are done: some %s', async (_, id, hint) => {
		let refusals = 1;
		service.respond = ({ path }) => {
			if (path.endsWith('/refused')) return REFUSED;
			return refusals-- > 0 ? SLOW : undefined;
		};
		const run = { ...update({ concurrency: 1 }), items: itemsOf({ id: 'q0' }, { id }) };
		expect((await service.run({ ...run, continues: true })).hints).toEqual([hint]);
	});

	it('are shown in the output panel, where this n8n can', async () => {
		const { context, hints } = contextOf(service, { parameters: create({ keywords: 'a' }) });
		service.respond = () => ({ body: { count: 0 } });
		await executing.execute(context);
		const message = 'Skipped 1 keyword that already existed.';
		expect(hints).toEqual([{ message, location: 'outputPane' }]);
		const older = { ...context, addExecutionHints: undefined } as unknown as typeof context;
		expect((await executing.execute(older))[0]).toHaveLength(1);
	});

	it.each([
		['a, b, c, d', ['Skipped 2 keywords that already existed.']],
		['c, d', []],
	])('count what was skipped over all requests: %s', async (keywords, hints) => {
		service.respond = ({ body }) => ({
			body: { count: (body as { keywords: string[] }).keywords.filter((one) => one > 'b').length },
		});
		expect((await service.run({ parameters: create({ keywords }) })).hints).toEqual(hints);
	});
});

it.each<[number, number[], string]>([
	[2, [1], 'item 0'],
	[5, [0], 'items 1-4'],
	[5, [1, 3], 'items 0, 2, 4'],
	[5, [0, 3], 'items 1-2, 4'],
])(
	'an error tells what is done by items and ranges in the order of the input: of %i, %j fail',
	async (count, failing, items) => {
		// Those of the items that fail are done after the others
		service.respond = async ({ path }) => {
			const place = Number(path.slice(-1));
			const isFailing = failing.includes(place);
			await new Promise((resolve) => setTimeout(resolve, isFailing ? 1000 : 100 - 10 * place));
			return isFailing ? REFUSED : undefined;
		};
		const ids = Array.from({ length: count }, (_, n) => ({ id: `q${n}` }));
		const run = { ...update({ concurrency: 20 }), items: itemsOf(...ids) };
		const { description } = await service.failureOf(run);
		const done = ` Already done, and not undone: ${items}.`;
		expect(String(description).endsWith(done)).toBe(true);
	},
);
