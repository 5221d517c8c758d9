import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import type { INode, INodeParameters } from 'n8n-workflow';
import { afterAll } from 'vitest';

import { itemAt } from '../defined.mts';
import { ROOT } from '../demo/build.mts';
import { listen as listenHere } from '../listen.mts';
import { removeFolder, runNpm, temporaryFolder, until } from '../processes.mts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../sandbox/sandbox.mts';
import type { Execution, Json, N8nClient, WorkflowJson, WorkflowNode } from './client.mts';
import { startN8n, type N8nServer, type StartOptions } from './server.mts';
import { VARIANT, VERSION } from './variants.mts';

export { ROOT, until };
export type { Json } from './client.mts';

export const NAME = 'n8n-nodes-search-visibility';
export const CREDENTIAL = 'searchVisibilityApi';
export const CREDENTIAL_NAME = 'Search Visibility API';
export const ACTIONS = `${NAME}.searchVisibility`;
export const TRIGGER = `${NAME}.searchVisibilityTrigger`;

/** A key that does not occur anywhere by chance. */
export const uniqueKey = () => `sv_${randomBytes(32).toString('hex')}`;

const ends: Array<() => Promise<unknown>> = [];
// The demo uses this file too, outside of tests
if (process.env.VITEST) {
	afterAll(async () => {
		for (const end of ends.splice(0).reverse()) await end();
	});
}

/** Ends it after all tests of the file; what was started last ends first. */
export function kept<T extends { close(): unknown } | { stop(): unknown }>(one: T): T {
	ends.push(async () => await ('stop' in one ? one.stop() : one.close()));
	return one;
}

/** Makes a server of a test listen on this machine; returns its URL. */
export const listen = async (server: Server) => (await listenHere(kept(server))).url;

/** Starts a sandbox for the tests of this file, with a key that can be searched for. */
export const openSandbox = async (options: SandboxOptions = {}): Promise<Sandbox> =>
	kept(await startSandbox({ apiKey: uniqueKey(), ...options }));

/** More than a page of cited pages, and few questions. */
export const SEED = { citedPage: 230, question: 40 };

/** Starts the n8n of this variant for the tests of this file. */
export async function startEmpty(options: Partial<StartOptions> = {}): Promise<N8nServer> {
	const env = { ...VARIANT.env, ...options.env };
	return kept(await startN8n({ version: VERSION, log: console.log, ...options, env }));
}

/** The same with the package as `npm publish` would send it. Needs a build. */
export async function startServer(options: Partial<StartOptions> = {}): Promise<N8nServer> {
	const folder = temporaryFolder('search-visibility-pack-');
	const server = await startEmpty({ tarball: await pack(folder), ...options });
	removeFolder(folder);
	return server;
}

/** Packs the package into a folder. */
export async function pack(folder: string): Promise<string> {
	await runNpm(['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: ROOT });
	return join(folder, itemAt(readdirSync(folder), 0));
}

/** Saves a credential for a sandbox in n8n; returns what `importWorkflow` takes. */
export async function credentialsFor(
	server: N8nClient,
	{ url, apiKey }: Pick<Sandbox, 'url' | 'apiKey'>,
): Promise<Record<typeof CREDENTIAL, string>> {
	const data = { baseUrl: url, apiKey };
	return { [CREDENTIAL]: await server.createCredential(CREDENTIAL, CREDENTIAL_NAME, data) };
}

/** A node of a workflow; nodes of this package get a credential. */
export function node(
	name: string,
	type: string,
	parameters: INodeParameters = {},
	settings: Partial<Pick<INode, 'typeVersion' | 'webhookId'>> = {},
): WorkflowNode {
	const credentials = { [CREDENTIAL]: { name: CREDENTIAL_NAME } };
	const chosen = type.startsWith(NAME) && { credentials };
	return { id: name, name, type, typeVersion: 1, parameters, ...chosen, ...settings };
}

/** The first node of a workflow that other programs start, with this path and name. */
export function webhook(path: string): WorkflowNode {
	const parameters = { httpMethod: 'POST', path, responseMode: 'onReceived' };
	return node('Webhook', 'n8n-nodes-base.webhook', parameters, { typeVersion: 2, webhookId: path });
}

/** A workflow with its nodes in a row. */
export const inARow = (name: string, row: WorkflowNode[]): WorkflowJson => ({
	name,
	nodes: row.map((one, index) => ({ ...one, position: [index * 220, 0] })),
	connections: Object.fromEntries(
		row.slice(1).map(({ name: to }, index) => {
			const main = [[{ node: to, type: 'main', index: 0 }]];
			return [itemAt(row, index).name, { main }];
		}),
	),
	settings: { executionOrder: 'v1' },
});

/** Posts to a published webhook, as another program does. */
export async function post({ url }: N8nClient, path: string, content: unknown, more: object = {}) {
	const headers = { 'content-type': 'application/json', ...more };
	const request = { method: 'POST', headers, body: JSON.stringify(content) };
	return await fetch(`${url}/webhook/${path}`, request);
}

/** The same until n8n, which may have too much to do, is ready for it; it must accept this. */
export async function call(
	client: N8nClient,
	path: string,
	body: unknown = {},
	headers: object = {},
): Promise<void> {
	let status = 503;
	const isReady = async () => {
		const response = await post(client, path, body, headers);
		status = response.status;
		return status !== 503;
	};
	await until('an answer of the webhook', isReady);
	if (status !== 200) throw new Error(`The webhook ${path} answers ${status}`);
}

/** The output of a node over all its runs; empty if it did not run. */
export const outputOf = ({ data }: Execution, name: string): Json[] =>
	(data.resultData.runData[name] ?? []).flatMap((run) =>
		(run.data?.main[0] ?? []).map(({ json }: Json) => json),
	);
