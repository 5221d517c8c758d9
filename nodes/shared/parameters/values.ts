import type { IDataObject } from 'n8n-workflow';

import { timeOf, toDay } from '../times';

/** A value that cannot be used. `readParameters` adds the name of the parameter. */
export class InvalidValue extends Error {
	/**
	 * @param problem completes the sentence "The 'Name' parameter …"
	 * @param advice what to do instead, in one or more whole sentences
	 * @param parameter the display name, if the check knows it
	 */
	constructor(
		readonly problem: string,
		readonly advice?: string,
		readonly parameter?: string,
	) {
		super(problem);
	}
}

const LONGEST_QUOTE = 60;
/** @returns the value as an error shows it: recognizable, but shortened */
export function quote(value: unknown): string {
	const words = isText(value) ? value : (JSON.stringify(value) ?? String(value));
	const start = words.slice(0, LONGEST_QUOTE).replace(/\p{Cs}$/u, '');
	const short = words.length > LONGEST_QUOTE ? `${start}…` : words;
	if (!isText(value)) return short;
	return `"${short.replace(/[\p{Cc}\p{Cs}]/gu, (one) => JSON.stringify(one).slice(1, -1))}"`;
}

export const isText = (value: unknown): value is string => typeof value === 'string';

export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/*
 *              null, undefined   ''      []      [null]
 * isGiven      false             false   true    true
 * isNothing    true              false   false   true
 */

/** @returns whether there is a value: null, undefined and an empty text are none */
export function isGiven(value: unknown): boolean {
	if (typeof value === 'string') return visible(value) !== '';
	return value !== undefined && value !== null;
}

/** @returns whether an expression found nothing: null, undefined, or a list such as [null]. An empty list is a value */
export const isNothing = (value: unknown): boolean =>
	Array.isArray(value)
		? value.length > 0 && value.every(isNothing)
		: value === null || value === undefined;

/** Byte-order marks, zero-width spaces and word joiners. Joiners of letters stay, because they change how words look. */
const INVISIBLE = /[\u200b\u2060\ufeff]/g;
/** Control characters, lone surrogates, and U+FFFD, which stands for bytes that could not be decoded. */
// Stryker disable next-line Regex: one of its changes is no valid pattern, and then no test could start
const UNREADABLE = /[^\P{Cc}\t\n\r]|[\p{Cs}\ufffd]/u;

const visible = (given: string) => given.replace(INVISIBLE, '').trim();

/** @returns the text without spaces and invisible characters around it; otherwise unchanged */
// Without the look-behind, a long run of spaces inside would be searched anew from each of them
export const visibleEnds = (entered: unknown): string =>
	typeof entered === 'string'
		? entered.replace(
				/^[\s\u200b\u2060\ufeff]+|(?<![\s\u200b\u2060\ufeff])[\s\u200b\u2060\ufeff]+$/g,
				'',
			)
		: text(entered);

/**
 * @returns the text without spaces around it and without invisible characters, with usual spaces and line breaks, and in NFC
 * (letters and accents combined)
 * @throws InvalidValue for unreadable characters (see UNREADABLE), and for anything but text and numbers
 */
export function text(entered: unknown): string {
	if (typeof entered !== 'string' && !Number.isFinite(entered)) {
		const advice = `Got ${quote(entered)}. Check the expression: it must return text.`;
		throw new InvalidValue('must be text', advice);
	}
	const given = visible(String(entered));
	const code = UNREADABLE.exec(given)?.[0].codePointAt(0);
	if (code !== undefined) {
		const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
		const advice = `Got ${name} in ${quote(given)}. If the text comes from a file, read it with the encoding it was saved in, for example UTF-8.`;
		throw new InvalidValue('contains a character that cannot be read', advice);
	}
	return given
		.normalize('NFC')
		.replace(/(?! )\p{Zs}/gu, ' ')
		.replace(/\r\n?|[\u2028\u2029]/g, '\n');
}

