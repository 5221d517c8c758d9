import { createRequire } from 'node:module';
import type { INodeParameters } from 'n8n-workflow';
import { beforeAll, describe, expect, it } from 'vitest';

import { run, triggerOf } from '../../engine/engine.mts';
import type { Sandbox } from '../sandbox.mts';
import { schema } from '../schema.mts';
import { openStore } from '../store.mts';
import { kept, log, openSandbox } from '../../n8n/helpers.mts';
import { ensureN8n } from '../../n8n/install.mts';
import { openServerStore } from './serverStore.mts';
import { startPostgres } from '../../n8n/services.mts';

/*
 * The sandbox keeps its records in an embedded PostgreSQL. On a PostgreSQL server, with the same records, the nodes must
 * give the same: every list whole, the same sums, and every new record once.
 */

const SEED = {
	keyword: 850,
	question: 800,
	backlink: 1200,
	citedPage: 1000,
	forumOpportunity: 300,
};

let embedded: Sandbox;
let onServer: Sandbox;

beforeAll(async () => {
	const postgres = kept(await startPostgres());
	const { n8nBin } = await ensureN8n(log);
	const pg = createRequire(n8nBin).resolve('pg');
	const { store } = kept(openServerStore(pg, postgres.port, schema));
	for (const one of [store, await openStore()]) log(JSON.stringify(one.query('SELECT version()')));
	const options = { seed: SEED, now: new Date() };
	embedded = await openSandbox(options);
	onServer = await openSandbox({ ...options, store });
});

const LISTS = [
	{ resource: 'keyword', operation: 'getAll', type: 'all', filters: { sortBy: 'compositeScore' } },
	{ resource: 'keyword', operation: 'getAll', type: 'all', filters: { sortBy: 'aiScore' } },
	{ resource: 'backlink', operation: 'getAll' },
	{ resource: 'question', operation: 'getAll' },
	{ resource: 'citedPage', operation: 'getAll' },
	{ resource: 'forumOpportunity', operation: 'getAll' },
	{ resource: 'action', operation: 'getAll' },
	{ resource: 'competitor', operation: 'getAll' },
];

async function runIn(sandbox: Sandbox, parameters: INodeParameters) {
	const { error, json } = await run(sandbox, { parameters });
	expect(error?.message).toBeUndefined();
	return json;
}

describe('embedded and server agree', () => {
	it.each(LISTS)('in the list %j', async (parameters) => {
		const listed = async (sandbox: Sandbox) => {
			const all = await runIn(sandbox, { ...parameters, returnAll: true });
			expect(sandbox.responseViolations).toEqual([]);
			return all.map((record) => JSON.stringify(record)).sort();
		};
		const records = await listed(onServer);
		expect(records.length).toBeGreaterThan(0);
		expect(new Set(records).size).toBe(records.length);
		expect(records).toEqual(await listed(embedded));
	});

	it('in the summary of cited pages', async () => {
		const parameters = { resource: 'citedPage', operation: 'summarize' };
		expect(await runIn(onServer, parameters)).toEqual(await runIn(embedded, parameters));
	});

	it('in what starts a workflow when a night brings records of one time', async () => {
		const night = new Date(Date.now() - 60_000).toISOString();
		for (const sandbox of [onServer, embedded]) {
			const trigger = triggerOf(sandbox, { events: ['citedPage', 'question', 'backlink'] });
			expect((await trigger.poll()) ?? [[]]).toEqual([[]]);
			const { discover } = sandbox;
			const due = Array.from({ length: 150 }, () => [
				discover.citedPage({ firstSeenAt: night }).id,
				discover.backlink({ firstSeen: night }).id,
			]).flat();
			due.push(...Array.from({ length: 30 }, () => discover.question({ createdAt: night }).id));
			const started: unknown[] = [];
			// What one poll could not read completely comes with the next ones
			for (let poll = 0; poll < 5; poll++) {
				started.push(...((await trigger.poll()) ?? []).flat().map(({ json }) => json.id));
			}
			expect(started.sort()).toEqual(due.sort());
		}
	});
});
