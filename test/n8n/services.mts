import { execFile, execFileSync } from 'node:child_process';
import {
	chownSync,
	closeSync,
	cpSync,
	existsSync,
	openSync,
	readdirSync,
	readFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { freePort, HOST } from './instance.mts';
import {
	ended,
	killGroup,
	lastLines,
	removeFolder,
	spawnOwned,
	temporaryFolder,
} from './processes.mts';

/** A separate Redis or PostgreSQL with its own folder. */
export interface Service {
	port: number;
	/** What n8n's environment needs to reach it. */
	env: Record<string, string>;
	stop: () => Promise<void>;
}

export interface Redis extends Service {
	/** The file to which every Redis command is written, with all its arguments. */
	commands: string;
	/** Runs redis-cli; returns its output. */
	cli: (...args: string[]) => Promise<string>;
}

export interface Postgres extends Service {
	/** Everything in the database as SQL, from Debian's pg_dump, which must not be older than the server. */
	dump: () => Promise<Buffer>;
}

const run = promisify(execFile);
const REDIS_PROGRAMS = ['redis-server', 'redis-cli'];
export const POSTGRES_PROGRAMS = ['postgres', 'initdb'];
const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 15_000;
const LONGEST_DUMP = 1024 ** 3;
const POSTGRES_READY = 'database system is ready to accept connections';

/** The program that is missing to start Redis and PostgreSQL; undefined if there is none. */
export function missingProgram(programs = [...REDIS_PROGRAMS, ...POSTGRES_PROGRAMS]) {
	try {
		programs.forEach(find);
		return undefined;
	} catch (error) {
		return (error as Error).message;
	}
}

/** Starts Debian's Redis on 127.0.0.1, optionally with a password. It ends with this process, however that ends. */
export async function startRedis({ password = '' } = {}): Promise<Redis> {
	const server = find('redis-server');
	const client = find('redis-cli');
	const folder = temporaryFolder('search-visibility-redis-');
	const port = await freePort();
	const settings = {
		port,
		bind: HOST,
		save: '',
		appendonly: 'no',
		dir: folder,
		...(password && { requirepass: password }),
	};
	const env = { ...process.env, ...(password && { REDISCLI_AUTH: password }) };
	const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
	const log = join(folder, 'redis.log');
	const program = startTied([server, ...args], { log, signal: 'TERM' });
	await waitUntil('Redis', log, async () => await accepts(port));
	const commands = join(folder, 'commands.log');
	const address = ['-h', HOST, '-p', String(port)];
	const monitor = startTied([client, ...address, 'monitor'], {
		log: commands,
		signal: 'TERM',
		env,
	});
	await waitUntil('The log of Redis', commands, () => readFileSync(commands).includes('OK'));
	return {
		port,
		env: {
			QUEUE_BULL_REDIS_HOST: HOST,
			QUEUE_BULL_REDIS_PORT: String(port),
			...(password && { QUEUE_BULL_REDIS_PASSWORD: password }),
		},
		commands,
		cli: async (...command) => (await run(client, [...address, ...command], { env })).stdout,
		stop: async () => {
			await monitor.stop();
			await program.stop();
			removeFolder(folder);
		},
	};
}

/**
 * Starts a PostgreSQL on 127.0.0.1. It ends with this process, however that ends.
 *
 * @param programs the folder with its programs, next to `lib` and `share`; if missing, Debian's are used
 */
export async function startPostgres(programs?: string): Promise<Postgres> {
	const folder = temporaryFolder('search-visibility-postgres-');
	const user = unprivileged();
	if (user) chownSync(folder, user.uid, user.gid);
	const [server, initdb] = programs
		? programsIn(programs, user && folder)
		: [find('postgres'), find('initdb')];
	const data = join(folder, 'data');
	const access = ['--username=n8n', '--auth=trust', '--encoding=UTF8', '--locale=C'];
	await run(initdb, ['-D', data, '--no-sync', ...access], { cwd: folder, ...user });
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
	const command = [server, '-D', data, ...args];
	// QUIT ends it at once; TERM would wait for clients to disconnect
	const program = startTied(command, { log, signal: 'QUIT', cwd: folder, ...user });
	await waitUntil('PostgreSQL', log, () => readFileSync(log, 'utf8').includes(POSTGRES_READY));
	return {
		port,
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
			await program.stop();
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

/** Another user may not have access to them, so for that user they are copied to an accessible folder. */
function programsIn(programs: string, copyTo?: string): [server: string, initdb: string] {
	const home = copyTo === undefined ? dirname(programs) : join(copyTo, 'programs');
	if (copyTo !== undefined) {
		cpSync(dirname(programs), home, { recursive: true, verbatimSymlinks: true });
	}
	return [join(home, 'bin', 'postgres'), join(home, 'bin', 'initdb')];
}

/** PostgreSQL refuses to run as root; Debian creates a user for it. */
function unprivileged(): { uid: number; gid: number } | undefined {
	if (process.getuid?.() !== 0) return undefined;
	const user = readFileSync('/etc/passwd', 'utf8').includes('\npostgres:') ? 'postgres' : 'nobody';
	const idOf = (option: string) => Number(execFileSync('id', [option, user], { encoding: 'utf8' }));
	return { uid: idOf('-u'), gid: idOf('-g') };
}

interface TiedOptions {
	log: string;
	/** The signal that ends the program quickly and cleanly. */
	signal: 'TERM' | 'QUIT';
	cwd?: string;
	env?: NodeJS.ProcessEnv;
	uid?: number;
	gid?: number;
}

/**
 * Starts a program that ends when its shell's input closes. That is a pipe from this process, which closes even when
 * this process is killed.
 */
function startTied(command: string[], { log, signal, ...options }: TiedOptions) {
	const script = '"$@" & cat > /dev/null; kill -s "$0" $!; wait';
	const output = openSync(log, 'a');
	const shell = spawnOwned('/bin/sh', ['-c', script, signal, ...command], {
		...options,
		stdio: ['pipe', output, output],
	});
	closeSync(output);
	return {
		stop: async () => {
			shell.stdin?.end();
			if (!(await ended(shell, STOP_TIMEOUT_MS))) killGroup(shell);
		},
	};
}

async function waitUntil(
	what: string,
	log: string,
	isSo: () => boolean | Promise<boolean>,
): Promise<void> {
	const deadline = Date.now() + READY_TIMEOUT_MS;
	while (Date.now() < deadline) {
		if (await isSo()) return;
		await sleep(100);
	}
	const said = lastLines(readFileSync(log, 'utf8'), 20);
	throw new Error(`${what} was not ready in ${READY_TIMEOUT_MS / 1000} s. Its log:\n${said}`);
}

async function accepts(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const socket = connect(port, HOST);
		socket.once('error', () => resolve(false));
		socket.once('connect', () => {
			socket.destroy();
			resolve(true);
		});
	});
}
