import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { IDataObject } from 'n8n-workflow';
import { format, resolveConfig } from 'prettier';

import * as itemInput from '../../nodes/SearchVisibility/itemInput.ts';
import type { Operation } from '../../nodes/SearchVisibility/operation.ts';
import {
	contract,
	operationsOf,
	resolved,
	type DescribedOperation,
	type Schema,
} from '../contract/document.mts';
import { defined, itemAt } from '../defined.mts';
import { TABLE } from './table.mts';

/**
 * The output previews of the operations, which n8n shows before a node has run: every field of the contract's record, also
 * those that are assumed, and what the node itself adds.
 *
 *     npm run generate    writes them again
 */

export interface Preview {
	type: string | string[];
	properties?: Record<string, Preview>;
	items?: Preview | undefined;
}

export const SCHEMA_FOLDER = fileURLToPath(
	new URL('../../nodes/SearchVisibility/__schema__', import.meta.url),
);

/** @returns the path of a preview in the folder of all previews, where n8n looks for it */
export const schemaFile = (name: string) => `v1.0.0/${name.replace('.', '/')}.json`;

const object = (properties: Record<string, Preview>): Preview => ({ type: 'object', properties });
const list = (items: Preview): Preview => ({ type: 'array', items });
const text: Preview = { type: 'string' };
const number: Preview = { type: 'number' };
const orNull = ({ type }: Preview): Preview => ({ type: [type, 'null'].flat() });

const flag = { type: 'boolean' };
const share = orNull(number);
const PAGES = list(
	object({
		id: text,
		url: text,
		title: orNull(text),
		domain: text,
		isOwnDomain: flag,
		citations: number,
		platforms: list(text),
	}),
);
const COUNTED = { pages: number, citations: number, share };
const rangeOf = (name: string) => ({
	[`${name}Low`]: share,
	[`${name}High`]: share,
	isUnusual: orNull(flag),
});
const BRAND = { name: orNull(text), domain: orNull(text), isOwn: flag };

/** The lists that Summarize adds if they are included. */
export const SUMMARY_LISTS = {
	platforms: list(
		object({ platform: text, pages: number, ownPages: number, previousPages: orNull(number) }),
	),
	topDomains: list(object({ domain: text, isOwnDomain: flag, ...COUNTED })),
	topPages: PAGES,
	topOwnPages: PAGES,
	competitors: list(
		object({
			...BRAND,
			...COUNTED,
			shareOfVoice: share,
			shareChange: share,
			...rangeOf('usual'),
		}),
	),
	gainedPages: PAGES,
	lostPages: PAGES,
	lostOwnPages: PAGES,
};

/** Operations whose output the node itself makes. */
export const OWN_OUTPUTS: Record<string, Record<string, Preview>> = {
	'citedPage.summarize': {
		workspaceName: orNull(text),
		brandName: orNull(text),
		startDate: text,
		endDate: text,
		ownShare: share,
		ownShareChange: share,
		...rangeOf('ownShareUsual'),
		citations: number,
		ownCitations: number,
		pages: number,
		ownPages: number,
		pagesGained: number,
		pagesLost: orNull(number),
		citationsChange: orNull(number),
		ownCitationsChange: orNull(number),
		pagesChange: orNull(number),
		ownPagesChange: orNull(number),
		days: number,
		previousStartDate: orNull(text),
		previousEndDate: orNull(text),
		previousCitations: orNull(number),
		previousOwnCitations: orNull(number),
		previousOwnShare: share,
		previousPages: orNull(number),
		previousOwnPages: orNull(number),
		silentPlatforms: orNull(text),
		...SUMMARY_LISTS,
		workspaceId: orNull(text),
	},
	'keyword.create': { submitted: number, count: number, skipped: number },
	'backlink.update': { id: text, status: text },
};

/** @returns a schema in n8n's form */
function previewOf(schema: Schema): Preview {
	const { type = 'object', properties, items } = resolved<Schema>(contract, schema);
	const types = [type].flat().map((one) => (one === 'integer' ? 'number' : one));
	const preview: Preview = { type: types.length === 1 ? itemAt(types, 0) : types };
	if (items) return { ...preview, items: previewOf(items) };
	if (types[0] !== 'object') return preview;
	const fields = Object.entries(properties ?? {}).map(([name, field]) => [name, previewOf(field)]);
	return { ...preview, properties: Object.fromEntries(fields) as Record<string, Preview> };
}

const DESCRIBED = new Map(operationsOf(contract));

/** @returns the preview of one record of the answer, without its envelope */
export function recordOf(of: Pick<Operation, 'method' | 'path'>): Record<string, Preview> {
	const { responses } = DESCRIBED.get(`${of.method} ${of.path}`) as DescribedOperation;
	const success = responses[200] ?? responses[201];
	const { content } = resolved<{ content?: Record<string, { schema: Schema }> }>(
		contract,
		defined(success),
	);
	const preview = previewOf(defined(content?.['application/json']).schema);
	const record = preview.items ?? preview.properties?.data?.properties?.items?.items ?? preview;
	return defined(record.properties);
}

const ANYTHING = new Proxy({}, { has: () => true, get: (_, name) => name });

/** @returns the fields that "Simplify" keeps of a record that has all of them; undefined if it keeps everything */
export const simpleFieldsOf = ({ simplify }: Operation) =>
	simplify && Object.keys(simplify(ANYTHING));

/** @returns the output of an operation whose answer has no body */
export function certainOf({ path, toOutput: result }: Operation): IDataObject {
	const id = path.includes('{id}') ? { id: '' } : {};
	return { ...id, ...result?.(undefined, itemInput.newInput(0), false) };
}

const ownFieldsOf = (operation: Operation) => {
	const own = Object.entries(certainOf(operation));
	return Object.fromEntries(own.map(([key, value]) => [key, { type: typeof (value ?? '') }]));
};

/** @returns whether the node puts fields of its own in front of any answer */
export const isAddedTo = ({ returns, toOutput: result }: Operation) =>
	returns === 'unknown' &&
	Object.keys(result?.({ answer: '' }, itemInput.newInput(0), false) ?? {}).length > 1;

/** @returns the preview of an operation */
function outputOf(name: string, operation: Operation): Preview {
	const { returns, allTypes: lists } = operation;
	if (name in OWN_OUTPUTS) return object(defined(OWN_OUTPUTS[name]));
	if (returns === 'nothing') return object(ownFieldsOf(operation));
	const record = recordOf(operation);
	if (isAddedTo(operation)) return object({ ...ownFieldsOf(operation), ...record });
	const fields = simpleFieldsOf(operation) ?? Object.keys(record);
	const shown = fields.filter((field) => field in record).map((field) => [field, record[field]]);
	return object({
		...(Object.fromEntries(shown) as Record<string, Preview>),
		...(lists && { listType: text }),
	});
}

/** @returns the text of the previews by path */
export async function makeSchemas(): Promise<Record<string, string>> {
	const config = await resolveConfig(join(SCHEMA_FOLDER, 'any.json'));
	const files: Record<string, string> = {};
	for (const [name, operation] of TABLE) {
		const preview = outputOf(name, operation);
		const text = JSON.stringify({ ...preview, version: 1 }, null, '\t');
		files[schemaFile(name)] = await format(text, { ...config, parser: 'json' });
	}
	return files;
}

export async function writeSchemas(): Promise<void> {
	rmSync(SCHEMA_FOLDER, { recursive: true, force: true });
	for (const [name, text] of Object.entries(await makeSchemas())) {
		const path = join(SCHEMA_FOLDER, name);
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, text);
	}
}
