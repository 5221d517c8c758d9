import type { IDataObject } from 'n8n-workflow';

import { toDay } from '../shared/days';
import { RequestFailure } from '../shared/errors/requestFailure';
import type { ReadPage } from '../shared/lists/pages';
import { pagesOf } from '../shared/lists/pages';
import { readAvailable } from '../shared/lists/readList';
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
	/** How many of the records that are needed are known to be missing */
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
	const { sort } = EVENTS[source.event];
	if (!sort || (plan.order === 'unsorted' && !plan.isWhole)) {
		return await readLists(source, plan, readUnordered);
	}
	const isTrusted = sort.isDocumented || plan.order === 'sorted';
	const isPartial = isTrusted && !plan.isWhole && plan.from !== undefined;
	let isOrdered = true;
	let isProved = false;
	const reading = await readLists(source, plan, async (_source, list, total) => {
		const timed = timedList(source, list, sort.query);
		if (isOrdered && isPartial) await timed.readBack(plan.from ?? 0, total);
		else if (isOrdered) await timed.readAll(source.concurrency);
		const missing = isOrdered ? await findRest(timed, plan, source.concurrency) : 0;
		isOrdered &&= timed.isRising;
		isProved ||= timed.isProvedRising;
		const records = timed.records.all;
		const isWhole = !isPartial || records.length >= timed.total;
		return { records, total: timed.total, missing, isWhole };
	}).catch((error: unknown) => {
		if (!isRefusal(error)) throw error;
	});
	if (reading && isOrdered) {
		const order = plan.order === 'unsorted' ? undefined : plan.order;
		return { ...reading, order: isProved ? 'sorted' : order };
	}
	return { ...(await readLists(source, plan, readUnordered)), order: 'unsorted' };
}

/** What was read of one list. */
interface ListReading {
	records: IDataObject[];
	total: number;
	missing: number;
	isWhole: boolean;
}

async function readLists(
	source: Source,
	plan: Plan,
	read: (source: Source, list: EventList, total: number, plan: Plan) => Promise<ListReading>,
): Promise<Reading> {
	const lists = listsOf(source);
	const readings: ListReading[] = [];
	const byId = new Map<string, ListedRecord>();
	// In a first poll, a record that moves back to the first list while the others are read would be in none of them
	const again = plan.from === undefined && lists.length > 1 ? lists.slice(0, 1) : [];
	for (const [index, list] of [...lists, ...again].entries()) {
		const place = index % lists.length;
		const reading = await read(source, list, plan.totals[place] ?? 0, plan);
		readings[place] = reading;
		for (const one of reading.records) {
			// If a record moved from one list to another, its last appearance counts
			const record = new ListedRecord(source.event, one, list);
			byId.set(record.id, record);
		}
	}
	return {
		listed: [...byId.values()],
		isWhole: readings.every((reading) => reading.isWhole),
		missing: readings.reduce((sum, reading) => sum + reading.missing, 0),
		order: plan.order,
		totals: readings.map(({ total }) => total),
	};
}

/** @returns how many of the records that are needed are still missing */
async function findRest(list: TimedList, plan: Plan, atOnce: number): Promise<number> {
	const floor = plan.from ?? list.newest - plan.lookback;
	const most = plan.from === undefined ? READINGS_OF_FIRST : READINGS;
	for (let count = 1; count < most && list.isRising && list.missingFrom(floor) > 0; count++) {
		await list.readAgain(floor, count + plan.incomplete * READINGS, atOnce);
	}
	return list.missingFrom(floor);
}

/** The service may keep such a list newest first, although it does not say so: then it may end before all is found. */
async function readUnordered(
	source: Source,
	list: EventList,
	_total: number,
	{ from, isWhole, incomplete }: Plan,
): Promise<ListReading> {
	const { hasStartDate } = EVENTS[source.event];
	const hasStart = from !== undefined && !isWhole && hasStartDate === true;
	const timed = timedList(source, list, hasStart ? { startDate: toDay(from) } : {});
	const { missing } = await readAvailable(timed, {
		atOnce: source.concurrency,
		mostReadings: from === undefined ? READINGS_OF_FIRST : READINGS,
		variation: incomplete * READINGS,
		isEnough: () => from !== undefined && timed.isProvedFalling && timed.missingFrom(from) === 0,
	});
	return { records: timed.records.all, total: timed.total, missing, isWhole: !hasStart };
}

const timedList = (source: Source, list: EventList, query: IDataObject) =>
	new TimedList(pagesFor(source, list, query), EVENTS[source.event].timeField);

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

/** The node tries sorting even where the contract does not show how to ask for it, so the service may refuse it. */
export function isRefusal(thrown: unknown): boolean {
	if (!(thrown instanceof RequestFailure) || thrown.kind !== 'status') return false;
	return [400, 422].includes(thrown.details.statusCode ?? 0);
}
