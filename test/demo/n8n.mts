/**
 * Shows the package at work: a real n8n with the package installed, the sandbox as the service, a mailbox, and a published
 * workflow whose emails appear in this terminal. Each key that is pressed makes AI answers cite another page.
 *
 *     npm run demo:n8n [-- --once]
 */
import { strictEqual } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { defined, itemAt } from '../defined.mts';
import { helpFor } from '../help.mts';
import type { WorkflowJson } from '../n8n/client.mts';
import { CREDENTIAL_NAME, credentialsFor, startServer } from '../n8n/helpers.mts';
import { HOST } from '../n8n/instance.mts';
import type { N8nServer } from '../n8n/server.mts';
import { temporaryFolder, until } from '../processes.mts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { buildIfDue, ROOT } from './build.mts';
import { openInbox } from './inbox.mts';

const WORKFLOW = readFileSync(join(ROOT, 'test/demo/first-alert.json'), 'utf8');
/** A poll comes every minute. */
const POLL_TIMEOUT_MS = 150_000;
const { log } = console;

helpFor('demo:n8n [-- --once]', 'publishes an alert in a real n8n, and shows its emails here');

const { values } = parseArgs({ options: { once: { type: 'boolean' } } });

const SMTP = 'Inbox of the demo';

/** @returns the ID of the workflow, once its first check has remembered what exists */
async function publishAlert(server: N8nServer, sandbox: Sandbox) {
	const workflow = JSON.parse(WORKFLOW) as WorkflowJson;
	const none = { user: '', password: '', hostName: '' };
	const to = { host: HOST, port: mailbox.port, secure: false, disableStartTls: true };
	const smtp = await server.createCredential('smtp', SMTP, { ...none, ...to });
	const credentialIds = { ...(await credentialsFor(server, sandbox)), smtp };
	const workflowId = await server.importWorkflow(workflow, { credentialIds });
	await server.publish(workflowId);
	await until('the first check', () => sandbox.requests.length > 1, POLL_TIMEOUT_MS);
	return workflowId;
}

const FINDS = ['Best teas of the year', 'How we choose a kettle', 'Tea for a quiet evening'];

function citeAnotherPage({ discover, state }: Sandbox, number: number): void {
	const title = itemAt(FINDS, number % FINDS.length);
	const { domain, name = domain } = itemAt(state.all('competitor'), 0);
	const { url } = discover.citedPage({ title, url: `https://${domain}/${number}`, citations: 2 });
	log(`   AI answers start citing ${url}, a page of your competitor ${name}.
   The workflow polls every minute, and then sends an email. Workflows of your own send theirs.`);
}

async function stayOpen(server: N8nServer, sandbox: Sandbox, workflowId: string): Promise<void> {
	const { brandName, domain } = sandbox.state.workspace;
	const page = new URL('/blog/white-tea', defined(domain)).href;
	log(`
You are ${brandName}, a shop for tea. Have a look:
    Workflow  ${server.url}/workflow/${workflowId}
    Log in    ${server.login.email}  ${server.login.password}

The service, a stand-in with its data in memory, also for workflows of your own.
The credential "${CREDENTIAL_NAME}" is ready, and n8n selects it in each node that you add:
    Base URL  ${sandbox.url}
    API key   ${sandbox.apiKey}
    Page      ${page}
              (Notify and Inspect take only URLs of this site)

Emails appear here, and as pages to open:
    Inbox     the SMTP credential "${SMTP}", with any address
              (host ${HOST}, port ${mailbox.port}, no user, no SSL/TLS)

Press any key, and AI answers start citing another page. Press Ctrl+C to stop the demo, and to
delete its workflows and emails.`);
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
const mailbox = await openInbox(temporaryFolder('search-visibility-mail-'), log);
let server: N8nServer | undefined;
try {
	await buildIfDue(log);
	server = await startServer();
	const workflowId = await publishAlert(server, sandbox);
	if (values.once) {
		citeAnotherPage(sandbox, 0);
		await until('the email', () => mailbox.emails.length > 0, POLL_TIMEOUT_MS);
		strictEqual(mailbox.emails.length, 1);
		strictEqual(mailbox.emails[0]?.subject, `AI answers now cite ${FINDS[0]}`);
	} else await stayOpen(server, sandbox, workflowId);
} catch (error) {
	const message = error instanceof Error ? error.message : String(error);
	console.error(`\nThe demo failed: ${message.replaceAll(sandbox.apiKey, '[key]')}`);
	process.exitCode = 1;
} finally {
	await server?.stop();
	mailbox.close();
	await sandbox.close();
}
