import type { TestContext } from 'vitest';

import { core, n8nWorkflow, searchVisibilityNode } from './engine.mts';

/** Parts of n8n that older versions lack. Each one is looked up directly, because a list of versions could be wrong. */
const PARTS = {
	'output previews in n8n-core': typeof core.loadOutputSchema === 'function',
	// Without the cause of an error, n8n cannot tell which rule of the credential applies
	"words of a credential's own test":
		new n8nWorkflow.NodeApiError(searchVisibilityNode({}), new Error() as never).cause instanceof
		Error,
};

/** Skips a test if this version of n8n lacks what the test is about. */
export function needs(part: keyof typeof PARTS, { skip }: TestContext): void {
	skip(!PARTS[part], `no ${part}`);
}
