import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { defined } from '../defined.mts';
import * as plans from '../../nodes/SearchVisibility/plan.ts';
import * as resources from '../../nodes/SearchVisibility/resources/index.ts';
import { contextOf, FakeService, itemsOf } from './nodeContext.mts';

const { operations } = defined(resources.RESOURCES.find(({ value }) => value === 'keyword'));
const createKeywords = defined(operations.find(({ value }) => value === 'create'));

/** What is planned for items with keywords and options: which requests carry what, for which items. */
async function batchesFor(...items: IDataObject[]) {
	const { context } = contextOf(new FakeService(), {
		items: itemsOf(...items),
		parameters: ({ keywords, timeout, maxRetries, ...options }) => {
			const requestOptions = {
				...(timeout !== undefined && { timeout }),
				...(maxRetries !== undefined && { maxRetries }),
			};
			return { keywords, options, requestOptions };
		},
	});
	const { jobs } = await plans.makePlan(context, createKeywords);
	return jobs.map(({ input, itemIndexes }) => [
		input.settings.customBody ?? String(input.body.keywords),
		itemIndexes.join(),
	]);
}

describe('the keywords of many items', () => {
	it('are spread by the batch size of the first item', async () => {
		const first = { keywords: 'a, b, c', batchSize: 2 };
		const sizes = await batchesFor(first, { keywords: 'd, e' }, { keywords: 'a', batchSize: 1 });
		expect(sizes).toEqual(Object.entries({ 'a,b': '0,2', 'c,d': '0,1', e: '1' }));
	});

	it('are not combined with the Custom Body of one item', async () => {
		const customBody = { keywords: ['own'] };
		const own = { keywords: 'b', customBody };
		expect(await batchesFor({ keywords: 'a' }, own, { keywords: 'c' })).toEqual([
			[customBody, '1'],
			['a,c', '0,2'],
		]);
	});

	it.each([
		['timeout', 500],
		['maxRetries', 0],
	])('share no request where %s differs, not even for the same keyword', async (name, value) => {
		const other = { keywords: 'a', [name]: value };
		const batches = await batchesFor({ keywords: 'a, b' }, other, { keywords: 'c' });
		expect(batches).toEqual(Object.entries({ 'a,b,c': '0,2', a: '1' }));
	});
});
