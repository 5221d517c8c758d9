import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { InstalledN8n } from './install.mts';
import { ended, environmentFor, killGroup, lastLines, spawnOwned } from './processes.mts';

export interface InstanceSettings {
	installed: InstalledN8n;
	/** The n8n command with its options: start or worker. */
	command: string[];
	userFolder: string;
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
const COMMAND_TIMEOUT_MS = 300_000;

/** One process of n8n. It ends with this process, however that ends. */
export class N8nInstance {
	readonly logFile: string;

	private child: ChildProcess | undefined;

	constructor(private readonly settings: InstanceSettings) {
		this.logFile = join(settings.userFolder, 'n8n.log');
	}

	/** Of the process that is running now. */
	get pid(): number | undefined {
		return this.child?.pid;
	}

	/** Starts the process and waits until it is ready. */
	async start(): Promise<void> {
		this.child = await this.spawn(this.settings.command);
		await this.waitUntilReady(this.child);
	}

	/** Runs another n8n command on the same data and waits for its end. */
	async run(command: string[]): Promise<void> {
		const child = await this.spawn(command);
		const isOver = await ended(child, COMMAND_TIMEOUT_MS);
		if (isOver && child.exitCode === 0) return;
		killGroup(child);
		const said = lastLines(await readFile(this.logFile, 'utf8'), 20);
		throw new Error(`n8n ${command[0]} failed. The end of its log:\n${said}`);
	}

	/** Ends the process: SIGTERM gives it time, SIGKILL is as sudden as a power failure. */
	async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
		const { child } = this;
		this.child = undefined;
		if (child === undefined) return;
		// The signal goes only to n8n itself, which ends its own task runner
		if (signal === 'SIGTERM') child.kill(signal);
		if (signal === 'SIGTERM' && (await ended(child, STOP_TIMEOUT_MS))) return;
		killGroup(child);
		await ended(child, STOP_TIMEOUT_MS);
	}

	private async spawn(command: string[]): Promise<ChildProcess> {
		const { installed, userFolder } = this.settings;
		const output = openSync(this.logFile, 'a');
		const args = ['--import', asModule(END_WITH_PARENT), installed.n8nBin, ...command];
		const child = spawnOwned(installed.node, args, {
			cwd: userFolder,
			env: await this.environment(),
			stdio: ['pipe', output, output],
		});
		closeSync(output);
		return child;
	}

	private async environment(): Promise<NodeJS.ProcessEnv> {
		const { installed, userFolder, encryptionKey, env } = this.settings;
		return {
			...withoutOwnSettings(environmentFor(installed.node)),
			N8N_USER_FOLDER: userFolder,
			N8N_ENCRYPTION_KEY: encryptionKey,
			N8N_RUNNERS_BROKER_PORT: String(await freePort()),
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
			if (await answers(this.settings.readyUrl)) return;
			await sleep(250);
		}
		const reason = failure === '' ? `not ready after ${START_TIMEOUT_MS / 1000} s` : failure;
		const said = lastLines(await readFile(this.logFile, 'utf8'), 20);
		throw new Error(`n8n did not start: ${reason}. The end of its log:\n${said}`);
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

/** Worker threads and child processes load the same files, but only n8n itself is meant. */
const IS_N8N_ITSELF = `isMainThread && process.ppid === ${process.pid}`;

/**
 * Loaded into n8n: its standard input is a pipe from this process, which closes even if this process is killed and
 * cannot clean up.
 */
const END_WITH_PARENT = `
	import { isMainThread } from 'node:worker_threads';
	if (${IS_N8N_ITSELF}) {
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

async function answers(url: string): Promise<boolean> {
	try {
		return (await fetch(url)).ok;
	} catch {
		return false;
	}
}

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
