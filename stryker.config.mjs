// If local time were UTC, no test could tell one from the other
process.env.TZ = 'America/Los_Angeles';
// Selects the project of vitest.config.mts
process.env.MUTATION_CHECK = '1';

/** The mutation check: each small change to the code must make a test fail (see CONTRIBUTING.md). */
export default {
	mutate: [
		'nodes/shared/**/*.ts',
		'nodes/SearchVisibility/{answer,batches,execute,itemInput,lookup,pageIndex,plan,readInput,report,retryMemory,run,settings}.ts',
		'nodes/SearchVisibility/methods/*.ts',
		'nodes/SearchVisibilityTrigger/{discovery,filter,order,poll,reading,listedRecord,seenIds,triggerSettings,state}.ts',
	],
	// The tests use the built package, so the mutants are built too
	buildCommand: 'n8n-node build',
	ignorePatterns: ['dist', 'coverage'],
	testRunner: 'vitest',
	vitest: { configFile: 'vitest.config.mts', related: false },
	coverageAnalysis: 'perTest',
	concurrency: 2,
	timeoutMS: 10_000,
	reporters: ['clear-text', 'html', 'progress-append-only'],
	clearTextReporter: { logTests: false, reportTests: false },
	thresholds: { high: 95, low: 90, break: 90 },
	tempDirName: '.stryker-tmp',
	// Lint would find the copies of the project in it
	cleanTempDir: 'always',
};
