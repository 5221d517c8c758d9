import type { INodeProperties } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { Field } from '../../nodes/shared/parameters/field.ts';
import type { Operation } from '../../nodes/SearchVisibility/operation.ts';
import {
	contract,
	operationsOf,
	resolved,
	type DescribedOperation,
	type OpenApi,
	type Parameter,
	type Schema,
} from './document.mts';
import { defined } from '../defined.mts';
import { loadedNode } from '../engine/engine.mts';
import * as resources from '../../nodes/SearchVisibility/resources/index.ts';

const { RESOURCES } = resources;

const documentCopy = () => structuredClone(contract);

/** One place for a value, in the document or in the node. */
interface Place {
	values?: string[] | undefined;
	byDefault?: unknown;
	required: boolean;
}

/** The parameters of one endpoint, as "query name" and "body name". */
type Endpoint = Record<string, Place>;
type Endpoints = Record<string, Endpoint>;

function documented(document: OpenApi): Endpoints {
	const whole = (schema: Schema) => resolved<Schema>(document, schema);
	const place = (schema: Schema, required: boolean): Place => {
		// If the contract accepts any text in addition to certain values, the node offers those
		const { anyOf: [named] = [], ...one } = whole(schema.items ?? schema);
		return { values: (named ? whole(named) : one).enum, byDefault: schema.default, required };
	};
	const endpoints: Endpoints = {};
	for (const [name, { parameters = [], requestBody }] of operationsOf(document)) {
		const endpoint: Endpoint = (endpoints[name] = {});
		for (const one of parameters) {
			const { name: parameter, in: where, schema } = resolved<Parameter>(document, one);
			if (where === 'query') endpoint[`query ${parameter}`] = place(schema, false);
		}
		const body = whole(requestBody?.content['application/json']?.schema ?? {});
		for (const [field, schema] of Object.entries(body.properties ?? {})) {
			const isRequired = body.required?.includes(field) ?? false;
			endpoint[`body ${field}`] = place(whole(schema), isRequired);
		}
	}
	return endpoints;
}

const flat = (fields: Field[]): Field[] =>
	fields.flatMap((field) => [field, ...flat(field.fields ?? [])]);

const choicesOf = ({ type, options = [] }: INodeProperties): string[] | undefined =>
	type === 'options' || (type === 'multiOptions' && options.length > 0)
		? options.map((option) => String((option as { value: string }).value))
		: undefined;

function offered(operations: Operation[]): Endpoints {
	const paging = { 'query offset': { required: false }, 'query limit': { required: false } };
	return Object.fromEntries(
		operations.map(({ method, path, fields, answer }) => {
			const endpoint: Endpoint = answer === 'list' ? { ...paging } : {};
			for (const { property, sendIn, notSent = [] } of flat(fields)) {
				if (sendIn !== 'query' && sendIn !== 'body') continue;
				endpoint[`${sendIn} ${property.name}`] = {
					values: choicesOf(property)?.filter((value) => !notSent.includes(value)),
					byDefault: property.default,
					required: property.required ?? false,
				};
			}
			return [`${method} ${path}`, endpoint];
		}),
	);
}

/** All differences between the node and the document, one sentence each. */
function differences(document: OpenApi, operations: Operation[]): string[] {
	const asked = documented(document);
	const given = offered(operations);
	const found: string[] = [];
	const compare = <T,>(where: string, left: Record<string, T>, right: Record<string, T>) => {
		for (const name of Object.keys(left)) {
			if (!(name in right)) found.push(`${where}${name}: only in the document`);
		}
		for (const name of Object.keys(right)) {
			if (!(name in left)) found.push(`${where}${name}: only in the node`);
		}
		return Object.keys(left).flatMap((name) => {
			const [one, other] = [left[name], right[name]];
			return one && other ? [[name, one, other] as const] : [];
		});
	};
	for (const [name, ...endpoints] of compare('', asked, given)) {
		for (const [field, contract, node] of compare(`${name} `, ...endpoints)) {
			const where = `${name} ${field}`;
			if (contract.required && !node.required) found.push(`${where}: not required in the node`);
			if (!contract.values !== !node.values) found.push(`${where}: choices on one side only`);
			if (!contract.values || !node.values) continue;
			for (const value of contract.values) {
				if (!node.values.includes(value)) found.push(`${where} ${value}: only in the document`);
			}
			for (const value of node.values) {
				if (!contract.values.includes(value)) found.push(`${where} ${value}: only in the node`);
			}
			if (typeof contract.byDefault === 'string' && contract.byDefault !== node.byDefault) {
				found.push(`${where}: the node's default is ${String(node.byDefault)}`);
			}
		}
	}
	return found;
}

const all = RESOURCES.flatMap((resource) => resource.operations);
/** Without the operations that the node composes of several requests, because they are not endpoints. */
const operations = all.filter(({ compose }) => !compose);

