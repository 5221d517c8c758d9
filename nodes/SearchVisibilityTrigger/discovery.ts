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

	/**
	 * @throws RequestFailure if
	 * - no record has a time, but records had times before: all of them would seem new
	 * - records are missing from a silent first poll that found no time: nothing would keep them out later
	 */
	constructor(
		private readonly poll: EventPoll,
		private readonly reading: EventReading,
		competitors: IDataObject[] = [],
	) {
		const { before, criteria } = poll;
		const { listed } = reading;
		const floor = before?.floor ?? -Infinity;
		this.times = listed.map(({ time }) => time).filter((time) => time !== undefined);
		const recent = listed.filter(({ time }) => time === undefined || time >= floor);
		this.candidates = passing(recent, criteria, competitors);
		this.unseen = this.candidates.filter((one) => !this.isKnown(one));
		const hadTimes = before?.watermark !== undefined;
		if (hadTimes && areUndated(listed) && this.unseen.length > 0) {
			const serviceMessage = `None of the records has '${EVENTS[poll.event].timeField}', although records had it before`;
			throw new RequestFailure('shape', { serviceMessage });
		}
		const isSilent = !before && !poll.emitsExisting;
		if (isSilent && !reading.isComplete && this.floorAfterSilentPoll() === undefined) {
			throw new RequestFailure('firstCheck');
		}
	}

	/** What to tell if much of the lists is missing. None for a first poll: its floor already provides for records that it missed. */
	get gap(): RequestFailure | undefined {
		return this.poll.before && this.reading.gap;
	}

	/** Whether a record is remembered, or existed at a first poll that does not emit existing records. */
	private isKnown(record: ListedRecord): boolean {
		const { before, emitsExisting } = this.poll;
		return before ? record.hash in before.seen : !emitsExisting;
	}

	/**
	 * @param pending the records that are left for later polls, of any event
	 * @returns the state to store when all other records are emitted
	 */
	stateAfter(pending: ReadonlySet<ListedRecord>): EventState {
		const { before, origin } = this.poll;
		const { listed, isFull, isComplete, fullReadAt } = this.reading;
		const floor = this.nextFloor(this.unseen.some((one) => pending.has(one)));
		const seen = { ...before?.seen };
		const listsAllRecords = isFull && isComplete && !isFiltered(this.poll);
		for (const one of this.candidates) {
			if (!pending.has(one)) remember(seen, one);
		}
		forget(seen, floor, listsAllRecords ? listed : undefined);
		return { ...origin, watermark: this.watermark, floor, seen, fullReadAt, isComplete };
	}

	/** The latest time that the service gave, but not later than now. Undefined if it gave none. */
	private get watermark(): number | undefined {
		const times = this.times.map((time) => Math.min(time, this.reading.now));
		return latest(times, this.poll.before?.watermark);
	}

	/** Records from before the floor count as known. */
	private nextFloor(isAnyPending: boolean): number | undefined {
		const { before, emitsExisting } = this.poll;
		if (before) return this.floorOfKnownEvent(before, isAnyPending);
		return emitsExisting ? this.floorAfterEmittingAll(isAnyPending) : this.floorAfterSilentPoll();
	}

	/**
	 * After a poll of a known event, the floor never falls, and is
	 * - while records are pending: as before
	 * - usually: the watermark of the poll before minus the look-back. The watermark of this poll could put the floor above records
	 * that this poll missed
	 * - while records are missing: as before, but at most LONGEST_WAIT below the usual one. Otherwise, the records of a list that is
	 * never complete would all be remembered for ever
	 */
	private floorOfKnownEvent(before: EventState, isAnyPending: boolean): number | undefined {
		const { floor } = before;
		const watermark = before.watermark ?? this.watermark;
		if (isAnyPending || watermark === undefined) return floor;
		const usual = watermark - this.poll.lookback;
		if (this.reading.isComplete) return latest([usual], floor);
		return floor === undefined ? undefined : latest([usual - LONGEST_WAIT], floor);
	}

	/** After a first poll that emits the existing records: none as long as any of them may still have to be emitted. */
	private floorAfterEmittingAll(isAnyPending: boolean): number | undefined {
		if (isAnyPending || !this.reading.isComplete || this.watermark === undefined) return undefined;
		return this.watermark - this.poll.lookback;
	}

	/**
	 * After a first poll that emits nothing:
	 * - usually: the watermark minus the look-back; without any time, now minus the look-back
	 * - if existing records were missed: just after the newest of those that were found, because only later ones are certainly new
	 */
	private floorAfterSilentPoll(): number | undefined {
		const { isComplete, now } = this.reading;
		if (isComplete) return (this.watermark ?? now) - this.poll.lookback;
		// A time more than a day ahead is a mistake, because clocks differ less
		const newest = latest(this.times.filter((time) => time <= now + DAY));
		return newest === undefined ? undefined : newest + 1;
	}
}

function latest(times: number[], known?: number): number | undefined {
	return times.reduce((most, time) => Math.max(most ?? time, time), known);
}
