import { createServer } from 'node:http';
import { networkInterfaces } from 'node:os';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import { engineIn, type EngineProcess } from './engineIn.mts';
import { listening, startPrefix, startRelay, type Running } from './servers.mts';

const hasIPv6 = Object.values(networkInterfaces())
	.flat()
	.some((one) => one?.address === '::1');

let sandbox: Sandbox;
let engine: EngineProcess;
const running: Running[] = [];
beforeAll(async () => {
	sandbox = await startSandbox({ seed: { question: 150 } });
	engine = await engineIn({});
});
beforeEach(() => sandbox.reset());
afterAll(async () => {
	await engine?.close();
	await Promise.all(running.map(async (server) => await server.close()));
	await sandbox?.close();
});

const kept = <T extends Running>(server: T): T => {
	running.push(server);
	return server;
};
const portOfSandbox = () => Number(new URL(sandbox.url).port);
const access = (url: string) => ({ url, apiKey: sandbox.apiKey });

describe('IPv6', () => {
	it.skipIf(!hasIPv6)('is reached by its address in brackets (skipped without ::1)', async () => {
		const { port } = kept(await startRelay('::1', portOfSandbox()));
		const { json, message } = await engine.getWorkspace(access(`http://[::1]:${port}`));
		expect(message).toBeUndefined();
		expect(json).toHaveLength(1);
	});

	it.skipIf(!hasIPv6)('is reported with its address if nothing is there', async () => {
		const { port, close } = await startRelay('::1', portOfSandbox());
		await close();
		const there = access(`http://[::1]:${port}`);
		const { description } = await engine.getWorkspace(there, { maxRetries: 0 });
		expect(description).toContain(`[::1]:${port}`);
	});
});

describe('a Base URL with a port and a path', () => {
	it.each(['', '/', '///'])('is the start of every request (end: "%s")', async (end) => {
		const server = kept(await startPrefix('/seo/visibility', portOfSandbox()));
		const there = access(`http://127.0.0.1:${server.port}/seo/visibility${end}`);
		const list = { resource: 'question', operation: 'getAll', returnAll: true };
		const { json } = await engine.run(there, { parameters: list });
		// More than one page
		expect(json.length).toBeGreaterThan(100);
		const create = {
			resource: 'competitor',
			operation: 'create',
			domain: `a${end.length}.example`,
		};
		expect((await engine.run(there, { parameters: create })).message).toBeUndefined();
		const paths = new Set(sandbox.requests.map(({ path }) => path));
		expect(paths).toEqual(new Set(['/v1/people-also-ask', '/v1/competitors']));
		expect(server.others).toEqual([]);
	});

	it('is polled too', async () => {
		const server = kept(await startPrefix('/seo', portOfSandbox()));
		const { message } = await engine.poll(access(`http://127.0.0.1:${server.port}/seo`));
		expect(message).toBeUndefined();
		expect(server.others).toEqual([]);
	});

	it('whose path is wrong is reported, with advice to check the Base URL', async () => {
		const server = kept(await startPrefix('/seo', portOfSandbox()));
		const { description } = await engine.getWorkspace(access(`http://127.0.0.1:${server.port}`));
		expect(description).toContain('Base URL');
		expect(server.others).toEqual(['/v1/workspace']);
	});
});

const WORKSPACE = JSON.stringify({ id: 'ws_1', name: 'Tea & Räder'.repeat(100) });

describe('an answer that is compressed', () => {
	it.each([
		['gzip', gzipSync],
		['br', brotliCompressSync],
		['deflate', deflateSync],
	])('with %s is read', async (encoding, compress) => {
		let accepted = '';
		const server = createServer(({ headers }, response) => {
			accepted = String(headers['accept-encoding']);
			response.setHeader('Content-Type', 'application/json');
			response.setHeader('Content-Encoding', encoding);
			response.end(compress(WORKSPACE));
		});
		const { port } = kept(await listening(server));
		const { json, message } = await engine.getWorkspace(access(`http://127.0.0.1:${port}`));
		expect(message).toBeUndefined();
		expect(json).toMatchObject([JSON.parse(WORKSPACE)]);
		expect(accepted).toContain(encoding);
	});

	it('and broken is reported as an unreadable answer', async () => {
		const server = createServer((_request, response) => {
			response.setHeader('Content-Type', 'application/json');
			response.setHeader('Content-Encoding', 'gzip');
			response.end(gzipSync(WORKSPACE).subarray(0, 40));
		});
		const { port } = kept(await listening(server));
		const there = access(`http://127.0.0.1:${port}`);
		const { json, message } = await engine.getWorkspace(there, { maxRetries: 0 });
		expect(json).toEqual([]);
		expect(message).toMatch(/could not be read|connection was lost/);
	});
});

it('connections that the service closes between two requests although it said to keep them', async () => {
	let requests = 0;
	const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
		requests++;
		response.setHeader('Content-Type', 'application/json');
		response.setHeader('Connection', 'keep-alive');
		response.end(WORKSPACE, () => setImmediate(() => request.socket.destroy()));
	});
	const { port } = kept(await listening(server));
	const { json, message } = await engine.run(access(`http://127.0.0.1:${port}`), {
		items: Array.from({ length: 40 }, () => ({})),
		parameters: {
			resource: 'workspace',
			operation: 'get',
			options: { concurrency: 4, maxRetries: 0 },
		},
	});
	expect(message).toBeUndefined();
	expect(json).toHaveLength(40);
	expect(requests).toBe(40);
});
