import type { IDataObject } from 'n8n-workflow';

import { RequestFailure } from '../shared/errors/requestFailure';
import { isObject } from '../shared/parameters/values';
import type { ItemInput, Operation } from './operation';

/**
 * Turns an answer other than a paginated list into output.
 *
 * Lists come in `data` (contract 2.1), so a single record may as well. A read fails if its answer is not what the
 * contract shows. A write has been done by then, so its item comes out, with the answer unchanged.
 * @param answer undefined if the service sent no body
 * @returns one object for each output item
 * @throws RequestFailure of kind "shape"
 */
export function recordsIn(operation: Operation, answer: unknown, input: ItemInput): IDataObject[] {
	const { answer: kind, method, confirms } = operation;
	const done = operation.done ?? (confirms && (({ id }: ItemInput) => ({ id, ...confirms })));
	if (done && (kind === 'nothing' || answer === undefined)) return [done(input)];
	if (kind === 'unknown') {
		return [isRecord(answer) ? outputOf(operation, answer, input) : asResponse(answer)];
	}
	const inside = unwrapped(answer);
	if (kind === 'records' && Array.isArray(inside) && inside.every(isObject)) {
		return inside.map((one) => outputOf(operation, one, input));
	}
	const record = recordIn(answer);
	if (kind === 'record' && record) return [outputOf(operation, record, input)];
	if (method === 'GET') throw new RequestFailure('shape');
	return [asResponse(answer)];
}

/** n8n can hold any JSON value, although its type does not say so. */
const asResponse = (answer: unknown): IDataObject => ({ response: (answer ?? null) as object });

/** @returns the output for one record */
export function outputOf(operation: Operation, record: IDataObject, input: ItemInput): IDataObject {
	const { output, simplify, tidy } = operation;
	const whole = output ? output(record, input) : record;
	if (!simplify || !input.settings.simplify) return whole;
	const names = simplify.filter((name) => name in whole);
	const fields = Object.fromEntries(names.map((name) => [name, whole[name]]));
	return tidy ? tidy(fields, whole) : fields;
}

/** @returns the record in an answer, wrapped or not; undefined if there is none */
export function recordIn(answer: unknown): IDataObject | undefined {
	const inside = unwrapped(answer);
	return isRecord(inside) ? inside : undefined;
}

function unwrapped(answer: unknown): unknown {
	return isObject(answer) && Object.keys(answer).join() === 'data' ? answer.data : answer;
}

function isRecord(value: unknown): value is IDataObject {
	return isObject(value) && Object.keys(value).length > 0;
}
