import type { Kind } from './workflows.mts';

/** One fleet: what polls, how many there are, and on which n8n. */
export interface Variant {
	name: string;
	kind: Kind;
	/** Number of its first workspace, and how many there are. */
	first: number;
	size: number;
	/** A single n8n with SQLite, or a main process and two workers with PostgreSQL and Redis. */
	mode: 'single' | 'queue';
	/** n8n settings that differ from the defaults. */
	env: Record<string, string>;
	/** Whether n8n is killed in the middle and started again. */
	isKilled: boolean;
	/**
	 * The fleets of a group are measured at the same time, to save time; they are small enough to leave room for each
	 * other. Each has its own workspaces.
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

/** n8n 2.41 creates an isolate for each poll and each reading of a credential, even if no expression needs one. */
const LAZY = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };
const LEGACY = { N8N_EXPRESSION_ENGINE: 'legacy' };

/** The fleets to run, in this order; each share is a fraction of the largest fleet. */
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

/** The fleets of a run, with this many workspaces in the largest. */
export function variantsFor(most: number): Variant[] {
	const taken = new Map<number, number>();
	return TABLE.map(([name, kind, share, mode, env, isKilled, group]) => {
		const size = Math.ceil(most * share);
		const first = taken.get(group) ?? 0;
		taken.set(group, first + size);
		return { kind, first, size, mode, env, isKilled, group, name: `${name}, ${size}` };
	});
}
