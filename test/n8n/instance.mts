import type { ChildProcess } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

import { listen } from '../listen.mts';
import { environmentFor, killGroup, lastLines, spawnOwned, until } from '../processes.mts';
import type { InstalledN8n } from './install.mts';

/** Everything here listens only on this address. */
export const HOST = '127.0.0.1';

// A busy machine needs minutes
const START_TIMEOUT_MS = 420_000;
const STOP_TIMEOUT_MS = 15_000;

/** One process of n8n. It ends with this process, however that ends. */
export class N8nInstance {
	readonly logFile: string;

	child: ChildProcess | undefined;

	/**
	 * @param name of its log file
	 * @param command of n8n: start or worker, with options
	 * @param userFolder with the data of n8n, which a worker shares with its server
	 * @param port where it says whether it is ready
	 * @param env additions to the environment
	 */
	constructor(
		name: string,
		private readonly installed: InstalledN8n,
		private readonly command: string[],
		private readonly userFolder: string,
		private readonly port: number,
		private readonly env: Record<string, string>,
	) {
		this.logFile = join(userFolder, `${name}.log`);
	}

	/** Starts the process and waits until it is ready; also after `kill()`, on the same data. */
	async start(): Promise<void> {
		const { node, n8nBin } = this.installed;
		const output = openSync(this.logFile, 'a');
		const child = spawnOwned(node, ['--import', END_WITH_PARENT, n8nBin, ...this.command], {
			cwd: this.userFolder,
			env: {
				...withoutOwnSettings(environmentFor(node)),
				N8N_USER_FOLDER: this.userFolder,
				N8N_RUNNERS_BROKER_PORT: String(await freePort()),
				...OFFLINE,
				...this.env,
			},
			stdio: ['pipe', output, output],
		});
		this.child = child;
		const url = `http://${HOST}:${this.port}/healthz/readiness`;
		const isUp = async () => (await fetch(url).catch(() => ({ ok: false }))).ok;
		const isOver = async () => child.exitCode !== null || (await isUp());
		await until('n8n is ready', isOver, START_TIMEOUT_MS).catch(() => undefined);
		if (await isUp()) return;
		await this.kill();
		const said = lastLines(readFileSync(this.logFile, 'utf8'), 20);
		throw new Error(`n8n did not start. The end of its log:\n${said}`);
	}

	/** Ends it at once, like a power failure. Its data stays. */
	async kill(): Promise<void> {
		const { child } = this;
		if (!child) return;
		killGroup(child);
		const isOver = () => child.exitCode !== null || child.signalCode !== null;
		await until('the end of n8n', isOver, STOP_TIMEOUT_MS).catch(() => undefined);
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

/**
 * Loaded into n8n: its standard input is a pipe from this process, which closes even if this process is killed, as when
 * somebody interrupts `npm run test:n8n`. Worker threads and child processes load the same, but only n8n is meant.
 */
const END_WITH_PARENT = `data:text/javascript,${encodeURIComponent(`
	import { isMainThread } from 'node:worker_threads';
	if (isMainThread && process.ppid === ${process.pid}) {
		process.stdin.on('error', () => {}).on('close', () => {
			try { process.kill(-process.pid, 'SIGKILL'); } catch { process.exit(1); }
		}).resume();
	}
`)}`;

/** Settings for the developer's own n8n, or of the test runner, must not reach this one. */
function withoutOwnSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
	const foreign =
		/^(N8N_|DB_|EXECUTIONS_|QUEUE_|CREDENTIALS_|npm_|VITEST)|^(NODE_ENV|NODE_OPTIONS)$/;
	const kept = Object.entries(env).filter(([name]) => !foreign.test(name));
	// The sandbox is reached directly, even if a proxy is set
	const noProxy = [env.NO_PROXY ?? env.no_proxy, HOST, 'localhost'].filter(Boolean).join(',');
	return { ...Object.fromEntries(kept), NO_PROXY: noProxy, no_proxy: noProxy };
}

export async function freePort(): Promise<number> {
	const { url, close } = await listen(createServer());
	await close();
	return Number(new URL(url).port);
}
