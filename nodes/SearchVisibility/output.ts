import type { IDataObject } from 'n8n-workflow';

import { RequestFailure } from '../shared/errors/requestFailure';
import { isObject } from '../shared/parameters/values';
import type { ItemInput, Operation } from './operation';

/**
 * Turns an answer other than a paginated list into output.
 *
 * A read fails if its answer is not what the contract shows. A write has been done by then, so its item comes out, with
 * the ID of its record: with the object that the service answered, or else with what is certain, and with any other value as
 * `response`.
 * @param answer undefined if the service sent no body
 * @returns one object for each output item
 * @throws RequestFailure of kind "shape"
 */
export function recordsIn(operation: Operation, answer: unknown, input: ItemInput): IDataObject[] {
	const { answer: kind, method, confirms, done } = operation;
	if (kind === 'records') {
		const inside = unwrapped(answer);
		if (!Array.isArray(inside) || !inside.every(isObject)) throw new RequestFailure('shape');
		return inside.map((one) => outputOf(operation, one, input));
	}
	const record = kind === 'record' ? recordIn(answer) : answer;
	const { id, body } = input;
	if (isRecord(record)) {
		const shown = outputOf(operation, record, input);
		// It may say anything, such as { success: true }, but the next node needs the record that it is about
		return [id === undefined || kind === 'unknown' ? shown : { id, ...shown }];
	}
	if (method === 'GET') throw new RequestFailure('shape');
	const known = id === undefined ? {} : { id, ...(kind === 'record' && body), ...confirms };
	const certain = done?.(input) ?? known;
	const isNothing = answer === undefined && Object.keys(certain).length > 0;
	if (isNothing || kind === 'nothing') return [certain];
	// n8n can hold any JSON value, although its type does not say so
	return [{ ...certain, response: (answer ?? null) as object }];
}

/** @returns the output for one record */
export function outputOf(operation: Operation, record: IDataObject, input: ItemInput): IDataObject {
	const { output, simplify, tidy } = operation;
	const { settings } = input;
	const whole = output ? output(record, input) : record;
	if (settings.fields) return picked(whole, ['id', ...settings.fields]);
	if (!simplify || !settings.simplify) return whole;
	const fields = picked(whole, simplify);
	return tidy ? tidy(fields, whole) : fields;
}

function picked(record: IDataObject, names: string[]): IDataObject {
	const known = names.filter((name) => name in record);
	return Object.fromEntries(known.map((name) => [name, record[name]]));
}

/** @returns the record in an answer, wrapped or not; undefined if there is none */
export function recordIn(answer: unknown): IDataObject | undefined {
	return [unwrapped(answer), answer].find(isRecord);
}

/** Lists come in `data` (contract 2.1), so others may as well, also beside `success` or `meta`; but a record has an ID. */
function unwrapped(answer: unknown): unknown {
	const isWrapped = isObject(answer) && !('id' in answer);
	return isWrapped && typeof answer.data === 'object' && answer.data ? answer.data : answer;
}

function isRecord(value: unknown): value is IDataObject {
	return isObject(value) && Object.keys(value).length > 0;
}
