import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { ROOT } from './demo/build.mts';
import { runNpm } from './processes.mts';

/**
 * Writes everything that is generated; `npm test` fails while something of it is out of date.
 *
 *     npm run generate [-- --pictures]    also the pictures of the documentation (a real n8n, Chromium)
 */

const vitest = join(
	dirname(createRequire(import.meta.url).resolve('vitest/package.json')),
	'vitest.mjs',
);

function node(args: string[], env: NodeJS.ProcessEnv = {}): void {
	const options = { cwd: ROOT, stdio: 'inherit' as const, env: { ...process.env, ...env } };
	execFileSync(process.execPath, args, options);
}
const script = (path: string, ...args: string[]) => node(['--import', 'tsx', path, ...args]);

// Each step uses what the one before has written
script('test/contract/types.mts');
await runNpm(['run', 'build'], { cwd: ROOT });
script('test/engine/schemas.mts');
script('test/docs/main.mts');
script('test/model/paceTable.mts');
// Names that are saved in workflows, displayed fields, and the page with the faults
const snapshots = ['contract/contract', 'package/display', 'engine/matrix'];
node([vitest, 'run', '--update=all', ...snapshots.map((name) => `test/${name}.test.mts`)], {
	THOROUGH: '1',
});
// The previews are part of the build
await runNpm(['run', 'build'], { cwd: ROOT });
if (process.argv.includes('--pictures')) {
	process.env.UPDATE_PICTURES = '1';
	script('test/n8n/main.mts', '--variant', 'editor', 'pictures');
}
