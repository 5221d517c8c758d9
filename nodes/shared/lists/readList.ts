import type { IDataObject } from 'n8n-workflow';

import { isRejected } from '../errors/requestFailure';
import { keyOf, Records } from '../records';
import type { ReadPage } from './pages';
import { PAGE_SIZE } from './pages';
import { readOnce, Readings } from './readings';

/** A list, and other ways to read the same records. */
export interface List {
	readPage: ReadPage;
	/** The same list in other orders, the most helpful first */
	otherOrders?: ReadPage[];
	/** The field by which `readPage` orders the records, where they have it */
	orderedBy?: string | undefined;
}

export interface ListOptions {
	/** Maximum number of records */
	wanted?: number | undefined;
	/** Ends all waits */
	stop?: AbortSignal | undefined;
}

export interface ListResult {
	records: IDataObject[];
	/** How many records are known to be missing; 0 if the list is whole */
	missing: number;
	/** Why it could not be confirmed that the list is whole */
	reason?: 'ties' | 'list' | undefined;
	/** How many records the service says the list has */
	total: number;
}

/** If each page has an order of its own, a reading finds 63 % of what is missing: 1,500 records take about 9, rarely 15. */
const MOST_READINGS = 20;

/** After this many changes in a row, a list is given up. */
const MOST_CHANGES = 4;

/** The golden ratio: multiples of it spread evenly, however many there are. */
const SPREAD = (Math.sqrt(5) - 1) / 2;

/**
 * Reads a whole list, or its first records. Without ties and changes, that costs ceil(n / page size) requests.
 *
 * A database orders equal records differently on each page, so some come twice and others not at all. Then the whole list
 * is read again, with other page boundaries and in other orders, until the records of all readings together are as many as
 * the service says. If that number changes, it begins again.
 * @returns the records in the order of the list, without duplicates: all that were found, even if some are missing
 * @throws RequestFailure when a request fails
 */
export async function readList(list: List, options: ListOptions = {}): Promise<ListResult> {
	const { readPage, otherOrders = [], orderedBy } = list;
	const { wanted = Infinity, stop } = options;
	const orders = [readPage, ...otherOrders];
	const all = new Records();
	let found = new Readings(orderedBy);
	let [total, end, pageSize, changes] = [Infinity, wanted, PAGE_SIZE, 0];
	for (let count = 0; count < MOST_READINGS && changes < MOST_CHANGES; count++) {
		// What is found first gives the output its order
		const order = orders[found.count % orders.length] ?? readPage;
		const isOther = order !== readPage;
		const where = { shift: (count * SPREAD) % 1, pageSize, end, stop };
		const reading = await readOnce(order, where).catch((error: unknown) => {
			// The contract does not show how to ask for every order
			if (!isOther || !isRejected(error)) throw error;
			orders.splice(orders.indexOf(order), 1);
		});
		if (!reading) continue;
		({ total, pageSize } = reading);
		all.add(reading.records);
		const isSame = found.take(reading, isOther);
		changes = isSame ? 0 : changes + 1;
		if (!isSame) found = new Readings(orderedBy);
		else if (found.isFixed || found.size === Math.min(end, total)) {
			return { records: found.inOrder().slice(0, wanted), missing: 0, total };
		}
		// What ties hide may stand anywhere
		else end = Infinity;
	}
	const records = new Records();
	records.add([...found.inOrder(), ...all.all]);
	const missing = Math.max(1, Math.min(wanted, total) - records.size);
	const reason = changes > 0 ? 'list' : 'ties';
	return { records: records.all.slice(0, wanted), missing, reason, total };
}

/**
 * Reads several lists as one. While they are read, a record may move from one list to another. Then their totals change, or
 * it comes twice while others are missing, so they are read again.
 * @param lists in the order in which they are read; once there are as many records as wanted, no further list is
 */
export async function readJoined(lists: List[], options: ListOptions = {}): Promise<ListResult> {
	const { wanted = Infinity, stop } = options;
	let twice: unknown[] = [];
	for (let round = 1; ; round++) {
		const before = twice;
		const found = new Records();
		const parts: Array<List & ListResult> = [];
		twice = [];
		for (const list of lists) {
			if (found.size >= wanted) break;
			const part = await readList(list, { wanted: wanted - found.size + before.length, stop });
			twice.push(...part.records.filter((record) => found.has(record)).map(keyOf));
			found.add(part.records);
			parts.push({ ...list, ...part });
		}
		// The same ones twice again are in both lists indeed
		let isSame = twice.length === 0 || twice.join() === before.join();
		for (const { readPage, total } of parts.slice(0, -1)) {
			isSame &&= (await readPage(0, 1, stop)).total === total;
		}
		const failed = parts.find(({ reason }) => reason);
		if (!isSame && !failed && round < MOST_CHANGES) continue;
		const sum = (name: 'missing' | 'total') => parts.reduce((all, part) => all + part[name], 0);
		const reason = failed?.reason ?? (isSame ? undefined : 'list');
		const missing = failed || isSame ? sum('missing') : 1;
		return { records: found.all.slice(0, wanted), missing, reason, total: sum('total') };
	}
}
