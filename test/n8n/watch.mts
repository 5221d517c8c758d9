import type { INodeParameters } from 'n8n-workflow';
import { expect } from 'vitest';

import { defined, itemAt } from '../defined.mts';
import type { Execution, N8nClient, WorkflowNode } from './client.mts';
import type { LoggedRequest, Sandbox } from '../sandbox/sandbox.mts';
import {
	CREDENTIAL,
	credentialsFor,
	inARow,
	NO_OP,
	node,
	outputOf,
	to,
	TRIGGER,
	until,
} from './helpers.mts';
import type { N8nServer } from './server.mts';

/** n8n polls at most once a minute, at a second that it chooses. */
export const POLL_TIMEOUT_MS = 75_000;
/** From the last answer of a poll until n8n has finished with it; the pauses within a poll are shorter. */
const SETTLE_MS = 2000;
/** Longer than any answer takes in these tests. */
const CUT_MS = 15_000;
/** How long an answer takes, so that n8n can be killed while waiting for it. */
const KILL_LATENCY_MS = 3000;
const POLLED = new Set(['/v1/ai-visibility/citations', '/v1/people-also-ask']);

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const inTime = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();

/** A trigger that polls every minute. */
export const trigger = (name: string, parameters: INodeParameters = {}): WorkflowNode =>
	node(name, TRIGGER, { pollTimes: { item: [{ mode: 'everyMinute' }] }, ...parameters });

/** A workflow that the trigger starts, and the sandbox that it watches. */
export class Watch {
	/** The IDs of the records that must have started the workflow so far */
	readonly due: string[] = [];

	private constructor(
		private readonly server: N8nClient,
		public sandbox: Sandbox,
		readonly workflowId: string,
		private readonly credentialId: string,
	) {}

	/** Saves the workflow without publishing it. */
	static async over(
		server: N8nClient,
		sandbox: Sandbox,
		triggers = [trigger('Trigger', { events: ['citedPage', 'question'] })],
	): Promise<Watch> {
		const row = inARow('Watch', [...triggers, node('Then', NO_OP)]);
		const then = { main: [to(itemAt(row.nodes, -1))] };
		const connections = Object.fromEntries(triggers.map(({ name }) => [name, then]));
		const credentialIds = await credentialsFor(server, sandbox);
		const workflowId = await server.importWorkflow({ ...row, connections }, { credentialIds });
		return new Watch(server, sandbox, workflowId, credentialIds[CREDENTIAL]);
	}

	/** Changes parameters of a trigger and publishes the workflow, as a user does. */
	async change(parameters: INodeParameters, name = 'Trigger'): Promise<void> {
		const path = `/workflows/${this.workflowId}`;
		const { nodes } = await this.server.rest<{ nodes: WorkflowNode[] }>('GET', path);
		const changed = defined(nodes.find((one) => one.name === name));
		Object.assign(changed.parameters as INodeParameters, parameters);
		await this.server.rest('PATCH', path, { nodes });
		await this.publish();
	}

	/** Enters the address of another service in the credential. */
	async moveTo(sandbox: Sandbox): Promise<void> {
		const data = { baseUrl: sandbox.url, apiKey: sandbox.apiKey };
		const credential = { name: 'Search Visibility API', type: CREDENTIAL, data };
		await this.server.rest('PATCH', `/credentials/${this.credentialId}`, credential);
		this.sandbox = sandbox;
	}

	async publish(): Promise<void> {
		await this.server.publish(this.workflowId);
	}

	async unpublish(): Promise<void> {
		await this.server.unpublish(this.workflowId);
	}

	/** What n8n stores with the workflow; null if nothing. */
	async state(): Promise<unknown> {
		const path = `/workflows/${this.workflowId}`;
		return (await this.server.rest<{ staticData: unknown }>('GET', path)).staticData;
	}

	/** "Fetch test event", as requested by the editor. */
	async fetchTestEvent(): Promise<Execution> {
		return await this.server.runManually(this.workflowId, {
			triggerToStartFrom: { name: 'Trigger' },
		});
	}

	/** Adds a page, or a question, that is due. */
	discover(kind: 'citedPage' | 'question', values: object = {}): string {
		const { id } = this.sandbox.discover[kind](values);
		this.due.push(id);
		return id;
	}

	/** Adds what a typical minute brings. */
	discoverFew(): void {
		this.discover('citedPage');
		this.discover('citedPage', { firstSeenAt: inTime(-2 * DAY) });
		this.discover('question');
	}

