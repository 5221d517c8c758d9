import type { IDataObject, INodeType } from 'n8n-workflow';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';

import { itemAt } from '../defined.mts';
import { useSandbox } from '../sandbox/useSandbox.mts';
import {
	additionalDataFor,
	core,
	credential,
	loadedNode,
	n8nWorkflow,
	searchVisibilityNode,
	workflowOf,
	type Access,
} from './engine.mts';
import { needs } from './helpers.mts';
import { startRecorder } from './recorder.mts';

const sandbox = await useSandbox();
const recorder = await startRecorder();
beforeEach(() => void (recorder.requests.length = 0));
afterAll(() => recorder.close());

interface Tested {
	error?: Error & { cause?: { code?: string; response?: { status: number; statusText: string } } };
	body?: IDataObject | undefined;
}

/** What the editor does after "Save": as n8n's CredentialsTester, it runs a node with one routed parameter. */
async function testCredential({ url, apiKey }: Access): Promise<Tested> {
	const data = { baseUrl: url, apiKey };
	const node = searchVisibilityNode({});
	const routing = { request: credential.test?.request };
	const properties = [{ displayName: 'Temp', name: 'temp', type: 'string', routing, default: '' }];
	const { description } = loadedNode('searchVisibility');
	const type = { description: { ...description, properties } } as INodeType;
	const context = new core.ExecuteContext(
		workflowOf({ nodes: [node] }, { [node.type]: type }),
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
		return { body: item?.json };
	} catch (error) {
		return { error: error as NonNullable<Tested['error']> };
	}
}

/** The text that n8n's CredentialsTester shows: the rule for what came, or else the status; none for a success. */
async function shownFor(access: Access): Promise<string | undefined> {
	const { error, body } = await testCredential(access);
	const { status, statusText } = error?.cause?.response ?? {};
	const rule = credential.test?.rules?.find(({ type, properties }) =>
		type === 'responseCode'
			? properties.value === status
			: type === 'responseSuccessBody' && !error && body?.[properties.key] === properties.value,
	);
	return rule?.properties.message ?? statusText;
}

/** For the node, see `transport.test.mts` and `errors.test.mts`. */
describe('the test of the credential', () => {
	it('works with what people paste around the base URL and the key', async () => {
		const url = `\t${sandbox.url.replace('http:', 'HTTP:')}/v1//\n`;
		const apiKey = ` BEARER\t ${sandbox.apiKey}\ufeff`;
		expect(await testCredential({ url, apiKey })).toMatchObject({ body: { id: 'ws_0001' } });
		expect(sandbox.requests).toMatchObject([
			{ method: 'GET', path: '/v1/workspace', query: {}, workspace: 0, status: 200 },
		]);
	});

	it('keeps a path in the base URL, and sends the key as a bearer token and nowhere else', async () => {
		await testCredential({ url: `${recorder.url}/api/`, apiKey: 'key-one' });
		const { path, headers } = itemAt(recorder.requests, 0);
		expect(path).toBe('/api/v1/workspace');
		const { authorization, ...others } = headers;
		expect(authorization).toBe('Bearer key-one');
		expect(JSON.stringify(others)).not.toContain('key-one');
	});

	it('refuses a wrong key with 401, without showing it', async () => {
		const { error } = await testCredential({ url: sandbox.url, apiKey: 'wrong-key' });
		expect(error).toMatchObject({ httpCode: '401' });
		// n8n itself sends a second request when it tests a credential
		expect(new Set(sandbox.requests.map(({ status }) => status))).toEqual(new Set([401]));
		expect(JSON.stringify([error, error?.message, error?.stack])).not.toContain('wrong-key');
	});

	it('does not send the key to the target of a redirect', async () => {
		sandbox.fault({ kind: 'redirect', location: `${recorder.url}/v1/workspace` });
		expect((await testCredential(sandbox)).error).toBeDefined();
		expect(recorder.requests).toEqual([]);
		expect(sandbox.requests).toHaveLength(1);
	});

	// One for each part that is wrong; the others are in `transport.test.mts`
	it.each(['', 'northwind', 'ftp://127.0.0.1', '//127.0.0.1', 'http://'])(
		'says what is wrong with the base URL "%s"',
		async (url) => {
			const { error } = await testCredential({ url, apiKey: sandbox.apiKey });
			expect(error?.message).toContain("The 'Base URL' must start with https://");
			// n8n shows a code in place of the words, if there is one
			expect(error?.cause?.code).toBeUndefined();
			expect(sandbox.requests).toEqual([]);
		},
	);

	it('says that a key has characters that cannot be sent, and sends nothing', async () => {
		const { error } = await testCredential({ url: sandbox.url, apiKey: 'ключ' });
		expect(error?.message).toContain("The 'API Key' contains characters that cannot be sent");
		expect(error?.cause?.code).toBeUndefined();
		expect(sandbox.requests).toEqual([]);
	});
});

describe('the credential test says what to do', () => {
	beforeEach((context) => needs("words of a credential's own test", context));

	it.each<[string, Partial<Access>, RegExp, status?: number]>([
		['a wrong key', { apiKey: 'wrong' }, /^The service did not accept the API key\. Enter a valid/],
		['an endpoint', { url: `${sandbox.url}/v1/workspace` }, /Base URL.* remove endpoint paths/],
		['status 403', {}, /^The API key may not read this workspace\. Copy a new key/, 403],
		['status 500', {}, /^Internal Server Error$/, 500],
	])('about %s', async (_what, changes, message, status) => {
		if (status) sandbox.fault({ match: { times: null }, kind: 'status', status });
		const { url, apiKey } = sandbox;
		expect(await shownFor({ url, apiKey, ...changes })).toMatch(message);
	});
});

describe('an address that answers 200', () => {
	const answer = (body: unknown) =>
		sandbox.fault({ match: { times: null }, kind: 'status', status: 200, body });

	it.each<[string, unknown]>([
		['an HTML page', '<!doctype html><html><body>Welcome</body></html>'],
		['another JSON API', { status: 'ok', version: 3 }],
	])('fails in words if it gives %s', async (_what, body) => {
		answer(body);
		expect(await shownFor(sandbox)).toMatch(/^The response does not come from this service\./);
	});

	it('passes if it gives a workspace whose fields are null', async () => {
		const body = { id: null, name: null, domain: null };
		answer(body);
		expect(await testCredential(sandbox)).toEqual({ body });
		expect(await shownFor(sandbox)).toBeUndefined();
	});
});

it('the credential asks for the base URL, the key, which is hidden, and what the service stands, and belongs to the node', () => {
	expect(credential.properties.filter(({ type }) => type !== 'hidden')).toMatchObject([
		{ name: 'baseUrl', type: 'string', required: true, default: '' },
		{ name: 'apiKey', required: true, typeOptions: { password: true } },
		{ name: 'concurrency', default: 20, noDataExpression: true, typeOptions: { maxValue: 20 } },
		{ name: 'timeout', default: 30, noDataExpression: true, typeOptions: { maxValue: 300 } },
	]);
	const { credentials } = loadedNode('searchVisibility').description;
	expect(credentials).toMatchObject([{ name: credential.name, required: true }]);
});
