import type { INodeParameters } from 'n8n-workflow';

import { credentialsFor, startServer, uniqueKey } from '../e2e/server/helpers.mts';
import type { Execution, WorkflowJson } from '../n8n/client.mts';
import type { N8nServer } from '../n8n/server.mts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { itemAt } from '../defined.mts';
import { ensureLine, type Line } from './releases.mts';

/** One n8n and the service behind it, for all tests of a version. */
export class Setting {
	private constructor(
		readonly line: Line,
		readonly server: N8nServer,
		readonly sandbox: Sandbox,
		private readonly credentialIds: Record<string, string>,
	) {}

	static async of(line: Line): Promise<Setting> {
		const installed = await ensureLine(line, (text) => console.log(text));
		const sandbox = await startSandbox({ apiKey: uniqueKey() });
		try {
			const { env, publishing } = line;
			const server = await startServer(env, { installed, publishing });
			return new Setting(line, server, sandbox, await credentialsFor(server, sandbox));
		} catch (error) {
			await sandbox.close();
			throw error;
		}
	}

	async end(): Promise<void> {
		await this.server.stop();
		await this.sandbox.close();
	}

	/** Publishes a workflow that starts with a webhook, calls it once, and returns the execution. */
	async runOnce(workflow: WorkflowJson, body: unknown = {}): Promise<Execution> {
		const { server, credentialIds } = this;
		const workflowId = await server.importWorkflow(workflow, { credentialIds });
		await server.publish(workflowId);
		const { path } = itemAt(workflow.nodes, 0).parameters as INodeParameters;
		await this.call(String(path), body);
		const execution = await server.waitForExecution(workflowId);
		await server.unpublish(workflowId);
		return execution;
	}

	/** Calls a published webhook; returns its answer. */
	async call(path: string, body: unknown): Promise<unknown> {
		const response = await fetch(this.server.webhookUrl(path), {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		if (!response.ok) throw new Error(`The webhook ${path} answers ${response.status}`);
		return await response.json();
	}
}
