import type { INodePropertyOptions } from 'n8n-workflow';

import { InvalidValue, isGiven, parseJson, quote, text } from './values';

/** With the commas of Chinese, Japanese and Arabic text. Several in a row separate once: an entry between them would be empty. */
const SEPARATOR = /[,，、،\n]+/;
const LINES = /\n+/;
const BULLET = /^[-*•] +/;

/**
 * Divides a text into entries at commas and line breaks. A list, or the JSON of a list, is never divided. Spaces around an
 * entry, a bullet before it, empty entries and repeats are left out.
 * @param onlyLines whether to divide a text only at line breaks
 * @throws InvalidValue if an entry is neither text nor a number, or contains a tab or a line break, or if a text begins like a
 * JSON list and is none
 */
export function textList(entered: unknown, onlyLines = false): string[] {
	const entries = Array.isArray(entered) ? textsOf(entered) : entriesIn(text(entered), onlyLines);
	// Without repeats, a long text has far fewer entries to look at
	const different = [...new Set(entries)];
	return [...new Set(different.map(entryOf))];
}

const textsOf = (list: unknown[]): string[] => list.filter(isGiven).map((one) => text(one));

function entriesIn(given: string, onlyLines: boolean): string[] {
	const parsed = parseJson(given);
	if (Array.isArray(parsed)) return textsOf(parsed);
	if (/^\[\s*["']/.test(given)) {
		const advice = `Got ${quote(given)}. For example: ["first entry", "second entry"].`;
		throw new InvalidValue('must be a complete JSON list if it begins like one', advice);
	}
	// Of a whole text that has been read, the parts need only be trimmed. To read each again would cost most of the time
	const parts = given.split(onlyLines ? LINES : SEPARATOR).map((part) => part.trim());
	return parts.filter((part) => part !== '');
}

function entryOf(given: string): string {
	const entry = given.replace(BULLET, '');
	if (!/[\t\n]/.test(entry)) return entry;
	const advice = `Got ${quote(entry)}, which looks like part of a table. Use one column, with an entry in each line.`;
	throw new InvalidValue('has an entry with a tab or a line break', advice);
}

/**
 * For lists whose values may be others than the node offers, because the contract may get new values (section 9).
 * @param options what the node offers
 * @returns a check that throws InvalidValue for what cannot be a value, such as a label
 */
export const namesLike =
	(options: INodePropertyOptions[]) =>
	(entered: unknown): string[] => {
		const names = textList(entered);
		const wrong = names.find((name) => !/^[a-z][a-z0-9_-]*$/.test(name));
		if (wrong === undefined) return names;
		const advice = `Got ${quote(wrong)}. Use values such as ${options.map((one) => one.value).join(', ')}.`;
		throw new InvalidValue('contains an unknown value', advice);
	};
