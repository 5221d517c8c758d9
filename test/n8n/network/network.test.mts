import { createServer, type RequestListener } from 'node:http';
import { networkInterfaces } from 'node:os';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { itemAt } from '../../defined.mts';
import type { Sandbox } from '../../sandbox/sandbox.mts';
import type { WorkflowNode } from '../client.mts';
import {
	ACTIONS,
	CREDENTIAL,
	inARow,
	kept,
	node,
	openSandbox,
	outputOf,
	startServer,
	testCredential,
	TRIGGER,
	type Json,
} from '../helpers.mts';
import type { N8nServer } from '../server.mts';
import { trigger } from '../watch.mts';
import { makeAuthority, type Authority, type Certificate } from './certificates.mts';
import { listening, startPrefix, startProxy, startTls, type Proxy } from './servers.mts';

/* A real n8n in the networks of companies: what users read, and what is sent. The words for each code: failure.test.mts */

/** No system can resolve this name; only the proxy knows it. */
const NAME = 'service.example';
const LOGIN = 'n8n:pass';
const SSRF = { N8N_SSRF_PROTECTION_ENABLED: 'true' };
const WORKSPACE = { id: 'ws_1', name: 'Tea & Räder'.repeat(100) };
const hasIPv6 = Object.values(networkInterfaces())
	.flat()
	.some((one) => one?.address === '::1');

const START = node('Start', 'n8n-nodes-base.manualTrigger');
const POLL = trigger('Poll', { events: ['citedPage'] });
const work = (parameters: Json) => node('Work', ACTIONS, parameters);
const read = (options: Json = {}) => work({ resource: 'workspace', operation: 'get', options });
const CREATE = work({ resource: 'competitor', operation: 'create', domain: 'rival.example' });
const LIST = work({ resource: 'question', operation: 'getAll', returnAll: true });

let sandbox: Sandbox;
/** Of the sandbox */
let port: number;
let authority: Authority;
/** The port of the sandbox behind TLS, with a certificate that the authority has signed */
let secure: number;
/** What the proxies know: the name, with and without TLS */
let hosts: Record<string, number>;
let proxy: Proxy;
let server: N8nServer;

beforeAll(async () => {
	sandbox = await openSandbox({ seed: { question: 150 } });
	port = Number(new URL(sandbox.url).port);
	authority = makeAuthority();
	secure = kept(await startTls(authority.issue([NAME, '127.0.0.1']), port)).port;
	hosts = { [`${NAME}:443`]: secure, [`${NAME}:80`]: port };
	proxy = kept(await startProxy(hosts));
});
beforeEach(() => {
	sandbox.reset();
	proxy.clear();
});

const test = async (baseUrl: string, more: Json = {}) =>
	await testCredential(server, { baseUrl, apiKey: sandbox.apiKey, ...more });

/** Runs a node with a credential for this address. */
async function run(baseUrl: string, one: WorkflowNode, more: Json = {}, pinData?: Json) {
	const data = { baseUrl, apiKey: sandbox.apiKey, ...more };
	const credentialIds = {
		[CREDENTIAL]: await server.createCredential(CREDENTIAL, 'Network', data),
	};
	const row = one.type === TRIGGER ? [one] : [START, one];
	const workflow = { ...inARow('Network', row), ...(pinData && { pinData }) };
	const id = await server.importWorkflow(workflow, { credentialIds });
	const triggerToStartFrom = { name: itemAt(row, 0).name };
	const execution = await server.runManually(id, { triggerToStartFrom });
	const error: Json | undefined = execution.data.resultData.error;
	return { output: outputOf(execution, one.name), error };
}

/** An address, and what happens there. */
interface Case {
	name: string;
	url: () => string | Promise<string>;
	/** What users read if it does not work; the request was not sent then */
	title?: RegExp;
	advice?: Array<string | RegExp>;
	/** Whether the node tries it again, in which case these tests want it only once */
	isRepeated?: boolean;
	/** What the credential test says: n8n's own words, which docs/operating.md explains */
	tested?: RegExp;
}

