import type { IDataObject } from 'n8n-workflow';

import { DAY, timeOf, toDay } from '../shared/times';
import { isRejected, RequestFailure } from '../shared/errors/requestFailure';
import type { ReadPage } from '../shared/lists/pages';
import { PAGE_SIZE, pagesOf } from '../shared/lists/pages';
import type { List } from '../shared/lists/readList';
import { readList, SPREAD } from '../shared/lists/readList';
import { REQUEST_DEFAULTS } from '../shared/request/client';
import { Records } from '../shared/records';
import type { Requester } from '../shared/request/client';
import { mapConcurrently } from '../shared/request/mapConcurrently';
import type { EventName, ListedRecord } from './events';
import { EVENTS, areUndated, listedRecord } from './events';
import type { EventState } from './memory';
import type { Filter } from './settings';

/** One poll of an event. */
export interface EventPoll {
	event: EventName;
	client: Requester;
	service: string;
	workspace: string | undefined;
	/** What is known from earlier polls; undefined for a first poll */
	before: EventState | undefined;
	filter: Filter;
	/** In milliseconds */
	lookback: number;
	/** Whether a first poll emits what exists */
	emitExisting: boolean;
	/** The time of the service, in milliseconds since 1970 */
	now: () => number;
}

/** What was read of a list. */
interface Part {
	records: IDataObject[];
	/** Whether it was read from one end to the other */
	isWhole: boolean;
	/** Whether each position that was read has given a record of its own, and the list did not change */
	isComplete: boolean;
	/** If much is missing although it was read as often as it takes */
	failure?: RequestFailure | undefined;
}

/** What was read of the lists of an event. */
export interface EventReading extends Omit<Part, 'records'> {
	listed: ListedRecord[];
	/** When the lists were last read as a whole, or that was tried */
	readAt: number;
	/** The time of the service */
	now: number;
}

/** A way to read a list. */
interface Way {
	/** Reads it in the orders by time; undefined if the service does not keep them */
	sorted: (oldestFirst: ReadPage, newestFirst: ReadPage) => Promise<Part | undefined>;
	/** Reads it in the order that the service keeps, with more in the query */
	unsorted: (pages: (more?: IDataObject) => ReadPage) => Promise<Part>;
}

/**
 * Reads at least what is dated from the floor on. A first poll reads everything, as often as it takes. So does one poll a
 * day, for records that have no time or hide behind equal ones, and the polls after a change, because it matters what the
 * earlier filter hid.
 * @throws RequestFailure when a request fails
 */
export async function readEvent(poll: EventPoll): Promise<EventReading> {
	const { before, now } = poll;
	if (!before) return await readLists(poll, FULLY);
	const recent = await readLists(poll, sinceFloor(poll, before));
	if (recent.isWhole && recent.isComplete) return recent;
	// Again only once a day, however little a reading finds
	const needsWhole = areUndated(recent.listed);
	// A clock that was wrong once may have been ahead
	const isDue = Math.abs(now() - before.readAt) >= DAY || (needsWhole && !recent.isWhole);
	if (!isDue) return { ...recent, readAt: before.readAt };
	// What was found counts even if there is no time for the rest
	const all = await readLists(poll, FULLY).catch(() => ({ ...recent, isComplete: false }));
	return { ...all, listed: distinct([...recent.listed, ...all.listed]) };
}

/** Reads the first page of each list, the newest records first if the service can sort them. */
export async function readNewest(poll: Parameters<typeof readLists>[0]): Promise<ListedRecord[]> {
	const readFirst = async (readPage: ReadPage) => {
		const { items } = await readPage(0, PAGE_SIZE);
		return { records: items, isWhole: false, isComplete: false };
	};
	const { listed } = await readLists(poll, {
		sorted: async (_, newestFirst) => await readFirst(newestFirst),
		unsorted: async (pages) => await readFirst(pages()),
	});
	return listed;
}

/** Reads the lists of an event (contract 4.3, 4.5, 4.6 and 4.8), with the filters that the service applies itself. */
async function readLists(
	{ event, client, filter, now }: Pick<EventPoll, 'event' | 'client' | 'filter' | 'now'>,
	{ sorted, unsorted }: Way,
): Promise<EventReading> {
	const { path, lists, isSortable, timeField: sortBy } = EVENTS[event];
	const domain = filter.domain && { domain: filter.domain };
	const listed: ListedRecord[] = [];
	let [isWhole, isComplete] = [true, true];
	let failure: RequestFailure | undefined;
	for (const list of filter.includeProcessed ? lists : lists.slice(0, 1)) {
		const pages = (more?: IDataObject) =>
			pagesOf(client, { method: 'GET', path, query: { ...list, ...domain, ...more } });
		const inOrder = (sortOrder: string) => pages({ sortBy, sortOrder });
		const refused = (error: unknown) => {
			// The contract does not show how to ask for every order
			if (!isRejected(error)) throw error;
			return undefined;
		};
		const inTime = isSortable && (await sorted(inOrder('asc'), inOrder('desc')).catch(refused));
		const part = inTime ?? (await unsorted(pages));
		listed.push(...part.records.map((record) => listedRecord(event, record, list)));
		isWhole &&= part.isWhole;
		isComplete &&= part.isComplete;
		failure ??= part.failure;
	}
	return { listed: distinct(listed), isWhole, isComplete, failure, readAt: now(), now: now() };
}

