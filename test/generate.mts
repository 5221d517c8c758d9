/**
 * Writes everything that is generated; `npm test` fails while something of it is out of date.
 *
 *     npm run generate [-- --pictures]    also the pictures of the documentation (a real n8n, Chromium)
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { contractTypes, TYPES_FILE } from './contract/types.mts';
import { ROOT } from './demo/build.mts';
import { BLOCKS, renewed } from './docs/blocks.mts';
import { writeSchemas } from './engine/schemas.mts';
import { onPage, PAGE } from './model/simulation.mts';
import { runNpm } from './processes.mts';

function node(args: string[], env: NodeJS.ProcessEnv = {}): void {
	const options = { cwd: ROOT, stdio: 'inherit' as const, env: { ...process.env, ...env } };
	execFileSync(process.execPath, args, options);
}

writeFileSync(TYPES_FILE, await contractTypes());
await writeSchemas();
for (const file of new Set(BLOCKS.map((block) => block.file))) {
	const path = join(ROOT, file);
	writeFileSync(path, renewed(file, readFileSync(path, 'utf8')));
}
writeFileSync(PAGE, await onPage(readFileSync(PAGE, 'utf8')));
await runNpm(['run', 'build'], { cwd: ROOT });
// Names that are saved in workflows, and displayed fields, as n8n's engine sees them in the build
const snapshots = ['test/contract/contract.test.mts', 'test/package/display.test.mts'];
// Only what writes: other tests of these files may still fail
const written = ['--update=all', '-t', 'npm run generate', ...snapshots];
node(['node_modules/vitest/vitest.mjs', 'run', ...written]);
if (process.argv.includes('--pictures')) {
	const pictures = ['test/n8n/main.mts', '--variant', 'pictures'];
	node(['--import', 'tsx', ...pictures], { UPDATE_PICTURES: '1' });
}
