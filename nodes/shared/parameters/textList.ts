import type { INodePropertyOptions } from 'n8n-workflow';

import { InvalidValue, isGiven, parseJson, quote, text } from './values';

/** Models wrap lists in a fenced block of JSON. */
const FENCED = /^\s*```\w*\s([^]*)```\s*$/;
const BULLET = /^\s*[-*•–·▪◦]\s+/;
/** Also those of Chinese, Japanese and Arabic text. */
const COMMA = /[,，、､،]/;
/** What stands between the columns of a table; a keyword has none of them. */
const COLUMN_END = /[\t;；؛|｜]/;
const NUMBER = /^[$€£]?[\d.]+%?$/;
/**
 * An entry in quotation marks, or half of one, as in other notations of lists; also half of a list. But [green tea] is a
 * common way to write an exact keyword.
 */
const OTHER_NOTATION = /^["“”„‟«»＂{]|^['‘‚「『].*['’‘」』]$|^\[[^\]]*$|^[^[]*\]$/;

/**
 * @param onlyLines whether commas are part of the entries of a text
 * @returns a list of texts from a list, which is not divided further, or from lines and comma-separated text: without empty
 * entries or duplicates
 * @throws InvalidValue when an entry is not text, or when the text is a table or a list in another notation
 */
export function textList(value: unknown, onlyLines = false): string[] {
	const entries: unknown[] = Array.isArray(value) ? value : entriesIn(text(value), onlyLines);
	return [...new Set(entries.filter(isGiven).map(entryOf))];
}

function entryOf(value: unknown): string {
	const entry = text(value);
	if (/[\t\n]/.test(entry)) {
		const hint = `Got ${quote(entry)}. Give each of them an entry of its own.`;
		throw new InvalidValue('has an entry with several lines or columns', hint);
	}
	return entry;
}

function entriesIn(given: string, onlyLines: boolean): unknown[] {
	const list = FENCED.exec(given)?.[1] ?? given;
	const parsed = /^\s*\[/.test(list) ? parseJson(list) : undefined;
	if (Array.isArray(parsed)) return parsed;
	const lines = list.split('\n').flatMap((line) => line.replace(BULLET, '').trim() || []);
	if (isTable(lines)) {
		throw notList(
			`Got ${quote(list)}, which looks like a table. Use one of its columns: one entry per line, without tabs or semicolons.`,
		);
	}
	const entries = lines
		.flatMap((line) => (onlyLines ? line : line.split(COMMA)))
		.map((entry) => entry.replace(BULLET, '').trim());
	if (!entries.some((entry) => OTHER_NOTATION.test(entry))) return entries;
	throw notList(
		`Got ${quote(list)}. Leave out the quotation marks and brackets, such as: first entry, second entry. Or enter a complete JSON list, such as ["first, with a comma", "second"].`,
	);
}

const notList = (hint: string) =>
	new InvalidValue('must be a list with commas or line breaks between its entries', hint);

/** Exports with commas have a number in each line below the header, but not in the first column. */
function isTable(lines: string[]): boolean {
	if (lines.some((line) => COLUMN_END.test(line))) return true;
	const [header = '', ...rows] = lines.map((line) => line.split(COMMA));
	const hasNumber = ([, ...others]: string[]) => others.some((cell) => NUMBER.test(cell.trim()));
	return header.length > 1 && rows.length > 0 && rows.every(hasNumber);
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
			throw new InvalidValue('has a value that is not one of the service', hint);
		}
		return names;
	};
