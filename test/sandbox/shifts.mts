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
	/** IDs, or indices in the list that is being requested. */
	remove?: (string | number)[];
	/** How many records appear, at the top of the list if its order allows it. */
	insert?: number;
}

/** Changes to the records between two page reads, which are what makes offset paging hard. */
export class Shifts {
	readonly #hooks = new Set<BeforeList>();
	readonly #state: State;
	readonly #discover: Discover;

	constructor(state: State, discover: Discover) {
		this.#state = state;
		this.#discover = discover;
	}

	/** Runs before every read of a list. Returns a function that removes the hook. */
	beforeList(hook: BeforeList): () => void {
		let n = 0;
		const counting: BeforeList = (read) => hook({ ...read, n: ++n });
		this.#hooks.add(counting);
		return () => void this.#hooks.delete(counting);
	}

	order({ path, beforeRequest, remove = [], insert = 0 }: Shift): void {
		if (!isListPath(path)) throw new Error(`There is no list at ${path}`);
		if (!(beforeRequest >= 1)) throw new Error('beforeRequest counts from 1');
		let n = 0;
		const stop = this.beforeList((read) => {
			if (read.path !== path || ++n < beforeRequest) return;
			stop();
			this.#remove(path, read.query, remove);
			for (let i = 0; i < insert; i++) this.#insert(path, read.query);
		});
	}

	run(path: ListPath, query: Query): void {
		for (const hook of [...this.#hooks]) hook({ path, query, n: 0 });
	}

	clear(): void {
		this.#hooks.clear();
	}

	#remove(path: ListPath, query: Query, remove: (string | number)[]): void {
		const { kind, ids } = lists[path];
		const before = ids(this.#state, query);
		for (const item of remove) {
			const id = typeof item === 'number' ? before[item] : item;
			if (id !== undefined) this.#state.remove(kind, id);
		}
	}

	/** The new record matches the type or scope of the request. */
	#insert(path: ListPath, { type, scope }: Query): void {
		const discover = this.#discover;
		const inserts: Record<ListPath, () => unknown> = {
			'/v1/keywords': () => discover.keyword(),
			'/v1/competitors': () =>
				discover.competitor({ state: scope === 'tracked' ? 'tracked' : 'discovered' }),
			'/v1/forum-opportunities': () => discover.forumOpportunity(),
			'/v1/people-also-ask': () => discover.question(),
			'/v1/backlinks': () => discover.backlink({ own: type === 'mine' }),
			'/v1/ai-visibility/citations': () =>
				discover.citedPage({ citations: 1000, status: type === 'processed' ? 'processed' : 'new' }),
			'/v1/actions': () => discover.action(),
		};
		inserts[path]();
	}
}
