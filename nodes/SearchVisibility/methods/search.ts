import type { IDataObject } from 'n8n-workflow';

import type { ReadPage } from '../../shared/lists/pages';
import { PAGE_SIZE } from '../../shared/lists/pages';
import { mapConcurrently } from '../../shared/request/mapConcurrently';
import type { StopSignal } from '../../shared/request/stop';

/**
 * The editor loads more when somebody scrolls to the end of the list, so there must be enough to scroll. It loads more
 * of a shorter list only if no filter is set.
 */
const ENOUGH = 25;

/** How many pages to read at the same time; more would be read in vain once there is enough. */
const AT_ONCE = 10;

/** After this time, in milliseconds, what was found is better than a longer wait. */
const SEARCH_TIME = 10_000;

/** One of the readings of which a search consists. */
export interface Part {
	query: IDataObject;
	/** Which of the records to offer */
	fits: (record: IDataObject) => boolean;
	/** Reads what an earlier part has read; only necessary if a list lacked records */
	isAgain?: boolean;
	/** Only necessary if nothing was found before */
	isFallback?: boolean;
}

/** Reads lists until there is enough to offer, the time is up, or everything was read. */
export class Search {
	private readonly found = new Map<unknown, IDataObject>();

	private readonly end = performance.now() + SEARCH_TIME;

	/** What ended the search early */
	failure?: unknown;

	/** How many records were found, with those of the pages that are just being read */
	private count = 0;

	/** Whether a list had fewer different records than it announced, as it can if records tie for a place */
	private lacksRecords = false;

	/** @param part,offset where an earlier search ended */
	constructor(
		private readonly parts: Part[],
		private part = 0,
		private offset = 0,
	) {}

	/** Where another search can go on. */
	get token(): string {
		return `${this.part}:${this.offset}`;
	}

	get isAtEnd(): boolean {
		return this.parts.slice(this.part).every((part) => this.isDone(part));
	}

	/** @returns the records in the order of the lists; those that were found before, if reading fails */
	async run(pagesFor: (query: IDataObject) => ReadPage): Promise<IDataObject[]> {
		try {
			for (let part = this.parts[this.part]; part && !this.isOver; part = this.parts[this.part]) {
				const isWhole = this.isDone(part) || (await this.read(part, pagesFor(part.query)));
				if (!isWhole) break;
				this.part++;
				this.offset = 0;
			}
		} catch (error) {
			this.failure = error;
		}
		return [...this.found.values()];
	}

	private get isOver(): boolean {
		return this.count >= ENOUGH || performance.now() > this.end;
	}

	private isDone({ isAgain = false, isFallback = false }: Part): boolean {
		return (isAgain && !this.lacksRecords) || (isFallback && this.found.size > 0);
	}

	/** @returns whether the list was read to its end */
	private async read({ fits, isAgain = false }: Part, readPage: ReadPage): Promise<boolean> {
		const start = this.offset;
		// Where records tie, other boundaries between the pages show other records
		const wanted = isAgain ? PAGE_SIZE / 2 : PAGE_SIZE;
		const first = await readPage(start, wanted);
		const ids = new Set<unknown>();
		const hits: IDataObject[][] = [];
		const take = (items: IDataObject[], index: number) => {
			for (const item of items) ids.add(idOf(item));
			const fitting = items.filter((item) => fits(item) && !this.found.has(idOf(item)));
			this.count += fitting.length;
			hits[index] = fitting;
		};
		take(first.items, 0);
		const size = first.items.length < wanted ? first.items.length : PAGE_SIZE;
		const end = size > 0 ? first.total : start;
		let next = start + first.items.length;
		const isOver = () => this.isOver;
		function* offsets() {
			for (; next < end && !isOver(); next += size) yield next;
		}
		const unread = new Set<number>();
		try {
			await mapConcurrently(offsets(), AT_ONCE, async (offset, index, stop) => {
				unread.add(offset);
				const items = await readStretch(readPage, offset, Math.min(offset + size, end), stop);
				unread.delete(offset);
				take(items, index + 1);
			});
		} finally {
			this.offset = Math.min(next, ...unread);
			for (const record of hits.flat()) this.found.set(idOf(record), record);
		}
		const isWhole = next >= end;
		this.lacksRecords ||= isWhole && ids.size < end - start;
		return isWhole;
	}
}

const idOf = (record: IDataObject) => record.id ?? record;

/** Reads on after a page that is smaller than asked for. */
async function readStretch(readPage: ReadPage, from: number, to: number, stop: StopSignal) {
	const records: IDataObject[] = [];
	while (from + records.length < to) {
		const offset = from + records.length;
		const { items } = await readPage(offset, to - offset, stop);
		if (items.length === 0) break;
		records.push(...items);
	}
	return records;
}
