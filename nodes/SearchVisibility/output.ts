import type { IDataObject } from 'n8n-workflow';

import { RequestFailure } from '../shared/errors/requestFailure';
import { checkIds } from '../shared/lists/pages';
import { isObject } from '../shared/parameters/values';
import type { ItemInput, Operation } from './operation';

/**
 * Turns a response other than a paginated list into output. A read fails unless the response is as in the contract.
 *
 * When the response to a write arrives, the write is done, so it always gives an item: the returned object, or what is certain
 * without one. What else came, which may be nothing, is shown as `response`, except where the contract expects no body.
 * @param response undefined if the service sent no body
 * @param isRepeated whether an earlier attempt may have done the work
 * @returns one object for each output item
 * @throws RequestFailure of kind "shape"
 */
export function outputsIn(
	operation: Operation,
	response: unknown,
	input: ItemInput,
	isRepeated: boolean,
): IDataObject[] {
	const { returns, method } = operation;
	if (returns === 'records') {
		const inside = unwrapped(response);
		if (!Array.isArray(inside) || !inside.every(isObject)) throw new RequestFailure('shape');
		checkIds(inside);
		return inside.map((one) => shown(operation, one, input));
	}
	// Only a record may be wrapped: any other object is shown as it is
	const candidate = returns === 'record' ? recordIn(response) : response;
	const record = isRecord(candidate) ? candidate : undefined;
	if (!record && method === 'GET') throw new RequestFailure('shape');
	const item = itemOf(operation, record, input, isRepeated);
	if (record || returns === 'nothing') return [item];
	const saysEnough = response === undefined && Object.keys(item).length > 0;
	if (saysEnough) return [item];
	// n8n can hold any JSON value, although its type does not say so
	return [{ ...item, response: (response ?? null) as object }];
}

/** @param record undefined if the response contained none: the item then has only what is certain */
function itemOf(
	operation: Operation,
	record: IDataObject | undefined,
	input: ItemInput,
	isRepeated: boolean,
): IDataObject {
	const { returns, toOutput = recordOrSent } = operation;
	const known = toOutput(record, input, isRepeated);
	const fields = record ? shown(operation, known, input) : known;
	// A response of unknown format gets no ID in front
	const isOfUnknownFormat = record !== undefined && returns === 'unknown';
	if (input.id === undefined || isOfUnknownFormat) return fields;
	// The next node needs the ID
	return { id: input.id, ...fields };
}

/** Without a record: what was sent to change it, or nothing for a new one. */
const recordOrSent: NonNullable<Operation['toOutput']> = (record, { id, body }) =>
	record ?? (id === undefined ? {} : body);

export function shown(
	{ simplify }: Operation,
	record: IDataObject,
	{ settings }: ItemInput,
): IDataObject {
	if (settings.outputFields) return onlyFields(record, ['id', ...settings.outputFields]);
	return simplify && settings.simplify ? simplify(record) : record;
}

export function onlyFields(record: IDataObject, names: string[]): IDataObject {
	const known = names.filter((name) => name in record);
	return Object.fromEntries(known.map((name) => [name, record[name]]));
}

/** @returns the record in a response, also inside `data`; undefined if there is none */
export function recordIn(response: unknown): IDataObject | undefined {
	const inside = unwrapped(response);
	if (isRecord(inside)) return inside;
	// What is in `data` is no record, such as a list: then the response is the record, and `data` one of its fields
	return isRecord(response) ? response : undefined;
}

/** A record may come inside `data`, as lists do (contract 2.1). An object with an ID is the record itself. */
function unwrapped(response: unknown): unknown {
	const isWrapped = isObject(response) && !('id' in response);
	return isWrapped && typeof response.data === 'object' && response.data ? response.data : response;
}

function isRecord(value: unknown): value is IDataObject {
	return isObject(value) && Object.keys(value).length > 0;
}
