import type { IDataObject } from 'n8n-workflow';

import { DAY, toDay } from '../shared/days';
import { RequestFailure } from '../shared/errors/requestFailure';
import type { ReadPage } from '../shared/lists/pages';
import { pagesOf } from '../shared/lists/pages';
import { readAvailable } from '../shared/lists/readList';
import type { Requester } from '../shared/request/client';
import { EndOfList } from './endOfList';
import type { EventList, EventName } from './events';
import { EVENTS } from './events';
import { ListedRecord } from './listedRecord';
import { OrderWatch } from './order';
import type { Order } from './state';

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
	/** In a first poll, records older than this before the newest are known by their age, in days */
	lookbackDays: number;
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
	if (!sort || (plan.order === 'unsorted' && !plan.isWhole))
		return await readUnsorted(source, plan);
	const reading = await readSorted(source, plan, sort).catch((error: unknown) => {
		if (!isRefusal(error)) throw error;
	});
	return reading ?? { ...(await readUnsorted(source, plan)), order: 'unsorted' };
}

/** @returns undefined if the service does not keep the order */
async function readSorted(
	source: Source,
	plan: Plan,
	{ query, isDocumented }: { query: IDataObject; isDocumented: boolean },
): Promise<Reading | undefined> {
	const watch = new OrderWatch(EVENTS[source.event].timeField);
	const isTrusted = isDocumented || plan.order === 'sorted';
	const from = plan.isWhole || !isTrusted ? undefined : plan.from;
	const lists = listsOf(source);
	const ends = lists.map((list) => new EndOfList(pagesFor(source, list, query), watch));
	const atOnce = source.concurrency;
	for (const [index, end] of ends.entries()) {
		await end.read({ from, total: plan.totals[index], atOnce });
	}
	const floor = plan.from ?? baselineFloor(ends, watch, plan);
	// A record that moves back to the first list while the others are read would be in none of them
	const [first, ...others] = ends;
	if (plan.from === undefined && first && others.length > 0) {
		await first.read({ from: floor, total: first.total, atOnce });
	}
	const most = plan.from === undefined ? READINGS_OF_FIRST : READINGS;
	for (const end of ends) {
		for (let count = 1; count < most && watch.isRising && end.missingFrom(floor) > 0; count++) {
			await end.readAgain(floor, count + plan.incomplete, atOnce);
		}
	}
	if (!watch.isRising) return undefined;
	const isLong = ends.some(({ total }) => total > 0);
	return {
		listed: joined(ends.map(({ records }, index) => listed(source, lists[index], records.all))),
		isWhole: from === undefined || ends.every((end) => end.isWhole),
		missing: ends.reduce((sum, end) => sum + end.missingFrom(floor), 0),
		order:
			isLong && watch.isProvedRising
				? 'sorted'
				: plan.order === 'unsorted'
					? undefined
					: plan.order,
		totals: ends.map(({ total }) => total),
	};
}

/** @returns the time from which a first poll has to be complete, in milliseconds since 1970 */
function baselineFloor(ends: EndOfList[], watch: OrderWatch, { lookbackDays }: Plan): number {
	const times = ends.flatMap(({ records }) => records.all.map((record) => watch.timeOf(record)));
	const newest = times.reduce<number>((last, time = last) => Math.max(last, time), 0);
	return newest - lookbackDays * DAY;
}

async function readUnsorted(source: Source, plan: Plan): Promise<Reading> {
	const { timeField, hasStartDate } = EVENTS[source.event];
	const { from } = plan;
	const since =
		from !== undefined && !plan.isWhole && hasStartDate ? { startDate: toDay(from) } : {};
	const found: ListedRecord[][] = [];
	const totals: number[] = [];
	let missing = 0;
	const lists = listsOf(source);
	const again = from === undefined && lists.length > 1 ? lists.slice(0, 1) : [];
	for (const list of [...lists, ...again]) {
		const newest = new NewestFirst(timeField, from);
		const result = await readAvailable(
			{ readPage: newest.watched(pagesFor(source, list, since)) },
			{
				atOnce: source.concurrency,
				mostReadings: from === undefined ? READINGS_OF_FIRST : READINGS,
				variation: plan.incomplete,
				isEnough: (records) => newest.areAllIn(records),
			},
		);
		found.push(listed(source, list, result.records));
		totals.push(newest.total);
		missing += result.missing;
	}
	const isWhole = Object.keys(since).length === 0;
	return {
		listed: joined(found),
		isWhole,
		missing,
		order: plan.order,
		totals: totals.slice(0, lists.length),
	};
}

/**
 * Watches a list that the service may keep newest first, although it does not say so. Then the position of the first
 * record before the time that counts tells how many there are from that time on, whatever is missing behind it.
 */
class NewestFirst {
	total = 0;

	private readonly watch: OrderWatch;

	private firstBefore = Number.POSITIVE_INFINITY;

	constructor(
		timeField: string,
		private readonly from: number | undefined,
	) {
		this.watch = new OrderWatch(timeField);
	}

	/** @returns the same pages, watched as they are read */
	watched(readPage: ReadPage): ReadPage {
		return async (offset, limit, stop) => {
			const page = await readPage(offset, limit, stop);
			this.total = page.total;
			this.watch.look(page.items);
			const index = page.items.findIndex((record) => this.isBefore(record));
			if (index >= 0) this.firstBefore = Math.min(this.firstBefore, offset + index);
			return page;
		};
	}

	areAllIn(records: IDataObject[]): boolean {
		if (!this.watch.isProvedFalling) return false;
		return records.filter((record) => !this.isBefore(record)).length >= this.firstBefore;
	}

	private isBefore(record: IDataObject): boolean {
		const time = this.watch.timeOf(record);
		return time !== undefined && this.from !== undefined && time < this.from;
	}
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
	more: IDataObject,
): ReadPage {
	const { path } = EVENTS[event];
	return pagesOf(client, { method: 'GET', path, query: { ...query, ...more } });
}

const listed = ({ event }: Source, list: EventList | undefined, records: IDataObject[]) =>
	records.map((record) => new ListedRecord(event, record, list));

/** If a record moved from one list to another while they were read, its last appearance counts. */
function joined(lists: ListedRecord[][]): ListedRecord[] {
	const byId = new Map<string, ListedRecord>();
	for (const record of lists.flat()) byId.set(record.id, record);
	return [...byId.values()];
}

/** The node tries sorting even where the contract does not show how to ask for it, so the service may refuse it. */
function isRefusal(thrown: unknown): boolean {
	if (!(thrown instanceof RequestFailure) || thrown.kind !== 'status') return false;
	return [400, 422].includes(thrown.details.statusCode ?? 0);
}
