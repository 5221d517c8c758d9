import { InvalidValue, isGiven, quote, text } from './values';

const DOMAIN =
	/^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * @returns an address as a URL; undefined where it is none. Not by `URL.canParse`: in Node.js 20 and 22 it says no to hosts with
 * letters such as ü once it was called some thousand times
 */
export function toUrl(address: string): URL | undefined {
	try {
		return new URL(address);
	} catch {
		return undefined;
	}
}

/**
 * @returns the URL as it was given, without spaces around it
 * @throws InvalidValue unless it is an absolute http or https URL
 */
export function absoluteUrl(value: unknown): string {
	const url = text(value);
	if (!/^https?:\/\/\S+$/i.test(url) || !toUrl(url)) {
		throw new InvalidValue(
			'must be an absolute http or https URL',
			`Got ${quote(value)}. Use the URL by itself, including https://, for example https://www.example.com/page.`,
		);
	}
	return url;
}

/**
 * @returns the bare lower-case hostname of a domain or of a pasted URL (contract 2.2: domains are bare hostnames)
 * @throws InvalidValue when there is no host in it
 */
export function hostname(value: unknown): string {
	const entered = text(value);
	const isUrl = /^[a-z][a-z0-9+.-]*:\/\//i.test(entered);
	const address = isUrl ? entered : `https://${entered}`;
	const url = toUrl(address);
	const host = url?.hostname.toLowerCase().replace(/\.$/, '') ?? '';
	const isMailAddress = !isUrl && url?.username;
	// URL drops line breaks and tabs, and would make one domain of two
	if (!DOMAIN.test(host) || isMailAddress || /\s/.test(entered)) {
		throw new InvalidValue(
			'must be a domain',
			`Got ${quote(value)}. Use a hostname such as example.com, or the URL of a page on it.`,
		);
	}
	return host;
}

/**
 * @returns a part of a domain as it was given; of a pasted address (with or without https://) its hostname
 * @throws InvalidValue for what no domain can contain, such as several domains or a wildcard
 */
export function partOfDomain(value: unknown): string {
	const entered = text(value);
	if (/[/?#@:\s]/.test(entered)) return hostname(entered);
	if (/^[\p{L}\p{M}\p{N}._-]+$/u.test(entered)) return entered;
	throw new InvalidValue(
		'must be a domain or a part of one',
		`Got ${quote(value)}. Use a single hostname such as example.com, or a part of it, without wildcards or quotation marks.`,
	);
}

/** The same as {@link hostname}, for showing: a domain that cannot be read stays as it is. */
export function bareDomain<T>(domain: T): T | string {
	try {
		return isGiven(domain) ? hostname(domain) : domain;
	} catch {
		return domain;
	}
}
