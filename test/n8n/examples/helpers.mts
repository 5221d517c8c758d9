import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import express from 'express';
import { beforeAll, beforeEach, expect } from 'vitest';

import { defined, itemAt } from '../../defined.mts';
import type { Served } from '../../examples/sitemaps.mts';
import type { Sandbox } from '../../sandbox/sandbox.mts';
import type { Execution, WorkflowJson, WorkflowNode } from '../client.mts';
import {
	credentialsFor,
	kept,
	listen,
	NAME,
	openSandbox,
	ROOT,
	startServer,
	uniqueKey,
	type Json,
} from '../helpers.mts';
import { HOST } from '../instance.mts';
import { openMailbox } from '../mailbox.mts';
import type { N8nServer } from '../server.mts';
import { VERSION } from '../variants.mts';
import { VERSIONS } from '../versions.mts';

const EXAMPLES = join(ROOT, 'examples');

/** The workflows; cms.json is a list of systems. */
export const EXAMPLE_FILES = readdirSync(EXAMPLES).filter(
	(name) => name.endsWith('.json') && name !== 'cms.json',
);

const SLACK = 'n8n-nodes-base.slack';
/** Nodes that need another credential, and the one that a user selects in each. */
export const OTHER_SERVICES: Record<string, string> = {
	[SLACK]: 'slackApi',
	'n8n-nodes-base.emailSend': 'smtp',
	'n8n-nodes-base.formTrigger': 'httpBasicAuth',
	'n8n-nodes-base.webhook': 'httpHeaderAuth',
	'@n8n/n8n-nodes-langchain.lmChatOpenAi': 'openAiApi',
	'@n8n/n8n-nodes-langchain.mcpTrigger': 'httpBearerAuth',
};

/** The nodes that anyone can call who knows the address, and where n8n has them. */
export const DOORS: Record<string, string> = {
	'n8n-nodes-base.webhook': 'webhook',
	'n8n-nodes-base.formTrigger': 'form',
	'@n8n/n8n-nodes-langchain.mcpTrigger': 'mcp',
};

export const readExample = (file: string): WorkflowJson =>
	JSON.parse(readFileSync(join(EXAMPLES, file), 'utf8'));

/** The versions of n8n in which the examples are tested, from old to new. */
export const RELEASES = VERSIONS.map(({ version }) => version);

/** By node type and the release from which on they exist: the versions of the nodes of all examples. */
export const RECORDED = JSON.parse(
	readFileSync(new URL('nodeVersions.json', import.meta.url), 'utf8'),
) as Record<string, Record<string, string>>;

/** The recorded versions of a node type in a release. */
export function versionsIn(release: string, type: string): number[] {
	const releases = RELEASES.slice(0, RELEASES.indexOf(release) + 1);
	const recorded = releases.flatMap((one) => RECORDED[type]?.[one] ?? []).at(-1);
	return recorded?.split(' ').map(Number) ?? [];
}

/** Whether a release has this version of a node; it has the nodes of this package. */
export const hasNode = (release: string, node: { type: string; typeVersion?: number }): boolean =>
	node.type.startsWith(`${NAME}.`) ||
	versionsIn(release, node.type).includes(node.typeVersion ?? 1);

/** Whether this n8n has all nodes of an example. */
export const hasNodes = (file: string): boolean =>
	readExample(file).nodes.every((node) => hasNode(VERSION.version, node));

/** Started for the tests of a file; each of them begins with the records of the seed. */
export let server: N8nServer;
export let sandbox: Sandbox;
/** Where the emails of the examples arrive */
export let mailbox: Awaited<ReturnType<typeof openMailbox>>;
/** The header that opens the webhooks of the examples */
export const LOCK = { name: 'X-Webhook-Key', value: uniqueKey() };
export const UNLOCKED = { [LOCK.name]: LOCK.value };
/** Of the credentials for other services, by type */
const otherIds: Record<string, string> = {};

export function setUp(): void {
	beforeAll(async () => {
		sandbox = await openSandbox();
		server = await startServer();
		mailbox = kept(await openMailbox());
		// They point nowhere except for the mailbox
		const data: Record<string, Json> = {
			slackApi: { accessToken: 'none' },
			smtp: { user: '', password: '', host: HOST, port: mailbox.port, secure: false },
			httpBasicAuth: { user: 'none', password: 'none' },
			httpBearerAuth: { token: 'none' },
			httpHeaderAuth: LOCK,
			openAiApi: { apiKey: 'none' },
		};
		// One after the other, because older versions cannot save two at once in SQLite
		for (const [type, values] of Object.entries(data))
			otherIds[type] = await server.createCredential(type, type, values);
	});
	beforeEach(() => {
		sandbox.reset();
		mailbox.clear();
	});
}

type Change = (node: WorkflowNode) => WorkflowNode;