/** Starts an n8n, uses it in each case, and ends it. */
function describeIn(
	name: string,
	env: () => Record<string, string> | Promise<Record<string, string>>,
	cases: Case[],
	more = () => {},
) {
	describe(`n8n ${name}`, { timeout: 5 * 60_000 }, () => {
		beforeAll(async () => {
			const own = await startServer(await env());
			server = own;
			return async () => await own.stop();
		});

		it.each(cases)('$name', async ({ url, title, advice = [], isRepeated, tested = /./ }) => {
			const there = await url();
			const { status, message } = await test(there);
			const { output, error } = await run(there, read(isRepeated ? { maxRetries: 1 } : {}));
			if (!title) {
				expect(status, message).toBe('OK');
				expect(output, error?.message).toHaveLength(1);
				expect((await run(there, POLL)).error).toBeUndefined();
				return;
			}
			expect(status).toBe('Error');
			expect(message).toMatch(tested);
			expect(error?.message).toMatch(title);
			for (const words of advice) expect(error?.description).toMatch(words);
			if (!isRepeated) {
				expect(error?.description).not.toMatch(/was tried \d+ times/);
				expect((await run(there, CREATE)).error?.context).not.toMatchObject({ mayBeDone: true });
				expect((await run(there, POLL)).error?.message).toMatch(title);
			}
			expect(sandbox.requests).toEqual([]);
		});
		more();
	});
}

const served = async (certificate: Certificate) =>
	`https://127.0.0.1:${kept(await startTls(certificate, port)).port}`;

const through = (url: string) => ({
	NODE_EXTRA_CA_CERTS: authority.file,
	HTTP_PROXY: url,
	HTTPS_PROXY: url,
});

/** The name over both protocols, with the same result. */
const both = (rest: Partial<Case> = {}): Case[] =>
	['http', 'https'].map((protocol) => ({
		name: `over ${protocol}`,
		url: () => `${protocol}://${NAME}`,
		...rest,
	}));

const UNTRUSTED: Case[] = [
	{
		name: 'a private certificate authority',
		url: async () => await served(authority.issue()),
		title: /does not trust the certificate/,
		advice: [
			/^Ask the administrator of n8n/,
			'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
			'The request was not sent.',
		],
	},
];

describeIn(
	'without a proxy',
	() => ({}),
	UNTRUSTED,
	() => {
		it.runIf(hasIPv6)('reaches an address of IPv6 in brackets', async () => {
			const relay = kept(await startPrefix('', port, '::1'));
			expect((await run(`http://[::1]:${relay.port}`, read())).output).toHaveLength(1);
		});

		it.each(['', '/', '///'])('starts all requests with the path (end: "%s")', async (end) => {
			const prefix = kept(await startPrefix('/seo/visibility', port));
			const there = `http://127.0.0.1:${prefix.port}/seo/visibility${end}`;
			expect(await test(there)).toMatchObject({ status: 'OK' });
			// More than one page
			expect((await run(there, LIST)).output.length).toBeGreaterThan(100);
			for (const one of [CREATE, POLL]) expect((await run(there, one)).error).toBeUndefined();
			expect(prefix.others).toEqual([]);
		});

		const answering = async (listener: RequestListener) =>
			`http://127.0.0.1:${kept(await listening(createServer(listener))).port}`;
		const JSON_TYPE = { 'Content-Type': 'application/json' };
		const encoded = async (encoding: string, body: Buffer) =>
			await answering((_request, response) => {
				response.writeHead(200, { ...JSON_TYPE, 'Content-Encoding': encoding }).end(body);
			});
		const body = JSON.stringify(WORKSPACE);

		it.each([
			['gzip', gzipSync(body)],
			['br', brotliCompressSync(body)],
			['deflate', deflateSync(body)],
		])('reads an answer compressed with %s', async (encoding, compressed) => {
			const { output } = await run(await encoded(encoding, compressed), read());
			expect(output).toMatchObject([WORKSPACE]);
		});

		it('reports an answer that is compressed and broken', async () => {
			const there = await encoded('gzip', gzipSync(body).subarray(0, 40));
			const { output, error } = await run(there, read({ maxRetries: 0 }));
			expect(output).toEqual([]);
			expect(error?.message).toMatch(/could not be read|connection was lost/);
		});

		it('survives that an answer is the last of its connection, although the service said to keep it', async () => {
			const there = await answering((request, response) => {
				response.writeHead(200, { ...JSON_TYPE, Connection: 'keep-alive' });
				response.end(body, () => setImmediate(() => request.socket.destroy()));
			});
			const pinData = { Start: Array.from({ length: 40 }, () => ({ json: {} })) };
			const { output, error } = await run(
				there,
				read({ concurrency: 4, maxRetries: 0 }),
				{},
				pinData,
			);
			expect(error).toBeUndefined();
			expect(output).toHaveLength(40);
		});

		it.each([
			{ allowedHttpRequestDomains: 'domains', allowedDomains: 'other.example' },
			{ allowedHttpRequestDomains: 'none' },
		])('does not limit the package by the domains for HTTP Request: %j', async (data) => {
			expect(await test(sandbox.url, data)).toMatchObject({ status: 'OK' });
			expect((await run(sandbox.url, read(), data)).output).toHaveLength(1);
		});
	},
);

