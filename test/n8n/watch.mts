import { expect } from 'vitest';

import type { Sandbox } from '../sandbox/sandbox.mts';
import type { N8nClient } from './client.mts';
import { credentialsFor, inARow, node, outputOf, TRIGGER, until } from './helpers.mts';
import type { N8nServer } from './server.mts';

/** n8n polls once a minute, at a second that it chooses. */
export const POLL_TIMEOUT_MS = 75_000;
/** How long an answer takes, so that n8n can be killed while waiting for it. */
const KILL_LATENCY_MS = 3000;

const TWO_DAYS = 2 * 24 * 60 * 60 * 1000;

export type Watch = Awaited<ReturnType<typeof watchOver>>;

/** Publishes a workflow that the trigger starts with the cited pages and questions of a sandbox. */
export async function watchOver(server: N8nClient, sandbox: Sandbox) {
	const parameters = {
		pollTimes: { item: [{ mode: 'everyMinute' }] },
		events: ['citedPage', 'question'],
	};
	const then = node('Then', 'n8n-nodes-base.noOp');
	const workflow = inARow('Watch', [node('Trigger', TRIGGER, parameters), then]);
	const credentialIds = await credentialsFor(server, sandbox);
	const workflowId = await server.importWorkflow(workflow, { credentialIds });
	await server.publish(workflowId);
	/** The IDs of the records that must have started the workflow so far */
	const due: string[] = [];

	/** Adds what a typical minute brings. */
	function discoverFew(): void {
		const { citedPage, question } = sandbox.discover;
		const firstSeenAt = new Date(Date.now() - TWO_DAYS).toISOString();
		due.push(citedPage().id, citedPage({ firstSeenAt }).id, question().id);
	}

	/** Kills n8n in the middle of a poll and starts it again; records appear before and meanwhile. */
	async function killInPoll(server: N8nServer): Promise<void> {
		discoverFew();
		sandbox.setLatency(KILL_LATENCY_MS);
		const before = sandbox.requests.length;
		const hasBegun = () => sandbox.requests.length > before;
		await until('the beginning of a poll', hasBegun, POLL_TIMEOUT_MS);
		await server.kill();
		sandbox.setLatency(0);
		discoverFew();
		await server.start();
	}

	/** The executions started by polls, oldest first, with their data. */
	async function executions() {
		const { results } = await server.executions(workflowId);
		const started = results.filter(({ mode }) => mode !== 'manual').reverse();
		return await Promise.all(started.map(({ id }) => server.execution(id)));
	}

	/** Everything that is due starts the workflow once, and nothing else does. */
	async function expectStarted(timeout = POLL_TIMEOUT_MS): Promise<void> {
		const started = async () => {
			const ids = (await executions()).flatMap((one) => outputOf(one, 'Then').map(({ id }) => id));
			return ids.sort();
		};
		await expect.poll(started, { timeout, interval: 500 }).toEqual([...due].sort());
	}

	return { workflowId, discoverFew, killInPoll, executions, expectStarted };
}
