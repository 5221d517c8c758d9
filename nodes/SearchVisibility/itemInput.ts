import type { ServiceRequest } from '../shared/request/client';
import type { Field, Value } from '../shared/parameters/field';
import type { ItemInput, Operation } from './operation';
import type { Settings } from './settings';
import { settingsIn } from './settings';

/** The user's limits for each request. */
export type Limits = Pick<Settings, 'timeout' | 'maxRetries'>;

/** @returns an input without values, with the default settings */
export const newInput = (itemIndex: number): ItemInput => ({
	itemIndex,
	values: {},
	settings: settingsIn({}),
	query: {},
	body: {},
	lookups: [],
});

/** Adds the value of a field to the part of the request in which it is sent. */
export function put(input: ItemInput, { property, sendIn, notSent }: Field, value: Value): void {
	const { name } = property;
	input.values[name] = value;
	if (notSent?.some((choice) => choice === value)) return;
	if (sendIn === 'path') input.id = String(value);
	// The contract takes lists in a query as comma-separated values (section 4)
	if (sendIn === 'query')
		input.query[name] = Array.isArray(value) ? value.join(',') : String(value);
	if (sendIn === 'body') input.body[name] = value;
}

/** @returns the request for one item */
export function requestOf(
	{ method, path, answer, bodyOptional, repeatable }: Operation,
	input: ItemInput,
): ServiceRequest {
	const { settings, body, id = '' } = input;
	const sent = settings.customBody ?? (Object.keys(body).length > 0 ? body : undefined);
	return {
		method,
		path: path.replace('{id}', encodeURIComponent(id)),
		query: { ...input.query, ...settings.queryParameters },
		body: sent,
		bodyOptional: bodyOptional ?? answer === 'nothing',
		repeatable,
		...limitsOf(input),
	};
}

/** @returns the user's limits for each request of an item, including look-ups */
export function limitsOf({ settings: { timeout, maxRetries } }: ItemInput): Limits {
	return { timeout, maxRetries };
}
