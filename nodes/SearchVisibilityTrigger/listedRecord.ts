import type { IDataObject } from 'n8n-workflow';

import { isOwn, platformsOf } from '../shared/citedPages';
import { bareDomain } from '../shared/parameters/addresses';
import { keyOf } from '../shared/records';
import { timeOf } from '../shared/times';
import type { EventName } from './events';
import { EVENTS } from './events';

/** A record of an event. */
export type ListedRecord = ReturnType<typeof listedRecord>;

/** @param list the list in which it was read, as it was asked for */
export function listedRecord(event: EventName, record: IDataObject, list: IDataObject) {
	return {
		event,
		record,
		/** Without an ID, the whole content identifies a record */
		id: String(keyOf(record)),
		/** When the service found it, in milliseconds since 1970; undefined if the service gives no time */
		time: timeOf(record[EVENTS[event].timeField]),
		isProcessed: (list.type ?? record.status) === 'processed',
	};
}

/** Whether there are records, but none has a time. */
export const isTimeless = (listed: ListedRecord[]) =>
	listed.length > 0 && listed.every(({ time }) => time === undefined);

/** Oldest first, records without a time last; equal ones keep their order. */
export function byTime(a: ListedRecord, b: ListedRecord): number {
	return (a.time ?? Number.MAX_VALUE) - (b.time ?? Number.MAX_VALUE);
}

/**
 * @returns the output item. `event` comes first and always is the name of the event, even if the record has a field of
 * that name
 */
export function toOutput({ event, record }: ListedRecord): IDataObject {
	return Object.assign({ event }, record, { event });
}

/** Which records of an event count. Stored with the state, so that the trigger knows what an earlier filter hid. */
export type Filter = {
	includeProcessed: boolean;
	/** Part of a domain, empty for any; the service applies it too */
	domain: string;
	/** On which domain a page must be: 'any', 'own' or 'others' */
	ownership: string;
	/** Sorted; empty for all */
	platforms: string[];
};

/** @returns the part of the filter that matters for the event */
export function filterFor(event: EventName, filter: Filter): Filter {
	const { includeProcessed, domain, ownership, platforms } = filter;
	if (!EVENTS[event].hasFilters) {
		return { includeProcessed, domain: '', ownership: 'any', platforms: [] };
	}
	return { includeProcessed, domain, ownership, platforms: [...platforms].sort() };
}

/** @returns whether a record passes the filter */
export function passes({ record, isProcessed }: ListedRecord, filter: Filter): boolean {
	const { includeProcessed, domain, ownership, platforms } = filter;
	if (isProcessed && !includeProcessed) return false;
	// Services write a domain with letters such as ü in two ways
	const onDomain = domain && String(bareDomain(record.domain ?? '')).toLowerCase();
	if (!onDomain.includes(domain.toLowerCase())) return false;
	if (ownership !== 'any' && (isOwn(record) ?? false) !== (ownership === 'own')) return false;
	const on = platformsOf(record) ?? [];
	return platforms.length === 0 || platforms.some((platform) => on.includes(platform));
}

/** @returns whether two filters let the same records through */
export const isSameFilter = (one: Filter, other: Filter) => textOf(one) === textOf(other);

/** Some databases store the keys of JSON in another order. */
const textOf = (filter: Filter) => JSON.stringify(Object.entries(filter).sort());
