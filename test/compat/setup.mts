import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { afterAll, expect } from 'vitest';

const require = createRequire(import.meta.url);
const PACKAGE = /^.*[\\/]node_modules[\\/](n8n-core|n8n-workflow)(?=[\\/])/;

/** Lists each copy in memory, so that a second copy of the same version is noticed too. */
function loaded(): string[] {
	const folders = Object.keys(require.cache).map((path) => PACKAGE.exec(path)?.[0]);
	const copies = [...new Set(folders)].filter((folder) => folder !== undefined);
	return copies.map((folder) => {
		const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
		return `${name} ${version}`;
	});
}

// A run with another version proves nothing
afterAll(() => expect(loaded().sort().join(', ')).toBe(process.env.COMPAT_ENGINE));
