import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { ServiceRequest } from '../shared/request/client';
import type { Field, Value } from '../shared/parameters/field';
import { readFields } from '../shared/parameters/readFields';
import { REQUEST_DEFAULTS } from '../shared/parameters/requestOptions';
import { isObject } from '../shared/parameters/values';
import type { ItemInput, Operation, Settings } from './operation';

/**
 * Reads and checks the parameters of one input item.
 * @param fields those of the operation, including options
 * @throws InvalidValue that names the parameter
 */
export function readInput(
	context: IExecuteFunctions,
	operation: Operation,
	fields: Field[],
	itemIndex: number,
): ItemInput {
	const input = newInput(itemIndex);
	readFields(fields, (name) => context.getNodeParameter(name, itemIndex, null), {
		values: input.values,
		put: (field, value) => put(input, field, value),
		lookUp: (field, url) => input.lookups.push({ field, url }),
	});
	operation.check?.(input);
	return { ...input, settings: settingsIn(input.values) };
}

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
	// The contract accepts lists in a query as comma-separated values (section 4)
	if (sendIn === 'query')
		input.query[name] = Array.isArray(value) ? value.join(',') : String(value);
	if (sendIn === 'body') input.body[name] = value;
}

/** @param values the checked values of all parameters, with defaults for those that were left empty */
export function settingsIn({ queryParameters, customBody, ...values }: IDataObject): Settings {
	const numberIn = (name: string) => (typeof values[name] === 'number' ? values[name] : undefined);
	return {
		limit: numberIn('limit'),
		simplify: values.simplify !== false,
		dryRun: values.dryRun === true,
		returnExisting: values.ifExists === 'returnExisting',
		returnIncomplete: values.ifIncomplete === 'return',
		timeout: numberIn('timeout') ?? REQUEST_DEFAULTS.timeout,
		maxRetries: numberIn('maxRetries') ?? REQUEST_DEFAULTS.maxRetries,
		concurrency: numberIn('concurrency') ?? REQUEST_DEFAULTS.concurrency,
		batchSize: numberIn('batchSize'),
		queryParameters: isObject(queryParameters) ? queryParameters : {},
		customBody: typeof customBody === 'object' && customBody !== null ? customBody : undefined,
	};
}

/** @returns the request for one item */
export function requestOf(
	{ method, path, repeatable }: Operation,
	input: ItemInput,
): ServiceRequest {
	const { settings, body, id = '' } = input;
	const sent = settings.customBody ?? (Object.keys(body).length > 0 ? body : undefined);
	return {
		method,
		path: path.replace('{id}', encodeURIComponent(id)),
		query: { ...input.query, ...settings.queryParameters },
		body: sent,
		bodyOptional: method !== 'GET',
		repeatable,
		timeout: settings.timeout,
		maxRetries: settings.maxRetries,
	};
}
