import type { IDataObject } from 'n8n-workflow';

import type { StopSignal } from '../request/stop';
import type { ReadPage } from './pages';
import { PAGE_SIZE } from './pages';
import { Records } from './records';

/** How many records two neighboring pages share. */
const OVERLAP = 10;

/**
 * Reads a list that changes in the meantime, one page after the other. Each page overlaps the one before, so every
 * record that is listed the whole time is found, however the others shift. A page counts only if it starts with a record
 * that is already known, or is the first one. Otherwise, the list has moved up by more than the overlap, and the reader
 * steps back.
 * @returns the records in the order of the list; undefined if they are fewer than the list had at any time in the
 * meantime, which could mean that one of them moved up behind the reader, or if it takes far more requests than the list
 * has pages
 */
export async function readOverlapping(
	readPage: ReadPage,
	wanted: number,
	stop?: StopSignal,
): Promise<IDataObject[] | undefined> {
	const records = new Records();
	let offset = 0;
	let step = OVERLAP;
	let least = Number.POSITIVE_INFINITY;
	let most = 0;
	let lastTotal = 0;
	let size = 1;
	for (let requests = 1; ; requests++) {
		const { total, items } = await readPage(offset, PAGE_SIZE, stop);
		if (items.length > 0 && offset + items.length > total) return undefined;
		size = Math.max(size, items.length);
		const isUnmoved = total === lastTotal;
		lastTotal = total;
		least = Math.min(least, total);
		most = Math.max(most, total);
		const overlap = Math.max(0, Math.min(OVERLAP, items.length - 1));
		// Pages of one record cannot overlap; then an unchanged total has to be enough
		const isJoined = overlap === 0 ? isUnmoved : items.slice(0, 1).some((one) => records.has(one));
		if (offset === 0 || isJoined) {
			records.add(items);
			if (records.size >= wanted) return records.all;
			if (offset + items.length >= total) return records.size >= most ? records.all : undefined;
			if (items.length === 0) return undefined;
			offset += items.length - overlap;
			step = OVERLAP;
		} else {
			offset = Math.max(0, Math.min(offset, total) - step);
			step *= 2;
		}
		const pagesNeeded = Math.min(least, records.size) / Math.max(1, size - OVERLAP);
		if (requests > 10 + 3 * pagesNeeded) return undefined;
	}
}
