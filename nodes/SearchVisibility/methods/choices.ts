import type { IDataObject, INodeListSearchItems } from 'n8n-workflow';

import { toUrl } from '../../shared/parameters/addresses';

/** Fields by which users know a record; the contract does not name the fields of every kind. */
const LABELS = ['question', 'keyword', 'title', 'name', 'domainFrom', 'url', 'domain'];

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const isAddress = (value: unknown): value is string => isText(value) && /^https?:\/\//i.test(value);

/** @returns records as users choose them, each with another name, also where a name repeats */
export function toChoices(records: IDataObject[]): INodeListSearchItems[] {
	const byName = new Map<string, IDataObject[]>();
	for (const record of records) {
		const { name } = toChoice(record);
		byName.set(name, [...(byName.get(name) ?? []), record]);
	}
	return records.map((record) => {
		const choice = toChoice(record);
		const others = (byName.get(choice.name) ?? []).filter((other) => other !== record);
		if (others.length === 0) return choice;
		const differs = (key: string) =>
			isText(record[key]) && others.every((other) => other[key] !== record[key]);
		const key = ['url', ...Object.keys(record)].find((one) => one !== 'id' && differs(one));
		return { ...choice, name: `${choice.name} (${key ? String(record[key]) : choice.value})` };
	});
}

/**
 * @param filter in lower case
 * @returns whether the filter is part of what users see of a record. A pasted address may also be another one of the
 * record, such as the target of a backlink
 */
export function matches(record: IDataObject, filter: string): boolean {
	const { name, value, url } = toChoice(record);
	const seen = isAddress(filter)
		? Object.values(record).filter(isAddress)
		: [name, value, url, record.domain, record.domainFrom];
	const words = isAddress(filter) ? barePage(filter) : filter;
	return seen.some((text) => isText(text) && text.toLowerCase().includes(words));
}

/** @returns the host of a pasted address, as services list it; undefined if the filter is not an address */
export function hostOf(filter: string): string | undefined {
	return isAddress(filter) ? toUrl(filter)?.hostname.replace(/^www\./, '') : undefined;
}

/** An address without what can differ when it is copied: the protocol, "www.", the fragment, a slash at the end. */
const barePage = (address: string) =>
	address.replace(/^https?:\/\/(www\.)?/, '').replace(/\/*(#.*)?$/, '');

function toChoice(record: IDataObject): INodeListSearchItems & { value: string } {
	const value = String(record.id);
	const url = pageOf(record);
	const texts = [...LABELS.map((key) => record[key]), ...Object.values(record)];
	const label = texts.find((text) => isText(text) && text !== value);
	return { name: nameOf(record, label, url) ?? value, value, ...(url && { url }) };
}

function nameOf(record: IDataObject, label: unknown, url?: string): string | undefined {
	if (!isText(label)) return undefined;
	const { title, name, domain, domainFrom } = record;
	// Page titles and business names can repeat
	if ([title, name].includes(label) && domain) return `${label} (${String(domain)})`;
	// One domain often has several backlinks
	if (label === domainFrom && url) return url.replace(/^https?:\/\/|\/$/gi, '');
	return label;
}

/** @returns the page that the editor opens with a click; that of a backlink is on the domain that links */
function pageOf({ url, domainFrom, ...others }: IDataObject): string | undefined {
	if (isAddress(url)) return url;
	if (!isText(domainFrom)) return undefined;
	return Object.values(others).find(
		(text): text is string => isAddress(text) && text.includes(domainFrom),
	);
}
