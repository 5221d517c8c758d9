import type { IExecuteFunctions } from 'n8n-workflow';

import type { ServiceRequest } from '../shared/request/client';
import type { Field, Value } from '../shared/parameters/field';
import { readFields } from '../shared/parameters/readFields';
import { isObject } from '../shared/parameters/values';
import type { ItemInput, Operation } from './operation';
import { optionsOf, requestOptions } from './resources/options';
import { settingsIn } from './settings';

/**
 * Reads and checks the parameters of one input item.
 * @throws InvalidValue that names the parameter
 */
export function readInput(context: IExecuteFunctions, operation: Operation, itemIndex: number) {
	const input = newInput(itemIndex);
	input.values['@tool'] = isTool(context);
	// Options first, because they may decide how other values are read
	const fields = [...optionsOf(operation), ...operation.fields, requestOptions];
	readFields(fields, (name) => context.getNodeParameter(name, itemIndex, null), {
		values: input.values,
		put: (field, value) => put(input, field, value),
		lookUp: (field, url) => input.lookups.push({ field, url }),
		isExpression: (path) => String(enteredAt(path, context.getNode().parameters)).startsWith('='),
	});
	operation.check?.(input);
	return { ...input, settings: settingsIn(input.values) };
}

/** @returns what stands at a path of the parameters, before n8n resolves expressions */
const enteredAt = (path: string, parameters: unknown): unknown =>
	path.split('.').reduce((one, name) => (isObject(one) ? one[name] : undefined), parameters);

/** @returns whether an AI agent uses the node as a tool; n8n 1.123 shows that only by the type of the node */
export const isTool = (context: IExecuteFunctions) =>
	context.getNode().type.endsWith('Tool') || context.isToolExecution?.() === true;

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
export function put(input: ItemInput, { property, sendIn }: Field, value: Value): void {
	const { name } = property;
	input.values[name] = value;
	if (sendIn === 'path') input.id = String(value);
	// The contract accepts lists in a query as comma-separated values (section 4)
	if (sendIn === 'query')
		input.query[name] = Array.isArray(value) ? value.join(',') : String(value);
	if (sendIn === 'body') input.body[name] = value;
}

/** @returns the request for one item */
export function requestOf(operation: Operation, input: ItemInput): ServiceRequest {
	const { method, path, repeatable, toBody = (fields) => fields } = operation;
	const { settings, body, id = '' } = input;
	const sent = settings.customBody ?? (Object.keys(body).length > 0 ? toBody(body) : undefined);
	return {
		method,
		path: path.replace('{id}', encodeURIComponent(id)),
		query: input.query,
		body: sent,
		bodyOptional: method !== 'GET',
		repeatable,
		timeout: settings.timeout,
		maxRetries: settings.maxRetries,
	};
}

/** @returns whether it does no harm to send the request again when it is unclear if the service has done the work */
export const isRepeatable = ({ method, repeatable }: Operation) =>
	method !== 'POST' || repeatable !== undefined;
