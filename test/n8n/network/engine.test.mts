import { createServer } from 'node:http';
import { networkInterfaces } from 'node:os';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { Sandbox } from '../../sandbox/sandbox.mts';
import { kept, openSandbox } from '../helpers.mts';
import {
	makeAuthority,
	makeSelfSigned,
	type Authority,
	type Certificate,
} from './certificates.mts';
import { engineIn, type EngineProcess } from './engineIn.mts';
import {
	listening,
	startPrefix,
	startProxy,
	startRelay,
	startTls,
	type Proxy,
	type Running,
} from './servers.mts';

/* n8n's engine in processes with their own environment: what users of company networks read, and what is sent. */

/** No system can resolve this name; only the proxy knows it. */
const NAME = 'service.example';
const API_KEY = 'sv_live_7Zk3-Qp.91xW-key';
const CREATE = { resource: 'competitor', operation: 'create', domain: 'rival.example' };
const WORKSPACE = JSON.stringify({ id: 'ws_1', name: 'Tea & Räder'.repeat(100) });
const hasIPv6 = Object.values(networkInterfaces())
	.flat()
	.some((one) => one?.address === '::1');

let sandbox: Sandbox;
let authority: Authority;
/** The sandbox behind TLS, with a certificate that the authority has signed */
let secure: Running;
/** What the proxies know: the name, with and without TLS */
let hosts: Record<string, number>;
let proxy: Proxy;
/** Without anything, and with the authority in NODE_EXTRA_CA_CERTS */
let plain: EngineProcess;
let trusting: EngineProcess;

const portOf = (url: string) => Number(new URL(url).port);
const access = (url: string) => ({ url, apiKey: API_KEY });
const engineWith = async (env: Record<string, string>) =>
	kept(await engineIn({ NODE_EXTRA_CA_CERTS: authority.file, ...env }));

beforeAll(async () => {
	sandbox = await openSandbox({ apiKey: API_KEY, seed: { question: 150 } });
	authority = makeAuthority();
	const names = [NAME, '127.0.0.1'];
	secure = kept(await startTls(authority.issue({ names }), portOf(sandbox.url)));
	hosts = { [`${NAME}:443`]: secure.port, [`${NAME}:80`]: portOf(sandbox.url) };
	proxy = kept(await startProxy(hosts));
	plain = kept(await engineIn({}));
	trusting = await engineWith({});
});
beforeEach(() => {
	sandbox.reset();
	proxy.clear();
});
describe('an address', () => {
	it.runIf(hasIPv6)('of IPv6 is reached in brackets', async () => {
		const { port } = kept(await startRelay('::1', portOf(sandbox.url)));
		expect((await plain.getWorkspace(access(`http://[::1]:${port}`))).json).toHaveLength(1);
	});

	it.each(['', '/', '///'])('with a path is the start of all requests (end: "%s")', async (end) => {
		const server = kept(await startPrefix('/seo/visibility', portOf(sandbox.url)));
		const there = access(`http://127.0.0.1:${server.port}/seo/visibility${end}`);
		const list = { resource: 'question', operation: 'getAll', returnAll: true };
		// More than one page
		expect((await plain.run(there, { parameters: list })).json.length).toBeGreaterThan(100);
		expect((await plain.run(there, { parameters: CREATE })).message).toBeUndefined();
		expect((await plain.poll(there)).message).toBeUndefined();
		expect(server.others).toEqual([]);
	});

	it('with a wrong path is reported, with advice to check the Base URL', async () => {
		const server = kept(await startPrefix('/seo', portOf(sandbox.url)));
		const { description } = await plain.getWorkspace(access(`http://127.0.0.1:${server.port}`));
		expect(description).toContain('Base URL');
	});
});

describe('an answer', () => {
	async function answering(encoding: string, body: Buffer) {
		const server = createServer((_request, response) => {
			response.setHeader('Content-Type', 'application/json');
			response.setHeader('Content-Encoding', encoding);
			response.end(body);
		});
		return access(`http://127.0.0.1:${kept(await listening(server)).port}`);
	}

	it.each([
		['gzip', gzipSync],
		['br', brotliCompressSync],
		['deflate', deflateSync],
	])('compressed with %s is read', async (encoding, compress) => {
		const told = await plain.getWorkspace(await answering(encoding, compress(WORKSPACE)));
		expect(told.json).toMatchObject([JSON.parse(WORKSPACE)]);
	});

	it('that is compressed and broken is reported', async () => {
		const there = await answering('gzip', gzipSync(WORKSPACE).subarray(0, 40));
		const { json, message } = await plain.getWorkspace(there, { maxRetries: 0 });
		expect(json).toEqual([]);
		expect(message).toMatch(/could not be read|connection was lost/);
	});

	it('may be the last of its connection although the service said to keep it', async () => {
		const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
			response.setHeader('Content-Type', 'application/json');
			response.setHeader('Connection', 'keep-alive');
			response.end(WORKSPACE, () => setImmediate(() => request.socket.destroy()));
		});
		const { port } = kept(await listening(server));
		const options = { concurrency: 4, maxRetries: 0 };
		const { json, message } = await plain.run(access(`http://127.0.0.1:${port}`), {
			items: Array.from({ length: 40 }, () => ({})),
			parameters: { resource: 'workspace', operation: 'get', options },
		});
		expect(message).toBeUndefined();
		expect(json).toHaveLength(40);
	});
});

