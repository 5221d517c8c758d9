import type { Browser, Page } from 'playwright-core';

import type { WorkflowNode } from '../client.mts';
import type { N8nServer } from '../server.mts';
import { startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import { CREDENTIAL, credentialsFor, inARow, startServer, uniqueKey } from '../helpers.mts';
import { openPage, startBrowser } from './browser.mts';

/** One n8n, one browser in which the owner is logged in, and the service behind them, for all tests of the folder. */
export interface Session {
	n8n: N8nServer;
	page: Page;
	sandbox: Sandbox;
	/** An empty workspace. */
	emptySandbox: Sandbox;
	end: () => Promise<void>;
}

export async function startSession(): Promise<Session> {
	const ends: Array<() => Promise<unknown>> = [];
	const end = async () => {
		for (const one of ends.reverse()) await one();
	};
	try {
		// This may be missing, and nobody wants to wait for that message
		const browser: Browser = await startBrowser();
		ends.push(async () => await browser.close());
		const sandbox = await startSandbox({ apiKey: uniqueKey(), seed: { competitor: 130 } });
		const emptySandbox = await startSandbox({ empty: true });
		ends.push(async () => await Promise.all([sandbox.close(), emptySandbox.close()]));
		const n8n = await startServer();
		ends.push(async () => await n8n.stop());
		const page = await openPage(browser);
		await logIn(page, n8n);
		// The editor selects it for a new node
		await credentialIdsFor(n8n, sandbox);
		return { n8n, page, sandbox, emptySandbox, end };
	} catch (error) {
		await end();
		throw error;
	}
}

/** Gives the page the session of n8n's owner. */
export async function logIn(page: Page, { url, login }: N8nServer): Promise<void> {
	const data = { emailOrLdapLoginId: login.email, password: login.password };
	const answer = await page.request.post(`${url}/rest/login`, { data });
	if (!answer.ok()) throw new Error(`n8n refused the login (${answer.status()})`);
}

/** Saves nodes as a workflow and opens one of them, as a double-click would. */
export async function openNode(
	{ n8n, page }: Pick<Session, 'n8n' | 'page'>,
	row: WorkflowNode[],
	opened: WorkflowNode,
	access: Pick<Sandbox, 'url' | 'apiKey'>,
): Promise<void> {
	const credentialIds = await credentialIdsFor(n8n, access);
	const id = await n8n.importWorkflow(inARow('Test', row), { credentialIds });
	await page.goto(`${n8n.url}/workflow/${id}/${encodeURIComponent(opened.id as string)}`);
	await page.getByTestId('ndv').waitFor();
}

const known = new Map<string, string>();

/** Creates one credential for each workspace. */
async function credentialIdsFor(
	n8n: N8nServer,
	access: Pick<Sandbox, 'url' | 'apiKey'>,
): Promise<Record<string, string>> {
	const key = `${n8n.url} ${access.url} ${access.apiKey}`;
	const id = known.get(key) ?? (await credentialsFor(n8n, access))[CREDENTIAL];
	known.set(key, id);
	return { [CREDENTIAL]: id };
}
