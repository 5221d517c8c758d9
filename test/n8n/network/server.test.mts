import type { IDataObject } from 'n8n-workflow';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import {
	ACTIONS,
	CREDENTIAL,
	inARow,
	kept,
	node,
	openSandbox,
	outputOf,
	runOnce as runIn,
	startServer,
	testCredential,
	webhook,
	type Json,
} from '../helpers.mts';
import type { Execution, WorkflowNode } from '../client.mts';
import type { N8nServer } from '../server.mts';
import type { Sandbox } from '../../sandbox/sandbox.mts';
import { makeAuthority, type Authority } from './certificates.mts';
import { startProxy, startTls, type Proxy, type Running } from './servers.mts';

/** A real n8n: the credential test, and what its engine alone does not have. */

const NAME = 'service.example';
const READ = node('Work', ACTIONS, { resource: 'workspace', operation: 'get' });

let sandbox: Sandbox;
let authority: Authority;
let foreign: Running;
let proxy: Proxy;
/** Behind a proxy, with a private certificate authority; it reaches 127.0.0.1 directly */
let server: N8nServer;

beforeAll(async () => {
	sandbox = await openSandbox();
	authority = makeAuthority();
	const port = Number(new URL(sandbox.url).port);
	const secure = kept(await startTls(authority.issue({ names: [NAME] }), port));
	foreign = kept(await startTls(authority.issue({ names: ['other.example'] }), port));
	proxy = kept(await startProxy({ [`${NAME}:443`]: secure.port }));
	server = await startServer({
		NODE_EXTRA_CA_CERTS: authority.file,
		HTTP_PROXY: proxy.url,
		HTTPS_PROXY: proxy.url,
	});
});
beforeEach(() => {
	sandbox.reset();
	proxy.clear();
});

const access = (more: Json) => ({ baseUrl: sandbox.url, apiKey: sandbox.apiKey, ...more });

let runs = 0;

/** Runs one node in a published workflow, with a separate credential. */
async function runOnce(
	on: N8nServer,
	more: Json,
	work: WorkflowNode = READ,
): Promise<{ output: IDataObject[]; error: Execution['data']['resultData']['error'] }> {
	const id = await on.createCredential(CREDENTIAL, `Credential ${++runs}`, access(more));
	const path = `network-${runs}`;
	const workflow = inARow(path, [webhook(path), work]);
	const execution = await runIn(on, workflow, { [CREDENTIAL]: id });
	return { output: outputOf(execution, 'Work'), error: execution.data.resultData.error };
}

it('the credential test and the node use the proxy, and it cannot read the key', async () => {
	const baseUrl = `https://${NAME}`;
	expect(await testCredential(server, access({ baseUrl }))).toMatchObject({ status: 'OK' });
	expect((await runOnce(server, { baseUrl })).output).toHaveLength(1);
	// n8n itself may send requests this way
	const ours = proxy.requests.filter((line) => line.includes(NAME));
	expect(ours).toEqual([`CONNECT ${NAME}:443`, `CONNECT ${NAME}:443`]);
	expect(proxy.read()).not.toContain(sandbox.apiKey);
	expect(sandbox.requests).toHaveLength(2);
});

it('the credential test reports a certificate of another host', async () => {
	const tested = await testCredential(
		server,
		access({ baseUrl: `https://localhost:${foreign.port}` }),
	);
	// n8n's own words; docs/operating.md explains them
	expect(tested).toEqual({ status: 'Error', message: 'ERR_TLS_CERT_ALTNAME_INVALID' });
	expect(sandbox.requests).toEqual([]);
});

describe('the "Allowed HTTP Request Domains" of the credential', () => {
	it.each([
		['all', '', true],
		['domains', '127.0.0.1', true],
		['domains', 'other.example', false],
		['none', '', false],
	])('%s %s: HTTP Request allowed: %s; the package always is', async (mode, domains, passes) => {
		const data = {
			allowedHttpRequestDomains: mode,
			...(mode === 'domains' && { allowedDomains: domains }),
		};
		expect(await testCredential(server, access(data))).toMatchObject({ status: 'OK' });
		const own = await runOnce(server, data);
		expect(own.output).toHaveLength(1);
		const url = `${sandbox.url}/v1/workspace`;
		const authentication = 'predefinedCredentialType';
		const parameters = { url, authentication, nodeCredentialType: CREDENTIAL };
		const request = node('Work', 'n8n-nodes-base.httpRequest', parameters, { typeVersion: 4.2 });
		const { error, output } = await runOnce(server, data, { ...READ, ...request });
		expect(output.length > 0, error?.message).toBe(passes);
		expect(sandbox.requests).toHaveLength(passes ? 3 : 2);
	});
});

it(
	'with the SSRF protection, a blocked address is reported by the credential test and by the node',
	{ timeout: 300_000 },
	async () => {
		const guarded = await startServer({
			N8N_SSRF_PROTECTION_ENABLED: 'true',
			N8N_SSRF_ALLOWED_HOSTNAMES: 'localhost',
		});
		const tested = await testCredential(guarded, access({}));
		expect(tested).toMatchObject({ status: 'Error', message: expect.stringMatching(/blocked/) });
		const { error } = await runOnce(guarded, {});
		expect(error?.message).toBe('n8n blocked the request to this address');
		expect(error?.description).toContain('N8N_SSRF_ALLOWED_HOSTNAMES');
		expect(sandbox.requests).toEqual([]);
	},
);
