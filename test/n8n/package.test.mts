import { beforeAll, expect, it } from 'vitest';

import type { Sandbox } from '../sandbox/sandbox.mts';
import { N8nClient, type WorkflowJson } from './client.mts';
import {
	ACTIONS,
	CREDENTIAL,
	credentialsFor,
	inARow,
	type Json,
	kept,
	log,
	NO_OP,
	node,
	openSandbox,
	outputOf,
	runOnce,
	SEED,
	startServer,
	testCredential,
	TRIGGER,
	uniqueKey,
	until,
	webhook,
} from './helpers.mts';
import { startPrefix } from './network/servers.mts';
import type { N8nServer } from './server.mts';
import { startPostgres, startRedis } from './services.mts';
import { variant as current } from './variants.mts';
import { NEWEST, versionOf } from './versions.mts';
import { Watch } from './watch.mts';

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

let sandbox: Sandbox;
let server: N8nServer;
/** n8n, at the address that users open */
let client: N8nClient;
let watch: Watch;

beforeAll(async () => {
	sandbox = await openSandbox({ apiKey: key, seed: SEED });
	const services = variant.hasQueue ? [await startRedis(), await startPostgres()] : [];
	const addresses = services.map((service) => kept(service).env);
	server = await startServer(Object.assign({ ...variant.env?.(key) }, ...addresses));
	client = server;
	if (variant.hasQueue) kept(await server.startWorker());
	if (variant.path === undefined) return;
	const { port: at } = kept(await startPrefix(variant.path, Number(port())));
	client = new N8nClient(`http://127.0.0.1:${at}${variant.path}`, server.login, server.n8nBin);
	await client.signIn();
});

const port = () => new URL(server.url).port;

it('n8n runs, with both nodes, the credential and their icons', async () => {
	const settings = await client.rest<Json>('GET', '/settings');
	log(`n8n ${settings.versionCli}, Node ${settings.nodeJsVersion}`);
	expect(settings).toMatchObject({
		versionCli: version.version,
		...variant.shows?.(port()),
	});
	for (const [path, name, displayName] of [
		['nodes', ACTIONS, 'Search Visibility'],
		['nodes', TRIGGER, 'Search Visibility Trigger'],
		['credentials', CREDENTIAL, 'Search Visibility API'],
	]) {
		const types = await client.json(`/types/${path}.json`);
		expect(types).toContainEqual(expect.objectContaining({ name, displayName }));
	}
	const icon = await fetch(
		`${client.url}/icons/n8n-nodes-search-visibility/dist/icons/search-visibility.svg`,
	);
	expect(icon.headers.get('content-type')).toContain('image/svg+xml');
});

const tested = async (more: object = {}) =>
	await testCredential(client, { baseUrl: sandbox.url, apiKey, ...more });

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
	watch = await Watch.over(client, sandbox, undefined, apiKey);
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

it('what is new starts the workflow once', { timeout }, async () => {
	watch.discoverFew();
	await watch.nextPoll();
	await watch.expectStarted();
});

it.runIf(variant.isPruned)('the executions of the trigger are pruned', { timeout }, async () => {
	// Newer than those
	await readAndWrite('newer.example');
	// n8n checks once a minute
	await until('no executions', async () => (await watch.executions()).length === 0, timeout);
	watch.due.splice(0);
});

it('a poll that fails is shown, and loses nothing', { timeout }, async () => {
	sandbox.fault({ kind: 'status', status: 401, match: { times: null } });
	watch.discoverFew();
	const failure = await watch.failureAfter(0);
	sandbox.clearFaults();
	expect(failure.data.resultData.error).toMatchObject({
		message: expect.stringContaining('did not accept the API key'),
		description: expect.stringContaining('credential'),
	});
});

it('n8n is killed in the middle of a poll: nothing is lost or repeated', { timeout }, async () => {
	await watch.killInPoll(server);
	if (client !== server) await client.signIn();
	await watch.expectStarted();
	await watch.nextPoll();
	await watch.expectStarted();
	await watch.unpublish();
});
