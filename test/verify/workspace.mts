import { afterAll, beforeAll } from 'vitest';

import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { rightService, type Answer } from './verified.mts';

/** Few records, and more than a page of some. */
const seed = {
	keyword: 120,
	competitor: 3,
	discoveredCompetitor: 4,
	forumOpportunity: 12,
	question: 50,
	backlink: 30,
	citedPage: 40,
	action: 12,
};

/** The sandbox for the tests of a file, and a right service that reads from it. */
export function useWorkspace(more: Partial<typeof seed> = {}) {
	const workspace = {} as { sandbox: Sandbox; right: Answer };
	beforeAll(async () => {
		const sandbox = await startSandbox({ seed: { ...seed, ...more }, validateResponses: false });
		Object.assign(workspace, { sandbox, right: rightService(sandbox) });
	});
	afterAll(async () => await workspace.sandbox.close());
	return workspace;
}
