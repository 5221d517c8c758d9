/**
 * Writes the types of the contract, and then everything that is generated, or nothing else if any of it cannot be made; `npm test`
 * fails while something is out of date.
 *
 *     npm run generate [-- --types]       only the types, with which an operation that the node lacks can be written
 *     npm run generate [-- --pictures]    also the pictures of the documentation (a real n8n, Chromium)
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { allOrNothing } from './allOrNothing.mts';
import { differences } from './contract/offered.mts';
import { contractTypes, TYPES_FILE } from './contract/types.mts';
import { ROOT } from './demo/build.mts';
import { BLOCKS, renewed } from './docs/blocks.mts';
import { SCHEMA_FOLDER, writeSchemas } from './engine/schemas.mts';
import { onPage, PAGE } from './model/simulation.mts';
import { runNpm } from './processes.mts';

function node(args: string[], env: NodeJS.ProcessEnv = {}): void {
	const options = { cwd: ROOT, stdio: 'inherit' as const, env: { ...process.env, ...env } };
	execFileSync(process.execPath, args, options);
}

/** Names that are saved in workflows, and displayed fields, as n8n's engine sees them in the build */
const SNAPSHOTS: Record<string, string> = {
	'test/contract/contract.test.mts': 'test/contract/publicNames.txt',
	'test/package/display.test.mts': 'test/package/shownFields.txt',
};

async function generate(): Promise<void> {
	await writeSchemas();
	for (const file of pages) {
		const path = join(ROOT, file);
		writeFileSync(path, renewed(file, readFileSync(path, 'utf8')));
	}
	writeFileSync(PAGE, await onPage(readFileSync(PAGE, 'utf8')));
	await runNpm(['run', 'build'], { cwd: ROOT });
	// Only what writes: other tests of these files may still fail
	const written = ['--update=all', '-t', 'npm run generate', ...Object.keys(SNAPSHOTS)];
	node(['node_modules/vitest/vitest.mjs', 'run', ...written]);
}

const pages = [...new Set(BLOCKS.map((block) => block.file))];
const fromRoot = [...pages, ...Object.values(SNAPSHOTS)].map((path) => join(ROOT, path));

writeFileSync(TYPES_FILE, await contractTypes());
if (process.argv.includes('--types')) process.exit();
const found = differences();
if (found.length > 0) {
	console.error('Only contract/types.d.ts is written, because the contract and the node differ:');
	console.error(found.join('\n'));
	process.exit(1);
}
await allOrNothing([SCHEMA_FOLDER, PAGE, ...fromRoot], generate);
if (process.argv.includes('--pictures')) {
	const pictures = ['test/n8n/main.mts', '--variant', 'pictures'];
	node(['--import', 'tsx', ...pictures], { UPDATE_PICTURES: '1' });
}
