import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';

import { killGroup, spawnOwned } from '../processes.mts';
import type { Sandbox } from '../sandbox/sandbox.mts';
import type { Execution } from './client.mts';
import {
	ACTIONS,
	call,
	credentialsFor,
	inARow,
	kept,
	node,
	openSandbox,
	outputOf,
	SEED,
	startServer,
	until,
	webhook,
} from './helpers.mts';
import { freePort, HOST, type N8nInstance } from './instance.mts';
import type { N8nServer } from './server.mts';
import { watchOver } from './watch.mts';

/* Queue mode: two workers run what writes and what the trigger starts, and one is killed while it writes. */

const MINUTE = 60_000;
/** How many executions each worker runs at a time */
const CONCURRENCY = 5;
/**
 * By default, n8n needs a minute to notice that nobody renews the lock of a job, looks for such jobs every 30 s, and
 * waits another 30 s for a lost execution to turn up.
 */
const END_TIMEOUT_MS = 5 * MINUTE;
const UNDER_WAY = ['new', 'running', 'waiting'];

/** What it creates has the ID of its execution as its title. The contract lets only the action not be repeated. */
const WRITES = inARow('Writes', [
	webhook('writes'),
	node('Action', ACTIONS, {
		resource: 'action',
		operation: 'create',
		type: 'other',
		title: '=Execution {{ $execution.id }}',
	}),
	node('Keyword', ACTIONS, {
		resource: 'keyword',
		operation: 'create',
		keywords: '=execution {{ $execution.id }}',
	}),
]);

let sandbox: Sandbox;
let server: N8nServer;
let victim: N8nInstance;
let other: N8nInstance;
let workflowId: string;

beforeAll(async () => {
	sandbox = await openSandbox({ seed: SEED });
	const port = String(await freePort());
	// It ends with this process, however that ends: then nobody holds the other end of its input
	const script = `redis-server --port ${port} --bind ${HOST} --save '' & cat; kill $!`;
	const shell = spawnOwned('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'] });
	kept({ close: () => killGroup(shell) });
	const env = { QUEUE_BULL_REDIS_HOST: HOST, QUEUE_BULL_REDIS_PORT: port };
	server = await startServer({ env });
	victim = await server.startWorker('victim', CONCURRENCY);
	other = await server.startWorker('other', CONCURRENCY);
	const credentialIds = await credentialsFor(server, sandbox);
	workflowId = await server.importWorkflow(WRITES, { credentialIds });
	await server.publish(workflowId);
});

/** Calls the workflow, which n8n answers as soon as it has accepted a call. */
async function callTimes(count: number): Promise<void> {
	for (let n = 0; n < count; n++) {
		await call(server, 'writes', { n });
		await sleep(100);
	}
}

/** The executions in a worker's log */
function idsIn({ logFile }: N8nInstance, what: 'started' | 'finished'): string[] {
	const lines = new RegExp(`Worker ${what} execution (\\d+)`, 'g');
	return [...readFileSync(logFile, 'utf8').matchAll(lines)].map(([, id = '']) => id);
}

const isLost = ({ status, data }: Execution) =>
	status === 'crashed' || /too many times/.test(data.resultData.error?.message ?? '');

/** What the service has of an execution: how often its action was sent, its actions and its keywords. */
function doneBy({ id }: Execution) {
	const title = `Execution ${id}`;
	const sent = sandbox.requests.filter(({ path, body }) => {
		return path === '/v1/actions' && (body as { title?: string } | undefined)?.title === title;
	});
	const actions = sandbox.state.all('action', { title }).map((one) => one.id);
	const keywords = sandbox.state.all('keyword', { keyword: title.toLowerCase() });
	return { sent: sent.length, actions, keywords: keywords.length };
}

it('a worker that is killed loses only what it ran, nothing is done twice, and no log has the API key', async () => {
	const watch = await watchOver(server, sandbox);
	watch.discoverFew();
	await callTimes(30);
	await watch.expectStarted(3 * MINUTE);
	sandbox.setLatency(2000);
	await callTimes(4 * CONCURRENCY);
	const isBusy = () => {
		const finished = new Set(idsIn(victim, 'finished'));
		const running = idsIn(victim, 'started').filter((id) => !finished.has(id));
		return running.length >= CONCURRENCY - 1;
	};
	await until('a busy worker', isBusy, MINUTE);
	await victim.kill();
	sandbox.setLatency(0);
	watch.discoverFew();
	await victim.start();
	await callTimes(20);

	const isOver = async () => (await server.executions(workflowId, UNDER_WAY)).count === 0;
	await until('the end of all executions', isOver, END_TIMEOUT_MS);
	await watch.expectStarted(END_TIMEOUT_MS);
	const { results } = await server.executions(workflowId);
	expect(results).toHaveLength(30 + 4 * CONCURRENCY + 20);
	const executions = await Promise.all(results.map(({ id }) => server.execution(id)));
	const lost = executions.filter(isLost);
	expect(lost.length).toBeGreaterThan(0);
	expect(lost.length).toBeLessThanOrEqual(CONCURRENCY);
	for (const execution of executions) {
		const { sent, actions, keywords } = doneBy(execution);
		expect(Math.max(sent, actions.length, keywords)).toBeLessThanOrEqual(1);
		if (isLost(execution)) continue;
		expect(execution.status).toBe('success');
		expect([outputOf(execution, 'Action')[0]?.id, keywords]).toEqual([...actions, 1]);
	}
	// The trigger's executions run on the workers too
	const byWorkers = [victim, other].flatMap((worker) => idsIn(worker, 'finished'));
	const startedBy = (await watch.executions()).map(({ id }) => id);
	expect(byWorkers).toEqual(expect.arrayContaining(startedBy));
	expect(sandbox.responseViolations).toEqual([]);
	for (const { logFile } of [victim, other]) {
		expect(readFileSync(logFile, 'utf8')).not.toContain(sandbox.apiKey);
	}
});
