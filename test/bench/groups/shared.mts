import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Access } from '../../engine/engine.mts';
import type { Result } from '../figures.mts';
import { type Cost, median } from '../measure.mts';
import type { Server } from '../remote.mts';
import { execute, type Side } from '../sides.mts';

/** How much work: the quick one only shows that everything still runs. */
export interface Scale {
	rounds: number;
	/** How many times less work than the figures say */
	less: number;
	/** Whether n8n's own nodes may be fetched when they are not there yet */
	mayInstall: boolean;
}

export type Group = (scale: Scale) => Promise<Result[]>;

export const LATENCY = 50;

/** Above this share of one core, the server and not the client might be what is measured. */
const BUSY = 0.5;

// The sandbox starts with some records archived, which no list shows
export const keywordsFor = (listed: number) => Math.floor((listed * 25) / 24);
export const questionsFor = (listed: number) => Math.floor((listed * 26) / 25);

export function expect(what: string, got: unknown, wanted: unknown): void {
	if (got !== wanted) throw new Error(`${what}: expected ${wanted}, got ${got}`);
}

/** A side whose every run is checked, since a broken run is a fast one. */
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
