import type { IDataObject } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { listFor, mergeSorted, orderOf } from '../../nodes/SearchVisibility/serviceLists.ts';
import { defined } from '../defined.mts';
import { FakeService } from './nodeContext.mts';

/** The order in which a list is asked for, and the opposite one. */
async function ordersOf(path: string, query: IDataObject = {}) {
	const service = new FakeService();
	service.lists[path] = () => [];
	const { readPage, opposite } = listFor(service.client(), { method: 'GET', path, query });
	await readPage(0, 1);
	await opposite?.readPage(0, 1);
	return service.sent.map(({ query: { sortBy, sortOrder } }) => [sortBy, sortOrder].join(' '));
}

/** Contract 4.2, 4.6 and 4.8: what each list is sorted by, unless asked */
it.each([
	['/v1/keywords', {}, [' ', 'compositeScore asc']],
	['/v1/backlinks', {}, [' ', 'domainFromRank asc']],
	['/v1/ai-visibility/citations', {}, [' ', 'citations asc']],
	['/v1/backlinks', { sortBy: 'firstSeen', sortOrder: 'asc' }, ['firstSeen asc', 'firstSeen desc']],
	['/v1/actions', {}, [' ']],
])('the orders of %s with %j', async (path, query, orders) => {
	expect(await ordersOf(path, query)).toEqual(orders);
});

it.each<[string, IDataObject, unknown[], unknown[]]>([
	['compositeScore', {}, [1, null, 20, '', '3', undefined], [20, '3', 1, null, '', undefined]],
	['compositeScore', { sortOrder: 'asc' }, [2, null, 1], [1, 2, null]],
	[
		'firstSeenAt',
		{ sortBy: 'firstSeenAt' },
		['2026-03-02T01:00:00Z', '2026-03-02T01:00:00.500Z'],
		['2026-03-02T01:00:00.500Z', '2026-03-02T01:00:00Z'],
	],
	['keyword', { sortBy: 'keyword' }, ['a', 'c', 'b', 'b'], ['c', 'b', 'b', 'a']],
	['keyword', { sortBy: 'keyword', sortOrder: 'asc' }, ['b', '', 'a'], ['a', 'b', '']],
])('several lists, put together by %s with %j: %j becomes %j', (field, query, values, ordered) => {
	const records = values.map((value, n) => ({ id: n, [field]: value }) as IDataObject);
	const request = { method: 'GET', path: '/v1/keywords', query } as const;
	const order = defined(orderOf(request));
	expect(mergeSorted(order, records).map((one) => one[field])).toEqual(ordered);
	expect(records.map(({ id }) => id)).toEqual(values.map((_, n) => n));
});
