import type { IDataObject } from 'n8n-workflow';

import { DAY } from '../shared/times';
import { RequestFailure } from '../shared/errors/requestFailure';
import { areUndated, EVENTS, type ListedRecord } from './events';
import { type EventState, forget, remember } from './memory';
import { type EventPoll, type EventReading, isFiltered } from './reading';
import { passing } from './settings';

/** How far below the usual floor the floor may be while records are missing, in milliseconds. */
const LONGEST_WAIT = 60 * DAY;

/** Decides what is new: records that are not older than the floor and not remembered (memory.ts). */
export class Discovery {
	readonly unseen: ListedRecord[];
	private readonly candidates: ListedRecord[];
	private readonly times: number[];

	/** @throws RequestFailure if no record has a time, but records had times before: all of them would seem new */
	constructor(
		private readonly poll: EventPoll,
		private readonly reading: EventReading,
		competitors: IDataObject[] = [],
	) {
		const { before, filter } = poll;
		const { listed } = reading;
		const floor = before?.floor ?? -Infinity;
		this.times = listed.map(({ time }) => time).filter((time) => time !== undefined);
		const recent = listed.filter(({ time = floor }) => time >= floor);
		this.candidates = passing(recent, filter, competitors);
		this.unseen = this.candidates.filter((one) => !this.isKnown(one));
		if (before?.watermark === undefined || !areUndated(listed) || this.unseen.length === 0) return;
		const serviceMessage = `None of the records has '${EVENTS[poll.event].timeField}', although records had it before`;
		throw new RequestFailure('shape', { serviceMessage });
	}

	/** Set if much of the lists is missing. Not for a first poll: `nextFloor` already provides for records that it missed. */
	get failure(): RequestFailure | undefined {
		return this.poll.before && this.reading.failure;
	}

	/** Whether a record is remembered, or existed at a first poll that does not emit existing records. */
	private isKnown(record: ListedRecord): boolean {
		const { before, emitExisting } = this.poll;
		return before ? record.hash in before.seen : !emitExisting;
	}

	/**
	 * @param heldBack the records that are left for later polls, of any event
	 * @returns the state to store when all other records are emitted. Undefined if the first poll was incomplete, only remembers,
	 * and found no time: no floor could keep out what it missed, so the next poll is a first poll again
	 */
	stateAfter(heldBack: ReadonlySet<ListedRecord>): EventState | undefined {
		const { before, service, workspace, emitExisting } = this.poll;
		const { listed, isWhole, isComplete, readAt } = this.reading;
		const floor = this.nextFloor(this.unseen.some((one) => heldBack.has(one)));
		if (!before && !emitExisting && !isComplete && floor === undefined) return undefined;
		const seen = { ...before?.seen };
		const isAll = isWhole && isComplete && !isFiltered(this.poll);
		for (const one of this.candidates) if (!heldBack.has(one)) remember(seen, one);
		forget(seen, floor, isAll ? listed : undefined);
		return { service, workspace, watermark: this.watermark, floor, seen, readAt, isComplete };
	}

	/** The latest time that the service gave, but not later than now. Undefined if it gave none. */
	private get watermark(): number | undefined {
		const times = this.times.map((time) => Math.min(time, this.reading.now));
		return latest(times, this.poll.before?.watermark);
	}

	/**
	 * Usually, the watermark of the previous poll minus the look-back: this poll's own watermark could put the floor above records
	 * that this poll missed. While records are held back, the floor stays. While records are missing, it stays too, but at most
	 * LONGEST_WAIT below the usual one.
	 */
	private nextFloor(isHoldingBack: boolean): number | undefined {
		const { before, emitExisting, lookback } = this.poll;
		const { isComplete, now } = this.reading;
		if (!before && !emitExisting && !isComplete) {
			// Some existing records were not found, so only records newer than all found ones are certainly new. A time more than a
			// day ahead is a mistake, because clocks differ less
			const newest = latest(this.times.filter((time) => time <= now + DAY));
			return newest === undefined ? undefined : newest + 1;
		}
		const watermark = before?.watermark ?? this.watermark;
		// Without any time, the look-back counts from now
		if (!before && !emitExisting && this.times.length === 0) return now - lookback;
		if (isHoldingBack || watermark === undefined) return before?.floor;
		if (isComplete) return latest([watermark - lookback], before?.floor);
		// Without LONGEST_WAIT, the records of a list that is never complete would all be remembered for ever
		return before?.floor && latest([watermark - lookback - LONGEST_WAIT], before.floor);
	}
}

function latest(times: number[], known?: number): number | undefined {
	return times.reduce((most, time) => Math.max(most ?? time, time), known);
}
