import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { INodeParameters } from 'n8n-workflow';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { CASES } from '../engine/cases.mts';
import type { WorkflowJson } from './client.mts';
import type { N8nServer } from './server.mts';
import type { Sandbox } from '../sandbox/sandbox.mts';
import {
	ACTIONS,
	CREDENTIAL,
	credentialsFor,
	filesWith,
	inARow,
	NO_OP,
	node,
	openSandbox,
	outputOf,
	runOnce as runIn,
	startServer,
	webhook,
} from './helpers.mts';
import { ensureN8n } from './install.mts';

const MARK = 'marked-workflow-that-is-found-in-the-files';

let sandbox: Sandbox;
let server: N8nServer;
let credentialIds: Record<string, string>;

beforeAll(async () => {
	sandbox = await openSandbox();
	// The most detailed log, so that the search for the key means something
	server = await startServer({ N8N_LOG_LEVEL: 'debug' });
	credentialIds = await credentialsFor(server, sandbox);
});
beforeEach(() => sandbox.reset());

const runOnce = async (workflow: WorkflowJson, body?: unknown) =>
	await runIn(server, workflow, credentialIds, body);

describe('every operation, once, by a published webhook', () => {
	it.each(CASES)('$resource.$operation', async (testCase) => {
		const { resource, operation } = testCase;
		const name = `${resource}.${operation}`;
		const parameters: INodeParameters = { resource, operation, ...testCase.parameters(sandbox) };
		const row = [webhook(name), node('Work', ACTIONS, parameters), node('Done', NO_OP)];
		const execution = await runOnce(inARow(`${MARK} ${name}`, row));

		expect(execution.status).toBe('success');
		expect(outputOf(execution, 'Done')[0]).toMatchObject(testCase.gives(parameters));
		expect(sandbox.requests).toHaveLength(testCase.composedOf ?? 1);
		expect(sandbox.requests.at(-1)).toMatchObject(testCase.sends(parameters));
		expect(sandbox.responseViolations).toEqual([]);
	});
});

it('the API key is in no file that n8n writes, in no table, and not in the credential that it returns', async () => {
	// Not even if the service repeats it
	const body = { code: sandbox.apiKey, message: `The key ${sandbox.apiKey} is refused` };
	sandbox.fault({ kind: 'status', status: 400, body, match: { times: null } });
	const work = node('Work', ACTIONS, { resource: 'workspace', operation: 'get' });
	const { status, data } = await runOnce(inARow('refused', [webhook('refused'), work]));
	expect(status).toBe('error');
	// Stored as a whole; what it says is tested in n8n's engine
	expect(data.resultData).toMatchObject({
		lastNodeExecuted: 'Work',
		error: {
			httpCode: '400',
			message: expect.stringMatching(/\w/),
			description: expect.stringContaining('is refused'),
			context: { itemIndex: 0 },
		},
	});
	const path = `/credentials/${credentialIds[CREDENTIAL]}?includeData=true`;
	const credential = JSON.stringify(await server.rest('GET', path));
	expect(credential).toContain(sandbox.url);
	expect(credential).not.toContain(sandbox.apiKey);
	// The search finds what is there, and no API key, byte by byte
	expect(await placesWith(MARK)).toContainEqual(expect.stringMatching(/^table /));
	expect(await placesWith('n8n ready on')).toContain('n8n.log');
	expect(await placesWith(sandbox.apiKey)).toEqual([]);
	expect(await placesWith(Buffer.from(sandbox.apiKey).toString('base64'))).toEqual([]);
});

const LONGEST_DUMP = 1024 ** 3;

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
	const options = { maxBuffer: LONGEST_DUMP };
	const { stdout } = await promisify(execFile)(program, ['-e', DUMP, database], options);
	const rows = stdout.split('\n').filter((row) => row.includes(text));
	const tables = rows.map((row) => `table ${row.slice(0, row.indexOf(' '))}`);
	return [...new Set([...filesWith(userFolder, text), ...tables])];
}
