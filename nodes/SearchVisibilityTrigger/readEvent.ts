import type { IDataObject } from 'n8n-workflow';

import { toDay } from '../shared/days';
import type { ReadPage } from '../shared/lists/pages';
import { pagesOf } from '../shared/lists/pages';
import { isOrderRejected, readAvailable } from '../shared/lists/readList';
import { REQUEST_DEFAULTS } from '../shared/parameters/requestOptions';
import type { Requester } from '../shared/request/client';
import type { EventList, EventName, Sort } from './events';
import { EVENTS } from './events';
import { ListedRecord } from './listedRecord';
import type { EventState, Order } from './state';
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
}

/** What to read. Records from before the floor are not needed; those from before `confirmed` were all found. */
export interface EventPlan {
	/** What is known from earlier polls; undefined for a first poll */
	before: EventState | undefined;
	/** Whether to read the lists to their other end all the same */
	isWhole: boolean;
	/** In a first poll, records older than this before the newest are known by their age, in milliseconds; or none is */
	lookback: number;
	/** The time of the service, in milliseconds since 1970: a later time of a record is a mistake */
	now: () => number;
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
 * Reads the lists of an event. If the service keeps them in order, it reads from the end back to the floor. Otherwise, it
 * asks for what was cited since that day, if the service can filter by it, or else for everything.
 * @throws RequestFailure when a request fails
 */
export async function readEvent(source: Source, plan: EventPlan): Promise<Reading> {
	const { sort } = EVENTS[source.event];
	if (sort && (plan.before?.order !== 'unsorted' || plan.isWhole)) {
		const reading = await readLists(source, plan, sort).catch((error: unknown) => {
			if (!isOrderRejected(error)) throw error;
		});
		if (reading && reading.order !== 'unsorted') return reading;
	}
	return await readLists(source, plan);
}

/** @param sort how to ask for the order; without it, the lists come as the service keeps them */
async function readLists(source: Source, plan: EventPlan, sort?: Sort): Promise<Reading> {
	const { totals = [], order: lastOrder } = plan.before ?? {};
	let order: Order = lastOrder === 'unsorted' ? undefined : lastOrder;
	if (!sort && EVENTS[source.event].sort) order = 'unsorted';
	const reading: Reading = { listed: [], isWhole: true, missing: 0, order, totals: [] };
	const byId = new Map<string, ListedRecord>();
	for (const [index, list] of listsOf(source).entries()) {
		const isTrusted = sort?.isDocumented === true || reading.order === 'sorted';
		const one = await readOne(source, list, {
			...plan,
			sort,
			isTrusted,
			known: totals[index] ?? 0,
		});
		const { timed } = one;
		if (sort && !timed.isRising) return { ...reading, order: 'unsorted' };
		if (sort && timed.isProvedRising) reading.order = 'sorted';
		reading.isWhole &&= one.isWhole;
		reading.missing += one.missing;
		reading.totals.push(timed.total);
		for (const { record, time } of timed.listed) {
			// If a record moved from one list to another, its last appearance counts
			const listed = new ListedRecord(source.event, record, list, time);
			byId.set(listed.id, listed);
		}
	}
	return { ...reading, listed: [...byId.values()] };
}

/** What matters for one of the lists. */
interface ListPlan extends EventPlan {
	sort: Sort | undefined;
	/** Whether the service is known to keep the order */
	isTrusted: boolean;
	/** How many records the list had */
	known: number;
}

/** Reads a list, and what is missing of it a few times more. The service may keep it newest first without saying so. */
async function readOne(source: Source, list: EventList, plan: ListPlan) {
	const { before, isWhole, lookback, sort, known } = plan;
	const from = before?.floor ?? undefined;
	const since = before?.confirmed ?? undefined;
	const { timeField, hasStartDate } = EVENTS[source.event];
	const isPart = from !== undefined && !isWhole;
	const hasStart = !sort && isPart && hasStartDate === true;
	const query = hasStart ? { startDate: toDay(from) } : sort?.query;
	const timed = new TimedList(pagesFor(source, list, query), timeField);
	const isBack = isPart && plan.isTrusted && sort !== undefined;
	if (isBack) await timed.readBack(from, known);
	const isSorted = () => (sort ? timed.isRising : timed.isProvedFalling);
	const newest = () => Math.min(timed.newest, plan.now());
	const missingFrom = (time = from ?? newest() - lookback) => timed.missingFrom(time);
	// If the list is as long as before, nothing has come late
	const isLacking = () => missingFrom(timed.total === known ? since : undefined) > 0;
	const isEnough = () => (sort && !timed.isRising) || (isSorted() && !isLacking());
	let missing = 0;
	if (!isBack || !isEnough()) {
		const start = isBack ? timed.startOf(from) : 0;
		const result = await readAvailable(
			{ readPage: timed.pagesFrom(start) },
			{
				atOnce: REQUEST_DEFAULTS.concurrency,
				mostReadings: from === undefined ? READINGS_OF_FIRST : READINGS,
				variation: (before?.incomplete ?? 0) * READINGS,
				isEnough,
			},
		);
		missing = result.missing;
	}
	return {
		timed,
		missing: isSorted() && (isBack || missing > 0) ? missingFrom(since) : missing,
		isWhole: !hasStart && (!isBack || timed.isWhole),
	};
}

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
