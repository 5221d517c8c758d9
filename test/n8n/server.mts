import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { N8nClient, type Login, type Publishing } from './client.mts';
import { installCommunityPackage } from './community-package.mts';
import { ensureN8n, type InstalledN8n } from './install.mts';
import { freePort, HOST, N8nInstance } from './instance.mts';
import { removeFolder, temporaryFolder, type Log } from './processes.mts';

export interface StartOptions {
	/** Keeps n8n's data. By default, a temporary folder that `stop()` removes. */
	userFolder?: string;
	/** By default, a random free port. */
	port?: number | undefined;
	/** A community package from `npm pack` to install first. */
	tarball?: string;
	/** Additions to n8n's environment. */
	env?: Record<string, string>;
	/** An n8n other than the one in the lock file, and how it publishes. */
	installed?: InstalledN8n;
	publishing?: Publishing | undefined;
	/** Whether the caller starts it. */
	isDown?: boolean;
	log?: Log;
}

/** What must stay the same when n8n starts again on the same user folder. */
interface Identity extends Login {
	encryptionKey: string;
}

/**
 * Starts a real n8n on 127.0.0.1 with an owner who is logged in. Installs n8n the first time. The server ends with this
 * process, however that ends.
 */
export async function startN8n(options: StartOptions = {}): Promise<N8nServer> {
	const log = options.log ?? (() => undefined);
	// Checked before the installation, because nobody wants to wait minutes for this message
	if (options.port !== undefined) await assertFree(options.port);
	const installed = options.installed ?? (await ensureN8n(log));
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
		publishing: options.publishing,
		log,
	});
	return options.isDown ? server : await started(server);
}

async function started<T extends { start(): Promise<void>; stop(): Promise<void> }>(
	process: T,
): Promise<T> {
	try {
		await process.start();
		return process;
	} catch (error) {
		await process.stop();
		throw error;
	}
}

interface ServerSettings {
	installed: InstalledN8n;
	userFolder: string;
	isTemporary: boolean;
	port: number;
	identity: Identity;
	env: Record<string, string>;
	publishing?: Publishing | undefined;
	log: Log;
}

/** A running n8n, and its API with the owner's session. */
export class N8nServer extends N8nClient {
	readonly userFolder: string;

	readonly logFile: string;

	private readonly instance: N8nInstance;

	constructor(private readonly settings: ServerSettings) {
		const { port, identity, installed, userFolder } = settings;
		const { email, password } = identity;
		super(`http://${HOST}:${port}`, { email, password }, installed.n8nBin, settings.publishing);
		this.userFolder = userFolder;
		this.instance = new N8nInstance({
			...settings,
			command: ['start'],
			encryptionKey: identity.encryptionKey,
			readyUrl: `${this.url}/healthz/readiness`,
			env: {
				N8N_HOST: HOST,
				N8N_LISTEN_ADDRESS: HOST,
				N8N_PORT: String(port),
				N8N_SECURE_COOKIE: 'false',
				...settings.env,
			},
		});
		this.logFile = this.instance.logFile;
	}

	/** The address of a published webhook. */
	webhookUrl(path: string): string {
		return `${this.url}/webhook/${path}`;
	}

	/** Of the process that is running now. */
	get pid(): number | undefined {
		return this.instance.pid;
	}

	/** Runs an n8n command, such as `import:workflow`, on the data of this server. */
	async run(...command: string[]): Promise<void> {
		await this.instance.run(command);
	}

	/** Starts the server and waits until it responds. */
	async start(): Promise<void> {
		const { port, log } = this.settings;
		const began = Date.now();
		await assertFree(port);
		await this.instance.start();
		await this.signIn();
		log(`n8n is up after ${Math.round((Date.now() - began) / 1000)} s: ${this.url}`);
	}

	/** Gives n8n time to end, kills it if that takes too long, and removes a temporary folder. */
	async stop(): Promise<void> {
		await this.instance.end('SIGTERM');
		if (this.settings.isTemporary) removeFolder(this.userFolder);
	}

	/** Ends n8n at once, like a power failure. Its data stays, so `restart()` can continue from there. */
	async kill(): Promise<void> {
		await this.instance.end('SIGKILL');
	}

	/** Starts n8n again on the same data and port, after stopping it if it is running. */
	async restart(): Promise<void> {
		await this.instance.end('SIGTERM');
		await this.start();
	}

	/**
	 * Starts a worker for this server, which must be in queue mode. It is a separate process with its own user folder,
	 * where the package is installed if there is a tarball.
	 */
	async startWorker({ tarball, concurrency = 10 }: WorkerOptions = {}): Promise<N8nWorker> {
		const { installed, identity, env, log } = this.settings;
		const userFolder = temporaryFolder('n8n-worker-');
		if (tarball !== undefined) await installCommunityPackage(userFolder, tarball, installed.node);
		const port = await freePort();
		const instance = new N8nInstance({
			installed,
			command: ['worker', `--concurrency=${concurrency}`],
			userFolder,
			encryptionKey: identity.encryptionKey,
			readyUrl: `http://${HOST}:${port}/healthz/readiness`,
			env: {
				QUEUE_HEALTH_CHECK_ACTIVE: 'true',
				QUEUE_HEALTH_CHECK_PORT: String(port),
				N8N_WORKER_SERVER_ADDRESS: HOST,
				...env,
			},
		});
		const worker = await started(new N8nWorker(instance, userFolder));
		log(`A worker is up, ${concurrency} executions at a time.`);
		return worker;
	}
}

export interface WorkerOptions {
	/** A community package from `npm pack` to install first. */
	tarball?: string;
	/** How many executions run at a time. */
	concurrency?: number;
}

/** A worker of queue mode. */
export class N8nWorker {
	readonly logFile: string;

	constructor(
		private readonly instance: N8nInstance,
		readonly userFolder: string,
	) {
		this.logFile = instance.logFile;
	}

	/** Of the process that is running now. */
	get pid(): number | undefined {
		return this.instance.pid;
	}

	/** Starts the worker and waits until it accepts work. */
	async start(): Promise<void> {
		await this.instance.start();
	}

	/** Gives it time to end, and removes its folder. */
	async stop(): Promise<void> {
		await this.instance.end('SIGTERM');
		removeFolder(this.userFolder);
	}

	/** Ends it at once. `start()` starts it again on the same folder. */
	async kill(): Promise<void> {
		await this.instance.end('SIGKILL');
	}
}

/** Login and key are created once per user folder and kept in it. */
async function identityOf(userFolder: string): Promise<Identity> {
	const path = join(userFolder, 'test-identity.json');
	try {
		return JSON.parse(await readFile(path, 'utf8'));
	} catch {
		const identity: Identity = {
			email: 'owner@n8n.example',
			// n8n requires a capital letter and a digit
			password: `A1${randomBytes(9).toString('hex')}`,
			encryptionKey: randomBytes(24).toString('hex'),
		};
		await writeFile(path, JSON.stringify(identity), { mode: 0o600 });
		return identity;
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
				'(npm run demo:n8n takes -- --port <number>; without it a free one is found).',
		);
	}
}
