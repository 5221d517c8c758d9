import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';

import { temporaryFolder } from '../processes.mts';
import type { Sandbox } from '../sandbox/sandbox.mts';
import type { Execution } from './client.mts';
import {
	ACTIONS,
	call,
	credentialsFor,
	filesWith,
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
import type { N8nInstance } from './instance.mts';
import type { N8nServer } from './server.mts';
import { startPostgres, startRedis, type Postgres } from './services.mts';
import { Watch } from './watch.mts';

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
const MAY_BE_DONE = /may have done the work/;

/** What it creates has the ID of its execution as its title. The contract lets only the action not be repeated. */
const WRITES = inARow('Writes', [
	webhook('writes'),
	node('Action', ACTIONS, {
		...{ resource: 'action', operation: 'create', type: 'other' },
		title: '=Execution {{ $execution.id }}',
	}),
	node('Keyword', ACTIONS, {
		...{ resource: 'keyword', operation: 'create' },
		keywords: '=execution {{ $execution.id }}',
	}),
]);

let postgres: Postgres;
let sandbox: Sandbox;
let server: N8nServer;
let victim: N8nInstance;
let other: N8nInstance;
let workflowId: string;

beforeAll(async () => {
	sandbox = await openSandbox({ seed: SEED });
	const redis = kept(await startRedis());
	postgres = kept(await startPostgres());
	server = await startServer({ ...redis.env, ...postgres.env });
	victim = kept(await server.startWorker(CONCURRENCY));
	other = kept(await server.startWorker(CONCURRENCY));
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

/** @returns what does not agree: nothing is done twice, a success has done everything, a failure hides nothing */
function wrongWith(execution: Execution): string[] {
	const title = `Execution ${execution.id}`;
	const actions = sandbox.state.all('action', { title });
	const keywords = sandbox.state.all('keyword', { keyword: title.toLowerCase() });
	const sent = sandbox.requests.filter(({ path, body }) => {
		return path === '/v1/actions' && (body as { title?: string } | undefined)?.title === title;
	});
	const wrong = sent.length > 1 ? [`its action was sent ${sent.length} times`] : [];
	if (Math.max(actions.length, keywords.length) > 1) wrong.push('something exists twice');
	const [action] = outputOf(execution, 'Action');
	if (execution.status === 'success') {
		if (actions.length === 0 || action?.id !== actions[0]?.id) wrong.push('another action');
		if (keywords.length === 0) wrong.push('no keyword');
	} else if (!isLost(execution) && actions.length > 0 && !action) {
		const { message = '', description } = execution.data.resultData.error ?? {};
		const words = `${message} ${String(description)}`;
		if (!MAY_BE_DONE.test(words)) wrong.push(`there is an action, but the error says: ${words}`);
	}
	return wrong.map((what) => `${title}: ${what}`);
}

it(
	'a worker that is killed loses only what it ran, and nothing is done twice',
	{ timeout: 15 * MINUTE },
	async () => {
		const watch = await Watch.over(server, sandbox);
		await watch.publish();
		watch.discoverMuch();
		await callTimes(30);
		await watch.allStarted(3 * MINUTE);
		sandbox.setLatency(2000);
		await callTimes(4 * CONCURRENCY);
		const isBusy = () => {
			const finished = new Set(idsIn(victim, 'finished'));
			return idsIn(victim, 'started').filter((id) => !finished.has(id)).length >= CONCURRENCY - 1;
		};
		await until('a busy worker', isBusy, MINUTE);
		await victim.kill();
		sandbox.setLatency(0);
		watch.discoverFew();
		await victim.start();
		await callTimes(20);

		const isOver = async () => (await server.countExecutions(workflowId, UNDER_WAY)) === 0;
		await until('the end of all executions', isOver, END_TIMEOUT_MS);
		await watch.expectStarted(END_TIMEOUT_MS);
		const all = await server.executions(workflowId);
		expect(all).toHaveLength(30 + 4 * CONCURRENCY + 20);
		const executions = await Promise.all(all.map(({ id }) => server.execution(id)));
		expect(executions.flatMap(wrongWith)).toEqual([]);
		const failed = executions.filter(({ status }) => status !== 'success');
		expect(failed.filter((one) => !isLost(one))).toEqual([]);
		expect(failed.length).toBeGreaterThan(0);
		expect(failed.length).toBeLessThanOrEqual(CONCURRENCY);
		// The trigger's executions run on the workers too
		const byWorkers = [victim, other].flatMap((worker) => idsIn(worker, 'finished'));
		const startedBy = (await watch.executions()).map(({ id }) => id);
		expect(byWorkers).toEqual(expect.arrayContaining(startedBy));
		expect(sandbox.responseViolations).toEqual([]);
	},
);

it('the API key is nowhere in what n8n stores in PostgreSQL or logs', async () => {
	const dumped = temporaryFolder('search-visibility-dump-');
	writeFileSync(join(dumped, 'postgres.sql'), await postgres.dump());
	const folders = [server, victim, other].map(({ userFolder }) => userFolder);
	// The search finds what is there
	expect(filesWith(dumped, workflowId)).toEqual(['postgres.sql']);
	for (const folder of folders) expect(filesWith(folder, 'xecution')).toContain('n8n.log');
	for (const folder of [dumped, ...folders]) {
		expect(filesWith(folder, sandbox.apiKey)).toEqual([]);
	}
});
