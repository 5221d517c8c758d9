import type { BaseRecord, Collections, StoredKind, Workspace } from './types.mts';
import { noVariants, positionOf, type Variants } from './variants.mts';

export interface Limits {
	competitors: number;
	prompts: number;
}

const idPrefixes: { [K in StoredKind]: string } = {
	keyword: 'kw',
	// The IDs of these two are UUIDs in the contract; the prefix becomes their first block.
	competitor: 'c0000000',
	citedPage: 'a0000000',
	forumOpportunity: 'fo',
	question: 'paa',
	backlink: 'bl',
	category: 'cat',
	action: 'act',
	article: 'art',
	fanoutQuery: 'fq',
	prompt: 'pr',
};

export const STORED_KINDS = Object.keys(idPrefixes) as StoredKind[];

/** Views are cheap to rebuild, so the cache is simply emptied when it grows beyond this. */
const MAX_CACHED_VIEWS = 64;

/** Everything in one workspace, in memory. Lists read it through views that are kept until a record changes. */
export class State {
	workspace: Workspace;
	readonly limits: Limits = { competitors: 50, prompts: 1 };
	searchConsoleConnected = true;
	readonly variants: Variants = { ...noVariants };
	/** Earlier indexing notifications, by URL and type. */
	readonly notifications = new Map<string, string>();

	#keywordTexts: Set<string> | undefined;
	/** The state that this one is a copy of. A kind is copied when it is first asked for. */
	#original: State | undefined;
	readonly #copied = new Set<StoredKind>();
	readonly #ownRecords: { [K in StoredKind]: Map<string, Collections[K]> } = {
		keyword: new Map(),
		competitor: new Map(),
		forumOpportunity: new Map(),
		question: new Map(),
		backlink: new Map(),
		category: new Map(),
		citedPage: new Map(),
		action: new Map(),
		article: new Map(),
		fanoutQuery: new Map(),
		prompt: new Map(),
	};
	readonly #views = new Map<StoredKind, Map<string, unknown>>();
	readonly #counters = new Map<StoredKind, number>();
	#seq = 0;
	#lastPosition = 0;

	constructor(workspace: Workspace) {
		this.workspace = workspace;
	}

	/**
	 * Most tests look at few kinds of records, so each kind is copied when it is first asked for. The original must not
	 * change afterwards.
	 *
	 * @returns a state with the same workspace and records; everything else is as at the start
	 */
	copy(): State {
		const copy = new State({ ...this.workspace });
		copy.#original = this;
		for (const [kind, number] of this.#counters) copy.#counters.set(kind, number);
		copy.#seq = this.#seq;
		copy.#lastPosition = this.#lastPosition;
		return copy;
	}

	#records<K extends StoredKind>(kind: K): Map<string, Collections[K]> {
		const records = this.#ownRecords[kind];
		if (!this.#original || this.#copied.has(kind) || !records) return records;
		this.#copied.add(kind);
		for (const [id, record] of this.#original.#records(kind)) records.set(id, copyOf(record));
		return records;
	}

	/** Lower-case keyword texts, to find duplicates quickly among 100,000. */
	get keywordTexts(): Set<string> {
		return (this.#keywordTexts ??= new Set(this.#original?.keywordTexts));
	}

	all<K extends StoredKind>(kind: K): Iterable<Collections[K]> {
		return this.#records(kind).values();
	}

	count(kind: StoredKind): number {
		return this.#records(kind).size;
	}

	get<K extends StoredKind>(kind: K, id: string): Collections[K] | undefined {
		// The control interface may ask for a kind that does not exist.
		return this.#records(kind)?.get(id);
	}

	/** Adds a record. Its order of arrival is set here, and so is its ID unless the caller gives one. */
	add<K extends StoredKind>(
		kind: K,
		fields: Omit<Collections[K], 'id' | 'seq'> & { id?: string | undefined },
	): Collections[K] {
		const id = fields.id ?? this.#nextId(kind);
		if (this.#records(kind).has(id))
			throw new Error(`There is a ${kind} with the id ${id} already`);
		const record = { ...fields, id, seq: ++this.#seq } as unknown as Collections[K];
		this.#records(kind).set(id, record);
		if (kind === 'keyword') {
			this.keywordTexts.add((record as Collections['keyword']).keyword.toLowerCase());
		}
		this.changed(kind);
		return record;
	}

	/** Removes a record completely. The service itself does that only to categories. */
	remove(kind: StoredKind, id: string): boolean {
		const keyword = kind === 'keyword' ? this.get('keyword', id) : undefined;
		if (keyword) this.keywordTexts.delete(keyword.keyword.toLowerCase());
		const removed = this.#records(kind).delete(id);
		if (removed) this.changed(kind);
		return removed;
	}

	/** Call this after a record was edited: the views of its kind are rebuilt when next needed. */
	changed(kind: StoredKind): void {
		this.#views.delete(kind);
		// The state of a keyword is derived from these two.
		if (kind === 'action' || kind === 'article') this.#views.delete('keyword');
	}

	/** A number that no record had before, for unique names. */
	get nextNumber(): number {
		return this.#seq + 1;
	}

	/** The position at the end of the internal ordering of actions. */
	takePosition(): number {
		return positionOf(++this.#lastPosition, this.variants);
	}

	/** The filtered and sorted records for `key`, created once and kept until a record of the kind changes. */
	view<Row>(kind: StoredKind, key: string, build: () => Row[]): Row[] {
		let views = this.#views.get(kind);
		if (!views || views.size >= MAX_CACHED_VIEWS) {
			views = new Map();
			this.#views.set(kind, views);
		}
		const cached = views.get(key) as Row[] | undefined;
		if (cached) return cached;
		const rows = build();
		views.set(key, rows);
		return rows;
	}

	#nextId(kind: StoredKind): string {
		const number = (this.#counters.get(kind) ?? 0) + 1;
		this.#counters.set(kind, number);
		const prefix = idPrefixes[kind];
		if (kind === 'competitor' || kind === 'citedPage') {
			return `${prefix}-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
		}
		return `${prefix}_${String(number).padStart(4, '0')}`;
	}
}

function copyOf<T extends BaseRecord>(record: T): T {
	const copy = { ...record } as Record<string, unknown>;
	for (const field in copy) {
		const value = copy[field];
		if (Array.isArray(value)) copy[field] = value.map(withoutTies);
	}
	return copy as T;
}

const withoutTies = (entry: unknown) =>
	typeof entry === 'object' && entry !== null ? { ...entry } : entry;

/** The workspace stores its domain as entered; everything else compares bare hostnames. */
export function ownDomain(state: State): string {
	return (state.workspace.domain ?? '')
		.toLowerCase()
		.replace(/^https?:\/\//, '')
		.replace(/\/.*$/, '')
		.replace(/^www\./, '');
}

export function isOwnHost(state: State, host: string): boolean {
	const own = ownDomain(state);
	return own !== '' && (host.toLowerCase() === own || host.toLowerCase().endsWith(`.${own}`));
}
