import type { IDataObject } from 'n8n-workflow';

/** Records without repeats, in the order in which they were found. */
export class Records {
	readonly all: IDataObject[] = [];

	private readonly keys = new Set<unknown>();

	/** @param wanted how many at most */
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

/** The contract names no id for every kind of record; a record without one counts as the same when all of it is. */
export function keyOf(record: IDataObject): IDataObject[string] {
	return record.id ?? JSON.stringify(record);
}