	/** Adds everything that breaks triggers, all at once; the look-back is three days. */
	discoverMuch(): void {
		const firstSeenAt = inTime(-HOUR);
		// More than a page with the same time
		for (let count = 0; count < 120; count++) this.discover('citedPage', { firstSeenAt });
		this.discover('citedPage');
		this.discover('question');
		this.discover('question', { status: 'processed' });
		// Late, but within the look-back
		this.discover('citedPage', { firstSeenAt: inTime(-2 * DAY), lastSeenAt: inTime(-DAY) });
		this.discover('question', { createdAt: inTime(-2 * DAY) });
		// A date in the future must not hide what comes after it
		this.discover('citedPage', { firstSeenAt: inTime(DAY) });
		this.discover('question', { createdAt: inTime(DAY) });
		// Before the look-back, so not new
		const { citedPage, question } = this.sandbox.discover;
		citedPage({ firstSeenAt: inTime(-30 * DAY), lastSeenAt: inTime(0) });
		question({ createdAt: inTime(-30 * DAY) });
	}

	/** Kills n8n in the middle of a poll and starts it again; records appear before and meanwhile. */
	async killInPoll(server: N8nServer): Promise<void> {
		this.discoverFew();
		this.sandbox.setLatency(KILL_LATENCY_MS);
		await this.pollBegun();
		await server.kill();
		this.sandbox.setLatency(0);
		this.discoverFew();
		await server.start();
	}

	/** Waits for a whole poll that starts from now on, and for n8n to finish with it. */
	async nextPoll(): Promise<void> {
		await this.pollBegun();
		await until('the end of a poll', () => this.isIdle(), POLL_TIMEOUT_MS);
	}

	/** Waits until a poll that starts from now on is under way. */
	private async pollBegun(): Promise<void> {
		await until('the end of a poll', () => this.isIdle(), POLL_TIMEOUT_MS);
		const before = this.reads().length;
		const hasBegun = () => this.reads().length > before;
		await until('the beginning of a poll', hasBegun, POLL_TIMEOUT_MS);
	}

	/** The requests of all polls. Which lists and pages a poll reads is not the concern of these tests. */
	private reads(): LoggedRequest[] {
		return this.sandbox.requests.filter(({ method, path }) => method === 'GET' && POLLED.has(path));
	}

	private isIdle(): boolean {
		const reads = this.reads();
		const last = Math.max(0, ...reads.map(({ time }) => time));
		// A request of an n8n that was killed stays without an answer
		const isOver = ({ status, time }: LoggedRequest) =>
			status !== null || time < Date.now() - CUT_MS;
		return Date.now() - last > SETTLE_MS && reads.every(isOver);
	}

	/** The executions started by polls, oldest first, with their data. */
	async executions(): Promise<Execution[]> {
		const all = await this.server.executions(this.workflowId);
		const started = all.filter(({ mode }) => mode !== 'manual').reverse();
		return await Promise.all(started.map(({ id }) => this.server.execution(id)));
	}

	async failures(): Promise<Execution[]> {
		return (await this.executions()).filter(({ status }) => status === 'error');
	}

	/** Waits for one more failed execution than `count`; returns the newest. */
	async failureAfter(count: number): Promise<Execution> {
		const hasFailed = async () => (await this.failures()).length > count;
		await until('a failed execution', hasFailed, POLL_TIMEOUT_MS);
		return itemAt(await this.failures(), count);
	}

	/** The IDs that have reached the last node of the workflow so far. */
	async started(): Promise<string[]> {
		const executions = await this.executions();
		return executions.flatMap((one) => outputOf(one, 'Then').map(({ id }) => String(id)));
	}

	/** Waits until everything that is due has gone through the workflow. */
	async allStarted(timeoutMs = POLL_TIMEOUT_MS): Promise<void> {
		const isThere = async () => {
			const started = await this.started();
			return started.length >= this.due.length && this.due.every((id) => started.includes(id));
		};
		await until('executions', isThere, timeoutMs);
	}

	/** Everything that is due starts the workflow once, and nothing else does. */
	async expectStarted(timeoutMs = POLL_TIMEOUT_MS): Promise<void> {
		// The comparison shows what is missing better than a time-out
		await this.allStarted(timeoutMs).catch(() => undefined);
		expect((await this.started()).sort()).toEqual([...this.due].sort());
	}
}
