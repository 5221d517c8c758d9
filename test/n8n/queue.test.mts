import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';

import { itemAt } from '../defined.mts';
import { filesWith, kept, openSandbox, SEED, startServer, until } from './helpers.mts';
import { Watch } from './watch.mts';
import { temporaryFolder } from '../processes.mts';
import type { N8nInstance } from './instance.mts';
import type { N8nServer } from './server.mts';
import type { Sandbox } from '../sandbox/sandbox.mts';
import { startPostgres, startRedis, type Postgres, type Redis } from './services.mts';
import { Writing } from './writing.mts';

const MARK = 'marked-value-that-is-found-in-the-log';
const CALLS = 400;
/** n8n's default: how many executions each worker runs at a time. */
const CONCURRENCY = 10;
const PER_SECOND = 8;
const LATENCY_MS = 50;
/** While the kill is prepared, so that the workers are busy. */
const SLOW_MS = 2000;
const BUSY_TIMEOUT_MS = 2 * 60_000;
/** For a poll, which comes once a minute, and its execution, on a machine with other work. */
const POLL_TIMEOUT_MS = 3 * 60_000;
/**
 * By default, n8n needs a minute to notice that nobody renews the lock of a job, looks for such jobs every 30 s, and
 * waits another 30 s for a lost execution to turn up.
 */
const LOST_TIMEOUT_MS = 5 * 60_000;

let redis: Redis;
let postgres: Postgres;
let sandbox: Sandbox;
let server: N8nServer;
let writing: Writing;
const workers: N8nInstance[] = [];

beforeAll(async () => {
	redis = kept(await startRedis());
	postgres = kept(await startPostgres());
	sandbox = await openSandbox({ seed: SEED });
	server = await startServer({
		EXECUTIONS_MODE: 'queue',
		// The most detailed log, so that the search for the key means something
		N8N_LOG_LEVEL: 'debug',
		...redis.env,
		...postgres.env,
	});
});

it(
	"n8n's report agrees with what the service holds, even if a worker is killed",
	{ timeout: 15 * 60_000 },
	async () => {
		for (let count = 0; count < 2; count++) {
			workers.push(kept(await server.startWorker(CONCURRENCY)));
		}
		const victim = itemAt(workers, 0);
		writing = await Writing.publish(server, sandbox);
		const watch = await Watch.over(server, sandbox);
		await watch.publish();
		sandbox.setLatency(LATENCY_MS);

		watch.discoverMuch();
		await callHalf();
		// The kill is meant for executions that write, so no execution of the trigger may be due
		await watch.allStarted(POLL_TIMEOUT_MS);
		const calling = callHalf();
		await killBusy(victim);
		const callsAtKill = writing.calls.length;
		expect(callsAtKill).toBeLessThan(CALLS);
		watch.discoverFew();
		await victim.start();
		await calling;

		const { lost, others } = await writing.audit(watch, LOST_TIMEOUT_MS);
		expect(writing.calls.filter(({ isTaken }) => isTaken)).toHaveLength(CALLS);
		// What ran on the worker is lost, and nothing else
		expect(others).toEqual([]);
		expect(lost).toBeGreaterThan(0);
		expect(lost).toBeLessThanOrEqual(CONCURRENCY);
		// The trigger's executions run on the workers too
		const startedBy = await watch.executions();
		const byWorkers = workers.flatMap((worker) => idsIn(worker, 'finished'));
		expect(byWorkers).toEqual(expect.arrayContaining(startedBy.map(({ id }) => id)));
	},
);

const callHalf = async () => await writing.callAll(PER_SECOND, (calls) => calls < CALLS / 2);

/** Kills a worker that is busy. */
async function killBusy(worker: N8nInstance): Promise<void> {
	sandbox.setLatency(SLOW_MS);
	await until('a busy worker', () => runningOn(worker).length >= CONCURRENCY - 2, BUSY_TIMEOUT_MS);
	await worker.kill();
	sandbox.setLatency(LATENCY_MS);
}

/** The executions in a worker's log. */
function idsIn({ logFile }: N8nInstance, what: 'started' | 'finished'): string[] {
	const lines = new RegExp(`Worker ${what} execution (\\d+)`, 'g');
	return [...new Set([...readFileSync(logFile, 'utf8').matchAll(lines)].map(([, id = '']) => id))];
}

/** The executions under way on a worker. */
function runningOn(worker: N8nInstance): string[] {
	const finished = new Set(idsIn(worker, 'finished'));
	return idsIn(worker, 'started').filter((id) => !finished.has(id));
}

it('the API key is nowhere in what n8n stores or logs', async () => {
	const dumped = temporaryFolder('search-visibility-dump-');
	writeFileSync(join(dumped, 'postgres.sql'), await postgres.dump());
	const toRedis = dirname(redis.commands);
	const folders = [server.userFolder, ...workers.map(({ userFolder }) => userFolder)];

	// The search finds what is there, from the start of the run to its end
	expect(filesWith(dumped, writing.workflowId)).toEqual(['postgres.sql']);
	await redis.cli('set', 'the-end', MARK);
	for (const text of [writing.workflowId, MARK]) {
		expect(filesWith(toRedis, text)).toEqual(['commands.log']);
	}
	for (const folder of folders) expect(filesWith(folder, 'xecution')).toContain('n8n.log');

	for (const folder of [dumped, toRedis, ...folders]) {
		expect(filesWith(folder, sandbox.apiKey)).toEqual([]);
	}
});
