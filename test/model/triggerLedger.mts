import type { IDataObject } from 'n8n-workflow';

import type { Filter } from '../../nodes/SearchVisibilityTrigger/settings.ts';
import type { TriggerSettings } from '../../nodes/SearchVisibilityTrigger/settings.ts';
import { itemAt } from '../defined.mts';
import { HOUR, type Known, type Service } from './triggerService.mts';
import type { EventName, History } from './triggerSteps.mts';

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

export type Lines = Partial<Record<EventName, Line>>;

/** By the number of the record. */
export interface Owed {
	stands: Array<Known['stand']>;
	emitted: boolean[];
	listedAt: number[];
}

interface Decision {
	service: string;
	settings: TriggerSettings;
	time: number;
	emitsExisting: boolean;
	poll: number;
	/** How many records existed when the poll began */
	start: number;
	/** Whether the poll found everything */
	isComplete: boolean;
	/** Before which time records are known by their age because an incomplete first poll may not have found them */
	openBefore: number | undefined;
}

/** The filter of an event, as docs/trigger.md describes it. */
export function filterFor(event: EventName, settings: TriggerSettings): Filter {
	const { includeProcessed, domain, ownership, platforms } = settings;
	if (event === 'citedPage') return { includeProcessed, domain, ownership, platforms };
	const isAlways = event === 'competitor';
	return {
		includeProcessed: isAlways || includeProcessed,
		domain: '',
		ownership: 'any',
		platforms: [],
	};
}

export function fits(record: Known, filter: Filter): boolean {
	if (record.status === 'archived') return false;
	if (record.status === 'processed' && !filter.includeProcessed) return false;
	if (!record.domain.includes(filter.domain.toLowerCase())) return false;
	if (filter.ownership === 'own' && record.isOwnDomain !== true) return false;
	if (filter.ownership === 'others' && record.isOwnDomain === true) return false;
	return (
		filter.platforms.length === 0 ||
		record.platforms.some((name) => filter.platforms.includes(name))
	);
}

/** What the trigger owes to the workflow, record by record. */
export class Ledger {
	lines: Lines = {};

	private readonly openBefore: Partial<Record<EventName, number | undefined>> = {};

	/** Whether the filter has changed since the last poll of the event that is being decided */
	private isChanged = false;

	constructor(
		private readonly history: History,
		private readonly service: Service,
	) {}

	/** @returns whether this is a first decision, for which everything that exists is known */
	decide(event: EventName, decision: Decision): boolean {
		const { service, settings, time, start } = decision;
		const line = this.lines[event];
		const filter = filterFor(event, settings);
		const isFirst = line?.service !== service;
		if (isFirst) this.openBefore[event] = decision.openBefore;
		this.isChanged = JSON.stringify(filter) !== JSON.stringify(line?.filter);
		for (const record of this.service.records) {
			if (record.event !== event || record.service !== service) continue;
			if (isFirst) this.begin(record, filter, decision);
			else this.goOn(record, filter, line, decision);
			if (this.isOpen(record)) record.stand = 'open';
			// Not listed at the last poll, so it may have been away for longer than it is remembered
			record.wasAway ||= line !== undefined && record.listedAt < line.last;
			const wasThere = record.number < start && record.touchedIn !== decision.poll;
			if (wasThere && fits(record, filter)) record.listedAt = time;
		}
		// What ties hide from the first polls after a change may still be what the filter before hid
		const end = this.service.records.length;
		const isOpen = !isFirst && this.isChanged && !decision.isComplete;
		this.lines[event] = isOpen
			? { ...line, last: time }
			: { service, filter, time, end, last: time };
		return isFirst;
	}

	/** If a first poll was incomplete, what is not newer than its newest record is known by its age. */
	private isOpen({ event, time = Infinity }: Known): boolean {
		return time < (this.openBefore[event] ?? Number.NEGATIVE_INFINITY);
	}

	private begin(record: Known, filter: Filter, { emitsExisting, start, poll }: Decision): void {
		record.wasEmitted = false;
		if (record.number >= start || record.touchedIn === poll) record.stand = 'open';
		else if (!fits(record, filter)) record.stand = 'hidden';
		else record.stand = emitsExisting ? 'due' : 'known';
	}

	private goOn(record: Known, filter: Filter, line: Line, { start, poll }: Decision): void {
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

	/** Nothing known may come, and nothing twice. */
	accept(found: IDataObject[]): void {
		const last = { time: Number.NEGATIVE_INFINITY };
		for (const { id, event } of found) {
			const record = itemAt(this.service.records, Number(String(id).split('-')[1]));
			if (event !== record.event) throw new Error(`Not the name of the event: ${String(event)}`);
			const mayBeForgotten = record.time === undefined && record.wasAway;
			record.wasAway = false;
			if (!mayBeForgotten && record.wasEmitted) throw new Error(`Twice: ${record.id}`);
			if (!mayBeForgotten && record.stand === 'known') throw new Error(`Known: ${record.id}`);
			record.wasEmitted = true;
			if (this.service.vanished) continue;
			const moment = record.time ?? Number.POSITIVE_INFINITY;
			if (moment < last.time) throw new Error(`Not in order: ${record.id}`);
			last.time = moment;
		}
	}

	/** Across all decided events, nothing older than what came may still wait. */
	expectOldest(
		found: IDataObject[],
		decided: EventName[],
		settings: TriggerSettings,
		poll: number,
		start: number,
	): void {
		const timeOf = ({ id }: IDataObject) =>
			itemAt(this.service.records, Number(String(id).split('-')[1])).time;
		const youngest = timeOf(itemAt(found, -1)) ?? Number.POSITIVE_INFINITY;
		for (const record of this.service.records) {
			const { event, service, stand, wasEmitted, number, touchedIn, time = Infinity } = record;
			const isOwed = stand === 'due' && !wasEmitted && this.lines[event]?.service === service;
			const wasRead = decided.includes(event) && number < start && touchedIn !== poll;
			if (isOwed && wasRead && fits(record, filterFor(event, settings)) && time < youngest) {
				if (!this.service.vanished) throw new Error(`Younger ones came before ${record.id}`);
			}
		}
	}

	/** The state of these events is lost. */
	forget(events: EventName[]): void {
		for (const event of events) delete this.lines[event];
	}

	owed(): Owed {
		const { records } = this.service;
		return {
			stands: records.map(({ stand }) => stand),
			emitted: records.map(({ wasEmitted }) => wasEmitted),
			listedAt: records.map(({ listedAt }) => listedAt),
		};
	}

	/** Only what the older state had not seen may come again. */
	putBack({ stands, emitted, listedAt }: Owed): void {
		for (const [number, record] of this.service.records.entries()) {
			record.stand = stands[number] ?? 'due';
			record.wasEmitted = emitted[number] ?? false;
			record.listedAt = listedAt[number] ?? record.listedAt;
		}
	}
}
