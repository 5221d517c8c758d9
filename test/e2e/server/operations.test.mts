import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { itemAt } from '../../defined.mts';
import { anId, CASES } from '../../engine/cases.mts';
import type { Execution, WorkflowJson } from '../../n8n/client.mts';
import type { N8nServer } from '../../n8n/server.mts';
import { startSandbox, type FaultSpec, type Sandbox } from '../../sandbox/sandbox.mts';
import {
	ACTIONS,
	CREDENTIAL,
	credentialsFor,
	inARow,
	NO_OP,
	node,
	outputOf,
	ROOT,
	SPLIT_OUT,
	startServer,
	TRIGGER,
	uniqueKey,
	webhook,
} from './helpers.mts';
import { expectNoLeak } from './leaks.mts';

const EXAMPLES = join(ROOT, 'examples');
const MARK = 'marked-workflow-that-is-found-in-the-files';

let sandbox: Sandbox;
let server: N8nServer;
let credentialIds: Record<string, string>;

beforeAll(async () => {
	sandbox = await startSandbox({ apiKey: uniqueKey() });
	// The most detailed log, so that the search for the key means something
	server = await startServer({ N8N_LOG_LEVEL: 'debug' });
	credentialIds = await credentialsFor(server, sandbox);
});
beforeEach(() => sandbox.reset());
afterAll(async () => {
	await server?.stop();
	await sandbox?.close();
});

/** Publishes a workflow with a webhook, calls it once, and returns the execution. */
async function runOnce(workflow: WorkflowJson, body: unknown = {}): Promise<Execution> {
	const workflowId = await server.importWorkflow(workflow, { credentialIds });
	await server.publish(workflowId);
	const { path } = itemAt(workflow.nodes, 0).parameters as { path: string };
	await call(path, body);
	const execution = await server.waitForExecution(workflowId);
	await server.unpublish(workflowId);
	return execution;
}

