import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';

import { itemAt } from '../defined.mts';

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

/** One entry in the list of executions. */
export interface ExecutionSummary {
	id: string;
	status: string;
	mode: string;
	workflowId: string;
	startedAt: string | null;
	stoppedAt: string | null;
}

/** One execution with its run data, unpacked. */
export interface Execution extends ExecutionSummary {
	data: {
		/** The work that was left when the execution was last stored. */
		executionData?: {
			nodeExecutionStack: Array<{ data: { main: Array<Array<Record<string, any>> | null> } }>;
		};
		resultData: {
			error?: { message: string; description?: string | null };
			lastNodeExecuted?: string;
			// n8n's own nested structure: from node names to their runs
			runData: Record<string, Array<Record<string, any>>>;
		};
	};
}

/**
 * How an n8n publishes a workflow: the newest versions do it in the background, earlier ones at once, and the oldest
 * through a change of the workflow.
 */
export type Publishing = 'inBackground' | 'atOnce' | 'byChange';

interface ExecutionPage {
	data: Execution[];
	nextCursor: string | null;
}

interface Publication {
	status: string;
	triggers: Array<{ errorMessage: string | null }>;
}

const PUBLICATION_TIMEOUT_MS = 120_000;
const RUN_TIMEOUT_MS = 60_000;
const ROUTES_TIMEOUT_MS = 120_000;
const UNFINISHED = ['new', 'running', 'waiting', 'unknown'];

/** Uses n8n's editor API with the owner's session, as the editor does. */
export class N8nClient {
	private cookie = '';

	private apiKey?: string;

	constructor(
		readonly url: string,
		readonly login: Login,
		readonly n8nBin: string,
		private readonly publishing: Publishing = 'inBackground',
	) {}

	/** Creates the owner in a new n8n, or logs in if there is one. */
	async signIn(): Promise<void> {
		await this.waitForRoutes();
		const { email, password } = this.login;
		const owner = { email, password, firstName: 'Test', lastName: 'Owner' };
		const setup = await this.send('POST', '/rest/owner/setup', owner);
		if (setup.ok) return this.keepCookie(setup);
		const login = { emailOrLdapLoginId: email, password };
		this.keepCookie(
			await this.accepted(await this.send('POST', '/rest/login', login), '/rest/login'),
		);
	}

	/** Calls the editor's API; returns what n8n wraps in `data`. */
	async rest<T>(method: string, path: string, body?: unknown): Promise<T> {
		const response = await this.accepted(await this.send(method, `/rest${path}`, body), path);
		return ((await response.json()) as { data: T }).data;
	}

	/** The versions of n8n and of the Node.js that it runs on. */
	async versions(): Promise<{ n8n: string; node: string }> {
		const settings = await this.rest<Record<'versionCli' | 'nodeJsVersion', string>>(
			'GET',
			'/settings',
		);
		return { n8n: settings.versionCli, node: settings.nodeJsVersion };
	}

	/** Reads a path outside of the editor's API, such as /types/nodes.json. */
	async json<T>(path: string): Promise<T> {
		return (await (await this.accepted(await this.send('GET', path), path)).json()) as T;
	}

	async nodeTypes(): Promise<string[]> {
		return (await this.json<Array<{ name: string }>>('/types/nodes.json')).map(({ name }) => name);
	}

	/** Saves a credential; returns its ID. */
	async createCredential(
		type: string,
		name: string,
		data: Record<string, unknown>,
	): Promise<string> {
		const { id } = await this.rest<{ id: string }>('POST', '/credentials', { name, type, data });
		return id;
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
		const { id } = await this.rest<{ id: string }>('POST', '/workflows', body);
		return id;
	}

	/** Publishes the newest version of a workflow; returns when its triggers and webhooks are live. */
	async publish(workflowId: string): Promise<void> {
		const path = `/workflows/${workflowId}`;
		const { versionId } = await this.rest<{ versionId: string }>('GET', path);
		if (this.publishing === 'byChange') {
			await this.rest('PATCH', path, { active: true, versionId });
			return;
		}
		await this.rest('POST', `${path}/activate`, { versionId });
		await this.waitForPublication(workflowId, 'published');
	}

