import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';

import { ROOT } from '../e2e/server/helpers.mts';
import { chart } from './chart.mts';
import {
	coresOf,
	cpuPerPoll,
	growthPerMinute,
	type Result,
	type Spread,
	type StartUp,
} from './run.mts';
import { ACTIVE_TIMEOUT_MS } from './site.mts';

const START = '<!-- fleet: what stands from here on is written by npm run test:fleet -- --docs -->';
const END = '<!-- fleet: end -->';

const MEGABYTE = 1_000_000;
const NONE = '–';

const percent = (share: number) => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
const megabytes = (bytes: number) => {
	const amount = (bytes / MEGABYTE).toFixed(Math.abs(bytes) < 10 * MEGABYTE ? 1 : 0);
	return `${amount === '-0.0' ? '0.0' : amount} MB`;
};
const inSeconds = (ms: number | undefined) =>
	ms === undefined ? NONE : `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`;
const activeAfter = ({ isActive }: StartUp) =>
	isActive === null ? `more than ${inSeconds(ACTIVE_TIMEOUT_MS)}` : inSeconds(isActive * 1000);
const spread = ({ median, most }: Spread) => `${inSeconds(median)}, ${inSeconds(most)}`;
const whole = (value: number) => Math.round(value).toLocaleString('en-US');
const short = (value: number) => (value < 10 ? String(Number(value.toPrecision(2))) : whole(value));
const inQueue = ({ mode }: Result, text: string) => (mode === 'queue' ? text : NONE);

/** What is shown for each fleet, one line each. */
const FIGURES: Array<[string, (result: Result) => string]> = [
	['n8n serves after', ({ start }) => inSeconds(start.serves * 1000)],
	['All workflows active after', ({ start }) => activeAfter(start)],
	['n8n still ran at the end', ({ isUp }) => (isUp ? 'yes' : 'no')],
	['Polls due', ({ due }) => whole(due)],
	[
		'Ran in their minute',
		({ due, ran }) => `${ran === due ? 100 : ((100 * ran) / due).toFixed(1)} %`,
	],
	['Requests per second', ({ requests, seconds }) => (requests / seconds).toFixed(1)],
	['CPU of n8n, of one core', (result) => percent(coresOf(result))],
	['– divided by the polls', (result) => `${whole(cpuPerPoll(result))} ms`],
	['– main process', (result) => inQueue(result, percent(result.cpu.main / result.seconds))],
	[
		'– PostgreSQL, in addition',
		(result) => inQueue(result, percent(result.cpu.database / result.seconds)),
	],
	['Memory of n8n, highest', ({ memory }) => megabytes(memory.n8n)],
	['– main process', (result) => inQueue(result, megabytes(result.memory.main))],
	['Executions per minute', ({ executions, seconds }) => whole((executions / seconds) * 60)],
	['Database at first', ({ database }) => megabytes(database.before)],
	['Database growth per minute', (result) => megabytes(growthPerMinute(result))],
	['Discovery to execution: median, 99 %', ({ delay }) => spread(delay)],
	['Begin of poll to execution: median, 99 %', ({ reaction }) => spread(reaction)],
	['Discoveries', ({ discoveries }) => whole(discoveries)],
	['– went through the workflow once', ({ fates }) => whole(fates.once)],
	['– in an execution that the kill ended', ({ fates }) => whole(fates.cutOff)],
	['– in more than one execution', ({ fates }) => whole(fates.repeated)],
	['– lost', ({ fates }) => whole(fates.lost)],
	[
		'After `kill -9`: serves again after',
		({ restart }) => (restart ? inSeconds(restart.serves * 1000) : NONE),
	],
	['After `kill -9`: all active after', ({ restart }) => (restart ? activeAfter(restart) : NONE)],
	[
		'Load of the machine: start, middle, end',
		({ load }) => load.map((one) => one.toFixed(1)).join(', '),
	],
];

