import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { PGlite, protocol } from '@electric-sql/pglite';

import { schema } from './schema.mts';

let opened: Promise<Store> | undefined;

/**
 * Starting the database takes most of a second, so there is one for all sandboxes of a process. A timer of it keeps a
 * process that does not exit by itself alive for ten seconds.
 */
export const openStore = (): Promise<Store> => (opened ??= open());

export type Store = Awaited<ReturnType<typeof open>>;

/** A PostgreSQL database with the tables of schema.mts. */
async function open() {
	const database = await newDatabase();
	// Statistics set timers by the time of day, which a test may have changed: then each of them would be years away
	await database.exec('SET track_counts = off; SET track_activities = off');
	await database.exec(schema);
	let workspaces = 0;
	return {
		/**
		 * @param sql a statement that gives rows, without a semicolon
		 * @param params the values of $1, $2 and so on; objects and arrays become JSON
		 * @returns the rows as PostgreSQL writes them in JSON
		 * @throws Error with the words of the database
		 */
		query: <Row,>(sql: string, params: readonly unknown[]) => {
			const one = `WITH one AS (${sql}) SELECT json_agg(one) FROM one`;
			return JSON.parse(ask(database, one, params) ?? '[]') as Row[];
		},
		/** The same for a statement that gives none. */
		run: (sql: string, params: readonly unknown[] = []) => void ask(database, sql, params),
		/** @returns a number for a workspace, which no other has */
		newWorkspace: () => ++workspaces,
	};
}

/** In the folder of PGlite, so that it goes when another version comes */
const EMPTY = join(
	dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite')),
	'empty.tar',
);

/** Making a database takes seconds, so the first process keeps an empty one for the others. */
async function newDatabase(): Promise<PGlite> {
	const options = { postgresqlconf: ['shared_buffers=16MB', 'log_startup_progress_interval=0'] };
	if (existsSync(EMPTY)) {
		return await PGlite.create({ ...options, loadDataDir: new Blob([readFileSync(EMPTY)]) });
	}
	const database = await PGlite.create(options);
	const empty = await database.dumpDataDir('none');
	// Renamed, because two processes may make it at the same time
	const part = `${EMPTY}.${process.pid}`;
	writeFileSync(part, Buffer.from(await empty.arrayBuffer()));
	renameSync(part, EMPTY);
	return database;
}

type Row = { fields: Array<string | null> };

/**
 * One round of PostgreSQL's extended protocol. Nothing needs to wait: the database runs in this thread.
 * @returns the text of the first field of the last row
 */
function ask(database: PGlite, text: string, params: readonly unknown[]): string | null {
	const { parse, bind, execute, sync } = protocol.serialize;
	const request = [parse({ text }), bind({ values: params.map(asText) }), execute(), sync()];
	const answer = database.execProtocolRawSync(Buffer.concat(request));
	let field: string | null = null;
	new protocol.Parser().parse(answer, (message) => {
		if (message instanceof Error) throw message;
		if (message.name === 'dataRow') field = (message as unknown as Row).fields[0] ?? null;
	});
	return field;
}

function asText(value: unknown): string | null {
	if (value === null || value === undefined) return null;
	return typeof value === 'string' ? value : JSON.stringify(value);
}