interface CertificateCase {
	name: string;
	certificate: () => Certificate;
	/** Whether n8n trusts the authority */
	isKnown?: boolean;
	code: string;
	title: RegExp;
	advice: RegExp;
}

const UNTRUSTED = {
	title: /does not trust the certificate/,
	advice: /^Ask the administrator of n8n/,
};
const CERTIFICATES: CertificateCase[] = [
	{
		name: 'of a private authority',
		certificate: () => authority.issue(),
		isKnown: false,
		code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
		...UNTRUSTED,
	},
	{
		name: 'with that of its private authority',
		certificate: () => {
			const { key, cert } = authority.issue();
			return { key, cert: cert + authority.cert };
		},
		isKnown: false,
		code: 'SELF_SIGNED_CERT_IN_CHAIN',
		...UNTRUSTED,
	},
	{
		name: 'that nobody vouches for',
		certificate: () => makeSelfSigned(),
		code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
		...UNTRUSTED,
	},
	{
		name: 'that has expired',
		certificate: () => authority.issue({ from: -2, until: -1 }),
		code: 'CERT_HAS_EXPIRED',
		title: /has expired/,
		advice: /^Ask the operator of the service to renew it/,
	},
	{
		name: 'that is not valid yet',
		certificate: () => authority.issue({ from: 1, until: 2 }),
		code: 'CERT_NOT_YET_VALID',
		title: /not valid yet/,
		advice: /check the clock of the n8n server/,
	},
	{
		name: 'of another host',
		certificate: () => authority.issue({ names: ['other.example'] }),
		code: 'ERR_TLS_CERT_ALTNAME_INVALID',
		title: /for another host name/,
		advice: /^Check the host name in the Base URL/,
	},
];

describe('a certificate', () => {
	it.each(CERTIFICATES)('$name: reported, and nothing is sent', async (testCase) => {
		const { certificate, isKnown = true, code, title, advice } = testCase;
		const engine = isKnown ? trusting : plain;
		const server = kept(await startTls(certificate(), portOf(sandbox.url)));
		const there = access(`https://127.0.0.1:${server.port}`);
		const { message, description, cause } = await engine.getWorkspace(there);
		expect(message).toMatch(title);
		expect(description).toMatch(advice);
		expect(description).toContain(code);
		expect(description).toContain('The request was not sent.');
		expect(description).not.toMatch(/was tried \d+ times/);
		expect(cause).toBe('configuration-invalid');
		expect((await engine.run(there, { parameters: CREATE })).mayBeDone).toBe(false);
		expect((await engine.poll(there)).message).toMatch(title);
		expect(sandbox.requests).toEqual([]);
	});

	it('of a private authority is accepted with NODE_EXTRA_CA_CERTS', async () => {
		const there = access(`https://127.0.0.1:${secure.port}`);
		expect((await trusting.getWorkspace(there)).json).toHaveLength(1);
		expect((await trusting.poll(there)).message).toBeUndefined();
	});

	it('is asked of a service without TLS', async () => {
		const there = access(sandbox.url.replace('http:', 'https:'));
		const { message, description } = await trusting.getWorkspace(there);
		expect(message).toBe('A secure connection to the service could not be established');
		expect(description).toMatch(/starts with the right protocol/);
	});

	it('is not asked of a service with TLS', async () => {
		const there = access(`http://127.0.0.1:${secure.port}`);
		const { message, description } = await trusting.getWorkspace(there, { maxRetries: 0 });
		expect(message).toMatch(/could not be reached|could not be read/);
		expect(description).toContain('Base URL');
	});
});

