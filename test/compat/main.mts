/**
 * Runs the engine tests with the engines of several versions of n8n, which are installed once into the cache.
 *
 *     npm run test:compat [-- VERSION …]    some of them, such as 1.123.0
 */
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ROOT } from '../demo/build.mts';
import { CACHE, once, quiet, step } from '../n8n/install.mts';
import { versionOf, VERSIONS } from '../n8n/versions.mts';
import { runNpm } from '../processes.mts';

const names = process.argv.slice(2);
const chosen = names.length > 0 ? names.map(versionOf) : VERSIONS;
const failed: string[] = [];
for (const { version, engine } of chosen) {
	console.log(`\nThe engine of n8n ${version}`);
	const name = `n8n-core-${engine['n8n-core']}`;
	await once(join(CACHE, name), async (cwd) => {
		await writeFile(join(cwd, 'package.json'), JSON.stringify({ dependencies: engine }));
		const install = ['install', '--ignore-scripts', '--legacy-peer-deps', ...quiet];
		await step(name, console.log, () => runNpm(install, { cwd }));
	});
	const env = {
		...process.env,
		COMPAT_ENGINE: join(CACHE, name, 'node_modules'),
		COMPAT_VERSIONS: JSON.stringify(engine),
		// Some tests wait for longer than a timer can
		NODE_NO_WARNINGS: '1',
	};
	const args = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=dot', 'test/engine'];
	const { status } = spawnSync(process.execPath, args, { cwd: ROOT, env, stdio: 'inherit' });
	if (status !== 0) failed.push(version);
}
if (failed.length > 0) throw new Error(`Failed with n8n ${failed.join(', ')}`);
