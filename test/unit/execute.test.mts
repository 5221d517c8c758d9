import type { IDataObject, INode } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { itemAt } from '../defined.mts';
import * as executing from '../../nodes/SearchVisibility/execute.ts';
import {
	byId,
	contextOf,
	failureOf,
	FakeService,
	itemsOf,
	numbered,
	runNode,
	type Answer,
} from './nodeContext.mts';

let service: FakeService;
beforeEach(() => {
	vi.useFakeTimers();
	service = new FakeService();
});
afterEach(() => void vi.useRealTimers());

const REFUSED: Answer = { statusCode: 422, body: { type: 'odd', message: 'Not these' } };

/** Marks the question with the ID that stands in the item. */
const update = (options: IDataObject = {}) => ({
	parameters: ({ id }: IDataObject) => ({
		...{ resource: 'question', operation: 'update', status: 'processed' },
		questionId: byId(id),
		options,
	}),
});
const questions = (count: number) =>
	itemsOf(...Array.from({ length: count }, (_, n) => ({ id: `q${n}` })));
describe('output', () => {
	it('is in the order of the first item that it comes from', async () => {
		service.respond = ({ body }) => ({
			body: { count: (body as { keywords: [] }).keywords.length },
		});
		const lists = ['b', 'a, c', ' ', 'a'].map((keywords) => ({ keywords }));
		const { output } = await runNode(service, {
			items: itemsOf(...lists),
			parameters: ({ keywords }) => ({
				...{ resource: 'keyword', operation: 'create', keywords, options: { batchSize: 2 } },
			}),
			continues: true,
		});
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([
			[{ item: 0 }, { item: 1 }, { item: 3 }],
			[{ item: 1 }],
			{ item: 2 },
		]);
	});

	it('refers to its input item with one object for all records, because n8n stores each object', async () => {
		const parameters = { resource: 'keyword', operation: 'getAll', type: 'new', returnAll: true };
		service.lists['/v1/keywords'] = () => itemsOf({ id: 'a' }, { id: 'b' }).map(({ json }) => json);
		const { output } = await runNode(service, { items: itemsOf({}, {}), parameters });
		const [first, second, third] = output.map(({ pairedItem }) => pairedItem);
		expect(output).toHaveLength(4);
		expect(second).toBe(first);
		expect(third).toEqual({ item: 1 });
	});
});

describe('an error', () => {
	it.each([
		[update().parameters({ id: 'q' }), 404, 'The related question was not found'],
		[
			{ resource: 'workspace', operation: 'get' },
			404,
			'The service did not find this record or address',
		],
		[{ resource: 'keyword', operation: 'odd' }, 200, 'No operation is selected'],
		[{ resource: 'odd', operation: 'get' }, 200, 'No operation is selected'],
	])('of %j, answered with %i, is: %s', async (parameters, statusCode, message) => {
		service.respond = () => ({ statusCode });
		const error = await failureOf(service, { parameters });
		expect(error.message).toBe(message);
	});
});

describe('failed items', () => {
	const keep = { continues: true, items: numbered(2) };
	it.each([
		[{ resource: 'odd', operation: 'get' }, {}, 'No operation is selected'],
		[{ resource: 'workspace', operation: 'get' }, { baseUrl: 'odd' }, /Base URL/],
	])('stand for all items if nothing can be sent: %j', async (parameters, more, message) => {
		const { output } = await runNode(service, { ...keep, ...more, parameters });
		for (const [item, { json, pairedItem }] of output.entries()) {
			expect(json.message).toMatch(message);
			expect(pairedItem).toEqual({ item });
		}
		expect(output).toHaveLength(2);
		expect(service.sent).toEqual([]);
	});

	it.each([
		['first', [502, 422, 502]],
		['last', [422, 422, 502]],
	])(
		'tell the failure after which sending again could do something twice: %s',
		async (_, codes) => {
			service.respond = () => ({ statusCode: itemAt(codes, service.sent.length - 1) });
			const { json } = await runNode(service, {
				parameters: {
					...{ resource: 'keyword', operation: 'create', keywords: 'a, b, c' },
					options: { batchSize: 1, maxRetries: 0, concurrency: 1 },
				},
				continues: true,
			});
			expect(service.sent).toHaveLength(3);
			expect(json).toMatchObject([{ error: { mayBeDone: true } }]);
		},
	);
});

