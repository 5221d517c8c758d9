import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { defined } from '../defined.mts';
import { core, description, PACKAGE_FOLDER } from './engine.mts';
import { needs } from './helpers.mts';
import { makeSchemas, SCHEMA_FOLDER, schemaFile } from './schemas.mts';
import { TABLE } from './table.mts';

const BUILT_NODE = join(PACKAGE_FOLDER, 'dist/nodes/SearchVisibility');

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

it('there is a preview wherever the contract says something certain; "npm run generate" writes them', () => {
	expect(filesIn(SCHEMA_FOLDER)).toEqual(Object.keys(made).sort());
	const without = [...TABLE.keys()].filter((name) => !(schemaFile(name) in made));
	expect(without).toEqual([
		'action.generate',
		'indexing.inspect',
		'indexing.notify',
		'keyword.getCluster',
		'prompt.unarchive',
	]);
});

const operations = [...TABLE.keys()].map((name) => ({ name, file: schemaFile(name) }));

describe.each(operations.filter(({ file }) => file in made))(
	'the output preview $file',
	({ name, file }) => {
		it('agrees with the contract', () => {
			expect(readFileSync(join(SCHEMA_FOLDER, file), 'utf8')).toBe(made[file]);
		});

		it('is found by n8n in the build', (context) => {
			needs('output previews in n8n-core', context);
			const version = description.version as number;
			const [resource = '', operation = ''] = name.split('.');
			const ref = { nodeDir: BUILT_NODE, version, resource, operation };
			expect(core.loadOutputSchema(ref)).toEqual(JSON.parse(defined(made[file])));
		});
	},
);

it("an output preview shows the contract's fields of records, and what the node knows of confirmations", () => {
	// Contract 2.10: of a keyword's fields, only the names of the sort keys are known
	expect(fieldsOf('keyword.getAll')).toEqual(['id']);
	expect(fieldsOf('competitor.getAll')).toEqual(['id', 'name', 'domain', 'createdAt', 'updatedAt']);
	expect(fieldsOf('keyword.archive')).toEqual(['id', 'archived']);
	expect(fieldsOf('workspace.get')).toHaveLength(10);
});