async function call(path: string, body: unknown): Promise<Response> {
	const response = await fetch(server.webhookUrl(path), {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	expect(response.status).toBe(200);
	return response;
}

it('n8n loads both nodes from the packed package', async () => {
	expect(await server.nodeTypes()).toEqual(expect.arrayContaining([ACTIONS, TRIGGER]));
});

describe('every operation, once, by a published webhook', () => {
	it.each(
		CASES.map((testCase) => ({
			name: `${testCase.resource}.${testCase.operation}`,
			testCase,
		})),
	)('$name', async ({ name, testCase }) => {
		const { resource, operation } = testCase;
		const parameters: INodeParameters = { resource, operation, ...testCase.parameters(sandbox) };
		const row = [webhook(name), node('Work', ACTIONS, parameters), node('Done', NO_OP)];
		const execution = await runOnce(inARow(`${MARK} ${name}`, row));

		expect(execution.status).toBe('success');
		expect(statusesOf(execution)).toEqual({ Webhook: 'success', Work: 'success', Done: 'success' });
		expect(outputOf(execution, 'Done')[0]).toMatchObject(testCase.gives(parameters));
		expect(sandbox.requests).toHaveLength(testCase.composedOf ?? 1);
		expect(sandbox.requests.at(-1)).toMatchObject(testCase.sends(parameters));
		expect(sandbox.responseViolations).toEqual([]);
	});
});

function statusesOf({ data }: Execution): Record<string, string> {
	const runs = Object.entries(data.resultData.runData);
	return Object.fromEntries(runs.map(([name, [run]]) => [name, run?.executionStatus]));
}

describe('an item that fails', () => {
	const NOT_FOUND = 'no-such-question';
	const questions = () => {
		const id = anId(sandbox, 'question');
		return {
			questions: [
				{ id, n: 0 },
				{ id: NOT_FOUND, n: 1 },
			],
		};
	};

	/** Splits the call into items and archives each question. */
	function archiving(onError: 'continueRegularOutput' | 'continueErrorOutput' | 'stopWorkflow') {
		const parameters = {
			resource: 'question',
			operation: 'archive',
			questionId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
		};
		const row = [
			webhook(onError),
			node('Split', SPLIT_OUT, { fieldToSplitOut: 'body.questions' }),
			node('Archive', ACTIONS, parameters, { onError }),
			node('Done', NO_OP),
		];
		return onError === 'continueErrorOutput'
			? inARow(onError, row, { Archive: node('Failed', NO_OP) })
			: inARow(onError, row);
	}

	const detail = {
		httpCode: '404',
		message: expect.stringContaining('question was not found'),
		description: expect.stringContaining('another workspace'),
	};

	it('goes to the error output with its details and its input', async () => {
		const sent = questions();
		const execution = await runOnce(archiving('continueErrorOutput'), sent);
		expect(execution.status).toBe('success');
		const done = outputOf(execution, 'Done');
		expect(done).toEqual([{ id: itemAt(sent.questions, 0).id, archived: true }]);
		const failed = outputOf(execution, 'Failed');
		expect(failed).toEqual([expect.objectContaining({ id: NOT_FOUND, n: 1 })]);
		expect(itemAt(failed, 0).error).toMatchObject(detail);
	});

	it('stays among the others with its details', async () => {
		const sent = questions();
		const execution = await runOnce(archiving('continueRegularOutput'), sent);
		expect(execution.status).toBe('success');
		const [done, failed] = outputOf(execution, 'Done');
		expect(done).toEqual({ id: itemAt(sent.questions, 0).id, archived: true });
		expect(failed?.error).toMatchObject(detail);
	});

	it('stops the workflow with an error that names the item and what was done', async () => {
		const execution = await runOnce(archiving('stopWorkflow'), questions());
		expect(execution.status).toBe('error');
		const { error, lastNodeExecuted } = execution.data.resultData;
		expect(lastNodeExecuted).toBe('Archive');
		expect(error).toMatchObject({ ...detail, context: { itemIndex: 1 } });
		expect(error?.description).toContain('1 item already done and not rolled back: 0');
		expect(outputOf(execution, 'Done')).toEqual([]);
	});
});

describe('the examples', () => {
	it.each(readdirSync(EXAMPLES).filter((name) => name.endsWith('.json')))(
		'%s is imported unchanged',
		async (file) => {
			const workflow: WorkflowJson = JSON.parse(readFileSync(join(EXAMPLES, file), 'utf8'));
			const id = await server.importWorkflow(workflow, { credentialIds });
			const saved = await server.rest<WorkflowJson>('GET', `/workflows/${id}`);
			expect(saved.nodes.map(({ name }) => name)).toEqual(workflow.nodes.map(({ name }) => name));
			const known = new Set(await server.nodeTypes());
			expect(saved.nodes.filter(({ type }) => !known.has(type))).toEqual([]);
		},
	);

	it('index-after-publish.json answers the CMS', async () => {
		const file = join(EXAMPLES, 'index-after-publish.json');
		const workflow: WorkflowJson = JSON.parse(readFileSync(file, 'utf8'));
		const workflowId = await server.importWorkflow(workflow, { credentialIds });
		await server.publish(workflowId);
		const url = 'https://www.northwind-tea.example/blog/first-flush';
		const response = await call('cms-published', { url });
		expect(await response.json()).toMatchObject({ notification: {} });
		expect((await server.waitForExecution(workflowId)).status).toBe('success');
		await server.unpublish(workflowId);
	});
});

describe('in the editor', () => {
	it.each([
		['the right key', (key: string) => key, { status: 'OK' }],
		['a wrong key', () => 'wrong', { status: 'Error' }],
	])('the credential test of %s', async (_, keyOf, expected) => {
		const data = { baseUrl: sandbox.url, apiKey: keyOf(sandbox.apiKey) };
		const credentials = { id: '', name: 'Tried', type: CREDENTIAL, data };
		const result = await server.rest('POST', '/credentials/test', { credentials });
		expect(result).toMatchObject(expected);
	});

	it('a list to select from comes from the service, page by page', async () => {
		const load = async (paginationToken?: string) =>
			await server.rest<{ results: Array<{ value: string }>; paginationToken?: string }>(
				'POST',
				'/dynamic-node-parameters/resource-locator-results',
				{
					nodeTypeAndVersion: { name: ACTIONS, version: 1 },
					methodName: 'searchActiveKeywords',
					path: 'parameters.keywordId',
					currentNodeParameters: { resource: 'keyword', operation: 'archive' },
					credentials: { [CREDENTIAL]: { id: credentialIds[CREDENTIAL], name: 'Sandbox' } },
					paginationToken,
				},
			);
		const first = await load();
		const second = await load(first.paginationToken);
		const ids = [...first.results, ...second.results].map(({ value }) => value);
		expect(new Set(ids).size).toBe(first.results.length + second.results.length);
		expect(ids.every((id) => sandbox.state.get('keyword', id))).toBe(true);
	});
});

describe('the API key', () => {
	const words = () => `The key ${sandbox.apiKey} is refused`;
	/** Failures whose details could contain the key. */
	const faults: Array<[string, () => FaultSpec]> = [
		['refused', () => ({ kind: 'status', status: 401, body: { message: words() } })],
		['refused in plain text', () => ({ kind: 'status', status: 400, body: words() })],
		['a code of the key', () => ({ kind: 'status', status: 400, body: { code: sandbox.apiKey } })],
		['a redirect', () => ({ kind: 'redirect', location: `/login?key=${sandbox.apiKey}` })],
		['cut off', () => ({ kind: 'cutBefore' })],
		['no JSON', () => ({ kind: 'malformed' })],
	];
	const modes = ['stopWorkflow', 'continueErrorOutput'] as const;
	const runs = faults.flatMap(([name, fault]) => modes.map((mode) => ({ name, fault, mode })));

	it.each(runs)('is not in an execution: $name, $mode', async ({ name, fault, mode }) => {
		sandbox.fault({ ...fault(), match: { times: null } });
		const parameters = {
			resource: 'workspace',
			operation: 'get',
			options: { maxRetries: 0 },
		};
		const path = `${mode}-${name.replaceAll(' ', '-')}`;
		const row = [webhook(path), node('Work', ACTIONS, parameters, { onError: mode })];
		const execution = await runOnce(inARow(path, row));
		expect(execution.status).toBe(mode === 'stopWorkflow' ? 'error' : 'success');
		expect(JSON.stringify(execution)).not.toContain(sandbox.apiKey);
	});

	it('is in no execution, and not in what n8n returns of the credential', async () => {
		const list = await server.rest<{ results: Array<{ id: string }> }>(
			'GET',
			'/executions?limit=100',
		);
		expect(list.results.length).toBeGreaterThan(CASES.length);
		for (const { id } of list.results) {
			expect(JSON.stringify(await server.execution(id))).not.toContain(sandbox.apiKey);
		}
		const path = `/credentials/${credentialIds[CREDENTIAL]}?includeData=true`;
		const credential = JSON.stringify(await server.rest('GET', path));
		expect(credential).toContain(sandbox.url);
		expect(credential).not.toContain(sandbox.apiKey);
	});

	it('is in no file that n8n writes, and in no table', async () => {
		await expectNoLeak(server, sandbox.apiKey, MARK);
	});
});
