import type { IDataObject } from 'n8n-workflow';

import type { ReadPage } from './pages';
import type { List, ListOptions, ListResult } from './readList';
import { readAvailable } from './readList';
import { keyOf } from './records';

/**
 * Several lists as one. While they are read, a record may move from one list to another. Then their totals change, or it
 * comes twice while others are missing, so `readList` reads them again.
 * @param lists in the order in which they are read
 * @param wanted how many records are needed; once there are enough, no further list is read
 */
export function joinedPages(lists: ReadPage[], wanted = Infinity): ReadPage {
	let totals: number[] = [];
	return async (offset, limit, stop) => {
		const isOpening = offset === 0;
		if (isOpening) totals = [];
		const items: IDataObject[] = [];
		let start = 0;
		let room = limit;
		for (const [index, readPage] of lists.entries()) {
			const known = totals[index];
			const from = Math.max(0, offset + items.length - start);
			if (known === undefined || (room > 0 && from < known)) {
				const page = await readPage(from, Math.max(1, room), stop);
				const found = page.items.slice(0, room);
				if (found.length === 0 && from < page.total && room > 0) return { ...page, items: [] };
				items.push(...found);
				totals[index] = page.total;
				// A page that is smaller than asked is read on after it, before the next list
				const isSmaller = found.length > 0 && from + found.length < page.total;
				room = isSmaller ? 0 : room - found.length;
			}
			start += totals[index] ?? 0;
			if (start >= wanted) return { total: start, items };
		}
		if (!isOpening) return { total: start, items };
		// A record may have moved to a list that was read before it. An empty page makes `readList` start again.
		for (const [index, readPage] of lists.slice(0, -1).entries()) {
			const { total } = await readPage(0, 1, stop);
			if (total !== totals[index]) return { total: start, items: [] };
		}
		return { total: start, items };
	};
}

/**
 * Reads a list as `readAvailable` does, but keeps only the keys of the records.
 * @param visit called for each record as it arrives, more than once for some; what it throws ends the reading
 * @throws RequestFailure when a request fails
 */
export async function visitList(
	{ readPage, otherOrders = [] }: List,
	visit: (record: IDataObject) => void,
	options?: ListOptions,
): Promise<Omit<ListResult, 'records'>> {
	const visiting =
		(read: ReadPage): ReadPage =>
		async (...page) => {
			const { total, items } = await read(...page);
			items.forEach(visit);
			return { total, items: items.map((record) => ({ id: keyOf(record) })) };
		};
	const list = { readPage: visiting(readPage), otherOrders: otherOrders.map(visiting) };
	const { missing, reason } = await readAvailable(list, options);
	return { missing, reason };
}
