import type { IDataObject } from 'n8n-workflow';

import { RequestFailure } from '../shared/failure';
import { isObject } from '../shared/values';
import type { ItemInput, Operation } from './operation';

/**
 * What comes out of an answer that is not a list with pages.
 *
 * Lists come in `data` (contract 2.1), so a record may as well. A read whose answer is anything but documented fails. A
 * write has been done by then, so it keeps its item, with the answer as it came.
 * @param answer undefined where the service sent no body
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

/** Whatever JSON has is what n8n has, too. */
const asResponse = (answer: unknown): IDataObject => ({ response: (answer ?? null) as object });

/** @returns what comes out for one record */
export function outputOf(operation: Operation, record: IDataObject, input: ItemInput): IDataObject {
	const { output, simplify, tidy } = operation;
	const whole = output ? output(record, input) : record;
	if (!simplify || !input.settings.simplify) return whole;
	const names = simplify.filter((name) => name in whole);
	const fields = Object.fromEntries(names.map((name) => [name, whole[name]]));
	return tidy ? tidy(fields, whole) : fields;
}

/** @returns the record of an answer, wrapped or not; undefined where there is none */
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
