import { afterAll, beforeAll, expect, it } from 'vitest';

import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { N8nClient, type WorkflowJson } from './client.mts';
import { discoverFew } from './discoveries.mts';
import {
	ACTIONS,
	CREDENTIAL,
	credentialsFor,
	inARow,
	log,
	NO_OP,
	node,
	outputOf,
	pack,
	runOnce,
	startServer,
	TRIGGER,
	uniqueKey,
	until,
	webhook,
} from './helpers.mts';
import { startPrefix } from './network/servers.mts';
import { ensurePostgres17 } from './postgres17.mts';
import { temporaryFolder } from './processes.mts';
import type { N8nServer } from './server.mts';
import { startPostgres, startRedis } from './services.mts';
import { variant as current } from './variants.mts';
import { NEWEST, versionOf } from './versions.mts';
import { POLL_TIMEOUT_MS, Watch } from './watch.mts';

/*
 * The package in every variant of n8n: does it load, do the credential, a read and a write work, and does the trigger
 * start its workflow once with each record, even if polls fail and n8n is killed?
 */

/** Two polls. */
const timeout = 3 * 60_000;

const variant = current();
const version = versionOf(variant.version ?? NEWEST);
const key = uniqueKey();
const apiKey = variant.keyEntered ?? key;
const ends: Array<() => Promise<void>> = [];
const due: string[] = [];

let sandbox: Sandbox;
let server: N8nServer;
/** n8n, at the address that users open */
let client: N8nClient;
let watch: Watch;

beforeAll(async () => {
	sandbox = await startSandbox({ apiKey: key, seed: { citedPage: 230, question: 40 } });
	ends.push(() => sandbox.close());
	server = await startServer({ ...variant.env?.(key), ...(await queue()) });
	ends.push(() => server.stop());
	client = server;
	if (variant.hasQueue) {
		const tarball = await pack(temporaryFolder('search-visibility-pack-'));
		const worker = await server.startWorker({ tarball });
		ends.push(() => worker.stop());
	}
	if (variant.path === undefined) return;
	const proxy = await startPrefix(variant.path, Number(port()));
	ends.push(() => proxy.close());
	client = new N8nClient(
		`http://127.0.0.1:${proxy.port}${variant.path}`,
		server.login,
		server.n8nBin,
	);
	await client.signIn();
});
afterAll(async () => {
	for (const end of ends.reverse()) await end();
});

const port = () => new URL(server.url).port;

async function queue(): Promise<Record<string, string>> {
	if (!variant.hasQueue) return {};
	const redis = await startRedis({ password: uniqueKey() });
	ends.push(redis.stop);
	const postgres = await startPostgres(await ensurePostgres17(log));
	ends.push(postgres.stop);
	return { ...redis.env, ...postgres.env };
}

it('n8n runs, with both nodes, the credential and their icons', async () => {
	expect(await client.rest('GET', '/settings')).toMatchObject(variant.shows?.(port()) ?? {});
	const versions = await client.versions();
	log(`n8n ${versions.n8n}, Node ${versions.node}`);
	expect(versions.n8n).toBe(version.version);
	expect(await client.nodeTypes()).toEqual(expect.arrayContaining([ACTIONS, TRIGGER]));
	const credentials = await client.json<Array<{ name: string }>>('/types/credentials.json');
	expect(credentials).toContainEqual(
		expect.objectContaining({ name: CREDENTIAL, displayName: 'Search Visibility API' }),
	);
	const icon = await fetch(
		`${client.url}/icons/n8n-nodes-search-visibility/dist/icons/search-visibility.svg`,
	);
	expect(icon.headers.get('content-type')).toContain('image/svg+xml');
});

/** What the editor shows after "Save". */
async function tested(more: object = {}): Promise<{ status: string; message: string }> {
	const data = { baseUrl: sandbox.url, apiKey, ...more };
	// Older versions can only test saved credentials
	const id = await client.createCredential(CREDENTIAL, 'Tried', data);
	const credentials = { id, name: 'Tried', type: CREDENTIAL, data };
	return await client.rest('POST', '/credentials/test', { credentials });
}

it('the credential test accepts the right key', async () => {
	expect(await tested()).toMatchObject({ status: 'OK' });
});

/** What users read: the package's words, and those with which older versions of n8n replace them. */
const WORDS = {
	'of the package': [/did not accept the API key/, /Base URL/, /ECONNREFUSED/],
	'of n8n': [
		/Authorization failed/,
		/Base URL|could not be found|404/,
		/ECONNREFUSED|refused the connection|not reachable|offline/i,
	],
}[version.credentialWords];

