import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { listOf } from '../../nodes/SearchVisibility/serviceLists.ts';
import { FakeService } from './nodeContext.mts';

/** Asks for a page in each of the orders in which a list can be read. */
async function ordersOf(path: string, query: IDataObject = {}) {
	const service = new FakeService();
	service.lists[path] = () => [];
	const list = listOf(service.client(), { method: 'GET', path, query });
	for (const readPage of [list.readPage, ...(list.otherOrders ?? [])]) await readPage(0, 1);
	const asked = service.sent.map(({ query: { sortBy, sortOrder } }) =>
		[sortBy, sortOrder].join(' '),
	);
	return { asked, orderedBy: list.orderedBy };
}

/** Contract 4.2, 4.6 and 4.8: what each list is sorted by, unless asked, and what else it can be sorted by */
describe('the orders of a list', () => {
	it('begin with that of the service, the opposite of it, and itself again', async () => {
		expect(await ordersOf('/v1/backlinks')).toEqual({
			asked: [
				...[' ', 'domainFromRank asc', ' '],
				...['firstSeen desc', 'firstSeen asc', 'backlinkSpamScore desc', 'backlinkSpamScore asc'],
			],
			orderedBy: 'domainFromRank',
		});
	});

	it('begin with the chosen one, in its direction', async () => {
		const sort = { sortBy: 'lastSeenAt', sortOrder: 'asc' };
		expect(await ordersOf('/v1/ai-visibility/citations', sort)).toEqual({
			asked: [
				...['lastSeenAt asc', 'lastSeenAt desc', 'lastSeenAt asc', 'domain asc', 'domain desc'],
				...['firstSeenAt asc', 'firstSeenAt desc', 'citations asc', 'citations desc'],
			],
			orderedBy: 'lastSeenAt',
		});
	});

	it('are one where the service cannot sort', async () => {
		expect(await ordersOf('/v1/actions')).toEqual({ asked: [' '], orderedBy: undefined });
	});
});
