import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { discoverFew } from '../e2e/server/discoveries.mts';
import { pack, uniqueKey, until } from '../e2e/server/helpers.mts';
import { Watch } from '../e2e/server/watch.mts';
import { temporaryFolder } from '../n8n/processes.mts';
import { startN8n, type N8nServer } from '../n8n/server.mts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { audit, countBy, type Audit } from './audit.mts';
import { Control } from './control.mts';
import { growth, measure, megabytes, type Measurement, type Side } from './memory.mts';
import { paced } from './steadyPace.mts';
import { listCounts, printFailures, printFigures, secondsSince } from './report.mts';
import { clearUp, WEATHERS } from './weather.mts';
import { Writing } from './writing.mts';

/** SOAK_MINUTES, 2 or more, makes the run shorter during development, except for the memory measurement. */
const MINUTES = Number(process.env.SOAK_MINUTES ?? 10);
/** All troubles twice in this time; the rest is for the kill, the memory and the last poll. */
const WEATHER_MS = (MINUTES * 60_000 * 0.4) / (2 * Object.keys(WEATHERS).length);
const PER_SECOND = 4;
/** How long an answer takes, so that n8n can be killed while waiting for it. */
const KILL_LATENCY_MS = 3000;
const POLL_TIMEOUT_MS = 3 * 60_000;
const END_TIMEOUT_MS = 3 * 60_000;

const WARM_UP: Side[] = ['control', 'ours', 'control'];
/** Ours in the middle, so that steady growth does not count against only one side. */
const ROUNDS: Side[] = [
	...Array<Side>(3).fill('control'),
	...Array<Side>(6).fill('ours'),
	...Array<Side>(3).fill('control'),
];
const roundsOf = (side: Side) => [...WARM_UP, ...ROUNDS].filter((one) => one === side).length;
/** Executions in a round. */
const A_ROUND = 200;
const PER_SECOND_MEASURED = 15;
/**
 * How many more bytes an execution of ours may leave behind than one of the control: well above the normal ups and
 * downs of n8n's memory, and less than an execution's data.
 */
const MOST_GROWTH = 3000;

let sandbox: Sandbox;
let server: N8nServer;

beforeAll(async () => {
	sandbox = await startSandbox({ apiKey: uniqueKey(), seed: { citedPage: 230, question: 40 } });
	const tarball = await pack(temporaryFolder('search-visibility-pack-'));
	server = await startN8n({ tarball, measured: true, log: (line) => console.log(line) });
});
afterAll(async () => {
	await server?.stop();
	await sandbox?.close();
});

it(
	`${MINUTES} minutes of load, troubles and a kill: n8n and the service agree, and memory does not grow`,
	{ timeout: MINUTES * 60_000 + 15 * 60_000 },
	async () => {
		const began = Date.now();
		const writing = await Writing.publish(server, sandbox);
		const control = await Control.publish(server, sandbox);
		const watch = await Watch.over(server, sandbox);
		await watch.publish();

		const due = await timeOfTroubles(writing, watch);
		const measurements = await compareMemory(writing, control);
		await watch.startedWith(due, POLL_TIMEOUT_MS);
		// Everything due has started, so this poll must not start anything
		await watch.nextPoll();

		const started = await watch.started();
		const result = await audit(writing);
		const controls = await server.allExecutions(control.workflowId);
		const grown = growth(measurements);
		const faults = countBy(sandbox.requests.flatMap(({ fault }) => fault ?? []));
		printFigures(`Soak, ${MINUTES} minutes`, {
			...figuresOfWriting(writing, result),
			'Requests in all': sandbox.requests.length,
			'Spoilt by faults': listCounts(faults),
			'Found by trigger': `${started.length} records for ${due.length}`,
			'Polls seen in n8n': listCounts(countBy((await watch.executions()).map((it) => it.status))),
			'Memory measured': `every ${A_ROUND} executions: 3 times control, 6 times ours, 3 times control`,
			'Live memory': measurements.map(({ live }) => megabytes(live)).join(', '),
			'Resident memory': measurements.map(({ resident }) => megabytes(resident)).join(', '),
			'Growth, ours': `${Math.round(grown.ours)} bytes an execution`,
			'Growth, control': `${Math.round(grown.control)} bytes an execution (HTTP Request nodes)`,
			'In all': secondsSince(began),
		});
		printFailures(result.failures);

		expect(result.wrong).toEqual([]);
		expect(started.sort()).toEqual([...due].sort());
		expect(grown.ours - grown.control).toBeLessThan(MOST_GROWTH);
		expect(sandbox.responseViolations).toEqual([]);
		// The run shows something only if all these faults have occurred
		for (const kind of ['status', 'cutBefore', 'cutAfter', 'rateLimit']) {
			expect(faults[kind]).toBeGreaterThan(0);
		}
		expect(result.failures.filter(({ isLost }) => isLost).length).toBeGreaterThan(0);
		expect(result.failures.filter(({ isUnclear }) => isUnclear).length).toBeGreaterThan(0);
		expect(result.statuses.success).toBeGreaterThan(writing.calls.length / 2);
		expect(controls.map(({ status }) => status)).toEqual(
			Array(A_ROUND * roundsOf('control')).fill('success'),
		);
	},
);

