import type { IExecuteFunctions } from 'n8n-workflow';

import type { ServiceRequest } from '../shared/request/client';
import type { Parameter, Value } from '../shared/parameters/parameter';
import { readParameters } from '../shared/parameters/readParameters';
import type { ItemInput, Operation } from './operation';
import { optionsOf } from './resources/options';
import { settingsIn } from './settings';

/**
 * Reads and checks the parameters of one input item.
 * @throws InvalidValue that names the parameter
 */
export function readInput(context: IExecuteFunctions, operation: Operation, itemIndex: number) {
	const input = newInput(itemIndex);
	input.values['@tool'] = isTool(context);
	// Options come first, because Split At decides how keywords are read
	const parameters = [...optionsOf(operation), ...operation.parameters];
	readParameters(parameters, (name) => context.getNodeParameter(name, itemIndex, null), {
		values: input.values,
		put: (parameter, value) => put(input, parameter, value),
		lookUp: (parameter, url) => input.lookups.push({ parameter, url }),
		isExpression: (name) => String(context.getNode().parameters[name]).startsWith('='),
	});
	operation.check?.(input);
	const item = context.getInputData()[itemIndex]?.json ?? {};
	return { ...input, item, settings: settingsIn(input.values) };
}

/** @returns whether an AI agent uses the node as a tool. In n8n 1.123, only the type of the node shows this */
export const isTool = (context: IExecuteFunctions) =>
	context.getNode().type.endsWith('Tool') || context.isToolExecution?.() === true;

export const newInput = (itemIndex: number): ItemInput => ({
	itemIndex,
	item: {},
	values: {},
	settings: settingsIn({}),
	query: {},
	body: {},
	lookups: [],
});

export function put(input: ItemInput, { property, sendIn }: Parameter, value: Value): void {
	const { name } = property;
	input.values[name] = value;
	if (sendIn === 'path') input.id = String(value);
	// The contract accepts lists in a query as comma-separated values (section 4)
	if (sendIn === 'query')
		input.query[name] = Array.isArray(value) ? value.join(',') : String(value);
	if (sendIn === 'body') input.body[name] = value;
}

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
	};
}
