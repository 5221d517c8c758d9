/**
 * Shows the package at work: a real n8n with the package installed, the sandbox as the service, and a published workflow
 * that sends an alert to this terminal. Each key that is pressed makes AI answers cite another page.
 *
 *     npm run demo:n8n [-- --once] [--port N]
 */
import { strictEqual } from 'node:assert';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { defined } from '../defined.mts';
import type { WorkflowJson } from '../n8n/client.mts';
import { credentialsFor, startServer } from '../n8n/helpers.mts';
import { HOST } from '../n8n/instance.mts';
import type { N8nServer } from '../n8n/server.mts';
import { until } from '../processes.mts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { buildIfDue, ROOT } from './build.mts';

const WORKFLOW = readFileSync(join(ROOT, 'test/demo/first-alert.json'), 'utf8');
/** A poll comes every minute. */
const POLL_TIMEOUT_MS = 150_000;
const { log } = console;

const { values } = parseArgs({
	options: { once: { type: 'boolean', default: false }, port: { type: 'string' } },
});

/** Where the alerts arrive: in place of Slack or a mailbox, which would need an account. */
async function openInbox() {
	const messages: string[] = [];
	const server = createServer((request, response) => {
		void text(request).then((message) => {
			messages.push(message);
			log(`✉  ${message}`);
			response.end('{}');
		});
	});
	await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
	const url = `http://${HOST}:${(server.address() as AddressInfo).port}`;
	return { url, messages, close: () => void server.close().closeAllConnections() };
}

/** @returns the ID of the workflow, once its first poll has remembered what exists */
async function publishAlert(server: N8nServer, sandbox: Sandbox, inbox: string): Promise<string> {
	const workflow = JSON.parse(WORKFLOW.replace('INBOX', inbox)) as WorkflowJson;
	const credentialIds = await credentialsFor(server, sandbox);
	const workflowId = await server.importWorkflow(workflow, { credentialIds });
	await server.publish(workflowId);
	await until('the first poll', () => sandbox.requests.length > 1, POLL_TIMEOUT_MS);
	return workflowId;
}

const FINDS = ['Best teas of the year', 'How we choose a kettle', 'Tea for a quiet evening'];

function citeAnotherPage({ discover, state }: Sandbox, number: number): void {
	const title = `${FINDS[number % FINDS.length]}, part ${number + 1}`;
	const page = `https://${defined(state.all('competitor')[0]).domain}/tea/${number + 1}`;
	const { url } = discover.citedPage({ title, url: page, citations: 2 });
	log(`   AI answers begin to cite ${url}. The alert comes with the next poll, within a minute.`);
}

async function stayOpen(server: N8nServer, sandbox: Sandbox, workflowId: string): Promise<void> {
	log(`
Have a look:
    Workflow  ${server.url}/workflow/${workflowId}
    Log in    ${server.login.email}  ${server.login.password}

The service, a stand-in with its data in memory, also for workflows of your own:
    Base URL  ${sandbox.url}
    API key   ${sandbox.apiKey}
    Site      ${sandbox.state.workspace.domain}  (the service can notify a search engine about its pages)
    Inbox     ${inbox.url}  (what an HTTP Request node sends there appears here)

Press any key to simulate a newly cited page. Press Ctrl+C to stop the demo.`);
	const { stdin } = process;
	if (stdin.isTTY) stdin.setRawMode(true);
	let pressed = 0;
	await new Promise<void>((resolve) => {
		stdin.on('data', (key) => {
			if (key.includes(3)) resolve();
			else citeAnotherPage(sandbox, pressed++);
		});
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => resolve());
	});
	stdin.pause();
	log('\nStopping n8n and the sandbox.');
}

const sandbox = await startSandbox();
const inbox = await openInbox();
let server: N8nServer | undefined;
try {
	await buildIfDue(log);
	server = await startServer({ ...(values.port && { port: Number(values.port) }) });
	const workflowId = await publishAlert(server, sandbox, inbox.url);
	if (values.once) {
		citeAnotherPage(sandbox, 0);
		await until('the alert', () => inbox.messages.length > 0, POLL_TIMEOUT_MS);
		strictEqual(inbox.messages.length, 1);
	} else await stayOpen(server, sandbox, workflowId);
} catch (error) {
	const message = error instanceof Error ? error.message : String(error);
	console.error(`\nThe demo failed: ${message.replaceAll(sandbox.apiKey, '[key]')}`);
	process.exitCode = 1;
} finally {
	await server?.stop();
	inbox.close();
	await sandbox.close();
}
