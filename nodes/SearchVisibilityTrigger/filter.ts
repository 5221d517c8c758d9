import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../shared/parameters/values';
import type { EventName } from './events';
import { EVENTS } from './events';

/** On which domain a page must be. */
export type Ownership = 'any' | 'own' | 'others';

/** @returns whether a value is one of the choices of Ownership */
export const isOwnership = (value: unknown): value is Ownership =>
	value === 'any' || value === 'own' || value === 'others';

const isTexts = (value: unknown): value is string[] =>
	Array.isArray(value) && value.every((one) => typeof one === 'string');

/** Which records of an event count. Stored with the state, so that the trigger knows what an earlier filter hid. */
export type Filter = {
	includeProcessed: boolean;
	/** Part of a domain, empty for any; the service applies it */
	domain: string;
	ownership: Ownership;
	/** Sorted; empty for all */
	platforms: string[];
};

/** What a filter needs to know about a record. */
export interface Filtered {
	record: IDataObject;
	isProcessed: boolean;
}

/** @returns the part of the filter that matters for the event */
export function filterFor(event: EventName, filter: Filter): Filter {
	const { hasFilters, hasProcessed } = EVENTS[event];
	return {
		includeProcessed: !hasProcessed || filter.includeProcessed,
		domain: hasFilters ? filter.domain : '',
		ownership: hasFilters ? filter.ownership : 'any',
		platforms: hasFilters ? [...filter.platforms].sort() : [],
	};
}

/** @returns whether a record passes the filter */
export function passes({ record, isProcessed }: Filtered, filter: Filter): boolean {
	if (isProcessed && !filter.includeProcessed) return false;
	if (filter.domain !== '' && !isOn(record.domain, filter.domain)) return false;
	return passesHere(record, filter);
}

function isOn(domain: unknown, part: string): boolean {
	return typeof domain === 'string' && domain.toLowerCase().includes(part.toLowerCase());
}

/** @returns whether a record passes the part of the filter that the service does not apply itself */
export function passesHere(record: IDataObject, { ownership, platforms }: Filter): boolean {
	if (ownership !== 'any' && (record.isOwnDomain === true) !== (ownership === 'own')) return false;
	if (platforms.length === 0) return true;
	const on = Array.isArray(record.platforms) ? record.platforms : [];
	return platforms.some((platform) => on.includes(platform));
}

/** @returns whether the service leaves out records, so that the trigger does not see them */
export function hidesAtService({ includeProcessed, domain }: Filter): boolean {
	return !includeProcessed || domain !== '';
}

/** @returns whether two filters let the same records through */
export function isSameFilter(one: Filter, other: Filter): boolean {
	return keyOf(one) === keyOf(other);
}

function keyOf({ includeProcessed, domain, ownership, platforms }: Filter): string {
	return JSON.stringify([includeProcessed, domain, ownership, platforms]);
}

/** @returns the stored filter; undefined if it is damaged */
export function readFilter(stored: unknown): Filter | undefined {
	if (!isObject(stored)) return undefined;
	const { includeProcessed, domain, ownership, platforms } = stored;
	if (typeof includeProcessed !== 'boolean' || typeof domain !== 'string') return undefined;
	if (!isOwnership(ownership) || !isTexts(platforms)) return undefined;
	return { includeProcessed, domain, ownership, platforms };
}
