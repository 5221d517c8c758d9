import type { IDataObject } from 'n8n-workflow';

import type { EventName } from '../../nodes/SearchVisibilityTrigger/events.ts';
import type { EventState } from '../../nodes/SearchVisibilityTrigger/memory.ts';
import type { Filter, TriggerSettings } from '../../nodes/SearchVisibilityTrigger/settings.ts';
import { itemAt } from '../defined.mts';
import { HOUR, type Known, type Service } from './triggerService.mts';
import type { History } from './triggerSteps.mts';

/** What was watched at the last poll of an event, or after a change at the last one before that was complete. */
interface Line {
	service: string;
	filter: Filter;
	time: number;
	/** Records with a greater number did not exist when it ended */
	end: number;
	/** When the last poll was */
	last: number;
}

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
export function filterFor(event: EventName, settings: TriggerSettings): Filter {
	const { domain, ownership, platforms } = settings;
	const includeProcessed = settings.includeProcessed || event === 'competitor';
	if (event === 'citedPage') return { includeProcessed, domain, ownership, platforms };
	return { includeProcessed, domain: '', ownership: 'any', platforms: [] };
}

export function fits(record: Known, { includeProcessed, ...filter }: Filter): boolean {
	if (record.status === 'archived') return false;
	if (record.status === 'processed' && !includeProcessed) return false;
	if (!record.domain.includes(filter.domain.toLowerCase())) return false;
	if (filter.ownership === 'own' && record.isOwnDomain !== true) return false;
	if (filter.ownership === 'others' && record.isOwnDomain === true) return false;
	const isOn = (name: string) => record.platforms.includes(name);
	return filter.platforms.length === 0 || filter.platforms.some(isOn);
}

/** Whether the record existed during the whole poll, and did not change. */
const wasThere = ({ number, touchedIn }: Known, { start, poll }: Turn) =>
	number < start && touchedIn !== poll;

/** What the trigger owes to the workflow, record by record. */
export class Ledger {
	lines: Lines = {};
	/** If a first poll was incomplete, what is not newer than its newest record is known by its age */
	private readonly openBefore: Partial<Record<EventName, number | undefined>> = {};
	/** Whether the filter has changed since the last poll of the event that is being decided */
	private isChanged = false;

	constructor(
		private readonly history: History,
		private readonly service: Service,
	) {}

	/**
	 * @param state what the trigger stores
	 * @returns whether this is a first decision, for which everything that exists is known
	 */
	decide(event: EventName, state: EventState, turn: Turn, emitsExisting: boolean): boolean {
		const { baseUrl: service, time, records } = this.service;
		const { isComplete, floor } = state;
		const line = this.lines[event];
		const filter = filterFor(event, turn.settings);
		const isFirst = line?.service !== service;
		if (isFirst) this.openBefore[event] = isComplete ? undefined : floor;
		this.isChanged = JSON.stringify(filter) !== JSON.stringify(line?.filter);
		for (const record of records) {
			if (record.event !== event || record.service !== service) continue;
			if (isFirst) this.begin(record, filter, turn, emitsExisting);
			else this.goOn(record, filter, line, turn);
			if ((record.time ?? Infinity) < (this.openBefore[event] ?? -Infinity)) record.stand = 'open';
			// Not listed at the last poll, so it may have been away for longer than it is remembered
			record.wasAway ||= line !== undefined && record.listedAt < line.last;
			if (wasThere(record, turn) && fits(record, filter)) record.listedAt = time;
		}
		// What ties hide from the first polls after a change may still be what the filter before hid
		const isOpen = !isFirst && this.isChanged && !isComplete;
		this.lines[event] = isOpen
			? { ...line, last: time }
			: { service, filter, time, end: records.length, last: time };
		return isFirst;
	}

	private begin(record: Known, filter: Filter, turn: Turn, emitsExisting: boolean): void {
		record.wasEmitted = false;
		if (!wasThere(record, turn)) record.stand = 'open';
		else if (!fits(record, filter)) record.stand = 'hidden';
		else record.stand = emitsExisting ? 'due' : 'known';
	}

	private goOn(record: Known, filter: Filter, line: Line, { start, poll }: Turn): void {
		if (record.wasEmitted || record.stand === 'known') return;
		const isTouched = record.touchedIn === poll;
		if (fits(record, filter)) {
			if (isTouched) record.stand = 'open';
			else if (this.isChanged && !fits(record, line.filter)) {
				record.stand = this.standAfterChange(record, line);
			} else if (record.stand === 'hidden') record.stand = 'open';
		} else if (record.number < start) record.stand = isTouched ? 'open' : 'hidden';
	}

	/** For what the filter hid at the last poll, the time decides: known if it is older than that poll, new otherwise. */
	private standAfterChange({ stand, time, number, event }: Known, line: Line): Known['stand'] {
		if (this.service.vanished === event) return 'open';
		if (time === undefined) return stand === 'hidden' ? 'known' : 'open';
		// Without the service's own time, n8n's clock decides about what the service itself hid
		const doubt = this.history.tellsTime ? 1000 : Math.abs(this.history.skew) * HOUR + 1000;
		if (stand === 'hidden') return time < line.time - doubt ? 'known' : 'open';
		return number >= line.end && time > line.time + doubt ? 'due' : 'open';
	}

	private recordOf({ id }: IDataObject): Known {
		return itemAt(this.service.records, Number(String(id).split('-')[1]));
	}

	/** Nothing known may come, and nothing twice. */
	accept(found: IDataObject[]): void {
		let last = -Infinity;
		for (const item of found) {
			const record = this.recordOf(item);
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
		const { time: youngest = Infinity } = this.recordOf(itemAt(found, -1));
		for (const record of this.service.records) {
			const { event, service, stand, wasEmitted, time = Infinity } = record;
			const isOwed = stand === 'due' && !wasEmitted && this.lines[event]?.service === service;
			const wasRead = decided.includes(event) && wasThere(record, turn);
			const isOlder = time < youngest && fits(record, filterFor(event, turn.settings));
			if (isOwed && wasRead && isOlder) {
				throw new Error(`Younger ones came before ${record.id}`);
			}
		}
	}

	/** The state of these events is lost. */
	forget(events: readonly EventName[]): void {
		for (const event of events) delete this.lines[event];
	}

	owed(): Owed {
		return this.service.records.map(({ stand, wasEmitted, listedAt }) => ({
			...{ stand, wasEmitted, listedAt },
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
