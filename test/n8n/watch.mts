import type { INodeParameters } from 'n8n-workflow';

import { itemAt } from '../defined.mts';
import type { Execution, N8nClient, WorkflowNode } from './client.mts';
import type { LoggedRequest, Sandbox } from '../sandbox/sandbox.mts';
import {
	CREDENTIAL,
	credentialsFor,
	inARow,
	NO_OP,
	node,
	outputOf,
	TRIGGER,
	until,
} from './helpers.mts';

/** n8n polls at most once a minute, at a second that it chooses. */
export const POLL_TIMEOUT_MS = 75_000;
/** From the last answer of a poll until n8n has finished with it; the pauses within a poll are shorter. */
const SETTLE_MS = 2000;
/** Longer than any answer takes in these tests. */
const CUT_MS = 15_000;
const START_TIMEOUT_MS = 15_000;

/** A workflow that the trigger starts, and the sandbox that it watches. */
export class Watch {
	private constructor(
		private readonly server: N8nClient,
		readonly sandbox: Sandbox,
		readonly workflowId: string,
		private readonly credentialId: string,
	) {}

	/** Saves the workflow without publishing it; `apiKey` replaces the correct key. */
	static async over(
		server: N8nClient,
		sandbox: Sandbox,
		{ apiKey = sandbox.apiKey, ...parameters }: INodeParameters & { apiKey?: string } = {},
	): Promise<Watch> {
		const trigger = node('Trigger', TRIGGER, {
			pollTimes: { item: [{ mode: 'everyMinute' }] },
			events: ['citedPage', 'question'],
			...parameters,
		});
		const workflow = inARow('Watch', [trigger, node('Then', NO_OP)]);
		const credentialIds = await credentialsFor(server, { url: sandbox.url, apiKey });
		const workflowId = await server.importWorkflow(workflow, { credentialIds });
		return new Watch(server, sandbox, workflowId, credentialIds[CREDENTIAL]);
	}

	/** The same with two triggers in one workflow: one for pages and one for questions. */
	static async withTwoTriggers(server: N8nClient, sandbox: Sandbox): Promise<Watch> {
		const triggerOf = (event: string) =>
			node(event, TRIGGER, { pollTimes: { item: [{ mode: 'everyMinute' }] }, events: [event] });
		const workflow = inARow('Two triggers', [triggerOf('citedPage'), node('Then', NO_OP)]);
		workflow.nodes.push({ ...triggerOf('question'), position: [0, 220] });
		workflow.connections.question = workflow.connections.citedPage;
		const credentialIds = await credentialsFor(server, sandbox);
		const workflowId = await server.importWorkflow(workflow, { credentialIds });
		return new Watch(server, sandbox, workflowId, credentialIds[CREDENTIAL]);
	}

	/** Changes parameters of a trigger and publishes the workflow, as a user does. */
	async change(parameters: INodeParameters, trigger = 'Trigger'): Promise<void> {
		const path = `/workflows/${this.workflowId}`;
		const { nodes } = await this.server.rest<{ nodes: WorkflowNode[] }>('GET', path);
		const changed = nodes.map((one) =>
			one.name === trigger
				? { ...one, parameters: { ...(one.parameters as INodeParameters), ...parameters } }
				: one,
		);
		await this.server.rest('PATCH', path, { nodes: changed });
		await this.publish();
	}

	/** Enters the address of another service in the credential. */
	async moveTo(sandbox: Sandbox): Promise<Watch> {
		const data = { baseUrl: sandbox.url, apiKey: sandbox.apiKey };
		const credential = { name: 'Search Visibility API', type: CREDENTIAL, data };
		await this.server.rest('PATCH', `/credentials/${this.credentialId}`, credential);
		return new Watch(this.server, sandbox, this.workflowId, this.credentialId);
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

	/** Waits for a whole poll that starts from now on, and for n8n to finish with it. */
	async nextPoll(): Promise<void> {
		await this.pollBegun();
		await until('the end of a poll', () => this.isIdle(), POLL_TIMEOUT_MS);
	}

	/** Waits until a poll that starts from now on is under way. */
	async pollBegun(): Promise<void> {
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

	/** Waits until at least these have gone through the workflow; returns all that have. */
	async startedWith(ids: string[], timeoutMs = START_TIMEOUT_MS): Promise<string[]> {
		const isThere = async () => {
			const started = new Set(await this.started());
			return ids.every((id) => started.has(id));
		};
		// The caller's comparison shows what is missing better than a time-out
		await until('executions', isThere, timeoutMs).catch(() => undefined);
		return await this.started();
	}
}

const POLLED = new Set(['/v1/ai-visibility/citations', '/v1/people-also-ask']);
