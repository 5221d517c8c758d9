import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';

import { defined } from '../defined.mts';
import { temporaryFolder } from '../processes.mts';
import type { FaultSpec, Sandbox } from '../sandbox/sandbox.mts';
import { filesWith, kept, openSandbox, SEED, startServer, until } from './helpers.mts';
import type { N8nInstance } from './instance.mts';
import type { N8nServer } from './server.mts';
import { startPostgres, startRedis, type Postgres, type Redis } from './services.mts';
import { variant } from './variants.mts';
import { Watch } from './watch.mts';
import { Writing, type Audit } from './writing.mts';

/* Load with a kill in the middle: n8n and the service must agree in the end. */

const MINUTE = 60_000;
/** n8n's default: how many executions each worker runs at a time. */
const CONCURRENCY = 10;
/** For a poll, which comes once a minute, and its execution, on a machine with other work. */
const POLL_TIMEOUT_MS = 3 * MINUTE;
/**
 * By default, n8n needs a minute to notice that nobody renews the lock of a job, looks for such jobs every 30 s, and
 * waits another 30 s for a lost execution to turn up.
 */
const END_TIMEOUT_MS = 5 * MINUTE;

let sandbox: Sandbox;
let server: N8nServer;
let writing: Writing;
let watch: Watch;
const workers: N8nInstance[] = [];

interface Load {
	minutes: number;
	/** Calls of the workflow that writes */
	perSecond: number;
	/** What happens one after the other, before the kill and again after it */
	troubles: Array<() => void>;
	kill: () => Promise<void>;
	/** That the run shows something, and what else is wrong with it */
	check: (audit: Audit) => Promise<void> | void;
}

/** Hits every third request, so that retries have a chance. */
const everyThird = (fault: FaultSpec) => (): void => {
	for (let hit = 1; hit <= 200; hit++) sandbox.fault({ ...fault, match: { nth: 3 * hit } });
};

/** All troubles of a service, and n8n is killed in a poll. */
const SINGLE: Load = {
	minutes: Number(process.env.SOAK_MINUTES ?? 4),
	perSecond: 4,
	troubles: [
		() => sandbox.setRateLimit({ perSecond: 8, retryAfter: 1 }),
		everyThird({ kind: 'status', status: 503, headers: { 'Retry-After': '1' } }),
		everyThird({ kind: 'cutBefore' }),
		() => sandbox.setLatency(1500),
		everyThird({ kind: 'cutAfter' }),
		everyThird({ kind: 'status', status: 500 }),
		() => void sandbox.fault({ kind: 'status', status: 502, match: { times: null } }),
	],
	kill: async () => await watch.killInPoll(server),
	check: ({ calls, lost, unclear, succeeded }) => {
		const faults = new Set(sandbox.requests.map(({ fault }) => fault));
		expect([...faults]).toEqual(
			expect.arrayContaining(['status', 'cutBefore', 'cutAfter', 'rateLimit']),
		);
		expect(lost).toBeGreaterThan(0);
		expect(unclear).toBeGreaterThan(0);
		expect(succeeded).toBeGreaterThan(calls / 2);
	},
};

/** Much for the trigger, and a worker is killed while all its executions write. */
const QUEUE: Load = {
	minutes: 1,
	perSecond: 8,
	troubles: [
		() => {
			sandbox.setLatency(50);
			watch.discoverMuch();
		},
	],
	kill: async () => {
		const victim = defined(workers[0]);
		const isBusy = () => runningOn(victim).length >= CONCURRENCY - 2;
		sandbox.setLatency(2000);
		await until('a busy worker', isBusy, 2 * MINUTE);
		await victim.kill();
		sandbox.setLatency(0);
		watch.discoverFew();
		await victim.start();
	},
	check: async ({ lost, others }) => {
		expect(writing.calls.filter(({ isTaken }) => !isTaken)).toEqual([]);
		// What ran on the worker is lost, and nothing else
		expect(others).toEqual([]);
		expect(lost).toBeGreaterThan(0);
		expect(lost).toBeLessThanOrEqual(CONCURRENCY);
		// The trigger's executions run on the workers too
		const startedBy = await watch.executions();
		const byWorkers = workers.flatMap((worker) => idsIn(worker, 'finished'));
		expect(byWorkers).toEqual(expect.arrayContaining(startedBy.map(({ id }) => id)));
	},
};

const isQueue = variant().hasQueue === true;
const { minutes, perSecond, troubles, kill, check } = isQueue ? QUEUE : SINGLE;
const TROUBLE_MS = (minutes * MINUTE) / (2 * troubles.length);

let redis: Redis;
let postgres: Postgres;

beforeAll(async () => {
	sandbox = await openSandbox({ seed: SEED });
	if (!isQueue) {
		server = await startServer();
		return;
	}
	redis = kept(await startRedis());
	postgres = kept(await startPostgres());
	server = await startServer({ ...redis.env, ...postgres.env });
	while (workers.length < 2) workers.push(kept(await server.startWorker(CONCURRENCY)));
});

async function allTroubles(): Promise<void> {
	for (const begin of troubles) {
		begin();
		watch.discoverFew();
		await sleep(TROUBLE_MS);
		sandbox.clearFaults();
		sandbox.setLatency(0);
		sandbox.setRateLimit(null);
	}
}

it(
	`${minutes} min of load and a kill: n8n and the service agree`,
	{ timeout: (minutes + 15) * MINUTE },
	async () => {
		writing = await Writing.publish(server, sandbox);
		watch = await Watch.over(server, sandbox);
		await watch.publish();
		let goesOn = true;
		const load = writing.callAll(perSecond, () => goesOn);
		await allTroubles();
		// The kill is meant for executions that write, so no execution of the trigger may be due
		await watch.allStarted(POLL_TIMEOUT_MS);
		await kill();
		await allTroubles();
		goesOn = false;
		await load;
		await check(await writing.audit(watch, END_TIMEOUT_MS));
	},
);

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

it.runIf(isQueue)('the API key is nowhere in what n8n stores or logs', async () => {
	const dumped = temporaryFolder('search-visibility-dump-');
	writeFileSync(join(dumped, 'postgres.sql'), await postgres.dump());
	const toRedis = dirname(redis.commands);
	const folders = [server.userFolder, ...workers.map(({ userFolder }) => userFolder)];

	// The search finds what is there, from the start of the run to its end
	const mark = 'marked-value-that-is-found-in-the-log';
	expect(filesWith(dumped, writing.workflowId)).toEqual(['postgres.sql']);
	await redis.cli('set', 'the-end', mark);
	for (const text of [writing.workflowId, mark]) {
		expect(filesWith(toRedis, text)).toEqual(['commands.log']);
	}
	for (const folder of folders) expect(filesWith(folder, 'xecution')).toContain('n8n.log');

	for (const folder of [dumped, toRedis, ...folders]) {
		expect(filesWith(folder, sandbox.apiKey)).toEqual([]);
	}
});
