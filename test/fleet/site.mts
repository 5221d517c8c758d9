import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { startPostgres, startRedis } from '../load/services.mts';
import { ensureN8n, type InstalledN8n } from '../n8n/install.mts';
import { removeFolder, temporaryFolder, type Log } from '../n8n/processes.mts';
import { startN8n, type N8nServer, type N8nWorker } from '../n8n/server.mts';
import type { Sandbox } from '../sandbox/sandbox.mts';
import { Database, type Place } from './database.mts';
import { sum, usageOf, usageOfNamed, type Usage } from './usage.mts';
import type { Variant } from './variants.mts';
import { KINDS, memberOf, workflowId, type Kind } from './workflows.mts';

const WORKERS = 2;
/** A fleet that is too large for its n8n is measured anyway after this time. */
export const ACTIVE_TIMEOUT_MS = 80_000;
/** Before a kill, all must be active, because n8n stores the first poll of a workflow only at the end of its activation. */
const KILLED_TIMEOUT_MS = 180_000;

/** What all sites of a run share. */
export interface Ground {
	sandbox: Sandbox;
	tarball: string;
	log: Log;
}

/** Additions to n8n's environment. */
type Env = Record<string, string>;

/** What the members of a fleet use, and the main process's part of it. */
export interface SiteUsage {
	n8n: Usage;
	main: Usage;
	database: Usage;
}

/** An n8n with its database, which contains all workflows; at first, none is published. */
export class Site {
	readonly workers: N8nWorker[] = [];

	readonly database: Database;

	private constructor(
		readonly server: N8nServer,
		installed: InstalledN8n,
		place: Place,
		/** The SQL query for the size of the database. */
		private readonly sizeQuery: string,
		private readonly close: () => Promise<void>,
		/** What the workers need; without it, there are none. */
		private readonly tarball?: string,
	) {
		this.database = Database.open(installed, place);
	}

	/** A single n8n with SQLite, on a copy of a prepared user folder. */
	static async single({ log }: Ground, template: string, env: Env): Promise<Site> {
		const installed = await ensureN8n(log);
		const userFolder = temporaryFolder('search-visibility-fleet-');
		cpSync(template, userFolder, { recursive: true });
		const server = await startN8n({ userFolder, env, log: () => undefined, isDown: true });
		const file = join(userFolder, '.n8n', 'database.sqlite');
		return new Site(server, installed, { file }, SQLITE_SIZE, async () => removeFolder(userFolder));
	}

	/** A main process and workers, with PostgreSQL and Redis, and with the workflows of one kind; nothing of n8n runs. */
	static async queue(ground: Ground, kind: Kind, settings: Env): Promise<Site> {
		const installed = await ensureN8n(ground.log);
		const redis = await startRedis();
		const postgres = await startPostgres();
		const env = { EXECUTIONS_MODE: 'queue', ...redis.env, ...postgres.env, ...settings };
		const server = await startN8n({ tarball: ground.tarball, env, log: () => undefined });
		const stop = async () => {
			await postgres.stop();
			await redis.stop();
		};
		await fill(server, ground, [kind]);
		await server.kill();
		return new Site(server, installed, { env }, POSTGRES_SIZE, stop, ground.tarball);
	}

	/** In queue mode, starts the workers. */
	async startWorkers(): Promise<void> {
		const { tarball, server, workers } = this;
		if (tarball === undefined) return;
		while (workers.length < WORKERS) workers.push(await server.startWorker({ tarball }));
	}

	/** Publishes the workflows of a fleet, as n8n's `publish:workflow` does; n8n must be stopped. */
	async publish({ kind, first, size }: Variant): Promise<void> {
		await this.database.query(
			`UPDATE workflow_entity SET "active" = true, "activeVersionId" = "versionId"
			WHERE "id" BETWEEN '${workflowId(kind, first)}' AND '${workflowId(kind, first + size - 1)}'`,
		);
	}

	/** Starts n8n; returns the seconds until it responds, and until all published workflows are active. */
	async start(
		size: number,
		willBeKilled = false,
	): Promise<{ serves: number; isActive: number | null }> {
		const began = Date.now();
		const timeout = willBeKilled ? KILLED_TIMEOUT_MS : ACTIVE_TIMEOUT_MS;
		const last = await this.database.number(
			'SELECT COALESCE(MAX("id"), 0) FROM workflow_publication_outbox',
		);
		await this.server.start();
		const serves = secondsSince(began);
		const done = `SELECT COUNT(*) FROM workflow_publication_outbox WHERE "id" > ${last} AND "status" = 'completed'`;
		while ((await this.database.number(done)) < size) {
			if (Date.now() - began > timeout) return { serves, isActive: null };
			await sleep(250);
		}
		return { serves, isActive: secondsSince(began) };
	}

	usage(): SiteUsage {
		const main = usageOf(this.server.pid);
		const workers = this.workers.map(({ pid }) => usageOf(pid));
		return { n8n: sum([main, ...workers]), main, database: usageOfNamed('postgres') };
	}

	/** Size of the database in bytes. */
	async size(): Promise<number> {
		return await this.database.number(this.sizeQuery);
	}

	async stop(): Promise<void> {
		this.database.close();
		// A graceful shutdown would be of no use and takes time
		await this.server.kill();
		await Promise.all(this.workers.map(async (worker) => await worker.stop()));
		await this.server.stop();
		await this.close();
	}
}

const SQLITE_SIZE = 'SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()';
const POSTGRES_SIZE = 'SELECT pg_database_size(current_database())';

/** Creates a user folder with SQLite and the workflows of all kinds, as a template for many sites. */
export async function makeTemplate(ground: Ground): Promise<string> {
	const userFolder = temporaryFolder('search-visibility-fleet-');
	const server = await startN8n({ userFolder, tarball: ground.tarball, log: () => undefined });
	await fill(server, ground, KINDS);
	await server.stop();
	return userFolder;
}

/** Imports a workflow and a credential for each workspace. */
async function fill(
	server: N8nServer,
	{ sandbox: { url, apiKeys: keys } }: Ground,
	kinds: readonly Kind[],
): Promise<void> {
	const members = kinds.flatMap((kind) =>
		keys.map((key, workspace) => memberOf(kind, workspace, url, key)),
	);
	const folder = join(server.userFolder, 'import');
	mkdirSync(folder);
	const input = (name: string, content: unknown) => {
		const file = join(folder, `${name}.json`);
		writeFileSync(file, JSON.stringify(content));
		return `--input=${file}`;
	};
	const credentials = input(
		'credentials',
		members.map(({ credential }) => credential),
	);
	const workflows = input(
		'workflows',
		members.map(({ workflow }) => workflow),
	);
	await server.run('import:credentials', credentials);
	await server.run('import:workflow', workflows);
	removeFolder(folder);
}

const secondsSince = (moment: number) => (Date.now() - moment) / 1000;
