import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { discoverFew } from '../e2e/server/discoveries.mts';
import { pack, uniqueKey, until } from '../e2e/server/helpers.mts';
import { Watch } from '../e2e/server/watch.mts';
import { temporaryFolder } from '../n8n/processes.mts';
import { startN8n, type N8nServer } from '../n8n/server.mts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { audit, countBy } from './audit.mts';
import { Control } from './control.mts';
import { growth, measure, megabytes, type Measurement, type Side } from './memory.mts';
import { paced } from './pace.mts';
import { listCounts, printFailures, printFigures, secondsSince } from './report.mts';
import { clearUp, WEATHERS } from './weather.mts';
import { Writing } from './writing.mts';

/** SOAK_MINUTES makes it shorter while one works on it, though not the measuring of memory. */
const MINUTES = Number(process.env.SOAK_MINUTES ?? 10);
/** All troubles twice in half of the time; the rest is for the kill, the memory and the last poll. */
const WEATHER_MS = (MINUTES * 60_000 * 0.5) / (2 * Object.keys(WEATHERS).length);
const PER_SECOND = 4;
/** So long an answer takes when n8n is killed in the middle of it. */
const KILL_LATENCY_MS = 3000;
const POLL_TIMEOUT_MS = 3 * 60_000;
const END_TIMEOUT_MS = 3 * 60_000;

const WARM_UP: Side[] = ['control', 'ours', 'control'];
/** Ours in the middle, so that what grows by itself is not all counted as one side's. */
const ROUNDS: Side[] = [
	...Array<Side>(3).fill('control'),
	...Array<Side>(6).fill('ours'),
	...Array<Side>(3).fill('control'),
];
const roundsOf = (side: Side) => [...WARM_UP, ...ROUNDS].filter((one) => one === side).length;
/** Executions in a round. */
const A_ROUND = 120;
const PER_SECOND_MEASURED = 15;
/** The bytes that an execution of ours may leave behind beyond one of the control. */
const MOST_GROWTH = 2000;

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
	`${MINUTES} minutes of load, troubles and a kill: n8n and the service agree, and memory stays`,
	{ timeout: MINUTES * 60_000 + 15 * 60_000 },
	async () => {
		const began = Date.now();
		const writing = await Writing.publish(server, sandbox);
		const control = await Control.publish(server, sandbox);
		const watch = await Watch.over(server, sandbox);
		await watch.publish();
		const due: string[] = [];

		let isTroubled = true;
		const load = paced({ perSecond: PER_SECOND, atOnce: 50, goesOn: () => isTroubled }, () =>
			writing.call(),
		);
		await allWeathers(due);
		await watch.startedWith(due, POLL_TIMEOUT_MS);
		writing.killedAt = await killInPoll(watch, due);
		const callsAtKill = writing.calls.length;
		await allWeathers(due);
		isTroubled = false;
		await load;
		const callsInTrouble = writing.calls.length;
		await until('the end of all executions', () => writing.isOver(), END_TIMEOUT_MS);
		const secondsOfTrouble = secondsSince(began);

		const measurements = await compareMemory(writing, control);
		await watch.startedWith(due, POLL_TIMEOUT_MS);
		// What is due was started, so this poll must start nothing
		await watch.nextPoll();
		const started = await watch.started();

		const { statuses, failures, created, repeated, wrong } = await audit(writing);
		const faults = countBy(sandbox.requests.flatMap(({ fault }) => fault ?? []));
		const polls = await watch.executions();
		const controls = await server.allExecutions(control.workflowId);
		const grown = growth(measurements);
		const unclear = failures.filter(({ isUnclear }) => isUnclear);
		printFigures(`Soak, ${MINUTES} minutes`, {
			'Under load': `${callsInTrouble} webhook calls in ${secondsOfTrouble}`,
			'Not taken': `${writing.calls.filter(({ status }) => status !== 200).length} calls, while n8n was down`,
			'Killed after': `${callsAtKill} calls, in the middle of a poll`,
			'Executions that write': listCounts(statuses),
			'Requests in all': sandbox.requests.length,
			'Spoilt by faults': listCounts(faults),
			'Created by POST': `${created}; ${repeated} POSTs were refused and sent again`,
			Unclear: `${unclear.length} errors say that the work may be done; in ${unclear.filter(({ holds }) => holds !== 'nothing').length} of them the service holds something`,
			'Found by trigger': `${started.length} records for ${due.length}`,
			'Executions of trigger': listCounts(countBy(polls.map(({ status }) => status))),
			'Memory measured': `after each ${A_ROUND} executions: 3 times control, 6 times ours, 3 times control`,
			'Live memory': measurements.map(({ live }) => megabytes(live)).join(', '),
			'Resident memory': measurements.map(({ resident }) => megabytes(resident)).join(', '),
			'Growth, ours': `${Math.round(grown.ours)} bytes an execution`,
			'Growth, control': `${Math.round(grown.control)} bytes an execution (HTTP Request nodes)`,
			'In all': secondsSince(began),
		});
		printFailures(failures);

		expect(wrong).toEqual([]);
		expect(started.sort()).toEqual([...due].sort());
		for (const kind of ['status', 'cutBefore', 'cutAfter', 'rateLimit']) {
			expect(faults[kind]).toBeGreaterThan(0);
		}
		expect(failures.filter(({ isLost }) => isLost).length).toBeGreaterThan(0);
		expect(unclear.length).toBeGreaterThan(0);
		expect(controls.map(({ status }) => status)).toEqual(
			Array(A_ROUND * roundsOf('control')).fill('success'),
		);
		expect(grown.ours - grown.control).toBeLessThan(MOST_GROWTH);
		expect(sandbox.responseViolations).toEqual([]);
	},
);

/** Lets all troubles come and go, with new records for the trigger in each. */
async function allWeathers(due: string[]): Promise<void> {
	for (const begin of Object.values(WEATHERS)) {
		begin(sandbox);
		due.push(...discoverFew(sandbox));
		await sleep(WEATHER_MS);
		clearUp(sandbox);
	}
}

/** Kills n8n while the trigger reads and others write, and starts it again. Gives the time. */
async function killInPoll(watch: Watch, due: string[]): Promise<number> {
	sandbox.setLatency(KILL_LATENCY_MS);
	due.push(...discoverFew(sandbox));
	await watch.pollBegun();
	const killedAt = Date.now();
	await server.kill();
	sandbox.setLatency(0);
	due.push(...discoverFew(sandbox));
	await server.start();
	return killedAt;
}

/** Rounds of executions of ours between rounds of the control, with the memory after each. */
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
