import { randomBytes } from 'node:crypto';

import { inARow, node, NO_OP, SPLIT_OUT, TRIGGER, CREDENTIAL } from '../e2e/server/helpers.mts';
import type { WorkflowJson, WorkflowNode } from '../n8n/client.mts';

/** What polls: the package's trigger, or n8n's own nodes. */
export const KINDS = ['trigger', 'own'] as const;
export type Kind = (typeof KINDS)[number];

/** The node after the trigger; it runs with what is new. */
export const THEN = 'Then';

/** A workflow and its credential, in the form that n8n's commands import. */
export interface Member {
	workflow: WorkflowJson & { id: string };
	credential: { id: string; name: string; type: string; data: Record<string, string> };
}

/** The ID of the workflow that watches a workspace. IDs of one kind sort by workspace. */
export const workflowId = (kind: Kind, workspace: number): string =>
	`${kind}${String(workspace).padStart(6, '0')}`;

export const workspaceOf = (id: string): number => Number(id.slice(-6));

/** The workflow of one kind that watches a workspace, with its own credential. */
export function memberOf(kind: Kind, workspace: number, url: string, key: string): Member {
	const id = workflowId(kind, workspace);
	const name = `Workspace ${workspace}, ${kind}`;
	const data: Record<string, string> =
		kind === 'trigger' ? { baseUrl: url, apiKey: key } : { token: key };
	const credential = { id, name, type: CREDENTIALS[kind], data };
	const nodes = WORKFLOWS[kind](url);
	const bound = nodes.nodes.map((one) => withCredential(one, credential));
	// n8n repairs nodes without unique IDs, which takes time
	const own = bound.map((one) => ({ ...one, id: randomBytes(8).toString('hex') }));
	return { workflow: { ...nodes, id, name, nodes: own }, credential };
}

/** A key for each workspace. */
export const keysFor = (count: number): string[] =>
	Array.from({ length: count }, () => `sv_${randomBytes(16).toString('hex')}`);

const CREDENTIALS: Record<Kind, string> = { trigger: CREDENTIAL, own: 'httpBearerAuth' };

const WORKFLOWS: Record<Kind, (url: string) => WorkflowJson> = {
	trigger: () =>
		inARow('', [
			node('Trigger', TRIGGER, { pollTimes: { item: [{ mode: 'everyMinute' }] } }),
			node(THEN, NO_OP),
		]),
	own: byHand,
};

/** The lists that the trigger polls by default. */
const LISTS = {
	New: '/v1/ai-visibility/citations?type=new&limit=100&offset=0',
	Processed: '/v1/ai-visibility/citations?type=processed&limit=100&offset=0',
	Questions: '/v1/people-also-ask?status=new,processed&limit=100&offset=0',
};

/** The same with n8n's own nodes, as short as possible: it reads one page of each list. */
function byHand(url: string): WorkflowJson {
	const everyMinute = { rule: { interval: [{ field: 'minutes', minutesInterval: 1 }] } };
	const requests = Object.entries(LISTS).map(([name, path]) =>
		node(
			name,
			'n8n-nodes-base.httpRequest',
			{
				url: url + path,
				authentication: 'genericCredentialType',
				genericAuthType: 'httpBearerAuth',
			},
			{ typeVersion: 4.2 },
		),
	);
	const remove = {
		operation: 'removeItemsSeenInPreviousExecutions',
		logic: 'removeItemsWithAlreadySeenKeyValues',
		dedupeValue: '={{ $json.id }}',
	};
	const rest = inARow('', [
		node('Merge', 'n8n-nodes-base.merge', { numberInputs: 3 }, { typeVersion: 3 }),
		node('Split Out', SPLIT_OUT, { fieldToSplitOut: 'data.items' }),
		node('Remove Duplicates', 'n8n-nodes-base.removeDuplicates', remove, { typeVersion: 2 }),
		node(THEN, NO_OP),
	]);
	const schedule = node('Schedule', 'n8n-nodes-base.scheduleTrigger', everyMinute, {
		typeVersion: 1.2,
	});
	const to = (name: string, index = 0) => ({ node: name, type: 'main', index });
	const connections = {
		...rest.connections,
		Schedule: { main: [Object.keys(LISTS).map((name) => to(name))] },
		...Object.fromEntries(
			Object.keys(LISTS).map((name, index) => [name, { main: [[to('Merge', index)]] }]),
		),
	};
	const nodes = [schedule, ...requests, ...rest.nodes].map((one, index) => ({
		...one,
		position: [220 * index, 0],
	}));
	return { ...rest, nodes, connections };
}

const NEEDS_CREDENTIAL = new Set([TRIGGER, 'n8n-nodes-base.httpRequest']);

function withCredential(one: WorkflowNode, { id, name, type }: Member['credential']): WorkflowNode {
	if (!NEEDS_CREDENTIAL.has(one.type)) return one;
	return { ...one, credentials: { [type]: { id, name } } };
}
