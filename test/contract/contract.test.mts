import type { INodeProperties } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import * as resources from '../../nodes/SearchVisibility/resources/index.ts';
import type { Field } from '../../nodes/shared/parameters/field.ts';
import { defined } from '../defined.mts';
import { loadedNode } from '../engine/engine.mts';
import { fieldsIn, sentFields } from '../engine/table.mts';
import { contract, operationsOf, resolved, type Parameter, type Schema } from './document.mts';

/** What the compiler cannot see: whether the node offers everything that the contract has (mistakes.mts is the rest). */

/** Without the operations that the node composes of several requests, because they are not endpoints. */
const operations = resources.RESOURCES.flatMap((resource) => resource.operations).filter(
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
const documented = new Map<string, Place>();
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

function choicesOf({ property: { type, options = [] } }: Field): string[] {
	if (type !== 'options' && type !== 'multiOptions') return [];
	return options.map((option) => String((option as { value: string }).value));
}

const offered = new Map<string, Place>();
for (const operation of operations) {
	const { method, path, returns, allTypes: lists } = operation;
	const name = `${method} ${path}`;
	offered.set(name, NONE);
	// Pages, which the node reads itself
	const pages = returns === 'list' ? ['offset', 'limit'] : [];
	for (const one of pages) offered.set(`${name} query ${one}`, NONE);
	for (const field of sentFields(operation)) {
		const { property, sendIn } = field;
		offered.set(`${name} ${sendIn} ${property.name}`, {
			// With lists, the node itself offers all of them together
			choices: choicesOf(field).filter((choice) => !lists || choice !== 'all'),
			byDefault: lists && property.default === 'all' ? undefined : property.default,
			isRequired: property.required ?? false,
		});
	}
}

describe('the node', () => {
	it('offers every endpoint of the contract once, with every parameter and field, and no others', () => {
		expect([...offered.keys()].sort()).toEqual([...documented.keys()].sort());
		expect(offered.size).toBeGreaterThan(60);
		const names = operations.map(({ method, path }) => `${method} ${path}`);
		expect(new Set(names).size).toBe(names.length);
	});

	it.each([...documented])('agrees with the contract about %s', (name, { choices, ...place }) => {
		const ours = defined(offered.get(name));
		expect([...ours.choices].sort()).toEqual([...choices].sort());
		// The node may ask for more than the contract requires
		if (place.isRequired) expect(ours.isRequired).toBe(true);
		if (typeof place.byDefault === 'string' && choices.length > 0 && ours.byDefault) {
			expect(ours.byDefault).toBe(place.byDefault);
		}
	});
});

/** Everything about a parameter that a saved workflow may contain. */
function lineFor(path: string, { type, default: usual, options = [] }: INodeProperties): string {
	const isChoice = type === 'options' || type === 'multiOptions';
	const values = isChoice ? options.map((option) => (option as { value: string }).value) : [];
	const choices = values.length > 0 ? ` (${values.join(', ')})` : '';
	return `${path}: ${type}${choices} = ${JSON.stringify(usual)}`;
}

it('what workflows save changes only on purpose (npm run generate)', async () => {
	const lines = ['searchVisibility', 'searchVisibilityTrigger'].flatMap((type) => {
		const { name, version, credentials, properties } = loadedNode(type).description;
		const credential = credentials?.map((one) => one.name).join();
		return [
			`${name}, version ${String(version)}, ${credential}`,
			...fieldsIn(properties).map((one) => lineFor(...one)),
			'',
		];
	});
	await expect(lines.join('\n')).toMatchFileSnapshot('publicNames.txt');
});
