import { readFileSync } from 'node:fs';

import { itemAt } from '../defined.mts';

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
	/** After this many seconds, no further round starts */
	seconds: number;
}

/** Once the interval extends no further than this fraction of the value, no more rounds are needed. */
const CLOSE_ENOUGH = 0.03;

type Side = (isWarmUp: boolean) => Promise<unknown>;
type Round<Name extends string> = Record<Name, Cost>;

/**
 * Runs each side once to warm it up, and then all of them in turn until each value is known well enough or the time is
 * up. Every other round runs in the opposite order, so that other work on the machine affects all sides alike.
 * @param valuesOf what one round shows, such as the ratio of two sides
 * @param isTimed whether the values come from elapsed time; then rounds that other work disturbed do not count, and if
 * too few are left, the estimates are marked
 * @returns the estimates of these values, and the costs of each side by round
 */
export async function compare<Name extends string, Value extends string>(
	sides: Record<Name, Side>,
	valuesOf: (round: Round<Name>) => Record<Value, number>,
	{ least, seconds }: Patience,
	isTimed = false,
): Promise<{ estimates: Record<Value, Estimate>; costs: Record<Name, Cost[]> }> {
	const order = Object.keys(sides) as Name[];
	for (const name of order) await sides[name](true);
	const all: Array<Round<Name>> = [];
	const end = performance.now() + seconds * 1000;
	for (;;) {
		const round = {} as Round<Name>;
		for (const name of order) round[name] = await costOf(async () => await sides[name](false));
		all.push(round);
		order.reverse();
		if (all.length < least) continue;
		const isOver = performance.now() >= end;
		const quiet = all.filter((one) => !isTimed || !isDisturbed(Object.values(one)));
		if (quiet.length < least && !isOver) continue;
		const rounds = quiet.length < least ? all : quiet;
		const values = rounds.map(valuesOf);
		const estimates = mapValues(itemAt(values, 0), (name) => ({
			...estimate(values.map((one) => one[name])),
			...(quiet.length < least && { isDisturbed: true }),
		}));
		if (!isOver && !Object.values<Estimate>(estimates).every(isCloseEnough)) continue;
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

function isCloseEnough({ value, interval: [low, high] }: Estimate): boolean {
	return Math.max(high - value, value - low) <= CLOSE_ENOUGH * Math.abs(value);
}

/**
 * The median, and the two values between which the true median lies with 95 % confidence, whatever the distribution: it
 * lies beyond the k-th of n values from either end as often as n coin tosses give fewer than k heads, or fewer than k
 * tails.
 */
export function estimate(values: number[]): Estimate {
	const sorted = [...values].sort((a, b) => a - b);
	const count = sorted.length;
	let k = 0;
	let outside = 0;
	for (let chance = 2 * 0.5 ** count; outside + chance <= 0.05; k++) {
		outside += chance;
		chance *= (count - k) / (k + 1);
	}
	const end = Math.max(k - 1, 0);
	const interval: Estimate['interval'] = [itemAt(sorted, end), itemAt(sorted, count - 1 - end)];
	return { value: median(values), interval };
}

export function median(values: number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	return sorted.length % 2 === 1
		? itemAt(sorted, middle)
		: (itemAt(sorted, middle - 1) + itemAt(sorted, middle)) / 2;
}
