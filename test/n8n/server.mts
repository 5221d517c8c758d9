import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { N8nClient, type Login, type Publishing } from './client.mts';
import { ensureN8n, type InstalledN8n } from './install.mts';
import { freePort, HOST, N8nInstance } from './instance.mts';
import type { Log } from '../processes.mts';

export interface StartOptions {
	/** By default, a random free port. */
	port?: number | undefined;
	/** A community package from `npm pack` to install first. */
	tarball?: string;
	/** Additions to n8n's environment. */
	env?: Record<string, string>;
	/** An n8n other than the one in the lock file, and how it publishes. */
	installed?: InstalledN8n;
	publishing?: Publishing | undefined;
	log?: Log;
}

/**
 * Starts a real n8n on 127.0.0.1 with an owner who is logged in. Installs n8n the first time. The server ends with this
 * process, however that ends.
 */
export async function startN8n(options: StartOptions = {}): Promise<N8nServer> {
	const log = options.log ?? (() => undefined);
	// Checked before the installation, because nobody wants to wait minutes for this message
	const port = options.port ?? (await freePort());
	await assertFree(port);
	const installed = options.installed ?? (await ensureN8n(log));
	const server = new N8nServer({ ...options, installed, port, log });
	if (options.tarball !== undefined) addPackage(server.userFolder, options.tarball);
	await server.start();
	return server;
}

const secret = () => randomBytes(24).toString('hex');

type Settings = StartOptions & { installed: InstalledN8n; port: number; log: Log };

/** A running n8n, and its API with the owner's session. */
export class N8nServer extends N8nClient {
	readonly userFolder: string;

	private readonly encryptionKey = secret();

	private readonly instance: N8nInstance;

	constructor(private readonly settings: Settings) {
		const { port, installed, env, publishing } = settings;
		// n8n requires a capital letter and a digit
		const login: Login = { email: 'owner@n8n.example', password: `A1${secret()}` };
		super(`http://${HOST}:${port}`, login, installed.n8nBin, publishing);
		this.instance = new N8nInstance({
			installed,
			command: ['start'],
			encryptionKey: this.encryptionKey,
			readyUrl: `${this.url}/healthz/readiness`,
			env: {
				N8N_HOST: HOST,
				N8N_LISTEN_ADDRESS: HOST,
				N8N_PORT: String(port),
				N8N_SECURE_COOKIE: 'false',
				...env,
			},
		});
		this.userFolder = this.instance.userFolder;
	}

	/** Starts the server and waits until it responds; also after `kill()`, on the same data and port. */
	async start(): Promise<void> {
		const began = Date.now();
		await this.instance.start();
		await this.signIn();
		const seconds = Math.round((Date.now() - began) / 1000);
		this.settings.log(`n8n is up after ${seconds} s: ${this.url}`);
	}

	async stop(): Promise<void> {
		await this.instance.stop();
	}

	/** Ends n8n at once, like a power failure. Its data stays. */
	async kill(): Promise<void> {
		await this.instance.kill();
	}

	/**
	 * Starts a worker for this server, which must be in queue mode. It is a separate process with its own user folder,
	 * which has the community packages of the server.
	 */
	async startWorker(concurrency = 10): Promise<N8nInstance> {
		const { installed, env, log } = this.settings;
		const port = await freePort();
		const worker = new N8nInstance({
			installed,
			command: ['worker', `--concurrency=${concurrency}`],
			encryptionKey: this.encryptionKey,
			readyUrl: `http://${HOST}:${port}/healthz/readiness`,
			env: {
				QUEUE_HEALTH_CHECK_ACTIVE: 'true',
				QUEUE_HEALTH_CHECK_PORT: String(port),
				N8N_WORKER_SERVER_ADDRESS: HOST,
				...env,
			},
		});
		const [from, to] = [this, worker].map(({ userFolder }) => packagesIn(userFolder));
		cpSync(from as string, to as string, { recursive: true });
		await worker.start();
		log(`A worker is up, ${concurrency} executions at a time.`);
		return worker;
	}
}

/** Where n8n's own "Install community node" puts packages; n8n loads every package that it finds there. */
const packagesIn = (userFolder: string) => join(userFolder, '.n8n', 'nodes', 'node_modules');

/** Puts a package there, from the tarball of `npm pack`. It must not need others, because none are installed. */
function addPackage(userFolder: string, tarball: string): void {
	const folder = join(packagesIn(userFolder), 'n8n-nodes-search-visibility');
	mkdirSync(folder, { recursive: true });
	execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
}

async function assertFree(port: number): Promise<void> {
	try {
		await freePort(port);
	} catch (error) {
		throw new Error(
			`Port ${port} on ${HOST} cannot be used (${(error as Error).message}). Choose another port ` +
				'(npm run demo:n8n takes -- --port <number>; without it a free one is found).',
		);
	}
}
