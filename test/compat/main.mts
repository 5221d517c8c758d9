/**
 * Runs the engine tests with the engines of several versions of n8n, which are installed once into the cache.
 *
 *     npm run test:compat [-- VERSION …]    some of them, such as 1.123.0
 */
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { ROOT } from '../demo/build.mts';
import { cacheFolder, once, quiet, step } from '../n8n/install.mts';
import { versionOf, VERSIONS, type Version } from '../n8n/versions.mts';
import { runNpm } from '../processes.mts';

const vitest = dirname(createRequire(import.meta.url).resolve('vitest/package.json'));

/** @returns the folder with n8n's packages */
async function install({ engine }: Version): Promise<string> {
	const folder = join(cacheFolder(), `n8n-core-${engine['n8n-core']}`);
	await once(folder, async (cwd) => {
		await writeFile(join(cwd, 'package.json'), JSON.stringify({ dependencies: engine }));
		const args = ['install', '--ignore-scripts', '--legacy-peer-deps', ...quiet];
		await step(`n8n-core ${engine['n8n-core']}`, console.log, () => runNpm(args, { cwd }));
	});
	return join(folder, 'node_modules');
}

const names = process.argv.slice(2);
const chosen = names.length > 0 ? names.map(versionOf) : VERSIONS;
const failed: string[] = [];
for (const version of chosen) {
	console.log(`\nThe engine of n8n ${version.version}`);
	const env = {
		...process.env,
		COMPAT_ENGINE: await install(version),
		COMPAT_VERSIONS: JSON.stringify(version.engine),
		// Some tests wait for longer than a timer can
		NODE_NO_WARNINGS: '1',
	};
	const args = [join(vitest, 'vitest.mjs'), 'run', '--reporter=dot', 'test/engine'];
	const { status } = spawnSync(process.execPath, args, { cwd: ROOT, env, stdio: 'inherit' });
	if (status !== 0) failed.push(version.version);
}
if (failed.length > 0) throw new Error(`Failed with n8n ${failed.join(', ')}`);
