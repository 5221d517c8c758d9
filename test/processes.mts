import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Receives one line of progress for people to read. */
export type Log = (line: string) => void;

const children = new Set<ChildProcess>();
const folders = new Set<string>();
let guarded = false;

/**
 * Starts a process in a separate group, which is killed when this process ends, however it ends (except by SIGKILL).
 */
export function spawnOwned(command: string, args: string[], options: SpawnOptions): ChildProcess {
	guardExit();
	const child = spawn(command, args, {
		...options,
		// A separate group, so that the child's children can be ended with it
		detached: process.platform !== 'win32',
		windowsHide: true,
	});
	children.add(child);
	child.once('exit', () => children.delete(child));
	child.once('error', () => children.delete(child));
	return child;
}

/** Ends a process from {@link spawnOwned} and everything that it started. */
export function killGroup(child: ChildProcess): void {
	if (child.pid === undefined) return;
	if (process.platform === 'win32') {
		spawn('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore' });
		return;
	}
	try {
		process.kill(-child.pid, 'SIGKILL');
	} catch {
		// It has already ended
	}
}

/** Creates a folder that is removed when this process ends, or earlier by {@link removeFolder}. */
export const temporaryFolder = (prefix: string): string =>
	owned(mkdtempSync(join(tmpdir(), prefix)));

/** The same for a folder that exists. */
export function owned(folder: string): string {
	guardExit();
	folders.add(folder);
	return folder;
}

export function removeFolder(folder: string): void {
	// Several attempts, because a process that was just killed may still be writing
	rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
	folders.delete(folder);
}

/** Runs npm with the given Node.js. Resolves with its output, or rejects with its last lines. */
export async function runNpm(
	args: string[],
	{ node = process.execPath, cwd, env }: SpawnOptions & { node?: string },
): Promise<string> {
	const options = { cwd, env: { ...environmentFor(node), ...env } };
	return await runProgram(`npm ${args.join(' ')}`, node, [npmCli(), ...args], options);
}

/** The same for any program; `name` is what an error calls it. */
export async function runProgram(
	name: string,
	command: string,
	args: string[],
	options: SpawnOptions,
): Promise<string> {
	const child = spawnOwned(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
	let output = '';
	const collect = (chunk: Buffer) => (output += chunk.toString());
	child.stdout?.on('data', collect);
	child.stderr?.on('data', collect);
	const [code] = await once(child, 'close');
	if (code === 0) return output;
	throw new Error(`${name} failed:\n${lastLines(output, 40)}`);
}

/** The environment of this process with the given Node.js first in PATH, so that scripts use it too. */
export function environmentFor(node: string): NodeJS.ProcessEnv {
	const env = { ...process.env };
	// On Windows the name may be "Path", and two spellings at once would be ambiguous
	const pathName = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
	env[pathName] = [dirname(node), env[pathName]].filter(Boolean).join(delimiter);
	return env;
}

/** Waits until a condition is met; by default for far longer than it takes, because a machine can be busy. */
export async function until(
	what: string,
	isSo: () => boolean | Promise<boolean>,
	timeoutMs = 120_000,
): Promise<void> {
	const deadline = Date.now() + timeoutMs;
	while (Date.now() < deadline) {
		if (await isSo()) return;
		await sleep(100);
	}
	throw new Error(`Not within ${timeoutMs / 1000} s: ${what}`);
}

/** The last lines of a text, without empty ones. */
export function lastLines(text: string, count: number): string {
	const lines = text.split('\n').filter((line) => line.trim() !== '');
	return lines.slice(-count).join('\n');
}

/** npm's own script, because the Node.js from npm's registry does not include npm. */
function npmCli(): string {
	const inside = join('node_modules', 'npm', 'bin', 'npm-cli.js');
	const folder = dirname(process.execPath);
	const usual = [join(folder, '..', 'lib', inside), join(folder, inside)];
	const found = [process.env.npm_execpath ?? '', ...usual].find(
		(path) => path.endsWith('npm-cli.js') && existsSync(path),
	);
	if (found === undefined) throw new Error('npm was not found: run this with "npm run"');
	return found;
}

function guardExit(): void {
	if (guarded) return;
	guarded = true;
	process.on('exit', () => {
		children.forEach((child) => killGroup(child));
		folders.forEach((folder) => removeFolder(folder));
	});
	const codes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };
	for (const [signal, code] of Object.entries(codes)) {
		process.on(signal, () => {
			// A program that handles the signal itself decides when to end
			if (process.listenerCount(signal) === 1) process.exit(code);
		});
	}
}
