import type { IDataObject } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { itemAt } from '../defined.mts';
import { executing } from './built.mts';
import {
	byId,
	contextOf,
	failureOf,
	FakeService,
	itemsOf,
	numbered,
	runNode,
	type Answer,
	type NodeRun,
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
const refuse = (...ids: string[]) => {
	service.respond = ({ path }) => (ids.some((id) => path.endsWith(`/${id}`)) ? REFUSED : undefined);
};

const restore = { resource: 'keyword', operation: 'unarchive', keywordId: byId('k') };

describe('an operation that does not exist', () => {
	it.each([
		[{ resource: 'nothing', operation: 'getAll' }],
		[{ resource: 'keyword', operation: 'nothing' }],
		[{ resource: 'keyword' }],
		[{}],
	])('%j ends the run with advice', async (parameters) => {
		const error = await failureOf(service, { parameters });
		expect(error).toMatchObject({
			name: 'NodeOperationError',
			message: 'No operation is selected',
		});
		expect(error.description).toMatch(/Choose a resource and an operation.*HTTP Request/);
		expect(service.sent).toEqual([]);
	});

	it('fails for each item where the node continues', async () => {
		const parameters = { resource: 'keyword', operation: 'nothing' };
		const run = { parameters, items: numbered(3), continues: true };
		const { output } = await runNode(service, run);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2].map((item) => ({ item })));
		for (const { json } of output) expect(json.message).toBe('No operation is selected');
	});
});

describe('parameters that are wrong', () => {
	const items = itemsOf({ id: 'q0' }, { id: 'a b' }, { id: 'q2' }, { id: '' });

	it('end the run before anything is sent, and the item is named', async () => {
		const error = await failureOf(service, { ...update(), items });
		expect(error.message).toBe("The 'Related Question' parameter is not a record ID");
		expect(error.context).toMatchObject({ itemIndex: 1 });
		expect(service.sent).toEqual([]);
	});

	it('fail only their items where the node continues, in the order of the input', async () => {
		const { output } = await runNode(service, { ...update(), items, continues: true });
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2, 3].map((item) => ({ item })),
		);
		expect(output.map(({ json }) => json.message)).toEqual([
			undefined,
			"The 'Related Question' parameter is not a record ID",
			undefined,
			"The 'Related Question' parameter is required",
		]);
		expect(service.sent.map(({ path }) => path)).toEqual([
			'/v1/people-also-ask/q0',
			'/v1/people-also-ask/q2',
		]);
	});

	it('of all items make no request and need no credential', async () => {
		const run = { ...update(), items: items.slice(1, 2), continues: true, baseUrl: 'nonsense' };
		const { json } = await runNode(service, run);
		expect(json).toHaveLength(1);
		expect(json[0]?.message).toMatch(/Related Question/);
		expect(service.sent).toEqual([]);
	});
});

