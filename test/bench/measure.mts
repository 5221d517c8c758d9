import { itemAt } from '../defined.mts';

/** What one run cost this process, in milliseconds; CPU of all its threads. */
export interface Cost {
	time: number;
	cpu: number;
}

export type Side = () => Promise<unknown>;

async function costOf(work: Side): Promise<Cost> {
	// Otherwise, each side would collect what the one before it has left
	globalThis.gc?.({ type: 'minor' });
	const before = process.cpuUsage();
	const start = performance.now();
	await work();
	const time = performance.now() - start;
	const { user, system } = process.cpuUsage(before);
	return { time, cpu: (user + system) / 1000 };
}

/**
 * Runs all sides in each round, every other round in the opposite order, so that other work on the machine affects them
 * alike. A side runs once more, uncounted, before each run that counts if `leadIn`: after a change of sides, it pays for
 * code that the other one has not just run.
 * @returns the costs of each round
 */
export async function inRounds<Name extends string>(
	sides: Record<Name, Side>,
	{ rounds, warmUps = 1, leadIn = false }: { rounds: number; warmUps?: number; leadIn?: boolean },
): Promise<Array<Record<Name, Cost>>> {
	const names = Object.keys(sides) as Name[];
	const costs: Array<Record<Name, Cost>> = [];
	for (let round = -warmUps; round < rounds; round++) {
		const costOfRound = {} as Record<Name, Cost>;
		for (const name of names) {
			if (leadIn && round >= 0) await sides[name]();
			costOfRound[name] = await costOf(sides[name]);
		}
		if (round >= 0) costs.push(costOfRound);
		names.reverse();
	}
	return costs;
}

/** The value at a share of the sorted values, between two of them if need be. */
export function quantile(values: number[], share: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	const place = share * (sorted.length - 1);
	const low = itemAt(sorted, Math.floor(place));
	return low + (place % 1) * (itemAt(sorted, Math.ceil(place)) - low);
}

export interface Bar {
	is: 'at most' | 'at least';
	bar: number;
}

/** A figure meets its bar if its median does. */
export function isMet({ is, bar }: Bar, values: number[]): boolean {
	const value = quantile(values, 0.5);
	return is === 'at most' ? value <= bar : value >= bar;
}
