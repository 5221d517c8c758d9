import type { IDataObject } from 'n8n-workflow';

import type { ReadPage } from './pages';
import type { List, ListOptions, ListResult } from './readList';
import { readAvailable } from './readList';
import { keyOf } from './records';

/** One of several lists that are read as one. */
export interface MarkedList extends List {
	/** Fields to add to each record of this list */
	mark?: IDataObject;
}

/**
 * Reads several lists between which records move, one after the other, as safely as `readList` reads one.
 *
 * A record that moves to a later list is found: either before it moves or in that list. A record that moves back to a
 * list that was already read makes that list longer. So at the end, each list but the last is asked for its total once
 * more. It is read again if the total has changed, or if any records have moved.
 * @param lists in the order in which records usually move
 * @param options `wanted` counts the records of all lists together; once there are enough, no further lists are read
 * @returns the records, list by list, without duplicates; a record that was read in two lists has the mark of the one
 * in which it was read last
 * @throws RequestFailure when a request fails
 */
export async function readLists(
	lists: MarkedList[],
	{ wanted = Number.POSITIVE_INFINITY, ...options }: ListOptions = {},
): Promise<ListResult> {
	const found = new Map<unknown, IDataObject>();
	const incomplete = new Map<List, ListResult>();
	/**
	 * @param known how many of its records were found before
	 * @returns how many records the list has; if `wanted` was reached, how many of them were read
	 */
	const read = async (list: MarkedList, known = 0): Promise<number> => {
		for (let asked = known + wanted - found.size; ; asked *= 2) {
			const result = await readAvailable(list, { ...options, wanted: asked });
			for (const record of result.records) {
				found.set(keyOf(record), Object.assign(record, list.mark));
			}
			if (result.reason) incomplete.set(list, result);
			else incomplete.delete(list);
			// Records that were already found in another list leave room for more of this one
			const isEnd = found.size >= wanted || result.records.length < asked || result.reason;
			if (isEnd) return result.records.length;
		}
	};
	const totals: number[] = [];
	for (const list of lists) if (found.size < wanted) totals.push(await read(list));
	// A record that was found twice has moved, and another one may have taken its place
	const hasMoved = totals.reduce((sum, total) => sum + total, 0) > found.size;
	for (const [index, list] of [...lists.entries()].slice(0, -1).reverse()) {
		if (found.size >= wanted) break;
		if (incomplete.has(list)) continue;
		const page = hasMoved ? undefined : await list.readPage(0, 1, options.stop);
		if (page?.total !== totals[index]) await read(list, totals[index]);
	}
	const records = [...found.values()].slice(0, wanted);
	const [first] = found.size < wanted ? incomplete.values() : [];
	const missing = [...incomplete.values()].reduce((sum, one) => sum + one.missing, 0);
	return first ? { ...first, records, missing } : { records, missing: 0 };
}

/**
 * Reads lists as {@link readLists} does, but keeps only the key of each record, for results that do not need all
 * records at once.
 * @param visit called for each record of each page as it arrives, more than once for some; what it throws ends the
 * reading
 * @throws RequestFailure when a request fails
 */
export async function visitLists(
	lists: List[],
	visit: (record: IDataObject) => void,
	options?: ListOptions,
): Promise<Omit<ListResult, 'records'>> {
	const slim = (readPage: ReadPage): ReadPage => {
		return async (...request) => {
			const page = await readPage(...request);
			page.items.forEach(visit);
			return { ...page, items: page.items.map((record) => ({ id: keyOf(record) })) };
		};
	};
	const slimLists = lists.map(({ readPage, otherOrders = [] }) => ({
		readPage: slim(readPage),
		otherOrders: otherOrders.map(slim),
	}));
	const { missing, reason } = await readLists(slimLists, options);
	return { missing, reason };
}
