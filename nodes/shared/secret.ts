/**
 * Takes the API key out of words before anybody cuts them: a part of a key is a secret as well.
 * @returns a function that replaces the key in each form in which a service may repeat it
 */
export function hiderOf(secret: string): (words: string) => string {
	// What cannot stand in a header is not sent, so a service repeats the key without it
	const asSent = secret.replace(/[^\t\x20-\x7e\x80-\xff]/g, '');
	const inJson = escaped(asSent);
	const forms = [...new Set([escaped(inJson), inJson, secret, asSent])].filter(Boolean);
	// Made when it is needed, since most requests succeed
	let patterns: RegExp[] | undefined;
	return (words) => {
		patterns ??= forms.map((form) => new RegExp([...form].map(writtenAs).join(''), 'giu'));
		return patterns.reduce((text, pattern) => text.replace(pattern, '***'), words);
	};
}

const escaped = (text: string) => JSON.stringify(text).slice(1, -1);

/** The characters that HTML has a name for. */
const NAMES: Record<string, string> = {
	'&': 'amp',
	'<': 'lt',
	'>': 'gt',
	'"': 'quot',
	"'": 'apos',
};

/** @returns a pattern for a character, as it is or as JSON, HTML and URLs write it */
function writtenAs(character: string): string {
	const code = character.codePointAt(0) ?? 0;
	const hex = code.toString(16);
	// Text within text is escaped more than once
	const itself = `${/["/]/.test(character) ? '\\\\{0,3}' : ''}\\u{${hex}}`;
	const inJson = `\\\\{1,3}u0{0,2}${hex}`;
	const inHtml = `&(?:#0{0,4}${code}|#x0{0,4}${hex}|${NAMES[character] ?? '#'});`;
	return `(?:${itself}|${inJson}|${inHtml}|${inUrl(character, code)})`;
}

function inUrl(character: string, code: number): string {
	if (code < 0x80) return `%${code.toString(16).padStart(2, '0')}`;
	// Half of a pair has no form in a URL
	return code >= 0xd800 && code <= 0xdfff ? '%' : encodeURIComponent(character);
}
