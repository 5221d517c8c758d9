import { exactText, InvalidValue, quote, text } from './values';

const DOMAIN =
	/^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+([a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/;

/**
 * @returns an address as a URL; undefined if it is not one. Does not use `URL.canParse`: in Node.js 20 and 22, it
 * rejects hosts with letters such as ü after it has been called some thousand times
 */
export function toUrl(address: string): URL | undefined {
	try {
		return new URL(address);
	} catch {
		return undefined;
	}
}

/** @returns an address in one spelling of its scheme, host and port, and of what is percent-encoded */
export function inOneSpelling(address: string): string {
	const { href } = toUrl(address) ?? { href: address };
	return href.replace(/(%[0-9a-f]{2})+/gi, (given) => {
		const code = given.toUpperCase();
		try {
			return decodeURI(code);
		} catch {
			return code;
		}
	});
}

/** What the URL of a page does not contain: brackets of HTML, a template, an empty expression, another URL, or a password. */
const NOT_IN_URL = [
	/[\s<>"]|\{\{|^[^?#]*([{}]|%(?![\da-f]{2})\w+%)|\[object/i,
	/^\w+:\/\/([^/?#]*[a-z]|[^/]*\/)(undefined|null|NaN)(?=[/?#]|$)/,
	/^[^?]*[,;|、，]https?:\/\/|^\w+:\/\/[^/?#]*https?:\/\/|^\w+:\/\/([^/?#]+)\/+https?:\/\/\1/,
	/^\w+:\/\/[^/?#]*@/,
];

/** A host that can be reached from outside: a domain, or an IP address. */
const isHost = (host: string) =>
	DOMAIN.test(host) || /^(\d+(\.\d+){3}|\[[\da-f:.]+\])$/i.test(host);

/**
 * @returns the URL as given, without spaces around it
 * @throws InvalidValue unless it is one absolute http or https URL with a whole host
 */
export function absoluteUrl(value: unknown): string {
	const url = exactText(value);
	const host = toUrl(url)?.hostname.replace(/\.$/, '') ?? '';
	if (
		!/^https?:\/\/[^/?#]/i.test(url) ||
		NOT_IN_URL.some((one) => one.test(url)) ||
		!isHost(host)
	) {
		const hint = `Got ${quote(value)}. Use the URL by itself, including https://, for example https://www.example.com/page.`;
		throw new InvalidValue('must be a full http or https URL', hint);
	}
	return url;
}

/**
 * @returns the bare lower-case hostname of a domain or a pasted URL (contract 2.2: domains are bare hostnames)
 * @throws InvalidValue when there is no host in it
 */
export function hostname(value: unknown): string {
	const entered = text(value);
	const isUrl = /^[a-z][a-z0-9+.-]*:\/\//i.test(entered);
	const address = isUrl ? entered : `https://${entered}`;
	const url = toUrl(address);
	const host = url?.hostname.toLowerCase().replace(/\.$/, '') ?? '';
	const isMailAddress = !isUrl && url?.username;
	// URL drops line breaks, tabs and some commas, and would merge two domains into one
	const isSeveral = /\s|^([a-z+.-]+:\/\/)?[^/?#]*[,;|、､，]/i.test(entered);
	if (DOMAIN.test(host) && !isMailAddress && !isSeveral) return host;
	const hint = `Got ${quote(value)}. Use a hostname such as example.com, or the URL of a page on it.`;
	throw new InvalidValue('must be a domain', hint);
}

/**
 * Domains are compared in their ASCII spelling. Part of a name with other letters has none: "xn--mnchen-3ya" does not
 * contain that of "münch".
 * @returns part of a domain in lower case; for a whole domain, or a pasted address, its hostname
 * @throws InvalidValue for anything that no domain can contain, such as several domains or a wildcard
 */
export function partOfDomain(value: unknown): string {
	const entered = text(value);
	if (/^[\w.-]+$/.test(entered)) return entered.toLowerCase();
	if (/[/?#@:\s]/.test(entered)) return hostname(entered);
	if (/^[\p{L}\p{M}\p{N}\p{So}._。．｡-]+$/u.test(entered)) {
		const host = bareDomain(entered);
		if (host !== entered) return host;
		const hint = `Got ${quote(value)}. Use the whole domain, such as münchen.example, or a part of it without such letters.`;
		throw new InvalidValue('must be a whole domain if it contains letters such as ü', hint);
	}
	const hint = `Got ${quote(value)}. Use a single hostname such as example.com, or a part of it, without wildcards or quotation marks.`;
	throw new InvalidValue('must be a domain or a part of one', hint);
}

/** @returns like {@link hostname}, but for display: a domain that cannot be read stays unchanged */
export function bareDomain<T>(domain: T): T | string {
	try {
		return hostname(domain);
	} catch {
		return domain;
	}
}
