import type { IDataObject } from 'n8n-workflow';

import type { ReadPage } from '../shared/pages';
import { timeOf } from './records';
import type { Order } from './state';

/** So many steps down within pages, and none up, happen by chance once in 3,000,000 times. */
const PROOF = 10;

/**
 * Watches whether the pages of an event come newest first. Each page is looked at by itself: a list that moves while it is
 * read does not put the records of one page out of order.
 */
export class OrderCheck {
	/** How many records the list had when its last page was read */
	total = 0;

	hasUndated = false;

	isBroken = false;

	/** Read once, needed twice */
	private readonly times = new Map<IDataObject, number | undefined>();

	private falls = 0;

	private isLong = false;

	constructor(private readonly timeField: string) {}

	/** @returns the same pages, looked at on their way */
	watch(readPage: ReadPage): ReadPage {
		return async (offset, limit, stop) => {
			const page = await readPage(offset, limit, stop);
			this.total = page.total;
			this.isLong ||= page.total > page.size;
			this.look(page.items);
			return page;
		};
	}

	/** @returns the time of a record of the pages that were watched */
	timeOf(record: IDataObject): number | undefined {
		return this.times.get(record);
	}

	/** Whether nothing that was seen speaks against stopping early. */
	get isTrusted(): boolean {
		return !this.isBroken && !this.hasUndated;
	}

	/** Looks at the last record of a list, which is the oldest if the order is kept. */
	expectBefore(from: number, last: IDataObject | undefined): void {
		const time = last && this.timeOf(last);
		if (time !== undefined && time >= from) this.isBroken = true;
	}

	/** @returns the order as far as it is known, with what was seen: a short list proves nothing */
	verdict(before: Order): Order {
		if (this.isBroken) return 'unsorted';
		return this.isTrusted && this.isLong && this.falls >= PROOF ? 'sorted' : before;
	}

	private look(items: IDataObject[]): void {
		let last: number | undefined;
		for (const item of items) {
			const time = timeOf(item[this.timeField]);
			this.times.set(item, time);
			if (time === undefined) this.hasUndated = true;
			else if (last !== undefined && time > last) this.isBroken = true;
			else if (last !== undefined && time < last) this.falls++;
			last = time ?? last;
		}
	}
}
