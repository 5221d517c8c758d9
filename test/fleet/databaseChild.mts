import { createRequire } from 'node:module';
import type { Place, Row } from './database.mts';

/** Runs with n8n's Node.js, which supports TypeScript and SQLite itself: see database.mts. */

type Run = (sql: string) => Row[] | Promise<Row[]>;

const [, , n8nBin = '', place = ''] = process.argv;

const load = createRequire(n8nBin);

async function open(where: Place): Promise<Run> {
	if ('file' in where) {
		const { DatabaseSync } = load('node:sqlite') as SqliteModule;
		const database = new DatabaseSync(where.file, { timeout: 30_000 });
		return (sql) => database.prepare(sql).all();
	}
	const { Client } = load('pg') as PgModule;
	const { env } = where;
	const client = new Client({
		host: env.DB_POSTGRESDB_HOST,
		port: Number(env.DB_POSTGRESDB_PORT),
		user: env.DB_POSTGRESDB_USER,
		database: env.DB_POSTGRESDB_DATABASE,
	});
	await client.connect();
	return async (sql) => (await client.query(sql)).rows;
}

interface SqliteModule {
	DatabaseSync: new (file: string, settings: object) => { prepare(sql: string): { all(): Row[] } };
}

interface PgModule {
	Client: new (settings: object) => {
		connect(): Promise<void>;
		query(sql: string): Promise<{ rows: Row[] }>;
	};
}

const run = open(JSON.parse(place) as Place);
process.on('message', async (sql: string) => {
	try {
		process.send?.({ rows: await (await run)(sql) });
	} catch (error) {
		process.send?.({ error: String(error) });
	}
});
process.on('disconnect', () => process.exit(0));
