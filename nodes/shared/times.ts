/** An ISO date with an optional time and zone; also with the spaces that some services put between them. */
const ISO_TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}[\d:.]*) ?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/** The form in the contract, which is read in its own way because each poll reads many of them. */
const PLAIN_TIME = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{3})?Z$/;

/**
 * @returns milliseconds since 1970; undefined if there is no time. A time without a zone is UTC (contract section 1)
 */
export function timeOf(value: unknown): number | undefined {
	if (isPlain(value)) return plainTime(value);
	if (typeof value !== 'string') return undefined;
	const [, day, clock, zone = 'Z'] = ISO_TIME.exec(value.trim()) ?? [];
	if (day === undefined) return undefined;
	return timeIn(clock === undefined ? day : `${day}T${clock}${isoZone(zone)}`);
}

/** Of the three forms of dates in HTTP, one has no zone. All are UTC. */
const ZONE = /([a-z]|[+-]\d\d:?\d\d)\s*$/i;

/** @returns the time in a header of an answer, in milliseconds since 1970; undefined if there is none */
export function headerTime(value: unknown): number | undefined {
	const text = String(value ?? '');
	return timeOf(text) ?? timeIn(ZONE.test(text) ? text : `${text} GMT`);
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

/** Neighbors in a list are often from the same day, and parsing takes longer than all else that is done with a time. */
let lastDay = { text: '', time: 0 };

function plainTime(iso: string): number | undefined {
	const day = iso.slice(0, 10);
	if (day !== lastDay.text) lastDay = { text: day, time: Date.parse(day) };
	const minutes = 60 * twoDigits(iso, 11) + twoDigits(iso, 14);
	const milliseconds = iso.length > 20 ? Number(iso.slice(20, 23)) : 0;
	const time = lastDay.time + 1000 * (60 * minutes + twoDigits(iso, 17)) + milliseconds;
	return Number.isNaN(time) ? undefined : time;
}

function twoDigits(text: string, place: number): number {
	const ZERO = 48;
	return 10 * (text.charCodeAt(place) - ZERO) + text.charCodeAt(place + 1) - ZERO;
}

function timeIn(iso: string): number | undefined {
	const time = Date.parse(iso);
	return Number.isNaN(time) ? undefined : time;
}

/** ISO requires minutes in a zone, with a colon before them. */
function isoZone(zone: string): string {
	return /\d/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}` : 'Z';
}
