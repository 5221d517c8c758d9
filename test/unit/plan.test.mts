import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { defined } from '../defined.mts';
import { plans, resources } from './built.mts';
import { byUrl, contextOf, FakeService, itemsOf, numbered, type NodeRun } from './nodeContext.mts';

const operationOf = (resource: string, operation: string) =>
	defined(
		resources.RESOURCES.find(({ value }) => value === resource)?.operations.find(
			({ value }) => value === operation,
		),
	);

const createKeywords = operationOf('keyword', 'create');

/** The plan for an operation, in what is worth looking at. */
function planOf(operation: typeof createKeywords, run: NodeRun) {
	const { context } = contextOf(new FakeService(), run);
	return plans.makePlan(context, operation);
}

/** Keywords that are planned: which requests carry what, for which items. */
function batchesFor(
	items: IDataObject[],
	options: (json: IDataObject) => IDataObject = () => ({}),
) {
	const { jobs } = planOf(createKeywords, {
		items: itemsOf(...items),
		parameters: (json) => ({ keywords: json.keywords, options: options(json) }),
	});
	return jobs.map(({ input, itemIndexes }) => [
		input.settings.customBody ?? input.body.keywords,
		itemIndexes,
	]);
}

const keywords = (...lists: string[]) => lists.map((list) => ({ keywords: list }));

describe('one request for each item', () => {
	const update = operationOf('question', 'update');

	it('is planned in the order of the input', () => {
		const { jobs, operation, refused } = planOf(update, {
			items: numbered(3),
			parameters: ({ n }) => ({ questionId: `q${Number(n)}`, status: 'new' }),
		});
		expect(operation).toBe(update);
		expect(refused).toEqual([]);
		expect(jobs.map(({ input, itemIndexes }) => [input.id, input.itemIndex, itemIndexes])).toEqual([
			['q0', 0, [0]],
			['q1', 1, [1]],
			['q2', 2, [2]],
		]);
	});

	it('has the concurrency of the first item', () => {
		const parameters = ({ n }: IDataObject) => ({
			...{ questionId: 'q', status: 'new' },
			options: n === 0 ? { concurrency: 3 } : { concurrency: 9 },
		});
		expect(planOf(update, { items: numbered(2), parameters }).concurrency).toBe(3);
	});

	it('is the usual concurrency where there are no items', () => {
		const plan = planOf(update, { items: [], parameters: {} });
		expect(plan).toMatchObject({ jobs: [], refused: [], concurrency: 20 });
	});

	it.each([
		[false, [1]],
		[true, [1, 3]],
	])('is not planned for items that are refused (continues: %s)', (continues, items) => {
		const plan = planOf(update, {
			items: numbered(4),
			parameters: ({ n }) => ({ questionId: Number(n) % 2 ? '' : 'q', status: 'new' }),
			continues,
		});
		expect(plan.refused.map(({ itemIndex }) => itemIndex)).toEqual(items);
		for (const { error, itemIndex } of plan.refused) {
			expect(error.context).toMatchObject({ itemIndex });
		}
	});
});

