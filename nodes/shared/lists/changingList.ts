import type { IDataObject } from 'n8n-workflow';

import { RequestFailure } from '../errors/requestFailure';
import type { Page, ReadPage } from './pages';
import { isBeyond, isShort, PAGE_SIZE } from './pages';
import { Records } from './records';
import type { StopSignal } from '../request/stop';

/** How many records two neighboring pages share. */
const OVERLAP = 10;

const MOST_ROUNDS = 3;

/**
 * Reads a list that changes in the meantime, one page after the other. Each page overlaps the one before, so every
 * record that is listed the whole time is found, however the others shift.
 * @returns the records in the order of the list, without duplicates
 * @throws RequestFailure when the list is never complete
 */
export async function readChangingList(
	readPage: ReadPage,
	wanted: number,
	stop?: StopSignal,
): Promise<IDataObject[]> {
	return await inRounds(async () => {
		const records = new Records(wanted);
		const isWhole = await readOverlapping(readPage, records, () => records.isEnough, stop);
		return isWhole || records.isEnough ? records.all : undefined;
	});
}

/**
 * Reads a list from the start until it is enough, as safely as {@link readChangingList}.
 * @param isEnough called after each page, with the page and with everything read so far, including this page
 * @returns the records in the order of the list, without duplicates, and whether they are the whole list
 * @throws RequestFailure when the list is never complete
 */
export async function readUntil(
	readPage: ReadPage,
	isEnough: (page: IDataObject[], readSoFar: IDataObject[]) => boolean,
	stop?: StopSignal,
): Promise<{ records: IDataObject[]; isWhole: boolean }> {
	return await inRounds(async () => {
		const records = new Records();
		let isOver = false;
		const isDone = ({ items }: Page) => (isOver = isEnough(items, records.all));
		const isWhole = await readOverlapping(readPage, records, isDone, stop);
		return isWhole || isOver ? { records: records.all, isWhole } : undefined;
	});
}

async function inRounds<Result>(round: () => Promise<Result | undefined>): Promise<Result> {
	for (let count = 0; count < MOST_ROUNDS; count++) {
		const result = await round();
		if (result) return result;
	}
	throw new RequestFailure('list');
}

/**
 * Reads page after page. A page counts only if it starts with a record that is already known, or is the first one.
 * Otherwise, the list has moved up by more than the overlap, and the reader steps back.
 * @returns whether the list was read to its end and has as many records as it had at any time in the meantime: fewer
 * could mean that one of them moved up behind the reader
 * @throws RequestFailure when it takes far more requests than the list has pages, whatever total the service reports
 */
async function readOverlapping(
	readPage: ReadPage,
	records: Records,
	isEnough: (page: Page) => boolean,
	stop?: StopSignal,
): Promise<boolean> {
	let offset = 0;
	let step = OVERLAP;
	let least = Number.POSITIVE_INFINITY;
	let most = 0;
	let lastTotal = 0;
	for (let requests = 1; ; requests++) {
		const page = await readPage(offset, PAGE_SIZE, stop);
		const { total, size, items } = page;
		if (isBeyond(page, offset)) return false;
		const isUnmoved = total === lastTotal;
		lastTotal = total;
		least = Math.min(least, total);
		most = Math.max(most, total);
		const overlap = Math.min(OVERLAP, size - 1);
		// Pages of one record cannot overlap; then an unchanged total has to be enough
		const isJoined = overlap === 0 ? isUnmoved : items.slice(0, 1).some((one) => records.has(one));
		if (offset === 0 || isJoined) {
			records.add(items);
			if (isEnough(page)) return false;
			if (offset + items.length >= total) return records.all.length >= most;
			if (isShort(page, offset)) return false;
			offset += items.length - overlap;
			step = OVERLAP;
		} else {
			offset = Math.max(0, Math.min(offset, total) - step);
			step *= 2;
		}
		const pagesNeeded = Math.min(least, records.all.length) / (size - overlap);
		if (requests > 10 + 3 * pagesNeeded) throw new RequestFailure('list');
	}
}
