import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../shared/parameters/values';
import type { EventName } from './events';
import type { Filter } from './listedRecord';
import type { Seen } from './seenIds';

/** Version of the stored state; any other version counts as a lost state. */
export const VERSION = 1;

/** Whether the service lists the oldest first when asked to; undefined while unknown. */
export type Order = 'sorted' | 'unsorted' | undefined;

/**
 * What is remembered about one event. It is plain JSON, which n8n stores with the workflow. Times are in milliseconds
 * since 1970.
 */
export type EventState = {
	/** The base URL; another service has other records */
	service: string;
	/** The workspace whose records these are, if the service has told */
	workspace: string | undefined;
	/** The filter of the last poll */
	filter: Filter;
	/** When that poll was; what its filter hid is known up to this time */
	polledAt: number;
	/** The latest time that the service gave; undefined while it has given none */
	watermark: number | undefined;
	/** Records from before this time were all found, apart from those that come late; undefined for none */
	confirmed: number | undefined;
	/** Records from before this time are known; undefined for none */
	floor: number | undefined;
	/** IDs of records from the floor on that were emitted, or existed before the first poll */
	seen: Seen;
	/** IDs of records without a time, by the hour in which they were last listed */
	undated: Seen;
	/** When it was last tried to read the lists to both ends */
	triedAt: number;
	/** How many polls in a row could not read everything from the floor on */
	incomplete: number;
	/** How many records each list had */
	totals: number[];
	order: Order;
};

/** The states by event, as stored; null for an event whose very first poll has failed so far. */
export type States = Partial<Record<EventName, IDataObject[string]>>;

/** @returns the states of the events in a stored value, not checked yet */
export function statesIn(stored: unknown): States {
	if (!isObject(stored) || !isObject(stored.events)) return {};
	return stored.version === VERSION ? stored.events : {};
}

/** @returns the state if it belongs to this service and workspace; undefined means a first poll */
export function readState(
	stored: unknown,
	{ service, workspace }: { service: string; workspace: string | undefined },
): EventState | undefined {
	if (!isState(stored) || stored.service !== service) return undefined;
	return workspace && (stored.workspace ?? workspace) !== workspace ? undefined : stored;
}

function isState(stored: unknown): stored is EventState {
	const { filter, seen, undated, totals } = isObject(stored) ? stored : {};
	return [filter, seen, undated].every(isObject) && Array.isArray(totals);
}
