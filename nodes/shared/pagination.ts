import type { IDataObject } from 'n8n-workflow';

import { RequestFailure } from './errors';
import { mapConcurrently } from './gate';
import type { ServiceClient, ServiceRequest } from './request';
import { isObject } from './values';

/** The most records that the service gives per page (contract section 8). */
export const PAGE_SIZE = 100;

/** How many records two neighbouring pages share when a list is read while it changes. */
const OVERLAP = 10;

const MOST_ROUNDS = 3;

/** One page of a list: the envelope of contract 2.1. */
export interface Page {
	total: number;
	items: IDataObject[];
}

/** Reads the records from offset on, at most limit of them. */
export type ReadPage = (offset: number, limit: number) => Promise<Page>;

/**
 * @returns a function that reads pages of a list endpoint, filters included on every page
 */
export function pagesOf(client: ServiceClient, list: ServiceRequest): ReadPage {
	return async (offset, limit) => {
		const query = { ...list.query, offset, limit };
		return readEnvelope(await client.request({ ...list, query }));
	};
}

function readEnvelope(body: unknown): Page {
	const data = isObject(body) ? body.data : undefined;
	if (!isObject(data) || !Array.isArray(data.items) || !isCount(data.total)) {
		throw new RequestFailure('envelope');
	}
	return { total: data.total, items: data.items.filter(isObject) };
}

function isCount(value: unknown): value is number {
	return Number.isSafeInteger(value) && (value as number) >= 0;
}

/**
 * Reads a list: the whole of it, or the first records up to a limit.
 *
 * A quiet list costs exactly ceil(n / 100) requests, all after the first at the same time. Where the pages show that the
 * list changed under way, it is read again one page after the other, each page overlapping the one before, so that
 * every record that was listed all the time is found however the others shift.
 * @param wanted how many records at most
 * @param atOnce how many pages at the same time
 * @returns the records in the order of the list, none twice
 * @throws RequestFailure also when the service gives fewer records than it announces: a short list is no success
 */
export async function readList(
	readPage: ReadPage,
	wanted = Number.POSITIVE_INFINITY,
	atOnce = 1,
): Promise<IDataObject[]> {
	const first = await readPage(0, Math.min(wanted, PAGE_SIZE));
	const expected = Math.min(wanted, first.total);
	if (first.items.length < Math.min(expected, PAGE_SIZE)) {
		return await readChangingList(readPage, wanted);
	}
	const offsets: number[] = [];
	for (let offset = PAGE_SIZE; offset < expected; offset += PAGE_SIZE) offsets.push(offset);
	const others = await mapConcurrently(offsets, atOnce, async (offset) => {
		return await readPage(offset, Math.min(expected - offset, PAGE_SIZE));
	});
	const pages = [first, ...others];
	const found = new Found(wanted);
	for (const page of pages) found.add(page.items);
	const isQuiet = pages.every(({ total }) => total === first.total);
	if (isQuiet && found.records.length === expected) return found.records;
	return await readChangingList(readPage, wanted);
}

/** Records without repeats, in the order in which they were found. */
class Found {
	readonly records: IDataObject[] = [];

	private readonly keys = new Set<unknown>();

	constructor(private readonly wanted: number) {}

	get isEnough(): boolean {
		return this.records.length >= this.wanted;
	}

	has(record: IDataObject): boolean {
		return this.keys.has(keyOf(record));
	}

	add(records: IDataObject[]): void {
		for (const record of records) {
			if (this.isEnough || this.has(record)) continue;
			this.keys.add(keyOf(record));
			this.records.push(record);
		}
	}
}

/** The contract names no id for every kind of record; a record without one counts as the same when all of it is. */
function keyOf(record: IDataObject): unknown {
	return record.id ?? JSON.stringify(record);
}

async function readChangingList(readPage: ReadPage, wanted: number): Promise<IDataObject[]> {
	for (let round = 0; round < MOST_ROUNDS; round++) {
		const found = new Found(wanted);
		const least = await readOverlapping(readPage, found);
		if (found.isEnough || found.records.length >= least) return found.records;
	}
	throw new RequestFailure('list');
}

/**
 * Reads page after page. A page counts only when it begins with a record that is already known (or is the first):
 * otherwise the list moved up by more than the overlap, and the reading steps back.
 * @returns how many records the list had at the least while it was read
 */
async function readOverlapping(readPage: ReadPage, found: Found): Promise<number> {
	let offset = 0;
	let step = OVERLAP;
	let least = Number.POSITIVE_INFINITY;
	let requestsLeft = Number.POSITIVE_INFINITY;
	while (!found.isEnough) {
		const { total, items } = await readPage(offset, PAGE_SIZE);
		least = Math.min(least, total);
		requestsLeft = Math.min(requestsLeft, 10 + 2 * Math.ceil(total / (PAGE_SIZE - OVERLAP))) - 1;
		const isConnected = offset === 0 || (items.length > 0 && found.has(items[0]));
		if (isConnected) {
			found.add(items);
			if (offset + items.length >= total) break;
			if (items.length < PAGE_SIZE) throw new RequestFailure('list');
			offset += items.length - OVERLAP;
			step = OVERLAP;
		} else {
			offset = Math.max(0, Math.min(offset, total) - step);
			step *= 2;
		}
		if (requestsLeft <= 0) throw new RequestFailure('list');
	}
	return least;
}