export interface UseOptions {
	/** Instead of the sandbox of all tests */
	service?: Sandbox;
	/** Where its language model is; by default nowhere */
	modelUrl?: string;
	/** Records in place of what its trigger finds */
	found?: Json[];
	/** What a test must change in a node, by node name */
	change?: Record<string, Change>;
	/** The same for the whole example */
	edit?: (example: WorkflowJson) => WorkflowJson;
	/** Whether to keep Slack's nodes; such a workflow cannot run here */
	isComplete?: boolean;
}

/**
 * Imports an example as a user would, with a credential for the sandbox. Only what is not on this machine is replaced:
 * a node that sends a message to Slack by one that outputs it. Emails arrive in `mailbox`.
 */
export async function use(file: string, options: UseOptions = {}) {
	const { service = sandbox, change = {}, found, edit = (example) => example } = options;
	const { nodes, ...example } = edit(readExample(file));
	const starts = (end: RegExp) => nodes.find(({ type }) => end.test(type));
	const trigger = defined(starts(/Trigger$/) ?? starts(/webhook$/)).name;
	const tables = nodes.flatMap(({ parameters }) => {
		const { tableName, dataTableId } = parameters as Json;
		return tableName ?? dataTableId?.value ?? [];
	});
	const table = String(tables[0] ?? 'Without a table');
	const ownTable = table + uniqueKey();
	const changed = nodes
		.map((one) => (options.isComplete || one.type !== SLACK ? one : withStandIn(one)))
		.map((one) => change[one.name]?.(one) ?? one)
		.map((one) => {
			// As if the user had selected the credential of another service
			const name = OTHER_SERVICES[one.type];
			const id = name && otherIds[name];
			return id ? { ...one, credentials: { [name]: { id, name } } } : one;
		});
	const workflow = {
		...example,
		nodes: JSON.parse(JSON.stringify(changed).replaceAll(table, ownTable)) as WorkflowNode[],
		pinData: found && { [trigger]: found.map((json) => ({ json })) },
	};
	const credentialIds: Record<string, string> = await credentialsFor(server, service);
	if (options.modelUrl) {
		const model = { apiKey: 'none', url: options.modelUrl };
		credentialIds.openAiApi = await server.createCredential('openAiApi', 'Model', model);
	}
	const id = await server.importWorkflow(workflow, { credentialIds });
	/** "Execute workflow" in the editor */
	const run = async () => await server.runManually(id, { name: trigger });
	const pathOfRows = async (): Promise<string> => {
		const { data } = await server.rest('GET', '/data-tables-global');
		const own = (data as Json[]).find(({ name }) => name === ownTable) as Json;
		return `/projects/${own.projectId}/data-tables/${own.id}/rows`;
	};
	const pathOfColumn = async (column: string): Promise<string> => {
		const path = (await pathOfRows()).replace(/rows$/, 'columns');
		const columns = (await server.rest('GET', path)) as Json[];
		return `${path}/${defined(columns.find(({ name }) => name === column)).id}`;
	};
	return {
		id,
		run,
		succeed: async () => expectSuccess(await run(), service),
		/** Runs it: it must fail at its end, with an error that contains these words. */
		fail: async (...words: string[]) => {
			const execution = await run();
			const { lastNodeExecuted, error } = execution.data.resultData;
			expect([execution.status, lastNodeExecuted]).toEqual(['error', 'Mark as failed']);
			for (const some of words) expect(error?.message).toContain(some);
			return execution;
		},
		publish: async () => {
			await server.publish(id);
			return id;
		},
		/** The rows of its data table with this status, at most 250. */
		rows: async (status: string): Promise<Json[]> => {
			const filter = encodeURIComponent(JSON.stringify(where('status', status)));
			const path = `${await pathOfRows()}?take=250&filter=${filter}`;
			return (await server.rest('GET', path)).data;
		},
		/** Creates its data table with these columns of text, as its owner would in n8n. */
		createTable: async (...names: string[]) => {
			const project = await server.rest('GET', '/projects/personal');
			const columns = names.map((name) => ({ name, type: 'string' }));
			const path = `/projects/${project.id}/data-tables`;
			await server.rest('POST', path, { name: ownTable, columns });
		},
		/** Fills the space of all data tables; returns what makes room again. */
		fill: async () => {
			const path = await pathOfRows();
			const filler = `Filler ${uniqueKey()}`;
			const project = path.split('/')[2] ?? '';
			const tables = `/projects/${project}/data-tables`;
			const columns = [{ name: 'text', type: 'string' }];
			const { id } = await server.rest('POST', tables, { name: filler, columns });
			const data = Array.from({ length: 20 }, () => ({ text: 'x'.repeat(50_000) }));
			let isFull = false;
			for (let megabytes = 0; megabytes < 50 && !isFull; megabytes += 1) {
				const rows = { data, returnType: 'count' };
				isFull = await server.rest('POST', `${tables}/${id}/insert`, rows).then(
					() => false,
					() => true,
				);
			}
			expect(isFull).toBe(true);
			return async () => await server.rest('DELETE', `${tables}/${id}`);
		},
		/** Gives a column of its data table another name, as its owner would in n8n. */
		renameColumn: async (from: string, to: string) =>
			await server.rest('PATCH', `${await pathOfColumn(from)}/rename`, { name: to }),
		/** Deletes a column of its data table, with all that is in it, as its owner would in n8n. */
		deleteColumn: async (name: string) => await server.rest('DELETE', await pathOfColumn(name)),
		/** All rows of its data table, at most 250. */
		allRows: async (): Promise<Json[]> =>
			(await server.rest('GET', `${await pathOfRows()}?take=250`)).data,
		/** Adds rows to its data table, as its owner would in n8n. */
		insert: async (data: Json[]) =>
			await server.rest('POST', (await pathOfRows()).replace(/rows$/, 'insert'), {
				data,
				returnType: 'count',
			}),
		/** Changes the row of a page, as its owner would in n8n. */
		update: async (url: string, data: Json) =>
			await server.rest('PATCH', await pathOfRows(), { filter: where('url', url), data }),
	};
}

