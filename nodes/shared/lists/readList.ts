import type { IDataObject } from 'n8n-workflow';

import { isRejected } from '../errors/requestFailure';
import { Records } from '../records';
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
}

/** Also how many records the service says the list has. */
type WholeList = ListResult & { total: number };

/** If each page has an order of its own, a reading finds 63 % of what is missing: 1,500 records take about 9, rarely 15. */
const MOST_READINGS = 20;

/** After this many changes in a row, a list is given up. */
const MOST_CHANGES = 4;

/** The golden ratio: multiples of it spread evenly, however many there are. */
export const SPREAD = (Math.sqrt(5) - 1) / 2;

/**
 * Reads a whole list, or its first records. Without ties and changes, that costs ceil(n / page size) requests.
 *
 * A database orders equal records differently on each page, so some come twice and others not at all. Then the whole list
 * is read again, with other page boundaries and in other orders, until the records of all readings together are as many as
 * the service says. If that number changes, it begins again.
 * @returns the records in the order of the list, without duplicates: all that were found, even if some are missing
 * @throws RequestFailure when a request fails
 */
export async function readList(list: List, options: ListOptions = {}): Promise<WholeList> {
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
 * Reads several lists as one. A record that moves from one to another meanwhile changes their totals, or
 * comes twice: then they are read again.
 * @param lists in the order in which they are read; once there are as many records as wanted, no further list is
 */
export async function readJoined(lists: List[], options: ListOptions = {}): Promise<ListResult> {
	const { wanted = Infinity, stop } = options;
	let twiceBefore = 0;
	for (let round = 1; ; round++) {
		const found = new Records();
		const parts: Array<List & WholeList> = [];
		for (const list of lists) {
			if (found.size >= wanted) break;
			const part = await readList(list, options);
			found.add(part.records);
			parts.push({ ...list, ...part });
		}
		// If as many come twice again, they are in both lists indeed
		const twice = parts.reduce((sum, { records }) => sum + records.length, -found.size);
		let isSame = twice === 0 || twice === twiceBefore;
		twiceBefore = twice;
		for (const { readPage, total } of parts.slice(0, -1)) {
			isSame &&= (await readPage(0, 1, stop)).total === total;
		}
		const failed = parts.find(({ reason }) => reason);
		if (!isSame && !failed && round < MOST_CHANGES) continue;
		const reason = failed?.reason ?? (isSame ? undefined : 'list');
		const missing = parts.reduce((sum, part) => sum + part.missing, 0) || Number(!isSame);
		return { records: found.all.slice(0, wanted), missing, reason };
	}
}
