import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

import { defined } from '../../defined.mts';
import type { Execution, N8nClient, WorkflowJson, WorkflowNode } from '../client.mts';
import type { N8nServer } from '../server.mts';
import type { LoggedRequest, Sandbox } from '../../sandbox/sandbox.mts';
import { ACTIONS, credentialsFor, node, ROOT, uniqueKey, type Json } from '../helpers.mts';

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
	'@n8n/n8n-nodes-langchain.mcpTrigger': 'httpBearerAuth',
};

export function readExample(file: string): WorkflowJson {
	return JSON.parse(readFileSync(join(EXAMPLES, file), 'utf8'));
}

/** Versions of n8n in which the examples are tested, from old to new. */
export const RELEASES = ['1.123.0', '2.0.3', '2.20.12', '2.41.1'];

/** By node type and the release from which on they exist: the versions of the nodes of all examples. */
const recorded = JSON.parse(
	readFileSync(new URL('nodeVersions.json', import.meta.url), 'utf8'),
) as Record<string, Record<string, string>>;

/** The recorded versions of a node type in a release. */
export function versionsIn(release: string, type: string): number[] {
	const releases = RELEASES.slice(0, RELEASES.indexOf(release) + 1);
	const newest = releases.findLast((one) => recorded[type]?.[one] !== undefined);
	return newest === undefined ? [] : (recorded[type]?.[newest] ?? '').split(' ').map(Number);
}

/** Whether a release has this version of a node; it has the nodes of this package. */
export const hasNode = (release: string, node: { type: string; typeVersion?: number }): boolean =>
	node.type.startsWith('n8n-nodes-search-visibility.') ||
	versionsIn(release, node.type).includes(node.typeVersion ?? 1);

/** All node types that are recorded. */
export const RECORDED_TYPES = Object.keys(recorded);

export interface ImportOptions {
	server: N8nServer;
	sandbox: Sandbox;
	/** IDs of saved credentials by type, in addition to the one for the sandbox */
	credentialIds?: Record<string, string>;
	/** Records in place of what its trigger finds */
	found?: Json[];
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
	const { server, sandbox, change = {}, found, credentialIds = {} } = options;
	const standIn = options.withoutStandIns ? (node: WorkflowNode) => node : withStandIn;
	const example = readExample(file);
	const nodes = example.nodes
		.map(standIn)
		.map((node) => change[node.name]?.(node) ?? node)
		.map((node) => withOtherCredential(node, credentialIds));
	const pinData = found && { [triggerOf(example)]: found.map((json) => ({ json })) };
	return await server.importWorkflow(
		{ ...example, nodes, pinData },
		{ credentialIds: { ...credentialIds, ...(await credentialsFor(server, sandbox)) } },
	);
}

/** The name of its trigger */
export const triggerOf = ({ nodes }: WorkflowJson) =>
	defined(nodes.find(({ type }) => type.endsWith('Trigger'))).name;

const RUN_OF_TRIGGER = { startTime: 0, executionIndex: 0, executionTime: 0, source: [null] };

/** Imports an example to run it in the editor. */
export async function useExample(file: string, options: ImportOptions) {
	const id = await importExample(file, options);
	/** "Execute workflow"; `data` is the output of the trigger */
	const run = async (data?: Json) =>
		await options.server.runManually(id, {
			triggerToStartFrom: {
				name: triggerOf(readExample(file)),
				...(data && { data: { data: { main: [[{ json: data }]] }, ...RUN_OF_TRIGGER } }),
			},
		});
	const succeed = async (data?: Json) => {
		const execution = await run(data);
		expectSuccess(execution, options.sandbox);
		return execution;
	};
	return { id, run, succeed };
}

/** Imports an example with a data table of its own, instead of the one with this name. */
export async function withOwnTable(
	file: string,
	table: string,
	options: ImportOptions,
	own = `Pages ${uniqueKey().slice(-8)}`,
) {
	const { server, change = {} } = options;
	const changed = (node: WorkflowNode): WorkflowNode =>
		JSON.parse(JSON.stringify(change[node.name]?.(node) ?? node).replaceAll(table, own));
	const all = Object.fromEntries(readExample(file).nodes.map(({ name }) => [name, changed]));
	return {
		...(await useExample(file, { ...options, change: all })),
		rows: async (status: string) => await rowsOf(server, own, { status }),
		/** Changes rows, as its owner would. */
		update: async (where: Json, data: Json) => await updateRows(server, own, where, data),
	};
}

function withStandIn(node: WorkflowNode): WorkflowNode {
	if (node.type !== SLACK && node.type !== EMAIL) return node;
	const { text } = node.parameters as { text: string };
	const assignments = [{ id: 'text', name: 'text', type: 'string', value: text }];
	const parameters = { assignments: { assignments }, options: {} };
	return { ...node, type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters };
}

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
		httpBearerAuth: { token: 'none' },
		openAiApi: { apiKey: 'none' },
	};
	const ids: Record<string, string> = {};
	// One after the other, because older versions cannot save two at once in SQLite
	for (const [type, values] of Object.entries(data)) {
		ids[type] = await server.createCredential(type, type, values);
	}
	return ids;
}

/** Changes values of an Edit Fields node. */
export const withValues = (values: Json) => (node: WorkflowNode) => {
	const { assignments } = (node.parameters as Json).assignments;
	const chosen = assignments.map((one: Json) => ({ ...one, value: values[one.name] ?? one.value }));
	return parameters({ assignments: { assignments: chosen } })(node);
};

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

/** Checks that the execution succeeded and that the service accepted all requests. */
export function expectSuccess(execution: Execution, sandbox: Sandbox): void {
	const { error } = execution.data.resultData;
	expect({ status: execution.status, error: error?.message }).toEqual({
		status: 'success',
		error: undefined,
	});
	expect(sandbox.responseViolations).toEqual([]);
}

/** Checks that the execution failed in this node, with an error that contains these words. */
export function expectFailure({ status, data }: Execution, name: string, ...words: string[]): void {
	expect(status).toBe('error');
	expect(data.resultData.lastNodeExecuted).toBe(name);
	for (const some of words) expect(data.resultData.error?.message).toContain(some);
}

/** The requests with this method and path, in order. */
export function requestsOf(sandbox: Sandbox, method: string, path: string): LoggedRequest[] {
	return sandbox.requests.filter((request) => request.method === method && request.path === path);
}

/** Changes rows of a data table, as its owner would in n8n. */
async function updateRows(server: N8nServer, table: string, where: Json, data: Json) {
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
