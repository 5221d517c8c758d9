import { beforeAll, expect, it } from 'vitest';

import { openSandbox, SEED, startServer } from './helpers.mts';
import type { N8nServer } from './server.mts';
import { Watch } from './watch.mts';

let server: N8nServer;

beforeAll(async () => {
	server = await startServer();
});

it(
	'starts the workflow once for each record, also after a kill',
	{ timeout: 600_000 },
	async () => {
		const watch = await Watch.over(server, await openSandbox({ seed: SEED }));
		await watch.publish();
		// n8n does not store what the poll at publishing remembers, so this is the first one
		await watch.nextPoll();
		expect(await watch.executions()).toEqual([]);
		// The durable scheduler keeps the memory elsewhere
		expect(await watch.state()).toBeNull();

		watch.discoverMuch();
		await watch.nextPoll();
		await watch.expectStarted();

		await watch.killInPoll(server);
		await watch.nextPoll();
		await watch.expectStarted();
	},
);
