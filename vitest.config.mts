import { defineConfig } from 'vitest/config';

export default defineConfig({
	test: {
		include: [
			'test/{bench,contract,demo,docs,engine,fleet,model,package,sandbox,unit,upgrade}/*.test.mts',
		],
		setupFiles: ['test/seed.mts'],
		pool: 'forks',
		maxWorkers: 2,
		isolate: false,
		// Far more than any test needs, because a busy machine must not make one fail
		testTimeout: 90_000,
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
