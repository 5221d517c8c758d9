import type { IDataObject } from 'n8n-workflow';

import { timeOf } from '../shared/times';

/** This many steps in one direction within pages and none in the other happen by chance once in 3,000,000 times. */
const PROOF = 10;

/**
 * Watches in which order the pages of an event come. Each page is checked by itself, because records that move while a
 * list is read do not change the order within a page.
 */
export class OrderWatch {
	private rises = 0;

	private falls = 0;

	constructor(private readonly timeField: string) {}

	timeOf(record: IDataObject): number | undefined {
		return timeOf(record[this.timeField]);
	}

	look(items: IDataObject[]): void {
		let last: number | undefined;
		for (const item of items) {
			const time = this.timeOf(item);
			if (time === undefined) continue;
			if (last !== undefined && time > last) this.rises++;
			if (last !== undefined && time < last) this.falls++;
			last = time;
		}
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
}
