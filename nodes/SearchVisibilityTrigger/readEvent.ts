import type { IDataObject } from 'n8n-workflow';

import { DAY, toDay } from '../shared/days';
import { isRejected } from '../shared/errors/requestFailure';
import type { ReadPage } from '../shared/lists/pages';
import { pagesOf } from '../shared/lists/pages';
import { readList } from '../shared/lists/readList';
import type { Requester } from '../shared/request/client';
import type { EventName } from './events';
import { EVENTS } from './events';
import type { Filter, ListedRecord } from './listedRecord';
import { isSameFilter, isTimeless, listedRecord } from './listedRecord';
import type { EventState, Order } from './state';
import { TimedList } from './timedList';

/** How often a poll reads what it could not read completely; a first poll has to be complete, so it tries harder. */
const READINGS = 3;

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

/** What was read: at least the records from the floor on, if nothing is missing. */
export interface Reading {
	listed: ListedRecord[];
	/** Whether the lists were read to both ends */
	isWhole: boolean;
	/** Whether that was tried in vain */
	isTried?: true;
	/** How many records of which no earlier poll knew are certainly missing */
	missing: number;
	/** What is now known about the order */
	order: Order;
	/** How many records each list has */
	totals: number[];
	/** The time of the service, in milliseconds since 1970 */
	now: number;
}

/**
 * Reads the lists of an event back to the floor. Once a day, and where nothing has a time, it reads all of them, if there is
 * enough time for it.
 * @throws RequestFailure when a request fails
 */
export async function readEvent(poll: EventPoll): Promise<Reading> {
	const { before, filter } = poll;
	// After a change of the filter, it matters what the last one hid
	const reading = await readInOrder(poll, !before || !isSameFilter(before.filter, filter));
	const isDue = reading.now - (before?.triedAt ?? reading.now) >= DAY;
	// Since the floor, only records without a time may have been cited
	if (reading.isWhole || !(isDue || isTimeless(reading.listed))) return reading;
	return await readInOrder(poll, true).catch(() => ({ ...reading, isTried: true }));
}

/**
 * If the service keeps the lists in order, they are read from the end back to the floor. Otherwise, it is asked for what
 * was cited since that day, if it can filter by it, or else for everything.
 */
async function readInOrder(poll: EventPoll, isWhole: boolean): Promise<Reading> {
	if (EVENTS[poll.event].sorting && (isWhole || poll.before?.order !== 'unsorted')) {
		const reading = await readLists(poll, isWhole, true).catch((error: unknown) => {
			if (!isRejected(error)) throw error;
		});
		if (reading && reading.order !== 'unsorted') return reading;
	}
	return await readLists(poll, isWhole, false);
}

/** @param isSorted whether to ask for the oldest first; otherwise, the lists come as the service keeps them */
async function readLists(poll: EventPoll, isWhole: boolean, isSorted: boolean): Promise<Reading> {
	const { event, client, filter, before, now } = poll;
	const { timeField, sorting, hasStartDate } = EVENTS[event];
	let order: Order = before?.order ?? (sorting === 'documented' ? 'sorted' : undefined);
	if (sorting && !isSorted) order = 'unsorted';
	const from = isWhole ? undefined : before?.floor;
	const backTo = isSorted && order === 'sorted' ? from : undefined;
	const startDate = hasStartDate && from !== undefined ? { startDate: toDay(from) } : undefined;
	const oldestFirst = { sortBy: timeField, sortOrder: 'asc' };
	const newestFirst = { sortBy: timeField, sortOrder: 'desc' };
	const byId = new Map<string, ListedRecord>();
	const totals: number[] = [];
	let missing = 0;
	for (const list of listsOf(event, filter)) {
		const pages = (order?: IDataObject) => pagesFor(client, event, { ...list, ...order });
		const listedFrom = (record: IDataObject) => listedRecord(event, record, list);
		const timed = isSorted
			? new TimedList(pages(oldestFirst), listedFrom, pages(newestFirst))
			: new TimedList(pages(startDate), listedFrom);
		missing += await readOne(timed, poll, before?.totals[totals.length] ?? 0, backTo);
		totals.push(timed.total);
		// If a record moved from one list to another, its last appearance counts
		for (const one of timed.listed) byId.set(one.id, one);
		order = timed.order ?? order;
		if (timed.order === 'unsorted') break;
	}
	return {
		listed: [...byId.values()],
		isWhole: backTo === undefined && (isSorted || !startDate),
		missing,
		order,
		totals,
		now: now(),
	};
}

/**
 * Reads a list, and what is missing of it a few times more.
 * @param known how many records the list had when it was last read
 * @param backTo where to stop when reading back from the end, in milliseconds since 1970; undefined to read everything
 * @returns how many records of which no earlier poll knew are certainly missing
 */
async function readOne(timed: TimedList, poll: EventPoll, known: number, backTo?: number) {
	const { before, emitExisting, lookback, now } = poll;
	const isBack = backTo !== undefined;
	if (isBack) await timed.readBack(backTo, known);
	// A silent first poll knows older records by their age
	const isSilent = !before && !emitExisting;
	const oldest = () => (isSilent ? Math.min(timed.newest, now()) - lookback : -Infinity);
	const missingFrom = (time = before?.floor ?? oldest()) => timed.missingFrom(time);
	// If the list is as long as before, nothing has come late
	const isLacking = () => missingFrom(timed.total === known ? before?.confirmed : undefined) > 0;
	const isEnough = () => timed.order === 'unsorted' || (timed.isInOrder && !isLacking());
	if (isBack && isEnough()) return 0;
	const { missing } = await readList(timed.from(isBack ? timed.startOf(backTo) : 0), {
		mostReadings: before?.floor === undefined ? undefined : READINGS,
		variation: (before?.incomplete ?? 0) * READINGS,
		isEnough,
	});
	return timed.isInOrder && (isBack || missing > 0) ? missingFrom(before?.confirmed) : missing;
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
