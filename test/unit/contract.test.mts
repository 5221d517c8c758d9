import type { INodeProperties } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { Field, Operation } from '../../nodes/SearchVisibility/operation.ts';
import { OPERATION_COUNT } from '../engine/cases.mts';
import { description } from '../engine/engine.mts';
import { openapi } from '../sandbox/openapi.mts';
import { actionTypes } from '../sandbox/types.mts';
import { resources } from './built.mts';

const { RESOURCES } = resources;

interface Schema {
	type?: string;
	enum?: string[];
	default?: unknown;
	items?: Schema;
	properties?: Record<string, Schema>;
	required?: string[];
	$ref?: string;
}

interface DocumentedOperation {
	parameters?: Array<{ name: string; in: string; schema: Schema }>;
	requestBody?: { content: { 'application/json': { schema: Schema } } };
}

interface Document {
	paths: Record<string, Record<string, DocumentedOperation>>;
	components: { schemas: Record<string, Schema> };
}

const documentCopy = () => structuredClone(openapi) as unknown as Document;

/** One place that carries a value: in the document, or in the node. */
interface Place {
	values?: string[];
	byDefault?: unknown;
	required: boolean;
}

/** What one endpoint takes, as "query name" and "body name". */
type Endpoint = Record<string, Place>;
type Endpoints = Record<string, Endpoint>;

/** The document takes any text here, as the contract says; its values are still those of an enum. */
const OPEN_ENUMS: Record<string, readonly string[]> = {
	'GET /v1/actions query types': actionTypes,
};

function documented({ paths, components }: Document): Endpoints {
	const resolve = ({ $ref, ...schema }: Schema): Schema =>
		$ref ? components.schemas[$ref.split('/').pop() as string] : schema;
	const place = (schema: Schema, required: boolean, open?: readonly string[]): Place => ({
		values: open ? [...open] : (schema.items ?? schema).enum,
		byDefault: schema.default,
		required,
	});
	const endpoints: Endpoints = {};
	for (const [path, methods] of Object.entries(paths)) {
		for (const [method, { parameters = [], requestBody }] of Object.entries(methods)) {
			const name = `${method.toUpperCase()} ${path}`;
			const endpoint: Endpoint = (endpoints[name] = {});
			for (const parameter of parameters.filter((one) => one.in === 'query')) {
				const key = `query ${parameter.name}`;
				endpoint[key] = place(parameter.schema, false, OPEN_ENUMS[`${name} ${key}`]);
			}
			const body = resolve(requestBody?.content['application/json'].schema ?? {});
			for (const [field, schema] of Object.entries(body.properties ?? {})) {
				const isRequired = body.required?.includes(field) ?? false;
				endpoint[`body ${field}`] = place(resolve(schema), isRequired);
			}
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
			return [`${method} ${path.replace(/\{\w+\}/g, '{id}')}`, endpoint];
		}),
	);
}

