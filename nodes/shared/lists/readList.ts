import type { IDataObject } from 'n8n-workflow';

import { RequestFailure } from '../errors/requestFailure';
import { mapConcurrently } from '../request/mapConcurrently';
import type { StopSignal } from '../request/stop';
import { readOverlapping } from './changingList';
import type { Page, ReadPage } from './pages';
import { PAGE_SIZE } from './pages';
import { keyOf, Records } from './records';

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
	/** How many pages to read at the same time */
	atOnce?: number;
	/** Ends all waits */
	stop?: StopSignal | undefined;
	/** How often the list may be read */
	mostReadings?: number;
	/** Called after each reading with all that was found; true ends the reading */
	isEnough?: (records: IDataObject[]) => boolean;
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

/**
 * If each page has an order of its own, each reading finds 63 % of what is missing: 1,500 records take about 10. The rest
 * is reserve for unlucky cases.
 */
const MOST_READINGS = 20;

/** A list that changed only briefly is soon whole. After this many changes, it is read in a way that copes with them. */
const CHANGES_BEFORE_OVERLAPPING = 2;

const MOST_OVERLAPPING = 3;

/** That many readings with other boundaries or orders, in which the same records repeat, show that the list has them twice. */
const PROOF_OF_REPEATS = 3;

/** The golden ratio: multiples of it spread evenly, however many there are. */
const SPREAD = (Math.sqrt(5) - 1) / 2;

/**
 * Reads a whole list, or its first records up to a limit.
 *
 * A list without ties that does not change costs exactly ceil(n / page size) requests; after the first one, all run at the
 * same time. A database orders equal records differently on each page, so some come twice and others not at all. The
 * list is then read again, with other page boundaries and in other orders, until the records of all readings together
 * are as many as the service says. A list that changes is finally read in overlapping pages.
 * @returns the records in the order of the list, without duplicates
 * @throws RequestFailure, also of kind "ties" or "list" if it cannot be confirmed that the list is whole
 */
export async function readList(list: List, options?: ListOptions): Promise<IDataObject[]> {
	const { records, missing, reason } = await readAvailable(list, options);
	if (reason) throw new RequestFailure(reason, { missing });
	return records;
}

/**
 * Like {@link readList}, but gives out what was found even if that is not the whole list.
 * @throws RequestFailure when a request fails
 */
export async function readAvailable(
	list: List,
	{
		wanted = Number.POSITIVE_INFINITY,
		atOnce = 1,
		stop,
		mostReadings = MOST_READINGS,
		variation = 0,
		isEnough = () => false,
	}: ListOptions = {},
): Promise<ListResult> {
	const orders = [list.readPage, ...(list.otherOrders ?? [])];
	let found = new Readings();
	let most = found;
	let size = PAGE_SIZE;
	let changes = 0;
	let overlappings = 0;
	for (let count = 0; count < mostReadings && overlappings < MOST_OVERLAPPING; count++) {
		const readPage = orders[count % orders.length] ?? list.readPage;
		const shift = ((count + variation) * SPREAD) % 1;
		const plan = { readPage, size, shift, wanted: count === 0 ? wanted : Infinity };
		const reading = await readOnce(plan, atOnce, stop).catch((error: unknown) => {
			if (readPage === list.readPage || !isRefusal(error)) throw error;
			orders.splice(orders.indexOf(readPage), 1);
		});
		if (!reading) continue;
		size = reading.size;
		if (found.fits(reading)) {
			found.add(reading);
			const isDone = found.isWhole || found.records.size >= wanted || isEnough(found.records.all);
			if (isDone) return { records: found.inOrder(list.orderedBy).slice(0, wanted), missing: 0 };
			if (found.records.size >= most.records.size) most = found;
			continue;
		}
		if (reading.records.size > most.records.size) most = new Readings(reading);
		found = new Readings(reading.isQuiet ? reading : undefined);
		if (++changes < CHANGES_BEFORE_OVERLAPPING) continue;
		overlappings++;
		const records = await readOverlapping(list.readPage, wanted, stop);
		if (records) return { records: records.slice(0, wanted), missing: 0 };
	}
	const missing = Math.max(1, most.total - most.records.size);
	return { records: most.inOrder(list.orderedBy), missing, reason: changes > 0 ? 'list' : 'ties' };
}

/** What one reading of a list found. */
interface Reading {
	records: Records;
	/** The keys of all records, in the order of the list, with repeats */
	keys: unknown[];
	total: number;
	/** The page size that the service applies */
	size: number;
	/** Whether the pages were full and named the same total */
	isQuiet: boolean;
}

interface Plan {
	readPage: ReadPage;
	size: number;
	/** Which fraction of a page the first one has; 0 for a whole page */
	shift: number;
	wanted: number;
}

