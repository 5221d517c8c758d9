import type { IDataObject } from 'n8n-workflow';

import { REQUEST_DEFAULTS } from '../parameters/requestOptions';
import { keyOf, Records } from '../records';
import { mapConcurrently } from '../request/mapConcurrently';
import type { ReadPage } from './pages';
import { PAGE_SIZE } from './pages';

/** Which records of a list to read. */
interface Part {
	/** Which fraction of a page the first one has; 0 for a whole page */
	shift?: number;
	/** How many records the service puts on a page */
	pageSize?: number | undefined;
	/** How many records to read, if there are so many */
	end: number;
	stop?: AbortSignal | undefined;
}

type Reading = Awaited<ReturnType<typeof readOnce>>;

/** If records come more often than this on average, the service ignores where a page starts: ties do not repeat so much. */
const MOST_TIMES = 10;

/**
 * Reads a list, or its first records, in pages that meet. A page may be smaller than asked: then what it lacks is read on
 * after it.
 * @returns the records, where the pages began, how many records the service puts on one, and whether they were quiet: full,
 * and with the same total. If not, the reading ended early
 */
export async function readOnce(readPage: ReadPage, part: Part) {
	const { shift = 0, pageSize = PAGE_SIZE, end, stop } = part;
	const boundary = Math.min(end, Math.ceil(shift * pageSize) || pageSize);
	const seen = new Records();
	const begins = new Set<number>();
	let smaller = 0;
	let [total, count, isQuiet] = [Infinity, 0, true];
	const readPart = async (start: number, partEnd: number, scope = stop) => {
		const records: IDataObject[] = [];
		for (let offset = start; isQuiet && offset < Math.min(partEnd, total); ) {
			const { items, ...page } = await readPage(offset, partEnd - offset, scope);
			begins.add(offset);
			if (total === Infinity) total = page.total;
			if (items.length < Math.min(partEnd, total) - offset)
				smaller = Math.max(smaller, items.length);
			records.push(...items);
			seen.add(items);
			offset += items.length;
			count += items.length;
			const isFull = items.length > 0 || total === 0;
			const isNew = count <= MOST_TIMES * (seen.size + 2);
			isQuiet &&= isFull && isNew && page.total === total && offset <= total;
		}
		return records;
	};
	const first = await readPart(0, boundary);
	function* starts() {
		for (let start = boundary; start < Math.min(end, total) && isQuiet; start += PAGE_SIZE)
			yield start;
	}
	const readAt = async (start: number, _index: number, scope: AbortSignal) =>
		await readPart(start, Math.min(start + PAGE_SIZE, end), scope);
	const others = await mapConcurrently(starts(), REQUEST_DEFAULTS.concurrency, readAt, stop);
	const records = first.concat(...others);
	return { records, begins, pageSize: smaller || pageSize, total, isQuiet };
}

/** How many records two neighboring pages share, at most half of them. */
const OVERLAP = 25;

/**
 * Reads a list that changes in the meantime, one page after the other. Each page overlaps the one before and has to start
 * with a record of it, so every record that is listed the whole time is found, however the others shift.
 * @returns the records in the order of the list; undefined if the list has shifted by more than the overlap, or if they are
 * fewer than it had at any time in the meantime, which could mean that one of them moved up behind the reader
 */
export async function readOverlapping(readPage: ReadPage, wanted: number, stop?: AbortSignal) {
	const records = new Records();
	const totals: number[] = [];
	for (let offset = 0, known = -1; records.size > known && offset <= 2 * Math.min(...totals); ) {
		const { total, items } = await readPage(offset, PAGE_SIZE, stop);
		const isJoined = offset === 0 || items.slice(0, 1).some((record) => records.has(record));
		const end = offset + items.length;
		if (!isJoined || end > total) return undefined;
		totals.push(total);
		known = records.size;
		records.add(items);
		// Fewer than their positions mean that others are hidden by ties, or came before them
		if (records.size >= Math.max(wanted, end)) return records.all;
		if (end === total) return records.size >= Math.max(...totals) ? records.all : undefined;
		offset = end - Math.min(OVERLAP, Math.floor(items.length / 2));
	}
	return undefined;
}

/** The records of several readings of a list. */
export class Readings extends Records {
	total = Infinity;
	count = 0;
	/** Whether a reading went to the end of the list */
	isToEnd = false;
	/** The first reading */
	private first?: { keys: string; begins: Set<number>; length: number };
	/** Whether the list was the same, record by record, although its pages began elsewhere: then it has no ties */
	private isFixed = false;
	/** Where the records with the same values begin, in the order of the list */
	private readonly starts = new Map<string, number>();
	/** Whether records have the values by which the list is ordered; if not, only their places tell the order */
	private isShown = true;

	constructor(private readonly orderedBy: string[] = []) {
		super();
	}

	/** Whether the list has not changed: more records than it says would mean that too. */
	fits({ isQuiet, total, records }: Reading): boolean {
		if (!isQuiet || (this.count > 0 && total !== this.total)) return false;
		return new Set([...this.all, ...records].map(keyOf)).size <= total;
	}

	/** @param isOther whether the reading was in another order */
	take({ records, total, begins }: Reading, isOther = false): void {
		const keys = records.map(keyOf).join();
		this.total = total;
		this.count++;
		this.add(records);
		this.isShown = this.orderedBy.every((field) => records.some((record) => field in record));
		for (const [position, record] of isOther ? [] : records.entries()) {
			const values = this.valuesOf(record);
			this.starts.set(values, Math.min(position, this.starts.get(values) ?? position));
		}
		const { first } = this;
		this.first ??= { keys, begins, length: records.length };
		if (records.length < total) return;
		this.isToEnd = true;
		const isElsewhere = [...begins].every((begin) => begin === 0 || !first?.begins.has(begin));
		this.isFixed ||= isElsewhere && keys === first?.keys;
	}

	/** Whether there are as many records as the service says, or the list itself repeats some. */
	get isWhole(): boolean {
		return this.size === this.total || this.isFixed;
	}

	/**
	 * Whether the first records of the list were found: as many as wanted, and all of those whose values come before the last
	 * one. Of that value, any will do, as they have no order. Without values, nobody can tell before the list is whole.
	 */
	hasFirst(wanted: number): boolean {
		if (this.size < wanted) return false;
		if (this.count === 1 && this.size === this.first?.length) return true;
		const first = this.ranked().slice(0, wanted);
		return this.isShown && first.every(({ start }, index) => start <= index);
	}

	/** @returns the records of the first reading in its order, each later find behind those with the same values */
	inOrder(): IDataObject[] {
		return this.count === 1 ? this.all : this.ranked().map(({ record }) => record);
	}

	/** The records, and where those with the same values start, in the order of the list. */
	private ranked() {
		const startOf = (record: IDataObject) => this.starts.get(this.valuesOf(record)) ?? this.total;
		const ranked = this.all.map((record) => ({ record, start: startOf(record) }));
		return ranked.sort((one, other) => one.start - other.start);
	}

	private valuesOf(record: IDataObject): string {
		const values = this.orderedBy.map((field) => record[field]);
		return JSON.stringify(this.isShown ? values : keyOf(record));
	}
}
