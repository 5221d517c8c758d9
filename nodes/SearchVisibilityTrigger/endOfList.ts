import type { IDataObject } from 'n8n-workflow';

import type { ReadPage } from '../shared/lists/pages';
import { PAGE_SIZE } from '../shared/lists/pages';
import { Records } from '../shared/lists/records';
import { mapConcurrently } from '../shared/request/mapConcurrently';
import type { OrderWatch } from './order';

/** The golden ratio: multiples of it spread the boundaries of pages evenly, however many readings there are. */
const SPREAD = (Math.sqrt(5) - 1) / 2;

export interface EndOptions {
	/** Older records are not needed, in milliseconds since 1970; undefined for the whole list */
	from: number | undefined;
	/** How many records the list had when it was last read */
	total: number | undefined;
	/** How many pages of a whole list to read at the same time */
	atOnce: number;
}

/**
 * A list that is sorted oldest first, read from its end. New records arrive behind what was read instead of shifting it,
 * and a database sorts everything once beyond the middle of a list, so records with the same time do not come twice.
 */
export class EndOfList {
	readonly records = new Records();

	total = 0;

	/** What was read, with the position of the first record */
	private readonly parts: Array<{ offset: number; items: IDataObject[] }> = [];

	constructor(
		private readonly readPage: ReadPage,
		private readonly watch: OrderWatch,
	) {}

	/**
	 * Reads back to the first record before `from`, one page after the other, or the whole list at full speed.
	 * @throws RequestFailure when a request fails
	 */
	async read({ from, total = 0, atOnce }: EndOptions): Promise<void> {
		const start = from === undefined ? 0 : Math.max(0, total - PAGE_SIZE);
		let reached = await this.readPart(start, PAGE_SIZE, from);
		if (from === undefined) return await this.readOn(PAGE_SIZE, atOnce);
		if (total > 0) await this.readOn(start + PAGE_SIZE, 1);
		let low = total > 0 ? Math.min(start, this.total) : this.total;
		// The first page of a list whose length was unknown may be its end
		if (total === 0 && this.total <= PAGE_SIZE) low = 0;
		else if (total === 0) reached = false;
		while (low > 0 && !reached) {
			const step = Math.min(PAGE_SIZE, low);
			low -= step;
			reached = await this.readPart(low, step, from);
		}
		// Records that have arrived in the meantime
		await this.readOn(this.end, 1);
	}

	/**
	 * Reads the records from a time on once more, with other boundaries between the pages.
	 * @param variation another number for other boundaries
	 * @throws RequestFailure when a request fails
	 */
	async readAgain(from: number, variation: number, atOnce: number): Promise<void> {
		const start = this.countBefore(from);
		const first = Math.ceil(((variation * SPREAD) % 1) * PAGE_SIZE) || PAGE_SIZE;
		await this.readPart(start, first);
		await this.readOn(start + first, atOnce);
	}

	/** @returns how many records from a time on, or without a time, the list has and were not read */
	missingFrom(from: number): number {
		const found = this.records.all.filter((record) => !this.isBefore(record, from)).length;
		return Math.max(0, this.total - this.countBefore(from) - found);
	}

	/** Whether the list was read to its other end too. */
	get isWhole(): boolean {
		return this.parts.some(({ offset }) => offset === 0) && this.records.size >= this.total;
	}

	/** How many records the list has before a time: their positions tell, even if they were not read. */
	private countBefore(from: number): number {
		let count = 0;
		for (const { offset, items } of this.parts) {
			for (const [index, record] of items.entries()) {
				if (this.isBefore(record, from)) count = Math.max(count, offset + index + 1);
			}
		}
		return count;
	}

	private isBefore(record: IDataObject, from: number): boolean {
		return (this.watch.timeOf(record) ?? from) < from;
	}

	private get end(): number {
		return this.parts.reduce((end, { offset, items }) => Math.max(end, offset + items.length), 0);
	}

	private async readOn(start: number, atOnce: number): Promise<void> {
		const { total } = this;
		function* offsets() {
			for (let offset = start; offset < total; offset += PAGE_SIZE) yield offset;
		}
		await mapConcurrently(offsets(), atOnce, async (at) => await this.readPart(at, PAGE_SIZE));
	}

	/**
	 * Reads a part of the list; a page may be smaller than asked.
	 * @returns whether it has a record before `from`
	 */
	private async readPart(offset: number, limit: number, from?: number): Promise<boolean> {
		let reached = false;
		for (let at = offset; at < offset + limit; ) {
			const { total, items } = await this.readPage(at, offset + limit - at);
			this.total = total;
			this.watch.look(items);
			this.records.add(items);
			this.parts.push({ offset: at, items });
			reached ||= from !== undefined && items.some((record) => this.isBefore(record, from));
			at += items.length;
			if (items.length === 0 || at >= total) break;
		}
		return reached;
	}
}
