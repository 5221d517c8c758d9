import type { IDataObject } from 'n8n-workflow';

import { toDay } from '../days';
import { timeOf } from '../times';

/** A value that is rejected before anything is sent; the reader of the parameter adds its name. */
export class InvalidValue extends Error {
	/**
	 * @param problem completes the sentence "The 'Name' parameter …"
	 * @param hint what to do instead, in one or more whole sentences
	 * @param parameter its display name, if a check knows it better than the reader
	 */
	constructor(
		readonly problem: string,
		readonly hint?: string,
		readonly parameter?: string,
	) {
		super(problem);
	}
}

/** Names that give access to JavaScript's own objects. */
export const FORBIDDEN_KEYS = ['__proto__', 'constructor', 'prototype'];

const LONGEST_QUOTE = 60;
/** What stands for a missing value in text. */
const NO_VALUE = ['', 'undefined', 'null'];
/** What expressions produce when they should give an ID but have none. */
const NO_IDS = [...NO_VALUE, 'true', 'false', 'NaN', 'Infinity', '-Infinity'];

/** @returns the value as a person would recognize it in an error, shortened */
export function quote(value: unknown): string {
	const isText = typeof value === 'string';
	const words = isText ? value : (JSON.stringify(value) ?? String(value));
	const short = words.length > LONGEST_QUOTE ? `${words.slice(0, LONGEST_QUOTE)}…` : words;
	return isText ? `"${short}"` : short;
}

/** @returns whether the value is an object with keys: not null, not a list */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * @returns whether there is a value at all. AI agents and expressions write "undefined" or "null" when they mean
 * nothing
 */
export function isGiven(value: unknown): boolean {
	if (value === undefined || value === null) return false;
	if (typeof value !== 'string') return true;
	return !NO_VALUE.includes(value.trim());
}

/**
 * @returns text without spaces around it
 * @throws InvalidValue for objects and lists
 */
export function text(value: unknown): string {
	if (typeof value === 'object' || typeof value === 'function') {
		throw new InvalidValue(
			'must be text',
			`Got ${quote(value)}. Enter a single value, not a list or an object.`,
		);
	}
	return String(value).trim();
}

/** @returns whether the value can be a record ID, and is safe as one part of a path (contract section 1) */
export function isId(value: unknown): boolean {
	if (typeof value !== 'string') return Number.isSafeInteger(value);
	const id = value.trim();
	return /^[\w.~:@+=-]{1,200}$/.test(id) && !/^\.+$/.test(id) && !NO_IDS.includes(id);
}

/**
 * @returns a record ID as text
 * @throws InvalidValue for anything that cannot be an ID, such as a pasted title or a path
 */
export function identifier(value: unknown): string {
	const id = text(value);
	if (isId(value)) return id;
	const hint = `Got ${quote(value)}. Use the ID of a record, for example from a 'Get Many' operation.`;
	throw new InvalidValue('is not a record ID', hint);
}

/**
 * @returns the UTC day (YYYY-MM-DD, contract 4.8) of a date, an ISO date-time, or a date object from an expression. A
 * date-time without a time zone counts as UTC, so that the day picked in the editor is the day sent
 * @throws InvalidValue for anything else, including days that do not exist
 */
export function utcDate(value: unknown): string {
	// A date of JavaScript or of Luxon, which n8n's expressions produce
	if (isObject(value) && typeof value.toJSON === 'function') return utcDate(String(value.toJSON()));
	const iso = text(value);
	const given = iso.slice(0, 10);
	const [time, givenTime] = [timeOf(iso), timeOf(given)];
	// JavaScript counts on from a day that does not exist
	if (time === undefined || givenTime === undefined || toDay(givenTime) !== given) {
		throw new InvalidValue(
			'must be a date',
			`Got ${quote(value)}. Use YYYY-MM-DD, for example 2026-01-31, or an ISO date and time.`,
		);
	}
	return toDay(time);
}

