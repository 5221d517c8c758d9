import type { Kind } from './workflows.mts';

/** One fleet: what polls, how many, and on which n8n. */
export interface Variant {
	name: string;
	kind: Kind;
	/** The first of its workspaces, and how many there are. */
	first: number;
	size: number;
	/** One n8n with SQLite, or one main process with two workers, PostgreSQL and Redis. */
	mode: 'single' | 'queue';
	/** Whether n8n is killed in the middle and started again. */
	isKilled: boolean;
	/**
	 * Those of a group are measured at the same time, to save time: the small ones leave room for each other. Each has
	 * workspaces of its own.
	 */
	group: number;
}

type Line = [string, Kind, number, Variant['mode'], isKilled: boolean, group: number];

/** What is run, in this order, with so many workspaces at the most. */
export function variantsFor(most: number): Variant[] {
	const few = Math.ceil(most / 10);
	const some = Math.ceil((most * 3) / 10);
	const table: Line[] = [
		['Trigger', 'trigger', few, 'single', false, 1],
		['Trigger', 'trigger', some, 'single', false, 1],
		['Own nodes', 'own', few, 'single', false, 1],
		['Own nodes', 'own', some, 'single', false, 1],
		['Trigger', 'trigger', most, 'single', true, 2],
		['Own nodes', 'own', most, 'single', true, 3],
		['Trigger, queue mode', 'trigger', most, 'queue', true, 4],
	];
	const taken = new Map<number, number>();
	return table.map(([name, kind, size, mode, isKilled, group]) => {
		const first = taken.get(group) ?? 0;
		taken.set(group, first + size);
		return { kind, first, size, mode, isKilled, group, name: `${name}, ${size}` };
	});
}
