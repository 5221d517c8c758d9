import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import type { InstalledN8n } from '../n8n/install.mts';

export type Row = Record<string, unknown>;

/** Where n8n keeps its data: an SQLite file, or the PostgreSQL settings in n8n's environment. */
export type Place = { file: string } | { env: Record<string, string> };

/** n8n's database, seen from outside. All statements work with both SQLite and PostgreSQL. */
export class Database {
	private constructor(private readonly child: ChildProcess) {}

	/** Opens the database in a process with n8n's Node.js and n8n's drivers. */
	static open({ node, n8nBin }: InstalledN8n, place: Place): Database {
		const child = fork(CHILD, [n8nBin, JSON.stringify(place)], {
			execPath: node,
			execArgv: ['--disable-warning=ExperimentalWarning'],
			serialization: 'advanced',
		});
		return new Database(child);
	}

	/** Runs one statement at a time; returns its rows. */
	async query(sql: string): Promise<Row[]> {
		const { child } = this;
		return await new Promise((resolve, reject) => {
			const lost = () => reject(new Error('The database was closed'));
			child.once('exit', lost);
			child.once('message', (answer: { rows: Row[] } | { error: string }) => {
				child.off('exit', lost);
				if ('error' in answer) reject(new Error(`${answer.error}, in: ${sql}`));
				else resolve(answer.rows);
			});
			child.send(sql);
		});
	}

	/** The only number in the result of a statement. */
	async number(sql: string): Promise<number> {
		const [row] = await this.query(sql);
		return Number(Object.values(row ?? {})[0]);
	}

	close(): void {
		this.child.disconnect();
	}
}

const CHILD = fileURLToPath(new URL('./databaseChild.mts', import.meta.url));
