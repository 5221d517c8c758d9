import type { IDataObject } from 'n8n-workflow';

import type { ReadPage } from './pages';
import { readList } from './pagination';
import { keyOf } from './records';
import type { StopSignal } from '../request/stop';

/** One of several lists that are read as one. */
export interface MarkedList {
	readPage: ReadPage;
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
 * @param wanted maximum number of records from all lists together; once there are enough, no further lists are read
 * @param atOnce how many pages to read at the same time
 * @param stop ends all waits
 * @returns the records, list by list, without duplicates; a record that was read in two lists has the mark of the one
 * in which it was read last
 * @throws RequestFailure as `readList` does
 */
export async function readLists(
	lists: MarkedList[],
	wanted = Number.POSITIVE_INFINITY,
	atOnce = 1,
	stop?: StopSignal,
): Promise<IDataObject[]> {
	const found = new Map<unknown, IDataObject>();
	/**
	 * @param known how many of its records were found before
	 * @returns how many records the list has; if `wanted` was reached, how many of them were read
	 */
	const read = async ({ readPage, mark = {} }: MarkedList, known = 0): Promise<number> => {
		for (let asked = known + wanted - found.size; ; asked *= 2) {
			const records = await readList(readPage, asked, atOnce, stop);
			for (const record of records) found.set(keyOf(record), Object.assign(record, mark));
			// Records that were already found in another list leave room for more of this one
			if (found.size >= wanted || records.length < asked) return records.length;
		}
	};
	const totals: number[] = [];
	for (const list of lists) if (found.size < wanted) totals.push(await read(list));
	// A record that was found twice has moved, and another one may have taken its place
	const hasMoved = totals.reduce((sum, total) => sum + total, 0) > found.size;
	for (const [index, list] of [...lists.entries()].slice(0, -1).reverse()) {
		if (found.size >= wanted) break;
		const isAsBefore = !hasMoved && (await list.readPage(0, 1, stop)).total === totals[index];
		if (!isAsBefore) await read(list, totals[index]);
	}
	return [...found.values()].slice(0, wanted);
}

/**
 * Reads lists as {@link readLists} does, but keeps only the key of each record, for results that do not need all
 * records at once.
 * @param visit called for each record of each page as it arrives, more than once for some; what it throws ends the
 * reading
 * @throws RequestFailure as `readList` does; what was visited by then is incomplete
 */
export async function visitLists(
	lists: ReadPage[],
	visit: (record: IDataObject) => void,
	atOnce = 1,
	stop?: StopSignal,
): Promise<void> {
	const slim = (readPage: ReadPage): ReadPage => {
		return async (...request) => {
			const page = await readPage(...request);
			page.items.forEach(visit);
			return { ...page, items: page.items.map((record) => ({ id: keyOf(record) })) };
		};
	};
	await readLists(
		lists.map((readPage) => ({ readPage: slim(readPage) })),
		undefined,
		atOnce,
		stop,
	);
}
