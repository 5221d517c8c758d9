import { afterAll, afterEach, beforeAll } from 'vitest';

import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { rightService } from './verified.mts';

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

type Workspace = ReturnType<typeof rightService> & { sandbox: Sandbox };

/** The sandbox for the tests of a file, which each of them finds as it was at the start. */
export function useWorkspace(more: Partial<typeof seed> = {}): Workspace {
	const workspace = {} as Workspace;
	beforeAll(async () => {
		const sandbox = await startSandbox({ seed: { ...seed, ...more }, validateResponses: false });
		Object.assign(workspace, { sandbox, ...rightService(sandbox) });
	});
	afterEach(() => workspace.reset());
	afterAll(async () => await workspace.sandbox.close());
	return workspace;
}
