import { readFileSync } from 'node:fs';

import { parse } from 'yaml';

/** The parts of the contract that the tests use. */

export interface Schema {
	$ref?: string;
	type?: string | string[];
	enum?: string[];
	default?: unknown;
	properties?: Record<string, Schema>;
	required?: string[];
	items?: Schema;
	anyOf?: Schema[];
}

export interface Parameter {
	name: string;
	in: 'path' | 'query' | 'header';
	schema: Schema;
}

type Content = Record<string, { schema: Schema }>;

export interface DescribedOperation {
	operationId: string;
	parameters?: Array<Parameter | { $ref: string }>;
	requestBody?: { content: Content };
	responses: Record<string, { content?: Content } | { $ref: string }>;
}

export interface OpenApi {
	paths: Record<string, Record<string, unknown>>;
	components: Record<string, Record<string, unknown>>;
}

export const CONTRACT = new URL('../../contract/openapi.yaml', import.meta.url);

export const contract = parse(readFileSync(CONTRACT, 'utf8')) as OpenApi;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** @returns all operations of a document, each with its name, such as "GET /v1/keywords" */
export function operationsOf({ paths }: OpenApi): Array<[string, DescribedOperation]> {
	return Object.entries(paths).flatMap(([path, item]) =>
		METHODS.filter((method) => method in item).map((method): [string, DescribedOperation] => [
			`${method.toUpperCase()} ${path}`,
			item[method] as DescribedOperation,
		]),
	);
}

/** @returns the part that a reference points to; siblings of the reference take precedence */
export function resolved<Part extends object>(
	document: OpenApi,
	part: Part | { $ref: string },
): Part {
	if (!('$ref' in part) || typeof part.$ref !== 'string') return part as Part;
	const { $ref, ...beside } = part;
	const [kind = '', name = ''] = $ref.split('/').slice(-2);
	const target = document.components[kind]?.[name] as Part | { $ref: string };
	return { ...resolved(document, target), ...beside } as Part;
}

/** @returns every assumption, with its place */
export function assumptionsOf(part: unknown, place = '#'): Array<{ place: string; text: string }> {
	if (typeof part !== 'object' || part === null) return [];
	return Object.entries(part).flatMap(([name, value]) =>
		name === 'x-assumed'
			? [value].flat().map((text) => ({ place, text: String(text) }))
			: assumptionsOf(value, `${place}/${name.replaceAll('/', '~1')}`),
	);
}