/** @returns whether the value can be a record ID, and is safe as one part of a path (contract section 1) */
export function isId(value: unknown): boolean {
	if (typeof value !== 'string') return Number.isSafeInteger(value);
	const id = value.trim();
	return /^[\w.~:@+=-]{1,200}$/.test(id) && !/^\.+$/.test(id);
}

/**
 * @returns a record ID as text
 * @throws InvalidValue for anything that cannot be an ID, such as a pasted title or a path
 */
export function identifier(entered: unknown): string {
	const id = text(entered);
	if (isId(typeof entered === 'string' ? id : entered)) return id;
	const advice = `Got ${quote(entered)}. Use the ID of a record, for example from a 'Get Many' operation.`;
	throw new InvalidValue('is not a record ID', advice);
}

/**
 * @returns the day (YYYY-MM-DD, contract 4.8) of a date, an ISO date-time, or a date object from an expression, as it is written
 * there: in Berlin, the start of a month is its first day, although it is still the day before in UTC
 * @throws InvalidValue for anything else, including days that do not exist
 */
export function dayOf(entered: unknown): string {
	// A date of JavaScript, which is written in UTC, or of Luxon, which n8n's expressions produce
	if (isObject(entered) && typeof entered.toJSON === 'function') {
		return dayOf(String(entered.toJSON()));
	}
	const iso = text(entered);
	const day = iso.slice(0, 10);
	const time = timeOf(day);
	// Date.parse turns February 30 into March 2
	if (timeOf(iso) === undefined || time === undefined || toDay(time) !== day) {
		const advice = `Got ${quote(entered)}. Write the year, the month, and the day, for example 2026-01-31, or use an ISO date and time.`;
		throw new InvalidValue('must be a date', advice);
	}
	return day;
}

export function parseJson(json: string): unknown {
	try {
		return JSON.parse(json) as unknown;
	} catch {
		return undefined;
	}
}

/**
 * @returns an object or a list, from JSON text or as given by an expression
 * @throws InvalidValue for anything else
 */
export function jsonBody(entered: unknown): object {
	const body = typeof entered === 'string' ? parseJson(entered) : entered;
	if (!isObject(body) && !Array.isArray(body)) {
		const advice = `Got ${quote(entered)}. For example: { "field": "value" }.`;
		throw new InvalidValue('must be a JSON object or list', advice);
	}
	return body;
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);

/** @returns a whole number of at least 0, also from text such as "3"; undefined for anything else */
export function countOf(value: unknown): number | undefined {
	const count = typeof value === 'string' && /^\d+$/.test(value.trim()) ? Number(value) : value;
	return isWhole(count) && count >= 0 ? count : undefined;
}

/**
 * @returns a whole number, also from text
 * @throws InvalidValue for anything else, and for numbers below `least` or above `most`
 */
export function wholeNumber(entered: unknown, least: number, most?: number): number {
	// "1.000" is not accepted, because many people read it as a thousand
	const number =
		typeof entered === 'string' && /^\s*-?\d+\s*$/.test(entered) ? Number(entered) : entered;
	if (!isWhole(number) || number < least || number > (most ?? number)) {
		const range = most === undefined ? `of at least ${least}` : `from ${least} to ${most}`;
		throw new InvalidValue(`must be a whole number ${range}`, `Got ${quote(entered)}.`);
	}
	return number;
}

/**
 * @returns true or false, also from the words "true" and "false"
 * @throws InvalidValue for anything else
 */
export function trueOrFalse(entered: unknown): boolean {
	const given = typeof entered === 'string' ? entered.trim().toLowerCase() : entered;
	if (given === true || given === 'true') return true;
	if (given === false || given === 'false') return false;
	throw new InvalidValue('must be true or false', `Got ${quote(entered)}.`);
}

/** @throws InvalidValue that lists the allowed values */
export function oneOf(entered: unknown, allowed: string[]): string {
	const given = typeof entered === 'string' ? visible(entered) : '';
	if (allowed.includes(given)) return given;
	const advice = `Got ${quote(entered)}. Use one of these values, exactly as written.`;
	throw new InvalidValue(`must be one of: ${allowed.join(', ')}`, advice);
}
