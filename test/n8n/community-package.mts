import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runNpm } from './processes.mts';

const run = promisify(execFile);

interface PackageJson {
	name: string;
	version: string;
	dependencies?: Record<string, string>;
	[field: string]: unknown;
}

/**
 * Installs a package from the tarball of `npm pack` into a stopped n8n. The steps are those of the editor's own
 * "Install community node", except that the tarball is not downloaded from the registry. Returns the package's name.
 *
 * n8n loads every package that it finds in that folder. Its database row (`installed_packages`) is needed only for the
 * list under Settings > Community nodes, so none is written.
 */
export async function installCommunityPackage(
	userFolder: string,
	tarball: string,
	node: string,
): Promise<string> {
	const nodesFolder = join(userFolder, '.n8n', 'nodes');
	const { name } = await readPackageJson(tarball);
	const folder = join(nodesFolder, 'node_modules', name);
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	await run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
	await installDependencies(folder, node);
	await writeLedger(nodesFolder, folder);
	return name;
}

async function readPackageJson(tarball: string): Promise<PackageJson> {
	const { stdout } = await run('tar', ['-xzOf', tarball, 'package/package.json']);
	return JSON.parse(stdout);
}

async function installDependencies(folder: string, node: string): Promise<void> {
	const path = join(folder, 'package.json');
	// n8n removes these three as well, so a community package must work without them
	const { devDependencies, peerDependencies, optionalDependencies, ...kept } = JSON.parse(
		await readFile(path, 'utf8'),
	);
	await writeFile(path, JSON.stringify(kept, null, 2));
	if (Object.keys(kept.dependencies ?? {}).length === 0) return;
	const options = ['--ignore-scripts', '--bin-links=false', '--install-strategy=shallow'];
	await runNpm(
		[
			'install',
			'--no-audit',
			'--no-fund',
			'--package-lock=false',
			'--legacy-peer-deps=false',
		].concat(options),
		{ node, cwd: folder },
	);
}

/** n8n's own list of installed packages. */
async function writeLedger(nodesFolder: string, packageFolder: string): Promise<void> {
	const path = join(nodesFolder, 'package.json');
	const ledger = await readFile(path, 'utf8')
		.then((text) => JSON.parse(text))
		.catch(() => ({ name: 'installed-nodes', private: true }));
	const { name, version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'));
	ledger.dependencies = { ...ledger.dependencies, [name]: version };
	await writeFile(path, JSON.stringify(ledger, null, 2));
}
