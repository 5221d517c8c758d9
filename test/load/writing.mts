import { itemAt } from '../defined.mts';
import type { WorkflowJson, WorkflowNode } from '../n8n/client.mts';
import type { N8nServer } from '../n8n/server.mts';
import { ACTIONS, credentialsFor, inARow, node, webhook } from '../e2e/server/helpers.mts';
import type { Sandbox } from '../sandbox/sandbox.mts';

const ANSWER_TIMEOUT_MS = 60_000;

/** One webhook call to n8n. */
export interface Call {
	number: number;
	workflow: WorkflowName;
	url: string;
	/** Whether n8n said that it accepted it. */
	isTaken: boolean;
}

/**
 * Two workflows that write. Each call creates its own thread, and everything that it creates contains the ID of its
 * execution:
 *
 * - keep: creates a thread, marks it as processed, adds a keyword;
 * - clear: creates a thread and archives it.
 */
export const WORKFLOWS = ['keep', 'clear'] as const;
export type WorkflowName = (typeof WORKFLOWS)[number];

const CREATE: WorkflowNode = node('Create', ACTIONS, {
	resource: 'forumOpportunity',
	operation: 'create',
	title: '=Execution {{ $execution.id }}',
	url: '={{ $json.body.url }}',
});
const createdId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
const ROWS: Record<WorkflowName, WorkflowNode[]> = {
	keep: [
		CREATE,
		node('Process', ACTIONS, {
			resource: 'forumOpportunity',
			operation: 'update',
			forumOpportunityId: createdId,
			status: 'processed',
		}),
		node('Keyword', ACTIONS, {
			resource: 'keyword',
			operation: 'create',
			keywords: '=execution {{ $execution.id }}',
		}),
	],
	clear: [
		CREATE,
		node('Archive', ACTIONS, {
			resource: 'forumOpportunity',
			operation: 'archive',
			forumOpportunityId: createdId,
		}),
	],
};

const workflowOf = (name: WorkflowName): WorkflowJson =>
	inARow(`Writes: ${name}`, [webhook(name), ...ROWS[name]]);

/** The published workflows, and all calls so far. */
export class Writing {
	readonly calls: Call[] = [];

	private constructor(
		readonly server: N8nServer,
		readonly sandbox: Sandbox,
		readonly workflowIds: Record<WorkflowName, string>,
	) {}

	static async publish(server: N8nServer, sandbox: Sandbox): Promise<Writing> {
		const credentialIds = await credentialsFor(server, sandbox);
		const workflowIds: Partial<Record<WorkflowName, string>> = {};
		for (const name of WORKFLOWS) {
			const id = await server.importWorkflow(workflowOf(name), { credentialIds });
			await server.publish(id);
			workflowIds[name] = id;
		}
		return new Writing(server, sandbox, workflowIds as Record<WorkflowName, string>);
	}

	/** Calls this workflow, or by default the two in turn; n8n answers as soon as it has accepted the call. */
	async call(name?: WorkflowName): Promise<Call> {
		const number = this.calls.length;
		const workflow = name ?? itemAt(WORKFLOWS, number % WORKFLOWS.length);
		const url = `https://forum.load.example/${workflow}/${number}`;
		const call: Call = { number, workflow, url, isTaken: false };
		this.calls.push(call);
		call.isTaken = await isTaken(this.server.webhookUrl(workflow), { number, url });
		return call;
	}

	/** Whether all executions have ended. */
	async isOver(): Promise<boolean> {
		const ids = Object.values(this.workflowIds);
		const busy = await Promise.all(ids.map((id) => this.server.isBusy(id)));
		return !busy.includes(true);
	}

	/** Whether n8n returns all executions with their data, as the audit needs them. */
	async isAllListed(): Promise<boolean> {
		for (const id of Object.values(this.workflowIds)) {
			if (!(await this.server.isAllListed(id))) return false;
		}
		return true;
	}
}

async function isTaken(address: string, body: unknown): Promise<boolean> {
	try {
		const response = await fetch(address, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
			signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
		});
		// While it starts, n8n answers everything with a success and "n8n is starting up"
		return response.ok && (await response.text()).includes('Workflow was started');
	} catch {
		// n8n was killed; the audit shows whether it accepted the call
		return false;
	}
}
