import type { IDataObject } from 'n8n-workflow';

import { DAY, toDay } from '../shared/times';
import { RequestFailure, unlessRejected } from '../shared/errors/requestFailure';
import { PAGE_SIZE, pagesOf, type ReadPage } from '../shared/lists/pages';
import { readList, SPREAD } from '../shared/lists/readList';
import type { Requester } from '../shared/request/client';
import {
	areUndated,
	type EventName,
	EVENTS,
	isOf,
	type ListedRecord,
	listedRecord,
} from './events';
import type { EventState, Origin } from './memory';
import { type ListPart, readBack, readUnsorted } from './readBack';
import type { Criteria } from './settings';

export interface EventPoll {
	event: EventName;
	client: Requester;
	origin: Origin;
	/** Undefined for a first poll */
	before: EventState | undefined;
	criteria: Criteria;
	/** In milliseconds */
	lookback: number;
	/** Whether this is a first poll that emits the existing records */
	emitsExisting: boolean;
	/** The time of the service, in milliseconds since 1970 */
	now: () => number;
}

export interface EventReading extends Omit<ListPart, 'records'> {
	listed: ListedRecord[];
	/** When a reading of the whole lists was last tried, in milliseconds since 1970 */
	fullReadAt: number;
	/** The time of the service at the end of the reading, in milliseconds since 1970 */
	now: number;
}

interface EventList {
	query: IDataObject;
	/** @returns the list in the order of the service, with `more` added to the query */
	readerWith: (more?: IDataObject) => ReadPage;
	/** By time, if the service can sort the list */
	oldestFirst?: ReadPage;
	newestFirst?: ReadPage;
}

type EventToRead = Pick<EventPoll, 'event' | 'client' | 'criteria' | 'now'>;

/**
 * Reads at least what is dated from the floor on. A first poll reads until the lists are complete. So does one poll a day, for
 * records that have no time or are hidden by ties.
 * @throws RequestFailure when a request fails
 */
export async function readEvent(poll: EventPoll): Promise<EventReading> {
	const { before, now } = poll;
	if (!before) return await readFully(poll);
	const recent = await readSinceFloor(poll, before);
	if (recent.isFull && recent.isComplete) return { ...recent, fullReadAt: now() };
	// The clock may have been ahead when `fullReadAt` was stored
	const isDayOver = Math.abs(now() - before.fullReadAt) >= DAY;
	// If no record has a time, neither the order nor `startDate` finds the new ones
	const hidesNew = areUndated(recent.listed) && !recent.isFull;
	if (!isDayOver && !hidesNew) return recent;
	// What was found counts even if the rest cannot be read
	const onlyRecent = () => ({ ...recent, isComplete: false, fullReadAt: now() });
	const all = await readFully(poll).catch(onlyRecent);
	return { ...all, listed: lastOfEach([...recent.listed, ...all.listed]) };
}

/** Whether the request leaves records out: a record that is not listed may still exist. */
export const isFiltered = ({ event, criteria }: Pick<EventToRead, 'event' | 'criteria'>) =>
	criteria.domain !== '' || (!criteria.includeProcessed && EVENTS[event].listQueries.length > 1);

/** Reads the first page of each list, the newest records first if the service can sort them. */
export async function readNewest(source: EventToRead): Promise<ListedRecord[]> {
	const listed: ListedRecord[] = [];
	for (const { query, readerWith, newestFirst } of eventLists(source)) {
		const sorted = newestFirst && (await unlessRejected(newestFirst(0, PAGE_SIZE)));
		const inUsualOrder = readerWith();
		const { items } = sorted ?? (await inUsualOrder(0, PAGE_SIZE));
		listed.push(...listedIn(source.event, items, query));
	}
	return lastOfEach(listed);
}

/**
 * @returns the tracked competitors if the filter needs them, otherwise none
 * @throws RequestFailure when they cannot be read completely
 */
export async function competitorsFor({
	client,
	criteria,
}: Pick<EventToRead, 'client' | 'criteria'>) {
	if (criteria.ownership !== 'competitors') return [];
	const query = { scope: 'tracked' };
	const readPage = pagesOf(client, { method: 'GET', path: '/v1/competitors', query });
	const { records, missing, reason } = await readList({ client, readPage });
	if (reason) throw new RequestFailure('competitors', { missing });
	return records;
}

