import { randomBytes } from 'node:crypto';
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { N8nClient, type Login } from './client.mts';
import { installCommunityPackage } from './community-package.mts';
import { ensureN8n, type InstalledN8n } from './install.mts';
import {
	ended,
	environmentFor,
	killGroup,
	lastLines,
	removeFolder,
	spawnOwned,
	temporaryFolder,
	type Log,
} from './processes.mts';

export interface StartOptions {
	/** Keeps n8n's data. Without it, a temporary folder that goes away with `stop()`. */
	userFolder?: string;
	/** A random free one when none is given. */
	port?: number;
	/** A community package from `npm pack` to install first. */
	tarball?: string;
	/** Added to n8n's environment. */
	env?: Record<string, string>;
	log?: Log;
}

/** What must stay the same when n8n starts again on the same user folder. */
interface Identity extends Login {
	encryptionKey: string;
}

const HOST = '127.0.0.1';
const START_TIMEOUT_MS = 180_000;
const STOP_TIMEOUT_MS = 15_000;

/**
 * Starts a real n8n on 127.0.0.1 with an owner who is logged in. Installs n8n the first time.
 * The server ends with this process, whatever ends it.
 */
export async function startN8n(options: StartOptions = {}): Promise<N8nServer> {
	const log = options.log ?? (() => undefined);
	// Before the install: nobody wants to wait minutes for this message
	if (options.port !== undefined) await assertFree(options.port);
	const installed = await ensureN8n(log);
	const userFolder = options.userFolder ?? temporaryFolder('n8n-test-');
	await mkdir(userFolder, { recursive: true });
	if (options.tarball !== undefined) {
		const name = await installCommunityPackage(userFolder, options.tarball, installed.node);
		log(`Installed ${name} as a community package.`);
	}
	const server = new N8nServer({
		installed,
		userFolder,
		isTemporary: options.userFolder === undefined,
		port: options.port ?? (await freePort()),
		identity: await identityOf(userFolder),
		env: options.env ?? {},
		log,
	});
	try {
		await server.start();
	} catch (error) {
		await server.stop();
		throw error;
	}
	return server;
}

interface ServerSettings {
	installed: InstalledN8n;
	userFolder: string;
	isTemporary: boolean;
	port: number;
	identity: Identity;
	env: Record<string, string>;
	log: Log;
}

/** A running n8n, and its API through the owner's session. */
export class N8nServer extends N8nClient {
	readonly userFolder: string;

	readonly logFile: string;

	private child?: ChildProcess;

	constructor(private readonly settings: ServerSettings) {
		const { port, identity, installed, userFolder } = settings;
		const { email, password } = identity;
		super(`http://${HOST}:${port}`, { email, password }, installed.n8nBin);
		this.userFolder = userFolder;
		this.logFile = join(userFolder, 'n8n.log');
	}

	/** The address of a published webhook. */
	webhookUrl(path: string): string {
		return `${this.url}/webhook/${path}`;
	}

	/** Starts the server and waits until it serves. */
	async start(): Promise<void> {
		const { port, log } = this.settings;
		const started = Date.now();
		await assertFree(port);
		this.child = await this.spawnServer();
		await this.waitUntilReady(this.child);
		await this.signIn();
		log(`n8n is up after ${Math.round((Date.now() - started) / 1000)} s: ${this.url}`);
	}

	/** Lets n8n end in its own time, kills it when that takes too long, removes a temporary folder. */
	async stop(): Promise<void> {
		await this.end('SIGTERM');
		if (this.settings.isTemporary) removeFolder(this.userFolder);
	}

	/** Ends n8n at once, as a power cut would. Its data stays, so `restart()` can go on from there. */
	async kill(): Promise<void> {
		await this.end('SIGKILL');
	}

	/** Starts n8n again on the same data and port, after stopping it when it runs. */
	async restart(): Promise<void> {
		await this.end('SIGTERM');
		await this.start();
	}

