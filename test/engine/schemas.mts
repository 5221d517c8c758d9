import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { format, resolveConfig } from 'prettier';

import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { anId, CASES, type OperationCase } from './cases.mts';
import { PACKAGE_FOLDER, run } from './engine.mts';

/**
 * The previews of what each operation puts out, which n8n shows before a node has run.
 *
 *     npx tsx test/engine/schemas.mts    writes them anew, from outputs of the built node
 */

export interface Schema {
	type: string | string[];
	properties?: Record<string, Schema>;
	items?: Schema;
}

export const SCHEMA_FOLDER = join(PACKAGE_FOLDER, 'nodes/SearchVisibility/__schema__');

/** @returns the path of a preview inside the folder of all previews, as n8n looks for it */
export const schemaFile = ({
	resource,
	operation,
}: Pick<OperationCase, 'resource' | 'operation'>) => `v1.0.0/${resource}/${operation}.json`;

const typeOf = (value: unknown): string =>
	value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

/** @returns what all of the values have in common and what only some have; null comes last, since n8n shows the first */
export function inferSchema(values: unknown[]): Schema {
	const found = new Set(values.map(typeOf));
	const types = [...found].filter((type) => type !== 'null').sort();
	if (found.has('null')) types.push('null');
	const objects = values.filter((value) => typeOf(value) === 'object') as IDataObject[];
	const names = new Set(objects.flatMap(Object.keys));
	const elements = values.filter(Array.isArray).flat();
	const properties = [...names].map((name) => {
		const having = objects.filter((one) => name in one);
		return [name, inferSchema(having.map((one) => one[name]))];
	});
	return {
		type: types.length === 1 ? types[0] : types,
		...(objects.length > 0 && { properties: Object.fromEntries(properties) }),
		...(elements.length > 0 && { items: inferSchema(elements) }),
	};
}

const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/** More calls, where those of the cases do not show all that an output can have. */
const MORE_CALLS: Record<string, (sandbox: Sandbox) => INodeParameters[]> = {
	'action.create': (sandbox) => [
		{ type: 'other', title: 'A note', additionalFields: { shortDescription: 'With evidence' } },
		{ type: 'update_article', articleId: byId(anId(sandbox, 'article')), ...EDIT },
		{ type: 'earn_link', backlinkId: byId(anId(sandbox, 'backlink')) },
		{ type: 'reply_thread', citationId: byId(anId(sandbox, 'citedPage')) },
		{ type: 'track_competitor', competitorId: byId(anId(sandbox, 'competitor')) },
	],
	'backlink.getAll': () => [
		{ type: 'mine', returnAll: true },
		{ type: 'all', returnAll: true },
	],
	'citedPage.getAll': () => [{ type: 'all', returnAll: true }],
	'citedPage.summarize': () => [
		{ period: 'last28Days' },
		{ period: 'last7Days', comparePrevious: false, filters: { domain: 'nobody' } },
	],
	'indexing.notify': () => [
		{ type: 'URL_UPDATED', url: PAGE },
		{ type: 'URL_DELETED', url: PAGE },
		{ type: 'URL_DELETED', url: PAGE },
	],
};

const PAGE = 'https://www.northwind-tea.example/blog/old';
const EDIT = { title: 'New year', additionalInstructions: 'Change the year' };

function callsOf({ resource, operation, parameters }: OperationCase, sandbox: Sandbox) {
	const first = parameters(sandbox);
	const all = operation === 'getAll' ? [{ ...first, returnAll: true, filters: {} }] : [];
	const more = MORE_CALLS[`${resource}.${operation}`]?.(sandbox) ?? [];
	return [first, ...all, ...more].map((call) => ({ resource, operation, ...call }));
}

/** Gives records the fields that they can have and the seeded ones do not. */
function complete(sandbox: Sandbox): void {
	const articleId = anId(sandbox, 'article');
	sandbox.edit('question', anId(sandbox, 'question', isNew), { articleId });
	// Not the first ones, for which actions are created
	const lastId = (kind: 'backlink' | 'competitor') => [...sandbox.state.all(kind)].at(-1)?.id;
	sandbox.discover.action({ type: 'publish_article', articleId });
	sandbox.discover.action({ type: 'earn_link', backlinkId: lastId('backlink') });
	sandbox.discover.action({ type: 'track_competitor', competitorId: lastId('competitor') });
	const fanoutQueryIds = [anId(sandbox, 'fanoutQuery')];
	for (const { id } of sandbox.state.all('action')) sandbox.edit('action', id, { fanoutQueryIds });
	sandbox.edit('action', anId(sandbox, 'action', isNew), {
		description: 'Explain the leaves',
		additionalInstructions: 'Without jargon',
		categoryId: anId(sandbox, 'category'),
	});
}

const isNew = ({ status, archivedAt }: { status: string; archivedAt: string | null }) =>
	status === 'new' && !archivedAt;

async function outputsOf(testCase: OperationCase, sandbox: Sandbox): Promise<IDataObject[]> {
	const outputs: IDataObject[] = [];
	sandbox.reset();
	complete(sandbox);
	for (const parameters of callsOf(testCase, sandbox)) {
		const { json, error } = await run(sandbox, { parameters });
		if (error) throw error;
		outputs.push(...json);
	}
	return outputs;
}

/** @returns the previews by path, as they are to be written */
export async function makeSchemas(): Promise<Record<string, string>> {
	const sandbox = await startSandbox();
	const config = await resolveConfig(join(SCHEMA_FOLDER, 'any.json'));
	const files: Record<string, string> = {};
	try {
		for (const testCase of CASES) {
			const schema = { ...inferSchema(await outputsOf(testCase, sandbox)), version: 1 };
			const text = JSON.stringify(schema, null, '\t');
			files[schemaFile(testCase)] = await format(text, { ...config, parser: 'json' });
		}
	} finally {
		await sandbox.close();
	}
	return files;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const files = await makeSchemas();
	rmSync(SCHEMA_FOLDER, { recursive: true, force: true });
	for (const [name, text] of Object.entries(files)) {
		const path = join(SCHEMA_FOLDER, name);
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, text);
	}
	console.log(`${Object.keys(files).length} previews written to ${SCHEMA_FOLDER}`);
}
