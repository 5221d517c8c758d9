import type { IDataObject } from 'n8n-workflow';

import { isRejected } from '../errors/requestFailure';
import type { ReadPage } from './pages';
import { readOnce, readOverlapping, Readings } from './readings';

/** A list, and other ways to read the same records. */
export interface List {
	readPage: ReadPage;
	/** The same list in other orders, the most helpful first */
	otherOrders?: ReadPage[];
	/** The fields by which `readPage` orders the records, where they have them */
	orderedBy?: string[];
}

export interface ListOptions {
	/** Maximum number of records */
	wanted?: number | undefined;
	/** Ends all waits */
	stop?: AbortSignal | undefined;
	/** How often the list may be read */
	mostReadings?: number | undefined;
	/** Called after each reading; true ends the reading */
	isEnough?: () => boolean;
	/** Another number makes the first reading begin its pages elsewhere too */
	variation?: number;
}

export interface ListResult {
	records: IDataObject[];
	/** How many records are known to be missing; 0 if the list is whole */
	missing: number;
	/** Why it could not be confirmed that the list is whole */
	reason?: 'ties' | 'list' | undefined;
}

/** If each page has an order of its own, a reading finds 63 % of what is missing: 1,500 records take about 9, rarely 15. */
const MOST_READINGS = 20;

/** After this many changes, a list is given up. */
const MOST_CHANGES = 4;

/** The golden ratio: multiples of it spread evenly, however many there are. */
const SPREAD = (Math.sqrt(5) - 1) / 2;

/**
 * Reads a whole list, or its first records. Without ties and changes, that costs ceil(n / page size) requests.
 *
 * A database orders equal records differently on each page, so some come twice and others not at all. The list is then
 * read again, with other page boundaries and in other orders, until the records of all readings together are as many as
 * the service says. A list that changes more than once is read in overlapping pages.
 * @returns the records in the order of the list, without duplicates: all that were found, even if some are missing
 * @throws RequestFailure when a request fails
 */
export async function readList(
	{ readPage, otherOrders = [], orderedBy }: List,
	options: ListOptions = {},
): Promise<ListResult> {
	const {
		wanted = Infinity,
		stop,
		mostReadings = MOST_READINGS,
		isEnough,
		variation = 0,
	} = options;
	const orders = [readPage, ...otherOrders];
	const all = new Readings(orderedBy);
	let found = new Readings(orderedBy);
	let changes = 0;
	let pageSize: number | undefined;
	for (let count = 0; count < mostReadings && changes < MOST_CHANGES; count++) {
		// The first records of a list are others in another order, so it is read on in this one
		const order = (found.isToEnd && orders[found.count % orders.length]) || readPage;
		const end = found.isToEnd ? Infinity : wanted * 2 ** found.count;
		const shift = ((count + variation) * SPREAD) % 1;
		const reading = await readOnce(order, { shift, pageSize, end, stop }).catch(
			(error: unknown) => {
				// The contract does not show how to ask for every order
				if (order === readPage || !isRejected(error)) throw error;
				orders.splice(orders.indexOf(order), 1);
			},
		);
		if (!reading) continue;
		({ pageSize } = reading);
		const isOther = order !== readPage;
		all.take(reading, isOther);
		const isChanged = !found.fits(reading);
		if (isChanged) found = new Readings(orderedBy);
		// What was found first gives the output its order
		if (reading.isQuiet && (!isOther || found.count > 0)) {
			found.take(reading, isOther);
			const isDone = found.isWhole || found.hasFirst(wanted) || isEnough?.();
			if (isDone) return { records: found.inOrder().slice(0, wanted), missing: 0 };
		}
		if (isChanged && ++changes > 1) {
			const records = await readOverlapping(readPage, wanted, stop);
			if (records) return { records: records.slice(0, wanted), missing: 0 };
		}
	}
	const missing = Math.max(1, Math.min(wanted, all.total) - all.size);
	const records = all.inOrder().slice(0, wanted);
	return { records, missing, reason: changes > 1 ? 'list' : 'ties' };
}
