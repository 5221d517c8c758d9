import { createRequire } from 'node:module';

import { itemAt } from '../defined.mts';
import { until } from '../processes.mts';

export interface Login {
	email: string;
	password: string;
}

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

/** One entry in the list of executions. */
export type ExecutionSummary = Omit<Execution, 'data'>;

/**
 * How an n8n publishes a workflow: the newest versions do it in the background, earlier ones at once, and the oldest
 * through a change of the workflow.
 */
export type Publishing = 'inBackground' | 'atOnce' | 'byChange';

const TIMEOUT_MS = 120_000;
const RUN_TIMEOUT_MS = 60_000;
const UNFINISHED = ['new', 'running', 'waiting', 'unknown'];

const hasEnded = ({ status }: ExecutionSummary) => !UNFINISHED.includes(status);

/** Uses n8n's editor API with the owner's session, as the editor does. */
export class N8nClient {
	private cookie = '';

	constructor(
		readonly url: string,
		readonly login: Login,
		readonly n8nBin: string,
		private readonly publishing: Publishing = 'inBackground',
	) {}

	/** Creates the owner in a new n8n, or logs in if there is one. */
	async signIn(): Promise<void> {
		// Older versions report that they are ready some time before they accept requests
		const isUp = async () => (await this.send('GET', '/rest/settings')).ok;
		await until('n8n accepts requests', isUp, TIMEOUT_MS);
		const { email, password } = this.login;
		const owner = { email, password, firstName: 'Test', lastName: 'Owner' };
		const setup = await this.send('POST', '/rest/owner/setup', owner);
		const login = { emailOrLdapLoginId: email, password };
		const { headers } = setup.ok ? setup : await this.accepted('POST', '/rest/login', login);
		this.cookie = headers
			.getSetCookie()
			.map((one) => one.split(';')[0])
			.join('; ');
	}

	/** Calls the editor's API; returns what n8n wraps in `data`. */
	async rest<T>(method: string, path: string, body?: unknown): Promise<T> {
		const response = await this.accepted(method, `/rest${path}`, body);
		return ((await response.json()) as { data: T }).data;
	}

	/** Reads a path outside of the editor's own API, such as /types/nodes.json. */
	async json<T>(path: string): Promise<T> {
		return (await (await this.accepted('GET', path)).json()) as T;
	}

	/** Saves a credential; returns its ID. */
	async createCredential(type: string, name: string, data: Json): Promise<string> {
		return (await this.rest<Json>('POST', '/credentials', { name, type, data })).id;
	}

	/** Saves a workflow and returns its ID. Nodes get the credential of each type in `credentialIds`. */
	async importWorkflow(
		workflow: WorkflowJson,
		{ credentialIds = {} }: { credentialIds?: Record<string, string> } = {},
	): Promise<string> {
		const nodes = workflow.nodes.map((node) => withCredentials(node, credentialIds));
		const { name, connections, settings, pinData } = workflow;
		// Older versions require it
		const active = this.publishing === 'inBackground' ? undefined : false;
		const body = { name, nodes, connections, settings, pinData, active };
		return (await this.rest<Json>('POST', '/workflows', body)).id;
	}

	/** Publishes the newest version of a workflow; returns when its triggers and webhooks are live. */
	async publish(workflowId: string): Promise<void> {
		await this.setActive(workflowId, true);
	}

	/** Unpublishes a workflow; returns when its triggers and webhooks are gone. */
	async unpublish(workflowId: string): Promise<void> {
		await this.setActive(workflowId, false);
	}

