import type { IDataObject } from 'n8n-workflow';

import { toDay } from '../shared/days';
import type { ReadPage } from '../shared/lists/pages';
import { pagesOf } from '../shared/lists/pages';
import { isRefusal, readAvailable } from '../shared/lists/readList';
import type { Requester } from '../shared/request/client';
import type { EventList, EventName } from './events';
import { EVENTS } from './events';
import { ListedRecord } from './listedRecord';
import type { Order } from './state';
import { TimedList } from './timedList';

/** How often a poll reads what it could not read completely; a first poll tries harder, because it has to be complete. */
const READINGS = 3;
const READINGS_OF_FIRST = 20;

/** The lists of an event, and how to read them. */
export interface Source {
	event: EventName;
	includeProcessed: boolean;
	domain: string;
	client: Requester;
	concurrency: number;
}

/** What to read. */
export interface Plan {
	/** Older records are not needed, in milliseconds since 1970; undefined in a first poll */
	from?: number | undefined;
	/** Older records were all found by earlier polls, apart from late ones, in milliseconds since 1970 */
	since?: number | undefined;
	/** Whether to read the lists to their other end all the same */
	isWhole: boolean;
	/** In a first poll, records older than this before the newest are known by their age, in milliseconds; or none is */
	lookback: number;
	order: Order;
	/** How many records each list had */
	totals: number[];
	/** How many polls in a row were incomplete, so that this one reads other pages */
	incomplete: number;
}

/** What was read: at least what the plan asked for, if it is complete. */
export interface Reading {
	listed: ListedRecord[];
	/** Whether the lists were read to both ends */
	isWhole: boolean;
	/** How many records of which no earlier poll knew are certainly missing */
	missing: number;
	/** What is now known about the order */
	order: Order;
	/** How many records each list has */
	totals: number[];
}

/**
 * Reads the lists of an event. If the service keeps them in order, it reads from the end back to `plan.from`. Otherwise, it
 * asks for what was cited since that day, if the service can filter by it, or else for everything.
 * @throws RequestFailure when a request fails
 */
export async function readEvent(source: Source, plan: Plan): Promise<Reading> {
	const { sort, timeField } = EVENTS[source.event];
	if (!sort || (plan.order === 'unsorted' && !plan.isWhole)) {
		return await readUnordered(source, plan);
	}
	let isOrdered = true;
	let isProved = false;
	const reading = await readLists(source, plan, async (list, known, planOfList) => {
		const newestFirst = pagesFor(source, list, { ...sort.query, sortOrder: 'desc' });
		const oldestFirst = pagesFor(source, list, sort.query);
		const timed = new TimedList(oldestFirst, timeField, known, newestFirst);
		const { from, isWhole } = planOfList;
		if (!isOrdered) return { timed, missing: 0, isWhole: false };
		const isTrusted = sort.isDocumented || isProved || plan.order === 'sorted';
		const isPartial = isTrusted && !isWhole && from !== undefined;
		if (isPartial) await timed.readBack(from);
		else await timed.readOnFrom(-Infinity, 0, source.concurrency);
		const missing = await findRest(timed, planOfList, source.concurrency);
		isOrdered = timed.isRising;
		isProved ||= timed.isProvedRising;
		return { timed, missing, isWhole: !isPartial || timed.records.size >= timed.total };
	}).catch((error: unknown) => {
		if (!isRefusal(error)) throw error;
	});
	if (reading && isOrdered) {
		const order = plan.order === 'unsorted' ? undefined : plan.order;
		return { ...reading, order: isProved ? 'sorted' : order };
	}
	return { ...(await readUnordered(source, plan)), order: 'unsorted' };
}

/** What was read of one list. */
interface ListReading {
	timed: TimedList;
	missing: number;
	isWhole: boolean;
}

