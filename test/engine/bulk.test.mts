import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { firstOf, itemAt } from '../defined.mts';
import { startSandbox, type FaultSpec, type Sandbox } from '../sandbox/sandbox.mts';
import { amount } from '../seed.mts';
import { retry, run, type RunResult } from './engine.mts';
import {
	byId,
	doneOf,
	failedOf,
	idsOf,
	isWork,
	tooMany,
	withSandbox,
	wordsOf,
} from './helpers.mts';
import { TABLE } from './table.mts';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const range = (from: number, to: number) =>
	Array.from({ length: to - from }, (_, index) => from + index);
const pairs = (from: number, to: number) => range(from, to).map((item) => ({ item }));
const isPost = ({ method }: { method: string }) => method === 'POST';
const bodiesOf = () => sandbox.requests.map(({ body }) => body as IDataObject);
const REFUSED: FaultSpec = {
	kind: 'status',
	status: 422,
	body: { type: 'odd', message: 'Not these' },
};
const CONTINUES = ['continueRegularOutput', 'continueErrorOutput'] as const;

describe('the keywords of many items', () => {
	const create = (options: INodeParameters = {}): INodeParameters => ({
		resource: 'keyword',
		operation: 'create',
		keywords: '={{ $json.keywords }}',
		options,
	});
	const single = range(0, 250).map((n) => ({ keywords: `fresh ${n}` }));
	const sentKeywords = () => bodiesOf().map(({ keywords }) => keywords as string[]);

	it('250 items with one keyword each take three requests, each paired with exactly its items', async () => {
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

	it('keep to the batch size', async () => {
		await run(sandbox, { items: single.slice(0, 7), parameters: create({ batchSize: 3 }) });
		expect(sentKeywords().map(({ length }) => length)).toEqual([3, 3, 1]);
	});

	it('are sent once if items repeat them, and pair with all items that contain them', async () => {
		const items = ['a tea, b tea', 'b tea', 'c tea, a tea', 'a tea', 'd tea'].map((keywords) => ({
			keywords,
		}));
		const { output } = await run(sandbox, {
			items,
			parameters: create({ batchSize: 2, concurrency: 1 }),
		});
		expect(sentKeywords()).toEqual([
			['a tea', 'b tea'],
			['c tea', 'd tea'],
		]);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([
			[{ item: 0 }, { item: 1 }, { item: 2 }, { item: 3 }],
			[{ item: 2 }, { item: 4 }],
		]);
	});

	it('of one item may take several requests', async () => {
		const keywords = range(0, 5).map((n) => `fresh ${n}`);
		const { output } = await run(sandbox, {
			items: [{ keywords }],
			parameters: create({ batchSize: 2 }),
		});
		expect(sentKeywords().flat()).toEqual(keywords);
		for (const { pairedItem } of output) expect(pairedItem).toEqual([{ item: 0 }]);
		expect(output).toHaveLength(3);
	});

	it('that already exist are counted as skipped, and a hint says so', async () => {
		await run(sandbox, { items: single.slice(0, 10), parameters: create() });
		const { json, hints } = await run(sandbox, {
			items: single.slice(5, 20),
			parameters: create(),
		});
		expect(json).toEqual([{ submitted: 15, count: 10, skipped: 5 }]);
		expect(hints.map(({ message }) => message).join()).toMatch(/Skipped 5 keywords/);
	});

	it('of one item: whether one of its requests may have been processed is never hidden', async () => {
		sandbox.fault({ ...REFUSED, match: { nth: 1 } });
		sandbox.fault({ kind: 'status', status: 500, match: { nth: 2 } });
		const { json } = await run(sandbox, {
			items: [{ keywords: 'one tea, two tea' }],
			parameters: create({ batchSize: 1, concurrency: 1, maxRetries: 0 }),
			onError: 'continueRegularOutput',
		});
		expect(json).toEqual([
			expect.objectContaining({
				error: expect.objectContaining({ httpCode: '500', mayBeDone: true }),
			}),
		]);
	});

	for (const onError of CONTINUES) {
		it(`"${onError}": a failing batch fails for each of its items, the others stay`, async () => {
			sandbox.fault({ ...REFUSED, match: { nth: 2 } });
			const result = await run(sandbox, {
				items: single,
				parameters: create({ concurrency: 1 }),
				onError,
			});
			expect(result.error).toBeUndefined();
			const failed = failedOf(result);
			expect(failed.map(({ pairedItem }) => pairedItem)).toEqual(pairs(100, 200));
			for (const { json } of failed) expect(json.error).toMatchObject({ code: 'odd' });
			expect(doneOf(result).map(({ pairedItem }) => pairedItem)).toEqual([
				pairs(0, 100),
				pairs(200, 250),
			]);
			const known = new Set([...sandbox.state.all('keyword')].map(({ keyword }) => keyword));
			const isDone = (n: number) => n < 100 || n >= 200;
			single.forEach(({ keywords }, n) => expect(known.has(keywords)).toBe(isDone(n)));
		});
	}

	it('the error says which items are done, and counts none that is only partly done', async () => {
		sandbox.fault({ ...REFUSED, match: { nth: 2 } });
		const items = [{ keywords: 'fresh 0' }, { keywords: 'fresh 1, fresh 2, fresh 3' }];
		const { error } = await run(sandbox, {
			items,
			parameters: create({ batchSize: 2, concurrency: 1 }),
		});
		// The second item has one keyword in the batch that succeeded and two in the one that failed
		expect(error?.description).toMatch(/\b1 item already done[^.]*: 0\./);
	});
});

const update = (options: INodeParameters = {}): INodeParameters => ({
	resource: 'question',
	operation: 'update',
	questionId: byId('={{ $json.id }}'),
	status: 'processed',
	options,
});
const newQuestions = (count: number, { state } = sandbox) =>
	[...state.all('question')]
		.filter(({ status, archivedAt }) => status === 'new' && !archivedAt)
		.slice(0, count)
		.map(({ id }) => ({ id }));
const statusesOf = (items: Array<{ id: string }>) =>
	items.map(({ id }) => sandbox.state.get('question', id)?.status);

describe('an item that fails among many', () => {
	it('ends the run, and the error says which items are already done', async () => {
		const items = newQuestions(8);
		sandbox.fault({ ...REFUSED, match: { nth: 4 } });
		const { error, output } = await run(sandbox, { items, parameters: update({ concurrency: 1 }) });
		expect(output).toEqual([]);
		expect(error?.context).toMatchObject({ itemIndex: 3 });
		expect(error?.description).toMatch(/3 items already done.*: 0-2\./);
		expect(statusesOf(items)).toEqual([
			...Array<string>(3).fill('processed'),
			...Array<string>(5).fill('new'),
		]);
	});

	it('what was under way is waited for and reported', async () => {
		const items = newQuestions(12);
		sandbox.setLatency(15);
		sandbox.fault({ ...REFUSED, match: { path: itemAt(items, 1).id } });
		const { error } = await run(sandbox, { items, parameters: update({ concurrency: 4 }) });
		const done = items.flatMap((_, n) => (statusesOf(items)[n] === 'processed' ? [n] : []));
		expect(done.length).toBeGreaterThan(0);
		expect(done.length).toBeLessThan(items.length - 1);
		const told = /(\d+) items? already done[^:]*: ([\d, -]+)\./.exec(error?.description ?? '');
		const numbers = told?.[2]?.split(', ').flatMap((part) => {
			const [from = NaN, to = from] = part.split('-').map(Number);
			return range(from, to + 1);
		});
		expect(numbers).toEqual(done);
		expect(Number(told?.[1])).toBe(done.length);
	});

	it('ends the reading of lists for other items', async () => {
		await withSandbox(
			async (big) => {
				big.setLatency(5);
				big.fault({ ...REFUSED, match: { query: { type: 'archived' } } });
				const { error } = await run(big, {
					items: [{ type: 'archived' }, { type: 'all' }],
					parameters: {
						...{ resource: 'keyword', operation: 'getAll', returnAll: true },
						type: '={{ $json.type }}',
						options: { concurrency: 2 },
					},
				});
				expect(error?.context).toMatchObject({ itemIndex: 0 });
				expect(big.requests.length).toBeLessThan(15);
			},
			{ seed: { keyword: 4000 } },
		);
	});

	it('says nothing of the kind if nothing was done or nothing is changed', async () => {
		sandbox.fault(REFUSED);
		const first = await run(sandbox, {
			items: newQuestions(3),
			parameters: update({ concurrency: 1 }),
		});
		sandbox.fault({ ...REFUSED, match: { nth: 2 } });
		const read = await run(sandbox, {
			items: [{}, {}, {}],
			parameters: { resource: 'workspace', operation: 'get', options: { concurrency: 1 } },
		});
		expect(first.error?.description).not.toMatch(/already done/);
		expect(read.error?.description).not.toMatch(/already done/);
	});

	for (const onError of CONTINUES) {
		it(`"${onError}": those before and after succeed, all in the order of the input`, async () => {
			const items = newQuestions(20);
			const failing = [2, 3, 11, 19];
			for (const n of failing) {
				sandbox.fault({ ...REFUSED, match: { path: `${itemAt(items, n).id}$` } });
			}
			const result = await run(sandbox, { items, parameters: update(), onError });
			const paired = (list: RunResult['output']) =>
				list.map(({ pairedItem }) => (pairedItem as { item: number }).item);
			expect(paired(failedOf(result))).toEqual(failing);
			const done = range(0, 20).filter((n) => !failing.includes(n));
			expect(paired(doneOf(result))).toEqual(done);
			expect(idsOf(doneOf(result).map(({ json }) => json))).toEqual(
				done.map((n) => itemAt(items, n).id),
			);
			if (onError === 'continueRegularOutput') expect(paired(result.output)).toEqual(range(0, 20));
			const expected = items.map((_, n) => (failing.includes(n) ? 'new' : 'processed'));
			expect(statusesOf(items)).toEqual(expected);
		});
	}
});

describe('n8n tries the node again (Retry On Fail)', () => {
	const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };
	const items = range(0, 5).map((n) => ({ n }));
	/** Without a title, the service would create the same note twice */
	const notes: INodeParameters = {
		resource: 'action',
		operation: 'create',
		type: 'other',
		additionalFields: { description: '=Note {{ $json.n }}' },
		options: { maxRetries: 0 },
	};
	const created = () =>
		[...sandbox.state.all('action')].flatMap(({ description }) =>
			description?.startsWith('Note ') ? [Number(description.slice(5))] : [],
		);

	const refusals: Array<[string, FaultSpec]> = [
		['refused once', REFUSED],
		['asked to wait once', tooMany('0')],
	];
	for (const onError of [undefined, ...CONTINUES]) {
		// With Continue, n8n tries again only if the first item failed
		const nth = onError ? 1 : 3;
		it.each(refusals)(`%s (${onError}): all exist at the end, each once`, async (_name, fault) => {
			sandbox.fault({ ...fault, match: { nth } });
			const result = await run(sandbox, { items, parameters: notes, onError, node });
			expect(result.error).toBeUndefined();
			expect(failedOf(result)).toEqual([]);
			expect(doneOf(result).map(({ pairedItem }) => pairedItem)).toEqual(pairs(0, 5));
			expect(created().sort()).toEqual([0, 1, 2, 3, 4]);
			expect(sandbox.requests).toHaveLength(6);
		});

		it.each(['cutAfter', 'truncated', 'html'] as const)(
			`%s (${onError}): what may be done is not repeated`,
			async (kind) => {
				sandbox.fault({ kind, match: { nth } });
				const result = await run(sandbox, { items, parameters: notes, onError, node });
				expect(wordsOf(result)).toMatch(/may have done the work/);
				const numbers = created();
				expect(new Set(numbers).size).toBe(numbers.length);
				const sent = bodiesOf().map(({ description }) => description);
				expect(new Set(sent).size).toBe(sent.length);
				expect(sent).toHaveLength(onError ? 5 : 3);
			},
		);
	}

	it('the same for items at the same time', async () => {
		sandbox.setLatency(5);
		sandbox.fault({ ...REFUSED, match: { nth: 2 } });
		sandbox.fault({ ...REFUSED, match: { nth: 14 } });
		const urls = range(0, 12).map((n) => ({ url: `https://forum.example/t/${n}` }));
		const { error, json } = await run(sandbox, {
			items: urls,
			parameters: {
				resource: 'forumOpportunity',
				operation: 'create',
				title: 'Which pot?',
				url: '={{ $json.url }}',
			},
			node,
		});
		expect(error).toBeUndefined();
		expect(json.map(({ url }) => ({ url }))).toEqual(urls);
		const taken = sandbox.requests.filter(({ status }) => status === 201);
		expect(taken.map(({ body }) => (body as IDataObject).url).sort()).toEqual(
			urls.map(({ url }) => url).sort(),
		);
	});

	it.each([1, 5])(
		'all batches of one item are sent, each once (concurrency %i)',
		async (concurrency) => {
			const keywords = range(0, 7).map((n) => `fresh ${n}`);
			sandbox.fault({ ...REFUSED, match: { nth: 3 } });
			const { error, json } = await run(sandbox, {
				items: [{ keywords }],
				parameters: {
					resource: 'keyword',
					operation: 'create',
					keywords: '={{ $json.keywords }}',
					options: { batchSize: 2, concurrency },
				},
				node,
			});
			expect(error).toBeUndefined();
			expect(json.map(({ count }) => count)).toEqual([2, 2, 2, 1]);
			const taken = sandbox.requests.filter(({ status }) => status === 201);
			const sent = taken.flatMap(({ body }) => (body as { keywords: string[] }).keywords);
			expect(sent.sort()).toEqual(keywords);
		},
	);

	it('a permanent error is thrown after three attempts, and says what is done', async () => {
		sandbox.fault({ ...REFUSED, match: { nth: 3, times: null } });
		const { error } = await run(sandbox, { items, parameters: notes, node });
		expect(error).toMatchObject({ httpCode: '422', context: { itemIndex: 2 } });
		expect(error?.description).toMatch(/2 items already done.*: 0-1\./);
		expect(created()).toEqual([0, 1]);
		expect(sandbox.requests).toHaveLength(5);
	});

	it('a user retries the execution: everything is done again except what succeeded', async () => {
		sandbox.fault({ kind: 'cutAfter', match: { nth: 3 } });
		const first = await run(sandbox, { items, parameters: notes, node });
		expect(wordsOf(first)).toMatch(/may have done the work.*check/s);
		expect(created()).toEqual([0, 1, 2]);
		sandbox.clearLog();
		const { error, output } = await retry(sandbox, first, { items, parameters: notes, node });
		expect(error).toBeUndefined();
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(pairs(0, 5));
		expect(bodiesOf().map(({ description }) => description)).toEqual([
			'Note 2',
			'Note 3',
			'Note 4',
		]);
	});

	it('a user changes the workflow and retries: everything is done', async () => {
		const [one, other] = firstOf(idsOf(sandbox.state.all('question')), 2);
		sandbox.state.update('question', { archivedAt: null });
		const mark = (status: string): INodeParameters => ({
			resource: 'question',
			operation: 'update',
			questionId: byId('={{ $json.id }}'),
			status,
		});
		sandbox.fault({ ...REFUSED, match: { path: `/v1/people-also-ask/${other}`, times: 3 } });
		const both = [{ id: one }, { id: other }];
		const parameters = mark('processed');
		const first = await run(sandbox, { items: both, parameters, node });
		expect(first.error?.message).toBeDefined();
		const { json } = await retry(sandbox, first, { items: both, parameters: mark('new'), node });
		expect(json).toMatchObject([
			{ id: one, status: 'new' },
			{ id: other, status: 'new' },
		]);
		expect(sandbox.state.get('question', one)?.status).toBe('new');
	});

	it('a second execution starts from the beginning', async () => {
		await run(sandbox, { items, parameters: notes, node });
		await run(sandbox, { items, parameters: notes, node });
		expect(created()).toHaveLength(10);
	});
});

/** A bulk write with one record per item. */
interface BulkWrite {
	name: string;
	items: (sandbox: Sandbox) => IDataObject[];
	parameters: INodeParameters;
	/** Whether a request is for this item */
	isAbout: (request: Sandbox['requests'][number], item: IDataObject) => boolean;
	/** How often the service has done the work for this item; also 1 if a repeat leaves no trace */
	held: (sandbox: Sandbox, item: IDataObject) => number;
	/** What the output contains when the item is done */
	gives: (item: IDataObject) => IDataObject;
	/** Whether the requests must come in the order of the items */
	inOrder?: true;
}

const COUNT = 8;

const numbered = () => range(0, COUNT).map((n) => ({ n }));
const hasId = ({ path }: { path: string }, { id }: IDataObject) =>
	path.split('/').includes(`${id}`);
const inBody = (key: string, textOf: (item: IDataObject) => string) => ({
	isAbout: ({ body }: { body: unknown }, item: IDataObject) =>
		[(body as IDataObject)[key]].flat().includes(textOf(item)),
});
type Listed = Parameters<Sandbox['state']['all']>[0];
const holding = (kind: Listed, key: string, textOf: (item: IDataObject) => string) => ({
	held: ({ state }: Sandbox, item: IDataObject) =>
		[...state.all(kind)].filter((record) => (record as never)[key] === textOf(item)).length,
});
const ids = (kind: Listed) => (sandbox: Sandbox) =>
	[...sandbox.state.all(kind)]
		.filter((record) => !(record as { archivedAt?: string }).archivedAt)
		.slice(0, COUNT)
		.map(({ id }) => ({ id }));

const url = ({ n }: IDataObject) => `https://www.northwind-tea.example/t/${Number(n)}`;
const note = ({ n }: IDataObject) => `Note ${Number(n)}`;
const domain = ({ n }: IDataObject) => `rival-${Number(n)}.example`;
const keyword = ({ n }: IDataObject) => `fresh ${Number(n)}`;
const URL_OF_ITEM = '=https://www.northwind-tea.example/t/{{ $json.n }}';

const BULK_WRITES: BulkWrite[] = [
	{
		name: 'forumOpportunity.create',
		items: numbered,
		parameters: { title: 'Which pot?', url: URL_OF_ITEM },
		...inBody('url', url),
		...holding('forumOpportunity', 'url', url),
		gives: (item) => ({ url: url(item) }),
	},
	{
		name: 'keyword.create',
		items: numbered,
		parameters: { keywords: '=fresh {{ $json.n }}' },
		...inBody('keywords', keyword),
		...holding('keyword', 'keyword', keyword),
		// Without a count if a request had to be repeated
		gives: () => ({ submitted: expect.any(Number) as number }),
	},
	{
		name: 'action.create',
		items: numbered,
		parameters: { type: 'other', title: '=Note {{ $json.n }}' },
		...inBody('title', note),
		...holding('action', 'title', note),
		gives: (item) => ({ title: note(item) }),
		inOrder: true,
	},
	{
		name: 'competitor.create',
		items: numbered,
		parameters: { domain: '=rival-{{ $json.n }}.example' },
		...inBody('domain', domain),
		...holding('competitor', 'domain', domain),
		gives: (item) => ({ domain: domain(item) }),
		inOrder: true,
	},
	{
		name: 'indexing.notify',
		items: numbered,
		parameters: { url: URL_OF_ITEM, type: 'URL_UPDATED' },
		...inBody('url', url),
		held: ({ state }, item) => state.all('notification', { url: url(item) }).length,
		gives: (item) => ({ urlNotificationMetadata: { url: url(item) } }),
	},
	{
		name: 'question.update',
		items: (sandbox) => newQuestions(COUNT, sandbox),
		parameters: { questionId: byId('={{ $json.id }}'), status: 'processed' },
		isAbout: hasId,
		held: ({ state }, { id }) => Number(state.get('question', `${id}`)?.status === 'processed'),
		gives: ({ id }) => ({ id, status: 'processed' }),
	},
	{
		name: 'category.update',
		items: ids('category'),
		parameters: { categoryId: byId('={{ $json.id }}'), name: '=New {{ $json.id }}' },
		isAbout: hasId,
		held: ({ state }, { id }) => Number(state.get('category', `${id}`)?.name === `New ${id}`),
		gives: ({ id }) => ({ id, name: `New ${id}` }),
	},
	{
		name: 'keyword.archive',
		items: ids('keyword'),
		parameters: { keywordId: byId('={{ $json.id }}') },
		isAbout: hasId,
		held: ({ state }, { id }) => Number(Boolean(state.get('keyword', `${id}`)?.archivedAt)),
		gives: ({ id }) => ({ id, archived: true }),
	},
];

describe.concurrent('whatever goes wrong, the output agrees with what the service holds', () => {
	const anyFault = fc.constantFrom<FaultSpec>(
		REFUSED,
		tooMany('0'),
		{ ...tooMany('0'), status: 503 } as FaultSpec,
		{ kind: 'status', status: 500 },
		{ kind: 'cutBefore' },
		{ kind: 'cutAfter' },
		{ kind: 'truncated' },
		{ kind: 'html' },
		{ kind: 'malformed' },
	);
	const history = fc.record({
		faults: fc.array(fc.tuple(fc.integer({ min: 1, max: 14 }), anyFault), { maxLength: 9 }),
		maxRetries: fc.constantFrom(0, 1),
		concurrency: fc.integer({ min: 1, max: 8 }),
		batchSize: fc.integer({ min: 1, max: 4 }),
		onError: fc.constantFrom(...CONTINUES),
	});

	type History = typeof history extends fc.Arbitrary<infer Given> ? Given : never;

	it.each(BULK_WRITES)('$name', async ({ name, parameters, inOrder, ...write }) => {
		const [resource, operation] = name.split('.');
		const play = async (sandbox: Sandbox, given: History) => {
			const { faults, onError, ...options } = given;
			sandbox.reset();
			for (const [nth, fault] of faults) sandbox.fault({ ...fault, match: { nth } });
			const items = write.items(sandbox);
			const result = await run(sandbox, {
				items,
				parameters: { resource, operation, ...parameters, options },
				onError,
			});
			expect(result.error).toBeUndefined();
			const all = [...doneOf(result), ...failedOf(result)];
			const asked: number[] = [];
			items.forEach((item, n) => {
				const [output, ...more] = all.filter(({ pairedItem }) =>
					[pairedItem].flat().some((paired) => (paired as { item: number }).item === n),
				);
				expect(more).toEqual([]);
				const requests = sandbox.requests.filter((request) => write.isAbout(request, item));
				asked.push(...requests.map((request) => request.n));
				const worked = requests.filter(isWork).length;
				const error = output?.json.error as IDataObject | undefined;
				expect(write.held(sandbox, item)).toBe(Math.min(worked, 1));
				expect(requests.length).toBeLessThanOrEqual(1 + given.maxRetries);
				// If the last answer had been a success, there would be no error
				if (error) expect(requests.at(-1)?.fault).toBeDefined();
				else {
					expect(worked).toBeGreaterThan(0);
					expect(output?.json).toMatchObject(write.gives(item));
				}
				if (!requests.every(isPost)) return;
				if (!TABLE.get(name)?.repeatable) expect(worked).toBeLessThanOrEqual(1);
				if (error && worked) expect(error.description).toMatch(/may have done the work/);
			});
			if (inOrder) expect(asked).toEqual([...asked].sort((a, b) => a - b));
		};
		await withSandbox(
			(sandbox) =>
				fc.assert(
					fc.asyncProperty(history, (given) => play(sandbox, given)),
					{ numRuns: amount(5, 20) },
				),
			{ seed: { category: COUNT } },
		);
	});
});
