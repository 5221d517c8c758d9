import type { IDataObject } from 'n8n-workflow';

import { DAY, toDay } from '../shared/days';
import { isRejected } from '../shared/errors/requestFailure';
import type { ReadPage } from '../shared/lists/pages';
import { PAGE_SIZE, pagesOf } from '../shared/lists/pages';
import type { List } from '../shared/lists/readList';
import { readList } from '../shared/lists/readList';
import { REQUEST_DEFAULTS } from '../shared/parameters/requestOptions';
import { Records } from '../shared/records';
import type { Requester } from '../shared/request/client';
import { mapConcurrently } from '../shared/request/mapConcurrently';
import { timeOf } from '../shared/times';
import type { EventName, ListedRecord } from './events';
import { EVENTS, isTimeless, listedRecord } from './events';
import type { EventState } from './memory';
import type { Filter } from './settings';
import { isSameFilter } from './settings';

/** One poll of an event. */
export interface EventPoll {
	event: EventName;
	client: Requester;
	service: string;
	workspace: string | undefined;
	/** What is known from earlier polls; undefined for a first poll */
	before: EventState | undefined;
	filter: Filter;
	/** Milliseconds */
	lookback: number;
	/** Whether existing records count as new when there is no state to continue from */
	emitExisting: boolean;
	/** The time of the service, in milliseconds since 1970: a later time of a record is a mistake */
	now: () => number;
}

/** What was read of a list. */
interface Part {
	records: IDataObject[];
	/** Whether it was read from one end to the other */
	isWhole: boolean;
	/** Whether each position that was read has given a record of its own, and the list did not change */
	isComplete: boolean;
}

/** What was read of the lists of an event: at least the records from the floor on, if it is complete. */
export interface Reading extends Omit<Part, 'records'> {
	listed: ListedRecord[];
	/** When the lists were last read as a whole, or that was tried */
	readAt: number;
	/** The time of the service, in milliseconds since 1970 */
	now: number;
}

/** Reads a list, in the given order or with other additions to the query. */
type PagesWith = (query?: IDataObject) => ReadPage;

/**
 * Reads what is new since the floor. The first poll reads everything; so does one poll a day, to find records without a
 * time and what ties have hidden, and polls for which it matters what an earlier filter hid.
 * @throws RequestFailure when a request fails
 */
export async function readEvent(poll: EventPoll): Promise<Reading> {
	const { before, filter, now } = poll;
	if (!before) return await readLists(poll, async (pages) => await readFully(pages, poll.event));
	const recent = await readLists(poll, async (pages) => await readRecent(pages, poll, before));
	const isRead = recent.isWhole && recent.isComplete;
	if (isRead) return recent;
	const isDue = now() - before.readAt >= DAY;
	const isChanged = !isSameFilter(before.filter, filter);
	if (!isDue && (recent.isWhole || !(isChanged || isTimeless(recent.listed)))) {
		return { ...recent, readAt: before.readAt };
	}
	const all = await readLists(poll, async (pages) => await readFully(pages, poll.event)).catch(
		// What was found counts even if there is no time for the rest
		() => ({ ...recent, isComplete: false }),
	);
	return { ...all, listed: distinct([...recent.listed, ...all.listed]) };
}

async function readLists(
	{ event, client, filter, now }: EventPoll,
	read: (pages: PagesWith) => Promise<Part>,
): Promise<Reading> {
	const listed: ListedRecord[] = [];
	let [isWhole, isComplete] = [true, true];
	for (const list of listsOf(event, filter)) {
		const part = await read((query) => pagesFor(client, event, { ...list, ...query }));
		listed.push(...part.records.map((record) => listedRecord(event, record, list)));
		isWhole &&= part.isWhole;
		isComplete &&= part.isComplete;
	}
	return { listed: distinct(listed), isWhole, isComplete, readAt: now(), now: now() };
}

/** If a record moved from one list to another, its last appearance counts. */
function distinct(listed: ListedRecord[]): ListedRecord[] {
	return [...new Map(listed.map((one) => [one.id, one])).values()];
}

/** Reads all of a list, as often as it takes. */
async function readFully(pages: PagesWith, event: EventName): Promise<Part> {
	const read = async (list: List) => {
		const { records, missing } = await readList(list);
		return { records, isWhole: true, isComplete: missing === 0 };
	};
	const { sorting, timeField: sortBy } = EVENTS[event];
	if (!sorting) return await read({ readPage: pages() });
	const { oldestFirst, newestFirst } = ordersOf(pages, sortBy);
	const inOrder = { readPage: oldestFirst, otherOrders: [newestFirst] };
	return (await ifSorted(async () => await read(inOrder))) ?? (await read({ readPage: pages() }));
}

/** The golden ratio: multiples of it spread evenly, however many there are. */
const SPREAD = (Math.sqrt(5) - 1) / 2;

/**
 * Reads a list back to the floor if the service sorts it by time. Otherwise, it is asked for what was cited since that
 * day, if it can filter by it, or else for everything.
 */
