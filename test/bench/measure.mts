/** What one run cost this process. */
export interface Cost {
	/** Milliseconds on the clock */
	time: number;
	/** Milliseconds of CPU, all threads */
	cpu: number;
}

export async function costOf(work: () => Promise<unknown>): Promise<Cost> {
	const cpu = process.cpuUsage();
	const start = performance.now();
	await work();
	const time = performance.now() - start;
	const { user, system } = process.cpuUsage(cpu);
	return { time, cpu: (user + system) / 1000 };
}

/**
 * Runs each side once to warm it up, then all of them in turn, so that whatever else the machine does hits all alike.
 * @returns the costs of each side, round by round
 */
export async function alternate<Side extends string>(
	sides: Record<Side, (isWarmUp: boolean) => Promise<unknown>>,
	rounds: number,
): Promise<Record<Side, Cost[]>> {
	const names = Object.keys(sides) as Side[];
	const costs = Object.fromEntries(names.map((name) => [name, [] as Cost[]]));
	for (const name of names) await sides[name](true);
	for (let round = 0; round < rounds; round++) {
		for (const name of names) costs[name].push(await costOf(async () => await sides[name](false)));
	}
	return costs as Record<Side, Cost[]>;
}

export function median(values: number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The median of the ratios of runs that stood side by side. */
export function ratio(over: Cost[], under: Cost[], what: keyof Cost): number {
	return median(over.map((cost, round) => cost[what] / under[round][what]));
}
