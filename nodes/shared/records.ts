import type { IDataObject } from 'n8n-workflow';

/** @returns what tells records apart: the ID, or without an ID, all fields. The contract does not show all kinds of records (2.10) */
export function keyOf(record: IDataObject): IDataObject[string] {
	return record.id ?? JSON.stringify(record);
}

/** Records without duplicates. A repeated record keeps its first place and gets its latest values. */
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
