import { chromium, selectors } from 'playwright-core';

import type { Sandbox } from '../../sandbox/sandbox.mts';
import type { WorkflowNode } from '../client.mts';
import {
	credentialsFor,
	inARow,
	kept,
	node,
	openSandbox,
	startServer,
	TRIGGER,
} from '../helpers.mts';
import type { N8nServer } from '../server.mts';
import { chromiumPath } from './browser.mts';

/** How long the editor may take for one step: far more than it needs, so that a busy machine makes no test fail. */
const STEP_MS = 60_000;
export const SOON = { timeout: STEP_MS };

export type Session = Awaited<ReturnType<typeof startSession>>;

/** A browser in which the owner of an n8n is logged in, and the service behind them, for the tests of a file. */
export async function startSession(given?: { n8n: N8nServer; sandbox: Sandbox }) {
	// The editor marks its elements with this attribute
	selectors.setTestIdAttribute('data-test-id');
	const args = ['--disable-gpu', '--disable-quic'];
	const browser = kept(await chromium.launch({ executablePath: chromiumPath() ?? '', args }));
	const sandbox = given?.sandbox ?? (await openSandbox());
	const n8n = given?.n8n ?? (await startServer());
	const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
	page.setDefaultTimeout(STEP_MS);
	const { email: emailOrLdapLoginId, password } = n8n.login;
	const data = { emailOrLdapLoginId, password };
	const answer = await page.request.post(`${n8n.url}/rest/login`, { data });
	if (!answer.ok()) throw new Error(`n8n refused the login (${answer.status()})`);
	const credentialIds = await credentialsFor(n8n, sandbox);
	const output = page.getByTestId('output-panel');
	return {
		n8n,
		page,
		sandbox,
		credentialIds,
		output,
		/** Saves a node in a workflow and opens it, as a double-click would. */
		open: async (opened: WorkflowNode, ids = credentialIds) => {
			const start = node('Start', 'n8n-nodes-base.manualTrigger');
			const workflow = inARow('Test', opened.type === TRIGGER ? [opened] : [start, opened]);
			const id = await n8n.importWorkflow(workflow, { credentialIds: ids });
			await page.goto(`${n8n.url}/workflow/${id}/${encodeURIComponent(opened.id as string)}`);
			await page.getByTestId('ndv').waitFor();
		},
		/** Runs the open node and waits for its output. */
		execute: async () => {
			await page.getByTestId('node-execute-button').first().click();
			await output.getByTestId('node-run-status-success').first().waitFor();
		},
	};
}
