import { beforeAll, expect, it } from 'vitest';

import type { Json } from '../helpers.mts';
import { VERSION } from '../variants.mts';
import { NEWEST } from '../versions.mts';
import {
	EXAMPLE_FILES,
	hasNodes,
	readExample,
	RECORDED,
	server,
	setUp,
	use,
	versionsIn,
} from './helpers.mts';

/* Which examples work in a version of n8n. */

setUp();

/** Parameters that older versions do not have and pass over, by node type. The notes of the examples say so */
const NEWER: Record<string, string[]> = {
	'@n8n/n8n-nodes-langchain.mcpTrigger': ['instructions'],
};

let types: Json[];

beforeAll(async () => {
	types = await server.types();
});

it('the versions of nodes are recorded as in this n8n', () => {
	for (const type of Object.keys(RECORDED)) {
		const same = types.filter(({ name }) => name === type);
		const versions = [...new Set(same.flatMap((one) => one.version as number))];
		expect(versionsIn(VERSION.version, type), type).toEqual(versions.sort((a, b) => a - b));
	}
});

it.each(EXAMPLE_FILES)(
	'%s is imported, and published if this n8n has its nodes, which then have their parameters',
	async (file) => {
		const { publish, id } = await use(file, { isComplete: true });
		if (!hasNodes(file)) return;
		for (const { type, typeVersion, parameters: given } of readExample(file).nodes) {
			const { properties } = types.find(
				({ name, version }) => name === type && [version].flat().includes(typeVersion),
			) as Json;
			const known = properties.map(({ name }: Json) => name);
			const newer = VERSION.version === NEWEST ? [] : (NEWER[type] ?? []);
			const expected = Object.keys(given as Json).filter((name) => !newer.includes(name));
			expect(known, type).toEqual(expect.arrayContaining(expected));
		}
		await publish();
		await server.unpublish(id);
	},
);
