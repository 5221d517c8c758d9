import type { INodeProperties } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { Field, Operation } from '../../nodes/SearchVisibility/operation.ts';
import {
	contract,
	operationsOf,
	resolved,
	type DescribedOperation,
	type OpenApi,
	type Parameter,
	type Schema,
} from '../contract/document.mts';
import { description } from '../engine/engine.mts';
import { resources } from './built.mts';

const { RESOURCES } = resources;

const documentCopy = () => structuredClone(contract);

/** One place that carries a value: in the document, or in the node. */
interface Place {
	values?: string[];
	byDefault?: unknown;
	required: boolean;
}

/** What one endpoint takes, as "query name" and "body name". */
type Endpoint = Record<string, Place>;
type Endpoints = Record<string, Endpoint>;

function documented(document: OpenApi): Endpoints {
	const whole = (schema: Schema) => resolved<Schema>(document, schema);
	const place = (schema: Schema, required: boolean): Place => {
		// Where the contract takes any text beside the values that it names, the node offers these
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
		const body = whole(requestBody?.content['application/json'].schema ?? {});
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
			for (const { property, sendIn } of flat(fields)) {
				if (sendIn !== 'query' && sendIn !== 'body') continue;
				endpoint[`${sendIn} ${property.name}`] = {
					values: choicesOf(property),
					byDefault: property.default,
					required: property.required ?? false,
				};
			}
			return [`${method} ${path}`, endpoint];
		}),
	);
}

/** Everything in which the node and the document differ, one sentence each. */
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

const operations = RESOURCES.flatMap((resource) => resource.operations);

describe('the node and the document of the service', () => {
	it('are the same in endpoints, parameters, bodies and choices', () => {
		expect(differences(documentCopy(), operations)).toEqual([]);
	});

	it('have 29 endpoints, each in one operation', () => {
		const names = operations.map(({ method, path }) => `${method} ${path}`);
		expect(new Set(names).size).toBe(29);
		expect(names).toHaveLength(29);
	});

	it('have an id in the path wherever the node asks for a record', () => {
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
		document.components.schemas[name] as Required<Schema>;

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
			(document) => bodyOf(document, 'CreateAction').required.push('title'),
			'POST /v1/actions body title: not required in the node',
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

	it('are of 11 resources and 29 operations', () => {
		expect(Object.keys(PUBLIC)).toHaveLength(11);
		expect(Object.values(PUBLIC).flatMap(Object.keys)).toHaveLength(29);
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
