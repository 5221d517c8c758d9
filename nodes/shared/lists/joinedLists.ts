import type { IDataObject } from 'n8n-workflow';

import type { ReadPage } from './pages';
import type { List } from './readList';
import { keyOf } from '../records';

/**
 * Several lists as one. While they are read, a record may move from one list to another. Then their totals change, or it
 * comes twice while others are missing, so `readList` reads them again.
 * @param lists in the order in which they are read
 * @param wanted how many records are needed; once there are enough, no further list is read
 */
export function joinedPages(lists: ReadPage[], wanted = Infinity): ReadPage {
	let totals: number[] = [];
	return async (offset, limit, stop) => {
		if (offset === 0) totals = [];
		const items: IDataObject[] = [];
		let [start, room] = [0, limit];
		for (const [index, readPage] of lists.entries()) {
			const known = totals[index];
			const from = Math.max(0, offset + items.length - start);
			if (known === undefined || (room > 0 && from < known)) {
				const page = await readPage(from, Math.max(1, room), stop);
				const found = page.items.slice(0, room);
				if (found.length > Math.max(0, page.total - from)) return { ...page, items: [] };
				items.push(...found);
				totals[index] = page.total;
				// What a page lacks is read on after it, before the next list
				room = from + found.length < page.total ? 0 : room - found.length;
			}
			start += totals[index] ?? 0;
			if (start >= wanted) break;
		}
		// A record may have moved to a list that was read before it. An empty page makes `readList` start again.
		const again = offset === 0 && start < wanted ? lists.slice(0, -1) : [];
		for (const [index, readPage] of again.entries()) {
			if ((await readPage(0, 1, stop)).total !== totals[index]) return { total: start, items: [] };
		}
		return { total: start, items };
	};
}

/** @returns a list of which only keys are kept; `visit` gets the records as they arrive, some twice, and may throw to end it */
export function visited(list: List, visit: (record: IDataObject) => void): List {
	const visiting =
		(read: ReadPage): ReadPage =>
		async (...page) => {
			const { total, items } = await read(...page);
			items.forEach(visit);
			return { total, items: items.map((record) => ({ id: keyOf(record) })) };
		};
	return { readPage: visiting(list.readPage), otherOrders: list.otherOrders?.map(visiting) ?? [] };
}
