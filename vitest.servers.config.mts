import { defineConfig } from 'vitest/config';

import { KeepResults } from './test/n8n/results.mts';

/** Real servers and editors of several versions of n8n, one after another: minutes each, so not part of `npm test`. */
export default defineConfig({
	test: {
		include: ['test/servers/**/*.test.mts'],
		reporters: ['default', new KeepResults('servers')],
		pool: 'forks',
		fileParallelism: false,
		// One n8n at a time, and each part continues from the one before
		sequence: { concurrent: false },
		testTimeout: 120_000,
		hookTimeout: 30 * 60_000,
		teardownTimeout: 60_000,
	},
});
