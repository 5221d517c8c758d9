import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

import type { Execution, N8nClient, WorkflowJson, WorkflowNode } from '../../n8n/client.mts';
import type { N8nServer } from '../../n8n/server.mts';
import type { LoggedRequest, Sandbox } from '../../sandbox/sandbox.mts';
import { ACTIONS, credentialsFor, node, ROOT, until, type Json } from '../server/helpers.mts';

const EXAMPLES = join(ROOT, 'examples');

export const EXAMPLE_FILES = readdirSync(EXAMPLES).filter((name) => name.endsWith('.json'));

const SLACK = 'n8n-nodes-base.slack';
const EMAIL = 'n8n-nodes-base.emailSend';
/** Nodes that need another credential, and the one that a user selects in each. */
export const OTHER_SERVICES: Record<string, string> = {
	[SLACK]: 'slackApi',
	[EMAIL]: 'smtp',
	'n8n-nodes-base.formTrigger': 'httpBasicAuth',
	'@n8n/n8n-nodes-langchain.lmChatOpenAi': 'openAiApi',
};
const RUN_TIMEOUT_MS = 60_000;

export function readExample(file: string): WorkflowJson {
	return JSON.parse(readFileSync(join(EXAMPLES, file), 'utf8'));
}

export interface ImportOptions {
	server: N8nServer;
	sandbox: Sandbox;
	/** IDs of saved credentials by type, in addition to the one for the sandbox */
	credentialIds?: Record<string, string>;
	/** Records in place of what a trigger finds */
	pinData?: Record<string, Json[]>;
	/** Whether to keep nodes that send messages; such a workflow cannot run here */
	withoutStandIns?: boolean;
	/** What a test must change in a node, by node name */
	change?: Record<string, (node: WorkflowNode) => WorkflowNode>;
}

/**
 * Imports an example as a user would, with a credential for the sandbox. Only what is not on this machine is replaced:
 * a node that sends a message by one that outputs it.
 */
export async function importExample(file: string, options: ImportOptions): Promise<string> {
	const { server, sandbox, change = {}, pinData = {}, credentialIds = {} } = options;
	const standIn = options.withoutStandIns ? (node: WorkflowNode) => node : withStandIn;
	const example = readExample(file);
	const nodes = example.nodes
		.map(standIn)
		.map((node) => change[node.name]?.(node) ?? node)
		.map((node) => withOtherCredential(node, credentialIds));
	const pinned = Object.entries(pinData).map(([name, records]) => [
		name,
		records.map((json) => ({ json })),
	]);
	return await server.importWorkflow(
		{ ...example, nodes, pinData: Object.fromEntries(pinned) },
		{ credentialIds: { ...credentialIds, ...(await credentialsFor(server, sandbox)) } },
	);
}

function withStandIn(node: WorkflowNode): WorkflowNode {
	if (node.type !== SLACK && node.type !== EMAIL) return node;
	const { text } = node.parameters as { text: string };
	const assignments = [{ id: 'text', name: 'text', type: 'string', value: text }];
	const parameters = { assignments: { assignments }, options: {} };
	return { ...node, type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters };
}

/** Replaces the stand-in for Slack: a node that sends the message to an address, as Slack's node does. */
export const sendingTo = (url: string) => (standIn: WorkflowNode) => {
	const { assignments } = standIn.parameters as Json;
	const [{ value }] = assignments.assignments;
	const parameters = {
		method: 'POST',
		url,
		sendBody: true,
		bodyParameters: { parameters: [{ name: 'text', value }] },
		options: {},
	};
	return { ...standIn, type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, parameters };
};

/** Gives a node of another service its credential, if there is one, as if the user had selected it. */
export function withOtherCredential(node: WorkflowNode, ids: Record<string, string>): WorkflowNode {
	const type = OTHER_SERVICES[node.type];
	const id = type && ids[type];
	return id ? { ...node, credentials: { [type]: { id, name: type } } } : node;
}

/** Saves credentials for the other services that point nowhere; returns their IDs by type. */
export async function otherCredentials(server: N8nClient): Promise<Record<string, string>> {
	const data: Record<string, Json> = {
		slackApi: { accessToken: 'none' },
		smtp: { user: 'none', password: 'none', host: '127.0.0.1', port: 9 },
		httpBasicAuth: { user: 'none', password: 'none' },
		openAiApi: { apiKey: 'none' },
	};
	const ids: Record<string, string> = {};
	// One after the other, because older versions cannot save two at once in SQLite
	for (const [type, values] of Object.entries(data)) {
		ids[type] = await server.createCredential(type, type, values);
	}
	return ids;
}

/** Changes parameters of a node. */
export const parameters = (changes: Json) => (node: WorkflowNode) => ({
	...node,
	parameters: { ...(node.parameters as Json), ...changes },
});

