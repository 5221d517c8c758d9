import type { IDataObject } from 'n8n-workflow';

import { Records } from '../records';
import { MOST_AT_ONCE } from '../request/credential';
import { mapConcurrently } from '../request/mapConcurrently';
import { PAGE_SIZE, type ReadPage } from './pages';

interface ReadingOptions {
	/** How many records to ask for first; 0 for a full page */
	firstPage?: number;
	end?: number;
	signal?: AbortSignal | undefined;
}

/** If records repeat more often than this on average, the service ignores `offset`. */
const MOST_TIMES = 10;

/**
 * Reads each page of a list once: the first page, then the others concurrently. If a page is smaller than asked for, another
 * request gets the rest. If the last page is full, one more page is read.
 * @returns the records in order, possibly with duplicates; the size of the largest page; the total; and `isSteady`: whether the
 * total stayed the same, no page before the end was empty, and `offset` had an effect. If not, reading stops early
 */
export async function readOnce(readPage: ReadPage, options: ReadingOptions = {}) {
	const { firstPage = 0, end = Infinity, signal } = options;
	const different = new Records();
	let total = Infinity;
	let count = 0;
	let pageSize = 1;
	let isSteady = true;
	let isLastFull = false;
	const readFrom = async (start: number, pageEnd: number, readSignal = signal) => {
		const records: IDataObject[] = [];
		for (let offset = start; isSteady && offset < Math.min(pageEnd, total); ) {
			const limit = pageEnd - offset;
			const page = await readPage(offset, limit, readSignal);
			records.push(...page.items);
			different.add(page.items);
			offset += page.items.length;
			count += page.items.length;
			pageSize = Math.max(pageSize, page.items.length);
			const isSame = (total === Infinity || total === page.total) && offset <= page.total;
			const isFilled = page.items.length > 0 || page.total === 0;
			isSteady &&= isSame && isFilled && count <= MOST_TIMES * different.size;
			total = page.total;
			if (offset === total) isLastFull = page.items.length >= Math.min(limit, page.size || limit);
		}
		return records;
	};
	const firstEnd = Math.min(end, firstPage || PAGE_SIZE);
	const first = await readFrom(0, firstEnd);
	function* starts() {
		for (let start = firstEnd; isSteady && start < Math.min(end, total); start += PAGE_SIZE) {
			yield start;
		}
	}
	const readPart = async (start: number, readSignal: AbortSignal) =>
		await readFrom(start, Math.min(start + PAGE_SIZE, end), readSignal);
	const others = await mapConcurrently(starts(), MOST_AT_ONCE, readPart, signal);
	const records = first.concat(...others);
	// The total may be too low: look behind a full last page
	if (isSteady && isLastFull && total < end) {
		const next = await readPage(total, PAGE_SIZE, signal);
		isSteady = next.items.length === 0 && next.total === total;
		records.push(...next.items);
		total = next.total;
	}
	return { records, pageSize, total, isSteady };
}
