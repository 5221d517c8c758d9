import type { IDataObject } from 'n8n-workflow';

/**
 * The contract does not name an ID for every kind of record. Two records without an ID are the same if all their fields
 * are.
 */
export function keyOf(record: IDataObject): IDataObject[string] {
	return record.id ?? JSON.stringify(record);
}

/** Records by key: each in the place where it was found first, with the values that were found last. */
export class Records {
	private readonly byKey = new Map<unknown, IDataObject>();

	get all(): IDataObject[] {
		return [...this.byKey.values()];
	}

	get size(): number {
		return this.byKey.size;
	}

	has(record: IDataObject): boolean {
		return this.byKey.has(keyOf(record));
	}

	add(records: IDataObject[]): void {
		for (const record of records) this.byKey.set(keyOf(record), record);
	}
}
