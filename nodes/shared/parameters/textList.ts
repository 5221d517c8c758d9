import type { INodePropertyOptions } from 'n8n-workflow';

import { InvalidValue, isGiven, parseJson, quote, text } from './values';

/** Also those of Chinese, Japanese and Arabic text. */
const SEPARATOR = /[,，、،\n]/;
const BULLET = /^[-*•] +/;

/**
 * The entries of a text end at commas and line breaks. A list, or the JSON of one, is taken entry by entry and never divided.
 * Spaces around an entry, a bullet before it, empty entries and repeats are left out; nothing else has a meaning.
 * @param onlyLines whether the entries of a text end at line breaks only
 * @throws InvalidValue when an entry is no text or contains a tab or a line break, or the text begins like a JSON list and is none
 */
export function textList(value: unknown, onlyLines = false): string[] {
	const entries: unknown[] = Array.isArray(value) ? value : entriesIn(text(value), onlyLines);
	return [...new Set(entries.filter(isGiven).map(entryOf))];
}

function entriesIn(given: string, onlyLines: boolean): unknown[] {
	const parsed = parseJson(given);
	if (Array.isArray(parsed)) return parsed;
	if (/^\[\s*["']/.test(given)) {
		const hint = `Got ${quote(given)}. For example: ["first entry", "second entry"].`;
		throw new InvalidValue('must be a complete JSON list if it begins like one', hint);
	}
	return given.split(onlyLines ? '\n' : SEPARATOR);
}

function entryOf(value: unknown): string {
	const entry = text(value).replace(BULLET, '');
	if (!/[\t\n]/.test(entry)) return entry;
	const hint = `Got ${quote(entry)}, which looks like part of a table. Use one column, with an entry in each line.`;
	throw new InvalidValue('has an entry with a tab or a line break', hint);
}

/**
 * The check of a list whose entries may be other ones than the node offers, because enumerations may gain values (contract
 * section 9).
 * @param choices what the node offers
 * @returns a check that throws InvalidValue for what cannot be a value, such as a label
 */
export const namesLike =
	(choices: INodePropertyOptions[]) =>
	(value: unknown): string[] => {
		const names = textList(value);
		const wrong = names.find((name) => !/^[a-z][a-z0-9_-]*$/.test(name));
		if (wrong === undefined) return names;
		const hint = `Got ${quote(wrong)}. Use values such as ${choices.map((one) => one.value).join(', ')}.`;
		throw new InvalidValue('contains an unknown value', hint);
	};
