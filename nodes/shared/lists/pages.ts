import type { IDataObject } from 'n8n-workflow';

import { citedPageOrder } from '../assumed';
import { RequestFailure } from '../errors/requestFailure';
import { countOf, isGiven, isObject } from '../parameters/values';
import type { Requester, ServiceRequest } from '../request/client';

/** Maximum number of records per page (contract section 8). */
export const PAGE_SIZE = 100;

/** One page of a list, and the total of the list (contract 2.1). */
export interface ListPage {
	total: number;
	items: IDataObject[];
	/** The page size that the service applied, if it says so */
	size?: number | undefined;
}

/** Reads up to `limit` records from `offset` on; throws RequestFailure. */
export type ReadPage = (offset: number, limit: number, signal?: AbortSignal) => Promise<ListPage>;

/** @param extraFields what to add to each record, such as `listType` */
export function pagesOf(
	client: Requester,
	list: ServiceRequest,
	extraFields?: IDataObject,
): ReadPage {
	return async (offset, limit, signal) => {
		const query = { ...asSorted(list), offset, limit };
		const page = pageIn(await client.request({ ...list, query }, { signal }), offset);
		for (const item of page.items) Object.assign(item, extraFields);
		return page;
	};
}

/** @returns the query; for cited pages, with the sort parameters that this package assumes (contract 4.8) */
function asSorted({ path, query = {} }: ServiceRequest): IDataObject {
	const { sortBy, sortOrder, ...others } = query;
	if (path !== '/v1/ai-visibility/citations' || !(sortBy || sortOrder)) return query;
	return { ...others, ...citedPageOrder({ sortBy, sortOrder }) };
}

/**
 * @throws RequestFailure of kind "shape" if an ID is a number, but no safe integer. JavaScript rounds large numbers, so two
 * records could seem to have the same ID
 */
export function checkIds(records: IDataObject[]): void {
	const wrong = records.find(({ id }) => typeof id === 'number' && !Number.isSafeInteger(id));
	if (!wrong) return;
	const serviceMessage = `'id' is a number that is too large to tell records apart (${String(wrong.id)}); it must be text`;
	throw new RequestFailure('shape', { serviceMessage });
}

/**
 * Numbers may come as text, and `offset`, `limit` and `count` may be missing.
 * @throws RequestFailure of kind "shape" if `total` is missing, if `items` is missing and `total` is not 0, if `offset` is not the
 * one that was asked for, if `count` is not the number of items, or if an ID cannot tell records apart
 */
function pageIn(body: unknown, offset: number): ListPage {
	const wrong = (field: string) => {
		const serviceMessage = `'${field}' is missing or does not fit the list that was asked for`;
		return new RequestFailure('shape', { serviceMessage });
	};
	const fits = (expected: number, value: unknown) => !isGiven(value) || countOf(value) === expected;
	const data = isObject(body) && isObject(body.data) ? body.data : {};
	const total = countOf(data.total);
	if (total === undefined) throw wrong('total');
	const items: unknown = data.items ?? (total === 0 ? [] : undefined);
	if (!Array.isArray(items) || !items.every(isObject)) throw wrong('items');
	checkIds(items);
	if (items.length > 0 && !fits(offset, data.offset)) throw wrong('offset');
	if (!fits(items.length, data.count)) throw wrong('count');
	return { total, items, size: countOf(data.limit) };
}