const where = (columnName: string, value: string) => ({
	type: 'and',
	filters: [{ columnName, condition: 'eq', value }],
});

/** A node that outputs what Slack's would send. */
function withStandIn(node: WorkflowNode): WorkflowNode {
	const { text } = node.parameters as Json;
	const assignments = [{ id: 'text', name: 'text', type: 'string', value: text ?? '' }];
	const given = { assignments: { assignments }, options: {} };
	return { ...node, type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters: given };
}

/** Changes parameters of a node. */
export const parameters =
	(changes: Json): Change =>
	(node) => ({ ...node, parameters: { ...(node.parameters as Json), ...changes } });

/** Changes values of an Edit Fields node. */
export const withValues =
	(values: Json): Change =>
	(node) => {
		const { assignments } = (node.parameters as Json).assignments;
		const chosen = assignments.map((one: Json) => ({
			...one,
			value: values[one.name] ?? one.value,
		}));
		return parameters({ assignments: { assignments: chosen } })(node);
	};

/** The execution succeeded, and the service accepted all requests. */
export function expectSuccess(execution: Execution, { responseViolations } = sandbox): Execution {
	const { status, data } = execution;
	expect({ status, error: data.resultData.error?.message }).toEqual({ status: 'success' });
	expect(responseViolations).toEqual([]);
	return execution;
}

/** The execution failed because of this column of a table; n8n does not name one by which rows are ordered. */
export function expectUnknown({ status, data }: Execution, column: string): void {
	const { error } = data.resultData;
	expect(status).toBe('error');
	const words = new RegExp(`\\b${column}\\b|^Specified column does not exist`);
	expect(`${error?.message}\n${error?.description}`).toMatch(words);
}

/** What was posted to a path, in order. */
export const posted = (path: string, { requests } = sandbox): Json[] =>
	requests
		.filter((request) => request.method === 'POST' && request.path === path)
		.map(({ body }) => body as Json);

/** A language model that calls this tool, and then says these words; what it was told is in `requests`. */
export async function startModel(tool: { name: string; arguments: string }, words: string) {
	const model = { url: '', requests: [] as Json[] };
	const tool_calls = [{ id: 'call', type: 'function', function: tool }];
	const choices = [
		{ message: { role: 'assistant', content: null, tool_calls }, finish_reason: 'tool_calls' },
		{ message: { role: 'assistant', content: words }, finish_reason: 'stop' },
	];
	const app = express().use(express.json({ limit: '5mb' }), ({ body }, response) => {
		const choice = { index: 0, ...itemAt(choices, model.requests.push(body as Json) - 1) };
		const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
		const rest = { id: 'chat', object: 'chat.completion', created: 0, model: 'model', usage };
		response.json({ ...rest, choices: [choice] });
	});
	model.url = `${await listen(createServer(app))}/v1`;
	return model;
}

/** A website whose files a test may change by their paths; null is never answered. */
export async function startSite() {
	const site = { url: '', files: {} as Record<string, Served | null>, asked: [] as string[] };
	const app = express().use(({ path }, response) => {
		site.asked.push(path);
		const file = site.files[path];
		if (file === null) return;
		if (file === undefined) return void response.sendStatus(404);
		const served = typeof file === 'string' ? { body: file, type: 'application/xml' } : file;
		const { body, type } = served;
		response.type(type).send(typeof body === 'string' ? body.replaceAll('$', site.url) : body);
	});
	site.url = await listen(createServer(app));
	return site;
}

export const ACTIONS_PATH = '/v1/actions';

/** Pages as the trigger finds them. */
export const findPages = (...pages: object[]) =>
	pages.map((page): Json => ({ event: 'citedPage', ...sandbox.discover.citedPage(page) }));

/** The content actions that were planned. */
export const planned = (service = sandbox) => posted(ACTIONS_PATH, service);

/** The service answers so to the first request to a path, or to the nth, or to all. */
export function refuse(method: string, path = '', { status = 422, ...nth }: Json = {}): void {
	sandbox.fault({ match: { method, path, ...nth }, kind: 'status', status: status as number });
}
