import type { IDataObject } from 'n8n-workflow';

import { readChangingList } from './changingList';
import { mapConcurrently } from './concurrency';
import type { ReadPage } from './pages';
import { isShort, PAGE_SIZE } from './pages';
import { keyOf, Records } from './records';
import type { StopSignal } from './stop';

/**
 * Reads a list: the whole of it, or the first records up to a limit.
 *
 * A quiet list costs exactly ceil(n / page size) requests, all after the first at the same time. Where the pages show
 * that the list changed under way, it is read again in a way that finds every record that was listed all the time.
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
	const first = await readPage(0, Math.min(wanted, PAGE_SIZE), stop);
	const expected = Math.min(wanted, first.total);
	let isQuiet = !isShort({ ...first, total: expected }, 0);
	const records = new Records(wanted);
	records.add(first.items);
	const starts = new Set(first.items.slice(0, 1).map(keyOf));
	// One after the other, and none after a page that is short or was there before: the total may be anything
	function* offsets() {
		for (let offset = first.size; offset < expected && isQuiet; offset += first.size) yield offset;
	}
	const readOn = async (offset: number, _index: number, scope: StopSignal) => {
		const page = await readPage(offset, Math.min(expected - offset, first.size), scope);
		const isNew = page.items.slice(0, 1).every((record) => !starts.has(keyOf(record)));
		isQuiet &&=
			isNew && page.total === first.total && !isShort({ ...page, total: expected }, offset);
		for (const record of page.items.slice(0, 1)) starts.add(keyOf(record));
		return page.items;
	};
	const pages = await mapConcurrently(offsets(), atOnce, readOn, stop);
	for (const items of pages) records.add(items);
	if (isQuiet && records.all.length === expected) return records.all;
	return await readChangingList(readPage, wanted, stop);
}
