import type { IDataObject } from 'n8n-workflow';

import type { Requester, ServiceRequest } from '../request/client';
import { RequestFailure } from '../errors/requestFailure';
import type { StopSignal } from '../request/stop';
import { isCount, isObject } from '../parameters/values';

/** Maximum number of records per page (contract section 8). */
export const PAGE_SIZE = 100;

/** One page of a list: the envelope of contract 2.1. */
export interface Page {
	/** How many records the list has */
	total: number;
	/** Maximum number of records on a page, as the service applied it */
	size: number;
	items: IDataObject[];
}

/**
 * Reads up to `limit` records from `offset` on.
 * @throws RequestFailure
 */
export type ReadPage = (offset: number, limit: number, stop?: StopSignal) => Promise<Page>;

/** @returns a function that reads the pages of a list endpoint, with the filters on every page */
export function pagesOf(client: Requester, list: ServiceRequest): ReadPage {
	return async (offset, limit, stop) => {
		const query = { ...list.query, offset, limit };
		return readEnvelope(await client.request({ ...list, query }, { stop }), offset, limit);
	};
}

/** @throws RequestFailure unless the body is the envelope of contract 2.1 with the records that were asked for */
function readEnvelope(body: unknown, offset: number, limit: number): Page {
	const data = isObject(body) && isObject(body.data) ? body.data : {};
	const { total, items, count, limit: applied } = data;
	if (!isRecords(items) || !isCount(total)) {
		throw new RequestFailure('shape');
	}
	const isOther = data.offset !== undefined && data.offset !== offset && items.length > 0;
	const isCut = count !== undefined && count !== items.length;
	if (isOther || isCut) throw new RequestFailure('shape');
	return { total, items, size: isCount(applied) && applied > 0 ? Math.min(applied, limit) : limit };
}

function isRecords(value: unknown): value is IDataObject[] {
	return Array.isArray(value) && value.every(isObject);
}

/** @returns whether a page has fewer records than the list should have there */
export function isShort({ total, size, items }: Page, offset: number): boolean {
	return items.length < Math.min(size, total - offset);
}

/** @returns whether a page has records beyond the end of the list, so that its total cannot be true */
export function isBeyond({ total, items }: Page, offset: number): boolean {
	return items.length > 0 && offset + items.length > total;
}
