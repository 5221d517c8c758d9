import type { IDataObject } from 'n8n-workflow';

import { readChangingList } from './changingList';
import { mapConcurrently } from '../request/mapConcurrently';
import type { ReadPage } from './pages';
import { isShort, PAGE_SIZE } from './pages';
import { keyOf, Records } from './records';
import type { StopSignal } from '../request/stop';

/**
 * How often a list is read at full speed. One that changed only briefly is soon complete; one that keeps changing is
 * not.
 */
const QUICK_READS = 2;

/**
 * Reads a whole list, or its first records up to a limit.
 *
 * A list that does not change costs exactly ceil(n / page size) requests; after the first one, all run at the same
 * time. If the pages show that the list changed in between, it is read again, and finally in a way that finds every
 * record that was listed the whole time.
 * @param wanted maximum number of records
 * @param atOnce how many pages to read at the same time
 * @param stop ends all waits
 * @returns the records in the order of the list, without duplicates
 * @throws RequestFailure, also when the service returns fewer records than it announces: an incomplete list is not a
 * success
 */
export async function readList(
	readPage: ReadPage,
	wanted = Number.POSITIVE_INFINITY,
	atOnce = 1,
	stop?: StopSignal,
): Promise<IDataObject[]> {
	for (let count = 0; count < QUICK_READS; count++) {
		const { records, isWhole, hasMoved } = await readQuickly(readPage, wanted, atOnce, stop);
		if (isWhole) return records;
		if (!hasMoved) break;
	}
	return await readChangingList(readPage, wanted, stop);
}

interface QuickRead {
	records: IDataObject[];
	isWhole: boolean;
	/** Whether the total was different on a later page */
	hasMoved: boolean;
}

async function readQuickly(
	readPage: ReadPage,
	wanted: number,
	atOnce: number,
	stop?: StopSignal,
): Promise<QuickRead> {
	const first = await readPage(0, Math.min(wanted, PAGE_SIZE), stop);
	const expected = Math.min(wanted, first.total);
	const starts = new Set(first.items.slice(0, 1).map(keyOf));
	let isQuiet = !isShort({ ...first, total: expected }, 0);
	let hasMoved = false;
	// One after the other, and none after a page that is short or repeats an earlier one: the total may be wrong
	function* offsets() {
		for (let offset = first.size; offset < expected && isQuiet; offset += first.size) yield offset;
	}
	const readOn = async (offset: number, _index: number, scope: StopSignal) => {
		const page = await readPage(offset, Math.min(expected - offset, first.size), scope);
		const isNew = page.items.slice(0, 1).every((record) => !starts.has(keyOf(record)));
		for (const record of page.items.slice(0, 1)) starts.add(keyOf(record));
		hasMoved ||= page.total !== first.total;
		isQuiet &&= isNew && !hasMoved && !isShort({ ...page, total: expected }, offset);
		return page.items;
	};
	const pages = await mapConcurrently(offsets(), atOnce, readOn, stop);
	const records = new Records(wanted);
	for (const items of [first.items, ...pages]) records.add(items);
	const isWhole = isQuiet && records.all.length === expected;
	return { records: records.all, isWhole, hasMoved };
}