describe('the node and the document of the service', () => {
	it('have the same endpoints, parameters, bodies and choices', () => {
		expect(differences(documentCopy(), operations)).toEqual([]);
	});

	it('have each endpoint in one operation', () => {
		const names = operations.map(({ method, path }) => `${method} ${path}`);
		expect(new Set(names).size).toBe(names.length);
	});

	it('have the endpoints and parameters that composed operations use', () => {
		const asked = documented(documentCopy());
		const composed = all.filter(({ compose }) => compose);
		expect(composed.map(({ value }) => value)).toEqual(['summarize']);
		for (const { method, path, fields } of composed) {
			const sent = flat(fields).filter(({ sendIn }) => sendIn !== 'nothing');
			const names = sent.map(({ property, sendIn }) => `${sendIn} ${property.name}`);
			expect(Object.keys(defined(asked[`${method} ${path}`]))).toEqual(
				expect.arrayContaining(names),
			);
		}
	});

	it('have choices that are never sent only where lists are joined', () => {
		for (const { fields, lists } of all) {
			const notSent = flat(fields).flatMap((field) => field.notSent ?? []);
			expect(notSent).toEqual(lists ? ['all'] : []);
		}
	});

	it('have an ID in the path wherever the node asks for a record', () => {
		for (const { path, fields } of operations) {
			const inPath = flat(fields).filter(({ sendIn }) => sendIn === 'path');
			expect(inPath, path).toHaveLength(path.includes('{id}') ? 1 : 0);
			for (const { property } of inPath) expect(property.required, path).toBe(true);
		}
	});

	const citations = '/v1/ai-visibility/citations';
	const operationOf = (document: OpenApi, wanted: string) =>
		new Map(operationsOf(document)).get(wanted) as DescribedOperation;
	const parametersOf = (document: OpenApi, wanted: string) =>
		operationOf(document, wanted).parameters as Parameter[];
	const schemaOf = (document: OpenApi, wanted: string, name: string) =>
		parametersOf(document, wanted).find((one) => one.name === name)?.schema as Schema;
	const bodyOf = (document: OpenApi, name: string) =>
		defined(document.components.schemas)[name] as Required<Schema>;

	const mutations: Array<[string, (document: OpenApi) => void, string]> = [
		[
			'an endpoint without an operation',
			({ paths }) => (paths['/v1/categories'] = { get: { responses: {} } }),
			'GET /v1/categories: only in the document',
		],
		[
			'an operation without an endpoint',
			({ paths }) => delete paths['/v1/gsc/inspect'],
			'POST /v1/gsc/inspect: only in the node',
		],
		[
			'a query parameter that the node cannot send',
			(document) =>
				parametersOf(document, `GET ${citations}`).push({
					name: 'platform',
					in: 'query',
					schema: {},
				}),
			`GET ${citations} query platform: only in the document`,
		],
		[
			'a list without pages',
			(document) => parametersOf(document, 'GET /v1/people-also-ask').splice(0, 1),
			'GET /v1/people-also-ask query offset: only in the node',
		],
		[
			'a body field that the node cannot send',
			(document) => (bodyOf(document, 'CreateAction').properties.dueDate = { type: 'string' }),
			'POST /v1/actions body dueDate: only in the document',
		],
		[
			'a required field that the node leaves to the user',
			(document) => bodyOf(document, 'CreateAction').required.push('slug'),
			'POST /v1/actions body slug: not required in the node',
		],
		[
			'a choice that the node lacks',
			(document) => schemaOf(document, `GET ${citations}`, 'type').enum?.push('ignored'),
			`GET ${citations} query type ignored: only in the document`,
		],
		[
			'a choice that only the node has',
			(document) => schemaOf(document, 'GET /v1/keywords', 'sortBy').enum?.pop(),
			'GET /v1/keywords query sortBy aiScore: only in the node',
		],
		[
			'a choice inside a list',
			(document) => bodyOf(document, 'TriageStatus').enum.push('done'),
			'GET /v1/forum-opportunities query status done: only in the document',
		],
		[
			'choices where the node takes any text',
			(document) => (schemaOf(document, `GET ${citations}`, 'domain').enum = ['example.com']),
			`GET ${citations} query domain: choices on one side only`,
		],
		[
			'another default',
			(document) => (schemaOf(document, 'GET /v1/competitors', 'scope').default = 'all'),
			"GET /v1/competitors query scope: the node's default is tracked",
		],
	];

	it.each(mutations)('would not go unnoticed: %s', (_name, mutate, difference) => {
		const document = documentCopy();
		mutate(document);
		expect(differences(document, operations)).toContain(difference);
	});
});

/** One line for each parameter, with everything about it that a saved workflow may contain. */
function namesIn(properties: INodeProperties[], parent = ''): string[] {
	return properties.flatMap((property) => {
		const { name, type, default: usual, options = [], displayOptions } = property;
		const { resource, operation } = displayOptions?.show ?? {};
		const place = parent || [resource, operation].flat().filter(Boolean).join('.');
		const isChoice = type === 'options' || type === 'multiOptions';
		const values = isChoice && options.map((option) => (option as { value: string }).value);
		const line = [
			place && `${place} >`,
			`${name}: ${type}`,
			values && values.length > 0 && `(${values.join(', ')})`,
			`= ${JSON.stringify(usual)}`,
		];
		const inner = options.flatMap((option) => ('values' in option ? option.values : []));
		const inside = type === 'collection' ? (options as INodeProperties[]) : inner;
		return [line.filter(Boolean).join(' '), ...namesIn(inside, `${place} > ${name}`)];
	});
}

it('what workflows save changes only on purpose', async () => {
	const lines = ['searchVisibility', 'searchVisibilityTrigger'].flatMap((type) => {
		const { name, version, credentials, properties } = loadedNode(type).description;
		const credential = credentials?.map((one) => one.name).join();
		return [
			`${name}, version ${String(version)}, ${credential}`,
			...namesIn(properties).sort(),
			'',
		];
	});
	await expect(lines.join('\n')).toMatchFileSnapshot('publicNames.txt');
});
