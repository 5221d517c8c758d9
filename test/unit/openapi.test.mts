import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import {
	assumptionsOf,
	contract,
	operationsOf,
	resolved,
	type OpenApi,
	type Parameter,
	type Schema,
} from '../contract/document.mts';
import { contractTypes, TYPES_FILE } from '../contract/types.mts';
import { openapi as sandboxDocument } from '../sandbox/openapi.mts';
import { FOLDER } from './packed.mts';

/** contract/openapi.yaml: what is made from it, and what says the same as it. */

const names = (document: OpenApi) => operationsOf(document).map(([name]) => name);

it('the types are those of the contract (npm run contract:types writes them)', async () => {
	expect(readFileSync(TYPES_FILE, 'utf8')).toBe(await contractTypes());
}, 60_000);

describe('the contract', () => {
	it('names the section of each operation', () => {
		for (const [name, operation] of operationsOf(contract)) {
			expect(operation['x-section'], name).toMatch(/^4\.\d+$/);
		}
	});

	it('tells of each assumption the section, what is open, and what is assumed', () => {
		const assumptions = assumptionsOf(contract);
		expect(assumptions.length).toBeGreaterThan(50);
		for (const { place, text } of assumptions) {
			expect(text, place).toMatch(/^\d+(\.\d+)?(, \d+(\.\d+)?)*: [^;]+; [^;]+$/);
		}
	});

	it('has the endpoints that the readme lists', () => {
		const readme = readFileSync(join(FOLDER, 'README.md'), 'utf8');
		const rows = [...readme.matchAll(/^\| ([A-Z]+) \| `(\/[^`]+)` \|/gm)];
		const listed = new Set(rows.map(([, method, path]) => `${method} ${path}`));
		expect([...listed].sort()).toEqual(names(contract).sort());
	});
});

/** What a document says of its endpoints, one sentence each. */
function factsOf(document: OpenApi): Set<string> {
	const facts = new Set<string>();
	const schemaOf = (schema: Schema) => resolved<Schema>(document, schema);
	const bodySchema = (content?: Record<string, { schema: Schema }>) =>
		content && schemaOf(content['application/json'].schema);

	const describeValue = (schema: Schema): string => {
		const { type, enum: values, format, minimum, maximum, default: byDefault, items } = schema;
		return [
			items ? `list of ${describeValue(schemaOf(items))}` : [type ?? 'any'].flat().join(' or '),
			format && `as ${format}`,
			values && `of ${[...values].sort().join(', ')}`,
			minimum !== undefined && `from ${minimum}`,
			maximum !== undefined && `to ${maximum}`,
			byDefault !== undefined && `else ${String(byDefault)}`,
		]
			.filter(Boolean)
			.join(' ');
	};
	const addBodyFields = (where: string, { properties = {}, required = [] }: Schema): void => {
		for (const [name, field] of Object.entries(properties)) {
			const isRequired = required.includes(name) ? '' : ', optional';
			facts.add(`${where} takes ${name}${isRequired}: ${describeValue(schemaOf(field))}`);
		}
	};
	const addAnswerFields = (where: string, { properties = {}, items }: Schema): void => {
		if (items) addAnswerFields(where, schemaOf(items));
		for (const [name, field] of Object.entries(properties)) {
			facts.add(`${where}.${name}`);
			addAnswerFields(`${where}.${name}`, schemaOf(field));
		}
	};

	for (const [name, operation] of operationsOf(document)) {
		facts.add(`${name} is ${operation.operationId}`);
		for (const one of operation.parameters ?? []) {
			const parameter = resolved<Parameter>(document, one);
			if (parameter.in !== 'query') continue;
			facts.add(`${name} ?${parameter.name}: ${describeValue(schemaOf(parameter.schema))}`);
		}
		const { requestBody } = operation;
		if (requestBody) {
			facts.add(`${name} takes a body${requestBody.required ? '' : ', or none'}`);
			addBodyFields(name, bodySchema(requestBody.content) ?? {});
		}
		for (const [status, one] of Object.entries(operation.responses)) {
			const { content } = resolved<{ content?: Record<string, { schema: Schema }> }>(document, one);
			facts.add(`${name} answers ${status}${content ? '' : ' without a body'}`);
			if (status < '300') addAnswerFields(`${name} gives `, bodySchema(content) ?? {});
		}
	}
	return facts;
}

/** Facts of one document that the other lacks, by the reason for it. */
const ONLY_IN_CONTRACT = {
	'Open whether these stand inside urlNotificationMetadata; the sandbox puts them there': [
		'POST /v1/gsc/index gives .latestRemove',
		'POST /v1/gsc/index gives .latestRemove.notifyTime',
		'POST /v1/gsc/index gives .latestRemove.type',
		'POST /v1/gsc/index gives .latestRemove.url',
		'POST /v1/gsc/index gives .latestUpdate',
		'POST /v1/gsc/index gives .latestUpdate.notifyTime',
		'POST /v1/gsc/index gives .latestUpdate.type',
		'POST /v1/gsc/index gives .latestUpdate.url',
	],
	'IDs of citations are UUIDs': ['POST /v1/actions takes citationId, optional: string as uuid'],
	'Described by a pattern, or as any text': [
		'POST /v1/forum-opportunities takes url: string',
		'POST /v1/gsc/index takes url: string',
		'POST /v1/gsc/inspect takes url: string',
	],
	'Values that are known beside any other text': ['GET /v1/actions ?types: list of any'],
};
const ONLY_IN_SANDBOX = {
	'It refuses what it does not know, also where nothing can be given': [
		'DELETE /v1/backlinks/{id} answers 400',
		'DELETE /v1/categories/{id} answers 400',
		'DELETE /v1/competitors/{id} answers 400',
		'DELETE /v1/forum-opportunities/{id} answers 400',
		'DELETE /v1/keywords/{id} answers 400',
		'DELETE /v1/people-also-ask/{id} answers 400',
		'GET /v1/keywords/{id}/cluster answers 400',
		'GET /v1/workspace answers 400',
		'PATCH /v1/backlinks/{id}/unarchive answers 400',
		'PATCH /v1/keywords/{id}/unarchive answers 400',
	],
	'It takes any text, and finds nothing': ['POST /v1/actions takes citationId, optional: string'],
	'It has a format of its own': [
		'POST /v1/forum-opportunities takes url: string as web-address',
		'POST /v1/gsc/index takes url: string as web-address',
		'POST /v1/gsc/inspect takes url: string as web-address',
	],
	'It takes any text, as the contract says': ['GET /v1/actions ?types: list of string'],
};

describe('the document of the sandbox', () => {
	const ours = [...factsOf(contract)];
	const theirs = [...factsOf(sandboxDocument as unknown as OpenApi)];
	const without = (facts: string[], others: string[]) =>
		facts.filter((fact) => !others.includes(fact)).sort();
	const expected = (reasons: Record<string, string[]>) => Object.values(reasons).flat().sort();

	it('says what the contract says', () => {
		expect(without(ours, theirs)).toEqual(expected(ONLY_IN_CONTRACT));
		expect(without(theirs, ours)).toEqual(expected(ONLY_IN_SANDBOX));
	});
});
