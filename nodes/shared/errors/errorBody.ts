import type { IDataObject } from 'n8n-workflow';

import { isKnownCode } from './errorTexts';
import { isObject } from '../parameters/values';

const LONGEST_CODE = /^[\w.-]{1,64}$/;

/** Keys with the words in an error body, the most specific first. */
const WORD_KEYS = ['message', 'detail', 'description', 'title', 'error'];

/** Removes a secret from text before it is cut or split. */
type Hide = (text: string) => string;

const asItIs: Hide = (text) => text;

/** Limits for a body that is huge or deeply nested. */
const DEEPEST = 8;
const MOST_ENTRIES = 20;
const LONGEST_TEXT = 2000;

/**
 * The service's error code. Contract section 7 names the codes, but not where the body has them: in a separate field,
 * in an inner object, in a list of errors, or as the last part of a URI (`type` of RFC 9457).
 * @returns undefined if there is none
 */
export function findCode(body: unknown, hide: Hide = asItIs): string | undefined {
	if (!isObject(body)) return undefined;
	const nested = [body.error, body.details, ...firstOf(body.errors)].filter(isObject);
	const given = [...candidates(body), ...nested.flatMap(candidates)]
		.filter((value): value is string => typeof value === 'string' && value !== 'about:blank')
		.map(hide);
	const codes = [...given, ...given.filter(isUri).map((uri) => uri.split(/[/:#]/).pop() ?? '')];
	return codes.find(isKnownCode) ?? codes.find((code) => LONGEST_CODE.test(code));
}

const isUri = (value: string) => /^[a-z][a-z0-9+.-]*:\S+$/i.test(value);

const candidates = ({ type, code, errorCode, error, message }: IDataObject): unknown[] => [
	type,
	code,
	errorCode,
	error,
	// A single word is not a code but part of a message
	/[-_.]/.test(String(message)) ? message : undefined,
];

/**
 * The service's own words, wherever they are in the body.
 * @returns undefined if there are none, as in a page of HTML
 */
export function findWords(body: unknown, hide: Hide = asItIs, depth = 0): string | undefined {
	if (depth > DEEPEST) return undefined;
	if (typeof body === 'string') return isHtml(body) ? undefined : readText(hide(body));
	if (Array.isArray(body))
		return joined(firstOf(body).map((entry) => findWords(entry, hide, depth + 1)));
	if (!isObject(body)) return undefined;
	const main = WORD_KEYS.map((key) => findWords(body[key], hide, depth + 1)).find(Boolean);
	return joined([
		main,
		listedWords(body.errors, hide, depth),
		listedWords(body.details, hide, depth),
	]);
}

const isHtml = (body: string) => /^\s*<(!doctype|html|head|body|\?xml)\b/i.test(body);

const readText = (value: string) => value.slice(0, LONGEST_TEXT).trim() || undefined;

/** Validation errors come as a list, or as an object with one key for each field. */
function listedWords(errors: unknown, hide: Hide, depth: number): string | undefined {
	if (!isObject(errors)) return findWords(errors, hide, depth + 1);
	return joined(
		Object.entries(errors)
			.slice(0, MOST_ENTRIES)
			.map(([field, value]) => {
				const about = findWords(value, hide, depth + 1);
				return about && `${hide(field).slice(0, 100)}: ${about}`;
			}),
	);
}

const firstOf = (list: unknown): unknown[] =>
	Array.isArray(list) ? list.slice(0, MOST_ENTRIES) : [];

function joined(parts: Array<string | undefined>): string | undefined {
	return [...new Set(parts.filter(Boolean))].join('; ').slice(0, LONGEST_TEXT) || undefined;
}
