import type { IDataObject } from 'n8n-workflow';

import type { ReadPage } from './pages';
import type { List, ListOptions, ListResult } from './readList';
import { readAvailable } from './readList';
import { keyOf } from './records';

/**
 * Reads several lists between which records move, one after the other, as safely as `readList` reads one.
 *
 * A record that moves to a later list is found: either before it moves or in that list. A record that moves back makes a
 * list longer that was already read. So at the end, each list but the last is asked for its total, and read again if that
 * has changed, or if any records have moved.
 * @param lists in the order in which records usually move; the fields of `mark` are added to each record of a list
 * @param options `wanted` counts the records of all lists together; once there are enough, no further lists are read
 * @returns the records, list by list, without duplicates; one that was read in two lists has the mark of the last
 * @throws RequestFailure when a request fails
 */
export async function readLists(
	lists: Array<List & { mark?: IDataObject }>,
	{ wanted = Infinity, ...options }: ListOptions = {},
): Promise<ListResult> {
	const found = new Map<unknown, IDataObject>();
	const results = new Map<List, ListResult>();
	const read = async (list: (typeof lists)[number], most: number) => {
		const result = await readAvailable(list, { ...options, wanted: most });
		results.set(list, result);
		for (const one of result.records) found.set(keyOf(one), Object.assign(one, list.mark));
		return result.records.length;
	};
	for (const list of lists) {
		if (found.size >= wanted) break;
		const most = wanted - found.size;
		const count = await read(list, most);
		// Records that were already found in another list leave room for more of this one
		if (count === most && found.size < wanted) await read(list, wanted);
	}
	// A record that was found twice has moved, and another one may have taken its place
	const count = [...results.values()].reduce((sum, { records }) => sum + records.length, 0);
	const hasMoved = count > found.size;
	for (const list of lists.slice(0, -1).reverse()) {
		const result = results.get(list);
		if (found.size >= wanted || !result || result.reason) continue;
		const page = hasMoved ? undefined : await list.readPage(0, 1, options.stop);
		if (page?.total !== result.records.length) await read(list, wanted);
	}
	const records = [...found.values()].slice(0, wanted);
	const incomplete = [...results.values()].filter(({ reason }) => reason);
	if (records.length === wanted || !incomplete[0]) return { records, missing: 0 };
	const missing = incomplete.reduce((sum, one) => sum + one.missing, 0);
	return { records, missing, reason: incomplete[0].reason };
}

/**
 * Reads lists as {@link readLists} does, but keeps only the keys of the records.
 * @param visit called for each record as it arrives, more than once for some; what it throws ends the reading
 * @throws RequestFailure when a request fails
 */
export async function visitLists(
	lists: List[],
	visit: (record: IDataObject) => void,
	options?: ListOptions,
): Promise<Omit<ListResult, 'records'>> {
	const slim =
		(readPage: ReadPage) =>
		async (...request: Parameters<ReadPage>) => {
			const { total, items } = await readPage(...request);
			items.forEach(visit);
			return { total, items: items.map((record) => ({ id: keyOf(record) })) };
		};
	const slimLists = lists.map(({ readPage, otherOrders = [] }) => ({
		readPage: slim(readPage),
		otherOrders: otherOrders.map(slim),
	}));
	const { missing, reason } = await readLists(slimLists, options);
	return { missing, reason };
}
