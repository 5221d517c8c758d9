import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Access } from '../../engine/engine.mts';
import { type FigureName, type Result, result } from '../figures.mts';
import { compare, type Cost, median, type Patience } from '../measure.mts';
import type { Server } from '../remote.mts';
import { execute, type Side } from '../sides.mts';

/** How much work to do: the quick scale only shows that everything still runs. */
export interface Scale {
	patience: Patience;
	/** Divides the amounts of work in the figures */
	less: number;
	/** Whether n8n's own nodes may be downloaded if they are missing */
	mayInstall: boolean;
}

export type Group = (scale: Scale) => Promise<Result[]>;

export const LATENCY = 50;

/** Above this fraction of one core, the measurement might show the server rather than the client. */
const BUSY = 0.5;

// Some of the sandbox's records start out archived, and no list shows them
export const keywordsFor = (listed: number) => Math.floor((listed * 25) / 24);
export const questionsFor = (listed: number) => Math.floor((listed * 26) / 25);

export function expect(what: string, got: unknown, wanted: unknown): void {
	if (got !== wanted) throw new Error(`${what}: expected ${wanted}, got ${got}`);
}

/** A side whose every run is checked, because a failing run is a fast one. */
export function checked(
	access: Access,
	side: Side,
	wanted: number,
	items?: IDataObject[],
	countOf = (output: INodeExecutionData[]) => output.length,
) {
	return async () => {
		const output = await execute(access, side, items);
		expect(`Records from ${side.typeName}`, countOf(output), wanted);
		return output;
	};
}

export async function checkServer(server: Server): Promise<string> {
	const { busy } = await server.stats();
	const share = `${Math.round(busy * 100)} %`;
	if (busy > BUSY) console.error(`  The server used ${share} of a core: it may be the bottleneck.`);
	return `server busy ${share}`;
}

export const show = (costs: Cost[], what: 'time' | 'cpu', times = 1) =>
	`${(median(costs.map((cost) => cost[what])) / times).toFixed(0)} ms`;

export const repeat = (work: () => Promise<unknown>, times: number) => async () => {
	for (let i = 0; i < times; i++) await work();
};

/**
 * For comparisons of CPU time. Other work on the machine affects short rounds most, so there are many of them; on a quiet
 * machine, they cost little. In the first ones, Node.js still compiles and optimizes what runs, which in n8n happens once
 * for many executions. The node also runs the code of the side that it is compared with, but not the other way round: after
 * each change of sides, only the node would run code that has not run for a while, hence the lead-in.
 */
export const forShortRounds = (patience: Patience): Patience => ({
	...patience,
	least: 2 * patience.least,
	warmUps: 2 * patience.least,
	leadIn: true,
});

/** With three rounds, the interval spans all values. */
export const forLongRounds = ({ least, seconds }: Patience): Patience => ({
	least: Math.min(least, 3),
	seconds: seconds / 2,
});

/** How often the smaller amount of work runs before the larger one, and as often after it. */
const REPEATS = 2;

/**
 * How the CPU time of some work grows. Elapsed time would also show what the server and the rest of the machine do. The
 * smaller amount runs before and after the larger one, in case the machine becomes slower or faster in the meantime.
 */
export async function growthOf(
	name: FigureName,
	{ few, many }: Record<'few' | 'many', () => Promise<unknown>>,
	patience: Patience,
): Promise<Result> {
	const often = repeat(few, REPEATS);
	const { estimates, costs } = await compare(
		{ before: often, many: async (isWarmUp) => await (isWarmUp ? few() : many()), after: often },
		({ before, many, after }) => ({
			growth: (many.cpu * 2 * REPEATS) / (before.cpu + after.cpu),
		}),
		patience,
		{ growth: name },
	);
	const part = show([...costs.before, ...costs.after], 'cpu', REPEATS);
	return result(name, estimates.growth, `${show(costs.many, 'cpu')} against ${part}`);
}
