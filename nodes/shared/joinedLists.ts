import type { IDataObject } from 'n8n-workflow';

import type { ReadPage } from './pages';
import { readList } from './pagination';
import { keyOf } from './records';
import type { StopSignal } from './stop';

/** One of several lists that are read as one. */
export interface MarkedList {
	readPage: ReadPage;
	/** Fields that each record of this list gets */
	mark?: IDataObject;
}

/**
 * Reads several lists between which records move, one after the other, as safely as `readList` reads one.
 *
 * A record that moves on to a later list is found: either before it moves, or in the list that it moved to. A record that
 * moves back, to a list that was read already, makes that list longer. So at the end each list but the last is asked for
 * its total once more, and read again if that is another one, or if records moved on meanwhile.
 * @param lists in the order in which records usually move
 * @param wanted how many records at most, over all lists; once there are enough, no more lists are read
 * @returns the records, list by list, none twice; one that was read in two lists has the mark of the list where it was read
 * last
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
	 * @returns how many records the list has; where there are enough, how many of them were read
	 */
	const read = async ({ readPage, mark = {} }: MarkedList, known = 0): Promise<number> => {
		for (let asked = known + wanted - found.size; ; asked *= 2) {
			const records = await readList(readPage, asked, atOnce, stop);
			for (const record of records) found.set(keyOf(record), Object.assign(record, mark));
			// What was found in another list leaves room for more of this one
			if (found.size >= wanted || records.length < asked) return records.length;
		}
	};
	const totals: number[] = [];
	for (const list of lists) if (found.size < wanted) totals.push(await read(list));
	// A record that was found twice has moved on, and another one may have come in its place
	const hasMoved = totals.reduce((sum, total) => sum + total, 0) > found.size;
	for (const [index, list] of [...lists.entries()].slice(0, -1).reverse()) {
		if (found.size >= wanted) break;
		const isAsBefore = !hasMoved && (await list.readPage(0, 1, stop)).total === totals[index];
		if (!isAsBefore) await read(list, totals[index]);
	}
	return [...found.values()].slice(0, wanted);
}

/**
 * Reads lists as {@link readLists} does, but keeps no more of a record than its key: for what is computed from records and
 * does not need all of them at once.
 * @param visit is told of each record of each page as it arrives, of some more than once; what it throws ends the reading
 * @throws RequestFailure as `readList` does; what was visited by then is not the whole
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
