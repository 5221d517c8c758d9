import type { IDataObject, INodeType } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { itemAt } from '../defined.mts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import {
	additionalDataFor,
	core,
	credential,
	loadedNode,
	n8nWorkflow,
	searchVisibilityNode,
	type Access,
} from './engine.mts';
import { needs } from './helpers.mts';
import { startRecorder, type Recorder } from './recorder.mts';

let sandbox: Sandbox;
let recorder: Recorder;
beforeAll(async () => {
	sandbox = await startSandbox();
	recorder = await startRecorder();
});
beforeEach(() => {
	sandbox.reset();
	recorder.requests.length = 0;
});
afterAll(async () => {
	await sandbox.close();
	await recorder.close();
});

interface Tested {
	ok: boolean;
	error?: Error;
	body?: IDataObject | undefined;
}

/**
 * What the editor shows after "Save". Runs the test as n8n's CredentialsTester does: as a node with one routed
 * parameter.
 */
async function testCredential({ url, apiKey }: Access): Promise<Tested> {
	const data = { baseUrl: url, apiKey };
	const node = searchVisibilityNode({});
	const routing = { request: credential.test?.request };
	const type = {
		description: {
			...loadedNode('searchVisibility').description,
			properties: [{ displayName: 'Temp', name: 'temp', type: 'string', routing, default: '' }],
		},
	} as INodeType;
	const getType = () => type;
	const nodeTypes = {
		...{ getByName: getType, getByNameAndVersion: getType, getKnownTypes: () => ({}) },
	};
	const context = new core.ExecuteContext(
		new n8nWorkflow.Workflow({ nodes: [node], connections: {}, active: false, nodeTypes }),
		node,
		additionalDataFor({ url, apiKey }),
		'internal',
		n8nWorkflow.createEmptyRunExecutionData(),
		0,
		[],
		{ main: [[{ json: {} }]] },
		{ node, data: {}, source: null },
		[],
	);
	const decrypted = { id: '1', name: 'Sandbox', type: credential.name, data };
	try {
		const [[item] = []] = (await new core.RoutingNode(context, type, decrypted).runNode()) ?? [];
		return { ok: true, body: item?.json };
	} catch (error) {
		return { ok: false, error: error as Error };
	}
}

/** One for each part that is wrong; the others are in `transport.test.mts`. */
const NOT_A_BASE_URL = ['', 'northwind', 'ftp://127.0.0.1', '//127.0.0.1', 'http://'];

/** For the node, see `transport.test.mts`, `errors.test.mts` and `matrix.test.mts`. */
describe('the test of the credential', () => {
	it.each([
		['', '', '', ''],
		['\t', '//\n', '', ''],
		['  ', '/v1/', ' ', '\n'],
		...['Bearer ', 'bearer  ', ' BEARER\t '].map((word) => ['', '', word, '']),
	])(
		'works with %j and %j around the base URL, and %j and %j around the key',
		async (...around) => {
			const [beforeUrl = '', afterUrl = '', beforeKey = '', afterKey = ''] = around;
			const url = beforeUrl + sandbox.url.replace('http:', 'HTTP:') + afterUrl;
			const apiKey = beforeKey + sandbox.apiKey + afterKey;
			expect(await testCredential({ url, apiKey })).toMatchObject({ ok: true });
			expect(sandbox.requests).toMatchObject([
				{ method: 'GET', path: '/v1/workspace', query: {}, authorized: true, status: 200 },
			]);
		},
	);

	it('keeps a path in the base URL, and sends the key as a bearer token and nowhere else', async () => {
		await testCredential({ url: `${recorder.url}/api/`, apiKey: 'key-one' });
		const { path, headers } = itemAt(recorder.requests, 0);
		expect(path).toBe('/api/v1/workspace');
		const { authorization, ...others } = headers;
		expect(authorization).toBe('Bearer key-one');
		expect(JSON.stringify(others)).not.toContain('key-one');
	});

	it('refuses a wrong key with 401, without showing it', async () => {
		const { ok, error } = await testCredential({ url: sandbox.url, apiKey: 'wrong-key' });
		expect(ok).toBe(false);
		expect(error).toMatchObject({ httpCode: '401' });
		// n8n itself sends a second request when it tests a credential
		expect(new Set(sandbox.requests.map(({ status }) => status))).toEqual(new Set([401]));
		expect(JSON.stringify([error, error?.message, error?.stack])).not.toContain('wrong-key');
	});

	it('does not send the key to the target of a redirect', async () => {
		sandbox.fault({ kind: 'redirect', location: `${recorder.url}/v1/workspace` });
		const { ok } = await testCredential(sandbox);
		expect(ok).toBe(false);
		expect(recorder.requests).toEqual([]);
		expect(sandbox.requests).toHaveLength(1);
	});

	it.each(NOT_A_BASE_URL)('says what is wrong with the base URL "%s"', async (url) => {
		const { ok, error } = await testCredential({ url, apiKey: sandbox.apiKey });
		expect(ok).toBe(false);
		expect(error?.message).toContain("The 'Base URL' must start with https://");
		// n8n shows a code in place of the words, if there is one
		expect((error?.cause as { code?: string } | undefined)?.code).toBeUndefined();
		expect(sandbox.requests).toEqual([]);
	});
});

