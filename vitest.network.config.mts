import { defineConfig } from 'vitest/config';

/** Company networks: certificates, proxies, n8n's own protection. Starts n8n processes, so not part of `npm test`. */
export default defineConfig({
	test: {
		include: ['test/network/**/*.test.mts'],
		pool: 'forks',
		fileParallelism: false,
		testTimeout: 120_000,
		hookTimeout: 20 * 60_000,
		teardownTimeout: 60_000,
	},
});
