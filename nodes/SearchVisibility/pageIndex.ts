import type { IDataObject } from 'n8n-workflow';

import { toUrl } from '../shared/parameters/addresses';

/** A way to compare addresses. They are listed from strict to loose. */
type Way = (address: string) => string;

/** These find only exactly this address, apart from capital letters in the host and a default port. */
const EXACT_WAYS: Way[] = [(address) => address, (address) => toUrl(address)?.href ?? address];

const WAYS: Way[] = [...EXACT_WAYS, barePage];

/** Finds records by the address of their page, in constant time. */
export class PageIndex {
	/** For each way, the records by address in that form, and by ID: one that is listed twice counts once */
	private readonly byAddress = new Map(
		WAYS.map((way) => [way, new Map<string, Map<unknown, IDataObject>>()]),
	);

	constructor(records: IDataObject[]) {
		for (const record of records) {
			for (const [way, known] of this.byAddress) {
				const address = way(String(record.url));
				const same = known.get(address) ?? new Map<unknown, IDataObject>();
				known.set(address, same.set(record.id ?? record, record));
			}
		}
	}

	/** @returns the records that the strictest successful way finds; exactly one if the address is unambiguous */
	find(url: string, ways = WAYS): IDataObject[] {
		const found = ways.map((way) => this.byAddress.get(way)?.get(way(url))?.values());
		return [...(found.find(Boolean) ?? [])];
	}

	/** @returns like {@link PageIndex.find}, but only records with exactly this address */
	findExactly(url: string): IDataObject[] {
		return this.find(url, EXACT_WAYS);
	}
}

/** The page without the fragment and without a trailing slash. */
function barePage(address: string): string {
	const url = toUrl(address);
	if (!url) return address;
	url.hash = '';
	return url.href.replace(/\/$/, '');
}
