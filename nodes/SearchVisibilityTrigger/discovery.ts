import { TimesMissing } from './pollErrors';
import type { Filter } from './filter';
import { hidesAtService, isSameFilter } from './filter';
import { hashOf, SeenIds } from './seenIds';
import type { EventState, Order } from './state';

/*
 * Decides what is new. It takes the remembered state and the listed records, and gives the new records and the next
 * state, without a clock and without I/O. docs/trigger.md describes the state and its invariants.
 */

/** A record, as far as this file needs to know it. */
export interface Listed {
	id: string;
	/** Milliseconds since 1970; undefined if the service gives no time */
	time?: number | undefined;
}

export interface Sweep<Entry extends Listed> {
	/** What the service lists, at least from the floor on, including what the filter hides */
	listed: Entry[];
	/** Whether everything was read, rather than only from the floor on */
	isWhole: boolean;
	/**
	 * The watermark when the reading began, if another poll has changed the state since then. It may know due records that
	 * are not listed here, so the floor follows this watermark
	 */
	watermarkThen?: number | null | undefined;
	service: string;
	filter: Filter;
	passes: (record: Entry, filter: Filter) => boolean;
	/** The time of the service, in milliseconds since 1970; the watermark never goes beyond it */
	now: number;
	/** Milliseconds */
	lookback: number;
	/** Whether existing records count as new when there is no state to continue from */
	emitExisting: boolean;
	/** What this reading showed about the order of the service */
	order?: Order;
	/** How many records the lists had, if they were not read to the end */
	total?: number | undefined;
}

export interface Discovery<Entry extends Listed> {
	/** Everything to emit, now or later: oldest first, records without a time last */
	due: Entry[];
	/**
	 * @param left the records of `due` that are not emitted now
	 * @returns the state to store together with the emission of the others
	 */
	stateWithout: (left: ReadonlySet<Listed>) => EventState;
}

/**
 * A record that passes the filter and is not older than the floor, with the hash that is remembered of its ID. For why
 * it is a class, see ListedRecord.
 */
class Fitting<Entry extends Listed> {
	readonly hash: string;

	constructor(readonly record: Entry) {
		this.hash = hashOf(record.id);
	}
}

/**
 * Decides what is new: records that are not older than the floor and not remembered.
 * @param before the state, checked; undefined for a first poll
 * @throws TimesMissing when no record has a time, although records had times before
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
	const fitting: Array<Fitting<Entry>> = [];
	for (const record of listed) {
		if (!isOld(record, before) && passes(record, filter)) fitting.push(new Fitting(record));
	}
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

/** Oldest first, records without a time last; equal ones keep their order. */
export function byTime(a: Listed, b: Listed): number {
	return (a.time ?? Number.MAX_VALUE) - (b.time ?? Number.MAX_VALUE);
}

/** @returns a test for records that the filter of the last poll hid */
function hiddenBefore<Entry extends Listed>(
	before: EventState | undefined,
	{ filter, passes }: Sweep<Entry>,
): (record: Entry) => boolean {
	if (!before || isSameFilter(filter, before.filter)) return () => false;
	return (record) => !passes(record, before.filter);
}

/** Records older than the floor are known. */
function isOld({ time }: Listed, before: EventState | undefined): boolean {
	return time !== undefined && time < (before?.floor ?? Number.NEGATIVE_INFINITY);
}

/** For a record that an earlier filter hid, its time decides. */
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
	const floor = nextFloor(before, sweep, watermark, left);
	// The clock may have been set back; a record without a time must be remembered all the same
	const undated = Math.max(now, floor ?? now);
	for (const { record, hash } of handled) {
		const { time = undated } = record;
		// Older records need not be remembered: their age shows that they are known
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

function nextFloor<Entry extends Listed>(
	before: EventState | undefined,
	{ lookback, watermarkThen }: Sweep<Entry>,
	watermark: number | null,
	left: Entry[],
): number | null {
	const last = before?.floor ?? null;
	if (watermark === null || (watermarkThen === null && last !== null)) return last;
	// Whatever the look-back is now, the floor must not pass records that are still due
	const lowest = left.reduce(
		(least, { time = least }) => Math.min(least, time),
		(watermarkThen ?? watermark) - lookback,
	);
	return greatest(last, lowest);
}

/**
 * An ID without a time is remembered for one look-back after it was last listed, so for that long the list counts as
 * having records without times.
 */
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
