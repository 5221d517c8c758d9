import type { IDataObject } from 'n8n-workflow';

import type { ReadPage } from '../shared/lists/pages';
import { PAGE_SIZE } from '../shared/lists/pages';
import { shiftOf } from '../shared/lists/readList';
import { Records } from '../shared/lists/records';
import { mapConcurrently } from '../shared/request/mapConcurrently';
import { timeOf } from '../shared/times';

/** This many steps in one direction within pages and none in the other happen by chance once in 3,000,000 times. */
const PROOF = 10;

/**
 * A list of records with times. It watches in which order they come, and where: in a list that is sorted by time, the
 * positions of older records tell how many newer ones there must be, even if some of them were not found.
 */
export class TimedList {
	readonly records = new Records();

	total = 0;

	/** Behind the last record that was read */
	end = 0;

	private rises = 0;

	private falls = 0;

	/** In milliseconds since 1970 */
	private readonly times = new Map<IDataObject, number | undefined>();

	/** Where the records with a time were */
	private readonly places: Array<{ position: number; time: number }> = [];

	/**
	 * @param opposite reads the list newest first, if the service can
	 * @param known how many records the list had when it was last read; 0 if that is unknown
	 */
	constructor(
		private readonly source: ReadPage,
		private readonly timeField: string,
		private readonly known: number,
		private readonly opposite?: ReadPage,
	) {}

	/** Reads a page like the source, and watches it. */
	readonly readPage: ReadPage = async (offset, limit, stop) => {
		const page = await this.source(offset, limit, stop);
		this.total = page.total;
		this.end = Math.max(this.end, offset + page.items.length);
		this.records.add(page.items);
		// Each page by itself, because records that move in the meantime do not change the order within a page
		let last: number | undefined;
		for (const [index, item] of page.items.entries()) {
			const time = this.timeOf(item);
			if (time === undefined) continue;
			this.places.push({ position: offset + index, time });
			if (last !== undefined && time > last) this.rises++;
			if (last !== undefined && time < last) this.falls++;
			last = time;
		}
		return page;
	};

	/** @returns the time of a record, in milliseconds since 1970; undefined if it has none */
	timeOf(record: IDataObject): number | undefined {
		if (!this.times.has(record)) this.times.set(record, timeOf(record[this.timeField]));
		return this.times.get(record);
	}

	/** Whether the oldest come first, as far as the times show. */
	get isRising(): boolean {
		return this.falls === 0;
	}

	get isProvedRising(): boolean {
		return this.falls === 0 && this.rises >= PROOF;
	}

	get isProvedFalling(): boolean {
		return this.rises === 0 && this.falls >= PROOF;
	}

	/** The latest time of a record, in milliseconds since 1970; 0 if there is none. */
	get newest(): number {
		return this.places.reduce((newest, { time }) => Math.max(newest, time), 0);
	}

	/** @returns how many records from a time on, or without a time, the sorted list has and were not found */
	missingFrom(from: number): number {
		const older = this.positionsBefore(from);
		const expected = this.isProvedFalling
			? older.reduce((least, position) => Math.min(least, position), this.total)
			: this.total - this.startOf(from);
		const isFound = (record: IDataObject) => (this.timeOf(record) ?? from) >= from;
		return Math.max(0, expected - this.records.all.filter(isFound).length);
	}

	/**
	 * Whether records are missing: from `since` on, because earlier polls found the older ones, or from `from` on if the list
	 * has changed, because records may have come late.
	 */
	isLacking(from: number, since = from): boolean {
		return this.missingFrom(this.total === this.known ? since : from) > 0;
	}

	/** Whether a list that is sorted oldest first was read from `position` on, with a record from before `from`. */
	reaches(from: number, position: number): boolean {
		return this.startOf(from) > position;
	}

	/**
	 * Reads a list that is sorted oldest first back from its end to the first record before `from`, one page after the
	 * other. New records arrive behind what was read instead of shifting it, and a database sorts everything once beyond
	 * the middle of a list, so records with the same time do not come twice.
	 * @param from in milliseconds since 1970
	 * @throws RequestFailure when a request fails
	 */
	async readBack(from: number): Promise<void> {
		let low = Math.max(0, this.known - PAGE_SIZE);
		await this.readPart(low, PAGE_SIZE);
		// The first page of a list of unknown length is seldom its end
		low = this.known === 0 && this.total > PAGE_SIZE ? this.total : Math.min(low, this.total);
		while (low > 0 && !this.reaches(from, low)) {
			const step = Math.min(PAGE_SIZE, low);
			low -= step;
			await this.readPart(low, step);
		}
		// Records that have arrived since it was last read
		await this.readOn(this.end, 1);
	}

	/**
	 * Reads the records from a time on, at full speed. A database shows other ones of those with the same time if it sorts
	 * them the other way round, or if the pages begin elsewhere.
	 * @param from in milliseconds since 1970; -Infinity for all
	 * @param variation another number for other boundaries between the pages; if it is odd, the newest come first
	 */
	async readOnFrom(from: number, variation: number, atOnce: number): Promise<void> {
		const start = this.startOf(from);
		const first = Math.ceil(shiftOf(variation) * PAGE_SIZE) || PAGE_SIZE;
		const { opposite } = this;
		if (opposite && variation % 2 === 1) {
			// The first page ends where another variation would begin the second one
			const offsets = offsetsOf(first - PAGE_SIZE, this.total - start);
			await mapConcurrently(offsets, atOnce, async (at) => {
				const { items } = await opposite(Math.max(0, at), at < 0 ? first : PAGE_SIZE);
				this.records.add(items);
			});
			return;
		}
		await this.readPart(start, first);
		await this.readOn(start + first, atOnce);
	}

	/** @returns the position behind the last record from before `from` */
	private startOf(from: number): number {
		return this.positionsBefore(from).reduce((last, position) => Math.max(last, position + 1), 0);
	}

	private positionsBefore(from: number): number[] {
		return this.places.filter(({ time }) => time < from).map(({ position }) => position);
	}

	private async readOn(start: number, atOnce: number): Promise<void> {
		const offsets = offsetsOf(start, this.total);
		await mapConcurrently(offsets, atOnce, async (at) => await this.readPart(at, PAGE_SIZE));
	}

	/** A page may be smaller than asked for. */
	private async readPart(offset: number, limit: number): Promise<void> {
		for (let at = offset; at < offset + limit; ) {
			const { total, items } = await this.readPage(at, offset + limit - at);
			at += items.length;
			if (items.length === 0 || at >= total) break;
		}
	}
}

function* offsetsOf(start: number, end: number) {
	for (let offset = start; offset < end; offset += PAGE_SIZE) yield offset;
}
