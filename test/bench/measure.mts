import { itemAt } from '../defined.mts';

/** What one run cost this process. */
export interface Cost {
	/** Milliseconds on the clock */
	time: number;
	/** Milliseconds of CPU, all threads */
	cpu: number;
}

/** A measured value, and where the true one lies with a confidence of 95 %. */
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

/** How long a comparison goes on. */
export interface Patience {
	/** So many rounds at least; fewer than six have no interval of 95 % */
	least: number;
	/** No further round begins after so many seconds */
	seconds: number;
}

/** An interval that reaches no further than this from the value, as a share of it, needs no more rounds. */
const CLOSE_ENOUGH = 0.03;

type Side = (isWarmUp: boolean) => Promise<unknown>;
type Round<Name extends string> = Record<Name, Cost>;

/**
 * Runs each side once to warm it up, then all of them in turn, every second round in the opposite order, so that whatever
 * else the machine does hits all alike; until each value is known well enough, or the patience ends.
 * @param valuesOf what one round shows, such as the ratio of two sides
 * @returns the estimates of these values, and the costs of each side, round by round
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
 * The median, and between which two of the values the true median lies with 95 %, whatever their distribution: of n values,
 * it lies beyond the k-th from either end as often as n tosses of a coin show heads fewer than k times, or tails.
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
