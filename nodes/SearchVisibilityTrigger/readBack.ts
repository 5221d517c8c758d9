import type { IDataObject } from 'n8n-workflow';

import type { RequestFailure } from '../shared/errors/requestFailure';
import { PAGE_SIZE, type ReadPage } from '../shared/lists/pages';
import { readOnce } from '../shared/lists/readOnce';
import { Records } from '../shared/records';
import { timeOf } from '../shared/times';

/* Two ways to read a list once. */

export interface Part {
	records: IDataObject[];
	/** Whether it was read from one end to the other */
	isWhole: boolean;
	/** Whether each position that was read has given a record of its own, and the list did not change */
	isComplete: boolean;
	/** Why much of the list is missing, even after several readings */
	failure?: RequestFailure | undefined;
}

/**
 * Reads a list once, in the order that the service keeps.
 * @param firstPage how many records the first page has
 */
export async function readUnsorted(readPage: ReadPage, firstPage: number): Promise<Part> {
	const { records, total, isSteady } = await readOnce(readPage, { firstPage });
	const found = new Records();
	found.add(records);
	return { records: found.all, isWhole: true, isComplete: isSteady && found.size === total };
}

/**
 * Reads the newest page. If it does not reach back far enough, reads the list from its end, sorted oldest first: new records
 * arrive behind what was read instead of shifting it. PostgreSQL sorts a whole list, so that ties
 * keep one order on all pages, only if offset + limit is more than half its length, as for pages near its end.
 * @param target the field with the time, where to stop (in milliseconds since 1970), and how many records to ask for first
 * @returns undefined if the service does not keep the order
 */
export async function readBack(
	oldestFirst: ReadPage,
	newestFirst: ReadPage,
	target: { timeField: string; since: number; size: number },
): Promise<Part | undefined> {
	const timesOf = (records: IDataObject[]) =>
		records.map((record) => timeOf(record[target.timeField])).filter((time) => time !== undefined);
	const found = new PageReader();
	const newest = await found.read(newestFirst, 0, target.size);
	let times = timesOf(newest).reverse();
	let start = Math.max(0, found.total - target.size);
	const goesOn = () => start > 0 && isRising(times) && !times.some((time) => time < target.since);
	// If the two oldest records of the newest page have the same time, or a record on it has none, equal records may lie on both
	// sides of its last row: then reading begins at the end of the list, and covers the newest page again
	const endsBetweenTimes = times[0] !== times[1] && times.length === newest.length;
	if (goesOn() && !endsBetweenTimes) start = found.total;
	while (goesOn()) {
		const end = start;
		start = Math.max(0, end - (end === found.total ? target.size : PAGE_SIZE));
		times = timesOf(await found.read(oldestFirst, start, end));
	}
	return isRising(times) ? found.part(start) : undefined;
}

function isRising(times: number[]): boolean {
	return times.every((time, index) => time >= (times[index - 1] ?? time));
}

class PageReader {
	total = Infinity;
	private isSteady = true;
	private readonly records = new Records();

	/**
	 * Reads the records at these positions. A page may be smaller than asked: then the rest is asked for.
	 * @returns them, as they were listed
	 */
	async read(readPage: ReadPage, start: number, end: number) {
		const records: IDataObject[] = [];
		for (let offset = start; offset < Math.min(end, this.total); ) {
			const { total, items } = await readPage(offset, end - offset);
			this.isSteady &&= total === this.total || this.total === Infinity;
			this.total = total;
			this.records.add(items);
			records.push(...items);
			offset += items.length || end;
		}
		return records;
	}

	/** @param start everything from here on has been read */
	part(start: number): Part {
		// Pages overlap and ties repeat, so count the different records from this position on
		const isComplete = this.isSteady && this.records.size === this.total - start;
		return { records: this.records.all, isWhole: start === 0, isComplete };
	}
}
