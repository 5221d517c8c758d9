import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';

import type { FaultSpec, Sandbox } from '../sandbox/sandbox.mts';
import { openSandbox, SEED, startServer } from './helpers.mts';
import type { N8nServer } from './server.mts';
import { Watch } from './watch.mts';
import { Writing } from './writing.mts';

/* Load, all troubles of a service twice, and a kill between them: n8n and the service must agree in the end. */

const MINUTES = Number(process.env.SOAK_MINUTES ?? 4);
const PER_SECOND = 4;
const POLL_TIMEOUT_MS = 3 * 60_000;
const END_TIMEOUT_MS = 3 * 60_000;

/** Hits every third request, so that retries have a chance. */
const everyThird = (fault: FaultSpec) => (): void => {
	for (let hit = 1; hit <= 200; hit++) sandbox.fault({ ...fault, match: { nth: 3 * hit } });
};

const TROUBLES: Array<() => void> = [
	() => sandbox.setRateLimit({ perSecond: 8, retryAfter: 1 }),
	everyThird({ kind: 'status', status: 503, headers: { 'Retry-After': '1' } }),
	everyThird({ kind: 'cutBefore' }),
	() => sandbox.setLatency(1500),
	everyThird({ kind: 'cutAfter' }),
	everyThird({ kind: 'status', status: 500 }),
	() => void sandbox.fault({ kind: 'status', status: 502, match: { times: null } }),
];
const TROUBLE_MS = (MINUTES * 60_000) / (2 * TROUBLES.length);

let sandbox: Sandbox;
let server: N8nServer;

beforeAll(async () => {
	sandbox = await openSandbox({ seed: SEED });
	server = await startServer();
});

async function allTroubles(watch: Watch): Promise<void> {
	for (const begin of TROUBLES) {
		begin();
		watch.discoverFew();
		await sleep(TROUBLE_MS);
		sandbox.clearFaults();
		sandbox.setLatency(0);
		sandbox.setRateLimit(null);
	}
}

it(
	`${MINUTES} minutes of load, troubles and a kill: n8n and the service agree`,
	{ timeout: (MINUTES + 15) * 60_000 },
	async () => {
		const writing = await Writing.publish(server, sandbox);
		const watch = await Watch.over(server, sandbox);
		await watch.publish();
		let goesOn = true;
		const load = writing.callAll(PER_SECOND, () => goesOn);
		await allTroubles(watch);
		await watch.allStarted(POLL_TIMEOUT_MS);
		await watch.killInPoll(server);
		await allTroubles(watch);
		goesOn = false;
		await load;
		const { calls, lost, unclear, succeeded } = await writing.audit(watch, END_TIMEOUT_MS);
		const faults = new Set(sandbox.requests.map(({ fault }) => fault));
		// The run shows something only if all this has occurred
		expect([...faults]).toEqual(
			expect.arrayContaining(['status', 'cutBefore', 'cutAfter', 'rateLimit']),
		);
		expect(lost).toBeGreaterThan(0);
		expect(unclear).toBeGreaterThan(0);
		expect(succeeded).toBeGreaterThan(calls / 2);
	},
);
