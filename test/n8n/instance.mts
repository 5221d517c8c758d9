import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { InstalledN8n } from './install.mts';
import {
	ended,
	environmentFor,
	killGroup,
	lastLines,
	removeFolder,
	spawnOwned,
	temporaryFolder,
	until,
} from '../processes.mts';

export interface InstanceSettings {
	installed: InstalledN8n;
	/** The n8n command with its options: start or worker. */
	command: string[];
	encryptionKey: string;
	/** Responds with a success as soon as the instance is ready. */
	readyUrl: string;
	/** Additions to the environment. */
	env: Record<string, string>;
}

/** Everything here listens only on this address. */
export const HOST = '127.0.0.1';

const START_TIMEOUT_MS = 180_000;
const STOP_TIMEOUT_MS = 15_000;

/** One process of n8n. It ends with this process, however that ends. */
export class N8nInstance {
	/** Keeps n8n's data until `stop()`. */
	readonly userFolder = temporaryFolder('n8n-test-');

	readonly logFile = join(this.userFolder, 'n8n.log');

	private child: ChildProcess | undefined;

	constructor(private readonly settings: InstanceSettings) {}

	/** Starts the process and waits until it is ready; also after `kill()`, on the same data. */
	async start(): Promise<void> {
		const child = await this.spawn();
		this.child = child;
		let failure = '';
		child.once('error', (error) => (failure = error.message));
		child.once('exit', (code, signal) => (failure = `it ended (${signal ?? code})`));
		const isOver = async () => failure !== '' || (await answers(this.settings.readyUrl));
		await until('ready', isOver, START_TIMEOUT_MS).catch((error) => (failure = String(error)));
		if (failure === '') return;
		const said = lastLines(await readFile(this.logFile, 'utf8'), 20);
		await this.stop();
		throw new Error(`n8n did not start: ${failure}. The end of its log:\n${said}`);
	}

	/** Gives it time to end, kills it if that takes too long, and removes its folder. */
	async stop(): Promise<void> {
		// The signal goes only to n8n itself, which ends its own task runner
		this.child?.kill('SIGTERM');
		if (!this.child || !(await ended(this.child, STOP_TIMEOUT_MS))) await this.kill();
		removeFolder(this.userFolder);
	}

	/** Ends it at once, like a power failure. */
	async kill(): Promise<void> {
		if (!this.child) return;
		killGroup(this.child);
		await ended(this.child, STOP_TIMEOUT_MS);
	}

	private async spawn(): Promise<ChildProcess> {
		const { installed, command } = this.settings;
		const output = openSync(this.logFile, 'a');
		const args = ['--import', asModule(END_WITH_PARENT), installed.n8nBin, ...command];
		const child = spawnOwned(installed.node, args, {
			cwd: this.userFolder,
			env: await this.environment(),
			stdio: ['pipe', output, output],
		});
		closeSync(output);
		return child;
	}

	private async environment(): Promise<NodeJS.ProcessEnv> {
		const { installed, encryptionKey, env } = this.settings;
		return {
			...withoutOwnSettings(environmentFor(installed.node)),
			N8N_USER_FOLDER: this.userFolder,
			N8N_ENCRYPTION_KEY: encryptionKey,
			N8N_RUNNERS_BROKER_PORT: String(await freePort()),
			...OFFLINE,
			...env,
		};
	}
}

/** Nothing that contacts n8n's makers, and no pop-ups that a test would have to close. */
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

const asModule = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;

/**
 * Loaded into n8n: its standard input is a pipe from this process, which closes even if this process is killed, as when
 * somebody interrupts `npm run test:n8n`. Worker threads and child processes load the same, but only n8n is meant.
 */
const END_WITH_PARENT = `
	import { isMainThread } from 'node:worker_threads';
	if (isMainThread && process.ppid === ${process.pid}) {
		process.stdin.on('error', () => {}).on('close', () => {
			try { process.kill(-process.pid, 'SIGKILL'); } catch { process.exit(1); }
		}).resume();
	}
`;

/** Settings for the developer's own n8n, or of the test runner, must not reach this one. */
function withoutOwnSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
	const foreign =
		/^(N8N_|DB_|EXECUTIONS_|QUEUE_|CREDENTIALS_|npm_|VITEST)|^(NODE_ENV|NODE_OPTIONS)$/;
	const kept = Object.entries(env).filter(([name]) => !foreign.test(name));
	// The sandbox is reached directly, even if a proxy is set
	const noProxy = [env.NO_PROXY ?? env.no_proxy, HOST, 'localhost'].filter(Boolean).join(',');
	return { ...Object.fromEntries(kept), NO_PROXY: noProxy, no_proxy: noProxy };
}

const answers = async (url: string): Promise<boolean> =>
	await fetch(url).then(
		({ ok }) => ok,
		() => false,
	);

/** Finds a free port, or checks that the given one is free. */
export async function freePort(port = 0): Promise<number> {
	return await new Promise((resolve, reject) => {
		const probe = createServer();
		probe.once('error', reject);
		probe.listen(port, HOST, () => {
			const taken = (probe.address() as AddressInfo).port;
			probe.close(() => resolve(taken));
		});
	});
}