async function readRecent(pages: PagesWith, poll: EventPoll, before: EventState): Promise<Part> {
	const { sorting, timeField, hasStartDate } = EVENTS[poll.event];
	const { floor, isComplete } = before;
	// What equal records hide at the boundary of two pages shows where the pages begin elsewhere
	const shift = isComplete ? 0 : ((poll.now() / 1000) * SPREAD) % 1;
	const size = Math.ceil(shift * PAGE_SIZE) || PAGE_SIZE;
	const back =
		sorting && (await ifSorted(async () => await readBack(pages, timeField, floor, size)));
	if (back) return back;
	const startDate = hasStartDate && floor !== undefined ? { startDate: toDay(floor) } : undefined;
	return { ...(await readThrough(pages(startDate), size)), isWhole: !startDate };
}

const ordersOf = (pages: PagesWith, sortBy: string) => ({
	oldestFirst: pages({ sortBy, sortOrder: 'asc' }),
	newestFirst: pages({ sortBy, sortOrder: 'desc' }),
});

const isRising = (times: number[]) =>
	times.every((time, index) => index === 0 || time >= (times[index - 1] ?? time));

/** The contract does not show how to ask for every order. @returns undefined if the service refuses to sort */
async function ifSorted<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
	return await read().catch((error: unknown) => {
		if (!isRejected(error)) throw error;
		return undefined;
	});
}

/**
 * Reads the newest page, and if it does not reach back far enough, the list from its end, sorted oldest first: new records
 * arrive behind what was read instead of shifting it, and a database sorts everything once beyond the middle of a list,
 * so records with the same time do not come twice.
 * @param from where to stop, in milliseconds since 1970
 * @param size how many records to ask for first
 * @returns undefined if the service does not keep the order
 */
async function readBack(
	pages: PagesWith,
	sortBy: string,
	from = -Infinity,
	size: number,
): Promise<Part | undefined> {
	const { oldestFirst, newestFirst } = ordersOf(pages, sortBy);
	const timesOf = (records: IDataObject[]) => records.flatMap((one) => timeOf(one[sortBy]) ?? []);
	const found = new Found();
	let times = timesOf(await found.read(newestFirst, 0, size)).reverse();
	let start = Math.max(0, found.total - size);
	let step = PAGE_SIZE;
	const goesOn = () => start > 0 && isRising(times) && !times.some((time) => time < from);
	// Equal records at the end of this page go on behind it
	if (goesOn() && times[0] === times[1]) [start, step] = [found.total, size];
	while (goesOn()) {
		const end = start;
		start = Math.max(0, end - step);
		times = timesOf(await found.read(oldestFirst, start, end));
		step = PAGE_SIZE;
	}
	return isRising(times) ? found.from(start) : undefined;
}

/** Reads a list to its end, although it may change in the meantime. */
async function readThrough(readPage: ReadPage, size: number): Promise<Part> {
	const found = new Found();
	await found.read(readPage, 0, size);
	let next = size;
	function* starts() {
		for (; next < found.total; next += PAGE_SIZE) yield next;
	}
	const readAt = async (start: number, _index: number, stop: AbortSignal) =>
		await found.read(readPage, start, start + PAGE_SIZE, stop);
	while (next < found.total) {
		await mapConcurrently(starts(), REQUEST_DEFAULTS.concurrency, readAt);
	}
	return found.from(0);
}

/** What has been read of a list so far. */
class Found {
	total = Infinity;
	private isSteady = true;
	private readonly records = new Records();

	/**
	 * Reads the records at these positions. A page may be smaller than asked: then what it lacks is read on after it.
	 * @returns them, as they were listed
	 */
	async read(readPage: ReadPage, start: number, end: number, stop?: AbortSignal) {
		const records: IDataObject[] = [];
		for (let offset = start, isFull = true; isFull && offset < Math.min(end, this.total); ) {
			const { total, items } = await readPage(offset, end - offset, stop);
			this.isSteady &&= total === this.total || this.total === Infinity;
			this.total = total;
			this.records.add(items);
			records.push(...items);
			offset += items.length;
			isFull = items.length > 0;
		}
		return records;
	}

	/** @returns what was found, if it was read from a position on */
	from(start: number): Part {
		const isComplete = this.isSteady && this.records.size === this.total - start;
		return { records: this.records.all, isWhole: start === 0, isComplete };
	}
}

/**
 * @returns what to ask for to read the lists of an event (contract 4.3, 4.5, 4.6 and 4.8), with the filters that the service
 * applies itself
 */
export function listsOf(event: EventName, { includeProcessed, domain }: Filter): IDataObject[] {
	const lists = EVENTS[event].lists.slice(0, includeProcessed ? undefined : 1);
	return lists.map((list) => ({ ...list, ...(domain && { domain }) }));
}

/** @returns a function that reads the pages of a list of an event */
export function pagesFor(client: Requester, event: EventName, query: IDataObject): ReadPage {
	return pagesOf(client, { method: 'GET', path: EVENTS[event].path, query });
}
