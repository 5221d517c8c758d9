import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { CASES, OPERATION_COUNT } from './cases.mts';
import { core, description, PACKAGE_FOLDER } from './engine.mts';
import { needs } from './parts.mts';
import { inferSchema, makeSchemas, SCHEMA_FOLDER, schemaFile } from './schemas.mts';

const BUILT_NODE = join(PACKAGE_FOLDER, 'dist/nodes/SearchVisibility');

const filesIn = (folder: string) =>
	(existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [])
		.filter((name) => name.endsWith('.json'))
		.sort();

let made: Record<string, string>;
beforeAll(async () => {
	made = await makeSchemas();
});

it('there is a preview for every operation, and no other', () => {
	expect(CASES).toHaveLength(OPERATION_COUNT);
	expect(filesIn(SCHEMA_FOLDER)).toEqual(CASES.map(schemaFile).sort());
});

describe.each(CASES.map((testCase) => ({ file: schemaFile(testCase), testCase })))(
	'$file',
	({ file, testCase: { resource, operation } }) => {
		it('shows what the operation puts out; "npm run schemas" writes it anew', () => {
			expect(readFileSync(join(SCHEMA_FOLDER, file), 'utf8')).toBe(made[file]);
		});

		it('is an object with fields, as n8n wants it', () => {
			const schema = JSON.parse(made[file]) as { properties: object };
			expect(schema).toMatchObject({ type: 'object', version: 1 });
			expect(Object.keys(schema.properties).length).toBeGreaterThan(0);
		});

		it('is found by n8n in the build', (context) => {
			needs('output previews in n8n-core', context);
			const version = description.version as number;
			const ref = { nodeDir: BUILT_NODE, version, resource, operation };
			expect(core.loadOutputSchema(ref)).toEqual(JSON.parse(made[file]));
		});
	},
);

describe('a simplified output', () => {
	it.each(['workspace/get', 'action/create', 'action/getAll'])('of %s has 10 fields', (name) => {
		const schema = JSON.parse(made[`v1.0.0/${name}.json`]) as { properties: object };
		expect(Object.keys(schema.properties)).toHaveLength(10);
	});
});

describe('what is inferred', () => {
	it.each([
		['one value', ['a'], { type: 'string' }],
		['null after the other types', [null, 'a'], { type: ['string', 'null'] }],
		['several types', [true, 1, 'a'], { type: ['boolean', 'number', 'string'] }],
		[
			'fields that only some have',
			[{ a: 1 }, { b: 'x', a: null }],
			{
				type: 'object',
				properties: { a: { type: ['number', 'null'] }, b: { type: 'string' } },
			},
		],
		['lists', [['a'], [1]], { type: 'array', items: { type: ['number', 'string'] } }],
		['empty lists', [[]], { type: 'array' }],
		[
			'lists of objects',
			[[{ a: 1 }], [{ a: 'x' }, { b: [] }]],
			{
				type: 'array',
				items: {
					type: 'object',
					properties: { a: { type: ['number', 'string'] }, b: { type: 'array' } },
				},
			},
		],
	])('%s', (_name, values, schema) => {
		expect(inferSchema(values)).toEqual(schema);
	});
});