	private async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
		const { child } = this;
		this.child = undefined;
		if (child === undefined) return;
		// Only n8n itself is asked; it ends its task runner on its own
		if (signal === 'SIGTERM') child.kill(signal);
		if (signal === 'SIGTERM' && (await ended(child, STOP_TIMEOUT_MS))) return;
		killGroup(child);
		await ended(child, STOP_TIMEOUT_MS);
	}

	private async spawnServer(): Promise<ChildProcess> {
		const { node, n8nBin } = this.settings.installed;
		const output = openSync(this.logFile, 'a');
		const child = spawnOwned(node, ['--import', END_WITH_PARENT, n8nBin, 'start'], {
			cwd: this.userFolder,
			env: await this.environment(),
			stdio: ['pipe', output, output],
		});
		closeSync(output);
		return child;
	}

	private async environment(): Promise<NodeJS.ProcessEnv> {
		const { installed, port, identity, env } = this.settings;
		return {
			...withoutOwnSettings(environmentFor(installed.node)),
			N8N_USER_FOLDER: this.userFolder,
			N8N_ENCRYPTION_KEY: identity.encryptionKey,
			N8N_HOST: HOST,
			N8N_LISTEN_ADDRESS: HOST,
			N8N_PORT: String(port),
			N8N_RUNNERS_BROKER_PORT: String(await freePort()),
			N8N_SECURE_COOKIE: 'false',
			...OFFLINE,
			...env,
		};
	}

	private async waitUntilReady(child: ChildProcess): Promise<void> {
		const deadline = Date.now() + START_TIMEOUT_MS;
		let failure = '';
		child.once('error', (error) => (failure = error.message));
		child.once('exit', (code, signal) => (failure = `it ended (${signal ?? code})`));
		while (failure === '' && Date.now() < deadline) {
			if (await answers(`${this.url}/healthz/readiness`)) return;
			await sleep(250);
		}
		const reason = failure === '' ? `not ready after ${START_TIMEOUT_MS / 1000} s` : failure;
		const said = lastLines(await readFile(this.logFile, 'utf8'), 20);
		throw new Error(`n8n did not start: ${reason}. The end of its log:\n${said}`);
	}
}

/** Nothing that calls home, and no pop-ups that a test would have to close. */
const OFFLINE = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_DISABLED_MODULES: 'mcp-registry',
};

/**
 * Loaded into n8n: its standard input is a pipe from this process, which closes even when this
 * process is killed and cannot clean up. Worker threads and child processes load it too, but have
 * another input, so only the server itself listens.
 */
const END_WITH_PARENT =
	'data:text/javascript,' +
	encodeURIComponent(`
		import { isMainThread } from 'node:worker_threads';
		if (isMainThread && process.ppid === ${process.pid}) {
			process.stdin.on('error', () => {}).on('close', () => {
				try { process.kill(-process.pid, 'SIGKILL'); } catch { process.exit(1); }
			}).resume();
		}
	`);

/** Settings for the developer's own n8n, or of the test runner, must not reach this one. */
function withoutOwnSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
	const foreign =
		/^(N8N_|DB_|EXECUTIONS_|QUEUE_|CREDENTIALS_|npm_|VITEST)|^(NODE_ENV|NODE_OPTIONS)$/;
	const kept = Object.entries(env).filter(([name]) => !foreign.test(name));
	// The sandbox is reached directly, also where a proxy is set
	const noProxy = [env.NO_PROXY ?? env.no_proxy, HOST, 'localhost'].filter(Boolean).join(',');
	return { ...Object.fromEntries(kept), NO_PROXY: noProxy, no_proxy: noProxy };
}

/** The login and the key are made once per user folder and kept in it. */
async function identityOf(userFolder: string): Promise<Identity> {
	const path = join(userFolder, 'test-identity.json');
	try {
		return JSON.parse(await readFile(path, 'utf8'));
	} catch {
		const identity: Identity = {
			email: 'owner@n8n.example',
			// n8n asks for a capital letter and a digit
			password: `A1${randomBytes(9).toString('hex')}`,
			encryptionKey: randomBytes(24).toString('hex'),
		};
		await writeFile(path, JSON.stringify(identity), { mode: 0o600 });
		return identity;
	}
}

async function answers(url: string): Promise<boolean> {
	try {
		return (await fetch(url)).ok;
	} catch {
		return false;
	}
}

async function assertFree(port: number): Promise<void> {
	try {
		await freePort(port);
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
		const why = code === 'EACCES' ? 'may not be used by this user' : 'is in use by another program';
		throw new Error(
			`Port ${port} on ${HOST} ${why}. Stop that program or choose another port ` +
				'(the demo takes --port <number>; without it a free one is found).',
		);
	}
}

/** Takes a port and gives it back: a free one, or the given one when it is free. */
async function freePort(port = 0): Promise<number> {
	return await new Promise((resolve, reject) => {
		const probe = createServer();
		probe.once('error', reject);
		probe.listen(port, HOST, () => {
			const taken = (probe.address() as AddressInfo).port;
			probe.close(() => resolve(taken));
		});
	});
}
