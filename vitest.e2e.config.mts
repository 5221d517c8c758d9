import { defineConfig } from 'vitest/config';

/** Tests with a real n8n server (and a real editor) take minutes, so `npm test` does not include them. */
export default defineConfig({
	test: {
		include: ['test/e2e/**/*.test.mts'],
		pool: 'forks',
		fileParallelism: false,
		testTimeout: 120_000,
		hookTimeout: 20 * 60_000,
		teardownTimeout: 60_000,
	},
});