/** Everything in which the node and the document differ, one sentence each. */
function differences(document: Document, operations: Operation[]): string[] {
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
		return Object.keys(left).filter((name) => name in right);
	};
	for (const name of compare('', asked, given)) {
		for (const field of compare(`${name} `, asked[name], given[name])) {
			const [contract, node] = [asked[name][field], given[name][field]];
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
/** Without what the node composes of several requests: that is no endpoint. */
const operations = all.filter(({ compose }) => !compose);

describe('the node and the document of the service', () => {
	it('are the same in endpoints, parameters, bodies and choices', () => {
		expect(differences(documentCopy(), operations)).toEqual([]);
	});

	it('have 29 endpoints, each in one operation', () => {
		const names = operations.map(({ method, path }) => `${method} ${path}`);
		expect(new Set(names).size).toBe(29);
		expect(names).toHaveLength(29);
	});

	it('have endpoints for what the node composes, and parameters for what it sends for it', () => {
		const asked = documented(documentCopy());
		const composed = all.filter(({ compose }) => compose);
		expect(composed.length).toBe(OPERATION_COUNT - 29);
		for (const { method, path, fields } of composed) {
			const sent = flat(fields).filter(({ sendIn }) => sendIn !== 'nothing');
			const names = sent.map(({ property, sendIn }) => `${sendIn} ${property.name}`);
			expect(Object.keys(asked[`${method} ${path}`])).toEqual(expect.arrayContaining(names));
		}
	});

	it('have the choices of the node that are never sent only where lists are joined', () => {
		for (const { fields, lists } of all) {
			const notSent = flat(fields).flatMap((field) => field.notSent ?? []);
			expect(notSent).toEqual(lists ? ['all'] : []);
		}
	});

	it('have an id in the path wherever the node asks for a record', () => {
		for (const { path, fields } of operations) {
			const inPath = flat(fields).filter(({ sendIn }) => sendIn === 'path');
			const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
			expect(
				inPath.map(({ property }) => property.name),
				path,
			).toEqual(names);
			for (const { property } of inPath) expect(property.required, path).toBe(true);
		}
	});

	const citations = '/v1/ai-visibility/citations';
	const parameter = (document: Document, path: string, name: string) =>
		document.paths[path].get.parameters?.find((one) => one.name === name) as { schema: Schema };
	const schemaOf = (document: Document, name: string) =>
		document.components.schemas[name] as Required<Schema>;

	const mutations: Array<[string, (document: Document) => void, string]> = [
		[
			'an endpoint without an operation',
			({ paths }) => (paths['/v1/categories'] = { get: {} }),
			'GET /v1/categories: only in the document',
		],
		[
			'an operation without an endpoint',
			({ paths }) => delete paths['/v1/gsc/inspect'],
			'POST /v1/gsc/inspect: only in the node',
		],
		[
			'another method',
			({ paths }) => {
				const { patch } = paths['/v1/backlinks/{id}/update'];
				paths['/v1/backlinks/{id}/update'] = { put: patch };
			},
			'PUT /v1/backlinks/{id}/update: only in the document',
		],
		[
			'a query parameter that the node cannot send',
			({ paths }) =>
				paths[citations].get.parameters?.push({ name: 'platform', in: 'query', schema: {} }),
			`GET ${citations} query platform: only in the document`,
		],
		[
			'a query parameter that only the node sends',
			({ paths }) => paths['/v1/keywords'].get.parameters?.splice(2, 2),
			'GET /v1/keywords query type: only in the node',
		],
		[
			'a list without pages',
			({ paths }) => paths['/v1/people-also-ask'].get.parameters?.splice(0, 1),
			'GET /v1/people-also-ask query offset: only in the node',
		],
		[
			'a body field that the node cannot send',
			(document) => (schemaOf(document, 'CreateAction').properties.dueDate = { type: 'string' }),
			'POST /v1/actions body dueDate: only in the document',
		],
		[
			'a body field that only the node sends',
			(document) => delete schemaOf(document, 'CreateAction').properties.slug,
			'POST /v1/actions body slug: only in the node',
		],
		[
			'a required field that the node leaves to the user',
			(document) => schemaOf(document, 'CreateAction').required.push('title'),
			'POST /v1/actions body title: not required in the node',
		],
		[
			'a choice that the node lacks',
			(document) => parameter(document, citations, 'type').schema.enum?.push('ignored'),
			`GET ${citations} query type ignored: only in the document`,
		],
		[
			'a choice that only the node has',
			(document) => parameter(document, '/v1/keywords', 'sortBy').schema.enum?.pop(),
			'GET /v1/keywords query sortBy aiScore: only in the node',
		],
		[
			'an action type that only the node has',
			(document) => schemaOf(document, 'CreateAction').properties.type.enum?.pop(),
			'POST /v1/actions body type other: only in the node',
		],
		[
			'a choice inside a list',
			(document) =>
				parameter(document, '/v1/forum-opportunities', 'status').schema.items?.enum?.push('done'),
			'GET /v1/forum-opportunities query status done: only in the document',
		],
		[
			'choices where the node takes any text',
			(document) => (parameter(document, citations, 'domain').schema.enum = ['example.com']),
			`GET ${citations} query domain: choices on one side only`,
		],
		[
			'another default',
			(document) => (parameter(document, '/v1/competitors', 'scope').schema.default = 'all'),
			"GET /v1/competitors query scope: the node's default is tracked",
		],
	];

	it.each(mutations)('would not go unnoticed: %s', (_name, mutate, difference) => {
		const document = documentCopy();
		mutate(document);
		expect(differences(document, operations)).toContain(difference);
	});
});

/** Blueprint section 2: these names are saved in users' workflows. A name inside a collection stands after a dot. */
const COMMON = [
	'options.concurrency',
	'options.maxRetries',
	'options.queryParameters',
	'options.timeout',
];
const LIST = ['returnAll', 'limit', ...COMMON];
const SORT = ['sort.sortBy', 'sort.sortOrder'];

const PUBLIC: Record<string, Record<string, string[]>> = {
	workspace: { get: ['simplify', ...COMMON] },
	keyword: {
		create: ['keywords', 'options.batchSize', 'options.customBody', ...COMMON],
		getAll: ['type', 'filters.competitorId', 'filters.keyword', ...SORT, ...LIST],
		archive: ['keywordId', ...COMMON],
		unarchive: ['keywordId', ...COMMON],
		getCluster: ['keywordId', ...COMMON],
	},
	competitor: {
		create: ['domain', 'options.customBody', 'options.ifExists', ...COMMON],
		getAll: ['scope', ...LIST],
		delete: ['competitorId', ...COMMON],
	},
	forumOpportunity: {
		create: ['title', 'url', 'additionalFields.competitorId', ...COMMON],
		getAll: ['filters.competitorId', 'filters.status', ...LIST],
		update: ['forumOpportunityId', 'status', ...COMMON],
		archive: ['forumOpportunityId', ...COMMON],
	},
	question: {
		getAll: ['filters.status', ...LIST],
		update: ['questionId', 'status', ...COMMON],
		archive: ['questionId', ...COMMON],
	},
	backlink: {
		getAll: ['type', 'filters.competitorId', 'filters.domainFrom', ...SORT, ...LIST],
		archive: ['backlinkId', ...COMMON],
		unarchive: ['backlinkId', ...COMMON],
		update: ['backlinkId', 'status', 'options.customBody', ...COMMON],
	},
	category: {
		update: ['categoryId', 'name', ...COMMON],
		delete: ['categoryId', ...COMMON],
	},
	citedPage: {
		getAll: ['type', 'filters.domain', 'filters.endDate', 'filters.startDate', ...SORT, ...LIST],
		summarize: [
			'period',
			'startDate',
			'endDate',
			'comparePrevious',
			'filters.domain',
			'filters.platforms',
			'options.top',
			...COMMON,
		],
	},
	action: {
		create: [
			'type',
			'title',
			'additionalInstructions',
			'articleId',
			'backlinkId',
			'citationId',
			'competitorId',
			'simplify',
			'additionalFields.additionalInstructions',
			'additionalFields.categoryId',
			'additionalFields.description',
			'additionalFields.fanoutQueryIds',
			'additionalFields.keywordIds',
			'additionalFields.shortDescription',
			'additionalFields.slug',
			'options.customBody',
			'options.ifExists',
			...COMMON,
		],
		getAll: ['simplify', 'filters.search', 'filters.status', 'filters.types', ...LIST],
		generate: ['actionId', 'options.customBody', ...COMMON],
	},
	indexing: {
		notify: ['url', 'type', ...COMMON],
		inspect: ['url', 'options.customBody', ...COMMON],
	},
	prompt: { unarchive: ['promptId', ...COMMON] },
};

const valuesOf = ({ options = [] }: INodeProperties) =>
	options.map((option) => String((option as { value: string }).value));

function namesOf(property: INodeProperties): string[] {
	if (property.type !== 'collection') return [property.name];
	const inside = (property.options ?? []) as INodeProperties[];
	return inside.map(({ name }) => `${property.name}.${name}`);
}

describe('the names that workflows are saved with', () => {
	const { properties } = description;
	const resource = properties.find(({ name }) => name === 'resource') as INodeProperties;
	const shownFor = (resourceValue: string) =>
		properties.filter(({ displayOptions }) =>
			displayOptions?.show?.resource?.includes(resourceValue),
		);

	it('are of 11 resources and 30 operations', () => {
		expect(Object.keys(PUBLIC)).toHaveLength(11);
		expect(Object.values(PUBLIC).flatMap(Object.keys)).toHaveLength(OPERATION_COUNT);
		expect(valuesOf(resource).sort()).toEqual(Object.keys(PUBLIC).sort());
		for (const [value, of] of Object.entries(PUBLIC)) {
			const [operation, ...more] = shownFor(value).filter(({ name }) => name === 'operation');
			expect(more).toEqual([]);
			expect(valuesOf(operation).sort(), value).toEqual(Object.keys(of).sort());
		}
	});

	const all = Object.entries(PUBLIC).flatMap(([value, of]) =>
		Object.entries(of).map(([operation, names]) => ({ value, operation, names })),
	);
	it.each(all)('$value.$operation has exactly its parameters', ({ value, operation, names }) => {
		const shown = shownFor(value).filter(({ displayOptions }) =>
			displayOptions?.show?.operation?.includes(operation),
		);
		const found = new Set(shown.flatMap(namesOf));
		expect([...found].sort()).toEqual([...names].sort());
	});

	it('belong to the node n8n-nodes-search-visibility.searchVisibility, version 1', () => {
		expect(description).toMatchObject({
			name: 'searchVisibility',
			version: 1,
			credentials: [{ name: 'searchVisibilityApi', required: true }],
		});
	});
});
