import type { IDataObject } from 'n8n-workflow';

import { timeOf } from '../times';

/**
 * Compares numbers and times by value, but texts only by their first letter, because databases collate in many ways.
 * @returns false if two neighbors are certainly in the wrong order. Values that are missing or of another type are skipped
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
