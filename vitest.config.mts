import { createRequire } from 'node:module';

import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

import { testFiles, variant } from './test/n8n/variants.mts';

/** What takes longest, in an order in which something else runs while faults, random and matrix wait. */
const FIRST = [
	'engine/faults',
	'engine/lists',
	'engine/random',
	'engine/matrix',
	'model/pace',
	'model/nights',
	'model/histories',
	'demo/demo',
	'sandbox/sandbox',
	'package/scan',
	'engine/security',
	'engine/summarize',
];

/**
 * In the mutation check, what takes longer comes last, because the first failing test ends the run of a mutant. At the
 * very end, a test loads the nodes: where a mutant keeps the other files from being imported, it is the one that fails.
 * If it were not the last, it would count as the only test of what runs while the nodes are loaded.
 */
const LAST = [
	'unit/values',
	'unit/secret',
	'unit/transport',
	'unit/client',
	'unit/readList',
	'unit/joinedLists',
	'unit/poll',
	'unit/listSearch',
	'unit/gate',
	'model/histories',
	'unit/loading',
];

const place = (names: string[], { moduleId }: TestSpecification) =>
	names.findIndex((name) => moduleId.endsWith(`/test/${name}.test.mts`));

class LongestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const rankOf = (file: TestSpecification) => (place(FIRST, file) + FIRST.length) % FIRST.length;
		const isFirst = (file: TestSpecification) => place(FIRST, file) >= 0;
		const sorted = await super.sort(files);
		const first = sorted.filter(isFirst).sort((a, b) => rankOf(a) - rankOf(b));
		return [...first, ...sorted.filter((file) => !isFirst(file))];
	}
}

class QuickestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		return await Promise.resolve([...files].sort((a, b) => place(LAST, a) - place(LAST, b)));
	}
}

/** Set by stryker.config.mjs, whose processes inherit it */
const isMutationCheck = process.env.MUTATION_CHECK === '1';
/** Set by test/compat/engineTests.mts */
const isCompatibility = process.env.COMPAT_ENGINE !== undefined;
/** Set by test/n8n/main.mts */
const isVariant = process.env.N8N_VARIANT !== undefined;

const MINUTE = 60_000;

const unit = { name: 'unit', include: ['test/unit/*.test.mts'] };

const engine = {
	name: 'engine',
	include: ['test/{contract,demo,docs,engine,model,package,sandbox}/*.test.mts'],
};

/** The unit tests, and few histories of the trigger */
const mutation = {
	name: 'mutation',
	include: ['test/unit/*.test.mts', 'test/model/histories.test.mts'],
};

/** A real n8n in one variant (npm run test:n8n): minutes each, one file after another */
const n8n = {
	name: 'n8n',
	include: testFiles(variant()),
	isolate: true,
	fileParallelism: false,
	maxWorkers: 1,
	testTimeout: 2 * MINUTE,
	hookTimeout: 30 * MINUTE,
	teardownTimeout: MINUTE,
	silent: false,
};

const projects = isMutationCheck ? [mutation] : isVariant ? [n8n] : [unit, engine];

export default defineConfig({
	// Its other build cannot be loaded by Node.js, and n8n itself uses this one
	resolve: { alias: { 'n8n-workflow': createRequire(import.meta.url).resolve('n8n-workflow') } },
	test: {
		projects: projects.map((test) => ({ extends: true, test })),
		exclude: [...configDefaults.exclude, '.stryker-tmp/**'],
		setupFiles: ['test/seed.mts', ...(isCompatibility ? ['test/compat/setup.mts'] : [])],
		pool: 'forks',
		// Each of them loads n8n's engine and starts a database, so more cost more than they gain
		maxWorkers: isMutationCheck ? 1 : 2,
		sequence: { sequencer: isMutationCheck ? QuickestFirst : LongestFirst },
		isolate: false,
		// Far more than any test needs, because a busy machine must not make one fail
		testTimeout: 1.5 * MINUTE,
		hookTimeout: 1.5 * MINUTE,
		silent: 'passed-only',
		server: { deps: { external: [/\/dist\//] } },
		coverage: {
			provider: 'v8',
			include: ['dist/nodes/**/*.js', 'dist/credentials/**/*.js'],
			allowExternal: true,
			reporter: ['text'],
			thresholds: { lines: 95, branches: 95 },
		},
	},
});