describe('the keywords of many items', () => {
	it('share a request, each once, with all the items that bring it', () => {
		expect(batchesFor(keywords('a, b', 'b', 'c, a', 'a'))).toEqual([
			[
				['a', 'b', 'c'],
				[0, 1, 2, 3],
			],
		]);
	});

	it('are spread by the batch size of the first item', () => {
		const sizes = batchesFor(keywords('a, b, c', 'd, e', 'a'), ({ keywords: list }) => ({
			batchSize: list === 'a' ? 1 : 2,
		}));
		expect(sizes).toEqual([
			[
				['a', 'b'],
				[0, 2],
			],
			[
				['c', 'd'],
				[0, 1],
			],
			[['e'], [1]],
		]);
	});

	it('are at most 100 in a request', () => {
		const list = Array.from({ length: 250 }, (_, n) => `word ${n}`).join('\n');
		const lengths = batchesFor(keywords(list)).map(([batch]) => (batch as string[]).length);
		expect(lengths).toEqual([100, 100, 50]);
	});

	it('are no request where all items are refused', () => {
		const parameters = { keywords: '' };
		const plan = planOf(createKeywords, { items: numbered(2), parameters, continues: true });
		expect(plan.jobs).toEqual([]);
		expect(plan.refused.map(({ itemIndex }) => itemIndex)).toEqual([0, 1]);
	});

	it('pair in the order of the input', () => {
		const [[, first] = []] = batchesFor(keywords('a', 'b', 'b, a'));
		expect(first).toEqual([0, 1, 2]);
		const indexes = batchesFor(keywords('b', 'c', 'a, c', 'b'), () => ({ batchSize: 2 }));
		expect(indexes).toEqual([
			[
				['b', 'c'],
				[0, 1, 2, 3],
			],
			[['a'], [2]],
		]);
	});

	it.each([
		['timeout', 500],
		['maxRetries', 0],
		['queryParameters', { parameters: [{ name: 'a', value: 'b' }] }],
	])('share no request where %s differs, not even for the same keyword', (name, value) => {
		const options = ({ other }: IDataObject) => (other ? { [name]: value } : {});
		const items = [{ keywords: 'a, b' }, { keywords: 'a', other: true }, { keywords: 'c' }];
		expect(batchesFor(items, options)).toEqual([
			[
				['a', 'b', 'c'],
				[0, 2],
			],
			[['a'], [1]],
		]);
	});

	it('share one whatever else is set', () => {
		const options = ({ other }: IDataObject) => (other ? { concurrency: 1 } : {});
		const items = [{ keywords: 'a' }, { keywords: 'b', other: true }];
		expect(batchesFor(items, options)).toEqual([
			[
				['a', 'b'],
				[0, 1],
			],
		]);
	});

	it('with a body of their own go by themselves', () => {
		const options = ({ own }: IDataObject): IDataObject => (own ? { customBody: own } : {});
		const items = [
			{ keywords: 'a' },
			{ keywords: 'b', own: '{"words":["x"]}' },
			{ keywords: 'c' },
			{ keywords: 'd', own: '[]' },
		];
		const batches = batchesFor(items, options);
		expect(batches).toHaveLength(3);
		expect(batches).toEqual(
			expect.arrayContaining([
				[{ words: ['x'] }, [1]],
				[[], [3]],
				[
					['a', 'c'],
					[0, 2],
				],
			]),
		);
	});
});

describe('the fingerprint of a request', () => {
	const create = operationOf('action', 'create');
	const printOf = (parameters: IDataObject, operation = create) => {
		const { jobs } = planOf(operation, { parameters: { type: 'other', ...parameters } });
		return plans.fingerprint(operation, defined(jobs[0]).input);
	};

	it('is the same for the same work', () => {
		expect(printOf({ title: 'a' })).toBe(printOf({ title: 'a' }));
		expect(printOf({ options: { timeout: 5 } })).toBe(printOf({ options: { concurrency: 2 } }));
	});

	it('is another one for other work', () => {
		const article = { type: 'get_cited', citationId: byUrl('https://a.example/') };
		const prints = [
			printOf({ title: 'a' }),
			printOf({ title: 'b' }),
			printOf({
				title: 'a',
				options: { queryParameters: { parameters: [{ name: 'a', value: 'b' }] } },
			}),
			printOf(article),
			printOf({ ...article, citationId: byUrl('https://b.example/') }),
			printOf({ keywordId: 'k' }, operationOf('keyword', 'archive')),
			printOf({ keywordId: 'l' }, operationOf('keyword', 'archive')),
			printOf({ keywordId: 'k' }, operationOf('keyword', 'unarchive')),
			printOf({ categoryId: 'k' }, operationOf('category', 'delete')),
		];
		expect(new Set(prints).size).toBe(prints.length);
	});
});
