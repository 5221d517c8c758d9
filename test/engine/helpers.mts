import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { expect, vi, type TestContext } from 'vitest';

import { defined } from '../defined.mts';
import type { Sandbox } from '../sandbox/sandbox.mts';
import { CASES } from './cases.mts';
import { core, n8nWorkflow, searchVisibilityNode, type RunResult } from './engine.mts';

export { byId } from './cases.mts';

export const caseOf = (name: string) => defined(CASES.find((one) => one.name === name));

/** @returns the requests without the one for the workspace, with which an operation may read its name for all items */
export const ownRequests = <R extends { path: string }>(name: string, requests: R[]): R[] =>
	requests.filter(({ path }) => name === 'workspace.get' || path !== '/v1/workspace');

/** The operation with these parameters. */
export function at(name: string, parameters: INodeParameters = {}): INodeParameters {
	const [resource, operation] = name.split('.');
	return { resource, operation, ...parameters };
}

/** The parameters of a valid call, with changes. */
export const callOf = (name: string, changes: INodeParameters = {}) =>
	at(name, { ...caseOf(name).parameters, ...changes });

export const MODES = [undefined, 'continueRegularOutput', 'continueErrorOutput'] as const;

/** The error items, at whichever output they are. */
export const failedOf = ({ output, errors }: Pick<RunResult, 'output' | 'errors'>) =>
	[...output, ...errors].filter(({ json }) => json.error);

export const doneOf = ({ output }: RunResult) => output.filter(({ json }) => !json.error);

export const hintsOf = ({ hints }: RunResult) => hints.map(({ message }) => message);

export const idsOf = (records: Iterable<{ id?: unknown }>) =>
	[...records].map(({ id }) => String(id));

/** The service has these cited pages, as new ones, and no others. */
export function listPages(sandbox: Sandbox, ...pages: IDataObject[]): void {
	for (const [type, items] of Object.entries({ new: pages, processed: [], archived: [] })) {
		const data = { total: items.length, offset: 0, limit: 100, count: items.length, items };
		const match = { path: '/v1/ai-visibility/citations', times: null, query: { type } };
		sandbox.fault({ kind: 'status', status: 200, body: { data }, match });
	}
}

/** Waits until no request is under way, from the service's point of view. */
export async function nothingUnderWay(sandbox: Sandbox): Promise<void> {
	await vi.waitFor(
		() => {
			sandbox.clearLog();
			expect(sandbox.maxInFlight).toBe(0);
		},
		{ timeout: 1000 },
	);
}

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