	private async setActive(workflowId: string, active: boolean): Promise<void> {
		const path = `/workflows/${workflowId}`;
		const { versionId } = await this.rest<{ versionId: string }>('GET', path);
		if (this.publishing === 'byChange') {
			await this.rest('PATCH', path, { active, versionId });
			return;
		}
		await this.rest('POST', `${path}/${active ? 'activate' : 'deactivate'}`, { versionId });
		if (this.publishing === 'atOnce') return;
		// In the background, some time after n8n has accepted the request
		const wanted = active ? 'published' : 'not_published';
		let now: Json = {};
		const isOver = async () => {
			now = await this.rest<Json>('GET', `${path}/publication-status`);
			return [wanted, 'failed', 'partial'].includes(now.status);
		};
		await until(`${workflowId} is ${wanted}`, isOver, TIMEOUT_MS);
		if (now.status === wanted) return;
		const errors = now.triggers.map((one: Json) => one.errorMessage).filter(Boolean);
		throw new Error(`Workflow ${workflowId}: ${[now.status, ...errors].join(': ')}`);
	}

	/** The last hundred executions of a workflow, newest first. */
	async executions(workflowId: string): Promise<ExecutionSummary[]> {
		return (await this.search({ workflowId }, 100)).results;
	}

	/** How many executions of a workflow there are; optionally only those with certain statuses. */
	async countExecutions(workflowId: string, status?: string[]): Promise<number> {
		return (await this.search({ workflowId, status }, 1)).count;
	}

	private async search(
		filter: { workflowId: string; status?: string[] | undefined },
		limit: number,
	): Promise<{ results: ExecutionSummary[]; count: number }> {
		const query = `filter=${encodeURIComponent(JSON.stringify(filter))}&limit=${limit}`;
		return await this.rest('GET', `/executions?${query}`);
	}

	async execution(id: string): Promise<Execution> {
		const execution = await this.rest<Execution & { data: string }>('GET', `/executions/${id}`);
		// n8n sends the run data in a packed form, which its own dependency can unpack
		const { parse } = createRequire(this.n8nBin)('flatted') as { parse(text: string): never };
		return { ...execution, data: parse(execution.data) };
	}

	/** Runs a workflow as the editor does; returns the execution once it has ended. */
	async runManually(workflowId: string, run: object): Promise<Execution> {
		const path = `/workflows/${workflowId}`;
		// n8n 1 runs what the editor shows
		const workflowData = await this.rest('GET', path);
		const { executionId } = await this.rest<Json>('POST', `${path}/run`, { workflowData, ...run });
		return await this.ended(executionId, workflowId);
	}

	/** "Retry" in the list of executions: continues at the failed node. */
	async retry({ id, workflowId }: Execution): Promise<Execution> {
		const path = `/executions/${id}/retry`;
		const again = await this.rest<Json>('POST', path, { loadWorkflow: false });
		return await this.ended(again.id, workflowId);
	}

	private async ended(id: string, workflowId: string): Promise<Execution> {
		const isOver = async () => {
			// While n8n is busy with many items, it may not answer
			const all = await this.executions(workflowId).catch(() => []);
			return all.some((one) => one.id === id && hasEnded(one));
		};
		await until(`the end of execution ${id}`, isOver, RUN_TIMEOUT_MS);
		return await this.execution(id);
	}

	/** Waits until a workflow has `count` finished executions; returns the newest one. */
	async waitForExecution(
		workflowId: string,
		{ count = 1, timeoutMs = 30_000 }: { count?: number; timeoutMs?: number } = {},
	): Promise<Execution> {
		const finished = async () => (await this.executions(workflowId)).filter(hasEnded);
		const isThere = async () => (await finished()).length >= count;
		await until(`${count} executions of ${workflowId}`, isThere, timeoutMs);
		return await this.execution(itemAt(await finished(), 0).id);
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
		const response = await this.send(method, path, body);
		if (response.ok) return response;
		// n8n's answer, but never the request, because that may contain a credential
		const answer = (await response.text()).slice(0, 1000);
		throw new Error(`n8n refused ${path} (${response.status}): ${answer}`);
	}
}

function withCredentials(node: WorkflowNode, ids: Record<string, string>): WorkflowNode {
	if (node.credentials === undefined) return node;
	const credentials = Object.entries(node.credentials).map(([type, { id, name }]) => [
		type,
		{ id: ids[type] ?? id, name },
	]);
	return { ...node, credentials: Object.fromEntries(credentials) };
}
