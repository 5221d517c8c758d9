import type { IDataObject } from 'n8n-workflow';

import { REQUEST_DEFAULTS } from '../request/client';
import { keyOf, Records } from '../records';
import { mapConcurrently } from '../request/mapConcurrently';
import type { ReadPage } from './pages';
import { PAGE_SIZE } from './pages';

interface ReadingOptions {
	/** Which fraction of a page the first one has; 0 for a whole page */
	shift?: number;
	/** How many records the service puts on a page, if it is known */
	pageSize?: number;
	/** How many records to read, if there are so many */
	end?: number;
	stop?: AbortSignal | undefined;
}

type Reading = Awaited<ReturnType<typeof readOnce>>;

/** If records come more often than this on average, the service ignores where a page starts: ties do not repeat so much. */
const MOST_TIMES = 10;

/**
 * Reads a list, or its first records, in pages that meet. A page may be smaller than asked: then what it lacks is read on
 * after it.
 * @returns the records in order, some of them twice if they tie; where pages began, and how many records the longest had;
 * whether they were quiet: full, and with the same total. If not, the reading ended early
 */
export async function readOnce(readPage: ReadPage, options: ReadingOptions = {}) {
	const { shift = 0, pageSize = PAGE_SIZE, end = Infinity, stop } = options;
	const seen = new Records();
	const begins = new Set<number>();
	let [total, count, longest, isQuiet] = [Infinity, 0, 1, true];
	const readPart = async (start: number, partEnd: number, scope = stop) => {
		const records: IDataObject[] = [];
		for (let offset = start; isQuiet && offset < Math.min(partEnd, total); ) {
			const { items, ...page } = await readPage(offset, partEnd - offset, scope);
			begins.add(offset);
			records.push(...items);
			seen.add(items);
			offset += items.length;
			count += items.length;
			longest = Math.max(longest, items.length);
			const isSame = [Infinity, page.total].includes(total) && offset <= page.total;
			const isFull = items.length > 0 || page.total === 0;
			isQuiet &&= isSame && isFull && count <= MOST_TIMES * (seen.size + 2);
			({ total } = page);
		}
		return records;
	};
	const next = Math.min(end, Math.ceil(shift * pageSize) || PAGE_SIZE);
	const first = await readPart(0, next);
	function* starts() {
		for (let start = next; start < Math.min(end, total) && isQuiet; start += PAGE_SIZE) yield start;
	}
	const readAt = async (start: number, _index: number, scope: AbortSignal) =>
		await readPart(start, Math.min(start + PAGE_SIZE, end), scope);
	const others = await mapConcurrently(starts(), REQUEST_DEFAULTS.concurrency, readAt, stop);
	return { records: first.concat(...others), begins, pageSize: longest, total, isQuiet };
}

/** The records of several readings between which the list did not change. */
export class Readings extends Records {
	/** How many readings went to the end of the list */
	count = 0;
	/** Whether it was the same, record by record, although pages began elsewhere: then the list itself repeats some */
	isFixed = false;
	private total?: number;
	private first?: { keys: string; begins: Set<number> };
	/** Equal records share their places, so any place at which a record, or its value, was seen tells the order */
	private readonly places = new Map<unknown, number>();
	private readonly placesOfValues = new Map<unknown, number>();

	/** @param orderedBy the field by which the list is ordered */
	constructor(private readonly orderedBy = '') {
		super();
	}

	/** @returns whether the list has not changed: more records than its total would show that too */
	take({ records, begins, total, isQuiet }: Reading, isOtherOrder: boolean): boolean {
		this.total ??= total;
		this.add(records);
		if (!isQuiet || total !== this.total || this.size > total) return false;
		for (const [place, record] of isOtherOrder ? [] : records.entries()) {
			const key = keyOf(record);
			this.places.set(key, this.places.get(key) ?? place);
			this.placesOfValues.set(record[this.orderedBy], place);
		}
		if (records.length < total) return true;
		this.count++;
		const keys = records.map(keyOf).join();
		const { first } = this;
		this.first ??= { keys, begins };
		const moved = [...begins].filter((begin) => begin > 0 && !first?.begins.has(begin));
		this.isFixed ||= keys === first?.keys && 2 * moved.length >= begins.size - 1;
		return true;
	}

	/** @returns the records in the order of the list; those that were seen only in another order stand with their equals */
	inOrder(): IDataObject[] {
		const placeOf = (record: IDataObject) => {
			const { [this.orderedBy]: value } = record;
			const known = value === undefined ? undefined : this.placesOfValues.get(value);
			return this.places.get(keyOf(record)) ?? known ?? Number.MAX_VALUE;
		};
		const placed = this.all.map((record) => ({ record, place: placeOf(record) }));
		return placed.sort((a, b) => a.place - b.place).map(({ record }) => record);
	}
}
