import type { IDataObject } from 'n8n-workflow';

import type { EventName } from '../../nodes/SearchVisibilityTrigger/events.ts';
import type { EventState } from '../../nodes/SearchVisibilityTrigger/memory.ts';
import type { Criteria, TriggerSettings } from '../../nodes/SearchVisibilityTrigger/settings.ts';
import { itemAt } from '../defined.mts';
import { isJoined, type Known, type Service } from './triggerService.mts';

/** The last poll of an event. */
interface Line {
	service: string;
	/** When it was */
	last: number;
}

type Floors = Array<EventState['floor']>;
type Lines = Partial<Record<EventName, Line>>;
type Owed = Array<Pick<Known, 'stand' | 'wasEmitted' | 'listedAt'>>;

/** A poll that decides what is new. */
export interface Turn {
	poll: number;
	/** How many records existed when the poll began */
	start: number;
	settings: TriggerSettings;
}

/** The filter of an event, as docs/trigger.md describes it. */
export function filterFor(event: EventName, settings: TriggerSettings): Criteria {
	const { domain, ownership, platforms } = settings;
	const includeProcessed = settings.includeProcessed || event === 'competitor';
	if (event === 'citedPage') return { includeProcessed, domain, ownership, platforms };
	return { includeProcessed, domain: '', ownership: 'any', platforms: [] };
}

export function fits(record: Known, { includeProcessed, ...filter }: Criteria): boolean {
	if (record.status === 'archived') return false;
	if (record.status === 'processed' && !includeProcessed) return false;
	if (!record.domain.includes(filter.domain.toLowerCase())) return false;
	if (filter.ownership === 'own' && record.isOwnDomain !== true) return false;
	if (filter.ownership === 'others' && record.isOwnDomain === true) return false;
	const isOn = (name: string) => record.platforms.includes(name);
	return filter.platforms.length === 0 || filter.platforms.some(isOn);
}

/** Whether a poll asks for all records. Only then may it forget one that it does not list (memory.ts) */
const readsAll = (event: EventName, { domain, includeProcessed }: Criteria) =>
	domain === '' && (includeProcessed || isJoined(event));

/** Whether the record existed during the whole poll, and did not change. */
const wasThere = ({ number, touchedIn }: Known, { start, poll }: Turn) =>
	number < start && touchedIn !== poll;

/** What the trigger owes to the workflow, record by record. */
export class Ledger {
	lines: Lines = {};
	/** What is older than the floor of the first poll is known by its age */
	private readonly openBefore: Partial<Record<EventName, number | undefined>> = {};
	constructor(private readonly service: Service) {}

	/**
	 * @param floors before this decision and after it
	 * @returns whether this is a first decision, for which everything that exists is known
	 */
	decide(event: EventName, floors: Floors, turn: Turn, emitsExisting: boolean): boolean {
		const { baseUrl: service, time, records } = this.service;
		const line = this.lines[event];
		const filter = filterFor(event, turn.settings);
		const isFirst = line?.service !== service;
		const [before, after] = floors;
		if (isFirst) this.openBefore[event] = after;
		for (const record of records) {
			if (record.event !== event || record.service !== service) continue;
			if (isFirst) this.begin(record, filter, turn, emitsExisting);
			else this.goOn(record, filter, before, turn);
			if ((record.time ?? Infinity) < (this.openBefore[event] ?? -Infinity)) record.stand = 'open';
			// Not listed at the last poll, so it may have been away for longer than it is remembered
			record.wasAway ||= line !== undefined && record.listedAt < line.last;
			// In a joined list, a record that is processed keeps its place
			const isThere = isJoined(event) ? record.number < turn.start : wasThere(record, turn);
			if ((isThere && record.status !== 'archived') || !readsAll(event, filter))
				record.listedAt = time;
		}
		this.lines[event] = { service, last: time };
		return isFirst;
	}

	private begin(record: Known, filter: Criteria, turn: Turn, emitsExisting: boolean): void {
		record.wasEmitted = false;
		if (!wasThere(record, turn)) record.stand = 'open';
		else if (!fits(record, filter)) record.stand = 'hidden';
		else record.stand = emitsExisting ? 'due' : 'known';
	}

	private goOn(record: Known, filter: Criteria, floor: number | undefined, { start, poll }: Turn) {
		if (record.wasEmitted || record.stand === 'known') return;
		// It may have been known or hidden at the first poll, and nothing tells which
		if (record.stand === 'open' && record.time === undefined) return;
		const isTouched = record.touchedIn === poll;
		if (!fits(record, filter)) {
			if (record.number < start) record.stand = isTouched ? 'open' : 'hidden';
		} else if (isTouched) record.stand = 'open';
		else if (record.stand === 'hidden') record.stand = this.standOf(record, floor);
	}

	/** What an earlier filter hid is new if it is not older than the floor. */
	private standOf({ time, event }: Known, floor = -Infinity): Known['stand'] {
		// Article Ready has no floor
		if (event === 'articleReady') return 'due';
		if (this.service.vanished === event || time === undefined) return 'open';
		return time >= floor ? 'due' : 'open';
	}

	/** Nothing known may come, and nothing twice. */
	accept(found: IDataObject[]): void {
		let last = -Infinity;
		for (const item of found) {
			const record = this.service.recordOf(item);
			const { id, time = Infinity } = record;
			if (item.event !== record.event) throw new Error(`Not the name of the event of ${id}`);
			const mayBeForgotten = record.time === undefined && record.wasAway;
			record.wasAway = false;
			if (!mayBeForgotten && record.wasEmitted) throw new Error(`Twice: ${id}`);
			if (!mayBeForgotten && record.stand === 'known') throw new Error(`Known: ${id}`);
			record.wasEmitted = true;
			if (this.service.vanished) continue;
			if (time < last) throw new Error(`Not in order: ${id}`);
			last = time;
		}
	}

	/** Across all decided events, nothing older than what came may still wait. */
	expectOldest(found: IDataObject[], decided: EventName[], turn: Turn): void {
		if (this.service.vanished) return;
		const { time: youngest = Infinity } = this.service.recordOf(itemAt(found, -1));
		for (const record of this.service.records) {
			const { event, service, stand, wasEmitted, time = Infinity } = record;
			const isOwed = stand === 'due' && !wasEmitted && this.lines[event]?.service === service;
			const wasRead = decided.includes(event) && wasThere(record, turn);
			const isOlder = time < youngest && fits(record, filterFor(event, turn.settings));
			if (isOwed && wasRead && isOlder) throw new Error(`Younger ones came before ${record.id}`);
		}
	}

	/** The state of these events is lost. */
	forget(events: readonly EventName[]): void {
		for (const event of events) delete this.lines[event];
	}

	owed(): Owed {
		return this.service.records.map(({ stand, wasEmitted, listedAt }) => ({
			stand,
			wasEmitted,
			listedAt,
		}));
	}

	/** Only what the older state had not seen may come again. */
	putBack(lines: Lines, owed: Owed): void {
		this.lines = lines;
		for (const [number, record] of this.service.records.entries()) {
			Object.assign(record, owed[number] ?? { stand: 'due', wasEmitted: false });
		}
	}
}
