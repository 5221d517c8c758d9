import { randomBytes } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { INode, INodeParameters } from 'n8n-workflow';

import { itemAt } from '../defined.mts';
import type { Execution, N8nClient, WorkflowJson, WorkflowNode } from './client.mts';
import { ensureVersion } from './install.mts';
import { removeFolder, runNpm, temporaryFolder } from './processes.mts';
import { startN8n, type N8nServer, type StartOptions } from './server.mts';
import type { Sandbox } from '../sandbox/sandbox.mts';
import { variant } from './variants.mts';
import { NEWEST, versionOf } from './versions.mts';

export const CREDENTIAL = 'searchVisibilityApi';
export const ACTIONS = 'n8n-nodes-search-visibility.searchVisibility';
export const TRIGGER = 'n8n-nodes-search-visibility.searchVisibilityTrigger';
export const WEBHOOK = 'n8n-nodes-base.webhook';
export const SPLIT_OUT = 'n8n-nodes-base.splitOut';
export const NO_OP = 'n8n-nodes-base.noOp';

/** The output of an item: the record, or what the error output adds to it. */
export type Json = Record<string, any>;

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const PACKED = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'dist'];

/** A key that does not occur anywhere by chance. */
export const uniqueKey = () => `sv_${randomBytes(32).toString('hex')}`;

export const log = (line: string) => console.log(line);

/** Starts the n8n of this variant, with the package as `npm publish` would send it. Needs a build. */
export async function startServer(
	env: Record<string, string> = {},
	options: Pick<StartOptions, 'isDown'> = {},
): Promise<N8nServer> {
	const { version: number = NEWEST, env: ofVariant } = variant();
	const version = versionOf(number);
	const installed = await ensureVersion(version, log);
	const folder = temporaryFolder('search-visibility-pack-');
	try {
		return await startN8n({
			...options,
			installed,
			publishing: version.publishing,
			tarball: await pack(folder),
			env: { ...version.env, ...ofVariant?.(''), ...env },
			log,
		});
	} finally {
		removeFolder(folder);
	}
}

/** Packs a copy into a folder, so that a build under way cannot change what is packed; under `version` if there is one. */
export async function pack(folder: string, version?: string): Promise<string> {
	const present = new Set(readdirSync(ROOT));
	if (!present.has('dist')) throw new Error('There is no build to test. Run: npm run build');
	const copy = join(folder, 'copy');
	for (const name of PACKED.filter((one) => present.has(one))) {
		cpSync(join(ROOT, name), join(copy, name), { recursive: true });
	}
	if (version !== undefined) {
		const path = join(copy, 'package.json');
		const packageJson = JSON.parse(readFileSync(path, 'utf8'));
		writeFileSync(path, JSON.stringify({ ...packageJson, version }));
	}
	await runNpm(['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: copy });
	return join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) as string);
}

/** Saves a credential for a sandbox in n8n; returns what `importWorkflow` takes. */
export async function credentialsFor(
	server: N8nClient,
	{ url, apiKey }: Pick<Sandbox, 'url' | 'apiKey'>,
): Promise<Record<typeof CREDENTIAL, string>> {
	const data = { baseUrl: url, apiKey };
	return { [CREDENTIAL]: await server.createCredential(CREDENTIAL, 'Search Visibility API', data) };
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

const to = ({ name }: WorkflowNode) => [{ node: name, type: 'main', index: 0 }];

/** Calls a published webhook, as another program does. */
export async function call(client: N8nClient, path: string, body: unknown = {}): Promise<Response> {
	const response = await fetch(`${client.url}/webhook/${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	if (!response.ok) throw new Error(`The webhook ${path} answers ${response.status}`);
	return response;
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

/** Waits until a condition is met. */
export async function until(
	what: string,
	isSo: () => boolean | Promise<boolean>,
	timeoutMs: number,
): Promise<void> {
	const deadline = Date.now() + timeoutMs;
	while (Date.now() < deadline) {
		if (await isSo()) return;
		await sleep(100);
	}
	throw new Error(`Not within ${timeoutMs / 1000} s: ${what}`);
}

/** The files in a folder that contain these bytes. */
export function filesWith(folder: string, text: string): string[] {
	const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile())
		.filter(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(text))
		.map(({ name }) => basename(name));
}
