/** An ISO date with an optional time and zone; also with the spaces that some services put between them. */
const ISO_TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}[\d:.]*) ?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/** The form in the contract. It has its own pattern because each poll reads many of them. */
const PLAIN_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/**
 * @returns milliseconds since 1970; undefined if there is no time. A time without a zone is UTC (contract section 1)
 */
export function timeOf(value: unknown): number | undefined {
	if (isPlain(value)) return timeIn(value);
	if (typeof value !== 'string') return undefined;
	const [, day, clock, zone = 'Z'] = ISO_TIME.exec(value.trim()) ?? [];
	if (day === undefined) return undefined;
	return timeIn(clock === undefined ? day : `${day}T${clock}${isoZone(zone)}`);
}

/** @returns above 0 if the first is later, below 0 if it is earlier; undefined if one of them is not a time */
export function compareTimes(one: unknown, other: unknown): number | undefined {
	// Texts in the same form can be compared without parsing
	if (isPlain(one) && isPlain(other) && one.length === other.length) {
		return Number(one > other) - Number(one < other);
	}
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

/** ISO requires minutes in a zone, with a colon before them. */
function isoZone(zone: string): string {
	return /\d/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}` : 'Z';
}
