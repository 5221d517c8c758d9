import type { IDataObject } from 'n8n-workflow';

import { timeOf } from '../times';

export interface SortOrder {
	field: string;
	isAscending: boolean;
}

/**
 * Compares numbers and times. Texts are not compared, because databases sort them in many ways.
 * @param missing where records without a value must stand: -Infinity for first, Infinity for last; by default, anywhere
 * @returns false if two records are certainly in the wrong order
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
 * @param usual the same list in its usual order; the first record is enough
 * @returns whether the records are in `order`, and at least one has a value. If records without a value are last in `usual`, they
 * must be first here, and the other way round
 */
export function isOpposite(records: IDataObject[], order: SortOrder, usual: IDataObject[]) {
	const has = (record: IDataObject) => sortValue(record[order.field]) !== undefined;
	return records.some(has) && isInOrder(records, order, has(usual[0] ?? {}) ? -Infinity : Infinity);
}

/** @returns whether each record has a number or a time in the field */
export const isComparable = (records: IDataObject[], { field }: SortOrder) =>
	records.every((record) => sortValue(record[field]) !== undefined);

/** @returns a number or a time as a number, also from text; undefined for anything else */
export function sortValue(value: unknown): number | undefined {
	if (typeof value === 'number') return value;
	if (typeof value !== 'string' || value === '') return undefined;
	const number = Number(value);
	return Number.isNaN(number) ? timeOf(value) : number;
}