async function readLists(
	source: Source,
	plan: Plan,
	read: (list: EventList, known: number, plan: Plan) => Promise<ListReading>,
): Promise<Reading> {
	const lists = listsOf(source);
	const readings: ListReading[] = [];
	const byId = new Map<string, ListedRecord>();
	const readOne = async (index: number, list: EventList, planOfList: Plan) => {
		const { timed: last, isWhole: wasWhole = false } = readings[index] ?? {};
		const reading = await read(list, last?.total ?? plan.totals[index] ?? 0, planOfList);
		readings[index] = { ...reading, isWhole: reading.isWhole || wasWhole };
		for (const one of reading.timed.records.all) {
			// If a record moved from one list to another, its last appearance counts
			const record = new ListedRecord(source.event, one, list, reading.timed.timeOf(one));
			byId.set(record.id, record);
		}
	};
	for (const [index, list] of lists.entries()) await readOne(index, list, plan);
	const [first] = lists;
	if (first && lists.length > 1 && plan.from === undefined) {
		// A record that moved back to the first list while the others were read was in none of them
		const times = [...byId.values()].map(({ time = 0 }) => time);
		const newest = times.reduce((one, other) => Math.max(one, other), 0);
		await readOne(0, first, { ...plan, from: newest - plan.lookback, isWhole: false });
	}
	return {
		listed: [...byId.values()],
		isWhole: readings.every((reading) => reading.isWhole),
		missing: readings.reduce((sum, reading) => sum + reading.missing, 0),
		order: plan.order,
		totals: readings.map(({ timed }) => timed.total),
	};
}

/**
 * Reads again while records are missing. If the list is as long as before, nothing has come late.
 * @returns how many are still missing that no earlier poll found
 */
async function findRest(list: TimedList, plan: Plan, atOnce: number): Promise<number> {
	const { from, since, lookback, incomplete } = plan;
	const floor = from ?? list.newest - lookback;
	const most = from === undefined ? READINGS_OF_FIRST : READINGS;
	for (let count = 1; count < most && list.isRising && list.isLacking(floor, since); count++) {
		await list.readOnFrom(floor, count + incomplete * READINGS, atOnce);
	}
	return list.missingFrom(since ?? floor);
}

/** The service may keep such a list newest first, although it does not say so: then it may end before all is found. */
const readUnordered = async (source: Source, plan: Plan) =>
	await readLists(source, plan, async (list, known, { from, since, isWhole, incomplete }) => {
		const { hasStartDate, timeField } = EVENTS[source.event];
		const hasStart = from !== undefined && Number.isFinite(from) && !isWhole && !!hasStartDate;
		const query = hasStart ? { startDate: toDay(from) } : {};
		const timed = new TimedList(pagesFor(source, list, query), timeField, known);
		const { missing } = await readAvailable(timed, {
			atOnce: source.concurrency,
			mostReadings: plan.from === undefined ? READINGS_OF_FIRST : READINGS,
			variation: incomplete * READINGS,
			isEnough: () => from !== undefined && timed.isProvedFalling && !timed.isLacking(from, since),
		});
		const isKnown = since !== undefined && timed.isProvedFalling;
		return { timed, missing: isKnown ? timed.missingFrom(since) : missing, isWhole: !hasStart };
	});

/** @returns the lists of an event (contract 4.3, 4.5, 4.6 and 4.8), with the filters that the service applies itself */
export function listsOf({ event, includeProcessed, domain }: Omit<Source, 'client'>): EventList[] {
	const { lists, hasFilters } = EVENTS[event];
	const filter = hasFilters && domain ? { domain } : {};
	return lists(includeProcessed).map((list) => ({ ...list, query: { ...list.query, ...filter } }));
}

/** @returns a function that reads the pages of a list of an event; `more` is added to its query */
export function pagesFor(
	{ event, client }: Source,
	{ query }: EventList,
	more: IDataObject = {},
): ReadPage {
	const { path } = EVENTS[event];
	return pagesOf(client, { method: 'GET', path, query: { ...query, ...more } });
}
