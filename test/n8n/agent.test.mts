import { randomUUID } from 'node:crypto';
import type { IConnections } from 'n8n-workflow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { itemAt } from '../defined.mts';
import { nameOfTool, requestFor, TOOLS } from '../engine/toolCalls.mts';
import type { Execution, WorkflowJson, WorkflowNode } from './client.mts';
import type { N8nServer } from './server.mts';
import { startSandbox, type LoggedRequest, type Sandbox } from '../sandbox/sandbox.mts';
import { runFromEditor } from './examples/helpers.mts';
import { StubModel } from './examples/model.mts';
import {
	ACTIONS,
	CREDENTIAL,
	credentialsFor,
	outputOf,
	startServer,
	uniqueKey,
	type Json,
} from './helpers.mts';
import { expectNoLeak } from './leaks.mts';

/**
 * n8n's AI Agent with the node as its tools, and a stand-in for the model whose input is as imprecise as that of models
 * can be.
 */

const MODEL = '@n8n/n8n-nodes-langchain.lmChatOpenAi';
const AGENT = '@n8n/n8n-nodes-langchain.agent';

let server: N8nServer;
let sandbox: Sandbox;
let model: StubModel;
let credentialIds: Record<string, string>;

beforeAll(async () => {
	sandbox = await startSandbox({ apiKey: uniqueKey() });
	model = await StubModel.start();
	server = await startServer();
	const data = { apiKey: uniqueKey(), url: model.url };
	const openAiApi = await server.createCredential('openAiApi', 'Stub model', data);
	credentialIds = { openAiApi, ...(await credentialsFor(server, sandbox)) };
});
afterAll(async () => {
	await server?.stop();
	await model?.close();
	await sandbox?.close();
});

/** The tool name that n8n derives from the name of a node. */
const toolName = (name: string) => name.replaceAll('.', '_');

function workflowNode(name: string, type: string, parameters: Json, more: Json = {}): WorkflowNode {
	return { id: randomUUID(), name, type, typeVersion: 1, position: [0, 0], parameters, ...more };
}

/** An agent with a model and tools, started by a user in the editor. */
function agentWith(tools: Array<{ name: string; parameters: Json }>): WorkflowJson {
	const to = (type: string) => ({ [type]: [[{ node: 'Agent', type, index: 0 }]] });
	const credentials = { [CREDENTIAL]: { name: 'Search Visibility API' } };
	const nodes = [
		workflowNode('Start', 'n8n-nodes-base.manualTrigger', {}),
		workflowNode(
			'Agent',
			AGENT,
			{ promptType: 'define', text: 'Go', options: {} },
			{ typeVersion: 3.1 },
		),
		workflowNode(
			'Model',
			MODEL,
			{
				model: { __rl: true, mode: 'id', value: 'stub' },
				responsesApiEnabled: false,
				options: {},
			},
			{ typeVersion: 1.3, credentials: { openAiApi: { name: 'Stub model' } } },
		),
		...tools.map(({ name, parameters }) =>
			workflowNode(name, `${ACTIONS}Tool`, parameters, { credentials }),
		),
	];
	const connections = {
		Start: to('main'),
		Model: to('ai_languageModel'),
		...Object.fromEntries(tools.map(({ name }) => [name, to('ai_tool')])),
	} as IConnections;
	return { name: 'Agent', nodes, connections, settings: { executionOrder: 'v1' } };
}

/** Makes the model do all calls in one turn. */
async function converse(
	tools: Array<{ name: string; parameters: Json }>,
	calls: Array<{ tool: string; input: Json }>,
): Promise<{ execution: Execution; answers: string[] }> {
	model.requests.length = 0;
	let answers: string[] = [];
	model.mind = (messages) => {
		const results = messages.filter(({ role }) => role === 'tool');
		if (results.length === 0) return { calls };
		const byCall = new Map(results.map((one) => [one.tool_call_id, String(one.content)]));
		answers = calls.map((_call, index) => byCall.get(`call_1_${index}`) ?? '');
		return { words: 'Done.' };
	};
	const workflowId = await server.importWorkflow(agentWith(tools), { credentialIds });
	const execution = await runFromEditor(server, workflowId, 'Start');
	expect(outputOf(execution, 'Agent')).toEqual([{ output: 'Done.' }]);
	return { execution, answers };
}

const read = ({ method, path, query, body }: LoggedRequest) => ({ method, path, query, body });

describe.each(TOOLS.map((tool) => ({ name: nameOfTool(tool), tool })))(
	'$name',
	({ name, tool }) => {
		it('handles what a model writes', async () => {
			sandbox.reset();
			const { resource, operation, parameters } = tool;
			const calls = tool.calls(sandbox);
			const { answers } = await converse(
				[{ name, parameters: { resource, operation, ...parameters } }],
				calls.map(({ input }) => ({ tool: toolName(name), input })),
			);
			const requests = sandbox.requests.map(read);
			const sent = calls.map((call) => requestFor(tool, call)).filter((one) => one !== undefined);
			for (const one of sent) expect(requests).toContainEqual(expect.objectContaining(one));
			// Nothing else, except the other lists and pages of a summary
			if (operation !== 'summarize') expect(requests).toHaveLength(sent.length);
			for (const [index, { what, says }] of calls.entries()) {
				const text = textOf(itemAt(answers, index));
				for (const words of says ?? []) expect(text, what).toContain(words);
				if (!says) expect(text, what).not.toMatch(/error/i);
			}
		});
	},
);

/** The model gets JSON, in which quotes are escaped. */
const textOf = (answer: string): string =>
	JSON.stringify(JSON.parse(answer)).replaceAll('\\"', '"');

describe('what the model reads', () => {
	const LIST = { resource: 'keyword', operation: 'getAll' };
	const filtered = {
		...LIST,
		filters: { keyword: "={{ $fromAI('Keyword', ``, 'string') }}" },
	};

	it('50 records unless it may ask for more, and a message if there are none', async () => {
		sandbox.reset();
		const { answers } = await converse(
			[
				{ name: 'list', parameters: LIST },
				{ name: 'search', parameters: filtered },
			],
			[
				{ tool: 'list', input: {} },
				{ tool: 'search', input: { Keyword: 'no such keyword' } },
			],
		);
		expect(JSON.parse(itemAt(answers, 0))).toHaveLength(50);
		expect(JSON.parse(itemAt(answers, 1))).toEqual([{ message: 'No records were found' }]);
	});

	it("our words and the service's, if a write is refused", async () => {
		sandbox.reset();
		const body = { type: 'odd', message: 'EPERM: ask whoever approves permissions' };
		sandbox.fault({ kind: 'status', status: 400, body });
		const parameters = { resource: 'action', operation: 'create', type: 'other', title: 'A note' };
		const { answers } = await converse(
			[{ name: 'note', parameters }],
			[{ tool: 'note', input: {} }],
		);
		expect(answers[0]).toContain('The service rejected the values. Check the parameters');
		expect(answers[0]).toContain('EPERM: ask whoever approves permissions');
	});
});

it('no API key is in what n8n has written', async () => {
	await expectNoLeak(server, sandbox.apiKey, 'northwind-tea');
});
