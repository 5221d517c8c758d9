import type { IDataObject } from 'n8n-workflow';

import { timeOf } from '../times';

/**
 * Numbers and times are compared as such, texts only by their first letter, because databases sort the rest in many ways.
 * @returns whether no two records are certainly in another order. Those without the field, or with another kind of value, do not
 * count
 */
export function isInOrder(records: IDataObject[], field: string, isAscending: boolean): boolean {
	const values = records
		.map((record) => sortValue(record[field]))
		.filter((one) => one !== undefined);
	return values.every((value, index) => {
		const before = values[index - 1] ?? value;
		return typeof before !== typeof value || (isAscending ? before <= value : before >= value);
	});
}

function sortValue(value: unknown): number | string | undefined {
	if (typeof value === 'number') return value;
	if (typeof value !== 'string' || value === '') return undefined;
	const number = Number(value);
	return Number.isNaN(number)
		? (timeOf(value) ?? /^[a-z]/i.exec(value)?.[0].toLowerCase())
		: number;
}
