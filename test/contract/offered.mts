import * as resources from '../../nodes/SearchVisibility/resources/index.ts';
import type { Parameter as NodeParameter } from '../../nodes/shared/parameters/parameter.ts';
import { sentFields } from '../engine/table.mts';
import { contract, operationsOf, resolved, type Parameter, type Schema } from './document.mts';

/** The endpoints of the contract and of the node, with what they take. */

/** Without the operations that the node composes of several requests, because they are not endpoints. */
export const operations = resources.RESOURCES.flatMap((resource) => resource.operations).filter(
	({ execute: compose }) => !compose,
);

/** A value that an endpoint takes. */
const NONE = { choices: [] as string[], byDefault: undefined as unknown, isRequired: false };
type Place = typeof NONE;

const schemaOf = (schema: Schema) => resolved<Schema>(contract, schema);

function placeIn(schema: Schema, isRequired: boolean): Place {
	const whole = schemaOf(schema);
	// If the contract accepts any text in addition to certain values, the node offers those
	const { anyOf: [named] = [], ...one } = schemaOf(whole.items ?? whole);
	const choices = (named ? schemaOf(named) : one).enum ?? [];
	return { choices, byDefault: whole.default, isRequired };
}

/** By places such as "GET /v1/keywords query type" */
export const documented = new Map<string, Place>();
for (const [name, { parameters = [], requestBody }] of operationsOf(contract)) {
	documented.set(name, NONE);
	for (const one of parameters) {
		const { name: parameter, in: where, schema } = resolved<Parameter>(contract, one);
		if (where === 'query') documented.set(`${name} query ${parameter}`, placeIn(schema, false));
	}
	const body = schemaOf(requestBody?.content['application/json']?.schema ?? {});
	for (const [field, schema] of Object.entries(body.properties ?? {})) {
		const isRequired = body.required?.includes(field) ?? false;
		documented.set(`${name} body ${field}`, placeIn(schema, isRequired));
	}
}

function choicesOf({ property: { type, options = [] } }: NodeParameter): string[] {
	if (type !== 'options' && type !== 'multiOptions') return [];
	return options.map((option) => String((option as { value: string }).value));
}

export const offered = new Map<string, Place>();
for (const operation of operations) {
	const { method, path, returns, allTypes: lists } = operation;
	const name = `${method} ${path}`;
	offered.set(name, NONE);
	// Pages, which the node reads itself
	const pages = returns === 'list' ? ['offset', 'limit'] : [];
	for (const one of pages) offered.set(`${name} query ${one}`, NONE);
	for (const parameter of sentFields(operation)) {
		const { property, sendIn } = parameter;
		offered.set(`${name} ${sendIn} ${property.name}`, {
			// With lists, the node itself offers all of them together
			choices: choicesOf(parameter).filter((choice) => !lists || choice !== 'all'),
			byDefault: lists && property.default === 'all' ? undefined : property.default,
			isRequired: property.required ?? false,
		});
	}
}

/** @returns what only the contract or only the node has, each in a sentence with the place where it is missing */
export function differences(): string[] {
	const missing = [...documented.keys()].filter((name) => !offered.has(name));
	const unknown = [...offered.keys()].filter((name) => !documented.has(name));
	return [
		...missing.map(
			(name) => `nodes/SearchVisibility/resources/ has no ${name}, but the contract has`,
		),
		...unknown.map((name) => `contract/openapi.yaml has no ${name}, but the node has`),
	];
}
