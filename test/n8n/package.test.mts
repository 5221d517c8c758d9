import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';

import type { Sandbox } from '../sandbox/sandbox.mts';
import type { Execution, WorkflowNode } from './client.mts';
import {
	ACTIONS,
	call,
	CREDENTIAL,
	credentialsFor,
	inARow,
	NAME,
	node,
	openSandbox,
	outputOf,
	SEED,
	startEmpty,
	TRIGGER,
	webhook,
} from './helpers.mts';
import { nodeOfMajor } from './install.mts';
import { startRegistry } from './registry.mts';
import type { N8nServer } from './server.mts';
import { VERSION } from './variants.mts';
import { POLL_TIMEOUT_MS, watchOver, type Watch } from './watch.mts';

/*
 * What users do, in each version of n8n: they install the package from the registry, save a credential, run a workflow
 * and publish a trigger, while the service fails and n8n is killed; they update the package, remove it and install it.
 */

let sandbox: Sandbox;
let registry: Awaited<ReturnType<typeof startRegistry>>;
let server: N8nServer;
let credentialIds: Record<string, string>;
let watch: Watch;

beforeAll(async () => {
	sandbox = await openSandbox({ seed: SEED });
	registry = await startRegistry();
	// The most detailed log, so that the search for the key means something
	server = await startEmpty({ env: { ...registry.env, N8N_LOG_LEVEL: 'debug' } });
	writeFileSync(join(server.userFolder, '.n8n', 'nodes', '.npmrc'), registry.npmrc);
});

/** What "Settings > Community nodes" calls. */
const PACKAGES = '/community-packages';

const expectInstalled = async (installedVersion: string, more: object = {}) =>
	expect(await server.rest('GET', PACKAGES)).toMatchObject([
		{ packageName: NAME, installedVersion, ...more },
	]);

/** The nodes of this package that n8n has loaded. */
const loaded = async () =>
	(await server.types()).map(({ name }) => name as string).filter((name) => name.startsWith(NAME));

it('the package is installed from the registry, with both nodes, its credential and icons', async () => {
	expect(await server.rest('GET', '/settings')).toMatchObject({ versionCli: VERSION.version });
	expect(await loaded()).toEqual([]);
	await registry.publish('0.1.0');
	await server.rest('POST', PACKAGES, { name: NAME });
	await expectInstalled('0.1.0');
	expect(await loaded()).toEqual(expect.arrayContaining([ACTIONS, TRIGGER]));
	const credential = { name: CREDENTIAL, displayName: 'Search Visibility API' };
	expect(await server.types('credentials')).toContainEqual(expect.objectContaining(credential));
	const icon = await fetch(`${server.url}/icons/${NAME}/dist/icons/search-visibility.svg`);
	expect(icon.headers.get('content-type')).toContain('image/svg+xml');
	credentialIds = await credentialsFor(server, sandbox);
});

it('the credential test accepts the right key, and says that a wrong one is refused, or that another service has answered', async () => {
	const test = async (apiKey: string, baseUrl = sandbox.url) => {
		const data = { baseUrl, apiKey };
		// Older versions can only test saved credentials
		const id = await server.createCredential(CREDENTIAL, 'Tried', data);
		const credentials = { id, name: 'Tried', type: CREDENTIAL, data };
		return await server.rest('POST', '/credentials/test', { credentials });
	};
	expect(await test(sandbox.apiKey)).toMatchObject({ status: 'OK' });
	// Older versions of n8n replace the words of the package
	const message = expect.stringMatching(/did not accept the API key|Authorization failed/);
	expect(await test('wrong')).toMatchObject({ status: 'Error', message });
	const other = expect.stringContaining('does not come from this service');
	// A web page, with status 200
	expect(await test('any', server.url)).toMatchObject({ status: 'Error', message: other });
});

/** Publishes a workflow that begins with a webhook, and calls it. */
async function run(name: string, nodes: WorkflowNode[], body = {}): Promise<Execution> {
	const workflow = inARow(name, [webhook(name), ...nodes]);
	const id = await server.importWorkflow(workflow, { credentialIds });
	await server.publish(id);
	await call(server, name, body);
	return await server.waitForExecution(id);
}

const read = node('Read', ACTIONS, { resource: 'workspace', operation: 'get' });

it('a workflow reads and writes, with expressions that refer to earlier nodes', async () => {
	const domain = "={{ $('Webhook').first().json.body.domain }}";
	const write = node('Write', ACTIONS, { resource: 'competitor', operation: 'create', domain });
	const sent = { domain: 'found.example' };
	const execution = await run('marked-workflow', [read, write], sent);
	expect(execution.data.resultData.error?.message).toBeUndefined();
	expect(outputOf(execution, 'Write')).toMatchObject([sent]);
	const writes = sandbox.requests.filter(({ method }) => method === 'POST');
	expect(writes).toMatchObject([{ path: '/v1/competitors', body: sent }]);
	expect(sandbox.responseViolations).toEqual([]);
});

