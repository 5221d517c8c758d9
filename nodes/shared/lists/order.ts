import type { IDataObject } from 'n8n-workflow';

import { timeOf } from '../times';

export interface SortOrder {
	field: string;
	isAscending: boolean;
}

/**
 * Compares numbers and times. Texts are not compared, because databases collate them in many ways.
 * @param missing the place of a record without a value; by default, such records may stand anywhere
 * @returns false if two neighbors are certainly in the wrong order
 */
export function isInOrder(
	records: IDataObject[],
	{ field, isAscending }: SortOrder,
	missing?: number,
): boolean {
	const sign = isAscending ? 1 : -1;
	const places = records
		.map((record) => sortValue(record[field]))
		.map((value) => (value === undefined ? missing : sign * value))
		.filter((place) => place !== undefined);
	return places.every((place, index) => (places[index - 1] ?? place) <= place);
}

/**
 * @param order the order that was asked for
 * @param own the list, or its beginning, in its own order: only its first record counts
 * @returns whether any record has a value and all are in this order, those without a value at the other end than in `own`
 */
export function isOpposite(records: IDataObject[], order: SortOrder, [first = {}]: IDataObject[]) {
	const has = (record: IDataObject) => sortValue(record[order.field]) !== undefined;
	return records.some(has) && isInOrder(records, order, has(first) ? -Infinity : Infinity);
}

/** @returns whether all records can be compared: each has a number or a time */
export const isComparable = (records: IDataObject[], { field }: SortOrder) =>
	records.every((record) => sortValue(record[field]) !== undefined);

/** @returns what numbers and times are compared by; undefined for what is neither */
export function sortValue(value: unknown): number | undefined {
	if (typeof value === 'number') return value;
	if (typeof value !== 'string' || value === '') return undefined;
	const number = Number(value);
	return Number.isNaN(number) ? timeOf(value) : number;
}
