import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { defined } from '../defined.mts';
import { ROOT } from '../demo/build.mts';
import { core, description } from './engine.mts';
import { needs } from './helpers.mts';
import { makeSchemas, SCHEMA_FOLDER, schemaFile } from './schemas.mts';
import { TABLE } from './table.mts';

/** The output previews. That they have each field that comes out is in `operations.test.mts`. */

const made = await makeSchemas();

it('every operation has an output preview, which agrees with the contract (npm run generate)', () => {
	const files = readdirSync(SCHEMA_FOLDER, { recursive: true, encoding: 'utf8' })
		.map((name) => name.replaceAll('\\', '/'))
		.filter((name) => name.endsWith('.json'))
		.map((name) => [name, readFileSync(join(SCHEMA_FOLDER, name), 'utf8')]);
	expect(Object.fromEntries(files)).toEqual(made);
});

it.for([...TABLE.keys()])('n8n finds the output preview of %s in the build', (name, context) => {
	needs('output previews in n8n-core', context);
	const version = description.version as number;
	const [resource = '', operation = ''] = name.split('.');
	const ref = { nodeDir: join(ROOT, 'dist/nodes/SearchVisibility'), version, resource, operation };
	expect(core.loadOutputSchema(ref)).toEqual(JSON.parse(defined(made[schemaFile(name)])));
});
