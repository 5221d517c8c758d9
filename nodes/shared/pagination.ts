import type { IDataObject } from 'n8n-workflow';

import { readChangingList } from './changingList';
import { mapConcurrently } from './concurrency';
import type { ReadPage } from './pages';
import { isShort, PAGE_SIZE } from './pages';
import { keyOf, Records } from './records';
import type { StopSignal } from './stop';

/** A list that only grew or shrank a little meanwhile is soon read again; one that keeps changing is not. */
const QUICK_READS = 2;

/**
 * Reads a list: the whole of it, or the first records up to a limit.
 *
 * A quiet list costs exactly ceil(n / page size) requests, all after the first at the same time. Where the pages show
 * that the list changed under way, it is read again, at last in a way that finds every record that was listed all the time.
 * @param wanted how many records at most
 * @param atOnce how many pages at the same time
 * @param stop ends all waiting
 * @returns the records in the order of the list, none twice
 * @throws RequestFailure also when the service gives fewer records than it announces: a short list is no success
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
	/** Whether the list had another length on a later page */
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
	// One after the other, and none after a page that is short or was there before: the total may be anything
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