/** Prints all figures, with a column for each fleet. */
export function printResults(results: Result[]): void {
	const rows = rowsOf(results);
	const widths = (rows[0] ?? []).map((_, column) =>
		Math.max(...rows.map((row) => row[column]?.length ?? 0)),
	);
	for (const row of rows) {
		console.log(
			row
				.map((cell, column) => cell.padEnd(widths[column] ?? 0))
				.join('  ')
				.trimEnd(),
		);
	}
}

/**
 * What must not have happened, in words. Without a kill, each discovery starts a trigger once. n8n stores the state of
 * a trigger and starts the execution at the same time, so a kill can come in between.
 */
export function failuresIn(results: Result[]): string[] {
	return results
		.filter(({ kind }) => kind === 'trigger')
		.flatMap(({ name, isKilled, discoveries, fates: { lost, repeated }, due, ran }) => {
			const tolerated = isKilled ? AT_A_KILL * discoveries : 0;
			return [
				...(lost + repeated > tolerated ? [`${name}: ${lost} lost, ${repeated} repeated`] : []),
				...(ran < LEAST_PUNCTUAL * due ? [`${name}: ${due - ran} of ${due} polls too late`] : []),
			];
		});
}

const AT_A_KILL = 0.01;
const LEAST_PUNCTUAL = 0.95;

/** Writes the figures and the chart into the documentation, with the date of the run. */
export function writeDocs(results: Result[], when: Date): void {
	const page = join(ROOT, 'docs', 'operating.md');
	const text = readFileSync(page, 'utf8');
	const [start, end] = [text.indexOf(START), text.indexOf(END)];
	if (start < 0 || end < start) throw new Error(`${page} has lost its marks`);
	const [head = [], ...rows] = rowsOf(results);
	const table = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
	const capacity = capacityOf(results).map((row) => `| ${row.join(' | ')} |`);
	const day = when.toISOString().slice(0, 10);
	const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()})`;
	const measured = `Measured on ${day}: ${machine}, n8n ${n8nVersion()}.`;
	const picture =
		'![CPU, memory and database growth of one n8n, by the number of workflows that poll every minute](fleet.svg)';
	const intro = `With the CPU of a poll from this table, ${whole(MANY)} workflows need so many cores:`;
	const parts = [measured, table.join('\n'), picture, intro, capacity.join('\n')];
	const written = [START, ...parts, ''].join('\n\n');
	writeFileSync(page, text.slice(0, start) + written + text.slice(end));
	writeFileSync(join(ROOT, 'docs', 'fleet.svg'), chart(results));
}

function n8nVersion(): string {
	const { dependencies } = JSON.parse(
		readFileSync(join(ROOT, 'test/n8n/package.json'), 'utf8'),
	) as {
		dependencies: { n8n: string };
	};
	return dependencies.n8n;
}

const MANY = 10_000;

/** Minutes from one poll to the next. */
const TIMES = { 'every minute': 1, 'every 15 minutes': 15, 'every hour': 60, 'every day': 1440 };

/** The cores that many workflows need, by polling interval; a column for each fleet on a single n8n. */
function capacityOf(results: Result[]): string[][] {
	const singles = results.filter(({ mode, isUp }) => mode === 'single' && isUp);
	const coresAt = (minutes: number) => (result: Result) => {
		return short((MANY / (60 * minutes)) * (cpuPerPoll(result) / 1000));
	};
	return [
		['Poll Times', 'Polls per second', ...singles.map(({ name }) => name)],
		['---', '---', ...singles.map(() => '---')],
		...Object.entries(TIMES).map(([name, minutes]) => [
			name,
			short(MANY / (60 * minutes)),
			...singles.map(coresAt(minutes)),
		]),
	];
}

const rowsOf = (results: Result[]): string[][] => [
	['', ...results.map(({ name }) => name)],
	...FIGURES.map(([name, show]) => [name, ...results.map(show)]),
];