async function readOnce(
	{ readPage, size, shift, wanted }: Plan,
	atOnce: number,
	stop?: StopSignal,
): Promise<Reading> {
	const asked = shift > 0 ? Math.ceil(shift * size) : Math.min(wanted, size);
	const first = await readPage(0, asked, stop);
	const expected = Math.min(wanted, first.total);
	const isSmaller = first.items.length < Math.min(asked, expected);
	const step = isSmaller ? Math.max(1, first.items.length) : size;
	const firstKeys = first.items.map(keyOf).join();
	let isQuiet = first.items.length > 0 ? !isBeyond(first, 0) : expected === 0;
	function* offsets() {
		for (let at = first.items.length; at < expected && isQuiet; at += step) yield at;
	}
	/** A page may be smaller than asked: then the rest of its part is read on from there. */
	const readPart = async (offset: number, _index: number, scope: StopSignal) => {
		const part: IDataObject[] = [];
		const end = Math.min(expected, offset + step);
		while (offset + part.length < end && isQuiet) {
			const at = offset + part.length;
			const page = await readPage(at, end - at, scope);
			const isSameAgain = page.items.length > 1 && page.items.map(keyOf).join() === firstKeys;
			isQuiet &&= page.total === first.total && page.items.length > 0;
			isQuiet &&= !isSameAgain && !isBeyond(page, at);
			part.push(...page.items);
		}
		return part;
	};
	const items = [first.items, ...(await mapConcurrently(offsets(), atOnce, readPart, stop))].flat();
	const records = new Records();
	records.add(items);
	// Of records that tie, the first ones may have come twice: the ones after them make up for that
	for (let at = expected; records.size < expected && at < first.total && isQuiet; ) {
		const page = await readPage(at, Math.min(first.total - at, step), stop);
		isQuiet &&= page.total === first.total && page.items.length > 0;
		records.add(page.items);
		items.push(...page.items);
		at += page.items.length;
	}
	return { records, keys: items.map(keyOf), total: first.total, size: step, isQuiet };
}

/** @returns whether a page has records beyond the end of the list, so that its total cannot be true */
const isBeyond = ({ total, items }: Page, offset: number) => offset + items.length > total;

/** The records of several readings of a list that did not change. */
class Readings {
	readonly records = new Records();

	total = 0;

	private count = 0;

	private sizeOfFirst = 0;

	/** What comes twice, if that is the same in all readings */
	private repeats: string | undefined;

	constructor(first?: Reading) {
		if (first) this.add(first);
	}

	/** Whether a reading can be of the same list as those before: more records than it says would mean that it changed. */
	fits({ isQuiet, total, records }: Reading): boolean {
		if (!isQuiet || (this.count > 0 && total !== this.total)) return false;
		const added = records.all.filter((record) => !this.records.has(record)).length;
		return this.records.size + added <= total;
	}

	add({ records, keys, total }: Reading): void {
		this.total = total;
		this.records.add(records.all);
		const repeats = repeatsIn(keys);
		if (this.count === 0) this.repeats = repeats;
		else if (repeats !== this.repeats) this.repeats = undefined;
		this.sizeOfFirst ||= this.records.size;
		this.count++;
	}

	/** Either there are as many records as the service says, or the list itself repeats records: the same in each reading. */
	get isWhole(): boolean {
		if (this.records.size === this.total) return true;
		const isSame = this.repeats !== undefined && this.records.size === this.sizeOfFirst;
		return isSame && this.count >= PROOF_OF_REPEATS;
	}

	/**
	 * @param field whose equal values explain why a record was not found at first
	 * @returns the records of the first reading in its order, each later find behind those with the same value
	 */
	inOrder(field?: string): IDataObject[] {
		const { all } = this.records;
		const later = new Map<unknown, IDataObject[]>();
		for (const record of field === undefined ? [] : all.slice(this.sizeOfFirst)) {
			const value = record[field ?? ''];
			later.set(value, [...(later.get(value) ?? []), record]);
		}
		if (field === undefined || later.size === 0) return all;
		const ordered: IDataObject[] = [];
		for (const record of all.slice(0, this.sizeOfFirst).reverse()) {
			const value = record[field];
			ordered.push(...(later.get(value) ?? []).reverse(), record);
			later.delete(value);
		}
		return [...ordered.reverse(), ...[...later.values()].flat()];
	}
}

/** @returns which keys come more than once, and how often */
function repeatsIn(keys: unknown[]): string {
	const counts = new Map<unknown, number>();
	for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
	const repeats = [...counts].filter(([, count]) => count > 1);
	return JSON.stringify(repeats.map(([key, count]) => `${String(key)} ${count}`).sort());
}

/** The contract does not show how to ask for every order, so the service may refuse one. */
function isRefusal(thrown: unknown): boolean {
	if (!(thrown instanceof RequestFailure) || thrown.kind !== 'status') return false;
	return [400, 422].includes(thrown.details.statusCode ?? 0);
}