describe('a failure', () => {
	it('ends the run, names its item, and tells what is done', async () => {
		refuse('q2');
		const run = { ...update({ concurrency: 1 }), items: questions(5) };
		const error = await failureOf(service, run);
		expect(error).toMatchObject({ httpCode: '422', context: { itemIndex: 2, code: 'odd' } });
		expect(error.description).toMatch(/ 2 items already done and not rolled back: 0-1\.$/);
		expect(service.sent).toHaveLength(3);
	});

	it('stays with its item where the node continues', async () => {
		refuse('q0', 'q3');
		const { output } = await runNode(service, {
			...update(),
			items: questions(5),
			continues: true,
		});
		const failed = (item: number, json: IDataObject) => ({ json, pairedItem: { item } });
		const error = expect.objectContaining({ code: 'odd', httpCode: '422' }) as object;
		expect(output).toEqual([
			failed(0, { message: expect.any(String) as string, error }),
			{ json: expect.objectContaining({ status: 'processed' }) as object, pairedItem: { item: 1 } },
			{ json: expect.objectContaining({ status: 'processed' }) as object, pairedItem: { item: 2 } },
			failed(3, { message: expect.any(String) as string, error }),
			{ json: expect.objectContaining({ status: 'processed' }) as object, pairedItem: { item: 4 } },
		]);
	});

	it('names the kind of a record that is missing, and the address where no record was asked for', async () => {
		service.respond = () => ({ statusCode: 404 });
		expect((await failureOf(service, { parameters: restore })).message).toBe(
			'The keyword was not found',
		);
		const question = await failureOf(service, { ...update(), items: questions(1) });
		expect(question.message).toBe('The related question was not found');
		const workspace = { resource: 'workspace', operation: 'get' };
		const missing = 'The service found no such record or address';
		expect((await failureOf(service, { parameters: workspace })).message).toBe(missing);
		service.respond = () => ({ statusCode: 404, body: '<html>' });
		expect((await failureOf(service, { parameters: workspace })).message).toBe(
			'The service does not know this address',
		);
	});

	it('of an operation that has a hint comes with it', async () => {
		service.respond = () => ({ statusCode: 403 });
		const prompt = { resource: 'prompt', operation: 'unarchive', promptId: byId('p') };
		const refused = await failureOf(service, { parameters: prompt });
		expect(refused.description).toContain('A prompt uses a slot of the allowance');
		expect((await failureOf(service, { parameters: restore })).description).not.toContain(
			'allowance',
		);
	});

	it('of the credential fails everything, in either way', async () => {
		const run = { ...update(), items: questions(3), baseUrl: 'service.example' };
		const message = 'The Base URL in the credential is not a valid address';
		expect((await failureOf(service, run)).message).toBe(message);
		const { output } = await runNode(service, { ...run, continues: true });
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2].map((item) => ({ item })));
		for (const { json } of output) expect(json.message).toBe(message);
		expect(service.sent).toEqual([]);
	});

	it('of several requests for one item fails it once', async () => {
		service.respond = () => REFUSED;
		const keywords = { resource: 'keyword', operation: 'create' };
		const { output } = await runNode(service, {
			items: itemsOf({ keywords: 'a, b, c' }, { keywords: 'd' }),
			parameters: ({ keywords: list }) => ({
				...keywords,
				keywords: list,
				options: { batchSize: 1 },
			}),
			continues: true,
		});
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(service.sent).toHaveLength(4);
	});
});

