import type { INodePropertyOptions } from 'n8n-workflow';

import { InvalidValue, isGiven, parseJson, quote, text } from './values';

/** Models wrap lists in a fenced block of JSON. */
const FENCED = /^\s*```\w*\s([^]*)```\s*$/;
/** A list that was cut off, or in the notation of Python. But [green tea] is a common way to write an exact keyword. */
const JSON_START = /^\s*\[\s*["']/;
/** What stands before each line of a list in a document or an answer of a model. */
const MARK = /^\s*(?:[-*•–]|\d+[.)])\s+/;
/** Also those of Chinese, Japanese and Arabic text. */
const COMMA = /[,，、،]/;

/**
 * The entries of a text end at commas and line breaks, and nothing in them has a meaning of its own. Marks are left out where
 * each of several lines has one. A list, or the JSON of one, is not divided further.
 * @param onlyLines whether commas are part of the entries of a text
 * @returns the entries without empty ones and duplicates
 * @throws InvalidValue when an entry is not text, or has several columns or lines, or the JSON is not complete
 */
export function textList(value: unknown, onlyLines = false): string[] {
	const entries: unknown[] = Array.isArray(value) ? value : entriesIn(text(value), onlyLines);
	return [...new Set(entries.filter(isGiven).map(entryOf))];
}

function entriesIn(given: string, onlyLines: boolean): unknown[] {
	const list = FENCED.exec(given)?.[1] ?? given;
	const parsed = parseJson(list);
	if (Array.isArray(parsed)) return parsed;
	if (JSON_START.test(list)) {
		const hint = `Got ${quote(list)}. For example: ["first entry", "second entry"].`;
		throw new InvalidValue('must be a complete JSON list if it begins like one', hint);
	}
	const lines = list.split('\n').filter(isGiven);
	const isMarked = lines.length > 1 && lines.every((line) => MARK.test(line));
	const bare = isMarked ? lines.map((line) => line.replace(MARK, '')) : lines;
	return onlyLines ? bare : bare.flatMap((line) => line.split(COMMA));
}

function entryOf(value: unknown): string {
	const entry = text(value).replace(/ {2,}/g, ' ');
	if (!/[\t\n]/.test(entry)) return entry;
	const hint = `Got ${quote(entry)}. Use one column of a table, with an entry in each line.`;
	throw new InvalidValue('has an entry with several lines or columns', hint);
}

/**
 * The check of a list whose entries may be other ones than the node offers, because enumerations may gain values (contract
 * section 9).
 * @param choices what the node offers
 * @returns a check that refuses what cannot be a value: the label of a choice, a value in another case, or a sentence
 */
export const namesLike =
	(choices: INodePropertyOptions[]) =>
	(value: unknown): string[] => {
		const names = textList(value);
		const isLike = (one: string, other: unknown) =>
			one.toLowerCase() === String(other).toLowerCase();
		for (const given of names) {
			const meant = choices.find(
				({ name, value: known }) => isLike(given, name) || isLike(given, known),
			);
			if (meant ? meant.value === given : /^[a-z][a-z0-9_-]*$/i.test(given)) continue;
			const usual = meant ? [meant] : choices;
			const hint = `Got ${quote(given)}. Use values such as ${usual.map((one) => one.value).join(', ')}.`;
			throw new InvalidValue('has a value that the service does not know', hint);
		}
		return names;
	};
