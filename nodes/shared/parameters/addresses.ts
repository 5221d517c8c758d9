import { InvalidValue, isText, quote, text, visibleEnds } from './values';

const DOMAIN =
	/^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+([a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/;

/**
 * @returns the URL; undefined if the address is none. `URL.canParse` cannot be used: in Node.js 20 and 22, after some thousand
 * calls, it returns false for hosts with letters such as ü
 */
export function toUrl(address: string): URL | undefined {
	try {
		return new URL(address);
	} catch {
		return undefined;
	}
}

/** In characters, with spaces around it. Most servers refuse URLs of 8,000 or more; much longer texts would keep n8n busy. */
const LONGEST_URL = 10_000;

/** @throws InvalidValue if a text is longer than any URL */
function checkLength(entered: unknown): void {
	if (!isText(entered) || entered.length <= LONGEST_URL) return;
	const advice = `Got ${entered.length} characters: ${quote(entered)}. Use one URL or domain of at most ${LONGEST_URL} characters.`;
	throw new InvalidValue('is too long', advice);
}

/**
 * @returns the URL as given, without spaces and invisible characters around it
 * @throws InvalidValue unless the URL is valid, begins with http:// or https://, contains no space or invisible character, and
 * has at most LONGEST_URL characters
 */
export function absoluteUrl(entered: unknown): string {
	checkLength(entered);
	const url = visibleEnds(entered);
	// Checks the characters. The result is not used, because normalized text could be the address of another page
	text(url);
	const isPlain = /^https?:\/\//i.test(url) && !/[\s\p{Cf}]/u.test(url);
	if (isPlain && toUrl(url)) return url;
	const advice = `Got ${quote(entered)}. Use one URL by itself that begins with https:// and has no space, line break or invisible character in it, for example https://www.example.com/page.`;
	throw new InvalidValue('must be a full http or https URL', advice);
}

/**
 * @returns the bare lower-case hostname of a domain or a pasted URL (contract 2.2: domains are bare hostnames)
 * @throws InvalidValue for anything else, such as two domains, a mail address, or more than LONGEST_URL characters
 */
export function hostname(entered: unknown): string {
	checkLength(entered);
	const words = text(entered);
	const isUrl = /^[a-z][a-z0-9+.-]*:\/\//i.test(words);
	const address = isUrl ? words : `https://${words}`;
	const url = toUrl(address);
	const host = url?.hostname.toLowerCase().replace(/\.$/, '') ?? '';
	const isMailAddress = !isUrl && url?.username;
	// `new URL()` drops line breaks and keeps some commas: two domains would become one
	const isSeveral = /\s|^([a-z+.-]+:\/\/)?[^/?#]*[,;|、､，]/i.test(words);
	if (DOMAIN.test(host) && !isMailAddress && !isSeveral) return host;
	const advice = `Got ${quote(entered)}. Use one domain such as example.com, without spaces, commas or quotation marks, or the URL of a page on it.`;
	throw new InvalidValue('must be a domain', advice);
}

/**
 * For filters that look for a substring of the domain (contract 4.6 and 4.8), which the service compares in ASCII. Of a domain
 * with letters such as ü, only the whole domain works, because "xn--mnchen-3ya.de" does not contain "münch".
 * @returns part of a domain in lower case, or the hostname of a whole domain or URL; both without a leading "www."
 * @throws InvalidValue for anything that no domain can contain, such as several domains or a wildcard
 */
export function partOfDomain(entered: unknown): string {
	const words = text(entered);
	const part = /^[\w.-]+$/.test(words) ? words.toLowerCase() : hostname(words);
	if (part !== 'www.') return part.replace(/^www\./, '');
	throw new InvalidValue('must be a domain or part of one', `Got ${quote(entered)}.`);
}

/** @returns the host without a leading "www.", except of a host such as "www.org" */
export const withoutWww = (host: string): string => host.replace(/^www\.(?=.*\.)/, '');

/**
 * For a new competitor, so that a pasted URL adds no second record of the same site.
 * @returns the result of {@link hostname}, without a leading "www."
 * @throws InvalidValue as {@link hostname} does
 */
export const siteDomain = (entered: unknown): string => withoutWww(hostname(entered));

/** @returns the result of {@link hostname}, or the unchanged value if that throws */
export function bareDomain<T>(domain: T): T | string {
	try {
		return hostname(domain);
	} catch {
		return domain;
	}
}