/** If a record moved from one list to another, its last appearance counts. */
function distinct(listed: ListedRecord[]): ListedRecord[] {
	const byHash = new Map<string, ListedRecord>();
	for (const one of listed) byHash.set(one.hash, one);
	return [...byHash.values()];
}

const readFully = async (list: List): Promise<Part> => {
	const { records, missing, reason } = await readList(list);
	// Equal records hide a few, about which nobody can do anything
	const isBroken = reason && missing > records.length / 10;
	const failure = isBroken ? new RequestFailure(reason, { missing }) : undefined;
	return { records, isWhole: true, isComplete: !reason, failure };
};

/** As often as it takes. */
const FULLY: Way = {
	sorted: async (oldestFirst, newestFirst) =>
		await readFully({ readPage: oldestFirst, opposite: newestFirst }),
	unsorted: async (pages) => await readFully({ readPage: pages() }),
};

/**
 * Once, back to the floor. Where the service does not sort, it is asked for what was cited since that day, if it can filter
 * by it, or else for everything.
 */
function sinceFloor({ event, now }: EventPoll, { floor, isComplete }: EventState): Way {
	const { timeField, hasStartDate } = EVENTS[event];
	// What equal records hide at the boundary of two pages shows where the pages begin elsewhere than in the poll before
	const shift = isComplete ? 0 : ((now() / 1000) * SPREAD) % 1;
	const size = Math.ceil(shift * PAGE_SIZE) || PAGE_SIZE;
	const isPart = hasStartDate && floor !== undefined;
	return {
		sorted: async (oldestFirst, newestFirst) =>
			await readBack(oldestFirst, newestFirst, { timeField, from: floor ?? -Infinity, size }),
		unsorted: async (pages) => {
			const found = new Found();
			const readPage = pages(isPart ? { startDate: toDay(floor) } : {});
			await found.read(readPage, 0, size);
			const readOn = async (start: number, _index: number, stop: AbortSignal) =>
				await found.read(readPage, start, start + PAGE_SIZE, stop);
			await mapConcurrently(found.startsFrom(size), REQUEST_DEFAULTS.concurrency, readOn);
			return { ...found.from(0), isWhole: !isPart };
		},
	};
}

/**
 * Reads the newest page, and if it does not reach back far enough, the list from its end, sorted oldest first: new records
 * arrive behind what was read instead of shifting it, and a database sorts everything once beyond the middle of a list,
 * so records with the same time do not come twice.
 * @param to where to stop, in milliseconds since 1970, and how many records to ask for first
 */
async function readBack(
	oldestFirst: ReadPage,
	newestFirst: ReadPage,
	to: { timeField: string; from: number; size: number },
): Promise<Part | undefined> {
	const timesOf = (records: IDataObject[]) =>
		records.map((record) => timeOf(record[to.timeField])).filter((time) => time !== undefined);
	const found = new Found();
	const newest = await found.read(newestFirst, 0, to.size);
	let times = timesOf(newest).reverse();
	let start = Math.max(0, found.total - to.size);
	const goesOn = () => start > 0 && isRising(times) && !times.some((time) => time < to.from);
	// A page that ends within equal records, or has some without a time (they may come first in both orders), is read again
	const endsBetweenTimes = times[0] !== times[1] && times.length === newest.length;
	if (goesOn() && !endsBetweenTimes) start = found.total;
	while (goesOn()) {
		const end = start;
		start = Math.max(0, end - (end === found.total ? to.size : PAGE_SIZE));
		times = timesOf(await found.read(oldestFirst, start, end));
	}
	return isRising(times) ? found.from(start) : undefined;
}

function isRising(times: number[]): boolean {
	return times.every((time, index) => time >= (times[index - 1] ?? time));
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
		for (let offset = start; offset < Math.min(end, this.total); ) {
			const { total, items } = await readPage(offset, end - offset, stop);
			this.isSteady &&= total === this.total || this.total === Infinity;
			this.total = total;
			this.records.add(items);
			records.push(...items);
			offset += items.length || end;
		}
		return records;
	}

	/** Where the next pages begin. The list may grow until the last one is read, and a generator would have ended by then. */
	startsFrom(first: number): Iterable<number> {
		let start = first;
		const next = () =>
			start < this.total
				? { value: (start += PAGE_SIZE) - PAGE_SIZE }
				: { value: undefined, done: true as const };
		return { [Symbol.iterator]: () => ({ next }) };
	}

	/** @returns what was found, if everything from a position on was read */
	from(start: number): Part {
		// The newest page lies behind this position too, so each position has to give a record of its own
		const isComplete = this.isSteady && this.records.size === this.total - start;
		return { records: this.records.all, isWhole: start === 0, isComplete };
	}
}