it("n8n's HTTP Request node works with the credential, also with its pagination", async () => {
	const type = 'n8n-nodes-base.httpRequest';
	const types = (await server.types()).filter(({ name }) => name === type);
	const newest = Math.max(...types.flatMap(({ version }) => version as number | number[]));
	const credentials = { [CREDENTIAL]: { name: 'Search Visibility API' } };
	const chosen = { authentication: 'predefinedCredentialType', nodeCredentialType: CREDENTIAL };
	const offset = { name: 'offset', value: '={{ $pageCount * 20 }}' };
	const pagination = {
		paginationMode: 'updateAParameterInEachRequest',
		parameters: { parameters: [offset] },
		paginationCompleteWhen: 'other',
		limitPagesFetched: true,
		maxRequests: 3,
		completeExpression: '={{ $response.body.data.items.length === 0 }}',
	};
	sandbox.clearLog();
	for (const typeVersion of new Set([4.2, newest])) {
		const url = `${sandbox.url}/v1/people-also-ask`;
		const given = { url, ...chosen, options: { pagination: { pagination } } };
		const one = { ...node('HTTP Request', type, given, { typeVersion }), credentials };
		const pages = outputOf(await run(`request${typeVersion}`, [one]), 'HTTP Request');
		expect(pages.map(({ data }) => data.offset)).toEqual([0, 20, 40]);
	}
	expect(sandbox.requests.every(({ workspace }) => workspace >= 0)).toBe(true);
});

it('the API key is in no file that n8n writes, in no table, and not in the credential that it returns', async () => {
	// Not even if the service repeats it
	const body = { code: sandbox.apiKey, message: `The key ${sandbox.apiKey} is refused` };
	sandbox.fault({ kind: 'status', status: 400, body, match: { path: '/v1/keywords' } });
	const work = node('Work', ACTIONS, { resource: 'keyword', operation: 'getAll' });
	const { status, data } = await run('refused', [work]);
	expect(status).toBe('error');
	expect(data.resultData.error?.description).toContain('is refused');
	const path = `/credentials/${credentialIds[CREDENTIAL]}?includeData=true`;
	const credential = JSON.stringify(await server.rest('GET', path));
	expect(credential).toContain(sandbox.url);
	expect(credential).not.toContain(sandbox.apiKey);
	const database = join(server.userFolder, '.n8n', 'database.sqlite');
	const dump = join(server.userFolder, 'dump.json');
	execFileSync(await nodeOfMajor(24, console.log), ['-e', DUMP, database, dump]);
	// The search finds what is there, and no API key, byte by byte
	expect(filesWith('marked-workflow')).toContain('dump.json');
	expect(filesWith('n8n ready on')).toContain('n8n.log');
	expect(filesWith(sandbox.apiKey)).toEqual([]);
	expect(filesWith(Buffer.from(sandbox.apiKey).toString('base64'))).toEqual([]);
});

/** Writes every row to a file, because the database keeps long values in pieces. */
const DUMP = `
	const [, file, target] = process.argv;
	const { DatabaseSync } = require('node:sqlite');
	const database = new DatabaseSync(file, { readOnly: true });
	for (const { name } of database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all())
		for (const row of database.prepare('SELECT * FROM "' + name + '"').iterate())
			require('node:fs').appendFileSync(target, JSON.stringify(row));`;

/** The files of n8n that contain a text. */
const filesWith = (text: string): string[] =>
	readdirSync(server.userFolder, { recursive: true, withFileTypes: true })
		.filter((file) => file.isFile())
		.filter(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(text))
		.map(({ name }) => name);

it('the first polls of the trigger start nothing', async () => {
	watch = await watchOver(server, sandbox);
	// With the durable scheduler, n8n does not store what the poll at publishing remembers
	await sleep(POLL_TIMEOUT_MS);
	await watch.expectStarted();
});

it('a poll of the trigger that fails is shown', async () => {
	// After a rejected key, the durable scheduler would wait for half an hour
	sandbox.fault({ kind: 'status', status: 200, body: {}, match: { times: null } });
	watch.discoverFew();
	const failed = async () =>
		(await watch.executions()).map(({ data }) => data.resultData.error?.message);
	const message = expect.stringContaining('unexpected format');
	await expect.poll(failed, { timeout: POLL_TIMEOUT_MS }).toContainEqual(message);
	sandbox.clearFaults();
});

it('each new record starts the workflow once, although a poll failed and n8n was killed in another', async () => {
	await watch.killInPoll(server);
	await watch.expectStarted();
	await sleep(POLL_TIMEOUT_MS);
	await watch.expectStarted();
});

it('"Fetch Test Event" shows real records, which are still due', async () => {
	watch.discoverFew();
	const { status, data } = await server.runManually(watch.workflowId, { name: 'Trigger' });
	expect(status).toBe('success');
	const shown = outputOf({ data } as Execution, 'Trigger');
	expect(shown.length).toBeGreaterThan(0);
	expect(shown.filter(({ event, id }) => sandbox.state.get(event, id))).toEqual(shown);
	await watch.expectStarted();
});

it('the package is updated while the trigger is running', async () => {
	await registry.publish('0.1.1');
	watch.discoverFew();
	await expectInstalled('0.1.0', { updateAvailable: '0.1.1' });
	await server.rest('PATCH', PACKAGES, { name: NAME });
	await expectInstalled('0.1.1');
	expect((await run('updated', [read])).status).toBe('success');
	watch.discoverFew();
	await watch.expectStarted();
});

it('the package is removed and installed again: the trigger goes on where it was, also after a restart', async () => {
	await server.unpublish(watch.workflowId);
	await server.rest('DELETE', `${PACKAGES}?name=${NAME}`);
	await expect.poll(loaded).toEqual([]);
	watch.discoverFew();
	await server.rest('POST', PACKAGES, { name: NAME });
	await expect.poll(loaded).toContain(TRIGGER);
	await server.publish(watch.workflowId);
	await watch.expectStarted();
	await server.kill();
	await server.start();
	expect((await run('restarted', [read])).status).toBe('success');
	watch.discoverFew();
	await watch.expectStarted();
});
