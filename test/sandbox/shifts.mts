import type { Discover } from './discover.mts';
import { isListPath, lists, type ListPath, type Query } from './lists.mts';
import type { State } from './state.mts';

export interface ListRead {
	path: ListPath;
	query: Query;
	/** 1 for the first read of a list since the hook was set. */
	n: number;
}
export type BeforeList = (read: ListRead) => void;

export interface Shift {
	/** The path of the list, such as `/v1/keywords`. */
	path: string;
	/** The shift happens just before the nth read of that list from now on. */
	beforeRequest: number;
	/** Indices in the list that is being requested. */
	remove?: number[];
	/** How many records appear, at the top of the list if its order allows it. */
	insert?: number;
}

/** Changes to the records between two page reads, which are what makes offset paging hard. */
export class Shifts {
	readonly #hooks = new Set<BeforeList>();

	constructor(
		private readonly state: State,
		private readonly discover: Discover,
	) {}

	/** Runs before every read of a list. Returns a function that removes the hook. */
	beforeList(hook: BeforeList): () => void {
		let n = 0;
		const counting: BeforeList = (read) => hook({ ...read, n: ++n });
		this.#hooks.add(counting);
		return () => void this.#hooks.delete(counting);
	}

	order({ path, beforeRequest, remove = [], insert = 0 }: Shift): void {
		if (!isListPath(path)) throw new Error(`There is no list at ${path}`);
		const { kind, ids } = lists[path];
		let n = 0;
		const stop = this.beforeList((read) => {
			if (read.path !== path || ++n < beforeRequest) return;
			stop();
			const before = ids(this.state, read.query);
			for (const index of remove) this.state.remove(kind, before[index] ?? '');
			for (let i = 0; i < insert; i++) this.discover[kind]();
		});
	}

	run(path: ListPath, query: Query): void {
		for (const hook of [...this.#hooks]) hook({ path, query, n: 0 });
	}

	clear(): void {
		this.#hooks.clear();
	}
}