function eventLists({ event, client, criteria }: EventToRead): EventList[] {
	const { path, listQueries, isSortable, timeField: sortBy } = EVENTS[event];
	const narrowed: IDataObject = criteria.domain === '' ? {} : { domain: criteria.domain };
	return (criteria.includeProcessed ? listQueries : listQueries.slice(0, 1)).map((query) => {
		const readerWith = (more?: IDataObject) =>
			pagesOf(client, { method: 'GET', path, query: { ...query, ...narrowed, ...more } });
		const inOrder = (sortOrder: string) => readerWith({ sortBy, sortOrder });
		const sorted = isSortable && { oldestFirst: inOrder('asc'), newestFirst: inOrder('desc') };
		return { query, readerWith, ...sorted };
	});
}

function toReading(
	{ event, now }: EventToRead,
	parts: Array<ListPart & EventList>,
	fullReadAt: number,
): EventReading {
	const listed = parts.flatMap(({ records, query }) => listedIn(event, records, query));
	return {
		listed: lastOfEach(listed),
		isFull: parts.every(({ isFull }) => isFull),
		isComplete: parts.every(({ isComplete }) => isComplete),
		gap: parts.find(({ gap }) => gap)?.gap,
		fullReadAt,
		now: now(),
	};
}

const listedIn = (event: EventName, records: IDataObject[], query: IDataObject) =>
	records
		.filter((record) => isOf(event, record))
		.map((record) => listedRecord(event, record, query));

/** If a record is in two lists, because it moved meanwhile, the later one counts. */
function lastOfEach(listed: ListedRecord[]): ListedRecord[] {
	const byHash = new Map<string, ListedRecord>();
	for (const one of listed) byHash.set(one.hash, one);
	return [...byHash.values()];
}

/** Reads each list until it is complete, or has to be given up. */
async function readFully(source: EventToRead): Promise<EventReading> {
	const { client, event } = source;
	const { timeField = '' } = EVENTS[event];
	const order = { field: timeField, isAscending: false };
	const parts: Array<ListPart & EventList> = [];
	for (const list of eventLists(source)) {
		const { readerWith, oldestFirst, newestFirst } = list;
		const opposite = newestFirst && { readPage: newestFirst, order };
		const sorted =
			oldestFirst && (await unlessRejected(readList({ client, readPage: oldestFirst, opposite })));
		const found = sorted ?? (await readList({ client, readPage: readerWith() }));
		const { records, missing, reason } = found;
		// Ties often hide a few records, and users can do nothing about that
		const isBroken = reason && missing > records.length / 10;
		const gap = isBroken ? new RequestFailure(reason, { missing }) : undefined;
		parts.push({ ...list, records, isFull: true, isComplete: !reason, gap });
	}
	return toReading(source, parts, source.now());
}

/**
 * Reads each list once. If the service can sort it: back to the floor. Otherwise, if the endpoint has `startDate`: from the day
 * of the floor on. Otherwise: the whole list.
 */
async function readSinceFloor(source: EventToRead, before: EventState): Promise<EventReading> {
	const { timeField = '', hasStartDate } = EVENTS[source.event];
	const { floor, isComplete } = before;
	// Ties hide records at the boundary of two pages. While polls are incomplete, each one has other boundaries
	const shift = isComplete ? 0 : ((source.now() / 1000) * SPREAD) % 1;
	const size = Math.ceil(shift * PAGE_SIZE) || PAGE_SIZE;
	const since = floor ?? -Infinity;
	const parts: Array<ListPart & EventList> = [];
	const startDate = hasStartDate && floor !== undefined ? toDay(floor) : undefined;
	for (const list of eventLists(source)) {
		const { readerWith, oldestFirst, newestFirst } = list;
		const target = { timeField, since, size };
		const sorted =
			oldestFirst &&
			newestFirst &&
			(await unlessRejected(readBack(oldestFirst, newestFirst, target)));
		const readPage = readerWith(startDate === undefined ? {} : { startDate });
		const part = sorted ?? {
			...(await readUnsorted(readPage, size)),
			isFull: startDate === undefined,
		};
		parts.push({ ...list, ...part });
	}
	return toReading(source, parts, before.fullReadAt);
}