describe('output', () => {
	const keywords: NodeRun = {
		items: itemsOf({ keywords: 'b' }, { keywords: 'a, c' }, { keywords: ' ' }, { keywords: 'a' }),
		parameters: ({ keywords: list }) => ({
			...{ resource: 'keyword', operation: 'create', keywords: list },
			options: { batchSize: 2 },
		}),
	};

	it('is in the order of the first item that it comes from', async () => {
		service.respond = ({ body }) => ({
			body: { count: (body as { keywords: [] }).keywords.length },
		});
		const { output } = await runNode(service, { ...keywords, continues: true });
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

	it('is empty where the service has no records', async () => {
		service.lists['/v1/keywords'] = () => [];
		const parameters = { resource: 'keyword', operation: 'getAll', type: 'new' };
		expect(await runNode(service, { parameters })).toEqual({ output: [], json: [], hints: [] });
	});

	it('leaves the input as it was', async () => {
		const items = questions(2);
		const before = JSON.stringify(items);
		await runNode(service, { ...update(), items });
		expect(JSON.stringify(items)).toBe(before);
	});
});

describe('for an agent', () => {
	const tool = { rewireOutputLogTo: 'ai_tool' as const };
	const list = { resource: 'question', operation: 'getAll', returnAll: true };

	it('nothing found is said in words', async () => {
		service.lists['/v1/people-also-ask'] = () => [];
		const { output } = await runNode(service, { parameters: list, node: tool });
		expect(output).toEqual([
			{ json: { message: 'No records were found' }, pairedItem: { item: 0 } },
		]);
		// An agent that calls the tool itself gets an empty list as it is
		expect((await runNode(service, { parameters: list, isToolExecution: true })).output).toEqual(
			[],
		);
	});

	it('what was found is left as it is', async () => {
		service.lists['/v1/people-also-ask'] = () => [{ id: 'q' }];
		expect((await runNode(service, { parameters: list, node: tool })).json).toEqual([{ id: 'q' }]);
	});

	it('the message of an error holds all that there is to say', async () => {
		refuse('q0');
		const run = { ...update(), items: questions(1) };
		const usual = await failureOf(service, run);
		const told = await failureOf(service, { ...run, node: tool });
		expect(usual.message).not.toContain('Not these');
		expect(told.message).toBe(`${usual.message}. ${usual.description}`);
	});
});

describe('hints', () => {
	it('tell how often the service asked to slow down', async () => {
		let refusals = 2;
		service.respond = () =>
			refusals-- > 0 ? { statusCode: 429, headers: { 'retry-after': '1' } } : undefined;
		const { hints } = await runNode(service, {
			...update({ concurrency: 1 }),
			items: questions(2),
		});
		expect(hints).toEqual([
			'The service asked to slow down. The node waited and sent 2 requests again. Nothing is missing.',
		]);
	});

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

	it('take no field of a record for a count', async () => {
		service.lists['/v1/keywords'] = () => [{ id: 'k', skipped: 3 }];
		const parameters = { resource: 'keyword', operation: 'getAll', type: 'new' };
		expect((await runNode(service, { parameters })).hints).toEqual([]);
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
			/ 1 item already done and not rolled back: 0\.$/,
		);
		expect((await everyOther(8)).description).toMatch(/ 4 items already done.*: 0, 2, 4, 6\.$/);
	});

	it('names them in the order of the input, whichever was done first', async () => {
		service.respond = async ({ path }) => {
			const place = Number(path.slice(-1));
			await new Promise((resolve) => setTimeout(resolve, 100 - 20 * place));
			return place === 0 ? REFUSED : undefined;
		};
		const run = { ...update({ concurrency: 5 }), items: questions(5) };
		expect((await failureOf(service, run)).description).toMatch(/ 4 items already done.*: 1-4\.$/);
	});

	it('is short, however many items there are', async () => {
		expect((await everyOther(40)).description).toMatch(/: 0, 2, .*, 36, 38\.$/);
		expect((await everyOther(42)).description).toMatch(/, 36, 38 and 1 more ranges\.$/);
		expect((await everyOther(46)).description).toMatch(/ 23 items .*, 38 and 3 more ranges\.$/);
	});

	it('counts no item that is done in part', async () => {
		service.respond = ({ body }) =>
			(body as { keywords: string[] }).keywords.includes('c') ? REFUSED : { body: { count: 2 } };
		const error = await failureOf(service, {
			items: itemsOf({ keywords: 'a' }, { keywords: 'b, c, d' }),
			parameters: ({ keywords }) => ({
				...{ resource: 'keyword', operation: 'create', keywords },
				options: { batchSize: 2, concurrency: 1 },
			}),
		});
		expect(error.description).toMatch(/ 1 item already done and not rolled back: 0\.$/);
	});

	it.each([
		[['q1'], 'May have been done: item 1.'],
		[['q1', 'q2', 'q3'], 'May have been done: items 1-3.'],
	])('names what may have been done (%j)', async (lost, words) => {
		let answer = () => {};
		const last = new Promise<void>((resolve) => (answer = resolve));
		service.respond = async ({ path }) => {
			const id = itemAt(path.split('/'), -1);
			if (id === itemAt(lost, -1)) setTimeout(answer, 20);
			if (lost.includes(id)) await last;
			return lost.includes(id) ? { statusCode: 502 } : undefined;
		};
		const options = { maxRetries: 0, concurrency: 4 };
		const error = await failureOf(service, { ...update(options), items: questions(4) });
		expect(error.description).toContain(words);
		expect(error.description).toContain('not rolled back: 0');
	});

	it('is not told where nothing is done, nor where nothing is changed', async () => {
		refuse('q0', 'workspace');
		const written = await failureOf(service, { ...update(), items: questions(1) });
		expect(written.description).not.toMatch(/done/);
		let count = 0;
		service.respond = () => (count++ > 0 ? REFUSED : { body: { id: 'w' } });
		const parameters = { resource: 'workspace', operation: 'get', options: { concurrency: 1 } };
		const read = await failureOf(service, { parameters, items: numbered(2) });
		expect(read.description).not.toMatch(/done/);
	});
});