function figuresOfWriting({ calls }: Writing, { statuses, failures, ...counts }: Audit) {
	const unclear = failures.filter(({ isUnclear }) => isUnclear);
	const done = unclear.filter(({ holds }) => holds !== 'nothing');
	return {
		'Webhook calls': calls.length,
		'Not taken': `${calls.filter(({ isTaken }) => !isTaken).length} of them, while n8n was down`,
		Executions: listCounts(statuses),
		'Created by POST': `${counts.created}; ${counts.repeated} POSTs were refused and sent again`,
		Unclear: `${unclear.length} errors say that the work may be done; in ${done.length} of them the service holds something`,
	};
}

/**
 * Load under all troubles, a kill, and all troubles again.
 * @returns what must have started the trigger
 */
async function timeOfTroubles(writing: Writing, watch: Watch): Promise<string[]> {
	const due: string[] = [];
	let goesOn = true;
	const pace = { perSecond: PER_SECOND, atOnce: 50, goesOn: () => goesOn };
	const load = paced(pace, () => writing.call());
	await allWeathers(due);
	await watch.startedWith(due, POLL_TIMEOUT_MS);
	await killInPoll(watch, due);
	await allWeathers(due);
	goesOn = false;
	await load;
	await until('the end of all executions', () => writing.isOver(), END_TIMEOUT_MS);
	return due;
}

/** Goes through all troubles, with new records for the trigger in each. */
async function allWeathers(due: string[]): Promise<void> {
	for (const begin of Object.values(WEATHERS)) {
		begin(sandbox);
		due.push(...discoverFew(sandbox));
		await sleep(WEATHER_MS);
		clearUp(sandbox);
	}
}

/** Kills n8n while the trigger reads and others write, and starts it again. */
async function killInPoll(watch: Watch, due: string[]): Promise<void> {
	sandbox.setLatency(KILL_LATENCY_MS);
	due.push(...discoverFew(sandbox));
	await watch.pollBegun();
	await server.kill();
	sandbox.setLatency(0);
	due.push(...discoverFew(sandbox));
	await server.start();
}

/** Rounds of our executions between rounds of the control, with the memory after each. */
async function compareMemory(writing: Writing, control: Control): Promise<Measurement[]> {
	const executions = { ours: 0, control: 0 };
	const isOver = async () => (await writing.isOver()) && !(await server.isBusy(control.workflowId));
	const run = async (side: Side) => {
		const goesOn = (started: number) => started < A_ROUND;
		const call = async () => await (side === 'ours' ? writing.call('keep') : control.call());
		await paced({ perSecond: PER_SECOND_MEASURED, atOnce: 10, goesOn }, call);
		await until(`the end of a round of ${side}`, isOver, END_TIMEOUT_MS);
		executions[side] += A_ROUND;
	};
	for (const side of WARM_UP) await run(side);
	const measurements = [await measure(server, executions)];
	for (const side of ROUNDS) {
		await run(side);
		measurements.push(await measure(server, executions));
	}
	return measurements;
}
