import { DAY } from '../shared/days';
import type { Filter, ListedRecord } from './listedRecord';
import { byTime, isSameFilter, isTimeless, passes } from './listedRecord';
import { TimesMissing } from './pollErrors';
import type { EventPoll, Reading } from './readEvent';
import { hashOf, remember, since } from './seenIds';
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
		const hadTimes = before?.watermark !== undefined;
		if (hadTimes && isTimeless(listed)) throw new TimesMissing(listed.length);
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
		const oldestLeft = this.due.find((one) => left.has(one))?.time ?? Infinity;
		// A time in the future is a mistake, which tells nothing about other records
		const confirmed = latest(
			this.times.filter((time) => time <= now),
			before?.confirmed,
		);
		const floor = this.nextFloor(oldestLeft);
		const [seen, undated] = [{ ...before?.seen }, { ...before?.undated }];
		for (const one of this.fitting.filter((each) => !left.has(each))) {
			const [hash, { time }] = [hashOf(one.id), one];
			if (time === undefined) remember(undated, hash, now);
			else remember(seen, hash, time);
		}
		return {
			service,
			workspace,
			filter,
			polledAt: now,
			watermark: this.latestUpTo(now),
			// What is held back is not remembered, so the next poll has to find all of it again
			confirmed: missing > 0 ? before?.confirmed : confirmed && Math.min(confirmed, oldestLeft),
			floor,
			// Older records need not be remembered: their age shows that they are known
			seen: since(seen, floor ?? -Infinity),
			// Those without a time are listed for certain only when everything is read
			undated: since(undated, isWhole ? now - lookback : -Infinity),
			triedAt: isWhole || isTried || !before ? now : before.triedAt,
			incomplete: missing > 0 ? (before?.incomplete ?? 0) + 1 : 0,
			totals,
			order,
		};
	}

	private get times(): number[] {
		return this.reading.listed.flatMap(({ time }) => time ?? []);
	}

	/** The latest time that the service gave, but none after `most`; undefined if it gave none. */
	private latestUpTo(most: number): number | undefined {
		const times = this.times.map((time) => Math.min(time, most));
		return latest(times, this.poll.before?.watermark);
	}

	/**
	 * The floor follows the watermark of the poll before, so that a record that was missed once is found the next time. While
	 * records are missing, it stays; if they are missing from a first poll, only later ones will be new.
	 */
	private nextFloor(oldestLeft: number): number | undefined {
		const { before, emitExisting, lookback } = this.poll;
		const { missing, now } = this.reading;
		// With a day for a clock that is behind that of the service
		const watermark = this.latestUpTo(missing > 0 ? now + DAY : now);
		const isFollowing = missing === 0 || (!before && !emitExisting);
		if (watermark === undefined || !isFollowing) return before?.floor;
		if (missing > 0) return watermark + 1;
		// Whatever the look-back is now, the floor must not pass records that are still due
		const reached = Math.min(oldestLeft, (before?.watermark ?? watermark) - lookback);
		return Math.max(reached, before?.floor ?? reached);
	}
}

const latest = (times: number[], known?: number): number | undefined =>
	times.reduce<number | undefined>((most = -Infinity, time) => Math.max(most, time), known);

/** @returns a test for records that were remembered, or that the trigger knew of without remembering them */
function wasKnown(before: EventState, filter: Filter): (record: ListedRecord) => boolean {
	const isSame = isSameFilter(filter, before.filter);
	return (record) => {
		const [hash, { time }] = [hashOf(record.id), record];
		if (hash in before.seen || hash in before.undated) return true;
		// For a record that an earlier filter hid, its time decides
		const wasHidden = !isSame && !passes(record, before.filter);
		return wasHidden && !(time !== undefined && time > before.polledAt);
	};
}
