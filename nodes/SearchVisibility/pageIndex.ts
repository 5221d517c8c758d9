import type { IDataObject } from 'n8n-workflow';

import { Records } from '../shared/lists/records';
import { toUrl } from '../shared/parameters/addresses';

/** Ways to compare addresses, from strict to loose: as they are, as URLs, and as the pages that they show. */
const WAYS = [
	(address: string) => address,
	(address: string) => toUrl(address)?.href ?? address,
	barePage,
];

/** Finds records by the address of their page, in constant time. */
export class PageIndex {
	private readonly byPage = new Map<string, Records>();

	constructor(readonly records: IDataObject[]) {
		for (const record of records) {
			const page = barePage(String(record.url));
			const same = this.byPage.get(page) ?? new Records();
			same.add([record]);
			this.byPage.set(page, same);
		}
	}

	/** @returns the records that the strictest successful way finds; exactly one if the address is unambiguous */
	find(url: string): IDataObject[] {
		const same = this.byPage.get(barePage(url))?.all ?? [];
		const found = WAYS.map((way) => same.filter((one) => way(String(one.url)) === way(url)));
		return found.find(({ length }) => length > 0) ?? [];
	}
}

/** The page without the fragment and without a trailing slash. */
function barePage(address: string): string {
	const url = toUrl(address);
	if (!url) return address;
	url.hash = '';
	return url.href.replace(/\/$/, '');
}
