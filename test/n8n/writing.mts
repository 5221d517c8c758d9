import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';

import type { LoggedRequest, Sandbox } from '../sandbox/sandbox.mts';
import type { Execution } from './client.mts';
import {
	ACTIONS,
	call,
	credentialsFor,
	inARow,
	node,
	outputOf,
	reached,
	until,
	webhook,
	type Json,
} from './helpers.mts';
import type { N8nServer } from './server.mts';
import type { Watch } from './watch.mts';

/* A workflow that writes, called many times, and whether n8n's report of it agrees with what the service holds. */

const PATH = 'writes';
const ACTIONS_PATH = '/v1/actions';

/** One webhook call to n8n. */
interface Call {
	number: number;
	/** Whether n8n said that it accepted it */
	isTaken: boolean;
}

/** What it creates has the ID of its execution as its title. The contract lets only the action not be repeated. */
const WORKFLOW = inARow('Writes', [
	webhook(PATH),
	node('Action', ACTIONS, {
		resource: 'action',
		operation: 'create',
		type: 'other',
		title: '=Execution {{ $execution.id }}',
	}),
	node('Keyword', ACTIONS, {
		resource: 'keyword',
		operation: 'create',
		keywords: '=execution {{ $execution.id }}',
	}),
]);

/** The published workflow, and all calls so far. */
export class Writing {
	readonly calls: Call[] = [];

	private constructor(
		private readonly server: N8nServer,
		private readonly sandbox: Sandbox,
		readonly workflowId: string,
	) {}

	static async publish(server: N8nServer, sandbox: Sandbox): Promise<Writing> {
		const credentialIds = await credentialsFor(server, sandbox);
		const workflowId = await server.importWorkflow(WORKFLOW, { credentialIds });
		await server.publish(workflowId);
		return new Writing(server, sandbox, workflowId);
	}

	/** Calls the workflow at a steady pace while `goesOn`; n8n answers as soon as it has accepted a call. */
	async callAll(perSecond: number, goesOn: () => boolean): Promise<void> {
		const underWay: Array<Promise<void>> = [];
		while (goesOn()) {
			underWay.push(this.call());
			await sleep(1000 / perSecond);
		}
		await Promise.all(underWay);
	}

	private async call(): Promise<void> {
		const one: Call = { number: this.calls.length, isTaken: false };
		this.calls.push(one);
		try {
			const response = await call(this.server, PATH, { number: one.number });
			// While it starts, n8n answers everything with a success and "n8n is starting up"
			one.isTaken = (await response.text()).includes('Workflow was started');
		} catch {
			// n8n was killed; the audit shows whether it accepted the call
		}
	}

	/** Whether all executions have ended, and n8n gives all of them out with their data. */
	private async isOver(): Promise<boolean> {
		const { server, workflowId } = this;
		const underWay = ['new', 'running', 'waiting'];
		if ((await server.countExecutions(workflowId, underWay)) > 0) return false;
		const count = await server.countExecutions(workflowId);
		return (await server.allExecutions(workflowId, false)).length === count;
	}

	/**
	 * Waits for the end of everything. What n8n says about all executions must agree with the requests and records of
	 * the service, and everything that is due must have started the workflow of the trigger once.
	 */
	async audit(watch: Watch, timeoutMs: number): Promise<Audit> {
		await until('the end of all executions', () => this.isOver(), timeoutMs);
		await watch.allStarted(timeoutMs);
		// Everything due has started, so this poll must not start anything
		await watch.nextPoll();
		await watch.expectStarted();
		const executions = await this.server.allExecutions(this.workflowId);
		const failed = executions.filter(({ status }) => status !== 'success');
		const audit = {
			calls: this.calls.length,
			succeeded: executions.length - failed.length,
			lost: failed.filter(isLost).length,
			unclear: failed.filter((one) => MAY_BE_DONE.test(wordsOf(one))).length,
		};
		console.log(JSON.stringify(audit));
		const wrong = executions.flatMap((one) =>
			judge(one, tracesOf(one.id, this.sandbox)).map((words) => `${one.id}: ${words}`),
		);
		expect([...this.unmatched(executions), ...wrong]).toEqual([]);
		expect(this.sandbox.responseViolations).toEqual([]);
		return { ...audit, others: failed.filter((one) => !isLost(one)).map(wordsOf) };
	}

	/** Each call that n8n accepted has one execution; a call that broke has at most one. */
	private unmatched(executions: Execution[]): string[] {
		const numbers = executions.map(numberOf).filter((one) => one !== undefined);
		const twice = numbers.filter((one, index) => numbers.indexOf(one) !== index);
		const missing = this.calls.filter((call) => call.isTaken && !numbers.includes(call.number));
		// The executions of a killed process have no data, so they do not show their call
		const unnamed = executions.length - numbers.length;
		return [
			...twice.map((number) => `call ${number} has several executions`),
			...(missing.length > unnamed ? [`${missing.length} calls, but ${unnamed} without data`] : []),
		];
	}
}

export interface Audit {
	calls: number;
	succeeded: number;
	/** Executions that n8n lost with the process that ran them */
	lost: number;
	/** Those whose error says that the work may have been done */
	unclear: number;
	/** What n8n says about those that failed and were not lost */
	others: string[];
}

/** What the service knows about one execution. */
interface Traces {
	actions: Json[];
	keywords: number;
	/** How often the action was sent without being refused */
	sent: number;
}

const MAY_BE_DONE = /may have done the work/;

function tracesOf(id: string, { state, requests }: Sandbox): Traces {
	const title = `Execution ${id}`;
	const isSent = ({ method, path, body, status }: LoggedRequest) =>
		method === 'POST' &&
		path === ACTIONS_PATH &&
		(body as Json | undefined)?.title === title &&
		// The 503 of these tests has a Retry-After
		![429, 503].includes(status ?? 0);
	return {
		actions: state.all('action', { title }),
		keywords: state.all('keyword', { keyword: title.toLowerCase() }).length,
		sent: requests.filter(isSent).length,
	};
}

/** The number of the call that an execution answered; undefined if n8n has no data. */
const numberOf = (execution: Execution): number | undefined =>
	reached(execution, 'Webhook')[0]?.body?.number;

/** @returns what does not agree: nothing is done twice, a success has done everything, a failure hides nothing */
function judge(execution: Execution, { actions, keywords, sent }: Traces): string[] {
	const wrong: string[] = [];
	if (sent > 1) wrong.push(`the action was sent ${sent} times`);
	if (Math.max(actions.length, keywords) > 1) wrong.push('something exists twice');
	const [action] = outputOf(execution, 'Action');
	if (execution.status === 'success') {
		if (action?.id !== actions[0]?.id || !actions[0]) wrong.push('it reports another action');
		if (keywords !== 1) wrong.push('there is no keyword');
	} else if (!isLost(execution) && actions.length > 0 && !action) {
		const words = wordsOf(execution);
		if (!MAY_BE_DONE.test(words)) wrong.push(`there is an action, but the error says: ${words}`);
	}
	return wrong;
}

const isLost = ({ data, status }: Execution): boolean =>
	status === 'crashed' || /too many times/.test(data.resultData.error?.message ?? '');

function wordsOf({ data }: Execution): string {
	const { message = '', description } = data.resultData.error ?? {};
	return [message, description].filter(Boolean).join('. ');
}
