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
	inARow,
	NO_OP,
	node,
	openSandbox,
	outputOf,
	runOnce as runIn,
	startServer,
	webhook,
} from './helpers.mts';
import { expectNoLeak } from './leaks.mts';

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
	await expectNoLeak(server, sandbox.apiKey, MARK);
});
