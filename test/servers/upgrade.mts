import { setTimeout as sleep } from 'node:timers/promises';
import type { INode } from 'n8n-workflow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { defined, firstOf, itemAt } from '../defined.mts';
import {
	CREDENTIAL,
	credentialsFor,
	inARow,
	NO_OP,
	node,
	outputOf,
	uniqueKey,
	until,
} from '../e2e/server/helpers.mts';
import { Watch } from '../e2e/server/watch.mts';
import type { Execution, WorkflowJson, WorkflowNode } from '../n8n/client.mts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import {
	comparable,
	comparableEmitted,
	differencesTo,
	expectedPlays,
	timeOf,
} from '../upgrade/differences.mts';
import { startOf, withoutNow } from '../upgrade/examples.mts';
import { isOurs, readVersion, versions } from '../upgrade/files.mts';
import { happen, type Life, type Step } from '../upgrade/lives.mts';
import {
	behind,
	outcome,
	prepare,
	sentOf,
	settled,
	START,
	unsettled,
	type Given,
	type Play,
	type Result,
} from '../upgrade/play.mts';
import { load, type Service } from '../upgrade/service.mts';
import { TRIGGER_TYPE } from '../engine/engine.mts';
import type { Setting } from './setting.mts';

const MANUAL = 'n8n-nodes-base.manualTrigger';
/** One workflow has up to forty nodes, and each is executed separately. */
const WORKFLOW_TIMEOUT_MS = 5 * 60_000;
const LIFE_TIMEOUT_MS = 5 * 60_000;
const EXECUTION_TIMEOUT_MS = 30_000;
/** From the answer to a poll's last request until n8n has finished with it. */
const SETTLE_MS = 1500;
/** A poll on n8n's schedule, a start, and the executions. */
const SCHEDULE_TIMEOUT_MS = 5 * 60_000;

/** What earlier versions of the package have saved; test/engine/upgrade.test.mts does the same in the engine. */
export function describeUpgrade(get: () => Setting): void {
	describe.each(versions())('saved with %s', (version) => {
		describe('nodes', () => describeNodes(get, version));
		describe('a trigger', () => describeTriggers(get, version));
	});
}

/** Each node separately, with "Execute step" and the items pinned to the first node. */
function describeNodes(get: () => Setting, version: string): void {
	const { service, workflows, plays, examples, examplePlays } = readVersion(version);
	const differences = differencesTo(version);
	let sandbox: Sandbox;
	let credentialIds: Record<string, string>;

	beforeAll(async () => {
		sandbox = await startSandbox({ apiKey: uniqueKey(), empty: true });
		credentialIds = await credentialsFor(get().server, sandbox);
	});
	afterAll(async () => await sandbox?.close());

	const imported = async (workflow: object) =>
		await get().server.importWorkflow(workflow as WorkflowJson, { credentialIds });

	async function play(workflowId: string, start: string, name: string, given?: Given) {
		prepare(sandbox, service, given);
		const execution = await get()
			.server.executeStep(workflowId, start, name)
			.catch((error: Error) => {
				if (!error.message.includes('The workflow has issues')) throw error;
			});
		return outcome(sandbox, name, execution?.data.resultData as Result | undefined, given);
	}

	it.each(Object.keys(workflows))(
		'%s sends and returns the same',
		{ timeout: WORKFLOW_TIMEOUT_MS },
		async (name) => {
			const workflow = defined(workflows[name]);
			const workflowId = await imported(workflow);
			const now: Record<string, Play> = {};
			for (const { name: nodeName } of workflow.nodes.filter(isOurs)) {
				const { given } = defined(plays[name]?.[nodeName]);
				now[nodeName] = await play(workflowId, START, nodeName, given);
			}
			expect(now).toEqual(expectedPlays(differences, name, defined(plays[name])));
		},
	);

	it.each(Object.keys(examples))('the example %s sends and returns the same', async (name) => {
		const { nodes, ...example } = defined(examples[name]);
		const parametersOf = (of: INode[]) => of.filter(isOurs).map(({ parameters }) => parameters);
		const path = `/workflows/${await imported({ ...example, nodes })}`;
		const kept = await get().server.rest<{ nodes: INode[] }>('GET', path);
		expect(parametersOf(kept.nodes)).toEqual(parametersOf(nodes));

		const now: Record<string, Play> = {};
		for (const one of nodes.filter((each) => isOurs(each) && each.type !== TRIGGER_TYPE)) {
			const { items } = defined(examplePlays[name]?.[one.name]);
			const start = startOf(one.parameters);
			const alone = behind(start, MANUAL, { ...one, parameters: withoutNow(one.parameters) });
			const pinData = { [start]: items.map((json) => ({ json })) };
			const workflowId = await imported({ ...alone, pinData });
			now[one.name] = { items, ...(await play(workflowId, start, one.name)) } as Play;
		}
		expect(now).toEqual(examplePlays[name]);
	});
}

/**
 * Triggers that have polled once, with the state that they had then. The tests kill n8n, so nothing else may run at
 * that time.
 */
