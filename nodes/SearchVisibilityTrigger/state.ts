import type { IDataObject } from 'n8n-workflow';

import { DAY } from '../shared/days';
import { isCount, isObject } from '../shared/parameters/values';
import type { EventName } from './events';
import type { Filter } from './filter';
import { readFilter } from './filter';
import type { Seen } from './seenIds';
import { isSeen, LAST_TIME } from './seenIds';

/** Version of the stored state; any other version counts as a lost state. */
const VERSION = 1;

/** Whether the service lists the oldest first when asked to; undefined while unknown. */
export type Order = 'sorted' | 'unsorted' | undefined;

/**
 * What is remembered about one event. It is plain JSON, which n8n stores with the workflow. Times are in milliseconds
 * since 1970.
 */
export type EventState = {
	/** The base URL; another service has other records */
	service: string;
	/** The filter of the last poll */
	filter: Filter;
	/** Records hidden by `filter` are known up to this time; null: all of them */
	known: number | null;
	/** The latest time that the service gave; null while it has given none */
	watermark: number | null;
	/** Records from before this time are known; null if the watermark is null */
	floor: number | null;
	/** IDs of records from the floor on that were emitted, or existed before the first poll */
	seen: Seen;
	/** IDs of records without a time, by the hour in which they were last listed */
	undated: Seen;
	/** When the lists were last read to both ends, and when that was last tried; null if never */
	wholeAt: number | null;
	triedAt: number | null;
	/** How many polls in a row could not read everything from the floor on */
	incomplete: number;
	/** How many records each list had */
	totals: number[];
	order?: Order;
	/** The workspace whose records these are, if the service has told */
	workspace?: string;
};

/** The states by event, as stored. */
export type States = Partial<Record<EventName, IDataObject[string]>>;

/** @returns the states of the events in a stored value, not checked yet */
export function statesIn(stored: unknown): States {
	if (!isObject(stored) || !isObject(stored.events)) return {};
	return stored.version === VERSION ? stored.events : {};
}

/** @returns the events whose very first poll has failed so far */
export function pendingIn(stored: unknown): unknown[] {
	return isObject(stored) && Array.isArray(stored.pending) ? stored.pending : [];
}

/**
 * @param pending events whose very first poll has failed so far
 * @returns the states in the form in which n8n stores them
 */
export function toStored(events: States, pending: EventName[] = []): IDataObject {
	return { version: VERSION, events: { ...events }, pending };
}

/**
 * @param latest the latest plausible time: that of the service, or of a record that it lists
 * @returns the state if it is complete, belongs to this service and workspace and is plausible; undefined means a first poll
 */
export function readState(
	stored: unknown,
	{ service, workspace }: Pick<EventState, 'service' | 'workspace'>,
	latest: number,
): EventState | undefined {
	if (!isObject(stored) || stored.service !== service) return undefined;
	const { known, watermark, floor, seen, undated, wholeAt, triedAt, incomplete, totals, order } =
		stored;
	const filter = readFilter(stored.filter);
	if (!filter || !isSeen(seen) || !isSeen(undated) || !isOrder(order)) return undefined;
	if (![known, watermark, floor, wholeAt, triedAt].every(isTime)) return undefined;
	if (!isCount(incomplete) || !Array.isArray(totals) || !totals.every(isCount)) return undefined;
	if (workspace !== undefined && ![workspace, undefined].includes(stored.workspace as string)) {
		return undefined;
	}
	const state = stored as EventState;
	return canBeTrue(state.floor, state.watermark, latest) ? { ...state, filter } : undefined;
}

function canBeTrue(floor: number | null, watermark: number | null, latest: number): boolean {
	if (floor === null || watermark === null) return floor === watermark;
	return floor <= watermark + 1 && watermark <= latest + DAY;
}

const isOrder = (value: unknown): value is Order =>
	value === undefined || value === 'sorted' || value === 'unsorted';

const isTime = (value: unknown): value is number | null => value === null || isNumber(value);

const isNumber = (value: unknown): value is number =>
	typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= LAST_TIME;
