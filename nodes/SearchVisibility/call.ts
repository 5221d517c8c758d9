import type { IDataObject } from 'n8n-workflow';

import type { ServiceRequest } from '../shared/client';
import type { Call, Field, Operation } from './operation';

export const newCall = (itemIndex: number): Call => ({
	itemIndex,
	values: {},
	query: {},
	body: {},
	lookups: [],
});

/** Puts a value where it is sent from. */
export function put(call: Call, { property, sendIn, notSent }: Field, value: unknown): void {
	call.values[property.name] = value as IDataObject;
	if (notSent?.includes(value as string)) return;
	if (sendIn === 'path') call.id = String(value);
	// The contract takes lists in a query separated by commas (section 4)
	if (sendIn === 'query') {
		call.query[property.name] = Array.isArray(value) ? value.join(',') : (value as string);
	}
	if (sendIn === 'body') call.body[property.name] = value as IDataObject;
}

/** @returns the request of one call */
export function requestOf(
	{ method, path, answer, bodyOptional }: Operation,
	call: Call,
): ServiceRequest {
	const { values, body, id = '' } = call;
	const sent = values.customBody ?? (Object.keys(body).length > 0 ? body : undefined);
	return {
		method,
		path: path.replace('{id}', encodeURIComponent(id)),
		query: { ...call.query, ...(values.queryParameters as IDataObject | undefined) },
		...(sent !== undefined && { body: sent as IDataObject }),
		bodyOptional: bodyOptional ?? answer === 'nothing',
		...limitsOf(call),
	};
}

/** What the user allows each request of a call, those of look-ups included. */
export function limitsOf({ values }: Call): Pick<ServiceRequest, 'timeout' | 'maxRetries'> {
	return {
		timeout: values.timeout as number | undefined,
		maxRetries: values.maxRetries as number | undefined,
	};
}
