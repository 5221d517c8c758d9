import { mergeConfig } from 'vitest/config';

import base from '../../vitest.config.mts';

/** The usual configuration of the engine tests, which also records what they really loaded. */
export default mergeConfig(base, {
	test: {
		setupFiles: ['test/compat/setup.mts'],
		reporters: ['./test/compat/reporter.mts'],
	},
});
