import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';

import type { Sandbox } from '../sandbox/sandbox.mts';
import {
	ACTIONS,
	CREDENTIAL,
	credentialsFor,
	filesWith,
	inARow,
	log,
	node,
	openSandbox,
	outputOf,
	runOnce,
	SEED,
	startServer,
	testCredential,
	TRIGGER,
	webhook,
	type Json,
} from './helpers.mts';
import { ensureN8n } from './install.mts';
import type { N8nServer } from './server.mts';
import { variant } from './variants.mts';
import { NEWEST, versionOf } from './versions.mts';
import { Watch } from './watch.mts';

/*
 * The package in each version of n8n: does it load, do the credential, a read and a write work, and does the trigger
 * start its workflow once with each record, even if polls fail and n8n is killed?
 */

/** Three polls */
const timeout = 5 * 60_000;
const version = versionOf(variant().version ?? NEWEST);

let sandbox: Sandbox;
let server: N8nServer;
let credentialIds: Record<string, string>;
let watch: Watch;

beforeAll(async () => {
	sandbox = await openSandbox({ seed: SEED });
	// The most detailed log, so that the search for the key means something
	server = await startServer({ N8N_LOG_LEVEL: 'debug' });
	credentialIds = await credentialsFor(server, sandbox);
});

it('n8n loads both nodes, the credential and their icons', async () => {
	const settings = await server.rest<Json>('GET', '/settings');
	log(`n8n ${settings.versionCli}, Node ${settings.nodeJsVersion}`);
	expect(settings).toMatchObject({ versionCli: version.version });
	for (const [path, name, displayName] of [
		['nodes', ACTIONS, 'Search Visibility'],
		['nodes', TRIGGER, 'Search Visibility Trigger'],
		['credentials', CREDENTIAL, 'Search Visibility API'],
	]) {
		const types = await server.json(`/types/${path}.json`);
		expect(types).toContainEqual(expect.objectContaining({ name, displayName }));
	}
	const icon = await fetch(
		`${server.url}/icons/n8n-nodes-search-visibility/dist/icons/search-visibility.svg`,
	);
	expect(icon.headers.get('content-type')).toContain('image/svg+xml');
});

const tested = async (more: object = {}) =>
	await testCredential(server, { baseUrl: sandbox.url, apiKey: sandbox.apiKey, ...more });

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

it('a workflow reads and writes, with expressions that refer to earlier nodes', async () => {
	const domain = "={{ $('Webhook').first().json.body.domain }}";
	const workflow = inARow('marked-workflow', [
		webhook('read-and-write'),
		node('Read', ACTIONS, { resource: 'workspace', operation: 'get' }),
		node('Write', ACTIONS, { resource: 'competitor', operation: 'create', domain }),
	]);
	const sent = { domain: 'found.example' };
	const execution = await runOnce(server, workflow, credentialIds, sent);
	expect(execution.data.resultData.error?.message).toBeUndefined();
	expect(outputOf(execution, 'Write')).toMatchObject([sent]);
	const writes = sandbox.requests.filter(({ method }) => method === 'POST');
	expect(writes).toMatchObject([{ path: '/v1/competitors', body: sent }]);
	expect(sandbox.responseViolations).toEqual([]);
});

it('the API key is in no file that n8n writes, in no table, and not in the credential that it returns', async () => {
	// Not even if the service repeats it
	const body = { code: sandbox.apiKey, message: `The key ${sandbox.apiKey} is refused` };
	sandbox.fault({ kind: 'status', status: 400, body, match: { path: '/v1/keywords' } });
	const work = node('Work', ACTIONS, { resource: 'keyword', operation: 'getAll' });
	const row = inARow('refused', [webhook('refused'), work]);
	const { status, data } = await runOnce(server, row, credentialIds);
	expect(status).toBe('error');
	expect(data.resultData.error?.description).toContain('is refused');
	const path = `/credentials/${credentialIds[CREDENTIAL]}?includeData=true`;
	const credential = JSON.stringify(await server.rest('GET', path));
	expect(credential).toContain(sandbox.url);
	expect(credential).not.toContain(sandbox.apiKey);
	// The search finds what is there, and no API key, byte by byte
	expect(await placesWith('marked-workflow')).toContainEqual(expect.stringMatching(/^table /));
	expect(await placesWith('n8n ready on')).toContain('n8n.log');
	expect(await placesWith(sandbox.apiKey)).toEqual([]);
	expect(await placesWith(Buffer.from(sandbox.apiKey).toString('base64'))).toEqual([]);
});

/** Prints every row as JSON, because the database file stores long values in pieces. */
const DUMP = `
	const { DatabaseSync } = require('node:sqlite');
	const database = new DatabaseSync(process.argv[1], { readOnly: true });
	const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
	for (const { name } of tables) {
		for (const row of database.prepare('SELECT * FROM "' + name + '"').iterate()) {
			process.stdout.write(name + ' ' + JSON.stringify(row) + '\\n');
		}
	}`;

/** The files of n8n and the tables of its database that contain a text. */
async function placesWith(text: string): Promise<string[]> {
	const { userFolder } = server;
	const { node: program } = await ensureN8n(() => undefined);
	const database = join(userFolder, '.n8n', 'database.sqlite');
	const { stdout } = await promisify(execFile)(program, ['-e', DUMP, database], {
		maxBuffer: 1024 ** 3,
	});
	const rows = stdout.split('\n').filter((row) => row.includes(text));
	const tables = rows.map((row) => `table ${row.slice(0, row.indexOf(' '))}`);
	return [...new Set([...filesWith(userFolder, text), ...tables])];
}

it('the first poll of the trigger starts nothing', async () => {
	sandbox.clearLog();
	watch = await Watch.over(server, sandbox);
	await watch.publish();
	expect(sandbox.requests.length).toBeGreaterThan(2);
	expect(await watch.executions()).toEqual([]);
});

it('a poll of the trigger that fails is shown', { timeout }, async () => {
	sandbox.fault({ kind: 'status', status: 401, match: { times: null } });
	watch.discoverFew();
	const failure = await watch.failureAfter(0);
	sandbox.clearFaults();
	expect(failure.data.resultData.error).toMatchObject({
		message: expect.stringContaining('did not accept the API key'),
	});
});

it(
	'each new record starts the workflow once, although a poll failed and n8n was killed in another',
	{ timeout },
	async () => {
		await watch.killInPoll(server);
		await watch.expectStarted();
		await watch.nextPoll();
		await watch.expectStarted();
		await watch.unpublish();
	},
);
