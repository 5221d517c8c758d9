import type { IDataObject } from 'n8n-workflow';

import { toUrl } from '../shared/parameters/addresses';

/** A way to compare addresses. They are listed from strict to loose. */
type Way = (address: string) => string;

/** These find only exactly this address, apart from capital letters in the host and a default port. */
const EXACT_WAYS: Way[] = [(address) => address, (address) => toUrl(address)?.href ?? address];

const WAYS: Way[] = [...EXACT_WAYS, barePage];

/** By ID, so that a record that is listed twice counts once. */
type Records = Map<unknown, IDataObject>;

/** Finds records by the address of their page, in constant time. */
export class PageIndex {
	/** For each way, the records by address in that form */
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

	/** @returns the records that the strictest successful way finds; exactly one if the address is unambiguous */
	find(url: string): IDataObject[] {
		return this.findBy(WAYS, url);
	}

	/** @returns like {@link PageIndex.find}, but only records with exactly this address */
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

/** The page without the fragment and without a trailing slash. */
function barePage(address: string): string {
	const url = toUrl(address);
	if (!url) return address;
	url.hash = '';
	return url.href.replace(/\/$/, '');
}