describe('an AI agent', () => {
	const parameters = {
		...{ resource: 'competitor', operation: 'getAll', returnAll: true },
		options: { ifIncomplete: 'return' },
	};
	const tool: Partial<INode> = { type: 'searchVisibilityTool', rewireOutputLogTo: 'ai_tool' };
	const read = async (node: Partial<INode>) => await runNode(service, { parameters, node });

	it('gets a text where there is no record', async () => {
		service.lists['/v1/competitors'] = () => [];
		expect((await read(tool)).output).toEqual([
			{ json: { message: 'No records were found' }, pairedItem: { item: 0 } },
		]);
		expect((await read({})).output).toEqual([]);
		service.lists['/v1/competitors'] = () => [{ id: 'a' }];
		expect((await read(tool)).json).toEqual([{ id: 'a' }]);
	});

	it('is told in the output that records are missing', async () => {
		const items = [{ id: 'a' }, { id: 'b' }];
		service.respond = () => ({ body: { data: { total: 3, items } } });
		expect((await read({})).json).toEqual(items);
		const { output } = await read(tool);
		expect(output.slice(0, 2).map(({ json }) => json)).toEqual(items);
		expect(output.slice(2)).toEqual([
			{
				json: { message: expect.stringMatching(/incomplete: at least 1 record /) as string },
				pairedItem: { item: 0 },
			},
		]);
	});
});

describe('hints', () => {
	it('do not say that nothing is missing where items failed', async () => {
		let refusals = 1;
		const slow = () => ({ statusCode: 429, headers: { 'retry-after': '1' } });
		service.respond = ({ path }) => {
			if (path.endsWith('/q1')) return REFUSED;
			return refusals-- > 0 ? slow() : undefined;
		};
		const told = 'The service asked to slow down. The node waited and sent 1 request again.';
		const run = { ...update({ concurrency: 1 }), continues: true };
		expect((await runNode(service, { ...run, items: questions(2) })).hints).toEqual([told]);
		refusals = 1;
		const bad = itemsOf({ id: 'q0' }, { id: '' });
		expect((await runNode(service, { ...run, items: bad })).hints).toEqual([told]);
	});

	it('are shown in the output panel, where this n8n can', async () => {
		service.respond = () => ({ body: { count: 0 } });
		const parameters = { resource: 'keyword', operation: 'create', keywords: 'a, b' };
		const { context, hints } = contextOf(service, { parameters });
		await executing.execute(context);
		const message = 'Skipped 2 keywords that already existed.';
		expect(hints).toEqual([{ message, location: 'outputPane' }]);
		const older = { ...context, addExecutionHints: undefined } as unknown as typeof context;
		expect((await executing.execute(older))[0]).toHaveLength(1);
	});

	it('count what was skipped over all requests, and say nothing of nothing', async () => {
		const create = (keywords: string) => ({
			parameters: { resource: 'keyword', operation: 'create', keywords, options: { batchSize: 2 } },
		});
		service.respond = ({ body }) => ({
			body: { count: (body as { keywords: string[] }).keywords.filter((one) => one > 'b').length },
		});
		expect((await runNode(service, create('a, c, d'))).hints).toEqual([
			'Skipped 1 keyword that already existed.',
		]);
		expect((await runNode(service, create('a, b, c, d'))).hints).toEqual([
			'Skipped 2 keywords that already existed.',
		]);
		expect((await runNode(service, create('c, d'))).hints).toEqual([]);
	});
});

describe('the progress that an error tells', () => {
	/** Items with an even number are done first; then those with an odd number fail. */
	const everyOther = async (count: number) => {
		service.respond = ({ timeout }) => (timeout === 3000 ? REFUSED : { body: { count: 1 } });
		return await failureOf(service, {
			items: numbered(count),
			parameters: ({ n }) => ({
				...{ resource: 'keyword', operation: 'create', keywords: `word ${Number(n)}` },
				options: { timeout: Number(n) % 2 === 0 ? 1000 : 2000, batchSize: 1000, concurrency: 1 },
			}),
		});
	};

	it('names single items and ranges', async () => {
		expect((await everyOther(2)).description).toMatch(
			/ Already done and not rolled back: item 0\.$/,
		);
		expect((await everyOther(8)).description).toMatch(/ Already done.*: items 0, 2, 4, 6\.$/);
	});

	it('names them in the order of the input, whichever was done first', async () => {
		service.respond = async ({ path }) => {
			const place = Number(path.slice(-1));
			await new Promise((resolve) => setTimeout(resolve, 100 - 20 * place));
			return place === 0 ? REFUSED : undefined;
		};
		const run = { ...update({ concurrency: 5 }), items: questions(5) };
		expect((await failureOf(service, run)).description).toMatch(/ Already done.*: items 1-4\.$/);
	});
});
