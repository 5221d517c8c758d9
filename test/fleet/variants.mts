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
	/** Settings of n8n, beyond its defaults. */
	env: Record<string, string>;
	/** Whether n8n is killed in the middle and started again. */
	isKilled: boolean;
	/**
	 * Those of a group are measured at the same time, to save time: the small ones leave room for each other. Each has
	 * workspaces of its own.
	 */
	group: number;
}

type Line = [
	name: string,
	kind: Kind,
	share: number,
	mode: Variant['mode'],
	env: Variant['env'],
	isKilled: boolean,
	group: number,
];

/** n8n 2.41 makes an isolate for each poll and each look at a credential, also where no expression needs one. */
const LAZY = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };
const LEGACY = { N8N_EXPRESSION_ENGINE: 'legacy' };

/** What is run, in this order; the share is that of the largest fleet. */
const TABLE: Line[] = [
	['Own nodes, defaults', 'own', 0.03, 'single', {}, false, 1],
	['Own nodes', 'own', 0.1, 'single', LEGACY, true, 1],
	['Trigger, defaults', 'trigger', 0.03, 'single', {}, false, 1],
	['Trigger, lazy', 'trigger', 0.03, 'single', LAZY, false, 1],
	['Trigger', 'trigger', 0.1, 'single', LEGACY, false, 1],
	['Trigger', 'trigger', 0.3, 'single', LEGACY, false, 1],
	['Trigger', 'trigger', 1, 'single', LEGACY, true, 2],
	['Trigger, queue mode', 'trigger', 1, 'queue', LEGACY, false, 3],
	['Own nodes', 'own', 1, 'single', LEGACY, false, 4],
];

/** The fleets of a run, with so many workspaces in the largest. */
export function variantsFor(most: number): Variant[] {
	const taken = new Map<number, number>();
	return TABLE.map(([name, kind, share, mode, env, isKilled, group]) => {
		const size = Math.ceil(most * share);
		const first = taken.get(group) ?? 0;
		taken.set(group, first + size);
		return { kind, first, size, mode, env, isKilled, group, name: `${name}, ${size}` };
	});
}
