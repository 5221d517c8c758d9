import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
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
} from '../processes.mts';
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
export interface Result {
	version: Version;
	passed: number;
	skipped: number;
	/** What failed, and why */
	failed: string[];
	seconds: number;
}

/** What vitest's JSON reporter writes, as far as it is used here. */
interface Report {
	testResults: Array<{
		name: string;
		status: string;
		message: string;
		assertionResults: Array<{ fullName: string; status: string; failureMessages?: string[] }>;
	}>;
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
		const reportFile = join(folder, 'report.json');
		const { code, output } = await runVitest(version, checkout, reportFile);
		const { testResults }: Report = existsSync(reportFile)
			? JSON.parse(readFileSync(reportFile, 'utf8'))
			: { testResults: [] };
		const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
		const count = (status: string) => tests.filter((test) => test.status === status).length;
		const failed = [
			...tests
				.filter(({ status }) => status === 'failed')
				.map(
					({ fullName, failureMessages = [] }) =>
						`${fullName}: ${failureMessages[0]?.split('\n')[0]}`,
				),
			...testResults
				.filter(({ status, message }) => status === 'failed' && message !== '')
				.map(({ name, message }) => `${name}: ${message}`),
		];
		if (code !== 0 && failed.length === 0) {
			failed.push(`vitest ended with ${code}:\n${lastLines(output, 20)}`);
		}
		const seconds = (Date.now() - started) / 1000;
		return { version, passed: count('passed'), skipped: count('skipped'), failed, seconds };
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

async function runVitest({ core, workflow }: Version, checkout: string, reportFile: string) {
	const vitest = dirname(createRequire(import.meta.url).resolve('vitest/package.json'));
	const args = ['run', 'test/engine', '--reporter=json', `--outputFile=${reportFile}`];
	// Checked by setup.mts
	const COMPAT_ENGINE = `n8n-core ${core}, n8n-workflow ${workflow}`;
	const child = spawnOwned(process.execPath, [join(vitest, 'vitest.mjs'), ...args], {
		cwd: checkout,
		env: { ...process.env, COMPAT_ENGINE },
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
