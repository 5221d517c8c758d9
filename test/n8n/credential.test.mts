import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, it } from 'vitest';

import { itemAt } from '../defined.mts';
import type { Sandbox } from '../sandbox/sandbox.mts';
import type { Execution, Json, WorkflowNode } from './client.mts';
import {
	ACTIONS,
	call,
	CREDENTIAL,
	inARow,
	kept,
	node,
	openSandbox,
	outputOf,
	SEED,
	startServer,
	uniqueKey,
	webhook,
} from './helpers.mts';
import type { N8nServer } from './server.mts';

/*
 * What n8n itself does with the credential: its test, its HTTP Request node, and a key that is an expression.
 */

const KEYS = [uniqueKey(), uniqueKey(), uniqueKey()];
let sandbox: Sandbox;
let server: N8nServer;
let credentialIds: Record<string, string>;

beforeAll(async () => {
	sandbox = await openSandbox({ seed: SEED, apiKeys: KEYS });
	server = await startServer();
	credentialIds = await credentialWith({ baseUrl: sandbox.url, apiKey: `Bearer ${KEYS[0]}` });
});

const credentialWith = async (data: Json) => ({
	[CREDENTIAL]: await server.createCredential(CREDENTIAL, 'Search Visibility API', data),
});

/** What the editor shows after "Save". */
async function test(baseUrl: string): Promise<Json> {
	const data = { baseUrl, apiKey: KEYS[0] };
	// Older versions can only test saved credentials
	const id = (await credentialWith(data))[CREDENTIAL];
	const credentials = { id, name: 'Search Visibility API', type: CREDENTIAL, data };
	return await server.rest('POST', '/credentials/test', { credentials });
}

it('the credential test fails in words for an address that answers 200 and is no such service', async () => {
	const page = createServer((_request, response) => {
		response.setHeader('content-type', 'text/html');
		response.end('<!doctype html><html><body>Welcome</body></html>');
	}).listen(0, '127.0.0.1');
	kept({ close: () => page.close() });
	await once(page, 'listening');
	const other = createServer((_request, response) => {
		response.setHeader('content-type', 'application/json');
		response.end('{"status":"ok"}');
	}).listen(0, '127.0.0.1');
	kept({ close: () => other.close() });
	await once(other, 'listening');
	const urlOf = (one: typeof page) => `http://127.0.0.1:${(one.address() as AddressInfo).port}`;
	const message = expect.stringContaining('does not come from this service');
	for (const url of [server.url, urlOf(page), urlOf(other)]) {
		expect(await test(url), url).toMatchObject({ status: 'Error', message });
	}
	expect(await test(sandbox.url)).toMatchObject({ status: 'OK' });
	const words = expect.stringContaining("'Base URL' must start with https://");
	expect(await test('northwind.example')).toMatchObject({ status: 'Error', message: words });
});

/** Publishes a workflow that begins with a webhook, and calls it. */
async function run(
	name: string,
	nodes: WorkflowNode[],
	{ body = {}, ids = credentialIds }: { body?: Json; ids?: Record<string, string> } = {},
): Promise<Execution> {
	const workflow = inARow(name, [webhook(name), ...nodes]);
	const id = await server.importWorkflow(workflow, { credentialIds: ids });
	await server.publish(id);
	await call(server, name, body);
	return await server.waitForExecution(id);
}

const HTTP_REQUEST = 'n8n-nodes-base.httpRequest';
const httpRequest = (typeVersion: number, path: string, options: Json = {}): WorkflowNode => ({
	...node(
		'HTTP Request',
		HTTP_REQUEST,
		{
			url: sandbox.url + path,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: CREDENTIAL,
			options,
		},
		{ typeVersion },
	),
	credentials: { [CREDENTIAL]: { name: 'Search Visibility API' } },
});

const newestVersionOf = async (type: string): Promise<number> => {
	const types = (await server.types()).filter(({ name }) => name === type);
	return Math.max(...types.flatMap(({ version }) => version as number | number[]));
};

it("n8n's HTTP Request node works with the credential, also with its pagination", async () => {
	for (const version of new Set([4.2, await newestVersionOf(HTTP_REQUEST)])) {
		sandbox.clearLog();
		const name = `get-${version}`;
		const got = await run(name, [httpRequest(version, '/v1/workspace')]);
		expect(got.data.resultData.error?.message).toBeUndefined();
		expect(outputOf(got, 'HTTP Request')).toMatchObject([{ id: sandbox.state.workspace.id }]);
		const pages = {
			pagination: {
				paginationMode: 'updateAParameterInEachRequest',
				parameters: {
					parameters: [{ name: 'offset', value: '={{ $pageCount * 20 }}' }],
				},
				paginationCompleteWhen: 'other',
				completeExpression: '={{ $response.body.data.items.length === 0 }}',
				limitPagesFetched: true,
				maxRequests: 3,
			},
		};
		const listed = await run(`list-${version}`, [
			httpRequest(version, '/v1/people-also-ask', { pagination: pages }),
		]);
		expect(listed.data.resultData.error?.message).toBeUndefined();
		expect(outputOf(listed, 'HTTP Request').length).toBeGreaterThan(1);
		expect(sandbox.requests.every(({ authorized }) => authorized)).toBe(true);
	}
});

const splitClients = node('Clients', 'n8n-nodes-base.splitOut', {
	fieldToSplitOut: 'body.clients',
});
const CLIENTS = [0, 1, 2, 0];
const body = { clients: CLIENTS.map((client) => ({ client, apiKey: KEYS[client] })) };

it('a key that is an expression leads each item to its own workspace', async () => {
	const ids = await credentialWith({ baseUrl: sandbox.url, apiKey: '={{ $json.apiKey }}' });
	const keywords = '=only for {{ $json.client }}';
	const create = node('Create', ACTIONS, { resource: 'keyword', operation: 'create', keywords });
	const created = await run('by-item', [splitClients, create], { body, ids });
	expect(created.data.resultData.error?.message).toBeUndefined();
	for (const client of [0, 1, 2]) {
		const all = [...itemAt(sandbox.states, client).all('keyword')].map(({ keyword }) => keyword);
		expect(all.filter((one) => one.startsWith('only for'))).toEqual([`only for ${client}`]);
	}
	sandbox.clearLog();
	const read = node('Read', ACTIONS, { resource: 'workspace', operation: 'get' });
	const got = await run('read-by-item', [splitClients, read], { body, ids });
	expect(got.data.resultData.error?.message).toBeUndefined();
	const counts = [0, 1, 2].map(
		(client) => sandbox.requests.filter(({ workspace }) => workspace === client).length,
	);
	expect(counts).toEqual([2, 1, 1]);
});
