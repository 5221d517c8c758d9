import { defineConfig } from 'vitest/config';

/** The networks of companies: certificates, proxies, n8n's own protection. Processes of n8n, so apart from `npm test`. */
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
