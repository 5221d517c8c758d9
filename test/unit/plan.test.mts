import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { defined } from '../defined.mts';
import * as plans from '../../nodes/SearchVisibility/plan.ts';
import * as resources from '../../nodes/SearchVisibility/resources/index.ts';
import { contextOf, FakeService, itemsOf, type NodeRun } from './nodeContext.mts';

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

describe('the keywords of many items', () => {
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
});
