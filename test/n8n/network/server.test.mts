import type { IDataObject } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import {
	ACTIONS,
	CREDENTIAL,
	inARow,
	node,
	outputOf,
	runOnce as runIn,
	startServer,
	uniqueKey,
	webhook,
} from '../helpers.mts';
import type { Execution, WorkflowNode } from '../client.mts';
import type { N8nServer } from '../server.mts';
import { startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import { makeAuthority, type Authority } from './certificates.mts';
import { startProxy, startTls, type Proxy, type Running } from './servers.mts';

/** A real n8n: the credential test, and whether the server behaves differently from its engine alone. */

const NAME = 'service.example';
const API_KEY = uniqueKey();

let sandbox: Sandbox;
let authority: Authority;
let secure: Running;
let foreign: Running;
beforeAll(async () => {
	sandbox = await startSandbox({ apiKey: API_KEY });
	authority = makeAuthority();
	const port = Number(new URL(sandbox.url).port);
	secure = await startTls(authority.issue({ names: [NAME, 'localhost'] }), port);
	foreign = await startTls(authority.issue({ names: ['other.example'] }), port);
});
beforeEach(() => sandbox.reset());
afterAll(async () => {
	await Promise.all([secure?.close(), foreign?.close()]);
	await sandbox?.close();
});

type Data = Record<string, unknown>;

/** What the editor shows after "Save". */
async function testOf(server: N8nServer, more: Data): Promise<{ status: string; message: string }> {
	const data = { baseUrl: sandbox.url, apiKey: API_KEY, ...more };
	const credentials = { id: '', name: 'Tried', type: CREDENTIAL, data };
	return await server.rest('POST', '/credentials/test', { credentials });
}

let runs = 0;

/** Runs one node in a published workflow, with a separate credential. */
async function runOnce(
	server: N8nServer,
	more: Data,
	work: WorkflowNode = node('Work', ACTIONS, { resource: 'workspace', operation: 'get' }),
): Promise<{ output: IDataObject[]; error: Execution['data']['resultData']['error'] }> {
	const data = { baseUrl: sandbox.url, apiKey: API_KEY, ...more };
	const id = await server.createCredential(CREDENTIAL, `Credential ${++runs}`, data);
	const path = `network-${runs}`;
	const workflow = inARow(path, [webhook(path), work]);
	const execution = await runIn(server, workflow, { [CREDENTIAL]: id });
	return { output: outputOf(execution, 'Work'), error: execution.data.resultData.error };
}

describe('behind a proxy, with a private certificate authority', () => {
	let server: N8nServer;
	let proxy: Proxy;
	beforeAll(async () => {
		proxy = await startProxy({
			hosts: { [`${NAME}:443`]: secure.port },
			refuses: { 'login.example:443': 407 },
		});
		server = await startServer({
			NODE_EXTRA_CA_CERTS: authority.file,
			HTTP_PROXY: proxy.url,
			HTTPS_PROXY: proxy.url,
		});
	});
	beforeEach(() => proxy?.clear());
	afterAll(async () => {
		await server?.stop();
		await proxy?.close();
	});

	it('the credential test and the node use it, and it cannot read the key', async () => {
		const baseUrl = `https://${NAME}`;
		expect(await testOf(server, { baseUrl })).toMatchObject({ status: 'OK' });
		expect((await runOnce(server, { baseUrl })).output).toHaveLength(1);
		// n8n itself may send requests this way
		const ours = proxy.requests.filter((line) => line.includes(NAME));
		expect(ours).toEqual([`CONNECT ${NAME}:443`, `CONNECT ${NAME}:443`]);
		expect(proxy.read()).not.toContain(API_KEY);
		expect(sandbox.requests).toHaveLength(2);
	});

	it('a certificate of another host is reported', async () => {
		const baseUrl = `https://localhost:${foreign.port}`;
		const tested = await testOf(server, { baseUrl });
		// The credential test shows n8n's own words; docs/operating.md explains them
		expect(tested).toEqual({ status: 'Error', message: 'ERR_TLS_CERT_ALTNAME_INVALID' });
		const { error } = await runOnce(server, { baseUrl });
		expect(error?.message).toBe('The certificate of the service is for another host name');
		expect(sandbox.requests).toEqual([]);
	});
});

describe('the "Allowed HTTP Request Domains" of the credential', () => {
	let server: N8nServer;
	beforeAll(async () => {
		server = await startServer();
	});
	afterAll(async () => await server?.stop());

	const httpRequest = () =>
		({
			...node(
				'Work',
				'n8n-nodes-base.httpRequest',
				{
					url: `${sandbox.url}/v1/workspace`,
					authentication: 'predefinedCredentialType',
					nodeCredentialType: CREDENTIAL,
				},
				{ typeVersion: 4.2 },
			),
			credentials: { [CREDENTIAL]: { name: 'Search Visibility API' } },
		}) as WorkflowNode;

	it.each([
		['all', {}, true],
		['domains', { allowedDomains: '127.0.0.1' }, true],
		['domains', { allowedDomains: 'other.example' }, false],
		['none', {}, false],
	])(
		'%s %j: HTTP Request allowed: %s; the nodes of the package always are',
		async (mode, more, passes) => {
			const data = { allowedHttpRequestDomains: mode, ...more };
			const own = await runOnce(server, data);
			expect(own.error).toBeUndefined();
			expect(own.output).toHaveLength(1);
			const { error, output } = await runOnce(server, data, httpRequest());
			expect(output.length > 0, error?.message).toBe(passes);
			expect(sandbox.requests).toHaveLength(passes ? 2 : 1);
		},
	);

	it.each([
		['domains', 'other.example'],
		['none', ''],
	])('the credential test is not limited by it: %s %s', async (mode, allowedDomains) => {
		const tested = await testOf(server, { allowedHttpRequestDomains: mode, allowedDomains });
		expect(tested).toMatchObject({ status: 'OK' });
	});
});

describe('with the SSRF protection', () => {
	let server: N8nServer;
	beforeAll(async () => {
		server = await startServer({
			N8N_SSRF_PROTECTION_ENABLED: 'true',
			N8N_SSRF_ALLOWED_HOSTNAMES: 'localhost',
		});
	});
	afterAll(async () => await server?.stop());

	it('a blocked address is reported by the credential test and by the node', async () => {
		const tested = await testOf(server, {});
		expect(tested.status).toBe('Error');
		expect(tested.message).toMatch(/blocked/);
		const { error } = await runOnce(server, {});
		expect(error?.message).toBe('n8n blocked the request to this address');
		expect(error?.description).toContain('N8N_SSRF_ALLOWED_HOSTNAMES');
		expect(sandbox.requests).toEqual([]);
	});
});
