import { until } from '../../processes.mts';
import type { Execution, WorkflowNode } from '../client.mts';
import type { Json } from '../helpers.mts';
import { posted, sandbox, server, type UseOptions } from './helpers.mts';

/* What the tests of examples with a queue do with it, and what can happen to its pages. */

export const NOTIFY = { method: 'POST', path: '/v1/gsc/index' };

/** The addresses of which the search engine was notified. */
export const notified = () => posted(NOTIFY.path).map(({ url }) => url as string);

const disconnect = () => sandbox.setSearchConsole(false);

/** The connection is lost, or the answer is cut off, for two notifications. */
export const lose = (kind: 'cutAfter' | 'truncated') => () =>
	sandbox.fault({ match: { ...NOTIFY, times: 2 }, kind });

/** The service works again. */
export const restore = () => {
	sandbox.clearFaults();
	sandbox.setSearchConsole(true);
};

/** The service answers so for good. */
export const always =
	(status: number, more: { headers?: Record<string, string>; body?: object } = {}) =>
	() =>
		sandbox.fault({ match: { ...NOTIFY, times: null }, kind: 'status', status, ...more });

/** For longer than an hour, so that the node does not wait for it. */
export const tooMany = always(429, { headers: { 'Retry-After': '7200' } });
const quota = { code: 'RESOURCE_EXHAUSTED', message: 'Quota exceeded for the day' };

/** What can happen to pages that are then sent again, because a notification that comes twice costs quota only. */
export const PASSING: Array<[string, () => unknown]> = [
	['got an error of the service', always(500)],
	['got half an answer', lose('truncated')],
	['may have arrived before the connection was lost', lose('cutAfter')],
	['were too many', tooMany],
	['are beyond the quota of the day', always(403, { body: quota })],
	['were sent with a key that is no longer accepted', always(401)],
	['are not of a connected search console', disconnect],
];

export type Change = NonNullable<UseOptions['change']>;

/** Changes nodes of a workflow, and pins data, as its owner would in the editor. */
export async function edit(id: string, change: Change, pinData: Json = {}): Promise<void> {
	const path = `/workflows/${id}`;
	const { nodes, connections, versionId } = await server.rest('GET', path);
	const changed = (nodes as WorkflowNode[]).map((one) => change[one.name]?.(one) ?? one);
	await server.rest('PATCH', path, { nodes: changed, connections, versionId, pinData });
}

/** "Retry with currently saved workflow"; returns the nodes that ran again, with the execution. */
export async function retry({ id, workflowId }: Execution) {
	const before = Date.now();
	const { count } = await server.executions(workflowId);
	await server.rest('POST', `/executions/${id}/retry`, { loadWorkflow: true });
	const execution = await server.waitForExecution(workflowId, count + 1);
	const nodes = Object.entries(execution.data.resultData.runData)
		.filter(([, runs]) => runs.some(({ startTime }) => startTime >= before))
		.map(([name]) => name);
	return { execution, nodes };
}

/** Runs a workflow, and kills n8n in the middle, as a power failure would; then n8n is up again. */
export async function killDuring(id: string, trigger: string, isDue: () => boolean): Promise<void> {
	await server.startManually(id, { name: trigger });
	await until('the middle of the run', isDue);
	await server.kill();
	await server.start();
}
