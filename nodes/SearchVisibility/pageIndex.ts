import type { IDataObject } from 'n8n-workflow';

/** Ways to compare addresses, the strictest first. */
type Way = (address: string) => string;

/** These find the very same address, but for capital letters in the host and a port that goes without saying. */
const EXACT_WAYS: Way[] = [
	(address) => address,
	(address) => (URL.canParse(address) ? new URL(address).href : address),
];

const WAYS: Way[] = [...EXACT_WAYS, barePage];

/** Finds records by the address of their page, however many there are. */
export class PageIndex {
	private readonly byAddress = WAYS.map(() => new Map<string, Map<unknown, IDataObject>>());

	constructor(records: IDataObject[]) {
		for (const record of records) {
			const address = String(record.url);
			WAYS.forEach((way, index) => {
				const same = this.byAddress[index].get(way(address)) ?? new Map<unknown, IDataObject>();
				this.byAddress[index].set(way(address), same.set(record.id ?? record, record));
			});
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
		for (const [index, way] of ways.entries()) {
			const found = this.byAddress[index].get(way(url));
			if (found) return [...found.values()];
		}
		return [];
	}
}

/** The page without the part after #, and but for a slash at the end. */
function barePage(address: string): string {
	if (!URL.canParse(address)) return address;
	const url = new URL(address);
	url.hash = '';
	return url.href.replace(/\/$/, '');
}
