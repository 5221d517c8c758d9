import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../shared/parameters/values';
import { HOUR } from '../shared/times';
import type { EventName, ListedRecord } from './events';

/** Of the stored state; any other version counts as a lost state. */
export const VERSION = 1;

/** What is remembered about one event, in plain JSON. Times are in milliseconds since 1970. */
export type EventState = {
	service: string;
	/** The ID of the workspace, or the hash of the credential if it has no ID */
	workspace: string;
	/** The latest time that the service gave; undefined while it has given none */
	watermark: number | undefined;
	/** Records from before this time count as known; undefined if there is no such time */
	floor: number | undefined;
	/** Records that were emitted, or existed at the first poll: those from the floor on, and those without a time */
	seen: Seen;
	/** When a reading of the whole lists was last tried */
	fullReadAt: number;
	/** Whether the last poll found all records that it looked for */
	isComplete: boolean;
};

/** By event, as stored. Null means that polls have tried the event, and have not learned anything of it. */
export type States = Partial<Record<EventName, IDataObject[string]>>;

/** Where a poll finds a service and a workspace. What was remembered of another place counts as lost. */
export type Origin = Pick<EventState, 'service' | 'workspace'>;

/**
 * An event is in one of three stages when a poll begins:
 * - `newNode`: the node polls for the first time, or every poll since then has failed for this event
 * - `newEvent`: the node has polled before, but has no state of this event: it was added later, its state is lost, or the
 * credential leads to another place now
 * - `known`: an earlier poll has stored its state
 */
export type Stage = 'newNode' | 'newEvent' | 'known';

/** @param stored what n8n has stored of the node: an empty object before its first poll */
export function stageOf(event: EventName, stored: IDataObject, origin: Origin): Stage {
	const state = statesIn(stored)[event];
	if (stateOf(state, origin)) return 'known';
	const hasOnlyFailed = state === null;
	return hasStoredNothing(stored) || hasOnlyFailed ? 'newNode' : 'newEvent';
}

/** Whether no poll of the node has stored anything. */
export const hasStoredNothing = (stored: IDataObject) => Object.keys(stored).length === 0;

/** @returns the states of the events, not checked yet */
export function statesIn(stored: unknown): States {
	if (!isObject(stored) || !isObject(stored.events)) return {};
	return stored.version === VERSION ? stored.events : {};
}

/** @returns the state of an event, checked; undefined if there is none or it belongs to another place */
export function stateOf(state: unknown, { service, workspace }: Origin): EventState | undefined {
	if (!isState(state) || state.service !== service) return undefined;
	return state.workspace === workspace ? state : undefined;
}

const isState = (state: unknown): state is EventState => isObject(state) && isObject(state.seen);

/** Hashes of IDs, each with the hour of the record's time since 1970, or 0 for a record without a time. */
type Seen = Record<string, number>;

/** Remembers a record with the latest time that it had, or with 0 if it has none now. */
export function remember(seen: Seen, { hash, time }: ListedRecord): void {
	if (time === undefined) {
		seen[hash] = 0;
		return;
	}
	// 0 stands for no time
	const hour = Math.floor(time / HOUR) || 1;
	seen[hash] = Math.max(hour, seen[hash] ?? hour);
}

/**
 * Forgets what the next polls do not need: records from before the floor, and records without a time that are no longer listed.
 * @param listed all records of the lists; undefined if some are missing
 */
export function forget(seen: Seen, floor = -Infinity, listed?: ListedRecord[]): void {
	const hashes = listed && new Set(listed.map(({ hash }) => hash));
	// The hour is rounded down: the record may be up to an hour younger
	for (const [hash, hour] of Object.entries(seen)) {
		const isNeeded = hour === 0 ? (hashes?.has(hash) ?? true) : (hour + 1) * HOUR > floor;
		if (!isNeeded) delete seen[hash];
	}
}
