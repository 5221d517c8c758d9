import type { IDataObject } from 'n8n-workflow';

import type { RequestFailure } from '../shared/errors/requestFailure';
import { PAGE_SIZE, type ReadPage } from '../shared/lists/pages';
import { readOnce } from '../shared/lists/readOnce';
import { Records } from '../shared/records';
import { timeOf } from '../shared/times';

export interface ListPart {
	records: IDataObject[];
	/** Whether the list was read from one end to the other */
	isFull: boolean;
	/** Whether the list stayed the same, and no record is missing from the part that was read */
	isComplete: boolean;
	/** What to tell if much of the list is missing, even after several readings. What was read still counts */
	gap?: RequestFailure | undefined;
}

/**
 * Reads a list once, in the service's own order.
 * @param firstSize how many records to ask for first
 */
export async function readUnsorted(readPage: ReadPage, firstSize: number): Promise<ListPart> {
	const { records, total, isSteady } = await readOnce(readPage, { firstSize });
	const found = new Records();
	found.add(records);
	return { records: found.all, isFull: true, isComplete: isSteady && found.size === total };
}

/**
 * Reads the newest page. If this page does not reach back far enough, the list is read from its end, sorted oldest first: new
 * records are added there, and do not shift what was read. Near the end, equal records also keep their order from page to page
 * (docs/design.md).
 * @param target the field with the time, where to stop (in milliseconds since 1970), and how many records to ask for first
 * @returns undefined if the pages are not sorted as asked
 */
export async function readBack(
	oldestFirst: ReadPage,
	newestFirst: ReadPage,
	target: { timeField: string; since: number; size: number },
): Promise<ListPart | undefined> {
	const timesOf = (records: IDataObject[]) =>
		records.map((record) => timeOf(record[target.timeField])).filter((time) => time !== undefined);
	const found = new PageReader();
	const newest = await found.read(newestFirst, 0, target.size);
	// Of the page that was read last, oldest first
	let times = timesOf(newest).reverse();
	// In the order oldest first, everything from this position on has been read
	let start = Math.max(0, found.total - target.size);
	const reachesBack = () => start === 0 || times.some((time) => time < target.since);
	// The two orders arrange equal records differently. If the page ends among equal records, others of them are elsewhere in the
	// other order, so everything is read oldest first, this page too. If only the first of the equal records is on the page, this
	// cannot be seen here: too few records are found then, and the part is incomplete
	const hasUndated = times.length < newest.length;
	const areOldestTwoEqual = times[0] === times[1];
	if (!reachesBack() && (hasUndated || areOldestTwoEqual)) start = found.total;
	while (isRising(times) && !reachesBack()) {
		const end = start;
		const size = end === found.total ? target.size : PAGE_SIZE;
		start = Math.max(0, end - size);
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
	 * Reads the records at these positions. If a page is smaller than asked for, another request gets the rest.
	 * @returns the records in the order of the list
	 */
	async read(readPage: ReadPage, start: number, end: number) {
		const records: IDataObject[] = [];
		for (let offset = start; offset < Math.min(end, this.total); ) {
			const { total, items } = await readPage(offset, end - offset);
			this.isSteady &&= total === this.total || this.total === Infinity;
			this.total = total;
			this.records.add(items);
			records.push(...items);
			// An empty page ends the loop
			offset += items.length || end;
		}
		return records;
	}

	/** @param start the position from which on everything was read */
	part(start: number): ListPart {
		// Pages overlap and ties repeat, so only different records count
		const isComplete = this.isSteady && this.records.size === this.total - start;
		return { records: this.records.all, isFull: start === 0, isComplete };
	}
}
