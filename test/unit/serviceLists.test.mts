import type { IDataObject } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { listOf } from '../../nodes/SearchVisibility/serviceLists.ts';
import { FakeService } from './nodeContext.mts';

/** The order in which a list is asked for, and the opposite one. */
async function ordersOf(path: string, query: IDataObject = {}) {
	const service = new FakeService();
	service.lists[path] = () => [];
	const { readPage, opposite } = listOf(service.client(), { method: 'GET', path, query });
	await readPage(0, 1);
	await opposite?.(0, 1);
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
