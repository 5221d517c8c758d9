import type { IDataObject } from 'n8n-workflow';

import { timeOf } from '../times';

export interface SortOrder {
	field: string;
	isAscending: boolean;
}

/**
 * Compares numbers and times. Texts are not compared, because databases collate them in many ways.
 * @param missing where a record without a value counts; by default, such records may stand anywhere
 * @returns false if two neighbors are certainly in the wrong order
 */
export function isInOrder(
	records: IDataObject[],
	{ field, isAscending }: SortOrder,
	missing?: 'first' | 'last',
): boolean {
	const sign = isAscending ? 1 : -1;
	const elsewhere = missing && (missing === 'first' ? -Infinity : Infinity);
	const places = records
		.map((record) => sortValue(record[field]))
		.map((value) => (value === undefined ? elsewhere : sign * value))
		.filter((place) => place !== undefined);
	return places.every((place, index) => (places[index - 1] ?? place) <= place);
}

/**
 * @param order the order that was asked for
 * @param own the list, or its beginning, in its own order
 * @returns whether the records show this order, with those that have no value at the end where the list does not have them
 */
export function isOpposite(
	records: IDataObject[],
	order: SortOrder,
	[first = {}]: IDataObject[],
): boolean {
	const has = (record: IDataObject) => sortValue(record[order.field]) !== undefined;
	return records.some(has) && isInOrder(records, order, has(first) ? 'first' : 'last');
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
