import type { INodeParameters } from 'n8n-workflow';
import { beforeEach, expect, it } from 'vitest';

import {
	ACTIONS,
	CREDENTIAL,
	inARow,
	NO_OP,
	node,
	outputOf,
	TRIGGER,
	webhook,
} from '../e2e/server/helpers.mts';
import { CASES } from '../engine/cases.mts';
import type { Setting } from './setting.mts';

/** Whether the package is loaded. */
export function describePackage(get: () => Setting): void {
	it('both nodes and the credential are known', async () => {
		const { server } = get();
		expect(await server.nodeTypes()).toEqual(expect.arrayContaining([ACTIONS, TRIGGER]));
		const response = await fetch(`${server.url}/types/credentials.json`, {
			headers: { cookie: await cookieOf(get()) },
		});
		const types = (await response.json()) as Array<{ name: string; displayName: string }>;
		expect(types.filter(({ name }) => name === CREDENTIAL)).toMatchObject([
			{ displayName: 'Search Visibility API' },
		]);
	});
}

async function cookieOf({ server: { url, login } }: Setting): Promise<string> {
	const response = await fetch(`${url}/rest/login`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ emailOrLdapLoginId: login.email, password: login.password }),
	});
	const cookies = response.headers.getSetCookie();
	return cookies.map((one) => one.split(';')[0]).join('; ');
}

/** What users read after "Save". */
const CREDENTIAL_WORDS = {
	'of the package': {
		'a wrong key': /did not accept the API key/,
		'a wrong path': /Base URL/,
		'nobody at the address': /ECONNREFUSED/,
	},
	'of n8n': {
		'a wrong key': /Authorization failed/,
		'a wrong path': /Base URL|could not be found|404/,
		'nobody at the address': /ECONNREFUSED|refused the connection|not reachable|offline/i,
	},
};

/** The credential test. */
export function describeCredential(get: () => Setting): void {
	async function tested(more: object): Promise<{ status: string; message: string }> {
		const { server, sandbox } = get();
		const data = { baseUrl: sandbox.url, apiKey: sandbox.apiKey, ...more };
		// Older versions can only test saved credentials
		const id = await server.createCredential(CREDENTIAL, 'Tried', data);
		const credentials = { id, name: 'Tried', type: CREDENTIAL, data };
		return await server.rest('POST', '/credentials/test', { credentials });
	}

	it('the right key', async () => {
		expect(await tested({})).toMatchObject({ status: 'OK' });
	});

	it.each([
		['a wrong key', () => ({ apiKey: 'wrong' })],
		['a wrong path', () => ({ baseUrl: `${get().sandbox.url}/v1` })],
		['nobody at the address', () => ({ baseUrl: 'http://127.0.0.1:9' })],
	] as const)('%s', async (what, data) => {
		const { status, message } = await tested(data());
		console.log(`n8n ${get().line.version}, ${what}: ${message}`);
		expect(status).toBe('Error');
		expect(message).toMatch(CREDENTIAL_WORDS[get().line.credentialWords][what]);
	});
}

const names = CASES.map((testCase) => ({
	name: `${testCase.resource}.${testCase.operation}`,
	testCase,
}));

/** Every operation, with success and in every error mode. */
export function describeOperations(get: () => Setting): void {
	beforeEach(() => get().sandbox.reset());

	it.each(names)('$name works', async ({ name, testCase }) => {
		const { sandbox } = get();
		const { resource, operation } = testCase;
		const parameters: INodeParameters = { resource, operation, ...testCase.parameters(sandbox) };
		const row = [webhook(name), node('Work', ACTIONS, parameters), node('Done', NO_OP)];
		const execution = await get().runOnce(inARow(name, row));
		const { error } = execution.data.resultData;
		expect({ status: execution.status, error: error?.message }).toMatchObject({
			status: 'success',
		});
		expect(outputOf(execution, 'Done')[0]).toMatchObject(testCase.gives(parameters));
		expect(sandbox.requests).toHaveLength(testCase.composedOf ?? 1);
		expect(sandbox.requests.at(-1)).toMatchObject(testCase.sends(parameters));
		expect(sandbox.responseViolations).toEqual([]);
	});

	const refused = {
		message: expect.stringContaining('did not accept the API key'),
		description: expect.stringContaining('credential'),
	};

	/** Three nodes that fail one after another: each passes on its input, and the last one ends the workflow. */
	it.each(names)('$name fails in each error mode', async ({ name, testCase }) => {
		const { sandbox } = get();
		const { resource, operation } = testCase;
		const parameters: INodeParameters = { resource, operation, ...testCase.parameters(sandbox) };
		const work = (mode: 'continueRegularOutput' | 'continueErrorOutput' | 'stopWorkflow') =>
			node(mode, ACTIONS, parameters, { onError: mode });
		const path = `failing-${name}`;
		const row = [webhook(path), work('continueRegularOutput'), work('continueErrorOutput')];
		const workflow = inARow(path, row, { continueErrorOutput: work('stopWorkflow') });
		sandbox.fault({ kind: 'status', status: 401, match: { times: null } });
		const execution = await get().runOnce(workflow);
		sandbox.clearFaults();

		expect(execution.status).toBe('error');
		const { error, lastNodeExecuted } = execution.data.resultData;
		expect(lastNodeExecuted).toBe('stopWorkflow');
		expect(error).toMatchObject(refused);
		expect(outputOf(execution, 'continueRegularOutput')[0]?.error).toMatchObject(refused);
		expect(outputOf(execution, 'continueErrorOutput')).toEqual([]);
		expect(outputOf(execution, 'continueErrorOutput', 1)[0]?.error).toMatchObject(refused);
		expect(sandbox.requests.length).toBeGreaterThanOrEqual(3);
		expect(sandbox.requests.every(({ status }) => status === 401)).toBe(true);
	});
}
