/**
 * Hides the API key in text, before the text is cut: part of a key is also a secret.
 * @returns a function that replaces the key as it is, and as URLs, JSON (also within JSON) and HTML escape it
 */
export function hiderOf(secret: string): (words: string) => string {
	// Characters that a header cannot contain are not sent, so a service repeats the key without them
	const asSent = secret.replace(/[^\t\x20-\x7e\x80-\xff]/g, '');
	const inJson = escaped(asSent);
	const forms = [escaped(inJson), inJson, secret, asSent].filter(Boolean);
	const patterns = forms.map((form) => new RegExp([...form].map(writtenAs).join(''), 'giu'));
	return (words) => patterns.reduce((text, pattern) => text.replace(pattern, '***'), words);
}

const escaped = (text: string) => JSON.stringify(text).slice(1, -1);

/** @returns a pattern for a character, as it is or escaped, which may be more than once */
function writtenAs(one: string): string {
	const code = one.codePointAt(0) ?? 0;
	const hex = code.toString(16);
	const inUrl = [...new TextEncoder().encode(one)].map(
		(byte) => `%${byte.toString(16).padStart(2, '0')}`,
	);
	const inHtml = `&(?:#0{0,4}${code}|#x0{0,4}${hex}|[a-z]+);`;
	return `(?:${/["/]/.test(one) ? '\\\\{0,3}' : ''}\\u{${hex}}|\\\\{1,3}u0{0,2}${hex}|${inHtml}|${inUrl.join('')})`;
}
