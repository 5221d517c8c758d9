import type { IDataObject } from 'n8n-workflow';

import type { ReadPage } from './pages';
import type { List } from './readList';
import { keyOf } from '../records';

/**
 * Several lists as one; a page ends where its list does. While they are read, a record may move from one list to another.
 * Then their totals change, or it comes twice while others are missing, so `readList` reads them again.
 * @param lists in the order in which they are read
 * @param wanted how many records are needed; once there are enough, no further list is read
 */
export function joinedPages(lists: ReadPage[], wanted = Infinity): ReadPage {
	let totals: number[] = [];
	return async (offset, limit, stop) => {
		if (offset === 0) totals = [];
		let items: IDataObject[] | undefined;
		let start = 0;
		for (const [index, readPage] of lists.entries()) {
			const from = Math.max(0, offset - start);
			const isHere = !items && from < (totals[index] ?? Infinity);
			if (isHere || totals[index] === undefined) {
				const page = await readPage(from, isHere ? limit : 1, stop);
				totals[index] = page.total;
				const isBeyond = from + page.items.length > page.total;
				if (isHere && from < page.total) items = isBeyond ? [] : page.items;
			}
			start += totals[index] ?? 0;
			if (start >= wanted) break;
		}
		// A record may have moved to a list that was read before it. An empty page makes `readList` start again.
		const again = offset === 0 && start < wanted ? lists.slice(0, -1) : [];
		for (const [index, readPage] of again.entries()) {
			if ((await readPage(0, 1, stop)).total !== totals[index]) items = [];
		}
		return { total: start, items: items ?? [] };
	};
}

/**
 * @param visit called for each record as it arrives, more than once for some; what it throws ends the reading
 * @returns a list that is read like this one, but keeps only the keys of the records
 */
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
