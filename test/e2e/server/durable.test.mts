import { afterAll, beforeAll, expect, it } from 'vitest';

import type { N8nServer } from '../../n8n/server.mts';
import { startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import { discoverFew, discoverMuch } from './discoveries.mts';
import { startServer } from './helpers.mts';
import { POLL_TIMEOUT_MS, Watch } from './watch.mts';

/** n8n's newer way to keep a trigger's state, which is off by default. */
const DURABLE = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
};

let server: N8nServer;
let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ seed: { citedPage: 230, question: 40 } });
	server = await startServer(DURABLE);
});
afterAll(async () => {
	await server?.stop();
	await sandbox?.close();
});

it(
	'with the durable scheduler, each record starts one execution, even after a crash',
	{ timeout: 10 * 60_000 },
	async () => {
		const began = Date.now();
		const watch = await Watch.over(server, sandbox);
		const due: string[] = [];
		const expectStarted = async () =>
			expect((await watch.startedWith(due)).sort()).toEqual([...due].sort());

		await watch.publish();
		await watch.nextPoll();
		expect(await watch.executions()).toEqual([]);
		// n8n now keeps the state elsewhere, so the settings above had their effect
		expect(await watch.state()).toBeNull();

		due.push(...discoverMuch(sandbox));
		await watch.nextPoll();
		await expectStarted();

		due.push(...discoverFew(sandbox));
		sandbox.setLatency(3000);
		await watch.pollBegun();
		await server.kill();
		sandbox.setLatency(0);
		due.push(...discoverFew(sandbox));
		await server.start();
		await watch.nextPoll();
		await expectStarted();
		// One event is refused: the others go on, none of its records is lost, and the failure is shown
		const match = { path: '/v1/people-also-ask', times: null };
		sandbox.fault({ kind: 'status', status: 403, match });
		const held = sandbox.discover.question();
		due.push(sandbox.discover.citedPage().id);
		expect((await watch.startedWith(due, POLL_TIMEOUT_MS)).sort()).toEqual([...due].sort());
		const failure = await watch.failureAfter(0);
		expect(failure.data.resultData.error).toMatchObject({
			message: expect.stringContaining('does not have permission'),
		});
		sandbox.clearFaults();
		due.push(held.id);
		expect((await watch.startedWith(due, POLL_TIMEOUT_MS)).sort()).toEqual([...due].sort());
		console.log(`Durable scheduler: ${Math.round((Date.now() - began) / 1000)} s`);
	},
);
