import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, describe, expect, it, vi } from 'vitest';

import { temporaryFolder } from '../processes.mts';
import { FOLDER } from '../docs/markdown.mts';
import { readPacked } from './packed.mts';

/** n8n's own scan of community packages: the checks of a published package that need no registry. */

// In its own tests, a plugin of the scan takes every file for a node
vi.stubEnv('NODE_ENV', 'production');
afterAll(() => void vi.unstubAllEnvs());

/** The scan has no type declarations. */
const SCANNER = '@n8n/scan-community-package/scanner/scanner.mjs';
const scanner = (await import(SCANNER)) as {
	analyzePackage(where: string, patterns: string[]): Promise<{ passed: boolean; details?: string }>;
	SOURCE_FILE_PATTERNS: string[];
};

const folder = temporaryFolder('search-visibility-scan-');
const { files } = await readPacked();
for (const { path } of files) cpSync(join(FOLDER, path), join(folder, path));

describe("n8n's scan of community packages", () => {
	it('passes what is packed, and the source', async () => {
		const packed = await scanner.analyzePackage(folder, ['**/*.js', 'package.json']);
		const source = await scanner.analyzePackage(FOLDER, scanner.SOURCE_FILE_PATTERNS);
		expect([packed, source]).toEqual([{ passed: true }, { passed: true }]);
	});

	it('does not pass a script that uses timers', async () => {
		writeFileSync(join(folder, 'dist', 'nodes', 'added.js'), 'setTimeout(() => 1, 1);\n');
		const added = ['**/added.js', 'package.json'];
		const { passed, details } = await scanner.analyzePackage(folder, added);
		expect(passed).toBe(false);
		expect(details).toContain('no-restricted-globals');
	});
});
