import { readFileSync } from 'node:fs';

import { itemAt } from '../defined.mts';
import { type FigureName, result, verdictOn } from './figures.mts';

/** The cost of one run to this process. */
export interface Cost {
	/** Elapsed time in milliseconds */
	time: number;
	/** CPU time of all threads, in milliseconds */
	cpu: number;
	/** How much of the elapsed time (from 0 to 1) its main thread waited for a core that other work used */
	waited: number;
}

/** A measured value, and the 95 % confidence interval of the true one. */
export interface Estimate {
	value: number;
	interval: [number, number];
	/** Whether other work on the machine took so much that elapsed time shows nothing else */
	isDisturbed?: boolean;
}

/** A run waits up to a twelfth of its time on a quiet machine, and a quarter or more next to other work. */
const MOST_WAITED = 0.1;

export const isDisturbed = (costs: Cost[]) => costs.some(({ waited }) => waited > MOST_WAITED);

/** Otherwise, each side would have to collect what the one before it has left, and those that leave less pay more. */
function collectGarbage(): void {
	globalThis.gc?.({ type: 'minor' });
}

export async function costOf(work: () => Promise<unknown>): Promise<Cost> {
	const cpu = process.cpuUsage();
	const waited = waitedSoFar();
	const start = performance.now();
	await work();
	const time = performance.now() - start;
	const { user, system } = process.cpuUsage(cpu);
	return { time, cpu: (user + system) / 1000, waited: (waitedSoFar() - waited) / time };
}

/** @returns how long this thread has waited for a core, in milliseconds; only Linux tells, elsewhere it is 0 */
function waitedSoFar(): number {
	try {
		return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[1]) / 1e6;
	} catch {
		return 0;
	}
}

/** When to stop a comparison. */
export interface Patience {
	/** Minimum number of rounds; with fewer than six, there is no 95 % interval */
	least: number;
	/** After this many seconds, no further round starts, unless a figure is still unclear */
	seconds: number;
	/** How often each side runs before the first round */
	warmUps?: number;
	/**
	 * Whether each side runs once more, uncounted, right before each run that counts. Otherwise, the first run after a
	 * change of sides would count, in which a side pays for code that the other one has not just run.
	 */
	leadIn?: boolean;
	/** Whether the values come from elapsed time. Then rounds that other work disturbed do not count */
	isTimed?: boolean;
}

/** How many times as long a comparison goes on while a figure is unclear. */
const MOST_PATIENCE = 8;

/** Once the interval extends no further than this fraction of the value, no more rounds are needed. */
const CLOSE_ENOUGH = 0.03;

type Side = (isWarmUp: boolean) => Promise<unknown>;
type Round<Name extends string> = Record<Name, Cost>;

/**
 * Runs each side to warm it up, and then all of them in turn until each value is known well enough or the time is
 * up; that time is doubled as long as a figure is unclear, at most to eight times as long. Every other round runs in the
 * opposite order, so that other work on the machine affects all sides alike.
 * @param valuesOf what one round shows, such as the ratio of two sides
 * @param figures the figures that these values are for
 * @returns the estimates of these values, marked if other work disturbed too many rounds, and the costs of each side by
 * round
 */
export async function compare<Name extends string, Value extends string>(
	sides: Record<Name, Side>,
	valuesOf: (round: Round<Name>) => Record<Value, number>,
	{ least, seconds, warmUps = 1, leadIn = false, isTimed = false }: Patience,
	figures: Partial<Record<Value, FigureName>> = {},
): Promise<{ estimates: Record<Value, Estimate>; costs: Record<Name, Cost[]> }> {
	const order = Object.keys(sides) as Name[];
	for (let count = 0; count < warmUps; count++) {
		for (const name of order) await sides[name](true);
	}
	const all: Array<Round<Name>> = [];
	const start = performance.now();
	let most = seconds * 1000;
	for (;;) {
		const round = {} as Round<Name>;
		for (const name of order) {
			collectGarbage();
			if (leadIn) await sides[name](true);
			round[name] = await costOf(async () => await sides[name](false));
		}
		all.push(round);
		order.reverse();
		if (all.length < least) continue;
		const isOver = performance.now() - start >= most;
		const quiet = all.filter((one) => !isTimed || !isDisturbed(Object.values(one)));
		if (quiet.length < least && !isOver) continue;
		const rounds = quiet.length < least ? all : quiet;
		const values = rounds.map(valuesOf);
		const estimates = mapValues(itemAt(values, 0), (name) => ({
			...estimate(values.map((one) => one[name])),
			...(quiet.length < least && { isDisturbed: true }),
		}));
		const isKnown = Object.values<Estimate>(estimates).every(isCloseEnough);
		if (!isOver && !isKnown) continue;
		if (isOver && !isKnown && most < MOST_PATIENCE * seconds * 1000 && isOpen(estimates, figures)) {
			most *= 2;
			continue;
		}
		return { estimates, costs: mapValues(sides, (name) => rounds.map((one) => one[name])) };
	}
}

function mapValues<Name extends string, Result>(
	names: Record<Name, unknown>,
	make: (name: Name) => Result,
): Record<Name, Result> {
	const entries = (Object.keys(names) as Name[]).map((name) => [name, make(name)]);
	return Object.fromEntries(entries) as Record<Name, Result>;
}

/** Whether more rounds could decide a figure; they cannot as long as other work disturbs them. */
function isOpen<Value extends string>(
	estimates: Record<Value, Estimate>,
	figures: Partial<Record<Value, FigureName>>,
): boolean {
	return (Object.entries(figures) as Array<[Value, FigureName]>).some(
		([value, name]) =>
			!estimates[value].isDisturbed && verdictOn(result(name, estimates[value])) === 'unclear',
	);
}

function isCloseEnough({ value, interval: [low, high] }: Estimate): boolean {
	return Math.max(high - value, value - low) <= CLOSE_ENOUGH * Math.abs(value);
}

/** The share of a normal distribution beyond this many standard deviations is 2.5 %. */
const NORMAL = 1.96;

/**
 * The estimate of Hodges and Lehmann, with the interval of Wilcoxon's signed-rank test: the median of the means of all
 * pairs of values. If values are as likely too high as too low by the same amount, it needs a third fewer of them than
 * the median for an interval of the same width.
 */
export function estimate(values: number[]): Estimate {
	const count = values.length;
	const pairs = values.flatMap((one, index) =>
		values.slice(index).map((other) => (one + other) / 2),
	);
	const means = pairs.sort((a, b) => a - b);
	const deviation = Math.sqrt((count * (count + 1) * (2 * count + 1)) / 24);
	const outside = Math.max(0, Math.floor(means.length / 2 - NORMAL * deviation) - 1);
	const interval: Estimate['interval'] = [itemAt(means, outside), itemAt(means, -1 - outside)];
	return { value: median(means), interval };
}

export const mean = (values: number[]) =>
	values.reduce((sum, value) => sum + value, 0) / values.length;

export function median(values: number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	return sorted.length % 2 === 1
		? itemAt(sorted, middle)
		: (itemAt(sorted, middle - 1) + itemAt(sorted, middle)) / 2;
}