/**
 * The text that n8n's CredentialsTester shows: the rule for what came, or else the status text; none for a success.
 */
async function shownFor(access: Access): Promise<string | undefined> {
	const { error, body } = await testCredential(access);
	const ofBody = credential.test?.rules?.find(
		({ type, properties }) =>
			type === 'responseSuccessBody' && body?.[properties.key] === properties.value,
	);
	if (!error) return ofBody?.properties.message;
	const { response } = (error?.cause ?? {}) as {
		response?: { status: number; statusText: string };
	};
	const rule = credential.test?.rules?.find(
		({ type, properties }) => type === 'responseCode' && properties.value === response?.status,
	);
	return rule?.properties.message ?? response?.statusText;
}

describe('the credential test says what to do', () => {
	beforeEach((context) => needs("words of a credential's own test", context));

	it.each<[string, Partial<Access>, RegExp, status?: number]>([
		['a wrong key', { apiKey: 'wrong' }, /^The service did not accept the API key\. Enter a valid/],
		['a path of an endpoint', {}, /Base URL.* remove endpoint paths/],
		['status 403', {}, /^The API key may not read this workspace\. Copy a new key/, 403],
		['status 500', {}, /^Internal Server Error$/, 500],
	])('about %s', async (what, changes, message, status) => {
		const { url, apiKey } = sandbox;
		if (status) sandbox.fault({ match: { times: null }, kind: 'status', status });
		const path = what.includes('path') ? '/v1/workspace' : '';
		expect(await shownFor({ url: url + path, apiKey, ...changes })).toMatch(message);
	});
});

describe('an address that answers 200', () => {
	it.each<[string, unknown]>([
		['an HTML page', '<!doctype html><html><body>Welcome</body></html>'],
		['another JSON API', { status: 'ok', version: 3 }],
		['a list', []],
	])('fails in words if it gives %s', async (_what, body) => {
		sandbox.fault({ match: { times: null }, kind: 'status', status: 200, body });
		expect(await shownFor(sandbox)).toMatch(/^The response does not come from this service\./);
	});

	it('passes if it gives a workspace whose fields are null', async () => {
		const body = { id: null, name: null, domain: null };
		sandbox.fault({ match: { times: null }, kind: 'status', status: 200, body });
		expect(await testCredential(sandbox)).toEqual({ ok: true, body });
		expect(await shownFor(sandbox)).toBeUndefined();
	});
});

it('the credential asks for the base URL and the key, which is hidden, and belongs to the node', () => {
	const [baseUrl, apiKey] = credential.properties;

	const shown = credential.properties.filter(({ type }) => type !== 'hidden');
	expect(shown).toEqual([baseUrl, apiKey]);
	expect(baseUrl).toMatchObject({ type: 'string', required: true, default: '' });
	expect(apiKey).toMatchObject({ required: true, typeOptions: { password: true } });
	const names = (loadedNode('searchVisibility').description.credentials ?? []).map(
		({ name, required }) => ({ name, required }),
	);
	expect(names).toEqual([{ name: credential.name, required: true }]);
});
