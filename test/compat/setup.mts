import { readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { join } from 'node:path';

import { afterAll, expect } from 'vitest';

import { defined } from '../defined.mts';

/* Loads n8n's packages from another folder, in the tests as in the built package. */

const ENGINE = /^n8n-(core|workflow)(?=\/|$)/;
const folder = defined(process.env.COMPAT_ENGINE);

type Resolve = (request: string, parent: unknown, isMain: boolean, options?: object) => string;
const loader = Module as unknown as { _resolveFilename: Resolve };
const { _resolveFilename: resolve } = loader;
loader._resolveFilename = (request, parent, isMain, options) =>
	resolve(request, parent, isMain, ENGINE.test(request) ? { paths: [folder] } : options);

// A run with another version proves nothing
afterAll(() => {
	// Each copy in memory, so that a second one is noticed
	const paths = Object.keys(createRequire(import.meta.url).cache).map(
		(path) => /^.*[\\/]node_modules[\\/]n8n-(core|workflow)(?=[\\/])/.exec(path)?.[0],
	);
	const copies = [...new Set(paths)].filter((folder) => folder !== undefined);
	const packages = copies.map(
		(folder) =>
			JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, string>,
	);
	expect(packages.length).toBeLessThanOrEqual(2);
	const loaded = Object.fromEntries(packages.map(({ name, version }) => [name, version]));
	expect(loaded).toEqual(JSON.parse(defined(process.env.COMPAT_VERSIONS)));
});
