import type { IDataObject } from 'n8n-workflow';

import { timeOf } from '../times';

export interface SortOrder {
	field: string;
	isAscending: boolean;
}

/** Where a database puts records without a value, as in SQL's NULLS FIRST and NULLS LAST. */
type Nulls = 'first' | 'last' | 'anywhere';

/**
 * Compares numbers and times. Texts are not compared, because databases sort them in many ways.
 * @param nulls where records without a value must stand
 * @returns false if two records are certainly in the wrong order
 */
export function isInOrder(
	records: IDataObject[],
	{ field, isAscending }: SortOrder,
	nulls: Nulls = 'anywhere',
): boolean {
	const sign = isAscending ? 1 : -1;
	const positionOfNulls = { first: -Infinity, last: Infinity, anywhere: undefined }[nulls];
	const positions = records
		.map((record) => sortValue(record[field]))
		.map((value) => (value === undefined ? positionOfNulls : sign * value))
		.filter((position) => position !== undefined);
	return positions.every((position, index) => (positions[index - 1] ?? position) <= position);
}

/**
 * @param usual the same list in its usual order; the first record is enough
 * @returns whether the records are in `order`, and at least one has a value. Records without a value must stand at the other end
 * than in `usual`
 */
export function isOpposite(
	records: IDataObject[],
	order: SortOrder,
	usual: IDataObject[],
): boolean {
	const has = (record: IDataObject) => sortValue(record[order.field]) !== undefined;
	const nullsAreLastInUsual = has(usual[0] ?? {});
	return records.some(has) && isInOrder(records, order, nullsAreLastInUsual ? 'first' : 'last');
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
