import { DAY } from '../shared/days';
import type { Filter } from './filter';
import { isSameFilter, passes } from './filter';
import type { ListedRecord } from './listedRecord';
import { byTime } from './listedRecord';
import { TimesMissing } from './pollErrors';
import type { Reading } from './reading';
import { SeenIds } from './seenIds';
import type { EventState } from './state';

/*
 * Decides what is new. It takes the remembered state and the listed records, and gives the new records and the next
 * state, without a clock and without I/O. docs/trigger.md describes the state and its invariants.
 */

export interface Sweep extends Reading {
	/** Whether it was tried to read everything, although it may have taken too long */
	isWholeTried: boolean;
	service: string;
	workspace?: string | undefined;
	filter: Filter;
	/** The time of the service, in milliseconds since 1970; the watermark never goes beyond it */
	now: number;
	/** Milliseconds */
	lookback: number;
	/** Whether existing records count as new when there is no state to continue from */
	emitExisting: boolean;
}

export interface Discovery {
	/** Everything to emit, now or later: oldest first, records without a time last */
	due: ListedRecord[];
	/** How many records are certainly missing */
	missing: number;
	/**
	 * @param left the records of `due` that are not emitted now
	 * @returns the state to store together with the emission of the others
	 */
	stateWithout: (left: ReadonlySet<ListedRecord>) => EventState;
}

/**
 * Decides what is new: records that are not older than the floor and not remembered.
 * @param before the state, checked; undefined for a first poll
 * @throws TimesMissing when no record has a time, although records had times before
 */
export function discover(before: EventState | undefined, sweep: Sweep): Discovery {
	const { listed, filter } = sweep;
	const hasTimes = listed.some(({ time }) => time !== undefined);
	if (typeof before?.watermark === 'number' && listed.length > 0 && !hasTimes) {
		throw new TimesMissing(listed.length);
	}
	const floor = before?.floor ?? Number.NEGATIVE_INFINITY;
	const fitting = listed.filter((one) => (one.time ?? floor) >= floor && passes(one, filter));
	const isExisting = before ? wasKnown(before, filter) : () => !sweep.emitExisting;
	const due = fitting.filter((one) => !isExisting(one)).sort(byTime);
	return {
		due,
		missing: sweep.missing,
		stateWithout: (left) => {
			const handled = fitting.filter((one) => !left.has(one));
			return nextState(
				before,
				sweep,
				handled,
				due.filter((one) => left.has(one)),
			);
		},
	};
}

/** @returns a test for records that were remembered, or that the trigger knew of without remembering them */
function wasKnown(before: EventState, filter: Filter): (record: ListedRecord) => boolean {
	const seen = new SeenIds(before.seen);
	const undated = new SeenIds(before.undated);
	const isSame = isSameFilter(filter, before.filter);
	return (record) => {
		const { hash, time } = record;
		if (seen.has(hash) || undated.has(hash)) return true;
		// Whatever has no time and was never looked for is known
		if (time === undefined && before.wholeAt === null) return true;
		// For a record that an earlier filter hid, its time decides
		const wasHidden = !isSame && !passes(record, before.filter);
		return wasHidden && !(time !== undefined && time > before.polledAt);
	};
}

function nextState(
	before: EventState | undefined,
	sweep: Sweep,
	handled: ListedRecord[],
	left: ListedRecord[],
): EventState {
	const { now, lookback, service, filter, isWhole, totals } = sweep;
	const { order = before?.order, workspace = before?.workspace } = sweep;
	const watermark = latest(before, sweep, now);
	const isMissing = sweep.missing > 0;
	const floor = nextFloor(before, sweep, watermark, left);
	const seen = new SeenIds(before?.seen);
	const undated = new SeenIds(before?.undated);
	for (const { hash, time } of handled) {
		if (time === undefined) undated.remember(hash, now);
		// Older records need not be remembered: their age shows that they are known
		else if (floor === null || time >= floor) seen.remember(hash, time);
	}
	const wholeAt = isWhole ? now : (before?.wholeAt ?? null);
	return {
		service,
		...(workspace !== undefined && { workspace }),
		filter,
		polledAt: now,
		watermark,
		// What is held back is not remembered, so the next poll has to find all of it again
		confirmed: isMissing && before ? before.confirmed : oldest(left, watermark),
		floor,
		seen: seen.since(floor ?? Number.NEGATIVE_INFINITY),
		// Those without a time are listed for certain only when everything is read
		undated: undated.since((wholeAt ?? now) - lookback),
		wholeAt,
		triedAt: isWhole || sweep.isWholeTried ? now : (before?.triedAt ?? null),
		incomplete: isMissing ? (before?.incomplete ?? 0) + 1 : 0,
		totals,
		...(order && { order }),
	};
}

/** @returns the latest time that the service gave, but none after `most`; null if it gave none */
function latest(before: EventState | undefined, { listed }: Sweep, most: number): number | null {
	const last = before?.watermark ?? Number.NEGATIVE_INFINITY;
	const times = listed.map(({ time = Number.NEGATIVE_INFINITY }) => Math.min(time, most));
	const time = times.reduce((one, other) => Math.max(one, other), last);
	return Number.isFinite(time) ? time : null;
}

/**
 * The floor follows the watermark of the poll before, so that a record that was missed once is found the next time. While
 * records are missing, it stays; if they are missing from a first poll, only later ones will be new.
 */
function nextFloor(
	before: EventState | undefined,
	sweep: Sweep,
	watermark: number | null,
	left: ListedRecord[],
): number | null {
	const last = before?.floor ?? null;
	const isMissing = sweep.missing > 0;
	if (watermark === null || (isMissing && (before || sweep.emitExisting))) return last;
	// With a day for a clock that is behind that of the service
	if (isMissing) return (latest(before, sweep, sweep.now + DAY) ?? watermark) + 1;
	const reached = before?.watermark ?? watermark;
	// Whatever the look-back is now, the floor must not pass records that are still due
	const lowest = oldest(left, reached - sweep.lookback) ?? reached;
	return Math.max(lowest, last ?? lowest);
}

/** @returns the earliest time, which is `time` or that of a record */
function oldest(records: ListedRecord[], time: number | null): number | null {
	return records.reduce((least, one) => Math.min(least ?? Infinity, one.time ?? Infinity), time);
}
