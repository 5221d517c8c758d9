import { createRequire } from 'node:module';

import type { ICredentialType, INodeType } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { itemAt } from '../defined.mts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import {
	additionalDataFor,
	core,
	loadedNode,
	n8nWorkflow,
	PACKAGE_FOLDER,
	run,
	searchVisibilityNode,
	type Access,
} from './engine.mts';
import { needs } from './parts.mts';
import { startRecorder, type Recorder } from './recorder.mts';

const require = createRequire(import.meta.url);
const { SearchVisibilityApi } = require(
	`${PACKAGE_FOLDER}/dist/credentials/SearchVisibilityApi.credentials.js`,
) as { SearchVisibilityApi: new () => ICredentialType };
const credential = new SearchVisibilityApi();

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

/**
 * What the editor shows after "Save". Runs the test as n8n's CredentialsTester does: as a node with one routed
 * parameter.
 */
async function testCredential({ url, apiKey }: Access): Promise<{ ok: boolean; error?: Error }> {
	const access = { url, apiKey };
	const data = { baseUrl: url, apiKey };
	const node = searchVisibilityNode({});
	const type = {
		description: {
			...loadedNode('searchVisibility').description,
			properties: [
				{
					displayName: 'Temp',
					name: 'temp',
					type: 'string',
					routing: { request: credential.test?.request },
					default: '',
				},
			],
		},
	} as INodeType;
	const nodeTypes = {
		getByName: () => type,
		getByNameAndVersion: () => type,
		getKnownTypes: () => ({}),
	};
	const context = new core.ExecuteContext(
		new n8nWorkflow.Workflow({ nodes: [node], connections: {}, active: false, nodeTypes }),
		node,
		additionalDataFor(access),
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
		await new core.RoutingNode(context, type, decrypted).runNode();
		return { ok: true };
	} catch (error) {
		return { ok: false, error: error as Error };
	}
}

it.each(['', '  '])('with the key "%s", the node sends nothing', async (apiKey) => {
	const parameters = { resource: 'workspace', operation: 'get' };
	const { error } = await run({ url: sandbox.url, apiKey }, { parameters });
	expect(error?.message).toBe("The 'API Key' in the credential is empty");
	expect(sandbox.requests).toEqual([]);
});

/** One for each part that is wrong; the others are in `transport.test.mts`. */
const NOT_A_BASE_URL = ['', 'northwind', 'ftp://127.0.0.1', '//127.0.0.1', 'http://'];

/** For the node, see `transport.test.mts`, `errors.test.mts` and `matrix.test.mts`. */
describe('the test of the credential', () => {
	it('works with the address and the key', async () => {
		expect(await testCredential(sandbox)).toEqual({ ok: true, error: undefined });
		expect(sandbox.requests).toMatchObject([
			{ method: 'GET', path: '/v1/workspace', query: {}, authorized: true, status: 200 },
		]);
	});

	it.each([
		(url: string) => `\t${url}//\n`,
		(url: string) => `  ${url}/v1/`,
		(url: string) => url.replace('http:', 'HTTP:'),
	])('works with the base URL in the form %#', async (variant) => {
		const access = { url: variant(sandbox.url), apiKey: sandbox.apiKey };
		expect(await testCredential(access)).toEqual({ ok: true, error: undefined });
		expect(sandbox.requests).toMatchObject([{ path: '/v1/workspace', status: 200 }]);
	});

	it('works with spaces around the key', async () => {
		const access = { url: sandbox.url, apiKey: ` ${sandbox.apiKey}\n` };
		expect(await testCredential(access)).toEqual({ ok: true, error: undefined });
		expect(sandbox.requests).toMatchObject([{ authorized: true }]);
	});

	it('keeps a path in the base URL', async () => {
		await testCredential({ url: `${recorder.url}/api/`, apiKey: 'k' });
		expect(recorder.requests.map(({ path }) => path)).toEqual(['/api/v1/workspace']);
	});

	it('sends the key as a bearer token, and nowhere else', async () => {
		await testCredential({ url: recorder.url, apiKey: 'key-one' });
		const { path, headers } = itemAt(recorder.requests, 0);
		expect(headers.authorization).toBe('Bearer key-one');
		const { authorization: _authorization, ...others } = headers;
		expect(JSON.stringify({ path, others })).not.toContain('key-one');
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

	it.each(['Bearer', 'bearer ', ' BEARER\t'])(
		'works with "%s" in front of the key',
		async (word) => {
			const access = { url: sandbox.url, apiKey: `${word} ${sandbox.apiKey}` };
			expect(await testCredential(access)).toEqual({ ok: true, error: undefined });
			expect(sandbox.requests).toMatchObject([{ authorized: true }]);
		},
	);

	it.each(NOT_A_BASE_URL)('says what is wrong with the base URL "%s"', async (url) => {
		const { ok, error } = await testCredential({ url, apiKey: sandbox.apiKey });
		expect(ok).toBe(false);
		expect(error?.message).toContain('Base URL is not complete. Enter it with https://');
		// n8n shows a code in place of the words, if there is one
		expect((error?.cause as { code?: string } | undefined)?.code).toBeUndefined();
		expect(sandbox.requests).toEqual([]);
	});
});

it('the credential test fails if nobody answers', async () => {
	const gone = await startRecorder();
	await gone.close();
	const { ok, error } = await testCredential({ url: gone.url, apiKey: 'k' });
	expect(ok).toBe(false);
	expect(error?.message).toBeTruthy();
});

/** The text that n8n's CredentialsTester shows for an error: the rule for its status, or else the status text. */
async function shownFor(access: Access): Promise<string | undefined> {
	const { error } = await testCredential(access);
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

	it('about a wrong key', async () => {
		const shown = await shownFor({ url: sandbox.url, apiKey: 'wrong-key' });
		expect(shown).toBe(
			'The service did not accept the API key. Enter a valid API key for your workspace.',
		);
	});

	it('about a Base URL that ends with the path of an endpoint', async () => {
		const shown = await shownFor({ url: `${sandbox.url}/v1/workspace`, apiKey: sandbox.apiKey });
		expect(shown).toContain('Base URL');
		expect(shown).toContain('without the path of an endpoint');
	});

	it.each([
		[403, 'The API key does not have permission to read the workspace'],
		[500, 'Internal Server Error'],
	])('about status %i', async (status, message) => {
		sandbox.fault({ match: { times: null }, kind: 'status', status });
		expect(await shownFor(sandbox)).toBe(message);
	});
});

describe('the form of the credential', () => {
	const [baseUrl, apiKey] = credential.properties;

	it('asks for the base URL and the key, which is hidden', () => {
		expect(credential.properties.map(({ name }) => name)).toEqual(['baseUrl', 'apiKey']);
		expect(baseUrl).toMatchObject({ type: 'string', required: true, default: '' });
		expect(apiKey).toMatchObject({ required: true, typeOptions: { password: true } });
	});

	it('belongs to every node of the package', () => {
		const names = (loadedNode('searchVisibility').description.credentials ?? []).map(
			({ name, required }) => ({ name, required }),
		);
		expect(names).toEqual([{ name: credential.name, required: true }]);
	});
});
