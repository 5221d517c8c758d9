import { execFile, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseArgs, promisify } from 'node:util';

import { buildIfDue, ROOT } from './demo/build.mts';
import { runNpm } from './processes.mts';

const USAGE = `Usage: npm test -- [--coverage | --random | --histories | --reproducible | --audit]
Lint, types, unit and engine tests side by side, on a build that is up to date.
  --coverage      only the tests; lines and branches: at least 95 %
  --random        only the tests: new random values and more of them, and all combinations; SEED=… repeats a run
  --histories     only 100,000 random histories of the trigger; SEED=… repeats a run
  --reproducible  whether two versions of Node build the same package file
  --audit         advisories on what builds and tests the package`;

const { values } = parseArgs({
	options: Object.fromEntries(
		['coverage', 'random', 'histories', 'reproducible', 'audit', 'help'].map((name) => [
			name,
			{ type: 'boolean' as const },
		]),
	),
});

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const scriptOf = (name: string, path: string) =>
	join(dirname(require.resolve(`${name}/package.json`)), path);

/** Runs a script with this Node.js and shows its output; ends this process if it fails. */
async function node(args: string[], env: NodeJS.ProcessEnv = {}): Promise<void> {
	const child = spawn(process.execPath, args, {
		cwd: ROOT,
		stdio: 'inherit',
		env: { ...process.env, ...env },
	});
	const code = await new Promise((resolve) => child.once('close', resolve));
	if (code !== 0) process.exitCode = 1;
}

async function vitest(args: string[] = [], env: NodeJS.ProcessEnv = {}): Promise<void> {
	const problems = await problemsOf('Build', async () => await buildIfDue(console.log));
	show(problems);
	if (problems) return;
	await node([scriptOf('vitest', 'vitest.mjs'), 'run', ...args], env);
}
const script = async (path: string) => await node(['--import', 'tsx', path]);
const SEED = process.env.SEED ?? 'random';

/** @returns what a check has found, to be shown after the tests, so that it does not get lost among their output */
async function problemsOf(name: string, check: () => Promise<unknown>): Promise<string> {
	try {
		await check();
		return '';
	} catch (error) {
		const { output, stdout } = error as { output?: string; stdout?: string };
		return `\n${name}\n${output ?? stdout ?? String(error)}`;
	}
}

function show(problems: string): void {
	if (!problems) return;
	process.exitCode = 1;
	console.error(problems);
}

async function all(): Promise<void> {
	const types = [scriptOf('typescript', 'bin/tsc'), '--noEmit', '-p', 'test'];
	// They do not read what is built
	const checks = [
		problemsOf('Lint', async () => await runNpm(['run', 'lint'], { cwd: ROOT })),
		problemsOf('Types', async () => await run(process.execPath, types, { cwd: ROOT })),
	];
	await vitest();
	for (const problems of await Promise.all(checks)) show(problems);
}

if (values.help) console.log(USAGE);
else if (values.coverage) await vitest(['--coverage']);
else if (values.random) await vitest([], { THOROUGH: '1', SEED });
else if (values.histories) {
	await vitest(['test/model/histories.test.mts'], { HISTORIES: '100000', SEED });
} else if (values.reproducible) await script('test/package/reproducible.mts');
else if (values.audit) await script('test/package/audit.mts');
else await all();
