/** An ISO date, and a time and a zone if there are any; also with the spaces that some services put between them. */
const ISO_TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}[\d:.]*) ?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/** What the contract promises, many times a poll. */
const PLAIN_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** @returns milliseconds since 1970; undefined where there is no time. Without a zone it is UTC (contract section 1) */
export function timeOf(value: unknown): number | undefined {
	if (isPlain(value)) return timeIn(value);
	if (typeof value !== 'string') return undefined;
	const [, day, clock, zone = 'Z'] = ISO_TIME.exec(value.trim()) ?? [];
	if (day === undefined) return undefined;
	return timeIn(clock === undefined ? day : `${day}T${clock}${isoZone(zone)}`);
}

/** @returns above 0 where the first is later, below 0 where it is earlier; undefined where it is no time */
export function compareTimes(one: unknown, other: unknown): number | undefined {
	// Texts of the same form need not be read
	if (one === other) return 0;
	if (isPlain(one) && isPlain(other) && one.length === other.length) return one > other ? 1 : -1;
	const [time, before] = [timeOf(one), timeOf(other)];
	return time === undefined || before === undefined ? undefined : time - before;
}

function isPlain(value: unknown): value is `${string}Z` {
	return typeof value === 'string' && PLAIN_TIME.test(value);
}

function timeIn(iso: string): number | undefined {
	const time = Date.parse(iso);
	return Number.isNaN(time) ? undefined : time;
}

/** ISO wants minutes in a zone, and a colon before them. */
function isoZone(zone: string): string {
	return /\d/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}` : 'Z';
}
