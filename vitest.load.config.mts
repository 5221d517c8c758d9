import { defineConfig } from 'vitest/config';

/** n8n under load: minutes each, so not part of `npm test` or `npm run test:e2e`. */
export default defineConfig({
	test: {
		include: ['test/load/**/*.test.mts'],
		pool: 'forks',
		fileParallelism: false,
		testTimeout: 20 * 60_000,
		hookTimeout: 20 * 60_000,
		teardownTimeout: 60_000,
	},
});
