import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

import { itemAt } from '../defined.mts';
import { present } from '../sandbox/present.mts';
import type { LoggedRequest, Sandbox } from '../sandbox/sandbox.mts';
import type { Execution, WorkflowJson, WorkflowNode } from './client.mts';
import { ACTIONS, credentialsFor, inARow, node, outputOf, webhook, type Json } from './helpers.mts';
import type { N8nServer } from './server.mts';

const ANSWER_TIMEOUT_MS = 60_000;

/** One webhook call to n8n. */
export interface Call {
	number: number;
	workflow: WorkflowName;
	url: string;
	/** Whether n8n said that it accepted it. */
	isTaken: boolean;
}

/**
 * Two workflows that write. Each call creates its own thread, and everything that it creates contains the ID of its
 * execution:
 *
 * - keep: creates a thread, marks it as processed, adds a keyword;
 * - clear: creates a thread and archives it.
 */
export const WORKFLOWS = ['keep', 'clear'] as const;
export type WorkflowName = (typeof WORKFLOWS)[number];

const CREATE: WorkflowNode = node('Create', ACTIONS, {
	resource: 'forumOpportunity',
	operation: 'create',
	title: '=Execution {{ $execution.id }}',
	url: '={{ $json.body.url }}',
});
const createdId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
const ROWS: Record<WorkflowName, WorkflowNode[]> = {
	keep: [
		CREATE,
		node('Process', ACTIONS, {
			resource: 'forumOpportunity',
			operation: 'update',
			forumOpportunityId: createdId,
			status: 'processed',
		}),
		node('Keyword', ACTIONS, {
			resource: 'keyword',
			operation: 'create',
			keywords: '=execution {{ $execution.id }}',
		}),
	],
	clear: [
		CREATE,
		node('Archive', ACTIONS, {
			resource: 'forumOpportunity',
			operation: 'archive',
			forumOpportunityId: createdId,
		}),
	],
};

const workflowOf = (name: WorkflowName): WorkflowJson =>
	inARow(`Writes: ${name}`, [webhook(name), ...ROWS[name]]);

/** The published workflows, and all calls so far. */
export class Writing {
	readonly calls: Call[] = [];

	private constructor(
		readonly server: N8nServer,
		readonly sandbox: Sandbox,
		readonly workflowIds: Record<WorkflowName, string>,
	) {}

	static async publish(server: N8nServer, sandbox: Sandbox): Promise<Writing> {
		const credentialIds = await credentialsFor(server, sandbox);
		const workflowIds: Partial<Record<WorkflowName, string>> = {};
		for (const name of WORKFLOWS) {
			const id = await server.importWorkflow(workflowOf(name), { credentialIds });
			await server.publish(id);
			workflowIds[name] = id;
		}
		return new Writing(server, sandbox, workflowIds as Record<WorkflowName, string>);
	}

	/** Calls this workflow, or by default the two in turn; n8n answers as soon as it has accepted the call. */
	async call(name?: WorkflowName): Promise<Call> {
		const number = this.calls.length;
		const workflow = name ?? itemAt(WORKFLOWS, number % WORKFLOWS.length);
		const url = `https://forum.load.example/${workflow}/${number}`;
		const call: Call = { number, workflow, url, isTaken: false };
		this.calls.push(call);
		call.isTaken = await isTaken(this.server.webhookUrl(workflow), { number, url });
		return call;
	}

	/** Whether all executions have ended. */
	async isOver(): Promise<boolean> {
		const ids = Object.values(this.workflowIds);
		const busy = await Promise.all(ids.map((id) => this.server.isBusy(id)));
		return !busy.includes(true);
	}

	/** Whether n8n returns all executions with their data, as the audit needs them. */
	async isAllListed(): Promise<boolean> {
		for (const id of Object.values(this.workflowIds)) {
			if (!(await this.server.isAllListed(id))) return false;
		}
		return true;
	}
}

async function isTaken(address: string, body: unknown): Promise<boolean> {
	try {
		const response = await fetch(address, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
			signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
		});
		// While it starts, n8n answers everything with a success and "n8n is starting up"
		return response.ok && (await response.text()).includes('Workflow was started');
	} catch {
		// n8n was killed; the audit shows whether it accepted the call
		return false;
	}
}

export interface Pace {
	/** How many start per second; fewer if the work takes longer. */
	perSecond: number;
	/** How many may be under way at the same time. */
	atOnce: number;
	/** Whether to start one more; `started` have started so far. */
	goesOn: (started: number) => boolean;
}

