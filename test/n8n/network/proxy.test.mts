import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { itemAt } from '../../defined.mts';
import { startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import { makeAuthority, type Authority } from './certificates.mts';
import { engineIn, type EngineProcess } from './engineIn.mts';
import { startProxy, startTls, type Proxy, type ProxyOptions, type Running } from './servers.mts';

/** No system can resolve this name; only the proxy knows it. */
const NAME = 'service.example';
const API_KEY = 'sv_live_7Zk3-Qp.91xW-key';

let sandbox: Sandbox;
let authority: Authority;
let secure: Running;
let proxy: Proxy;
const running: Running[] = [];
const engines: EngineProcess[] = [];

beforeAll(async () => {
	sandbox = await startSandbox({ apiKey: API_KEY });
	authority = makeAuthority();
	secure = await startTls(authority.issue({ names: [NAME, '127.0.0.1'] }), portOf(sandbox.url));
	proxy = await started();
});
beforeEach(() => {
	sandbox.reset();
	proxy.clear();
});
afterAll(async () => {
	await Promise.all(engines.map(async (engine) => await engine.close()));
	await Promise.all([secure, ...running].map(async (server) => await server?.close()));
	await sandbox?.close();
});

const portOf = (url: string) => Number(new URL(url).port);

async function started(options: ProxyOptions = {}): Promise<Proxy> {
	const hosts = { [`${NAME}:443`]: secure.port, [`${NAME}:80`]: portOf(sandbox.url) };
	const made = await startProxy({ hosts, ...options });
	running.push(made);
	return made;
}

async function engineWith(env: Record<string, string>): Promise<EngineProcess> {
	const engine = await engineIn({ NODE_EXTRA_CA_CERTS: authority.file, ...env });
	engines.push(engine);
	return engine;
}

const access = (url: string) => ({ url, apiKey: API_KEY });

describe('with HTTP_PROXY and HTTPS_PROXY', () => {
	let engine: EngineProcess;
	beforeAll(async () => {
		engine = await engineWith({ HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url });
	});

	it('https: the proxy sees the name and the port, never the key or the path', async () => {
		const { json, message } = await engine.getWorkspace(access(`https://${NAME}`));
		expect(message).toBeUndefined();
		expect(json).toHaveLength(1);
		expect(proxy.requests).toEqual([`CONNECT ${NAME}:443`]);
		expect(sandbox.requests).toMatchObject([{ path: '/v1/workspace', authorized: true }]);
		expect(proxy.read()).toContain(`CONNECT ${NAME}:443`);
		expect(proxy.read()).not.toContain(API_KEY);
		expect(proxy.read()).not.toContain('/v1/workspace');
		expect(proxy.read()).not.toMatch(/^authorization:/im);
	});

	it('https: a write and every page of a list take the same route', async () => {
		const parameters = { resource: 'question', operation: 'getAll', returnAll: true };
		expect((await engine.run(access(`https://${NAME}`), { parameters })).message).toBeUndefined();
		const create = { resource: 'competitor', operation: 'create', domain: 'rival.example' };
		const { json } = await engine.run(access(`https://${NAME}`), { parameters: create });
		expect(json).toMatchObject([{ domain: 'rival.example' }]);
		expect(new Set(proxy.requests)).toEqual(new Set([`CONNECT ${NAME}:443`]));
		expect(proxy.requests).toHaveLength(sandbox.requests.length);
		expect(proxy.read()).not.toContain(API_KEY);
	});

	it('http: the whole request goes through the proxy, which can read the key', async () => {
		const { json } = await engine.getWorkspace(access(`http://${NAME}`));
		expect(json).toHaveLength(1);
		expect(proxy.requests).toEqual([`GET http://${NAME}/v1/workspace`]);
		// The reason why docs/network.md and SECURITY.md ask for https
		expect(proxy.read()).toContain(API_KEY);
	});

	it('a host that the proxy cannot reach: its answer does not count as a success', async () => {
		const unknown = access('https://elsewhere.example');
		const { message, description } = await engine.getWorkspace(unknown, { maxRetries: 0 });
		expect(message).toBe('The service could not process the request');
		expect(description).toBeTruthy();
	});
});

it('with only HTTPS_PROXY, an http address is reached directly', async () => {
	const engine = await engineWith({ HTTPS_PROXY: proxy.url });
	expect((await engine.getWorkspace(sandbox)).json).toHaveLength(1);
	expect(proxy.requests).toEqual([]);
	expect((await engine.getWorkspace(access(`https://${NAME}`))).json).toHaveLength(1);
	expect(proxy.requests).toHaveLength(1);
});

it('with NO_PROXY, the hosts in it are reached directly, the rest through the proxy', async () => {
	const engine = await engineWith({
		HTTP_PROXY: proxy.url,
		HTTPS_PROXY: proxy.url,
		NO_PROXY: '127.0.0.1,.internal.example',
	});
	expect((await engine.getWorkspace(sandbox)).json).toHaveLength(1);
	const direct = access(`https://127.0.0.1:${secure.port}`);
	expect((await engine.getWorkspace(direct)).json).toHaveLength(1);
	expect(proxy.requests).toEqual([]);
	expect((await engine.getWorkspace(access(`https://${NAME}`))).json).toHaveLength(1);
	expect(proxy.requests).toEqual([`CONNECT ${NAME}:443`]);
});

describe('a proxy that asks for a login', () => {
	let asking: Proxy;
	beforeAll(async () => {
		asking = await started({ login: 'n8n:pass' });
	});

	it.each(['http', 'https'])('%s: refuses without it, which is reported', async (protocol) => {
		const engine = await engineWith({ HTTP_PROXY: asking.url, HTTPS_PROXY: asking.url });
		const { message, description, cause } = await engine.getWorkspace(
			access(`${protocol}://${NAME}`),
		);
		expect(message).toBe('A proxy between n8n and the service asks for a login');
		expect(description).toMatch(/^Ask the administrator .* HTTP_PROXY or HTTPS_PROXY/);
		expect(description).not.toMatch(/was tried/);
		expect(cause).toBe('configuration-invalid');
		expect(sandbox.requests).toEqual([]);
	});

	it('accepts requests if the variable has it', async () => {
		const url = asking.url.replace('//', '//n8n:pass@');
		const engine = await engineWith({ HTTP_PROXY: url, HTTPS_PROXY: url });
		for (const protocol of ['http', 'https']) {
			const { json } = await engine.getWorkspace(access(`${protocol}://${NAME}`));
			expect(json).toHaveLength(1);
		}
		// Inside the tunnel, the service does not see the proxy's login
		const throughTunnel = itemAt(sandbox.requests, 1);
		expect(throughTunnel.headers).not.toHaveProperty('proxy-authorization');
	});
});

describe('a proxy that is down', () => {
	const downAt = async () => {
		const { port, close } = await startProxy();
		await close();
		return `127.0.0.1:${port}`;
	};

	it('is named, so that users do not blame the service', async () => {
		const address = await downAt();
		const url = `http://${address}`;
		const engine = await engineWith({ HTTP_PROXY: url, HTTPS_PROXY: url });
		for (const protocol of ['http', 'https']) {
			const there = access(`${protocol}://${NAME}`);
			const { message, description } = await engine.getWorkspace(there, { maxRetries: 1 });
			expect(message).toBe('The service could not be reached, or the connection was lost');
			expect(description).toContain('network connection of n8n');
			expect(description).toContain(`n8n could not connect to ${address}.`);
			expect(description).toContain('The request was tried 2 times.');
		}
	});

	it('leaves no doubt that a write was not sent', async () => {
		const engine = await engineWith({ HTTPS_PROXY: `http://${await downAt()}` });
		const parameters = { resource: 'competitor', operation: 'create', domain: 'rival.example' };
		const told = await engine.run(access(`https://${NAME}`), { parameters });
		expect(told.message).toBeTruthy();
		expect(told.mayBeDone).toBe(false);
	});
});
