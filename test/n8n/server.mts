import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { removeFolder, temporaryFolder, type Log } from '../processes.mts';
import { N8nClient } from './client.mts';
import { ensureVersion, type InstalledN8n } from './install.mts';
import { freePort, HOST, N8nInstance } from './instance.mts';
import type { Version } from './versions.mts';

export interface StartOptions {
	/** A community package from `npm pack` to install first */
	tarball?: string;
	/** Additions to n8n's environment */
	env?: Record<string, string>;
	version: Version;
	log: Log;
}

/**
 * Starts a real n8n on 127.0.0.1 with an owner who is logged in. Installs n8n the first time. The server ends with this
 * process, however that ends.
 */
export async function startN8n({ version, log, tarball, env }: StartOptions): Promise<N8nServer> {
	const installed = await ensureVersion(version, log);
	const all = { N8N_ENCRYPTION_KEY: secret(), ...version.env, ...env };
	const server = new N8nServer(installed, version, await freePort(), all, log);
	if (tarball !== undefined) {
		// Where n8n's own "Install community node" puts it; it must not need others, because none are installed
		const modules = join(server.userFolder, '.n8n', 'nodes', 'node_modules');
		const folder = join(modules, 'n8n-nodes-search-visibility');
		mkdirSync(folder, { recursive: true });
		execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
	}
	await server.start();
	return server;
}

const secret = () => randomBytes(24).toString('hex');

/** A running n8n, and its API with the owner's session. */
export class N8nServer extends N8nClient {
	/** Keeps n8n's data until `stop()` */
	readonly userFolder = temporaryFolder('n8n-test-');

	private readonly main: N8nInstance;
	private readonly workers: N8nInstance[] = [];

	constructor(
		private readonly installed: InstalledN8n,
		version: Version,
		port: number,
		private readonly env: Record<string, string>,
		private readonly log: Log,
	) {
		// n8n requires a capital letter and a digit
		const login = { email: 'owner@n8n.example', password: `A1${secret()}` };
		super(`http://${HOST}:${port}`, login, installed.n8nBin, version.publishing);
		const own = {
			N8N_HOST: HOST,
			N8N_LISTEN_ADDRESS: HOST,
			N8N_PORT: String(port),
			N8N_SECURE_COOKIE: 'false',
			...env,
		};
		this.main = new N8nInstance('n8n', installed, ['start'], this.userFolder, port, own);
	}

	get pid(): number | undefined {
		return this.main.child?.pid;
	}

	/** Starts the server and waits until it responds; also after `kill()`, on the same data and port. */
	async start(): Promise<void> {
		const began = Date.now();
		await this.main.start();
		await this.signIn();
		this.log(`n8n is up after ${Math.round((Date.now() - began) / 1000)} s: ${this.url}`);
	}

	/** Ends n8n at once, like a power failure. Its data stays. */
	async kill(): Promise<void> {
		await this.main.kill();
	}

	async stop(): Promise<void> {
		for (const one of [this.main, ...this.workers]) await one.kill();
		removeFolder(this.userFolder);
	}

	/** Starts a worker for this server, which must be in queue mode. It shares the server's data and packages. */
	async startWorker(name: string, concurrency: number): Promise<N8nInstance> {
		const port = await freePort();
		const command = ['worker', `--concurrency=${concurrency}`];
		const env = {
			QUEUE_HEALTH_CHECK_ACTIVE: 'true',
			QUEUE_HEALTH_CHECK_PORT: String(port),
			N8N_WORKER_SERVER_ADDRESS: HOST,
			...this.env,
		};
		const { installed, userFolder } = this;
		const worker = new N8nInstance(name, installed, command, userFolder, port, env);
		this.workers.push(worker);
		await worker.start();
		return worker;
	}
}
