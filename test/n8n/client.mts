import { createRequire } from 'node:module';

import { defined } from '../defined.mts';
import { until } from '../processes.mts';

/** A node of a workflow file, with the fields that the tests need. */
export interface WorkflowNode {
	name: string;
	type: string;
	typeVersion?: number;
	credentials?: Record<string, { id?: string; name: string }>;
	[field: string]: unknown;
}

/** What n8n exports and imports. */
export interface WorkflowJson {
	name: string;
	nodes: WorkflowNode[];
	connections: Record<string, unknown>;
	settings?: Record<string, unknown>;
	[field: string]: unknown;
}

/** n8n's own nested structures, of which the tests need a part. */
export type Json = Record<string, any>;

/** One execution with its run data, unpacked. */
export interface Execution {
	id: string;
	status: string;
	mode: string;
	workflowId: string;
	data: {
		resultData: {
			error?: { message: string; description?: string | null };
			lastNodeExecuted?: string;
			/** From node names to their runs */
			runData: Record<string, Json[]>;
		};
	};
}

/**
 * How an n8n publishes a workflow: the newest versions do it in the background, earlier ones at once, and the oldest
 * through a change of the workflow.
 */
export type Publishing = 'inBackground' | 'atOnce' | 'byChange';

const UNFINISHED = ['new', 'running', 'waiting', 'unknown'];

/** Uses n8n's editor API with the owner's session, as the editor does. */
export class N8nClient {
	private cookie = '';

	constructor(
		readonly url: string,
		readonly login: { email: string; password: string },
		readonly n8nBin: string,
		private readonly publishing: Publishing,
	) {}

	/** Creates the owner in a new n8n, or logs in if there is one. */
	async signIn(): Promise<void> {
		// Older versions report that they are ready some time before they accept requests
		const isUp = async () => (await this.send('GET', '/rest/settings')).ok;
		await until('n8n accepts requests', isUp);
		const { email, password } = this.login;
		const owner = { email, password, firstName: 'Test', lastName: 'Owner' };
		const setup = await this.send('POST', '/rest/owner/setup', owner);
		const login = { emailOrLdapLoginId: email, password };
		const { headers } = setup.ok ? setup : await this.accepted('POST', '/rest/login', login);
		const cookies = headers.getSetCookie().map((one) => one.split(';')[0]);
		this.cookie = cookies.join('; ');
	}

	/** Calls the editor's API; returns what n8n wraps in `data`. */
	async rest<T = Json>(method: string, path: string, body?: unknown): Promise<T> {
		const response = await this.accepted(method, `/rest${path}`, body);
		return ((await response.json()) as { data: T }).data;
	}

	/** The nodes, or the credentials, that n8n has loaded. */
	async types(kind: 'nodes' | 'credentials' = 'nodes'): Promise<Json[]> {
		return (await (await this.accepted('GET', `/types/${kind}.json`)).json()) as Json[];
	}

	/** Saves a credential; returns its ID. */
	async createCredential(type: string, name: string, data: Json): Promise<string> {
		return (await this.rest('POST', '/credentials', { name, type, data })).id;
	}

	/** Saves a workflow and returns its ID. Nodes get the credential of each type in `credentialIds`. */
	async importWorkflow(
		{ name, nodes: given, connections, settings, pinData }: WorkflowJson,
		{ credentialIds = {} }: { credentialIds?: Record<string, string> } = {},
	): Promise<string> {
		const nodes = given.map(({ credentials, ...node }) => {
			const chosen = Object.entries(credentials ?? {}).map(([type, { id, name }]) => {
				return [type, { id: credentialIds[type] ?? id, name }];
			});
			return { ...node, credentials: credentials && Object.fromEntries(chosen) };
		});
		// Older versions require it
		const active = this.publishing === 'inBackground' ? undefined : false;
		const body = { name, nodes, connections, settings, pinData, active };
		return (await this.rest('POST', '/workflows', body)).id;
	}

	/** Unpublishes a workflow; returns when its triggers and webhooks are gone. */
	async unpublish(workflowId: string): Promise<void> {
		await this.publish(workflowId, false);
	}

