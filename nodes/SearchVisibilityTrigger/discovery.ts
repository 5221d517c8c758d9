import { TimesMissing } from './failure';
import type { Filter } from './filter';
import { hidesAtService, isSameFilter } from './filter';
import { hashOf, SeenIds } from './seenIds';
import type { EventState, Order } from './state';

/*
 * What is new: remembered state and listed records in, new records and the next state out. No clock and no I/O.
 * docs/trigger.md describes the state and what always holds.
 */

/** A record as it is listed. */
export interface Listed {
	id: string;
	/** Milliseconds since 1970; undefined where the service gives no time */
	time?: number | undefined;
}

export interface Sweep<Entry extends Listed> {
	/** What the service lists, at least from the floor on: also what the filter hides */
	listed: Entry[];
	/** Whether everything was read, and not only from the floor on */
	isWhole: boolean;
	service: string;
	filter: Filter;
	passes: (record: Entry, filter: Filter) => boolean;
	/** The time of the service, in milliseconds since 1970: nothing later becomes the watermark */
	now: number;
	/** Milliseconds */
	lookback: number;
	/** Whether what is there counts as new where there is no state to go on from */
	emitExisting: boolean;
	/** What this reading showed about the order of the service */
	order?: Order;
	/** How long the lists were, where they were not read to the end */
	total?: number | undefined;
}

export interface Discovery<Entry extends Listed> {
	/** Everything that is to be emitted, now or later: oldest first, those without a time last */
	due: Entry[];
	/**
	 * @param left those of `due` that are not emitted now
	 * @returns the state to be stored together with the emission of the others
	 */
	stateWithout: (left: ReadonlySet<Listed>) => EventState;
}

/** A record that the filter lets through and the floor does not rule out, and what is remembered of its ID. */
interface Fitting<Entry extends Listed> {
	record: Entry;
	hash: string;
}

/**
 * Decides what is new: what is not older than the floor and not remembered.
 * @param before the state, checked; undefined stands for a first poll
 * @throws TimesMissing when a list that had times has none
 */
export function discover<Entry extends Listed>(
	before: EventState | undefined,
	sweep: Sweep<Entry>,
): Discovery<Entry> {
	const { listed, filter, passes } = sweep;
	const hasTimes = listed.some(({ time }) => time !== undefined);
	if (typeof before?.watermark === 'number' && listed.length > 0 && !hasTimes) {
		throw new TimesMissing(listed.length);
	}
	const seenIds = new SeenIds(before?.seen);
	const fitting = listed
		.filter((record) => !isOld(record, before) && passes(record, filter))
		.map((record) => ({ record, hash: hashOf(record.id) }));
	const isBaseline = !before && !sweep.emitExisting;
	const isHidden = hiddenBefore(before, sweep);
	const isNew = ({ record, hash }: Fitting<Entry>) =>
		!seenIds.has(hash) && (!isHidden(record) || isNewByTime(record, before));
	const found = isBaseline ? [] : fitting.filter(isNew);
	const due = found.map(({ record }) => record).sort(byTime);
	return {
		due,
		stateWithout: (left) =>
			nextState(before, sweep, seenIds, {
				handled: fitting.filter(({ record }) => !left.has(record)),
				left: due.filter((record) => left.has(record)),
			}),
	};
}

/** The oldest first, those without a time last; equals stay as they are. */
export function byTime(a: Listed, b: Listed): number {
	return (a.time ?? Number.MAX_VALUE) - (b.time ?? Number.MAX_VALUE);
}

/** @returns whether the filter of the last poll hid a record that the filter of this one lets through */
function hiddenBefore<Entry extends Listed>(
	before: EventState | undefined,
	{ filter, passes }: Sweep<Entry>,
): (record: Entry) => boolean {
	if (!before || isSameFilter(filter, before.filter)) return () => false;
	return (record) => !passes(record, before.filter);
}

/** What is older than the floor is known. */
function isOld({ time }: Listed, before: EventState | undefined): boolean {
	return time !== undefined && time < (before?.floor ?? Number.NEGATIVE_INFINITY);
}

/** What an earlier filter hid is decided by its time. */
function isNewByTime({ time }: Listed, before: EventState | undefined): boolean {
	return time !== undefined && typeof before?.known === 'number' && time > before.known;
}

function nextState<Entry extends Listed>(
	before: EventState | undefined,
	sweep: Sweep<Entry>,
	seenIds: SeenIds,
	{ handled, left }: { handled: Array<Fitting<Entry>>; left: Entry[] },
): EventState {
	const { listed, now, lookback, service, filter, total, order = before?.order } = sweep;
	const newest = listed.reduce<number | null>(
		(last, { time = null }) => greatest(last, time),
		null,
	);
	const latest = newest === null ? null : Math.min(newest, now);
	const watermark = greatest(before?.watermark ?? null, latest);
	// Whatever the look-back is now: what is still due stays behind the floor
	const lowest = left.reduce(
		(least, { time = least }) => Math.min(least, time),
		(watermark ?? Number.POSITIVE_INFINITY) - lookback,
	);
	const floor = watermark === null ? null : greatest(before?.floor ?? null, lowest);
	// The clock may have gone back: a record without a time is remembered all the same
	const undated = Math.max(now, floor ?? now);
	for (const { record, hash } of handled) {
		const { time = undated } = record;
		// What is older need not be remembered: its age says that it is known
		if (floor === null || time >= floor) seenIds.remember(hash, time);
	}
	return {
		service,
		filter,
		known: hidesAtService(filter) ? greatest(now, watermark) : (watermark ?? now),
		watermark,
		floor,
		seen: seenIds.since(floor ?? now - lookback),
		undatedAt: nextUndatedAt(before, sweep),
		...(order && { order }),
		...(total !== undefined && { total }),
	};
}

/** An id without a time is remembered for one look-back after it was listed last, so that long it counts as there. */
function nextUndatedAt<Entry extends Listed>(
	before: EventState | undefined,
	{ listed, isWhole, now, lookback }: Sweep<Entry>,
): number | null {
	if (listed.some(({ time }) => time === undefined)) return now;
	const last = before?.undatedAt ?? null;
	return last !== null && isWhole && now - last > lookback ? null : last;
}

function greatest(a: number | null, b: number | null): number | null {
	return a === null || b === null ? (a ?? b) : Math.max(a, b);
}