/** Starts work at a steady pace; resolves when all of it is done. */
export async function paced(
	{ perSecond, atOnce, goesOn }: Pace,
	work: () => Promise<unknown>,
): Promise<void> {
	const underWay = new Set<Promise<unknown>>();
	for (let started = 0; goesOn(started); started++) {
		const next = sleep(1000 / perSecond);
		const piece: Promise<unknown> = work().finally(() => underWay.delete(piece));
		underWay.add(piece);
		await next;
		while (underWay.size >= atOnce) await Promise.race(underWay);
	}
	await Promise.all(underWay);
}

/** An execution that did not succeed, and what happened to its work. */
export interface Failure {
	id: string;
	/** Whether n8n lost the process that ran it, with everything that the process knew. */
	isLost: boolean;
	/** Whether its error says that the work may have been done. */
	isUnclear: boolean;
	/** n8n's words for it. */
	words: string;
}

export interface Audit {
	/** Number of executions by status. */
	statuses: Record<string, number>;
	failures: Failure[];
	/** Everything that is not as it must be, in words. */
	wrong: string[];
}

/** What the service knows about one execution. */
interface Traces {
	thread?: ReturnType<typeof present.forumOpportunity> & { isArchived: boolean };
	keywords: number;
	posts: LoggedRequest[];
}

const THREADS = '/v1/forum-opportunities';
const KEYWORDS = '/v1/keywords';
const MAY_BE_DONE = /may have done the work/;
const LATE_FAULTS = ['cutAfter', 'truncated', 'drip'];

/** Compares what n8n says about all executions with the requests and records of the service. */
export async function audit(writing: Writing): Promise<Audit> {
	const { server, sandbox, workflowIds } = writing;
	const executions: Execution[] = [];
	for (const name of WORKFLOWS) {
		executions.push(...(await server.allExecutions(workflowIds[name])));
	}
	const traces = tracesIn(sandbox);
	const wrong = [
		...unexplained(executions, traces),
		...unmatched(executions, writing),
		...executions.flatMap((one) => judge(one, traces.get(one.id)).map((it) => `${one.id}: ${it}`)),
	];
	return {
		statuses: countBy(executions.map(({ status }) => status)),
		failures: executions.filter(({ status }) => status !== 'success').map(failureOf),
		wrong,
	};
}

/** Everything by the ID of the execution that is part of its text. */
function tracesIn({ state, requests }: Sandbox): Map<string, Traces> {
	const traces = new Map<string, Traces>();
	const of = (text: string): Traces | undefined => {
		const id = /^execution (\S+)$/i.exec(text)?.[1];
		if (id === undefined) return undefined;
		const known = traces.get(id) ?? { keywords: 0, posts: [] };
		traces.set(id, known);
		return known;
	};
	for (const thread of state.all('forumOpportunity')) {
		const trace = of(thread.title);
		if (!trace) continue;
		trace.thread = { ...present.forumOpportunity(thread), isArchived: thread.archivedAt !== null };
	}
	for (const { keyword } of state.all('keyword')) {
		const trace = of(keyword);
		if (trace) trace.keywords++;
	}
	for (const request of requests) {
		if (request.method === 'POST') of(subjectOf(request))?.posts.push(request);
	}
	return traces;
}

/** What a POST should create. */
function subjectOf({ path, body }: LoggedRequest): string {
	const { title, keywords } = (body ?? {}) as { title?: string; keywords?: string[] };
	return String(path === KEYWORDS ? keywords?.join() : title);
}

/** Whether the service did the work, even if its answer got lost. */
const wasDone = ({ status, fault }: LoggedRequest): boolean =>
	LATE_FAULTS.some((kind) => kind === fault) || (status !== null && status >= 200 && status < 300);

/** Whether the service refused to work on it for now; the 503 of these tests has a Retry-After. */
const wasRefused = ({ status }: LoggedRequest) => status === 429 || status === 503;

/** What the service has although n8n does not know the execution. */
function unexplained(executions: Execution[], traces: Map<string, Traces>): string[] {
	const known = new Set(executions.map(({ id }) => id));
	const strange = [...traces.keys()].filter((id) => !known.has(id));
	return strange.map((id) => `the service was written to by execution ${id}, which n8n has not`);
}

