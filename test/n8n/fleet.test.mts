import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';

import { itemAt } from '../defined.mts';
import { discoverers } from '../sandbox/discover.mts';
import type { Sandbox } from '../sandbox/sandbox.mts';
import type { Execution } from './client.mts';
import {
	atATime,
	credentialsFor,
	inARow,
	NO_OP,
	node,
	openSandbox,
	reached,
	startServer,
	uniqueKey,
	until,
} from './helpers.mts';
import type { N8nServer } from './server.mts';
import { trigger } from './watch.mts';

/*
 * Many published triggers in one n8n, each with its own workspace, which is killed in the middle: none stops, and each
 * new record starts one execution.
 */

const SIZE = Number(process.env.FLEET ?? 300);
/** Records that appear before and after the kill. */
const RECORDS = SIZE;
const AT_ONCE = 5;
/** How long n8n may take until it polls again after its start, and then to get to all triggers. */
const PATIENCE_MS = 5 * 60_000;
const MINUTE = 60_000;

let server: N8nServer;
let sandbox: Sandbox;
/** The workflow of each workspace */
const workflowIds: string[] = [];
/** The records that must start a workflow: the IDs of both */
const due: string[] = [];

beforeAll(async () => {
	const apiKeys = Array.from({ length: SIZE }, uniqueKey);
	sandbox = await openSandbox({ apiKeys, empty: true, seed: { citedPage: 40, question: 20 } });
	server = await startServer({
		// More than executions exist, so that none is pruned
		EXECUTIONS_DATA_PRUNE_MAX_COUNT: '0',
	});
});

async function publish(workspace: number): Promise<void> {
	const apiKey = itemAt(sandbox.apiKeys, workspace);
	const credentialIds = await credentialsFor(server, { url: sandbox.url, apiKey });
	const workflow = inARow(`Workspace ${workspace}`, [trigger('Trigger'), node('Then', NO_OP)]);
	const id = await server.importWorkflow(workflow, { credentialIds });
	await server.publish(id);
	workflowIds[workspace] = id;
}

/** Adds records to workspaces at random for a minute. */
async function discover(): Promise<void> {
	for (let count = 0; count < RECORDS; count++) {
		const workspace = Math.floor(Math.random() * SIZE);
		const kind = count % 2 === 0 ? 'citedPage' : 'question';
		const { id } = discoverers[kind](itemAt(sandbox.states, workspace));
		due.push(`${workflowIds[workspace]} ${id}`);
		await sleep(MINUTE / RECORDS);
	}
}

const recordsIn = (executions: Execution[]): string[] =>
	executions.flatMap((one) => reached(one, 'Then').map(({ id }) => `${one.workflowId} ${id}`));

it(
	`${SIZE} triggers in one n8n, killed in the middle: each new record starts its workflow once`,
	{ timeout: 40 * MINUTE },
	async () => {
		const workspaces = Array.from({ length: SIZE }, (_, workspace) => workspace);
		await atATime(AT_ONCE, workspaces, publish);
		await discover();
		await server.kill();
		const discovering = discover();
		await server.start();
		await discovering;
		let executions: Execution[] = [];
		let records: string[] = [];
		const isOver = async () => {
			await sleep(10_000);
			executions = await server.allExecutions();
			records = recordsIn(executions);
			return due.every((one) => records.includes(one));
		};
		// The comparison shows what is missing
		await until('all records', isOver, PATIENCE_MS).catch(() => undefined);
		console.log(`Fleet: ${SIZE} triggers, ${due.length} records, ${records.length} started`);
		expect(records.sort()).toEqual([...due].sort());
		const failed = executions.filter(({ status }) => status === 'error');
		expect(failed.map(({ data }) => data.resultData.error?.message)).toEqual([]);
		const since = Date.now() - 2 * MINUTE;
		const polled = sandbox.requests.filter(({ time }) => time > since);
		expect(new Set(polled.map(({ workspace }) => workspace)).size).toBe(SIZE);
		expect(sandbox.responseViolations).toEqual([]);
	},
);
