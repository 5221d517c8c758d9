import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { FOLDER, readPacked } from './packed.mts';

/** n8n's own scan of community packages: the checks of a published package that need no registry. */

/** The scan has no type declarations. */
const SCANNER = '@n8n/scan-community-package/scanner/scanner.mjs';

interface Scanner {
	analyzePackage(
		folder: string,
		patterns: string[],
	): Promise<{ passed: boolean; details?: string }>;
	SOURCE_FILE_PATTERNS: string[];
}

/** The published files that the scan looks at. */
const PACKED_FILE_PATTERNS = ['**/*.js', 'package.json'];

const PASSED = { passed: true };

describe("n8n's scan of community packages", () => {
	let scanner: Scanner;
	let folder: string;

	beforeAll(async () => {
		// In its own tests, a plugin of the scan takes every file for a node
		vi.stubEnv('NODE_ENV', 'production');
		scanner = (await import(SCANNER)) as Scanner;
		folder = mkdtempSync(join(tmpdir(), 'search-visibility-scan-'));
		const { files } = await readPacked();
		for (const { path } of files) cpSync(join(FOLDER, path), join(folder, path));
	}, 60_000);

	afterAll(() => {
		rmSync(folder, { recursive: true, force: true });
		vi.unstubAllEnvs();
	});

	it('passes what is packed', async () => {
		expect(await scanner.analyzePackage(folder, PACKED_FILE_PATTERNS)).toEqual(PASSED);
	});

	it('passes the source', async () => {
		expect(await scanner.analyzePackage(FOLDER, scanner.SOURCE_FILE_PATTERNS)).toEqual(PASSED);
	});

	it('does not pass a script that uses timers', async () => {
		writeFileSync(join(folder, 'dist', 'nodes', 'added.js'), 'setTimeout(() => 1, 1);\n');
		const added = ['**/added.js', 'package.json'];
		const { passed, details } = await scanner.analyzePackage(folder, added);
		expect(passed).toBe(false);
		expect(details).toContain('no-restricted-globals');
	});
});