/** 127.0.0.1 is in NO_PROXY. */
const BEHIND_A_PROXY: Case[] = [
	...both(),
	{ name: 'a certificate of the authority', url: () => `https://127.0.0.1:${secure}` },
	{
		name: 'a certificate of another host',
		url: async () => await served(authority.issue(['other.example'])),
		title: /for another host name/,
		advice: [/^Check the host name in the 'Base URL'/, 'ERR_TLS_CERT_ALTNAME_INVALID'],
		tested: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
	},
	{
		name: 'https to a service without TLS',
		url: () => sandbox.url.replace('http:', 'https:'),
		title: /A secure connection to the service could not be established/,
		advice: [/starts with the right protocol/],
	},
	{
		name: 'http to a service with TLS',
		url: () => `http://127.0.0.1:${secure}`,
		title: /could not be reached|could not be read/,
		advice: ['Base URL'],
		isRepeated: true,
	},
	{
		name: 'a host that the proxy cannot reach',
		url: () => 'https://elsewhere.example',
		title: /The service could not process the request/,
		isRepeated: true,
	},
];

describeIn(
	'behind a proxy',
	() => through(proxy.url),
	BEHIND_A_PROXY,
	() => {
		it('shows the proxy name and port of an https address, never the key or the path', async () => {
			expect(await test(`https://${NAME}`)).toMatchObject({ status: 'OK' });
			expect((await run(`https://${NAME}`, read())).output).toHaveLength(1);
			expect((await run(`https://${NAME}`, CREATE)).output).toHaveLength(1);
			// n8n itself may send requests this way
			const ours = proxy.requests.filter((line) => line.includes(NAME));
			expect(ours).toEqual(Array(3).fill(`CONNECT ${NAME}:443`));
			expect(sandbox.requests).toHaveLength(3);
			for (const secret of [sandbox.apiKey, '/v1/workspace']) {
				expect(proxy.read()).not.toContain(secret);
			}
			expect(proxy.read()).not.toMatch(/^authorization:/im);
			// The reason why docs/operating.md and SECURITY.md ask for https
			expect((await run(`http://${NAME}`, read())).output).toHaveLength(1);
			expect(proxy.read()).toContain(sandbox.apiKey);
		});
	},
);

const onlyHttps = () => ({ ...through(proxy.url), HTTP_PROXY: '', NO_PROXY: '', no_proxy: '' });
describeIn('with HTTPS_PROXY alone', onlyHttps, [], () => {
	it('uses it for https alone', async () => {
		expect((await run(sandbox.url, read())).output).toHaveLength(1);
		expect(proxy.requests.filter((line) => line.includes(String(port)))).toEqual([]);
		expect((await run(`https://${NAME}`, read())).output).toHaveLength(1);
	});
});

const asking = async () => kept(await startProxy(hosts, LOGIN)).url;
const asked = both({
	title: /A proxy between n8n and the service asks for a login/,
	advice: [/^Ask the administrator .* HTTP_PROXY or HTTPS_PROXY/],
});
describeIn('behind a proxy that asks for a login', async () => through(await asking()), asked);

const withLogin = async () => through((await asking()).replace('//', `//${LOGIN}@`));
describeIn('behind a proxy that knows its login', withLogin, both(), () => {
	it('does not show that login to the service', async () => {
		await run(`https://${NAME}`, read());
		expect(sandbox.requests[0]?.headers).not.toHaveProperty('proxy-authorization');
	});
});

const down = both({
	title: /The service could not be reached, or the connection was lost/,
	advice: ['n8n could not connect to 127.0.0.1:9.', 'The request was tried 2 times.'],
	isRepeated: true,
});
describeIn('behind a proxy that is down', () => through('http://127.0.0.1:9'), down);

const blocked: Case = {
	name: 'blocks an internal address',
	url: () => sandbox.url,
	title: /n8n blocked the request to this address/,
	advice: [
		/^Ask the administrator of n8n/,
		'N8N_SSRF_ALLOWED_HOSTNAMES',
		/Reason: "The request was blocked/,
	],
	tested: /blocked/,
};
describeIn('with its SSRF protection', () => SSRF, [blocked]);

const ranges = () => ({ ...SSRF, N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.0/8,::1/128' });
const allowed: Case = { name: 'lets it through', url: () => sandbox.url };
describeIn('with an internal address that the administrator allows', ranges, [allowed]);