/** Each call that n8n accepted has one execution; a call that broke has at most one. */
function unmatched(executions: Execution[], { calls }: Writing): string[] {
	const wrong: string[] = [];
	const found = countBy(executions.flatMap((one) => callOf(one) ?? []).map(String));
	for (const { number } of calls) {
		if ((found[number] ?? 0) > 1) wrong.push(`call ${number} has ${found[number]} executions`);
	}
	const taken = calls.filter((call) => call.isTaken);
	const missing = taken.filter(({ number }) => found[number] === undefined);
	// The executions of a killed process have no data, so they do not show their call
	const unnamed = executions.filter((one) => callOf(one) === undefined).length;
	if (missing.length > unnamed) {
		const numbers = missing.map(({ number }) => number).join(', ');
		wrong.push(`${missing.length} calls, but ${unnamed} executions without data: ${numbers}`);
	}
	return wrong;
}

/** The number of the call that an execution answered; undefined if n8n has no data. */
function callOf(execution: Execution): number | undefined {
	const [ran] = outputOf(execution, 'Webhook');
	const [waiting] = execution.data.executionData?.nodeExecutionStack ?? [];
	const item: Json | undefined = ran ?? waiting?.data.main[0]?.[0]?.json;
	return item?.body?.number;
}

function judge(execution: Execution, traces: Traces = { keywords: 0, posts: [] }): string[] {
	const wrong = twice(traces);
	if (execution.status === 'success') wrong.push(...differences(execution, traces));
	else if (execution.status === 'error') wrong.push(...untold(execution, traces));
	return wrong;
}

/** POSTs must not be repeated unless the service refused them. */
function twice({ posts, keywords }: Traces): string[] {
	const wrong: string[] = [];
	for (const path of [THREADS, KEYWORDS]) {
		const sent = posts.filter((post) => post.path === path && !wasRefused(post));
		if (sent.length > 1) wrong.push(`POST ${path} was sent ${sent.length} times`);
	}
	if (keywords > 1) wrong.push(`there are ${keywords} keywords`);
	return wrong;
}

/** The output of a successful execution must match what the service has. */
function differences(execution: Execution, { thread, keywords, posts }: Traces): string[] {
	if (!thread) return ['n8n reports success, but the service has no thread'];
	const { isArchived, ...held } = thread;
	const wrong: string[] = [];
	const expect = (what: string, given: unknown, wanted: unknown) => {
		if (isDeepStrictEqual(given, wanted)) return;
		wrong.push(`${what}: n8n has ${JSON.stringify(given)}, the service ${JSON.stringify(wanted)}`);
	};
	const [created] = outputOf(execution, 'Create');
	// The thread as it was right after its creation
	expect('created', created, { ...held, status: 'new', updatedAt: held.createdAt });
	expect('title', created?.title, `Execution ${execution.id}`);
	expect('url', created?.url, outputOf(execution, 'Webhook')[0]?.body.url);
	const archived = outputOf(execution, 'Archive');
	const [done, due] = [posts.filter(wasDone).length, archived.length > 0 ? 1 : 2];
	if (done !== due) wrong.push(`the service did ${done} POSTs, not ${due}`);
	if (archived.length > 0) {
		expect('archived', archived, [{ id: held.id, archived: isArchived }]);
		return wrong;
	}
	expect('processed', outputOf(execution, 'Process'), [held]);
	expect('status', held.status, 'processed');
	expect('keyword', outputOf(execution, 'Keyword'), [
		{ submitted: 1, count: keywords, skipped: 0 },
	]);
	return wrong;
}

/** If the service did work that n8n does not report, the error must say that this is possible. */
function untold(execution: Execution, { thread, keywords }: Traces): string[] {
	const words = wordsOf(execution);
	if (MAY_BE_DONE.test(words) || isLost(execution)) return [];
	const wrong: string[] = [];
	if (thread && outputOf(execution, 'Create').length === 0) {
		wrong.push(`there is a thread, but the error says only: ${words}`);
	}
	if (keywords > 0) wrong.push(`there is a keyword, but the error says only: ${words}`);
	return wrong;
}

const isLost = ({ data, status }: Execution): boolean =>
	status === 'crashed' || /too many times/.test(data.resultData.error?.message ?? '');

function wordsOf({ data }: Execution): string {
	const { message = '', description } = data.resultData.error ?? {};
	return [message, description].filter(Boolean).join('. ');
}

const failureOf = (execution: Execution): Failure => ({
	id: execution.id,
	isLost: isLost(execution),
	isUnclear: MAY_BE_DONE.test(wordsOf(execution)),
	words: wordsOf(execution),
});

export function countBy(names: string[]): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
	return counts;
}
