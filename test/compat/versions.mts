import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { cacheFolder, once, quiet, step } from '../n8n/install.mts';
import { runNpm, type Log } from '../processes.mts';

/** A version of n8n, and the versions of its engine packages. */
export interface Version {
	n8n: string;
	core: string;
	workflow: string;
}

/** From old to new. The oldest is the minimum version in the documentation. */
export const VERSIONS: Version[] = [
	{ n8n: '1.123.0', core: '1.122.0', workflow: '1.120.0' },
	{ n8n: '1.123.81', core: '1.122.48', workflow: '1.120.31' },
	{ n8n: '2.0.3', core: '2.0.2', workflow: '2.0.1' },
	{ n8n: '2.20.12', core: '2.20.6', workflow: '2.20.3' },
	{ n8n: '2.41.1', core: '2.41.1', workflow: '2.41.0' },
];

/**
 * Installs n8n's engine into the cache, once.
 * @returns the folder with its packages
 */
export async function installEngine({ core, workflow }: Version, log: Log): Promise<string> {
	const folder = join(cacheFolder(), `n8n-core-${core}`);
	await once(folder, async (temporary) => {
		const dependencies = { 'n8n-core': core, 'n8n-workflow': workflow };
		const packageJson = JSON.stringify({ private: true, dependencies });
		await writeFile(join(temporary, 'package.json'), packageJson);
		const options = ['--ignore-scripts', '--legacy-peer-deps', ...quiet];
		await step(`n8n-core ${core}`, log, async () => {
			await runNpm(['install', ...options], { cwd: temporary });
		});
	});
	return join(folder, 'node_modules');
}
