import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { INode, INodeParameters } from 'n8n-workflow';
import { afterAll } from 'vitest';

import { itemAt } from '../defined.mts';
import { ROOT } from '../demo/build.mts';
import type { Execution, Json, N8nClient, WorkflowJson, WorkflowNode } from './client.mts';
import { ensureVersion } from './install.mts';
import { removeFolder, runNpm, temporaryFolder } from '../processes.mts';
import { startN8n, type N8nServer } from './server.mts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../sandbox/sandbox.mts';
import { variant } from './variants.mts';
import { NEWEST, versionOf } from './versions.mts';

export { ROOT } from '../demo/build.mts';
export { until } from '../processes.mts';
export type { Json } from './client.mts';

export const CREDENTIAL = 'searchVisibilityApi';
export const ACTIONS = 'n8n-nodes-search-visibility.searchVisibility';
export const TRIGGER = 'n8n-nodes-search-visibility.searchVisibilityTrigger';
const WEBHOOK = 'n8n-nodes-base.webhook';
export const NO_OP = 'n8n-nodes-base.noOp';

/** A key that does not occur anywhere by chance. */
export const uniqueKey = () => `sv_${randomBytes(32).toString('hex')}`;

export const log = (line: string) => console.log(line);

const ends: Array<() => Promise<unknown>> = [];
// The demo uses this file too, outside of tests
if (process.env.VITEST) {
	afterAll(async () => {
		for (const end of ends.splice(0).reverse()) await end();
	});
}

/** Ends it after all tests of the file; what was started last ends first. */
export function kept<T extends Ending>(one: T): T {
	ends.push(async () => await ('stop' in one ? one.stop() : one.close()));
	return one;
}

type Ending = { stop: () => Promise<unknown> } | { close: () => Promise<unknown> };

/** Starts a sandbox for the tests of this file, with a key that can be searched for. */
export const openSandbox = async (options: SandboxOptions = {}): Promise<Sandbox> =>
	kept(await startSandbox({ apiKey: uniqueKey(), ...options }));

/** More than a page of cited pages, and few questions. */
export const SEED = { citedPage: 230, question: 40 };

/**
 * Starts the n8n of this variant for the tests of this file, with the package as `npm publish` would send it. Needs a
 * build.
 */
export async function startServer(env: Record<string, string> = {}): Promise<N8nServer> {
	const { version: number = NEWEST, env: ofVariant } = variant();
	const version = versionOf(number);
	const installed = await ensureVersion(version, log);
	const folder = temporaryFolder('search-visibility-pack-');
	try {
		return kept(
			await startN8n({
				installed,
				publishing: version.publishing,
				tarball: await pack(folder),
				env: { ...version.env, ...ofVariant, ...env },
				log,
			}),
		);
	} finally {
		removeFolder(folder);
	}
}

/** Packs the package into a folder. */
export async function pack(folder: string): Promise<string> {
	if (!existsSync(join(ROOT, 'dist'))) throw new Error('There is no build: npm run build');
	await runNpm(['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: ROOT });
	return join(folder, itemAt(readdirSync(folder), 0));
}

/** Saves a credential for a sandbox in n8n; returns what `importWorkflow` takes. */
export async function credentialsFor(
	server: N8nClient,
	{ url, apiKey }: Pick<Sandbox, 'url' | 'apiKey'>,
): Promise<Record<typeof CREDENTIAL, string>> {
	const data = { baseUrl: url, apiKey };
	return { [CREDENTIAL]: await server.createCredential(CREDENTIAL, 'Search Visibility API', data) };
}

/** What the editor shows after "Save" of a credential. */
export async function testCredential(client: N8nClient, data: Json): Promise<Json> {
	// Older versions can only test saved credentials
	const id = await client.createCredential(CREDENTIAL, 'Tried', data);
	const credentials = { id, name: 'Tried', type: CREDENTIAL, data };
	return await client.rest('POST', '/credentials/test', { credentials });
}

type NodeSettings = Partial<Pick<INode, 'onError' | 'typeVersion' | 'webhookId'>>;

/** A node of a workflow; nodes of this package get a credential. */
export function node(
	name: string,
	type: string,
	parameters: INodeParameters = {},
	settings: NodeSettings = {},
): WorkflowNode {
	const own = type === ACTIONS || type === TRIGGER;
	const credentials = { [CREDENTIAL]: { name: 'Search Visibility API' } };
	const chosen = own && { credentials };
	return { id: name, name, type, typeVersion: 1, parameters, ...chosen, ...settings };
}

export const webhook = (path: string): WorkflowNode =>
	node(
		'Webhook',
		WEBHOOK,
		{ httpMethod: 'POST', path, responseMode: 'onReceived' },
		{ typeVersion: 2, webhookId: path },
	);

/** A workflow with its nodes in a row. `errorOutputs` adds nodes at error outputs. */
export function inARow(
	name: string,
	row: WorkflowNode[],
	errorOutputs: Record<string, WorkflowNode> = {},
): WorkflowJson {
	const connections: Record<string, { main: unknown[] }> = {};
	for (const [index, { name: from }] of row.slice(0, -1).entries()) {
		connections[from] = { main: [to(itemAt(row, index + 1))] };
	}
	for (const [from, target] of Object.entries(errorOutputs)) {
		(connections[from] ??= { main: [[]] }).main[1] = to(target);
	}
	const nodes = [...row, ...Object.values(errorOutputs)];
	return {
		name,
		nodes: nodes.map((one, index) => ({ ...one, position: [index * 220, 0] })),
		connections,
		settings: { executionOrder: 'v1' },
	};
}

export const to = ({ name }: WorkflowNode) => [{ node: name, type: 'main', index: 0 }];

const CALL_TIMEOUT_MS = 60_000;

/** Posts to a published webhook, as another program does. */
export const post = async (client: N8nClient, path: string, body: unknown): Promise<Response> =>
	await fetch(`${client.url}/webhook/${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
		signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
	});

/** The same, which n8n must accept. */
export async function call(client: N8nClient, path: string, body: unknown = {}): Promise<Response> {
	const response = await post(client, path, body);
	if (!response.ok) throw new Error(`The webhook ${path} answers ${response.status}`);
	return response;
}

/** Does the work for all, some at a time. */
export async function atATime<T>(count: number, all: T[], work: (one: T) => Promise<unknown>) {
	const waiting = [...all];
	const worker = async () => {
		for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await work(one);
	};
	await Promise.all(Array.from({ length: count }, worker));
}

/** Publishes a workflow that begins with a webhook, calls it once, and returns the execution. */
export async function runOnce(
	client: N8nClient,
	workflow: WorkflowJson,
	credentialIds: Record<string, string>,
	body?: unknown,
): Promise<Execution> {
	const workflowId = await client.importWorkflow(workflow, { credentialIds });
	await client.publish(workflowId);
	await call(client, (itemAt(workflow.nodes, 0).parameters as { path: string }).path, body);
	const execution = await client.waitForExecution(workflowId);
	await client.unpublish(workflowId);
	return execution;
}

/** The output of a node over all its runs; empty if it did not run. */
export function outputOf({ data }: Execution, name: string, output = 0): Json[] {
	const runs = data.resultData.runData[name] ?? [];
	return runs.flatMap((run) => (run.data?.main[output] ?? []).map(({ json }: Json) => json));
}

/** The files in a folder that contain these bytes. */
export function filesWith(folder: string, text: string): string[] {
	const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile())
		.filter(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(text))
		.map(({ name }) => basename(name));
}
