import type { INodeParameters } from 'n8n-workflow';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { vi } from 'vitest';

import type { WorkflowNode } from '../client.mts';
import {
	ACTIONS,
	credentialsFor,
	inARow,
	kept,
	node,
	openSandbox,
	startServer,
	TRIGGER,
} from '../helpers.mts';
import type { N8nServer } from '../server.mts';
import { variant } from '../variants.mts';
import { NEWEST, versionOf } from '../versions.mts';
import { startBrowser } from './browser.mts';
import { NodeView } from './views.mts';

/** How long the editor may take for one step: far more than it needs, so that a busy machine makes no test fail. */
const STEP_MS = 60_000;
export const SOON = { timeout: STEP_MS };
vi.setConfig({ testTimeout: 10 * STEP_MS });

const START = node('Start', 'n8n-nodes-base.manualTrigger');

/** A page on which the owner is logged in. */
export async function openPage(
	browser: Browser,
	{ url, login }: N8nServer,
	options: BrowserContextOptions = {},
): Promise<Page> {
	const viewport = { width: 1400, height: 900 };
	const context = await browser.newContext({ viewport, ...options });
	context.setDefaultTimeout(STEP_MS);
	const page = await context.newPage();
	const data = { emailOrLdapLoginId: login.email, password: login.password };
	const answer = await page.request.post(`${url}/rest/login`, { data });
	if (!answer.ok()) throw new Error(`n8n refused the login (${answer.status()})`);
	return page;
}

export type Session = Awaited<ReturnType<typeof startSession>>;

/** One n8n, one browser in which the owner is logged in, and the service behind them, for the tests of a file. */
export async function startSession() {
	// This may be missing, and nobody wants to wait for that message
	const browser = kept(await startBrowser());
	const sandbox = await openSandbox({ seed: { competitor: 130 } });
	const n8n = await startServer();
	const page = await openPage(browser, n8n);
	// The editor selects it for a new node
	const credentialIds = await credentialsFor(n8n, sandbox);
	const view = new NodeView(page, versionOf(variant().version ?? NEWEST).collectionMenu);

	/** Saves a node in a workflow and opens it, as a double-click would; `apiKey` replaces the correct key. */
	async function openNode(opened: WorkflowNode, apiKey?: string): Promise<void> {
		const row = opened.type === TRIGGER ? [opened] : [START, opened];
		const ids = apiKey ? await credentialsFor(n8n, { url: sandbox.url, apiKey }) : credentialIds;
		const id = await n8n.importWorkflow(inARow('Test', row), { credentialIds: ids });
		await page.goto(`${n8n.url}/workflow/${id}/${encodeURIComponent(opened.id as string)}`);
		await page.getByTestId('ndv').waitFor();
	}

	return {
		n8n,
		page,
		sandbox,
		view,
		credentialIds,
		openNode,
		/** Opens the node with these parameters in a new workflow. */
		open: async (parameters: INodeParameters, apiKey?: string) =>
			await openNode(node('Search Visibility', ACTIONS, parameters), apiKey),
	};
}
