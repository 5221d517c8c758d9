import type { IDataObject } from 'n8n-workflow';

import type { ReadPage } from '../shared/lists/pages';
import { compareTimes, timeOf } from '../shared/times';
import type { Order } from './state';

/** This many steps down within pages and none up happen by chance once in 3,000,000 times. */
const PROOF = 10;

/**
 * Watches whether the pages of an event come newest first. Each page is checked by itself, because records that move
 * while a list is read do not change the order within a page.
 */
export class OrderCheck {
	/** How many records the list had when its last page was read */
	total = 0;

	hasUndated = false;

	isBroken = false;

	private falls = 0;

	private isLong = false;

	constructor(private readonly timeField: string) {}

	/** @returns the same pages, checked as they are read */
	watch(readPage: ReadPage): ReadPage {
		return async (offset, limit, stop) => {
			const page = await readPage(offset, limit, stop);
			this.total = page.total;
			this.isLong ||= page.total > page.size;
			this.look(page.items);
			return page;
		};
	}

	timeOf(record: IDataObject): number | undefined {
		return timeOf(record[this.timeField]);
	}

	/** Whether nothing seen so far speaks against stopping early. */
	get isTrusted(): boolean {
		return !this.isBroken && !this.hasUndated;
	}

	/** Checks the last record of a list, which is the oldest if the list is in order. */
	expectBefore(from: number, last: IDataObject | undefined): void {
		const time = last && this.timeOf(last);
		if (time !== undefined && time >= from) this.isBroken = true;
	}

	/** @returns what is known about the order after this reading; a short list proves nothing */
	verdict(before: Order): Order {
		if (this.isBroken) return 'unsorted';
		return this.isTrusted && this.isLong && this.falls >= PROOF ? 'sorted' : before;
	}

	private look(items: IDataObject[]): void {
		let last: unknown;
		for (const item of items) {
			const value = item[this.timeField];
			const step = last === undefined ? 0 : compareTimes(value, last);
			if (step === undefined || (last === undefined && timeOf(value) === undefined)) {
				this.hasUndated = true;
				continue;
			}
			if (step > 0) this.isBroken = true;
			else if (step < 0) this.falls++;
			last = value;
		}
	}
}
