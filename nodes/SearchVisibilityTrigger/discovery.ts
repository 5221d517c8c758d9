import { DAY } from '../shared/days';
import { TimesMissing } from './errors';
import type { ListedRecord } from './events';
import { byTime, isTimeless } from './events';
import type { EventState } from './memory';
import { hashOf, remember, stillNeeded } from './memory';
import type { Reading } from './reading';
import type { Filter } from './settings';
import { isSameFilter, passes } from './settings';

/** What decides about the records of an event. */
interface Circumstances {
	service: string;
	workspace: string | undefined;
	/** What is known from earlier polls; undefined for a first poll */
	before: EventState | undefined;
	filter: Filter;
	/** Milliseconds */
	lookback: number;
	/** Whether a first poll emits what exists */
	emitExisting: boolean;
}

/**
 * What is new: records that are not older than the floor and not remembered. It needs no clock and no I/O. docs/trigger.md
 * describes the state.
 */
export class Discovery {
	/** Everything to emit, now or later: oldest first, records without a time last */
	readonly due: ListedRecord[];

	private readonly fitting: ListedRecord[];

	/** @throws TimesMissing when no record has a time, although records had times before */
	constructor(
		private readonly poll: Circumstances,
		private readonly reading: Reading,
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
		const { before, service, workspace = before?.workspace, filter } = this.poll;
		const { listed, isWhole, isComplete, readAt, now } = this.reading;
		const floor = this.nextFloor(this.due.some((one) => left.has(one)));
		const seen = { ...before?.seen };
		for (const { id, time } of this.fitting.filter((one) => !left.has(one))) {
			remember(seen, hashOf(id), time);
		}
		const undated = listed.filter(({ time }) => time === undefined).map(({ id }) => hashOf(id));
		const mayBeThere = isWhole && isComplete ? new Set(undated) : undefined;
		// What the earlier filter hid can come with a later poll
		const isOpen = before && !isComplete && !isSameFilter(filter, before.filter);
		return {
			service,
			workspace,
			filter: isOpen ? before.filter : filter,
			polledAt: isOpen ? before.polledAt : now,
			watermark: this.watermark,
			floor,
			seen: stillNeeded(seen, floor, mayBeThere),
			readAt,
			isComplete,
		};
	}

	private get times(): number[] {
		return this.reading.listed.flatMap(({ time }) => time ?? []);
	}

	/** The latest time that the service gave, but none in the future: that is a mistake. Undefined if it gave none. */
	private get watermark(): number | undefined {
		const times = this.times.map((time) => Math.min(time, this.reading.now));
		return latest(times, this.poll.before?.watermark);
	}

	/**
	 * The floor follows the watermark of the poll before, so that a record that was missed once is found the next time. It
	 * stays while records are missing or held back.
	 */
	private nextFloor(isHoldingBack: boolean): number | undefined {
		const { before, emitExisting, lookback } = this.poll;
		const { isComplete } = this.reading;
		if (!before && !emitExisting && !isComplete) return this.afterNewest;
		const watermark = before?.watermark ?? this.watermark;
		if (!isComplete || isHoldingBack || watermark === undefined) return before?.floor;
		return latest([watermark - lookback], before?.floor);
	}

	/** Where a silent first poll did not find everything, only later records are new. A clock may be a day behind. */
	private get afterNewest(): number | undefined {
		const times = this.times.filter((time) => time <= this.reading.now + DAY);
		return latest(times.map((time) => time + 1));
	}
}

function latest(times: number[], known?: number): number | undefined {
	return times.reduce((most, time) => Math.max(most ?? time, time), known);
}

/** @returns a test for records that were remembered, or that the trigger knew of without remembering them */
function wasKnown(before: EventState, filter: Filter): (record: ListedRecord) => boolean {
	const isSame = isSameFilter(filter, before.filter);
	return (record) => {
		const { id, time } = record;
		if (hashOf(id) in before.seen) return true;
		// For a record that an earlier filter hid, its time decides
		const wasHidden = !isSame && !passes(record, before.filter);
		return wasHidden && !(time !== undefined && time > before.polledAt);
	};
}
