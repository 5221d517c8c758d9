import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';

import { ensureN8n } from './install.mts';
import type { N8nServer } from './server.mts';
import { filesWith } from './helpers.mts';

const LONGEST_DUMP = 1024 ** 3;

/** Prints every row as JSON, because the database file stores long values in pieces. */
const DUMP = `
	const { DatabaseSync } = require('node:sqlite');
	const database = new DatabaseSync(process.argv[1], { readOnly: true });
	const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
	for (const { name } of tables) {
		for (const row of database.prepare('SELECT * FROM "' + name + '"').iterate()) {
			process.stdout.write(name + ' ' + JSON.stringify(row) + '\\n');
		}
	}`;

/** The files of n8n and the tables of its database that contain a text. */
async function placesWith({ userFolder }: N8nServer, text: string): Promise<string[]> {
	const { node } = await ensureN8n(() => undefined);
	const database = join(userFolder, '.n8n', 'database.sqlite');
	const options = { maxBuffer: LONGEST_DUMP };
	const { stdout } = await promisify(execFile)(node, ['-e', DUMP, database], options);
	const rows = stdout.split('\n').filter((row) => row.includes(text));
	const tables = rows.map((row) => `table ${row.slice(0, row.indexOf(' '))}`);
	return [...new Set([...filesWith(userFolder, text), ...tables])];
}

/**
 * Searches everything that n8n has written for an API key, byte by byte.
 * @param known a text of an execution, to show that the search finds what is there
 */
export async function expectNoLeak(server: N8nServer, key: string, known: string): Promise<void> {
	const places = await placesWith(server, known);
	expect(places.some((place) => place.startsWith('table '))).toBe(true);
	expect(await placesWith(server, 'n8n ready on')).toContain('n8n.log');
	expect(await placesWith(server, key)).toEqual([]);
	expect(await placesWith(server, Buffer.from(key).toString('base64'))).toEqual([]);
}
