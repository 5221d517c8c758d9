import type { IDataObject } from 'n8n-workflow';

/** Records without duplicates, in the order in which they were found. */
export class Records {
	readonly all: IDataObject[] = [];

	private readonly keys = new Set<unknown>();

	/** @param wanted maximum number of records */
	constructor(private readonly wanted = Number.POSITIVE_INFINITY) {}

	get isEnough(): boolean {
		return this.all.length >= this.wanted;
	}

	has(record: IDataObject): boolean {
		return this.keys.has(keyOf(record));
	}

	add(records: IDataObject[]): void {
		for (const record of records) {
			if (this.isEnough) return;
			const { size } = this.keys;
			if (this.keys.add(keyOf(record)).size > size) this.all.push(record);
		}
	}
}

/**
 * The contract does not name an ID for every kind of record. Two records without an ID are the same if all their fields
 * are.
 */
export function keyOf(record: IDataObject): IDataObject[string] {
	return record.id ?? JSON.stringify(record);
}
