import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import {
	ended,
	killGroup,
	lastLines,
	removeFolder,
	spawnOwned,
	temporaryFolder,
} from '../n8n/processes.mts';
import type { Outcome } from './reporter.mts';
import type { Version } from './versions.mts';

export const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/** The files that the engine tests, the harness and the configuration need. */
const COPIED = [
	'contract',
	'dist',
	'docs',
	'examples',
	'nodes',
	'test',
	'package.json',
	'vitest.config.mts',
	'.prettierrc.js',
];
const LIMIT_MS = 10 * 60_000;

/** The result of the engine tests with one version of n8n. */
export interface Result extends Outcome {
	version: Version;
	seconds: number;
	/** Reasons other than a failed test why the result is worthless */
	doubts: string[];
}

/**
 * Runs the engine tests with the engine of one version of n8n.
 * @param engine the folder with n8n's packages
 */
export async function runEngineTests(version: Version, engine: string): Promise<Result> {
	const folder = temporaryFolder('n8n-compat-');
	const started = Date.now();
	try {
		const checkout = makeCheckout(folder, engine);
		const outcomeFile = join(folder, 'outcome.json');
		const { code, output } = await runVitest(checkout, outcomeFile);
		const outcome = existsSync(outcomeFile)
			? (JSON.parse(readFileSync(outcomeFile, 'utf8')) as Outcome)
			: { ranWith: [], passed: 0, skipped: [], failed: [] };
		const doubts = doubtsAbout(version, outcome);
		if (code !== 0 && outcome.failed.length === 0) {
			doubts.push(`vitest ended with ${code}:\n${lastLines(output, 20)}`);
		}
		return { ...outcome, version, doubts, seconds: (Date.now() - started) / 1000 };
	} finally {
		removeFolder(folder);
	}
}

/**
 * Copies the project so that its files find n8n's packages in a separate folder, and all other packages one folder
 * above, next to the project's own.
 */
function makeCheckout(folder: string, engine: string): string {
	const checkout = join(folder, 'checkout');
	const packages = join(checkout, 'node_modules');
	mkdirSync(packages, { recursive: true });
	for (const name of COPIED) cpSync(join(PROJECT, name), join(checkout, name), { recursive: true });
	symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'), 'junction');
	for (const name of ['n8n-core', 'n8n-workflow']) {
		symlinkSync(join(engine, name), join(packages, name), 'junction');
	}
	return checkout;
}

async function runVitest(checkout: string, outcomeFile: string) {
	const vitest = dirname(createRequire(import.meta.url).resolve('vitest/package.json'));
	const args = ['run', 'test/engine', '--reporter', './test/compat/reporter.mts'];
	const child = spawnOwned(process.execPath, [join(vitest, 'vitest.mjs'), ...args], {
		cwd: checkout,
		env: { ...process.env, COMPAT_OUTCOME: outcomeFile },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let output = '';
	const collect = (chunk: Buffer) => (output += chunk.toString());
	child.stdout?.on('data', collect);
	child.stderr?.on('data', collect);
	if (!(await ended(child, LIMIT_MS))) {
		killGroup(child);
		return { code: 'no answer in 10 minutes', output };
	}
	return { code: child.exitCode, output };
}

/** Compares what was loaded with what should have been: a run with another version proves nothing. */
function doubtsAbout({ core, workflow }: Version, outcome: Outcome): string[] {
	const files = readdirSync(join(PROJECT, 'test/engine')).filter((name) =>
		name.endsWith('.test.mts'),
	);
	const expected = `n8n-core ${core}, n8n-workflow ${workflow}, Node ${process.version}`;
	const others = outcome.ranWith.map((one) => one.join(', ')).filter((one) => one !== expected);
	const doubts = [...new Set(others)].map((one) => `Tests ran with ${one || 'no n8n at all'}`);
	if (outcome.ranWith.length !== files.length) {
		doubts.push(`${outcome.ranWith.length} of ${files.length} files of tests ran`);
	}
	if (outcome.skipped.includes('')) doubts.push('A test was skipped without a reason');
	return doubts;
}
