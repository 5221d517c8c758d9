import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

import { freePort, HOST } from './instance.mts';
import {
	ended,
	killGroup,
	lastLines,
	removeFolder,
	spawnOwned,
	temporaryFolder,
	until,
} from '../processes.mts';

/** A separate Redis or PostgreSQL with its own folder, which ends with this process, however that ends. */
export interface Service {
	/** What n8n's environment needs to reach it. */
	env: Record<string, string>;
	stop: () => Promise<void>;
}

export interface Postgres extends Service {
	/** Everything in the database as SQL. */
	dump: () => Promise<Buffer>;
}

const run = promisify(execFile);
const PROGRAMS = ['redis-server', 'postgres', 'initdb', 'pg_dump'];
const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 15_000;
const LONGEST_DUMP = 1024 ** 3;

/** The program that is missing to start Redis and PostgreSQL; undefined if there is none. */
export function missingProgram(): string | undefined {
	try {
		PROGRAMS.forEach(find);
		return undefined;
	} catch (error) {
		return (error as Error).message;
	}
}

/** Starts a Redis on 127.0.0.1 with a password. */
export async function startRedis(): Promise<Service> {
	const folder = temporaryFolder('search-visibility-redis-');
	const port = await freePort();
	const password = randomBytes(16).toString('hex');
	const settings = { port, bind: HOST, save: '', appendonly: 'no', dir: folder };
	const args = Object.entries({ ...settings, requirepass: password }).flatMap(([name, value]) => [
		`--${name}`,
		String(value),
	]);
	const stop = await start([find('redis-server'), ...args], {
		...{ log: join(folder, 'redis.log'), signal: 'TERM', ready: /Ready to accept/ },
	});
	return {
		env: {
			QUEUE_BULL_REDIS_HOST: HOST,
			QUEUE_BULL_REDIS_PORT: String(port),
			QUEUE_BULL_REDIS_PASSWORD: password,
		},
		stop: async () => {
			await stop();
			removeFolder(folder);
		},
	};
}

/** Starts a PostgreSQL on 127.0.0.1. */
export async function startPostgres(): Promise<Postgres> {
	const folder = temporaryFolder('search-visibility-postgres-');
	const user = unprivileged();
	if (user) chownSync(folder, user.uid, user.gid);
	const data = join(folder, 'data');
	const access = ['--username=n8n', '--auth=trust', '--encoding=UTF8', '--locale=C'];
	await run(find('initdb'), ['-D', data, '--no-sync', ...access], { cwd: folder, ...user });
	const port = await freePort();
	const settings = {
		port,
		listen_addresses: HOST,
		// In a long temporary folder, the path would be too long for a socket
		unix_socket_directories: '',
		fsync: 'off',
	};
	const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
	const log = join(folder, 'postgres.log');
	const stop = await start([find('postgres'), '-D', data, ...args], {
		log,
		// It ends at once; TERM would wait for clients to disconnect
		signal: 'QUIT',
		ready: /database system is ready to accept connections/,
		cwd: folder,
		...user,
	});
	return {
		env: {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: HOST,
			DB_POSTGRESDB_PORT: String(port),
			DB_POSTGRESDB_USER: 'n8n',
			DB_POSTGRESDB_DATABASE: 'postgres',
		},
		dump: async () => {
			const options = { encoding: 'buffer' as const, maxBuffer: LONGEST_DUMP };
			const address = ['-h', HOST, '-p', String(port), '-U', 'n8n'];
			return (await run(find('pg_dump'), [...address, 'postgres'], options)).stdout;
		},
		stop: async () => {
			await stop();
			removeFolder(folder);
		},
	};
}

/** Looks where Debian keeps PostgreSQL, newest version first, and in PATH. */
function find(program: string): string {
	const versions = '/usr/lib/postgresql';
	const newestFirst = existsSync(versions)
		? readdirSync(versions).sort((a, b) => Number(b) - Number(a))
		: [];
	const folders = [
		...newestFirst.map((version) => join(versions, version, 'bin')),
		...(process.env.PATH ?? '').split(delimiter),
	];
	const found = folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
	if (found !== undefined) return found;
	throw new Error(
		`${program} was not found. This test needs Redis and PostgreSQL; on Debian: ` +
			'apt-get install redis-server postgresql',
	);
}

/** PostgreSQL refuses to run as root; Debian creates a user for it. */
function unprivileged(): { uid: number; gid: number } | undefined {
	if (process.getuid?.() !== 0) return undefined;
	const user = readFileSync('/etc/passwd', 'utf8').includes('\npostgres:') ? 'postgres' : 'nobody';
	const idOf = (option: string) => Number(execFileSync('id', [option, user], { encoding: 'utf8' }));
	return { uid: idOf('-u'), gid: idOf('-g') };
}

interface ProgramOptions {
	log: string;
	/** The signal that ends the program quickly and cleanly. */
	signal: 'TERM' | 'QUIT';
	/** What its log says when it is ready. */
	ready: RegExp;
	cwd?: string;
	uid?: number;
	gid?: number;
}

/**
 * Starts a program that ends when its shell's input closes. That is a pipe from this process, which closes even when
 * this process is killed.
 * @returns what ends it
 */
async function start(command: string[], { log, signal, ready, ...options }: ProgramOptions) {
	const script = '"$@" & cat > /dev/null; kill -s "$0" $!; wait';
	const output = openSync(log, 'a');
	const shell = spawnOwned('/bin/sh', ['-c', script, signal, ...command], {
		...options,
		stdio: ['pipe', output, output],
	});
	closeSync(output);
	const said = () => readFileSync(log, 'utf8');
	await until(`${command[0]} is ready`, () => ready.test(said()), READY_TIMEOUT_MS).catch(
		(error: Error) => {
			throw new Error(`${error.message}. Its log:\n${lastLines(said(), 20)}`);
		},
	);
	return async () => {
		shell.stdin?.end();
		if (!(await ended(shell, STOP_TIMEOUT_MS))) killGroup(shell);
	};
}