describe('a proxy', () => {
	const both = (url: string) => ({ HTTP_PROXY: url, HTTPS_PROXY: url });

	it('sees name and port of an https address, never the key or the path', async () => {
		const engine = await engineWith(both(proxy.url));
		const there = access(`https://${NAME}`);
		expect((await engine.getWorkspace(there)).json).toHaveLength(1);
		expect((await engine.run(there, { parameters: CREATE })).json).toHaveLength(1);
		expect(new Set(proxy.requests)).toEqual(new Set([`CONNECT ${NAME}:443`]));
		expect(proxy.requests).toHaveLength(sandbox.requests.length);
		expect(proxy.read()).not.toContain(API_KEY);
		expect(proxy.read()).not.toContain('/v1/workspace');
		expect(proxy.read()).not.toMatch(/^authorization:/im);
		proxy.clear();
		// The reason why docs/operating.md and SECURITY.md ask for https
		expect((await engine.getWorkspace(access(`http://${NAME}`))).json).toHaveLength(1);
		expect(proxy.read()).toContain(API_KEY);
	});

	it('is used for the protocols and hosts that the variables name', async () => {
		const engine = await engineWith({
			...both(proxy.url),
			NO_PROXY: '127.0.0.1,.internal.example',
		});
		const onlyHttps = await engineWith({ HTTPS_PROXY: proxy.url });
		expect((await engine.getWorkspace(access(sandbox.url))).json).toHaveLength(1);
		expect((await onlyHttps.getWorkspace(access(sandbox.url))).json).toHaveLength(1);
		expect(proxy.requests).toEqual([]);
		for (const one of [engine, onlyHttps]) {
			expect((await one.getWorkspace(access(`https://${NAME}`))).json).toHaveLength(1);
		}
		expect(proxy.requests).toHaveLength(2);
	});

	it('that cannot reach the host does not count as a success', async () => {
		const engine = await engineWith(both(proxy.url));
		const unknown = access('https://elsewhere.example');
		const { message } = await engine.getWorkspace(unknown, { maxRetries: 0 });
		expect(message).toBe('The service could not process the request');
	});

	it('that asks for a login is reported, and used with it', async () => {
		const asking = kept(await startProxy(hosts, 'n8n:pass'));
		const without = await engineWith(both(asking.url));
		const withLogin = await engineWith(both(asking.url.replace('//', '//n8n:pass@')));
		for (const protocol of ['http', 'https']) {
			const there = access(`${protocol}://${NAME}`);
			const { message, description, cause } = await without.getWorkspace(there);
			expect(message).toBe('A proxy between n8n and the service asks for a login');
			expect(description).toMatch(/^Ask the administrator .* HTTP_PROXY or HTTPS_PROXY/);
			expect(cause).toBe('configuration-invalid');
			expect((await withLogin.getWorkspace(there)).json).toHaveLength(1);
		}
		// Inside the tunnel, the service does not see the proxy's login
		expect(sandbox.requests.at(-1)?.headers).not.toHaveProperty('proxy-authorization');
	});

	it('that is down is named, and nothing was sent through it', async () => {
		const { port, close } = await startProxy();
		await close();
		const engine = await engineWith(both(`http://127.0.0.1:${port}`));
		for (const protocol of ['http', 'https']) {
			const there = access(`${protocol}://${NAME}`);
			const { message, description } = await engine.getWorkspace(there, { maxRetries: 1 });
			expect(message).toBe('The service could not be reached, or the connection was lost');
			expect(description).toContain(`n8n could not connect to 127.0.0.1:${port}.`);
			expect(description).toContain('The request was tried 2 times.');
		}
		const there = access(`https://${NAME}`);
		expect((await engine.run(there, { parameters: CREATE })).mayBeDone).toBe(false);
	});
});

describe("n8n's protection against requests to internal addresses", () => {
	const guarded = async (env: Record<string, string> = {}) =>
		await engineWith({ N8N_SSRF_PROTECTION_ENABLED: 'true', ...env });

	it('blocks once, and what it blocked is reported', async () => {
		const engine = await guarded();
		const { message, description, cause } = await engine.getWorkspace(access(sandbox.url));
		expect(message).toBe('n8n blocked the request to this address');
		expect(description).toMatch(/^Ask the administrator of n8n/);
		expect(description).toContain('N8N_SSRF_ALLOWED_HOSTNAMES');
		expect(description).toMatch(/Reason: "The request was blocked .*127\.0\.0\.1/);
		expect(cause).toBe('configuration-invalid');
		expect((await engine.run(sandbox, { parameters: CREATE })).mayBeDone).toBe(false);
		expect((await engine.poll(sandbox)).message).toContain('n8n blocked the request');
		expect(sandbox.requests).toEqual([]);
	});

	it('lets addresses through that the administrator allows', async () => {
		const engine = await guarded({ N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.0/8,::1/128' });
		expect((await engine.getWorkspace(access(sandbox.url))).json).toHaveLength(1);
	});
});
