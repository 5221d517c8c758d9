import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { defined } from '../defined.mts';
import { ROOT } from '../demo/build.mts';
import { core, description } from './engine.mts';
import { needs } from './helpers.mts';
import { makeSchemas, SCHEMA_FOLDER, schemaFile } from './schemas.mts';
import { TABLE } from './table.mts';

const BUILT_NODE = join(ROOT, 'dist/nodes/SearchVisibility');

const filesIn = (folder: string) =>
	readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.map((name) => name.replaceAll('\\', '/'))
		.filter((name) => name.endsWith('.json'))
		.sort();

const made = await makeSchemas();
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
		const ref = { nodeDir: BUILT_NODE, version, resource, operation };
		expect(core.loadOutputSchema(ref)).toEqual(JSON.parse(defined(made[file])));
	});
});
