import type { IDataObject, INodeListSearchItems } from 'n8n-workflow';

import { bareDomain, toUrl } from '../../shared/parameters/addresses';

/** The fields by which users know a record. The contract does not show the fields of every kind of record (2.10). */
const LABELS = ['question', 'keyword', 'title', 'name', 'domainFrom', 'url', 'domain'];

type SearchResult = INodeListSearchItems & { value: string };

const isFilled = (value: unknown): value is string => typeof value === 'string' && value !== '';

const isAddress = (value: unknown): value is string =>
	isFilled(value) && /^https?:\/\//i.test(value);

/** @returns the records as n8n shows them in a list. A name that repeats is followed by the path of its page, or by the ID */
export function toSearchResults(records: IDataObject[]): INodeListSearchItems[] {
	const results = records.map(toSearchResult);
	const counts = new Map<string, number>();
	for (const { name } of results) counts.set(name, (counts.get(name) ?? 0) + 1);
	return results.map((result) => {
		const { name, value, url } = result;
		if (counts.get(name) === 1) return result;
		const detail = url && !url.includes(name) ? url.replace(/^https?:\/\/[^/]+/i, '') : value;
		return { ...result, name: `${name} (${detail})` };
	});
}

/**
 * @param searchText in lower case
 * @returns whether the text is part of what users see of a record
 */
export function matches(record: IDataObject, searchText: string): boolean {
	const { name, value, url } = toSearchResult(record);
	// The service may write a domain with letters such as ü in ASCII
	const spellings = /^\p{ASCII}*$/u.test(searchText)
		? [searchText]
		: [searchText, bareDomain(searchText)];
	const seen = [name, value, url, record.domain, record.domainFrom];
	return seen.some(
		(text) => isFilled(text) && spellings.some((one) => text.toLowerCase().includes(one)),
	);
}

/** @returns the host of a URL without "www."; undefined if the text is no URL */
export function hostOf(searchText: string): string | undefined {
	return isAddress(searchText) ? toUrl(searchText)?.hostname.replace(/^www\./, '') : undefined;
}

function toSearchResult(record: IDataObject): SearchResult {
	const value = String(record.id);
	const url = urlOf(record);
	const texts = [...LABELS.map((key) => record[key]), ...Object.values(record)];
	const label = texts.find((text): text is string => isFilled(text) && text !== value);
	return { name: nameOf(record, label ?? value, url), value, ...(url && { url }) };
}

function nameOf({ title, name, domain, domainFrom }: IDataObject, label: string, url?: string) {
	// Page titles and business names can repeat
	const site = domain ?? (url && hostOf(url));
	if ([title, name].includes(label) && site && site !== label) return `${label} (${String(site)})`;
	// One domain often has several backlinks
	if (label === domainFrom && url) return url.replace(/^https?:\/\/|\/$/gi, '');
	return label;
}

/** @returns the page that the editor opens with a click. For a backlink: the first URL that contains the linking domain */
function urlOf({ url, domainFrom, ...others }: IDataObject): string | undefined {
	if (isAddress(url)) return url;
	if (!isFilled(domainFrom)) return undefined;
	return Object.values(others).find(
		(text): text is string => isAddress(text) && text.includes(domainFrom),
	);
}
