import type { INodeParameters } from 'n8n-workflow';

import { CREDENTIAL, credentialsFor, inARow, node, webhook } from '../e2e/server/helpers.mts';
import type { WorkflowNode } from '../n8n/client.mts';
import type { N8nServer } from '../n8n/server.mts';
import type { Sandbox } from '../sandbox/sandbox.mts';

/**
 * The workflow "keep" with n8n's own HTTP Request node in place of ours. It sends the same requests with the same
 * credential, which shows what n8n itself needs.
 */
export class Control {
	private calls = 0;

	private constructor(
		private readonly server: N8nServer,
		readonly workflowId: string,
	) {}

	static async publish(server: N8nServer, sandbox: Sandbox): Promise<Control> {
		const threads = `${sandbox.url}/v1/forum-opportunities`;
		const row = [
			webhook('control'),
			request('Create', 'POST', threads, '{ title: "Control", url: $json.body.url }'),
			request('Process', 'PATCH', `=${threads}/{{ $json.id }}`, '{ status: "processed" }'),
			request(
				'Keyword',
				'POST',
				`${sandbox.url}/v1/keywords`,
				'{ keywords: ["control " + $execution.id] }',
			),
		];
		const credentialIds = await credentialsFor(server, sandbox);
		const workflowId = await server.importWorkflow(inARow('Control', row), { credentialIds });
		await server.publish(workflowId);
		return new Control(server, workflowId);
	}

	async call(): Promise<void> {
		const url = `https://forum.load.example/control/${this.calls++}`;
		const response = await fetch(this.server.webhookUrl('control'), {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ url }),
		});
		await response.arrayBuffer();
	}
}

function request(name: string, method: string, url: string, body: string): WorkflowNode {
	const parameters: INodeParameters = {
		method,
		url,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: CREDENTIAL,
		sendBody: true,
		specifyBody: 'json',
		jsonBody: `={{ ${body} }}`,
	};
	const made = node(name, 'n8n-nodes-base.httpRequest', parameters, { typeVersion: 4.2 });
	return { ...made, credentials: { [CREDENTIAL]: { name: 'Search Visibility API' } } };
}
