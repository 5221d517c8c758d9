/**
 * Shows the package at work: a real n8n with the package installed, the sandbox as the service, and the example "Index
 * a page after publish", published and called once.
 *
 *     npm run demo:n8n [-- --once] [--port N]
 */
import { deepStrictEqual } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { WorkflowJson } from '../n8n/client.mts';
import { call, credentialsFor, pack } from '../n8n/helpers.mts';
import { removeFolder, temporaryFolder } from '../processes.mts';
import { startN8n, type N8nServer } from '../n8n/server.mts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { buildIfDue, ROOT } from './build.mts';

const EXAMPLE = join(ROOT, 'examples', 'index-after-publish.json');
const PAGE = 'https://www.northwind-tea.example/blog/first-flush';
const { log } = console;

const { values } = parseArgs({
	options: { once: { type: 'boolean', default: false }, port: { type: 'string' } },
});

/** Starts n8n with the package as npm would publish it. */
async function startServer(): Promise<N8nServer> {
	await buildIfDue(log);
	const folder = temporaryFolder('search-visibility-pack-');
	const port = values.port === undefined ? undefined : Number(values.port);
	const server = await startN8n({ port, tarball: await pack(folder), log });
	removeFolder(folder);
	return server;
}

/**
 * Publishes the workflow and does what a CMS would do.
 * @throws if anything is not as it should be
 */
async function publishPage(server: N8nServer, sandbox: Sandbox, workflowId: string, path: string) {
	await server.publish(workflowId);
	const response = await call(server, path, { url: PAGE });
	const answer = (await response.json()) as { notification?: object };
	const { status, data } = await server.waitForExecution(workflowId);
	const received = sandbox.requests.map((one) => `${one.status} ${one.method} ${one.path}`);
	log(`
A page was published:  ${PAGE}
The webhook answered:  ${response.status} ${JSON.stringify(answer, null, 4)}
The service received:  ${received.join(', ')}
The execution ended:   ${status}${data.resultData.error ? `: ${data.resultData.error.message}` : ''}`);
	deepStrictEqual(received, ['200 POST /v1/gsc/index']);
	deepStrictEqual(sandbox.requests[0]?.body, { url: PAGE, type: 'URL_UPDATED' });
	deepStrictEqual([status, typeof answer.notification], ['success', 'object']);
	log('\nAll as it should be.');
}

async function stayOpen(server: N8nServer, sandbox: Sandbox, workflowId: string): Promise<void> {
	log(`
Have a look:
    Workflow  ${server.url}/workflow/${workflowId}
    Log in    ${server.login.email}  ${server.login.password}
    Service   ${sandbox.url}  (the sandbox; its credential is saved in n8n)
Press Ctrl-C to end it all.`);
	await new Promise<void>((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => resolve());
	});
	log('\nEnding n8n and the sandbox.');
}

const sandbox = await startSandbox();
let server: N8nServer | undefined;
try {
	server = await startServer();
	const workflow = JSON.parse(readFileSync(EXAMPLE, 'utf8')) as WorkflowJson;
	const webhook = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.webhook');
	const credentialIds = await credentialsFor(server, sandbox);
	const workflowId = await server.importWorkflow(workflow, { credentialIds });
	const { path } = webhook?.parameters as { path: string };
	await publishPage(server, sandbox, workflowId, path);
	if (!values.once) await stayOpen(server, sandbox, workflowId);
} catch (error) {
	const message = error instanceof Error ? error.message : String(error);
	console.error(`\nThe demo failed: ${message.replaceAll(sandbox.apiKey, '[key]')}`);
	process.exitCode = 1;
} finally {
	await server?.stop();
	await sandbox.close();
}