	/** Publishes the newest version of a workflow; returns when its triggers and webhooks are live. */
	async publish(workflowId: string, active = true): Promise<void> {
		const path = `/workflows/${workflowId}`;
		const { versionId } = await this.rest('GET', path);
		if (this.publishing === 'byChange') {
			await this.rest('PATCH', path, { active, versionId });
			return;
		}
		await this.rest('POST', `${path}/${active ? 'activate' : 'deactivate'}`, { versionId });
		if (this.publishing === 'atOnce') return;
		const wanted = active ? 'published' : 'not_published';
		let now: Json = {};
		const isOver = async () => {
			now = await this.rest('GET', `${path}/publication-status`);
			return [wanted, 'failed', 'partial'].includes(now.status);
		};
		await until(`${workflowId} is ${wanted}`, isOver);
		if (now.status !== wanted) throw new Error(`Not ${wanted}: ${JSON.stringify(now)}`);
	}

	/** The last hundred executions of a workflow, newest first, without their data, and how many there are. */
	async executions(workflowId: string, status?: string[]) {
		const filter = encodeURIComponent(JSON.stringify({ workflowId, status }));
		const path = `/executions?filter=${filter}&limit=100`;
		return await this.rest<{ results: Array<Omit<Execution, 'data'>>; count: number }>('GET', path);
	}

	async execution(id: string): Promise<Execution> {
		const execution = await this.rest<Execution & { data: string }>('GET', `/executions/${id}`);
		// n8n sends the run data in a packed form, which its own dependency can unpack
		const { parse } = createRequire(this.n8nBin)('flatted') as { parse(text: string): never };
		return { ...execution, data: parse(execution.data) };
	}

	/** "Execute workflow" from a trigger, as in the editor; returns the ID of the execution. */
	async startManually(workflowId: string, triggerToStartFrom: Json): Promise<string> {
		const path = `/workflows/${workflowId}`;
		// n8n 1 runs what the editor shows
		const body = { workflowData: await this.rest('GET', path), triggerToStartFrom };
		return (await this.rest('POST', `${path}/run`, body)).executionId;
	}

	/** The same; returns the execution once it has ended. */
	async runManually(workflowId: string, triggerToStartFrom: Json): Promise<Execution> {
		const executionId = await this.startManually(workflowId, triggerToStartFrom);
		return await this.ended(workflowId, ({ id }) => id === executionId);
	}

	/** Waits until a workflow has `count` finished executions; returns the newest one. */
	async waitForExecution(workflowId: string, count = 1): Promise<Execution> {
		return await this.ended(workflowId, (_, __, { length }) => length >= count);
	}

	private async ended(
		workflowId: string,
		isIt: (one: { id: string }, index: number, all: unknown[]) => boolean,
	): Promise<Execution> {
		let found: { id: string } | undefined;
		const isThere = async () => {
			// While n8n is busy with many items, it may not answer
			const all = await this.executions(workflowId).catch(() => ({ results: [] }));
			found = all.results.filter(({ status }) => !UNFINISHED.includes(status)).find(isIt);
			return found !== undefined;
		};
		await until(`an execution of ${workflowId}`, isThere);
		return await this.execution(defined(found).id);
	}

	private async send(method: string, path: string, body?: unknown): Promise<Response> {
		return await fetch(this.url + path, {
			method,
			headers: {
				cookie: this.cookie,
				// n8n may close an idle connection while a sandbox starts in this process, which takes seconds
				connection: 'close',
				'content-type': 'application/json',
			},
			body: body === undefined ? null : JSON.stringify(body),
		});
	}

	private async accepted(method: string, path: string, body?: unknown): Promise<Response> {
		let response = await this.send(method, path, body);
		// A busy n8n refuses everything as long as its database has not answered
		const isReady = async () => {
			if (response.status === 503) response = await this.send(method, path, body);
			return response.status !== 503;
		};
		await until('the database of n8n', isReady);
		if (response.ok) return response;
		// n8n's answer, but never the request, because that may contain a credential
		const answer = (await response.text()).slice(0, 1000);
		throw new Error(`n8n refused ${path} (${response.status}): ${answer}`);
	}
}
