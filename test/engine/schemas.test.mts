import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { contract, type Schema } from '../contract/document.mts';
import { defined } from '../defined.mts';
import { ROOT } from '../demo/build.mts';
import { core, description } from './engine.mts';
import { needs } from './helpers.mts';
import { makeSchemas, SCHEMA_FOLDER, schemaFile } from './schemas.mts';
import { TABLE } from './table.mts';

const filesIn = (folder: string) =>
	readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.map((name) => name.replaceAll('\\', '/'))
		.filter((name) => name.endsWith('.json'))
		.sort();

const made = await makeSchemas();
const fieldsOf = (name: string) => {
	const { properties } = JSON.parse(defined(made[schemaFile(name)])) as { properties: object };
	return Object.keys(properties);
};

const operations = [...TABLE.keys()].map((name) => ({ name, file: schemaFile(name) }));

it('every operation has an output preview; "npm run generate" writes them', () => {
	expect(filesIn(SCHEMA_FOLDER)).toEqual(operations.map(({ file }) => file).sort());
});

describe.each(operations)('the output preview $file', ({ name, file }) => {
	it('agrees with the contract', () => {
		expect(readFileSync(join(SCHEMA_FOLDER, file), 'utf8')).toBe(made[file]);
	});

	it('is found by n8n in the build', (context) => {
		needs('output previews in n8n-core', context);
		const version = description.version as number;
		const [resource = '', operation = ''] = name.split('.');
		const nodeDir = join(ROOT, 'dist/nodes/SearchVisibility');
		const ref = { nodeDir, version, resource, operation };
		expect(core.loadOutputSchema(ref)).toEqual(JSON.parse(defined(made[file])));
	});
});

/** The record of the contract that an operation returns as it is, with the node's own fields around it. */
const RECORDS: Array<[schema: string, names: string[], before?: string[], after?: string[]]> = [
	['Keyword', ['keyword.getAll']],
	['ClusterKeyword', ['keyword.getCluster']],
	['Competitor', ['competitor.getAll', 'competitor.create']],
	[
		'ForumOpportunity',
		['forumOpportunity.getAll', 'forumOpportunity.create', 'forumOpportunity.update'],
	],
	['Question', ['question.getAll', 'question.update']],
	['Backlink', ['backlink.getAll'], [], ['listType']],
	['Category', ['category.update']],
	['CitedPage', ['citedPage.getAll'], [], ['listType']],
	['Action', ['action.generate']],
	['Notification', ['indexing.notify'], ['url', 'type', 'received']],
	['Inspection', ['indexing.inspect']],
	['Prompt', ['prompt.unarchive']],
];

it.each(RECORDS)(
	'an output preview has every field of a %s of the contract: %j',
	(schema, names, before = [], after = []) => {
		const { properties } = defined(contract.components.schemas?.[schema]) as Schema;
		const all = Object.keys(defined(properties));
		expect(all.length).toBeGreaterThan(0);
		for (const name of names) expect(fieldsOf(name)).toEqual([...before, ...all, ...after]);
	},
);

it('the other output previews have what "Simplify" keeps, or what the node knows', () => {
	expect(fieldsOf('workspace.get')).toHaveLength(10);
	const simple =
		'id type title status shortDescription articleId backlinkId citationId competitorId createdAt';
	for (const name of ['action.create', 'action.getAll'])
		expect(fieldsOf(name).join(' ')).toBe(simple);
	const named = new Set(RECORDS.flatMap(([, names]) => names));
	const others = [...TABLE.keys()].filter((name) => !named.has(name));
	for (const name of others.filter((one) => /archive|delete|backlink.update/.test(one))) {
		expect(fieldsOf(name)[0]).toBe('id');
		expect(fieldsOf(name)).toHaveLength(2);
	}
});
