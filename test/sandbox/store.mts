import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { PGlite, protocol } from '@electric-sql/pglite';

import { schema } from './schema.mts';

/** A PostgreSQL database with the tables of schema.mts. */
export interface Store {
	/**
	 * @param params the values of $1, $2 and so on; objects and arrays become JSON
	 * @returns the rows, by column: numbers, booleans, JSON and texts; times as ISO 8601 in UTC
	 * @throws Error with the words of the database
	 */
	query<Row = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Row[];
	/** @returns a number for a workspace, which no other has */
	newWorkspace(): number;
}

let opened: Promise<Store> | undefined;

/**
 * Starting the database takes most of a second, so there is one for all sandboxes of a process. A timer of it keeps a
 * process that does not exit by itself alive for ten seconds.
 */
export const openStore = (): Promise<Store> => (opened ??= open());

async function open(): Promise<Store> {
	const database = await newDatabase();
	// Statistics set timers by the time of day, which a test may have changed: then each of them would be years away
	await database.exec('SET track_counts = off; SET track_activities = off');
	await database.exec(schema);
	let workspaces = 0;
	return {
		query: <Row,>(sql: string, params: readonly unknown[] = []) =>
			rowsOf(ask(database, sql, params)) as Row[],
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

type Message = Parameters<Parameters<protocol.Parser['parse']>[1]>[0];

/** One round of PostgreSQL's extended protocol. Nothing needs to wait: the database runs in this thread. */
function ask(database: PGlite, text: string, params: readonly unknown[]): Message[] {
	const { parse, bind, describe, execute, sync } = protocol.serialize;
	const values = params.map(asText);
	const request = [parse({ text }), bind({ values }), describe({ type: 'P' }), execute(), sync()];
	const messages: Message[] = [];
	const answer = database.execProtocolRawSync(Buffer.concat(request));
	new protocol.Parser().parse(answer, (message) => void messages.push(message));
	return messages;
}

function asText(value: unknown): string | null {
	if (value === null || value === undefined) return null;
	return typeof value === 'string' ? value : JSON.stringify(value);
}

/** How values of a type are read, by the number that PostgreSQL gives to the type. */
const readers: Record<number, (text: string) => unknown> = {
	16: (text) => text === 't',
	20: Number,
	23: Number,
	701: Number,
	1184: (text) => new Date(text).toISOString(),
	3802: (text) => JSON.parse(text) as unknown,
};

function rowsOf(messages: Message[]): object[] {
	let columns: Array<{ name: string; dataTypeID: number }> = [];
	const rows: object[] = [];
	for (const message of messages) {
		if (message instanceof Error) throw message;
		if (message.name === 'rowDescription') ({ fields: columns } = message as never);
		if (message.name !== 'dataRow') continue;
		const row: Record<string, unknown> = {};
		const { fields } = message as unknown as { fields: Array<string | null> };
		for (const [index, { name, dataTypeID }] of columns.entries()) {
			const text = fields[index] ?? null;
			row[name] = text === null ? null : (readers[dataTypeID]?.(text) ?? text);
		}
		rows.push(row);
	}
	return rows;
}