/**
 * @returns a list of texts from a list, from lines, or from comma-separated text: trimmed, without empty entries or
 * duplicates
 * @throws InvalidValue when an entry is not text
 */
export function textList(value: unknown): string[] {
	const entries: unknown[] = Array.isArray(value) ? value : splitText(text(value));
	const texts = new Set<string>();
	for (const entry of entries) if (isGiven(entry)) texts.add(text(entry));
	return [...texts];
}

/** Models wrap lists in a fenced block of JSON. */
const FENCED = /^\s*```\w*\s([^]*)```\s*$/;

function splitText(given: string): unknown[] {
	const list = FENCED.exec(given)?.[1] ?? given;
	const parsed = /^\s*\[/.test(list) ? parseJson(list) : undefined;
	if (Array.isArray(parsed)) return parsed;
	// Half of a JSON list, a Python list, or an object; but [green tea] is a common way to write an exact keyword
	if (/^\s*(\{|\[\s*["'{[])/.test(list)) {
		throw new InvalidValue(
			'must be a list with commas or line breaks between its entries',
			`Got ${quote(list)}. For example: first entry, second entry.`,
		);
	}
	return list.split(/[\n,]/).map((entry) => entry.replace(/^\s*[-*•]\s/, ''));
}

/** @returns a JSON value; undefined if the text is not JSON */
function parseJson(json: string): unknown {
	try {
		return JSON.parse(json) as unknown;
	} catch {
		return undefined;
	}
}

/**
 * @returns an object or a list, from JSON text or as given by an expression
 * @throws InvalidValue when it is neither, or has keys that give access to JavaScript's own objects
 */
export function jsonBody(value: unknown): object {
	const body = typeof value === 'string' ? parseJson(value) : value;
	if (!isObject(body) && !Array.isArray(body)) {
		throw new InvalidValue(
			'must be a JSON object or list',
			`Got ${quote(value)}. For example: { "field": "value" }.`,
		);
	}
	if (hasForbiddenKey(body)) {
		throw new InvalidValue(
			'has a field that is not allowed',
			'Remove the fields "__proto__", "constructor", and "prototype".',
		);
	}
	return body;
}

function hasForbiddenKey(value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return false;
	return Object.entries(value).some(
		([key, inner]) => FORBIDDEN_KEYS.includes(key) || hasForbiddenKey(inner),
	);
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);

/** @returns a count, also from text such as "3"; undefined if it is none */
export function countOf(value: unknown): number | undefined {
	const count = typeof value === 'string' && /^\d+$/.test(value.trim()) ? Number(value) : value;
	return isWhole(count) && count >= 0 ? count : undefined;
}

/**
 * @returns a whole number from `least` to `most`, if there is such a limit
 * @throws InvalidValue for anything else
 */
export function wholeNumber(value: unknown, least: number, most?: number): number {
	const number = typeof value === 'string' && isGiven(value) ? Number(value) : value;
	if (!isWhole(number) || number < least || number > (most ?? number)) {
		const range = most === undefined ? `of at least ${least}` : `from ${least} to ${most}`;
		throw new InvalidValue(`must be a whole number ${range}`, `Got ${quote(value)}.`);
	}
	return number;
}

/**
 * @returns true or false, also from the words "true" and "false"
 * @throws InvalidValue for anything else
 */
export function trueOrFalse(value: unknown): boolean {
	const given = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (given === true || given === 'true') return true;
	if (given === false || given === 'false') return false;
	throw new InvalidValue('must be true or false', `Got ${quote(value)}.`);
}

/**
 * @returns one of the allowed values
 * @throws InvalidValue that lists them
 */
export function oneOf(value: unknown, allowed: string[]): string {
	if (typeof value === 'string' && allowed.includes(value.trim())) return value.trim();
	throw new InvalidValue(
		`must be one of: ${allowed.join(', ')}`,
		`Got ${quote(value)}. Use one of these values, exactly as written.`,
	);
}
