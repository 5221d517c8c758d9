import type { IDataObject } from 'n8n-workflow';

import { toUrl } from '../shared/addresses';

/** Ways to compare addresses, the strictest first. */
type Way = (address: string) => string;

/** These find the very same address, but for capital letters in the host and a port that goes without saying. */
const EXACT_WAYS: Way[] = [(address) => address, (address) => toUrl(address)?.href ?? address];

const WAYS: Way[] = [...EXACT_WAYS, barePage];

/** By their ID, so that one that is listed twice counts once. */
type Records = Map<unknown, IDataObject>;

/** Finds records by the address of their page, however many there are. */
export class PageIndex {
	/** For each way, the records by the address as that way sees it */
	private readonly byAddress = new Map(WAYS.map((way) => [way, new Map<string, Records>()]));

	constructor(records: IDataObject[]) {
		for (const record of records) {
			const address = String(record.url);
			for (const [way, known] of this.byAddress) {
				const same: Records = known.get(way(address)) ?? new Map();
				known.set(way(address), same.set(record.id ?? record, record));
			}
		}
	}

	/** @returns the records that the strictest way finds: one, where the address is clear */
	find(url: string): IDataObject[] {
		return this.findBy(WAYS, url);
	}

	/** The same, but only records with this very address. */
	findExactly(url: string): IDataObject[] {
		return this.findBy(EXACT_WAYS, url);
	}

	private findBy(ways: Way[], url: string): IDataObject[] {
		for (const way of ways) {
			const found = this.byAddress.get(way)?.get(way(url));
			if (found) return [...found.values()];
		}
		return [];
	}
}

/** The page without the part after #, and but for a slash at the end. */
function barePage(address: string): string {
	const url = toUrl(address);
	if (!url) return address;
	url.hash = '';
	return url.href.replace(/\/$/, '');
}
