import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import { engineIn, type EngineProcess } from './engineIn.mts';

/** n8n's protection against requests to internal addresses (SSRF), which is off by default. */

let sandbox: Sandbox;
const engines: EngineProcess[] = [];
beforeAll(async () => {
	sandbox = await startSandbox();
});
beforeEach(() => sandbox.reset());
afterAll(async () => {
	await Promise.all(engines.map(async (engine) => await engine.close()));
	await sandbox?.close();
});

async function protectedEngine(env: Record<string, string> = {}): Promise<EngineProcess> {
	const engine = await engineIn({ N8N_SSRF_PROTECTION_ENABLED: 'true', ...env });
	engines.push(engine);
	return engine;
}

describe('a service on an internal address', () => {
	let engine: EngineProcess;
	beforeAll(async () => {
		engine = await protectedEngine();
	});

	it.each(['127.0.0.1', 'localhost'])(
		'%s: blocked once, and reported with who blocked it',
		async (host) => {
			const url = sandbox.url.replace('127.0.0.1', host);
			const { message, description, cause } = await engine.getWorkspace({ ...sandbox, url });
			expect(message).toBe('n8n blocked the request to this address');
			expect(description).toMatch(/^Ask the administrator of n8n/);
			expect(description).toContain('N8N_SSRF_ALLOWED_HOSTNAMES');
			expect(description).toContain('The request was not sent.');
			// n8n's own words, with what it blocked
			expect(description).toMatch(/Reason: "The request was blocked .*127\.0\.0\.1/);
			expect(description).not.toMatch(/was tried/);
			expect(cause).toBe('configuration-invalid');
			expect(sandbox.requests).toEqual([]);
		},
	);

	it('a write: certainly not done', async () => {
		const parameters = { resource: 'competitor', operation: 'create', domain: 'rival.example' };
		const { message, mayBeDone } = await engine.run(sandbox, { parameters });
		expect(message).toBe('n8n blocked the request to this address');
		expect(mayBeDone).toBe(false);
	});

	it('a poll of the trigger says the same, with the advice', async () => {
		const { message } = await engine.poll(sandbox);
		expect(message).toContain('n8n blocked the request to this address');
		expect(sandbox.requests).toEqual([]);
	});
});

it.each([
	['N8N_SSRF_ALLOWED_HOSTNAMES', 'localhost'],
	['N8N_SSRF_ALLOWED_IP_RANGES', '127.0.0.0/8,::1/128'],
])('with %s, the service is reached', async (name, value) => {
	const engine = await protectedEngine({ [name]: value });
	const url = sandbox.url.replace('127.0.0.1', 'localhost');
	const { json, message } = await engine.getWorkspace({ ...sandbox, url });
	expect(message).toBeUndefined();
	expect(json).toHaveLength(1);
});

it('a name that the administrator forbids is reported too', async () => {
	const engine = await protectedEngine({ N8N_SSRF_BLOCKED_HOSTNAMES: '*.forbidden.example' });
	const there = { ...sandbox, url: 'https://service.forbidden.example' };
	const { message, description } = await engine.getWorkspace(there);
	expect(message).toBe('n8n blocked the request to this address');
	expect(description).toContain('service.forbidden.example');
});

it('without it, nothing is blocked', async () => {
	const engine = await engineIn({});
	engines.push(engine);
	expect((await engine.getWorkspace(sandbox)).json).toHaveLength(1);
});
