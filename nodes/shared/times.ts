/** In milliseconds. */
export const HOUR = 60 * 60 * 1000;
export const DAY = 24 * HOUR;

/** @returns the UTC day (YYYY-MM-DD, contract 4.8) of a time in milliseconds since 1970 */
export function toDay(time: number): string {
	return new Date(time).toISOString().slice(0, 10);
}

/** An ISO date with an optional time and zone. Some services put spaces between them. */
const ISO_TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}[\d:.]*) ?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/** @returns milliseconds since 1970; undefined for anything else. A time without a zone is UTC (contract section 1) */
export function timeOf(value: unknown): number | undefined {
	if (typeof value !== 'string') return undefined;
	const [, day, clock, zone = 'Z'] = ISO_TIME.exec(value.trim()) ?? [];
	if (day === undefined) return undefined;
	// JavaScript does not read a zone that has only hours
	const fullZone = zone.length === 3 ? `${zone}:00` : zone;
	return timeIn(clock === undefined ? day : `${day}T${clock}${fullZone}`);
}

/** A zone at the end of a date. One of the three forms of dates in HTTP has no zone, and is UTC. */
const ZONE = /([a-z]|[+-]\d\d:?\d\d)\s*$/i;

/** @returns the time in a header of a response, in milliseconds since 1970; undefined if there is none */
export function headerTime(value: unknown): number | undefined {
	const text = String(value ?? '');
	return timeOf(text) ?? timeIn(ZONE.test(text) ? text : `${text} GMT`);
}

/** Below this: seconds to wait. From this on: Unix time in seconds. From 1000 times this on: Unix time in milliseconds. */
const LEAST_UNIX_TIME = 1e9;

/**
 * Reads a header such as Retry-After: a delay in seconds, a Unix time, or a date.
 * @param now milliseconds since 1970
 * @returns the pause in milliseconds; undefined if there is none
 */
export function headerPause(value: unknown, now: number): number | undefined {
	// A header that was sent twice arrives as "30, 60". A date has a comma too
	const [, digits] = /^\s*(-?\d+(?:\.\d+)?)\s*(?:,|$)/.exec(String(value ?? '')) ?? [];
	if (digits === undefined) {
		const date = headerTime(value);
		return date === undefined ? undefined : Math.max(0, date - now);
	}
	const number = Number(digits);
	if (number < LEAST_UNIX_TIME) return Math.max(0, number * 1000);
	const isInSeconds = number < LEAST_UNIX_TIME * 1000;
	const time = isInSeconds ? number * 1000 : number;
	return Math.max(0, time - now);
}

/**
 * Reads a header such as `RateLimit: "default";r=0;t=12` (IETF draft).
 * @returns the longest reset of the limits that are used up, in milliseconds; undefined if there is none
 */
export function rateLimitPause(value: unknown): number | undefined {
	const limits = String(value ?? '').split(',');
	const used = limits.filter((limit) => /;\s*r=0\s*(;|$)/.test(limit));
	const seconds = used.flatMap((limit) => /;\s*t=(\d+)/.exec(limit)?.[1] ?? []).map(Number);
	return seconds.length > 0 ? Math.max(...seconds) * 1000 : undefined;
}

function timeIn(iso: string): number | undefined {
	const time = Date.parse(iso);
	return Number.isNaN(time) ? undefined : time;
}
