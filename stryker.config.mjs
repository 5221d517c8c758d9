import { availableParallelism } from 'node:os';

// If local time were UTC, no test could tell one from the other
process.env.TZ = 'America/Los_Angeles';
// Selects the project of vitest.config.mts
process.env.MUTATION_CHECK = '1';
// Each mutant loads everything anew, which takes Node.js 22 and later half the time if it keeps what it has compiled
process.env.NODE_COMPILE_CACHE ??= 'node_modules/.cache/compiled';

/** The mutation check: each small change to the code must make a unit test fail (see CONTRIBUTING.md). */
export default {
	mutate: [
		'nodes/**/*.ts',
		// Tables and texts, which other tests judge: the contract, the displayed fields, the words of errors
		'!nodes/**/*.node.ts',
		'!nodes/SearchVisibility/resources/**',
		'!nodes/SearchVisibility/{operation,parameters}.ts',
		'!nodes/SearchVisibilityTrigger/{events,parameters}.ts',
		'!nodes/shared/errors/errorTexts.ts',
		// Simulations judge it by its figures; they take too long to run for each mutant
		'!nodes/shared/request/pace.ts',
	],
	ignorePatterns: ['dist', 'coverage', 'docs/pictures'],
	testRunner: 'vitest',
	vitest: { configFile: 'vitest.config.mts', related: false },
	coverageAnalysis: 'perTest',
	// What runs while a file is loaded would need all tests for each mutant
	ignoreStatic: true,
	concurrency: availableParallelism(),
	timeoutMS: 5000,
	reporters: ['clear-text', 'html', 'progress-append-only'],
	clearTextReporter: { logTests: false, reportTests: false },
	thresholds: { high: 95, low: 90, break: 90 },
	tempDirName: '.stryker-tmp',
	// Lint would find the copies of the project in it
	cleanTempDir: 'always',
};
