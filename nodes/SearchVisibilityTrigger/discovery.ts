import { DAY } from '../shared/days';
import type { Filter } from './filter';
import { isSameFilter, passes } from './filter';
import type { ListedRecord } from './listedRecord';
import { byTime } from './listedRecord';
import { TimesMissing } from './pollErrors';
import type { Reading } from './readEvent';
import { SeenIds } from './seenIds';
import type { EventState } from './state';

/** What was read, and the circumstances. */
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

/**
 * What is new: records that are not older than the floor and not remembered. It needs no clock and no I/O. docs/trigger.md
 * describes the state and its invariants.
 */
export class Discovery {
	/** Everything to emit, now or later: oldest first, records without a time last */
	readonly due: ListedRecord[];

	private readonly fitting: ListedRecord[];

	/**
	 * @param before the state, checked; undefined for a first poll
	 * @throws TimesMissing when no record has a time, although records had times before
	 */
	constructor(
		private readonly before: EventState | undefined,
		private readonly sweep: Sweep,
	) {
		const { listed, filter, emitExisting } = sweep;
		const hasTimes = listed.some(({ time }) => time !== undefined);
		if (typeof before?.watermark === 'number' && listed.length > 0 && !hasTimes) {
			throw new TimesMissing(listed.length);
		}
		const floor = before?.floor ?? -Infinity;
		this.fitting = listed.filter((one) => (one.time ?? floor) >= floor && passes(one, filter));
		const isExisting = before ? wasKnown(before, filter) : () => !emitExisting;
		this.due = this.fitting.filter((one) => !isExisting(one)).sort(byTime);
	}

	/** How many records are certainly missing. */
	get missing(): number {
		return this.sweep.missing;
	}

	/**
	 * @param left the records of `due` that are not emitted now
	 * @returns the state to store together with the emission of the others
	 */
	stateWithout(left: ReadonlySet<ListedRecord>): EventState {
		const { before, sweep } = this;
		const { now, service, filter, isWhole, totals } = sweep;
		const { order = before?.order, workspace = before?.workspace } = sweep;
		const watermark = this.latest(now);
		const floor = this.nextFloor(watermark, left);
		const seen = new SeenIds(before?.seen);
		const undated = new SeenIds(before?.undated);
		for (const one of this.fitting) {
			const { hash, time } = one;
			if (left.has(one)) continue;
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
			confirmed: this.missing > 0 && before ? before.confirmed : oldest(left, watermark),
			floor,
			seen: seen.since(floor ?? -Infinity),
			// Those without a time are listed for certain only when everything is read
			undated: undated.since((wholeAt ?? now) - sweep.lookback),
			wholeAt,
			triedAt: isWhole || sweep.isWholeTried ? now : (before?.triedAt ?? null),
			incomplete: this.missing > 0 ? (before?.incomplete ?? 0) + 1 : 0,
			totals,
			...(order && { order }),
		};
	}

	/** The latest time that the service gave, but none after `most`; null if it gave none. */
	private latest(most: number): number | null {
		const times = this.sweep.listed.map(({ time = -Infinity }) => Math.min(time, most));
		const last = this.before?.watermark ?? -Infinity;
		const time = times.reduce((one, other) => Math.max(one, other), last);
		return Number.isFinite(time) ? time : null;
	}

	/**
	 * The floor follows the watermark of the poll before, so that a record that was missed once is found the next time. While
	 * records are missing, it stays; if they are missing from a first poll, only later ones will be new.
	 */
	private nextFloor(watermark: number | null, left: ReadonlySet<ListedRecord>): number | null {
		const { before, sweep } = this;
		const last = before?.floor ?? null;
		const isMissing = this.missing > 0;
		if (watermark === null || (isMissing && (before || sweep.emitExisting))) return last;
		// With a day for a clock that is behind that of the service
		if (isMissing) return (this.latest(sweep.now + DAY) ?? watermark) + 1;
		const reached = before?.watermark ?? watermark;
		// Whatever the look-back is now, the floor must not pass records that are still due
		const lowest = oldest(left, reached - sweep.lookback) ?? reached;
		return Math.max(lowest, last ?? lowest);
	}
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

/** @returns the earliest time, which is `time` or that of a record */
function oldest(records: Iterable<ListedRecord>, time: number | null): number | null {
	const times = [...records].map((one) => one.time ?? Infinity);
	return times.reduce((least, one) => Math.min(least ?? Infinity, one), time);
}