it.each([
	['a wrong key', () => ({ apiKey: 'wrong' }), WORDS[0]],
	['a wrong path', () => ({ baseUrl: `${sandbox.url}/elsewhere` }), WORDS[1]],
	['an address without a service', () => ({ baseUrl: 'http://127.0.0.1:9' }), WORDS[2]],
])('the credential test refuses %s, and says why', async (_name, data, words) => {
	const { status, message } = await tested(data());
	expect(status).toBe('Error');
	expect(message).toMatch(words as RegExp);
});

it('the first poll of the trigger starts nothing', async () => {
	watch = await Watch.over(client, sandbox, { apiKey });
	await watch.publish();
	expect(sandbox.requests.length).toBeGreaterThan(2);
	expect(await watch.executions()).toEqual([]);
});

let runs = 0;

/** Calls a webhook with a domain; returns the output of the last node, and what evaluates expressions. */
async function readAndWrite(domain: string) {
	const path = `read-and-write-${++runs}`;
	const credentialIds = await credentialsFor(client, { url: sandbox.url, apiKey });
	const execution = await runOnce(client, workflow(path), credentialIds, { domain });
	expect(execution.data.resultData.error?.message).toBeUndefined();
	const [probed] = outputOf(execution, 'Probe');
	return { engine: probed?.engine as unknown, output: outputOf(execution, 'Write') };
}

function workflow(path: string): WorkflowJson {
	// In a task runner, code has no `process`
	const place = "typeof process === 'undefined' ? 'runner' : 'n8n'";
	const jsCode = `const { domain } = $input.first().json.body;
		return [{ json: { body: { domain: (${place}) + '-' + domain } } }];`;
	const isVm = "new Error('').stack.includes('isolated-vm')";
	const jsonOutput = `={{ { engine: ${isVm} ? 'vm' : 'legacy' } }}`;
	const domain = "={{ $('Given').first().json.body.domain }}";
	return inARow(path, [
		webhook(path),
		variant.hasCode
			? node('Given', 'n8n-nodes-base.code', { jsCode }, { typeVersion: 2 })
			: node('Given', NO_OP),
		node('Probe', 'n8n-nodes-base.set', { mode: 'raw', jsonOutput }, { typeVersion: 3.4 }),
		node('Read', ACTIONS, { resource: 'workspace', operation: 'get' }),
		node('Write', ACTIONS, { resource: 'competitor', operation: 'create', domain }),
	]);
}

it('a read and a write, with expressions that refer to earlier nodes', async () => {
	const { engine, output } = await readAndWrite('found.example');
	const domain = variant.hasCode ? 'runner-found.example' : 'found.example';
	if (variant.engine) expect(engine).toBe(variant.engine);
	expect(output).toMatchObject([{ domain }]);
	const writes = sandbox.requests.filter(({ method }) => method === 'POST');
	expect(writes).toMatchObject([{ path: '/v1/competitors', body: { domain } }]);
	expect(sandbox.responseViolations).toEqual([]);
});

/** Each record once, and no others. */
async function expectStarted(): Promise<void> {
	expect((await watch.startedWith(due, POLL_TIMEOUT_MS)).sort()).toEqual([...due].sort());
}

it('what is new starts the workflow once', { timeout }, async () => {
	due.push(...discoverFew(sandbox));
	await watch.nextPoll();
	await expectStarted();
});

it.runIf(variant.isPruned)('the executions of the trigger are pruned', { timeout }, async () => {
	// Newer than those
	await readAndWrite('newer.example');
	// n8n checks once a minute
	await until('no executions', async () => (await watch.executions()).length === 0, timeout);
	due.splice(0);
});

it('a poll that fails is shown, and loses nothing', { timeout }, async () => {
	sandbox.fault({ kind: 'status', status: 401, match: { times: null } });
	due.push(...discoverFew(sandbox));
	const failure = await watch.failureAfter(0);
	sandbox.clearFaults();
	expect(failure.data.resultData.error).toMatchObject({
		message: expect.stringContaining('did not accept the API key'),
		description: expect.stringContaining('credential'),
	});
});

it('n8n is killed in the middle of a poll: nothing is lost or repeated', { timeout }, async () => {
	due.push(...discoverFew(sandbox));
	sandbox.setLatency(3000);
	await watch.pollBegun();
	await server.kill();
	sandbox.setLatency(0);
	due.push(...discoverFew(sandbox));
	await server.start();
	if (client !== server) await client.signIn();
	await expectStarted();
	await watch.nextPoll();
	await expectStarted();
	await watch.unpublish();
});
