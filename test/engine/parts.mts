import type { TestContext } from 'vitest';

import { core, n8nWorkflow, searchVisibilityNode } from './engine.mts';

const errorOf = (cause: Error | object, options = {}) =>
	new n8nWorkflow.NodeApiError(searchVisibilityNode({}), cause as never, options as never);

/** Parts of n8n that older versions lack. Each one is looked up directly, because a list of versions could be wrong. */
const PARTS = {
	'failure causes': 'failure' in errorOf({}, { failure: { cause: 'rate-limited' } }),
	'output previews in n8n-core': typeof core.loadOutputSchema === 'function',
	// Without the cause of an error, n8n cannot tell which rule of the credential applies
	"words of a credential's own test": errorOf(new Error()).cause instanceof Error,
};

/** Skips a test if this version of n8n lacks what the test is about. */
export function needs(part: keyof typeof PARTS, { skip }: TestContext): void {
	skip(!PARTS[part], `no ${part}`);
}
