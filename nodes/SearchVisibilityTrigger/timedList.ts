import type { IDataObject } from 'n8n-workflow';

import type { Page, ReadPage } from '../shared/lists/pages';
import { PAGE_SIZE } from '../shared/lists/pages';
import type { List } from '../shared/lists/readList';
import { readOnce } from '../shared/lists/readings';
import type { ListedRecord } from './listedRecord';
import type { Order } from './state';

/** This many steps in one direction within pages and none in the other happen by chance once in 3,000,000 times. */
const PROOF = 10;

/**
 * A list of records with times. It watches in which order they come, and where: in a list that is sorted by time, the
 * positions of older records tell how many newer ones there must be, even if some of them were not found.
 */
export class TimedList {
	total = 0;
	/** Each record as it was listed last, and where, unless it was found from the other end */
	private readonly byId = new Map<string, { one: ListedRecord; position?: number }>();
	/** All places of records with a time: those of equal ones change from page to page */
	private readonly places: Array<{ position: number; time: number }> = [];
	/** Behind the last record that was read */
	private end = 0;
	private rises = 0;
	private falls = 0;
	/** Whether records have moved up, or down because others came before them: then positions prove nothing */
	private hasMoved = false;

	/**
	 * @param newestFirst reads the list in the opposite order, if `source` asks for the oldest first; otherwise, the service
	 * may keep the newest first without saying so
	 */
	constructor(
		private readonly source: ReadPage,
		private readonly listedFrom: (record: IDataObject) => ListedRecord,
		private readonly newestFirst?: ReadPage,
	) {}

	get listed(): ListedRecord[] {
		return [...this.byId.values()].map(({ one }) => one);
	}

	/** What the times show about the order that the service was asked for. */
	get order(): Order {
		if (!this.newestFirst) return undefined;
		if (this.falls > 0) return 'unsorted';
		return this.rises >= PROOF ? 'sorted' : undefined;
	}

	/** Whether positions tell what is missing. */
	get isInOrder(): boolean {
		return this.newestFirst ? this.falls === 0 : this.rises === 0 && this.falls >= PROOF;
	}

	/** The latest time of a record, in milliseconds since 1970; 0 if there is none. */
	get newest(): number {
		return this.places.reduce((newest, { time }) => Math.max(newest, time), 0);
	}

	/**
	 * @returns how many records from a time on, or without a time beside them, the sorted list has and were not found; at
	 * least one if that is uncertain
	 */
	missingFrom(from: number): number {
		const [start, end] = this.newestFirst
			? [this.startOf(from), this.total]
			: [0, this.positionsBefore(from).reduce((a, b) => Math.min(a, b), this.total)];
		const found = [...this.byId.values()].filter(({ one: { time }, position = start }) =>
			time === undefined ? position >= start && position < end : time >= from,
		);
		return Math.max(this.hasMoved ? 1 : 0, end - start - found.length);
	}

	/** @returns the position behind the last record from before `from`, in a list that is sorted oldest first */
	startOf(from: number): number {
		return this.positionsBefore(from).reduce((last, position) => Math.max(last, position + 1), 0);
	}

	private positionsBefore(from: number): number[] {
		return this.places.filter(({ time }) => time < from).map(({ position }) => position);
	}

	/** @returns the list from a position on, as if it began there; it is watched. Also in the opposite order, if there is one */
	from(start: number): List {
		const readPage: ReadPage = async (offset, limit, stop) => {
			const page = await this.source(start + offset, limit, stop);
			this.watch(page, start + offset);
			return { total: page.total - start, items: page.items };
		};
		const { newestFirst } = this;
		if (!newestFirst) return { readPage };
		const backwards: ReadPage = async (offset, limit, stop) => {
			const page = await newestFirst(offset, limit, stop);
			const total = page.total - start;
			const items = page.items.slice(0, Math.max(0, total - offset));
			for (const one of items.map(this.listedFrom)) this.byId.set(one.id, { one });
			return { total, items };
		};
		return { readPage, otherOrders: [backwards] };
	}

	private watch({ total, items }: Page, start: number): void {
		const isLonger = this.end > 0 && total > this.total;
		this.hasMoved ||= total < this.total || (isLonger && !this.newestFirst);
		this.total = total;
		this.end = Math.max(this.end, start + items.length);
		// Each page by itself, because records that move in the meantime do not change the order within a page
		let last: number | undefined;
		for (const [index, record] of items.entries()) {
			const one = this.listedFrom(record);
			const { id, time } = one;
			const position = start + index;
			this.byId.set(id, { one, position });
			if (time === undefined) continue;
			this.places.push({ position, time });
			if (last !== undefined && time > last) this.rises++;
			if (last !== undefined && time < last) this.falls++;
			last = time;
		}
	}

	/**
	 * Reads a list that is sorted oldest first back from its end to the first record before `from`, one page after the
	 * other. New records arrive behind what was read instead of shifting it, and a database sorts everything once beyond
	 * the middle of a list, so records with the same time do not come twice.
	 * @param from in milliseconds since 1970
	 * @param known how many records the list had when it was last read
	 * @throws RequestFailure when a request fails
	 */
	async readBack(from: number, known: number): Promise<void> {
		const readPart = async (start: number, end: number) =>
			await readOnce(this.from(start).readPage, { end });
		let low = Math.max(0, known - PAGE_SIZE);
		await readPart(low, PAGE_SIZE);
		low = Math.min(low, this.total);
		while (low > 0 && this.startOf(from) <= low) {
			const step = Math.min(PAGE_SIZE, low);
			low -= step;
			await readPart(low, step);
		}
		// Records that have arrived since it was last read
		if (this.end < this.total) await readPart(this.end, Infinity);
	}
}