/**
 * A stand-in that fails as long as the service refuses `GET /v1/competitors`, like a node whose token was revoked. The
 * workflow handles this as in the example.
 */
export const failing = (example: WorkflowNode): WorkflowNode => ({
	...example,
	...node(example.name, ACTIONS, { resource: 'competitor', operation: 'getAll', limit: 1 }),
});

/** "Execute workflow" in the editor, starting from the trigger with this name; `data` is the trigger's output. */
export async function runFromEditor(
	server: N8nServer,
	workflowId: string,
	trigger: string,
	data?: Json,
	timeoutMs = RUN_TIMEOUT_MS,
): Promise<Execution> {
	const run = data && { data: { main: [[{ json: data }]] }, ...RUN_OF_TRIGGER };
	const path = `/workflows/${workflowId}/run`;
	// n8n 1 runs what the editor shows
	const workflowData = await server.rest('GET', `/workflows/${workflowId}`);
	const triggerToStartFrom = { name: trigger, ...(run && { data: run }) };
	const body = { workflowData, triggerToStartFrom };
	const { executionId } = await server.rest<{ executionId: string }>('POST', path, body);
	return await ended(server, { id: executionId, workflowId }, timeoutMs);
}

/** "Retry" in the list of executions: continues at the failed node. */
export async function retry(server: N8nServer, { id, workflowId }: Execution): Promise<Execution> {
	const body = { loadWorkflow: false };
	const again = await server.rest<{ id: string }>('POST', `/executions/${id}/retry`, body);
	return await ended(server, { id: again.id, workflowId }, RUN_TIMEOUT_MS);
}

async function ended(
	server: N8nServer,
	{ id, workflowId }: Pick<Execution, 'id' | 'workflowId'>,
	timeoutMs: number,
): Promise<Execution> {
	const isOver = async () => {
		// While n8n is busy with many items, it may not answer
		const all = await server.executions(workflowId).catch(() => []);
		const status = all.find((one) => one.id === id)?.status ?? 'new';
		return !['new', 'running', 'waiting'].includes(status);
	};
	await until('the end of the run', isOver, timeoutMs);
	return await server.execution(id);
}

const RUN_OF_TRIGGER = { startTime: 0, executionIndex: 0, executionTime: 0, source: [null] };

/** Checks that the execution succeeded and that the service accepted all requests. */
export function expectSuccess(execution: Execution, sandbox: Sandbox): void {
	const { error } = execution.data.resultData;
	expect({ status: execution.status, error: error?.message }).toEqual({
		status: 'success',
		error: undefined,
	});
	expect(sandbox.responseViolations).toEqual([]);
}

/** The requests with this method and path, in order. */
export function requestsOf(sandbox: Sandbox, method: string, path: string): LoggedRequest[] {
	return sandbox.requests.filter((request) => request.method === method && request.path === path);
}

export function bodiesOf(sandbox: Sandbox, method: string, path: string): Json[] {
	return requestsOf(sandbox, method, path).map(({ body }) => body as Json);
}

/** Changes rows of a data table, as its owner would in n8n. */
export async function updateRows(
	server: N8nServer,
	table: string,
	where: Json,
	data: Json,
): Promise<void> {
	const path = await pathOfRows(server, table);
	await server.rest('PATCH', path, { filter: filterOf(where), data });
}

/** Rows of a data table in the order of their IDs, at most 250. */
export async function rowsOf(server: N8nServer, table: string, where: Json): Promise<Json[]> {
	const path = await pathOfRows(server, table);
	const filter = encodeURIComponent(JSON.stringify(filterOf(where)));
	const query = `take=250&sortBy=id:asc&filter=${filter}`;
	return (await server.rest<{ data: Json[] }>('GET', `${path}?${query}`)).data;
}

async function pathOfRows(server: N8nServer, table: string): Promise<string> {
	const { data: tables } = await server.rest<{ data: Json[] }>('GET', '/data-tables-global');
	const { id, projectId } = tables.find(({ name }) => name === table) as Json;
	return `/projects/${projectId}/data-tables/${id}/rows`;
}

const filterOf = (where: Json) => ({
	type: 'and',
	filters: Object.entries(where).map(([columnName, value]) => ({
		columnName,
		condition: 'eq',
		value,
	})),
});

/** All node types of n8n, one entry for each group of versions. */
export async function nodeTypes({ url, login }: N8nServer): Promise<Json[]> {
	const session = await fetch(`${url}/rest/login`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ emailOrLdapLoginId: login.email, password: login.password }),
	});
	const cookie = session.headers.getSetCookie().map((one) => one.split(';')[0]);
	const answer = await fetch(`${url}/types/nodes.json`, { headers: { cookie: cookie.join('; ') } });
	return (await answer.json()) as Json[];
}
