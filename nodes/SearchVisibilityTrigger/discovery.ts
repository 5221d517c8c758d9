import { DAY } from '../shared/days';
import type { Filter } from './filter';
import { isSameFilter, passes } from './filter';
import type { ListedRecord } from './listedRecord';
import { byTime, isTimeless } from './listedRecord';
import { TimesMissing } from './pollErrors';
import type { EventPoll, Reading } from './readEvent';
import { SeenIds } from './seenIds';
import type { EventState } from './state';

/**
 * What is new: records that are not older than the floor and not remembered. It needs no clock and no I/O. docs/trigger.md
 * describes the state and its invariants.
 */
export class Discovery {
	/** Everything to emit, now or later: oldest first, records without a time last */
	readonly due: ListedRecord[];

	private readonly fitting: ListedRecord[];

	/** @throws TimesMissing when no record has a time, although records had times before */
	constructor(
		private readonly poll: Omit<EventPoll, 'client' | 'now'>,
		readonly reading: Reading,
	) {
		const { before, filter, emitExisting } = poll;
		const { listed } = reading;
		if (before?.watermark !== undefined && isTimeless(listed)) {
			throw new TimesMissing(listed.length);
		}
		const floor = before?.floor ?? -Infinity;
		this.fitting = listed.filter((one) => (one.time ?? floor) >= floor && passes(one, filter));
		const isExisting = before ? wasKnown(before, filter) : () => !emitExisting;
		this.due = this.fitting.filter((one) => !isExisting(one)).sort(byTime);
	}

	/**
	 * @param left the records that are not emitted now, of this event and of others
	 * @returns the state to store together with the emission of the others
	 */
	stateWithout(left: ReadonlySet<ListedRecord>): EventState {
		const { before, service, workspace = before?.workspace, filter, lookback } = this.poll;
		const { isWhole, isTried, missing, order, totals, now } = this.reading;
		const watermark = this.latest(now);
		const oldestLeft = this.due.find((one) => left.has(one))?.time ?? Infinity;
		const floor = this.nextFloor(watermark, oldestLeft);
		const seen = new SeenIds(before?.seen);
		const undated = new SeenIds(before?.undated);
		for (const one of this.fitting) {
			const { hash, time } = one;
			if (left.has(one)) continue;
			if (time === undefined) undated.remember(hash, now);
			// Older records need not be remembered: their age shows that they are known
			else if (floor === undefined || time >= floor) seen.remember(hash, time);
		}
		return {
			service,
			workspace,
			filter,
			polledAt: now,
			watermark,
			// What is held back is not remembered, so the next poll has to find all of it again
			confirmed: missing === 0 ? this.confirmedBy(now, oldestLeft) : before?.confirmed,
			floor,
			seen: seen.since(floor ?? -Infinity),
			// Those without a time are listed for certain only when everything is read
			undated: undated.since(isWhole ? now - lookback : -Infinity),
			triedAt: isWhole || isTried || !before ? now : before.triedAt,
			incomplete: missing > 0 ? (before?.incomplete ?? 0) + 1 : 0,
			totals,
			order,
		};
	}

	/** The latest time that the service gave, but none after `most`; undefined if it gave none. */
	private latest(most: number): number | undefined {
		let latest = this.poll.before?.watermark;
		for (const { time } of this.reading.listed) {
			if (time !== undefined) latest = Math.max(latest ?? -Infinity, Math.min(time, most));
		}
		return latest;
	}

	/** Up to which time everything was found; the time of a record from the future tells nothing about the others. */
	private confirmedBy(now: number, oldestLeft: number): number | undefined {
		let confirmed = this.poll.before?.confirmed;
		for (const { time } of this.reading.listed) {
			if (time !== undefined && time <= now) confirmed = Math.max(confirmed ?? time, time);
		}
		return confirmed === undefined ? undefined : Math.min(confirmed, oldestLeft);
	}

	/**
	 * The floor follows the watermark of the poll before, so that a record that was missed once is found the next time. While
	 * records are missing, it stays; if they are missing from a first poll, only later ones will be new.
	 */
	private nextFloor(watermark: number | undefined, oldestLeft: number): number | undefined {
		const { before, emitExisting, lookback } = this.poll;
		const { missing, now } = this.reading;
		const isFollowing = missing === 0 || (!before && !emitExisting);
		if (watermark === undefined || !isFollowing) return before?.floor;
		// With a day for a clock that is behind that of the service
		if (missing > 0) return (this.latest(now + DAY) ?? watermark) + 1;
		// Whatever the look-back is now, the floor must not pass records that are still due
		const reached = Math.min(oldestLeft, (before?.watermark ?? watermark) - lookback);
		return Math.max(reached, before?.floor ?? reached);
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
		// For a record that an earlier filter hid, its time decides
		const wasHidden = !isSame && !passes(record, before.filter);
		return wasHidden && !(time !== undefined && time > before.polledAt);
	};
}
