import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Access } from '../../engine/engine.mts';
import { type FigureName, type Result, result } from '../figures.mts';
import { compare, type Cost, median, type Patience } from '../measure.mts';
import type { MemoryReport, Worker } from '../memory.mts';
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

export const show = (costs: Cost[], what: keyof Cost) =>
	`${median(costs.map((cost) => cost[what])).toFixed(0)} ms`;

/**
 * Other work on the machine affects short rounds most, so there are many of them; on a quiet machine, they cost little.
 */
export const forShortRounds = (patience: Patience): Patience => ({
	...patience,
	least: 4 * patience.least,
});

export const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

/** How often the smaller amount of work runs in a round; once would be too short to compare with the larger one. */
const REPEATS = 5;

/**
 * How the CPU time of some work grows. Elapsed time would also show what the server and the rest of the machine do. The
 * work is long, so three rounds must be enough; with three, the interval spans all values.
 */
export async function growthOf(
	name: FigureName,
	{ few, many }: Record<'few' | 'many', () => Promise<unknown>>,
	patience: Patience,
): Promise<Result> {
	const fewOften = async () => {
		for (let i = 0; i < REPEATS; i++) await few();
	};
	const { estimates, costs } = await compare(
		{ few: fewOften, many: async (isWarmUp) => await (isWarmUp ? few() : many()) },
		({ few, many }) => ({ growth: (many.cpu * REPEATS) / few.cpu }),
		{ least: Math.min(patience.least, 3), seconds: patience.seconds / 2 },
	);
	const detail = `${show(costs.many, 'cpu')} against ${show(costs.few, 'cpu')} for ${REPEATS} times a tenth`;
	return result(name, estimates.growth, detail);
}

export function memoryGrowth(name: FigureName, [few = 0, many = 0]: number[]) {
	return result(name, many / few, `${megabytes(many)} against ${megabytes(few)}`);
}

/** In a separate process, where there is nothing else in memory. */
export async function memoryOf(
	worker: Worker,
	count: number,
	server: Server,
): Promise<MemoryReport> {
	const script = fileURLToPath(new URL('../memory.mts', import.meta.url));
	const { url, apiKey } = server;
	const given = JSON.stringify({ url, apiKey, count, worker });
	const child = fork(script, [given], { execArgv: [...process.execArgv, '--expose-gc'] });
	const [report] = (await Promise.race([
		once(child, 'message'),
		once(child, 'exit').then(([code]) => {
			throw new Error(`The memory process ended with ${code}`);
		}),
	])) as [MemoryReport];
	return report;
}
