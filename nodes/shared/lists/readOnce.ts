import type { IDataObject } from 'n8n-workflow';

import { Records } from '../records';
import { MOST_AT_ONCE } from '../request/credential';
import { mapConcurrently } from '../request/mapConcurrently';
import { type ListPage, PAGE_SIZE, type ReadPage } from './pages';

export interface ReadingBounds {
	/** How many records to ask for first; 0 for a full page */
	firstSize?: number;
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
export async function readOnce(readPage: ReadPage, bounds: ReadingBounds = {}) {
	const { firstSize = 0, end = Infinity, signal } = bounds;
	const scan = new Scan(readPage);
	const firstEnd = Math.min(end, firstSize || PAGE_SIZE);
	const first = await scan.read(0, firstEnd, signal);
	function* starts() {
		for (let start = firstEnd; scan.goesOnAt(start, end); start += PAGE_SIZE) yield start;
	}
	const readPart = async (start: number, partSignal: AbortSignal) =>
		await scan.read(start, Math.min(start + PAGE_SIZE, end), partSignal);
	// The gate applies the limit of the credential, which is at most this one
	const others = await mapConcurrently(starts(), MOST_AT_ONCE, readPart, signal);
	const records = first.concat(...others);
	let { isSteady, total } = scan;
	// The total may be too low: look behind a full last page
	if (isSteady && scan.isLastPageFull && total < end) {
		const next = await readPage(total, PAGE_SIZE, signal);
		isSteady = next.items.length === 0 && next.total === total;
		records.push(...next.items);
		total = next.total;
	}
	return { records, pageSize: scan.pageSize, total, isSteady };
}

/** What the pages of one reading have told so far. Several parts of the list are read at the same time. */
class Scan {
	/** As the last page says; Infinity before the first one */
	total = Infinity;
	/** The size of the largest page */
	pageSize = 1;
	isSteady = true;
	/** Whether the page that ended at the total was as large as a page can be, so that more may follow */
	isLastPageFull = false;
	private count = 0;
	private readonly different = new Records();

	constructor(private readonly readPage: ReadPage) {}

	goesOnAt(offset: number, end: number): boolean {
		return this.isSteady && offset < Math.min(end, this.total);
	}

	/** Reads the records from `start` up to `end`. If a page is smaller than asked for, another request gets the rest. */
	async read(start: number, end: number, signal?: AbortSignal): Promise<IDataObject[]> {
		const records: IDataObject[] = [];
		let offset = start;
		while (this.goesOnAt(offset, end)) {
			const limit = end - offset;
			const page = await this.readPage(offset, limit, signal);
			records.push(...page.items);
			offset += page.items.length;
			this.learn(page, offset, limit);
		}
		return records;
	}

	/** @param end the offset behind the last record of the page */
	private learn({ items, total, size }: ListPage, end: number, limit: number): void {
		this.different.add(items);
		this.count += items.length;
		this.pageSize = Math.max(this.pageSize, items.length);
		const isSameTotal = (this.total === Infinity || this.total === total) && end <= total;
		const isFilled = items.length > 0 || total === 0;
		const hasOffsetWorked = this.count <= MOST_TIMES * this.different.size;
		this.isSteady &&= isSameTotal && isFilled && hasOffsetWorked;
		this.total = total;
		// A service may say that its pages are smaller than asked for
		if (end === total) this.isLastPageFull = items.length >= Math.min(limit, size || limit);
	}
}
