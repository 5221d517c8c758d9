/**
 * Shows the package at work: a real n8n with the package installed, the sandbox as the service, and the example "Index
 * a page after publish", published and called once.
 *
 *     npm run demo:n8n [-- --once] [--port N] [--sandbox-port N]
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { itemAt } from '../defined.mts';
import type { Execution, WorkflowJson } from '../n8n/client.mts';
import { removeFolder, runNpm, temporaryFolder } from '../n8n/processes.mts';
import { startN8n, type N8nServer } from '../n8n/server.mts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { buildIfDue, ROOT } from './build.mts';

const EXAMPLE = join(ROOT, 'examples', 'index-after-publish.json');
const CREDENTIAL = 'searchVisibilityApi';
const PAGE = 'https://www.northwind-tea.example/blog/first-flush';
const NOTICE = { url: PAGE, type: 'URL_UPDATED' };
const EXPECTED_REQUESTS = ['200 POST /v1/gsc/index'];

interface Options {
	once: boolean;
	port?: number | undefined;
	sandboxPort?: number | undefined;
}

/** The result of one call of the webhook. */
interface Outcome {
	status: number;
	answer: string;
	execution?: Execution | undefined;
}

function readArguments(): Options {
	const { values } = parseArgs({
		options: {
			once: { type: 'boolean', default: false },
			port: { type: 'string' },
			'sandbox-port': { type: 'string' },
		},
	});
	return {
		once: values.once,
		port: portOf('--port', values.port),
		sandboxPort: portOf('--sandbox-port', values['sandbox-port']),
	};
}

function portOf(name: string, text: string | undefined): number | undefined {
	if (text === undefined) return undefined;
	const port = Number(text);
	if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
	throw new Error(`${name} must be a number from 1 to 65535, not "${text}"`);
}

/** Starts everything, calls the webhook, and returns what is wrong; nothing if all is well. */
async function run(options: Options, log: (line: string) => void): Promise<string[]> {
	const sandbox = await openSandbox(options.sandboxPort);
	let server: N8nServer | undefined;
	try {
		const tarball = await packPackage(log);
		server = await startN8n({ port: options.port, tarball, log });
		removeFolder(dirname(tarball));
		const workflow: WorkflowJson = JSON.parse(readFileSync(EXAMPLE, 'utf8'));
		const workflowId = await setUp(server, sandbox, workflow);
		const outcome = await publishPage(server, workflowId, webhookPathOf(workflow));
		const problems = problemsWith(outcome, sandbox);
		report(outcome, sandbox, problems);
		if (!options.once) await stayOpen(server, sandbox, workflowId);
		return problems;
	} catch (error) {
		throw new Error(messageOf(error).replaceAll(sandbox.apiKey, '[key]'));
	} finally {
		await server?.stop();
		await sandbox.close();
	}
}

async function openSandbox(port: number | undefined): Promise<Sandbox> {
	try {
		return await startSandbox({ port });
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
		throw new Error(
			`Port ${port} is in use by another program. Stop it, or choose another port with ` +
				'--sandbox-port N (without it a free one is found).',
		);
	}
}

/** Packs the package as npm would publish it; builds it first if needed. */
async function packPackage(log: (line: string) => void): Promise<string> {
	await buildIfDue(log);
	const folder = temporaryFolder('search-visibility-pack-');
	await runNpm(['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: ROOT });
	return join(folder, itemAt(readdirSync(folder), 0));
}

async function setUp(server: N8nServer, sandbox: Sandbox, workflow: WorkflowJson): Promise<string> {
	const { url: baseUrl, apiKey } = sandbox;
	const credentialId = await server.createCredential(CREDENTIAL, 'Search Visibility API', {
		baseUrl,
		apiKey,
	});
	return await server.importWorkflow(workflow, { credentialIds: { [CREDENTIAL]: credentialId } });
}

function webhookPathOf(workflow: WorkflowJson): string {
	const webhook = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.webhook');
	return (webhook?.parameters as { path: string }).path;
}

/** Publishes the workflow and does what a CMS would do. */
async function publishPage(server: N8nServer, workflowId: string, path: string): Promise<Outcome> {
	await server.publish(workflowId);
	const response = await fetch(server.webhookUrl(path), {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ url: PAGE }),
	});
	const answer = await response.text();
	// If n8n itself refuses a call, there is no execution
	const execution = await server.waitForExecution(workflowId).catch(() => undefined);
	return { status: response.status, answer, execution };
}

function problemsWith({ status, answer, execution }: Outcome, sandbox: Sandbox): string[] {
	const problems: string[] = [];
	if (status !== 200) problems.push(`The webhook answered with ${status}, not 200.`);
	const { notification } = parsed(answer);
	if (typeof notification !== 'object' || notification === null)
		problems.push('The answer holds no notification.');
	const requests = requestsOf(sandbox);
	if (!isDeepStrictEqual(requests, EXPECTED_REQUESTS)) {
		problems.push(`The service got ${requests.join(', ') || 'no request'}.`);
	}
	const notice = sandbox.requests.find(({ method }) => method === 'POST')?.body;
	if (!isDeepStrictEqual(notice, NOTICE)) problems.push('The service got another notification.');
	if (execution?.status !== 'success') {
		const { error, lastNodeExecuted } = execution?.data.resultData ?? {};
		const where = error ? ` at "${lastNodeExecuted}": ${error.message}` : '';
		problems.push(`The execution ended with ${execution?.status ?? 'nothing'}${where}.`);
	}
	return problems;
}

function parsed(answer: string): Record<string, unknown> {
	try {
		return JSON.parse(answer);
	} catch {
		return {};
	}
}

function requestsOf(sandbox: Sandbox): string[] {
	return sandbox.requests.map(({ method, path, status }) => `${status} ${method} ${path}`);
}

function report(
	{ status, answer, execution }: Outcome,
	sandbox: Sandbox,
	problems: string[],
): void {
	const body = parsed(answer);
	console.log(`
A page was published:  ${PAGE}
The webhook answered:  ${status}
${indented(Object.keys(body).length === 0 ? answer : JSON.stringify(body, null, 2))}
The service received:
${indented(requestsOf(sandbox).join('\n'))}
The execution ended:   ${execution?.status ?? 'it never started'}`);
	const verdict = problems.length === 0 ? '\nAll as it should be.' : '\nNot as it should be:';
	console.log([verdict, ...problems.map((problem) => `  ${problem}`)].join('\n'));
}

function indented(text: string): string {
	return text.replace(/^/gm, '    ');
}

async function stayOpen(server: N8nServer, sandbox: Sandbox, workflowId: string): Promise<void> {
	console.log(`
Have a look:
    Workflow  ${server.url}/workflow/${workflowId}
    Log in    ${server.login.email}  ${server.login.password}
    Service   ${sandbox.url}  (the sandbox; its credential is saved in n8n)
Press Ctrl-C to end it all.`);
	await new Promise<void>((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => resolve());
	});
	console.log('\nEnding n8n and the sandbox.');
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

try {
	const problems = await run(readArguments(), (line) => console.log(line));
	process.exitCode = problems.length === 0 ? 0 : 1;
} catch (error) {
	console.error(`\nThe demo failed: ${messageOf(error)}`);
	process.exitCode = 1;
}
