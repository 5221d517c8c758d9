import type { INodeParameters } from 'n8n-workflow';
import { expect } from 'vitest';

import type { Sandbox } from '../sandbox/sandbox.mts';
import type { Execution, N8nClient } from './client.mts';
import { credentialsFor, inARow, node, outputOf, TRIGGER, until } from './helpers.mts';
import type { N8nServer } from './server.mts';

/** n8n polls once a minute, at a second that it chooses. */
export const POLL_TIMEOUT_MS = 75_000;
/** How long an answer takes, so that n8n can be killed while waiting for it. */
const KILL_LATENCY_MS = 3000;

const DAY = 24 * 60 * 60 * 1000;
const inTime = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();

/** A workflow that the trigger starts with cited pages and questions, and the sandbox that it watches. */
export class Watch {
	/** The IDs of the records that must have started the workflow so far */
	readonly due: string[] = [];

	private constructor(
		private readonly server: N8nClient,
		readonly sandbox: Sandbox,
		readonly workflowId: string,
	) {}

	/** Saves the workflow without publishing it. */
	static async over(server: N8nClient, sandbox: Sandbox): Promise<Watch> {
		const parameters: INodeParameters = {
			pollTimes: { item: [{ mode: 'everyMinute' }] },
			events: ['citedPage', 'question'],
		};
		const then = node('Then', 'n8n-nodes-base.noOp');
		const workflow = inARow('Watch', [node('Trigger', TRIGGER, parameters), then]);
		const credentialIds = await credentialsFor(server, sandbox);
		return new Watch(server, sandbox, await server.importWorkflow(workflow, { credentialIds }));
	}

	async publish(): Promise<void> {
		await this.server.publish(this.workflowId);
	}

	/** Adds a page, or a question, that is due. */
	discover(kind: 'citedPage' | 'question', values: object = {}): void {
		this.due.push(this.sandbox.discover[kind](values).id);
	}

	/** Adds what a typical minute brings. */
	discoverFew(): void {
		this.discover('citedPage');
		this.discover('citedPage', { firstSeenAt: inTime(-2 * DAY) });
		this.discover('question');
	}

	/** Kills n8n in the middle of a poll and starts it again; records appear before and meanwhile. */
	async killInPoll(server: N8nServer): Promise<void> {
		const { requests } = this.sandbox;
		this.discoverFew();
		this.sandbox.setLatency(KILL_LATENCY_MS);
		const before = requests.length;
		await until('the beginning of a poll', () => requests.length > before, POLL_TIMEOUT_MS);
		await server.kill();
		this.sandbox.setLatency(0);
		this.discoverFew();
		await server.start();
	}

	/** The executions started by polls, oldest first, with their data. */
	async executions(): Promise<Execution[]> {
		const { results } = await this.server.executions(this.workflowId);
		const started = results.filter(({ mode }) => mode !== 'manual').reverse();
		return await Promise.all(started.map(({ id }) => this.server.execution(id)));
	}

	/** Everything that is due starts the workflow once, and nothing else does. */
	async expectStarted(timeoutMs = POLL_TIMEOUT_MS): Promise<void> {
		const started = async () =>
			(await this.executions()).flatMap((one) => outputOf(one, 'Then').map(({ id }) => id));
		const sorted = async () => (await started()).sort();
		const due = [...this.due].sort();
		await expect.poll(sorted, { timeout: timeoutMs, interval: 500 }).toEqual(due);
	}
}
