import type { INodePropertyOptions } from 'n8n-workflow';

import { InvalidValue, isGiven, parseJson, quote, text } from './values';

/** Models wrap lists in a fenced block of JSON. */
const FENCED = /^\s*```\w*\s([^]*)```\s*$/;
/** What stands before the entries of a list in a document, a message or a chat. */
const BULLET = /^\s*(?:[-*–—]\s+|[•·▪▫◦●○■□‣➤✓✔✅☐☑・]\s*|\[[ x]\]\s+)+(?=\S)/i;
const NUMBERING = /^\s*\(?([\d０-９]+)(?:[.)]\s+|[．、]\s*)|^\s*[①-⑳]\s*/;
/** Also those of Chinese, Japanese, Arabic and Ethiopic text. */
const COMMA = /[,，、､،﹐﹑፣]/;
/** What stands between the columns of a table; a keyword has none of them. */
const COLUMN_END = /[\t;；؛|｜]/;
/** The title of a column with keywords, alone and beside others. */
const TITLE = /^(keywords?|search terms?|top queries)$/i;
const FIRST_TITLE = /^(keywords?|search terms?|(top )?(search )?quer(y|ies)|questions?)$/i;
/** A figure: without letters but those of a unit or currency, or none. */
const FIGURE =
	/^[^\p{L}]*\d([^\p{L}]|[kmbKMB](?!\p{L}))*$|^[A-Z]{3} ?[\d.,]+$|^[nN]\/[aA]$|^[-–—]+$/u;
/**
 * An entry in quotation marks, or half of one, as in other notations of lists; also HTML, bold text, code and templates. But
 * [green tea] is a common way to write an exact keyword.
 */
const OTHER_NOTATION = [
	/^["“”„‟«»＂]([^"“”„‟«»＂]*|.*["“”„‟«»＂])$|^['‘‚「『].*['’‘」』]$/,
	/^\{|^\[\s*["'“]|\{\{|\$\{/,
	/^\*\*.*\*\*$|^`.*`$|<\/[a-z]|<(br|li|p|div|td)\b|\\n/i,
];

/** What a comma must not cut in two. */
const BRACKETS = ['()', '[]', '{}', '（）', '［］', '「」', '『』', '【】', '《》'];
/** An expression that was not evaluated, or an error of a spreadsheet in any language. */
const NO_ENTRY = /\{\{\s*\$|^#([^\s\p{Ll}]+[!?]|N\/A|NV|GETTING_DATA)$|^Err:\d{3}$/u;

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
	const entry = text(value).replace(/ {2,}/g, ' ');
	if (/[\t\n]/.test(entry)) {
		const hint = `Got ${quote(entry)}. Give each of them an entry of its own.`;
		throw new InvalidValue('has an entry with several lines or columns', hint);
	}
	if (NO_ENTRY.test(entry)) {
		const hint = `Got ${quote(entry)}, which an expression or a spreadsheet gives in place of a value.`;
		throw new InvalidValue('has an entry that is no value', hint);
	}
	return entry;
}

function entriesIn(given: string, onlyLines: boolean): unknown[] {
	const list = FENCED.exec(given)?.[1] ?? given;
	const parsed = /^\s*\[/.test(list) ? parseJson(list) : undefined;
	if (Array.isArray(parsed)) return parsed;
	const bare = (entry: string) => entry.replace(BULLET, '').trim();
	const lines = withoutNumbers(list.split('\n').flatMap((line) => bare(line) || []));
	// Exports have no other commas
	const rows = lines.map((line) => line.split(','));
	if (lines.some((line) => COLUMN_END.test(line)) || isTable(rows, onlyLines)) {
		throw notList(
			`Got ${quote(list)}, which looks like a table. Use one of its columns without the title: one entry per line, without tabs or semicolons.`,
		);
	}
	if (!onlyLines && lines.some((line) => /\d,\d/.test(line))) {
		throw notList(
			`Got ${quote(list)}. A comma between digits may be part of a number: write a space behind it if it divides, or set 'Split At' to 'Line Breaks' if it does not.`,
		);
	}
	const divided = lines.flatMap((line) => (onlyLines ? line : line.split(COMMA)));
	const entries = divided.map(bare).filter(isGiven).map(entryOf);
	const isOther = (entry: string) =>
		OTHER_NOTATION.some((one) => one.test(entry)) || BRACKETS.some((pair) => isCut(entry, pair));
	if (!entries.some(isOther)) return entries;
	throw notList(
		`Got ${quote(list)}. Leave out the quotation marks, brackets and formatting, such as: first entry, second entry. Or enter a complete JSON list, such as ["first, with a comma", "second"].`,
	);
}

/** @returns whether the entry has only one half of a pair of brackets */
function isCut(entry: string, [open = '', close = '']: string): boolean {
	return entry.split(open).length !== entry.split(close).length;
}

const notList = (hint: string) =>
	new InvalidValue('must be a list with commas or line breaks between its entries', hint);

/** Numbers that count the lines are not part of them. */
function withoutNumbers(lines: string[]): string[] {
	const isCounted = lines.every((line, index) => {
		const [all, number] = NUMBERING.exec(line) ?? [];
		return (
			all !== undefined && (number === undefined || Number(number.normalize('NFKC')) === index + 1)
		);
	});
	return isCounted && lines.length > 1 ? lines.map((line) => line.replace(NUMBERING, '')) : lines;
}

/** Exports have a title above a column, figures behind the keywords, or as many columns in each of several lines. */
function isTable(rows: string[][], onlyLines: boolean): boolean {
	const [[title = '', ...titles] = [], ...others] = rows;
	const isAligned = rows.every((row) => row.length === 1 + titles.length);
	const isTitle =
		(titles.length > 0 ? FIRST_TITLE : TITLE).test(title.trim()) ||
		(isAligned && titles.some((one) => TITLE.test(one.trim())));
	if (isTitle && others.length > 0) return true;
	if (onlyLines) return false;
	const isFigure = (cell: string) => FIGURE.test(cell.trim());
	const hasFigure = ([, ...cells]: string[]) => cells.some(isFigure);
	// People write a space behind a comma, exports do not
	const isExported = ([, ...cells]: string[]) =>
		cells.length > 0 && cells.every((cell) => cell !== '' && !cell.startsWith(' '));
	const isEven = rows.length > 2 && isAligned && rows.every(isExported);
	const hasTitles = titles.length > 0 && others.length > 0 && others.every(hasFigure);
	return isEven || hasTitles || rows.some((row) => isExported(row) && row.slice(1).every(isFigure));
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
