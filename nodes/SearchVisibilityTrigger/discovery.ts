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
	/** Whether it was tried to read everything, although it may have taken too long */
	isWholeTried: boolean;
	/** How many records from the floor on are known to be missing; then it does not move */
	missing: number;
	totals: number[];
	service: string;
	workspace?: string | undefined;
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

/** A record that passes the filter and is not older than the floor, with the hash that is remembered of its ID. */
interface Fitting<Entry extends Listed> {
	record: Entry;
	hash: string;
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
	const undatedIds = new SeenIds(before?.undated);
	const fitting: Array<Fitting<Entry>> = [];
	for (const record of listed) {
		if (!isOld(record, before) && passes(record, filter))
			fitting.push({ record, hash: hashOf(record.id) });
	}
	const isBaseline = !before && !sweep.emitExisting;
	const isHidden = hiddenBefore(before, sweep);
	// Whatever has no time and was never looked for is known
	const isWatched = !before || before.wholeAt !== null;
	const isNew = ({ record, hash }: Fitting<Entry>) =>
		!seenIds.has(hash) &&
		!undatedIds.has(hash) &&
		(record.time !== undefined || isWatched) &&
		(!isHidden(record) || isNewByTime(record, before));
	const found = isBaseline ? [] : fitting.filter(isNew);
	const due = found.map(({ record }) => record).sort(byTime);
	return {
		due,
		stateWithout: (left) =>
			nextState(
				before,
				sweep,
				{ seenIds, undatedIds },
				{
					handled: fitting.filter(({ record }) => !left.has(record)),
					left: due.filter((record) => left.has(record)),
				},
			),
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
	{ seenIds, undatedIds }: { seenIds: SeenIds; undatedIds: SeenIds },
	{ handled, left }: { handled: Array<Fitting<Entry>>; left: Entry[] },
): EventState {
	const { listed, now, lookback, service, workspace, filter, missing, totals } = sweep;
	const { isWhole, isWholeTried } = sweep;
	const { order = before?.order } = sweep;
	const newest = listed.reduce<number | null>(
		(last, { time = null }) => greatest(last, time),
		null,
	);
	const latest = newest === null ? null : Math.min(newest, now);
	const watermark = greatest(before?.watermark ?? null, latest);
	const floor = nextFloor(before, sweep, watermark, left);
	for (const { record, hash } of handled) {
		const { time } = record;
		if (time === undefined) undatedIds.remember(hash, now);
		// Older records need not be remembered: their age shows that they are known
		else if (floor === null || time >= floor) seenIds.remember(hash, time);
	}
	const wholeAt = isWhole ? now : (before?.wholeAt ?? null);
	return {
		service,
		filter,
		known: hidesAtService(filter) ? greatest(now, watermark) : (watermark ?? now),
		watermark,
		floor,
		seen: seenIds.since(floor ?? now - lookback),
		// Those without a time are listed for certain only when everything is read
		undated: undatedIds.since((wholeAt ?? now) - lookback),
		wholeAt,
		triedAt: isWhole || isWholeTried ? now : (before?.triedAt ?? null),
		incomplete: missing > 0 ? (before?.incomplete ?? 0) + 1 : 0,
		totals,
		...(order && { order }),
		...(workspace !== undefined && { workspace }),
	};
}

/**
 * The floor follows the watermark of the poll before, so that a record that was missed once is found the next time. While
 * records are missing, it stays; if they are missing from a first poll, only later ones will be new.
 */
function nextFloor<Entry extends Listed>(
	before: EventState | undefined,
	{ lookback, missing }: Sweep<Entry>,
	watermark: number | null,
	left: Entry[],
): number | null {
	const last = before?.floor ?? null;
	const reached = before ? before.watermark : watermark;
	if (watermark === null || (missing > 0 && last !== null)) return last;
	if (missing > 0) return watermark + 1;
	// Whatever the look-back is now, the floor must not pass records that are still due
	const lowest = left.reduce(
		(least, { time = least }) => Math.min(least, time),
		(reached ?? watermark) - lookback,
	);
	return greatest(last, lowest);
}

function greatest(a: number | null, b: number | null): number | null {
	return a === null || b === null ? (a ?? b) : Math.max(a, b);
}
