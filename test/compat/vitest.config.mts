import { mergeConfig } from 'vitest/config';

import base from '../../vitest.config.mts';

/** The engine tests as ever, and what they really loaded. */
export default mergeConfig(base, {
	test: {
		setupFiles: ['test/compat/setup.mts'],
		reporters: ['./test/compat/reporter.mts'],
	},
});
