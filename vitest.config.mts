import { createRequire } from 'node:module';
import { join } from 'node:path';

import { configDefaults, defineConfig } from 'vitest/config';

import { testFiles, VARIANT } from './test/n8n/variants.mts';

const { COMPAT_ENGINE, MUTATION_CHECK, N8N_VARIANT } = process.env;
/** n8n's packages: the installed ones, or those of test/compat/main.mts */
const engine = COMPAT_ENGINE ? join(COMPAT_ENGINE, 'package.json') : import.meta.url;
const MINUTE = 60_000;

const unit = { name: 'unit', include: ['test/unit/*.test.mts'] };

const others = {
	name: 'engine',
	include: ['test/{contract,demo,docs,engine,model,package,sandbox,verify}/*.test.mts'],
};

/** For each mutant of stryker.config.mjs */
const mutation = {
	name: 'mutation',
	include: unit.include,
	maxWorkers: 1,
	// One that waits for ever fails a test, long before Stryker gives it up
	testTimeout: 8000,
};

/** A real n8n, from test/n8n/main.mts: minutes each, one file after another */
const n8n = {
	name: 'n8n',
	include: testFiles(VARIANT),
	isolate: true,
	fileParallelism: false,
	maxWorkers: 1,
	// Many wait for polls, one a minute
	testTimeout: 10 * MINUTE,
	hookTimeout: 30 * MINUTE,
	teardownTimeout: MINUTE,
	silent: false,
};

const withoutMutation = N8N_VARIANT ? [n8n] : [unit, others];
const projects = MUTATION_CHECK ? [mutation] : withoutMutation;

export default defineConfig({
	// Its other build cannot be loaded by Node.js, and n8n itself uses this one
	resolve: { alias: { 'n8n-workflow': createRequire(engine).resolve('n8n-workflow') } },
	test: {
		projects: projects.map((test) => ({ extends: true, test })),
		exclude: [...configDefaults.exclude, '.stryker-tmp/**'],
		setupFiles: ['test/seed.mts', ...(COMPAT_ENGINE ? ['test/compat/setup.mts'] : [])],
		pool: 'forks',
		// Each of them loads n8n's engine and starts a database, so more cost more than they gain
		maxWorkers: 2,
		isolate: false,
		// Far more than any test needs, because a busy machine must not make one fail
		testTimeout: 3 * MINUTE,
		hookTimeout: 3 * MINUTE,
		maxConcurrency: 32,
		silent: 'passed-only',
		server: { deps: { external: [/\/dist\//] } },
		coverage: {
			provider: 'v8',
			include: ['nodes/**/*.ts'],
			// n8n's entries and what draws its parameters: the tests in n8n's engine use their build
			exclude: ['**/*.node.ts', 'nodes/SearchVisibility/parameters.ts'],
			reporter: ['text'],
			thresholds: { lines: 95, branches: 95 },
		},
	},
});