	/** Unpublishes a workflow; returns when its triggers and webhooks are gone. */
	async unpublish(workflowId: string): Promise<void> {
		const path = `/workflows/${workflowId}`;
		if (this.publishing === 'byChange') {
			const { versionId } = await this.rest<{ versionId: string }>('GET', path);
			await this.rest('PATCH', path, { active: false, versionId });
			return;
		}
		await this.rest('POST', `${path}/deactivate`, {});
		await this.waitForPublication(workflowId, 'not_published');
	}

	/** The last hundred executions of a workflow, newest first; optionally only those with certain statuses. */
	async executions(workflowId: string, status?: string[]): Promise<ExecutionSummary[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId, status }));
		const path = `/executions?filter=${filter}&limit=100`;
		return (await this.rest<{ results: ExecutionSummary[] }>('GET', path)).results;
	}

	/** How many executions of a workflow have ended; optionally only those with certain statuses. */
	async countExecutions(workflowId: string, status?: string[]): Promise<number> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId, status }));
		const path = `/executions?filter=${filter}&limit=1`;
		return (await this.rest<{ count: number }>('GET', path)).count;
	}

	/** Whether a workflow has executions that have not ended. */
	async isBusy(workflowId: string): Promise<boolean> {
		return (await this.executions(workflowId, ['new', 'running', 'waiting'])).length > 0;
	}

	/**
	 * Every finished execution, of one workflow or of all, with its run data. They come from n8n's public API, because the editor's
	 * list misses some between pages if they did not start in the order of their IDs, as in queue mode.
	 */
	async allExecutions(workflowId?: string): Promise<Execution[]> {
		return await this.listEnded(workflowId, { includeData: true, limit: 100 });
	}

	/**
	 * Whether `allExecutions` returns as many as n8n has. It leaves out what the main process considers running, although
	 * the database may say that it has ended: when a killed worker starts again, it notes there that its executions
	 * crashed, and the main process notices a minute or two later.
	 */
	async isAllListed(workflowId: string): Promise<boolean> {
		const listed = await this.listEnded(workflowId, { includeData: false, limit: 250 });
		return listed.length === (await this.countExecutions(workflowId));
	}

	private async listEnded(
		workflowId: string | undefined,
		query: { includeData: boolean; limit: number },
	): Promise<Execution[]> {
		this.apiKey ??= await this.createApiKey();
		const found: Execution[] = [];
		let cursor: string | null = '';
		while (cursor !== null) {
			const next = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
			const ofWorkflow = workflowId === undefined ? '' : `&workflowId=${workflowId}`;
			const options = `includeData=${query.includeData}&limit=${query.limit}`;
			const path = `/api/v1/executions?${options}${ofWorkflow}${next}`;
			const response = await this.accepted(await this.send('GET', path), path);
			const page = (await response.json()) as ExecutionPage;
			found.push(...page.data);
			cursor = page.nextCursor;
		}
		return found;
	}

	async execution(id: string): Promise<Execution> {
		const execution = await this.rest<Execution & { data: string }>('GET', `/executions/${id}`);
		// n8n sends the run data in a packed form, which its own dependency can unpack
		const { parse } = createRequire(this.n8nBin)('flatted') as { parse(text: string): unknown };
		return { ...execution, data: parse(execution.data) as Execution['data'] };
	}

	/** Runs a workflow as the editor does; returns the execution once it has ended. */
	async runManually(
		workflowId: string,
		run: object,
		timeoutMs = RUN_TIMEOUT_MS,
	): Promise<Execution> {
		const path = `/workflows/${workflowId}`;
		// n8n 1 runs what the editor shows
		const workflowData = await this.rest('GET', path);
		const body = { workflowData, ...run };
		const { executionId } = await this.rest<{ executionId: string }>('POST', `${path}/run`, body);
		return await this.ended({ id: executionId, workflowId }, timeoutMs);
	}

	/** "Retry" in the list of executions: continues at the failed node. */
	async retry({ id, workflowId }: Execution): Promise<Execution> {
		const body = { loadWorkflow: false };
		const again = await this.rest<{ id: string }>('POST', `/executions/${id}/retry`, body);
		return await this.ended({ id: again.id, workflowId }, RUN_TIMEOUT_MS);
	}

	private async ended(
		{ id, workflowId }: Pick<Execution, 'id' | 'workflowId'>,
		timeoutMs: number,
	): Promise<Execution> {
		const deadline = Date.now() + timeoutMs;
		while (Date.now() < deadline) {
			// While n8n is busy with many items, it may not answer
			const all = await this.executions(workflowId).catch(() => []);
			const status = all.find((one) => one.id === id)?.status ?? 'new';
			if (!UNFINISHED.includes(status)) return await this.execution(id);
			await sleep(200);
		}
		throw new Error(`Execution ${id} has not ended in ${timeoutMs} ms`);
	}

	/** Waits until a workflow has `count` finished executions; returns the newest one. */
	async waitForExecution(
		workflowId: string,
		{ count = 1, timeoutMs = 30_000 }: { count?: number; timeoutMs?: number } = {},
	): Promise<Execution> {
		const deadline = Date.now() + timeoutMs;
		while (Date.now() < deadline) {
			const all = await this.executions(workflowId);
			const finished = all.filter(({ status }) => !UNFINISHED.includes(status));
			if (finished.length >= count) return await this.execution(itemAt(finished, 0).id);
			await sleep(200);
		}
		throw new Error(`Workflow ${workflowId}: fewer than ${count} executions in ${timeoutMs} ms`);
	}

	/** Older versions report that they are ready some time before they accept requests. */
	private async waitForRoutes(): Promise<void> {
		const deadline = Date.now() + ROUTES_TIMEOUT_MS;
		while (Date.now() < deadline) {
			if ((await this.send('GET', '/rest/settings')).ok) return;
			await sleep(200);
		}
	}

	/** n8n publishes in the background, some time after it has accepted the request. */
	private async waitForPublication(workflowId: string, wanted: string): Promise<void> {
		if (this.publishing !== 'inBackground') return;
		const deadline = Date.now() + PUBLICATION_TIMEOUT_MS;
		let now: Publication | undefined;
		while (Date.now() < deadline) {
			now = await this.rest<Publication>('GET', `/workflows/${workflowId}/publication-status`);
			if (now.status === wanted) return;
			if (now.status === 'failed' || now.status === 'partial') break;
			await sleep(100);
		}
		const errors = now?.triggers.map(({ errorMessage }) => errorMessage).filter(Boolean) ?? [];
		const status = [now?.status, ...errors].join(': ');
		throw new Error(`Workflow ${workflowId} is not ${wanted.replace('_', ' ')}, but ${status}`);
	}

	private async createApiKey(): Promise<string> {
		const scopes = ['execution:list', 'execution:read'];
		const key = { label: 'Test', scopes, expiresAt: null };
		return (await this.rest<{ rawApiKey: string }>('POST', '/api-keys', key)).rawApiKey;
	}

	private async send(method: string, path: string, body?: unknown): Promise<Response> {
		return await fetch(this.url + path, {
			method,
			headers: {
				cookie: this.cookie,
				// n8n may close an idle connection while a sandbox starts in this process, which takes seconds
				connection: 'close',
				'content-type': 'application/json',
				...(this.apiKey && { 'x-n8n-api-key': this.apiKey }),
			},
			body: body === undefined ? null : JSON.stringify(body),
		});
	}

	private async accepted(response: Response, path: string): Promise<Response> {
		if (response.ok) return response;
		// n8n's answer, but never the request, because that may contain a credential
		const answer = (await response.text()).slice(0, 1000);
		throw new Error(`n8n refused ${path} (${response.status}): ${answer}`);
	}

	private keepCookie(response: Response): void {
		const cookies = response.headers.getSetCookie();
		this.cookie = cookies.map((cookie) => cookie.split(';')[0]).join('; ');
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
