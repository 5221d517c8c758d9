import type { IDataObject } from 'n8n-workflow';

import { readUntil } from '../shared/lists/changingList';
import type { Requester } from '../shared/request/client';
import { toDay } from '../shared/days';
import { RequestFailure } from '../shared/errors/requestFailure';
import type { ReadPage } from '../shared/lists/pages';
import { pagesOf } from '../shared/lists/pages';
import { readList } from '../shared/lists/pagination';
import type { EventName, List } from './events';
import { EVENTS } from './events';
import { OrderCheck } from './order';
import { ListedRecord } from './listedRecord';
import type { Order } from './state';

/** For more records than this, reading pages at the same time is faster than one after the other. */
const MOST_IN_ORDER = 5000;

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
	/** Older records are not needed, in milliseconds since 1970; undefined for everything */
	from?: number | undefined;
	order: Order;
	/** How many records the lists had in total when their ends were last checked */
	total?: number | undefined;
}

/** What was read: at least what the plan asked for. */
export interface Reading {
	listed: ListedRecord[];
	/** All records from this time on were read, in milliseconds since 1970; undefined if everything was read */
	from?: number;
	/** What is now known about the order */
	order: Order;
	/** How many records the lists had in total, if they were not read to the end */
	total?: number;
}

/**
 * Reads the lists of an event. If the service keeps them newest first, it reads down to `plan.from`. Otherwise, it asks
 * for what was cited since that day, if the service can filter by it, or else for everything.
 *
 * A list in which a record has no time is read completely, because there may be others anywhere in it.
 * @throws RequestFailure when a list cannot be read
 */
export async function readEvent(source: Source, plan: Plan): Promise<Reading> {
	const { sort } = EVENTS[source.event];
	if (!sort || plan.order === 'unsorted') return await readAll(source, plan, plan.order);
	return await readSorted(source, plan, sort).catch(async (error: unknown) => {
		if (sort.isDocumented || !isRefusal(error)) throw error;
		return await readAll(source, plan, 'unsorted');
	});
}

async function readSorted(
	source: Source,
	plan: Plan,
	{ query, isDocumented }: { query: IDataObject; isDocumented: boolean },
): Promise<Reading> {
	const check = new OrderCheck(EVENTS[source.event].timeField);
	if (plan.from !== undefined && (isDocumented || plan.order === 'sorted')) {
		const reading = await readDown(source, { ...plan, from: plan.from }, query, check);
		if (reading) return reading;
		const rest = check.hasUndated ? { order: plan.order } : plan;
		if (check.isBroken && !isDocumented) return await readAll(source, rest, 'unsorted');
		return await readAll(source, rest, plan.order, query);
	}
	const reading = await readAll(source, plan, plan.order, query, check);
	return isDocumented ? reading : { ...reading, order: check.verdict(plan.order) };
}

/** @returns undefined if the lists have to be read in another way */
async function readDown(
	source: Source,
	plan: Plan & { from: number },
	sorting: IDataObject,
	check: OrderCheck,
): Promise<Reading | undefined> {
	const { from } = plan;
	const isBefore = (record?: IDataObject) =>
		record !== undefined && (check.timeOf(record) ?? from) < from;
	const listed: ListedRecord[][] = [];
	const rest: Unread[] = [];
	let total = 0;
	for (const list of listsOf(source)) {
		const readPage = check.watch(pagesFor(source, list, sorting));
		let isReached = false;
		const { records, isWhole } = await readUntil(readPage, (page, soFar) => {
			isReached = isBefore(page[page.length - 1]) && soFar.length < check.total;
			return isReached || !check.isTrusted || soFar.length > MOST_IN_ORDER;
		});
		if (!check.isTrusted || (!isWhole && !isReached)) return undefined;
		listed.push(toListedAll(source, list, records));
		total += check.total;
		if (!isWhole) rest.push({ readPage, total: check.total });
	}
	const isKnown = total === plan.total || (await areEndsBefore(from, rest, check));
	if (!check.isTrusted) return undefined;
	return { listed: joined(listed), from, order: 'sorted', ...(isKnown && { total }) };
}

/** A list that was not read to its end. */
interface Unread {
	readPage: ReadPage;
	total: number;
}

/**
 * A service may put records without a time at the end of a list. So if the number of records has changed, the last one
 * is checked.
 * @returns whether all lists were checked; the next poll checks again those that changed in the meantime
 */
async function areEndsBefore(from: number, lists: Unread[], check: OrderCheck): Promise<boolean> {
	let areSeen = true;
	for (const { readPage, total } of lists) {
		const page = await readPage(total - 1, 1);
		check.expectBefore(from, page.items[0]);
		areSeen &&= page.total === total;
	}
	return areSeen;
}

async function readAll(
	source: Source,
	{ from }: Plan,
	order: Order,
	sorting: IDataObject = {},
	check?: OrderCheck,
): Promise<Reading> {
	const startDate =
		from !== undefined && EVENTS[source.event].hasStartDate ? toDay(from) : undefined;
	const listed: ListedRecord[][] = [];
	for (const list of listsOf(source)) {
		const readPage = pagesFor(source, list, { ...sorting, ...(startDate && { startDate }) });
		const watched = check ? check.watch(readPage) : readPage;
		const read = await readList(watched, undefined, source.concurrency);
		listed.push(toListedAll(source, list, read));
	}
	const records = joined(listed);
	if (startDate && records.some(({ time }) => time === undefined)) {
		return await readAll(source, { order }, order, sorting, check);
	}
	return { listed: records, order, ...(startDate && { from: Date.parse(startDate) }) };
}

/** @returns the lists of an event (contract 4.3, 4.5, 4.6 and 4.8), with the filters that the service applies itself */
export function listsOf({ event, includeProcessed, domain }: Source): List[] {
	const { lists, hasFilters } = EVENTS[event];
	const filter = hasFilters && domain ? { domain } : {};
	return lists(includeProcessed).map((list) => ({ ...list, query: { ...list.query, ...filter } }));
}

/** @returns a function that reads the pages of a list of an event; `more` is added to its query */
export function pagesFor({ event, client }: Source, { query }: List, more: IDataObject): ReadPage {
	const { path } = EVENTS[event];
	return pagesOf(client, { method: 'GET', path, query: { ...query, ...more } });
}

function toListedAll({ event }: Source, list: List, records: IDataObject[]): ListedRecord[] {
	return records.map((record) => new ListedRecord(event, record, list));
}

/** If a record moved from one list to another while they were read, its last appearance counts. */
function joined([first = [], ...others]: ListedRecord[][]): ListedRecord[] {
	if (others.length === 0) return first;
	const rest = joined(others);
	if (rest.length === 0) return first;
	const later = new Set(rest.map(({ id }) => id));
	return [...first.filter(({ id }) => !later.has(id)), ...rest];
}

/** The node tries sorting even where the contract does not show how to ask for it, so the service may refuse it. */
function isRefusal(thrown: unknown): boolean {
	if (!(thrown instanceof RequestFailure) || thrown.kind !== 'status') return false;
	return [400, 422].includes(thrown.details.statusCode ?? 0);
}