function describeTriggers(get: () => Setting, version: string): void {
	const { service, lives } = readVersion(version);
	const { trigger } = differencesTo(version);
	const saved: Array<{ watch: Watch; life: Life }> = [];

	afterAll(async () => {
		await Promise.all(saved.map(({ watch }) => watch.sandbox.close()));
	});

	async function save(life: Life, parameters: object = {}): Promise<Watch> {
		const sandbox = await startSandbox({ apiKey: uniqueKey(), empty: true });
		const watch = await importLife(get(), { sandbox, service, life, parameters });
		saved.push({ watch, life });
		return watch;
	}

	const asComparable = (polls: Array<Step['emitted']>, life: Life) =>
		comparableEmitted(polls, life, trigger);

	async function expectEmitted(watch: Watch, life: Life, due: Step[]): Promise<void> {
		const polls = await emittedIn(watch, life);
		const expected = due.map(({ emitted }) => emitted);
		expect(asComparable(polls, life)).toEqual(asComparable(expected, life));
		for (const records of polls) {
			expect(records.map(timeOf)).toEqual(records.map(timeOf).sort());
		}
	}

	/** n8n polls whenever a workflow is published, so there is no need to wait for its schedule. */
	it.each(lives.map((life) => ({ name: life.node.name, life })))(
		'$name continues: emits what is new, with nothing repeated or lost',
		{ timeout: LIFE_TIMEOUT_MS },
		async ({ life }) => {
			const watch = await save(life);
			const due: Step[] = [];
			for (const step of life.steps.slice(1)) {
				happen(watch.sandbox, step);
				watch.sandbox.clearLog();
				await watch.publish();
				// If the same is due, the same requests are sent
				const requests = settled(sentOf(watch.sandbox.requests), watch.sandbox);
				expect(comparable(requests, trigger)).toEqual(comparable(step.requests, trigger));
				if (step.emitted.length > 0) due.push(step);
				await ended(watch, due.length);
				await watch.unpublish();
			}
			await expectEmitted(watch, life, due);
			// For the next test
			await watch.publish();
		},
	);

	it(
		'polled on schedule, it emits what is new once, even after n8n was killed',
		{ timeout: SCHEDULE_TIMEOUT_MS },
		async () => {
			const life = defined(lives.find(({ node: { name } }) => name === 'Only defaults'));
			const others = [...saved];
			const watch = await save(life, { pollTimes: { item: [{ mode: 'everyMinute' }] } });
			const due = life.steps.filter(({ emitted }) => emitted.length > 0);
			const [first, second] = firstOf(due, 2);
			await watch.publish();
			expect(await watch.executions()).toEqual([]);

			await betweenPolls(watch);
			happen(watch.sandbox, first);
			await watch.nextPoll();
			await ended(watch, 1);
			await expectEmitted(watch, life, [first]);

			const counts = async () =>
				await Promise.all(others.map(async (one) => (await one.watch.executions()).length));
			const before = await counts();
			await get().server.kill();
			for (const one of saved) one.watch.sandbox.clearLog();
			happen(watch.sandbox, second);
			await get().server.start();
			await ended(watch, 2);
			await expectEmitted(watch, life, [first, second]);

			// The start polls the others too, and there is nothing new
			const arePolled = () => others.every(hasPolled);
			await until('a poll of each trigger', arePolled, EXECUTION_TIMEOUT_MS);
			await sleep(SETTLE_MS);
			expect(await counts()).toEqual(before);
			expect(await watch.executions()).toHaveLength(2);
			for (const one of saved) await one.watch.unpublish();
		},
	);
}

/** Whether it has sent all requests that it sends when nothing is new. */
const hasPolled = ({ watch, life }: { watch: Watch; life: Life }) =>
	watch.sandbox.requests.length >= itemAt(life.steps, -1).requests.length;

interface Saved {
	sandbox: Sandbox;
	service: Service;
	life: Life;
	/** Replace the saved parameters */
	parameters: object;
}

/** Saves the workflow of a trigger that has polled once. */
async function importLife(
	{ server }: Setting,
	{ sandbox, service, life, parameters }: Saved,
): Promise<Watch> {
	load(sandbox, service);
	const [first] = firstOf(life.steps, 1);
	happen(sandbox, first);
	const { name } = life.node;
	const own = { ...life.node, parameters: { ...life.node.parameters, ...parameters } };
	const workflow = inARow(name, [own as WorkflowNode, node('Then', NO_OP)]);
	const staticData = { [`node:${name}`]: unsettled(first.memory, sandbox) };
	const credentialIds = await credentialsFor(server, sandbox);
	const workflowId = await server.importWithMemory({ ...workflow, staticData }, { credentialIds });
	return Watch.saved(server, sandbox, { workflowId, credentialId: credentialIds[CREDENTIAL] });
}

/**
 * Waits until no poll is under way: a poll that has already read some of its lists would emit only part of the new
 * records.
 */
async function betweenPolls({ sandbox }: Watch): Promise<void> {
	let before = -1;
	while (sandbox.requests.length > before) {
		before = sandbox.requests.length;
		await sleep(SETTLE_MS);
	}
}

/** Waits until polls have started this many executions and these have ended. */
async function ended(watch: Watch, count: number): Promise<void> {
	const areOver = async () => {
		const statuses = (await watch.executions()).map(({ status }) => status);
		return statuses.filter((status) => status === 'success').length >= count;
	};
	// The caller's comparison shows what is missing better than a time-out
	await until('executions', areOver, EXECUTION_TIMEOUT_MS).catch(() => undefined);
}

const emittedIn = async (watch: Watch, { node: { name } }: Life) =>
	(await watch.executions()).map((execution: Execution) =>
		settled(outputOf(execution, name), watch.sandbox),
	);
