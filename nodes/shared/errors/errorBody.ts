import type { IDataObject } from 'n8n-workflow';

import { isKnownCode } from './errorTexts';
import { shortened } from './requestFailure';
import { isGiven, isObject } from '../parameters/values';

/*
 * The contract names codes (section 7), but does not show the body of an error. So one walk collects all texts in it, and
 * these tables of keys, in lower case and without separators, say which of them are words, fields and codes.
 */

/** The service's words. Of several in one object, the first one in this order counts. */
const WORDS =
	'message msg errormessage errordescription detail description reason title error'.split(' ');

/** Lists of errors, or objects with one key for each field. */
const LISTS = 'errors details issues violations messages invalidparams'.split(' ');

/** The field that an error is about: text, a list of its parts, or an object with a pointer. */
const FIELDS = 'field param parameter path loc property propertyPath source name'.split(' ');

/** Codes that the contract does not know, and the keys around them. */
const CODES = 'type code errorcode error message'.split(' ');
const AROUND_CODES = 'error errors details'.split(' ');
const CODE = /^[\w.-]{1,64}$/;
const URI = /^[a-z][a-z0-9+.-]*:\S+$/i;
const HTML = /<(!doctype|html|head|body|\?xml)\b/i;

/** Where a text is in the body. */
interface Place {
	/** All keys that lead to it, in the form of the tables */
	keys: string[];
	depth: number;
	/** The field that the text is about */
	field?: string | undefined;
	isWords: boolean;
	/** Whether the keys of an object here are the names of fields */
	hasFields?: boolean;
}

type PlacedText = Place & { text: string };

/**
 * @param hide removes the API key from a text, before the text is cut
 * @returns what the body of an error says: the service's code and its words, or the body itself if there are none, but
 * never a page of HTML
 */
export function readError(body: unknown, hide: (text: string) => string) {
	const texts = [...textsIn(body, { keys: [], depth: 0, isWords: true })]
		.map((one) => ({ ...one, text: hide(one.text).trim() }))
		.filter(({ text }) => text && text.search(HTML) !== 0)
		// The first level sums up what is further in
		.sort((a, b) => Math.min(a.depth, 2) - Math.min(b.depth, 2));
	const code = codeIn(texts);
	const isOnlyCode = texts.length > 0 && texts.every(({ text }) => text === code);
	const words = wordsIn(texts) || (isOnlyCode ? '' : wholeBody(body));
	return { code, words: shortened(hide(words)) };
}

/** What a service says when a daily quota is used up; but the limit of a shorter time may have the same code. */
const EXHAUSTED = /RESOURCE_EXHAUSTED|daily.?limit/i;
const QUOTA = /quota/i;
const DAY = /daily|day\b|per.?day|tomorrow|24.?h/i;
const SHORTER = /per.?(second|minute)/i;

/** @returns whether the body of an error says that the quota of the day is used up, which no pause helps against */
export function isDailyQuota(body: unknown): boolean {
	const text = typeof body === 'string' ? body : JSON.stringify(body ?? '');
	return !SHORTER.test(text) && (EXHAUSTED.test(text) || (QUOTA.test(text) && DAY.test(text)));
}

function* textsIn(value: unknown, { hasFields = false, ...place }: Place): Generator<PlacedText> {
	const { keys, depth, field } = place;
	if (typeof value === 'string') yield { ...place, text: value };
	if (Array.isArray(value)) {
		for (const entry of value) yield* textsIn(entry, { ...place, depth: depth + 1 });
	}
	if (!isObject(value)) return;
	const entries = Object.entries(value)
		.filter(([, inner]) => isGiven(inner))
		.map(([name, inner]) => ({ name, plain: name.toLowerCase().replace(/[_-]/g, ''), inner }));
	const best = WORDS.find((word) => entries.some(({ plain }) => plain === word));
	const about = fieldIn(value) ?? field;
	for (const { name, plain, inner } of entries) {
		const isList = LISTS.includes(plain);
		yield* textsIn(inner, {
			keys: [...keys, plain],
			depth: depth + 1,
			field: hasFields ? name : about,
			isWords: hasFields || isList || plain === best,
			hasFields: isList,
		});
	}
}

function fieldIn(about: IDataObject): string | undefined {
	const value = FIELDS.map((key) => about[key]).find(isGiven);
	const parts = [isObject(value) ? value.pointer : value].flat();
	const name = parts.filter((part) => /^(string|number)$/.test(typeof part)).join('.');
	// Some services repeat the path of the request
	return /\/v\d+\//.test(name) ? undefined : name || undefined;
}

/** @returns a code of the contract, wherever it is a whole text or ends a URI (`type` of RFC 9457), or else another code */
function codeIn(texts: PlacedText[]): string | undefined {
	const bare = ({ text }: PlacedText) =>
		URI.test(text) ? (text.split(/[/:#]/).pop() ?? '') : text;
	const others = CODES.flatMap((key) => texts.filter((text) => mayBeCode(text, key)));
	others.sort((a, b) => a.keys.length - b.keys.length);
	return texts.map(bare).find(isKnownCode) ?? others.map(bare).find((text) => CODE.test(text));
}

function mayBeCode({ keys, text }: PlacedText, key: string): boolean {
	const isThere = keys.slice(0, -1).every((name) => AROUND_CODES.includes(name));
	// A single word is not a code but part of a message
	const isCode = key !== 'message' || /[-_.]/.test(text);
	return keys.at(-1) === key && isThere && isCode && text !== 'about:blank';
}

function wordsIn(texts: PlacedText[]): string {
	const words = texts.filter(({ isWords }) => isWords);
	const sentences = words.map(({ field, text }) => (field ? `${field}: ${text}` : text));
	return [...new Set(sentences)].join('; ');
}

function wholeBody(body: unknown): string {
	if (typeof body !== 'object' || body === null || Object.keys(body).length === 0) return '';
	const whole = JSON.stringify(body);
	return HTML.test(whole) ? '' : whole;
}
