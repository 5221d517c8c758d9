import { defineConfig } from 'vitest/config';

import { KeepResults } from './test/n8n/results.mts';

/** n8n as people run it: databases, processes, engines, paths. Minutes each, so not part of `npm test`. */
export default defineConfig({
	test: {
		include: ['test/services/**/*.test.mts'],
		reporters: ['default', new KeepResults('services')],
		pool: 'forks',
		fileParallelism: false,
		testTimeout: 60_000,
		hookTimeout: 20 * 60_000,
		teardownTimeout: 60_000,
	},
});
