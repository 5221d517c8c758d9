import { createRequire } from 'node:module';

import { expect, it } from 'vitest';

const require = createRequire(import.meta.url);

// For the mutation check, a test file that cannot be imported is not a failed test: this one is
it.each([
	'nodes/SearchVisibility/SearchVisibility.node',
	'nodes/SearchVisibilityTrigger/SearchVisibilityTrigger.node',
	'credentials/SearchVisibilityApi.credentials',
])('%s can be loaded', (file) => {
	expect(() => require(`../../dist/${file}.js`) as unknown).not.toThrow();
});
