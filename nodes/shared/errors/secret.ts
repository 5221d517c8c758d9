/**
 * Hides the API key in text, before the text is cut: part of a key is also a secret.
 * @returns a function that replaces the key in every form in which a service may repeat it
 */
export function hiderOf(secret: string): (words: string) => string {
	// Characters that a header cannot contain are not sent, so a service repeats the key without them
	const asSent = secret.replace(/[^\t\x20-\x7e\x80-\xff]/g, '');
	const inJson = escaped(asSent);
	const forms = [...new Set([escaped(inJson), inJson, secret, asSent])].filter(Boolean);
	// Created on demand, because most requests succeed
	let patterns: RegExp[] | undefined;
	return (words) => {
		patterns ??= forms.map((form) => new RegExp([...form].map(writtenAs).join(''), 'giu'));
		return patterns.reduce((text, pattern) => text.replace(pattern, '***'), words);
	};
}

const escaped = (text: string) => JSON.stringify(text).slice(1, -1);

/** The characters for which HTML has a name. */
const NAMES: Record<string, string> = {
	'&': 'amp',
	'<': 'lt',
	'>': 'gt',
	'"': 'quot',
	"'": 'apos',
};

/** @returns a pattern for a character, unescaped or as JSON, HTML and URLs escape it */
function writtenAs(character: string): string {
	const code = character.codePointAt(0) ?? 0;
	const hex = code.toString(16);
	// Nested text is escaped more than once
	const itself = `${/["/]/.test(character) ? '\\\\{0,3}' : ''}\\u{${hex}}`;
	const inJson = `\\\\{1,3}u0{0,2}${hex}`;
	const inHtml = `&(?:#0{0,4}${code}|#x0{0,4}${hex}|${NAMES[character] ?? '#'});`;
	return `(?:${itself}|${inJson}|${inHtml}|${inUrl(character, code)})`;
}

function inUrl(character: string, code: number): string {
	if (code < 0x80) return `%${code.toString(16).padStart(2, '0')}`;
	// Half of a surrogate pair has no form in a URL
	return code >= 0xd800 && code <= 0xdfff ? '%' : encodeURIComponent(character);
}
