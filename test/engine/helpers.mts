import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterAll, expect, vi, type TestContext } from 'vitest';

import {
	startSandbox,
	type FaultSpec,
	type LoggedRequest,
	type Sandbox,
	type SandboxOptions,
} from '../sandbox/sandbox.mts';
import { CASES, type OperationCase } from './cases.mts';
import { core, n8nWorkflow, searchVisibilityNode, type RunResult } from './engine.mts';

export const byId = (value: unknown) => ({ __rl: true, mode: 'id', value }) as never;

export const nameOf = ({ resource, operation }: { resource: string; operation: string }) =>
	`${resource}.${operation}`;

export function caseOf(name: string): OperationCase {
	const found = CASES.find((testCase) => nameOf(testCase) === name);
	if (!found) throw new Error(`There is no case ${name}`);
	return found;
}

/** @returns the requests without the one for the workspace, with which an operation may read its name for all items */
export const ownRequests = <R extends { path: string }>(name: string, requests: R[]): R[] =>
	requests.filter(({ path }) => name === 'workspace.get' || path !== '/v1/workspace');

/** @returns how many of those a valid call takes if nothing goes wrong */
export const usualRequests = (name: string) => caseOf(name).composedOf ?? 1;

/** The parameters of a valid call, with changes. */
export function callOf(
	name: string,
	sandbox: Sandbox,
	changes: INodeParameters = {},
): INodeParameters {
	const { resource, operation, parameters } = caseOf(name);
	return { resource, operation, ...parameters(sandbox), ...changes };
}

const idle = new Map<string, Sandbox[]>();
afterAll(async () => {
	await Promise.all([...idle.values()].flat().map((sandbox) => sandbox.close()));
	idle.clear();
});

/**
 * Gives the work its own sandbox, so that tests can run at the same time. Used sandboxes are reset, which is faster.
 */
export async function withSandbox<T>(
	work: (sandbox: Sandbox) => Promise<T>,
	options: SandboxOptions = {},
): Promise<T> {
	const pool = idle.get(JSON.stringify(options)) ?? [];
	idle.set(JSON.stringify(options), pool);
	const sandbox = pool.pop() ?? (await startSandbox(options));
	try {
		return await work(sandbox);
	} finally {
		sandbox.reset();
		pool.push(sandbox);
	}
}

export const MODES = [undefined, 'continueRegularOutput', 'continueErrorOutput'] as const;

/** The error items, at whichever output they are. */
export const failedOf = ({ output, errors }: RunResult) =>
	[...output, ...errors].filter(({ json }) => json.error);

export const doneOf = ({ output }: RunResult) => output.filter(({ json }) => !json.error);

/** Everything that users can read about an error, thrown or in an item. */
export function wordsOf(result: RunResult): string {
	const { error } = result;
	const items = failedOf(result).map(({ json }) => json.error as IDataObject);
	return [error, ...items].map((one) => `${one?.message} ${one?.description}`).join('\n');
}

export const tooMany = (retryAfter?: string): FaultSpec => ({
	kind: 'status',
	status: 429,
	...(retryAfter !== undefined && { headers: { 'Retry-After': retryAfter } }),
});

export const idsOf = (records: Iterable<{ id?: unknown }>) =>
	[...records].map(({ id }) => String(id));

/** Whether the service did the work that a request asks for, even if its answer got lost. */
export const isWork = ({ served }: LoggedRequest) => served !== null && served < 300;

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
