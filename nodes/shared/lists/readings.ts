import type { IDataObject } from 'n8n-workflow';

import { mapConcurrently } from '../request/mapConcurrently';
import type { Page, ReadPage } from './pages';
import { PAGE_SIZE } from './pages';
import { keyOf, Records } from './records';

interface ReadingPlan {
	readPage: ReadPage;
	/** The page size that the service applies, as far as known */
	size: number;
	/** Which fraction of a page the first one has; 0 for a whole page */
	shift: number;
	/** How many records to read, if there are so many */
	end: number;
	atOnce: number;
	stop?: AbortSignal | undefined;
}

type Reading = Awaited<ReturnType<typeof readOnce>>;

/** Equal records may come on the same page again by chance, but not so many in a row. */
const UNMISTAKABLE = 5;

/**
 * Reads a list, or its first records, in pages that meet. A page may be smaller than asked: then what it lacks is read on
 * after it.
 * @returns the pages, and whether they are quiet: full, and with the same total. If not, the reading ended early
 */
export async function readOnce({ readPage, shift, atOnce, stop, ...plan }: ReadingPlan) {
	const seen = new Set<string>();
	const totals = new Set<number>();
	let again = 0;
	let isQuiet = true;
	const read = async (offset: number, limit: number, scope = stop): Promise<Page> => {
		const page = await readPage(offset, limit, scope);
		const keys = page.items.map(keyOf);
		const isEmpty = keys.length === 0 && page.total > 0;
		const isTooLong = offset + keys.length > page.total;
		isQuiet &&= totals.add(page.total).size === 1 && !isEmpty && !isTooLong;
		// The same page again and again: the service ignores the offset
		again = seen.has(keys.join()) ? again + keys.length : 0;
		seen.add(keys.join());
		isQuiet &&= again < UNMISTAKABLE;
		return page;
	};
	const asked = Math.min(plan.end, Math.ceil(shift * plan.size) || plan.size);
	const { total, items } = await read(0, asked);
	const end = Math.min(plan.end, total);
	const isSmaller = items.length > 0 && items.length < Math.min(asked, end);
	const size = isSmaller ? items.length : plan.size;
	function* offsets() {
		for (let offset = items.length; offset < end && isQuiet; offset += size) yield offset;
	}
	const readPart = async (offset: number, _index: number, scope: AbortSignal) => {
		const pages: IDataObject[][] = [];
		const partEnd = Math.min(offset + size, plan.end);
		while (offset < Math.min(partEnd, total) && isQuiet) {
			const page = await read(offset, partEnd - offset, scope);
			pages.push(page.items);
			offset += page.items.length;
		}
		return pages;
	};
	const parts = await mapConcurrently(offsets(), atOnce, readPart, stop);
	return { pages: [items, ...parts.flat()], total, size, isQuiet };
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
	let [shortest, longest] = [Infinity, 0];
	for (let offset = 0, known = -1; records.size > known && offset <= 2 * shortest; ) {
		const { total, items } = await readPage(offset, PAGE_SIZE, stop);
		const isJoined = offset === 0 || items.slice(0, 1).some((record) => records.has(record));
		const end = offset + items.length;
		shortest = Math.min(shortest, total);
		longest = Math.max(longest, total);
		if (!isJoined || end > total) return undefined;
		known = records.size;
		records.add(items);
		if (records.size >= wanted) return records.all;
		if (end >= total) return records.size >= longest ? records.all : undefined;
		offset = end - Math.min(OVERLAP, Math.floor(items.length / 2));
	}
	return undefined;
}

/** The records of several readings of a list. */
export class Readings extends Records {
	total = Number.POSITIVE_INFINITY;

	count = 0;

	/** Whether a reading went to the end of the list */
	isToEnd = false;

	/** The first reading */
	private first?: { keys: string; boundary: number };

	/** Whether the list was the same, record by record, although its pages began elsewhere: then it has no ties */
	private isFixed = false;

	/** Where the records with a value begin, in the order of the list, by the field that it is ordered by */
	private readonly starts = new Map<unknown, number>();

	constructor(private readonly orderedBy = '') {
		super();
	}

	/** Whether the list has not changed: more records than it says would mean that too. */
	fits({ isQuiet, total, pages }: Reading): boolean {
		if (!isQuiet || (this.count > 0 && total !== this.total)) return false;
		return new Set([...this.all, ...pages.flat()].map(keyOf)).size <= total;
	}

	/** @param isOther whether the reading was in another order */
	take({ pages, total }: Reading, isOther = false): void {
		const records = pages.flat();
		const boundary = pages[0]?.length ?? 0;
		const keys = records.map(keyOf).join();
		this.total = total;
		this.count++;
		this.add(records);
		for (const [position, record] of isOther ? [] : records.entries()) {
			const value = record[this.orderedBy];
			this.starts.set(value, Math.min(position, this.starts.get(value) ?? position));
		}
		this.first ??= { keys, boundary };
		if (records.length < total) return;
		this.isToEnd = true;
		const isElsewhere = pages.length === 1 || boundary !== this.first.boundary;
		this.isFixed ||= isElsewhere && keys === this.first.keys;
	}

	/** Whether there are as many records as the service says, or the list itself repeats some. */
	get isWhole(): boolean {
		return this.size === this.total || this.isFixed;
	}

	/**
	 * Whether the first records of the list were found: as many as wanted, and all of those whose values come before the last
	 * one. Of that value, any will do, as they have no order.
	 */
	hasFirst(wanted: number): boolean {
		if (this.size < wanted || this.count === 1) return this.size >= wanted;
		const groups = this.groups();
		const starts = [...groups.slice(1).map(({ start }) => start), Infinity];
		let sum = 0;
		for (const [index, { start, records }] of groups.entries()) {
			sum += records.length;
			if (sum >= wanted) return true;
			if (start + records.length < (starts[index] ?? 0)) return false;
		}
		return false;
	}

	/** @returns the records of the first reading in its order, each later find behind those with the same value */
	inOrder(): IDataObject[] {
		return this.count > 1 ? this.groups().flatMap(({ records }) => records) : this.all;
	}

	/** The records with the same value, and where they start, in the order of the list. */
	private groups() {
		const groups = new Map<unknown, { start: number; records: IDataObject[] }>();
		for (const record of this.all) {
			const value = record[this.orderedBy];
			const group = groups.get(value) ?? {
				start: this.starts.get(value) ?? this.total,
				records: [],
			};
			group.records.push(record);
			groups.set(value, group);
		}
		return [...groups.values()].sort((one, other) => one.start - other.start);
	}
}
