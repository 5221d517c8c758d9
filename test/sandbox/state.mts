import { defined } from '../defined.mts';
import { columnList, fieldList, STORED_KINDS } from './schema.mts';
import type { Store } from './store.mts';
import type { Collections, NewRecord, StoredKind, Workspace } from './types.mts';

/** Of a workspace, at the start and after a reset. */
const SETTINGS = { competitorLimit: 50, promptLimit: 1, searchConsole: true };

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
	notification: 'no',
};

/** @returns the ID of the nth record of a kind */
export function idOf(kind: StoredKind, number: number): string {
	const prefix = idPrefixes[kind];
	if (kind === 'competitor' || kind === 'citedPage') {
		return `${prefix}-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
	}
	return `${prefix}_${String(number).padStart(4, '0')}`;
}

/** What a workspace starts with. */
export interface Seed {
	workspace: Workspace;
	records: { [K in StoredKind]: Collections[K][] };
}

/** So many rows are written at once. */
const BATCH = 5000;
/** How often a table is emptied until the database frees the space. */
const CLEAN_EVERY = 50;
let emptied = 0;

/** One workspace: its settings, and its rows in the store. */
export class State {
	workspace: Workspace;
	readonly settings = { ...SETTINGS };

	readonly #number: number;
	/** The tables that differ from the seed. */
	readonly #changed = new Set<StoredKind>(STORED_KINDS);
	readonly #counters = new Map<StoredKind, number>();
	#seq = 0;

	constructor(
		private readonly store: Store,
		private readonly seed: Seed,
	) {
		this.#number = store.newWorkspace();
		this.workspace = seed.workspace;
		this.reset();
	}

	/** To the seed, and to the settings of the start. Only tables that changed are written again. */
	reset(): void {
		this.workspace = { ...this.seed.workspace };
		Object.assign(this.settings, SETTINGS);
		this.#seq = 0;
		for (const kind of STORED_KINDS) {
			const records = this.seed.records[kind];
			this.#counters.set(kind, records.length);
			this.#seq += records.length;
			if (!this.#changed.has(kind)) continue;
			this.#empty(kind);
			this.#insert(kind, records);
		}
		this.#changed.clear();
	}

	/** Removes the workspace from the store. */
	close(): void {
		for (const kind of STORED_KINDS) this.#empty(kind);
	}

	/**
	 * @param sql in which $1 is the number of the workspace
	 * @returns the rows
	 */
	query<Row>(sql: string, params: readonly unknown[] = []): Row[] {
		return this.store.query<Row>(sql, [this.#number, ...params]);
	}

	/** The same for a statement that gives no rows. */
	run(sql: string, params: readonly unknown[] = []): void {
		this.store.run(sql, [this.#number, ...params]);
	}

	/** All records of a kind, or those whose fields have these values, in order of arrival. */
	all<K extends StoredKind>(kind: K, fields: Partial<Collections[K]> = {}): Collections[K][] {
		const conditions = Object.keys(fields).map((name, n) => ` AND "${name}" = $${n + 2}`);
		const sql = `SELECT ${fieldList(kind)} FROM "${kind}" WHERE workspace = $1`;
		return this.query(`${sql}${conditions.join('')} ORDER BY seq`, Object.values(fields));
	}

	/** @returns a text that differs after any change to what the service holds */
	digest(): string {
		const ofKind = (kind: StoredKind) =>
			`SELECT md5(string_agg(one::text, ' ' ORDER BY seq)) FROM "${kind}" one WHERE workspace = $1`;
		return JSON.stringify(this.query(STORED_KINDS.map(ofKind).join(' UNION ALL ')));
	}

	get<K extends StoredKind>(kind: K, id: string): Collections[K] | undefined {
		return this.all(kind, { id } as Partial<Collections[K]>)[0];
	}

	/** Adds a record. Its order of arrival is set here, and so is its ID unless the caller gives one. */
	add<K extends StoredKind>(kind: K, fields: NewRecord<K>): Collections[K] {
		this.#changed.add(kind);
		const number = defined(this.#counters.get(kind)) + (fields.id === undefined ? 1 : 0);
		this.#counters.set(kind, number);
		const id = fields.id ?? idOf(kind, number);
		this.#insert(kind, [{ ...fields, id, seq: ++this.#seq }]);
		return defined(this.get(kind, id));
	}

	/** @returns the changed record */
	update<K extends StoredKind>(
		kind: K,
		id: string,
		changes: Partial<Collections[K]>,
	): Collections[K] {
		this.#changed.add(kind);
		const set = Object.keys(changes).map((name, n) => `"${name}" = $${n + 3}`);
		const sql = `UPDATE "${kind}" SET ${set.join(', ')} WHERE workspace = $1 AND id = $2`;
		const returning = `${sql} RETURNING ${fieldList(kind)}`;
		return defined(this.query<Collections[K]>(returning, [id, ...Object.values(changes)])[0]);
	}

	/** Gives every record another number in this field, so that no two of them tie. */
	untie(kind: StoredKind, name: string): void {
		this.#changed.add(kind);
		this.run(`UPDATE "${kind}" SET "${name}" = seq WHERE workspace = $1`);
	}

	/** Removes a record completely. The service itself does that only to categories. */
	remove(kind: StoredKind, id: string): void {
		this.#changed.add(kind);
		this.run(`DELETE FROM "${kind}" WHERE workspace = $1 AND id = $2`, [id]);
	}

	/** A number that no record had before, for unique names. */
	get nextNumber(): number {
		return this.#seq + 1;
	}

	#insert(kind: StoredKind, records: object[]): void {
		const list = columnList(kind);
		const sql = `INSERT INTO "${kind}" (workspace, ${list})
			SELECT $1, ${list} FROM jsonb_populate_recordset(NULL::"${kind}", $2)`;
		for (let start = 0; start < records.length; start += BATCH) {
			this.run(sql, [records.slice(start, start + BATCH)]);
		}
	}

	#empty(kind: StoredKind): void {
		this.run(`DELETE FROM "${kind}" WHERE workspace = $1`);
		if (++emptied % CLEAN_EVERY === 0) this.store.run('VACUUM');
	}
}

/** The workspace stores its domain as entered; everything else compares bare hostnames. */
export function isOwnHost({ workspace }: State, host: string): boolean {
	const own = (workspace.domain ?? '')
		.toLowerCase()
		.replace(/^https?:\/\//, '')
		.replace(/\/.*$/, '')
		.replace(/^www\./, '');
	return own !== '' && `.${host.toLowerCase()}`.endsWith(`.${own}`);
}
