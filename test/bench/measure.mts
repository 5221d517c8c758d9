import { itemAt } from '../defined.mts';

/** The cost of one run to this process. */
export interface Cost {
	/** Elapsed time in milliseconds */
	time: number;
	/** CPU time of all threads, in milliseconds */
	cpu: number;
}

/** A measured value, and the 95 % confidence interval of the true one. */
export interface Estimate {
	value: number;
	interval: [number, number];
}

export async function costOf(work: () => Promise<unknown>): Promise<Cost> {
	const cpu = process.cpuUsage();
	const start = performance.now();
	await work();
	const time = performance.now() - start;
	const { user, system } = process.cpuUsage(cpu);
	return { time, cpu: (user + system) / 1000 };
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
 * @returns the estimates of these values, and the costs of each side by round
 */
export async function compare<Name extends string, Value extends string>(
	sides: Record<Name, Side>,
	valuesOf: (round: Round<Name>) => Record<Value, number>,
	{ least, seconds }: Patience,
): Promise<{ estimates: Record<Value, Estimate>; costs: Record<Name, Cost[]> }> {
	const order = Object.keys(sides) as Name[];
	for (const name of order) await sides[name](true);
	const rounds: Array<Round<Name>> = [];
	const end = performance.now() + seconds * 1000;
	for (;;) {
		const round = {} as Round<Name>;
		for (const name of order) round[name] = await costOf(async () => await sides[name](false));
		rounds.push(round);
		order.reverse();
		if (rounds.length < least) continue;
		const values = rounds.map(valuesOf);
		const estimates = mapValues(itemAt(values, 0), (name) =>
			estimate(values.map((all) => all[name])),
		);
		const isClose = Object.values<Estimate>(estimates).every(isCloseEnough);
		if (!isClose && performance.now() < end) continue;
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
