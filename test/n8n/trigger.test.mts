import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { itemAt } from '../defined.mts';
import type { Execution } from './client.mts';
import type { N8nServer } from './server.mts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../sandbox/sandbox.mts';
import { discoverFew, discoverMuch } from './discoveries.mts';
import { outputOf, startServer, uniqueKey } from './helpers.mts';
import { expectNoLeak } from './leaks.mts';
import { Watch } from './watch.mts';

let server: N8nServer;
const sandboxes: Sandbox[] = [];

const began = Date.now();
const times: string[] = [];
const note = (what: string) => times.push(`${what} ${Math.round((Date.now() - began) / 1000)} s`);

beforeAll(async () => {
	server = await startServer();
	note('n8n up');
});
afterAll(async () => {
	await server?.stop();
	await Promise.all(sandboxes.map((sandbox) => sandbox.close()));
	console.log(`Trigger: ${times.join(', ')}`);
});

async function openSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	// More than a page of cited pages, and few questions (see `Watch`)
	const seed = { citedPage: 230, question: 40 };
	const sandbox = await startSandbox({ apiKey: uniqueKey(), seed, ...options });
	sandboxes.push(sandbox);
	return sandbox;
}

/** The text of a failure; empty if there was none. */
const wordsOf = async (work: Promise<unknown>): Promise<string> =>
	await work.then(
		() => '',
		(error: Error) => error.message,
	);

// n8n tries several times before it gives up, so these run at the same time
describe.concurrent('publishing fails with advice on what to do', () => {
	it('with a wrong API key', async () => {
		const watch = await Watch.over(server, await openSandbox(), { apiKey: 'wrong-key' });
		const words = await wordsOf(watch.publish());
		expect(words).toMatch(/did not accept the API key/);
		expect(words).toMatch(/credential/i);
	});

	it.each([
		['with no time named', {}],
		['with Retry-After', { 'Retry-After': '1' }],
	])('while the service refuses all requests, %s; later it works', async (_, headers) => {
		const sandbox = await openSandbox();
		const watch = await Watch.over(server, sandbox);
		sandbox.fault({ kind: 'status', status: 429, headers, match: { times: null } });
		const words = await wordsOf(watch.publish());
		sandbox.clearFaults();
		await watch.publish();
		await watch.unpublish();
		expect(await watch.executions()).toEqual([]);
		expect(words).toMatch(/too many requests/);
		expect(words).toMatch(/later|again/i);
	});
});

describe('"Fetch test event"', () => {
	it('shows the newest real records, and changes no state', async () => {
		const sandbox = await openSandbox();
		const watch = await Watch.over(server, sandbox);
		await watch.publish();
		const state = await watch.state();
		expect(state).not.toBeNull();
		const page = sandbox.discover.citedPage();
		const question = sandbox.discover.question();

		const execution = await watch.fetchTestEvent();
		expect(execution.status).toBe('success');
		const shown = outputOf(execution, 'Trigger');
		expect(shown).toContainEqual({ event: 'citedPage', ...page });
		expect(shown).toContainEqual({ event: 'question', ...question });
		expect(shown).toHaveLength(10);
		expect(shown.filter(({ event, id }) => sandbox.state.get(event, id))).toEqual(shown);
		expect(await watch.state()).toEqual(state);

		// Publishing again polls immediately: what the test showed is still due
		await watch.unpublish();
		await watch.publish();
		await expectStarted(watch, [page.id, question.id]);
		await watch.unpublish();
	});

	it('says that an empty workspace has nothing yet', async () => {
		const watch = await Watch.over(server, await openSandbox({ empty: true, seed: {} }));
		const { status, data } = await watch.fetchTestEvent();
		expect(status).toBe('error');
		expect(data.resultData.error).toMatchObject({
			message: 'There is nothing to show yet',
			description: expect.stringContaining('once the workflow is published'),
		});
		await watch.publish();
		await watch.unpublish();
		expect(await watch.executions()).toEqual([]);
	});
});

/** Each ID once, and no others. */
async function expectStarted(watch: Watch, ids: string[]): Promise<void> {
	expect((await watch.startedWith(ids)).sort()).toEqual([...ids].sort());
}

describe('a trigger from publishing on', { timeout: 5 * 60_000 }, () => {
	/** Two workflows at once, because each step takes a minute: the service of one has faults */
	let calm: Watch;
	let troubled: Watch;
	/** What must have started each workflow so far */
	const dueCalm: string[] = [];
	const dueTroubled: string[] = [];

	async function expectAllStarted(): Promise<void> {
		await expectStarted(calm, dueCalm);
		await expectStarted(troubled, dueTroubled);
	}

	/** Makes polls fail until one of them has, while records are waiting; returns the failed execution. */
	async function failedPoll(status: number): Promise<Execution> {
		const count = (await troubled.failures()).length;
		troubled.sandbox.fault({ kind: 'status', status, match: { times: null } });
		dueTroubled.push(...discoverFew(troubled.sandbox));
		const failure = await troubled.failureAfter(count);
		troubled.sandbox.clearFaults();
		return failure;
	}

	it('starts with publishing: existing records start nothing', async () => {
		calm = await Watch.over(server, await openSandbox());
		troubled = await Watch.over(server, await openSandbox());
		await calm.publish();
		await troubled.publish();
		expect(calm.sandbox.requests.length).toBeGreaterThan(2);
		expect(await calm.executions()).toEqual([]);
		note('published');
	});

	it('what is new starts an execution; a failing poll is shown as failed', async () => {
		dueCalm.push(...discoverMuch(calm.sandbox));
		const [failure] = await Promise.all([failedPoll(401), calm.nextPoll()]);
		expect(failure.data.resultData.error).toMatchObject({
			message: expect.stringContaining('did not accept the API key'),
			description: expect.stringContaining('credential'),
		});
		await expectStarted(calm, dueCalm);
		expect(await calm.executions()).toHaveLength(1);
		expect(await troubled.started()).toEqual([]);
		note('polled, 401');
	});

	it('nothing new starts nothing', async () => {
		const [failure] = await Promise.all([failedPoll(500), calm.nextPoll()]);
		expect(failure.data.resultData.error).toMatchObject({
			message: expect.stringContaining('could not process the request'),
			description: expect.stringContaining('tried 5 times'),
		});
		expect(await calm.executions()).toHaveLength(1);
		note('polled, 500');
	});

	it('after failed polls nothing is missing', async () => {
		await troubled.nextPoll();
		await expectAllStarted();
		note('recovered');
	});

	it('n8n is killed in the middle of a poll: nothing is missing, nothing comes twice', async () => {
		dueCalm.push(...discoverFew(calm.sandbox));
		calm.sandbox.setLatency(3000);
		await calm.pollBegun();
		await server.kill();
		calm.sandbox.setLatency(0);
		dueCalm.push(...discoverFew(calm.sandbox));
		dueTroubled.push(...discoverFew(troubled.sandbox));
		note('killed');
		await server.start();
		await expectAllStarted();
		note('up again');
	});

	it('and it continues, once a minute', async () => {
		dueCalm.push(...discoverFew(calm.sandbox));
		dueTroubled.push(...discoverMuch(troubled.sandbox));
		await Promise.all([calm.nextPoll(), troubled.nextPoll()]);
		await expectAllStarted();
		note('polled');
	});

	it('what was found while the workflow was not published starts it later', async () => {
		await calm.unpublish();
		await troubled.unpublish();
		dueCalm.push(...discoverFew(calm.sandbox));
		await calm.publish();
		await troubled.publish();
		await expectAllStarted();
		note('published again');
	});

	it('records come oldest first, with the event in front', async () => {
		const first = itemAt(await calm.executions(), 0);
		const items = outputOf(first, 'Trigger');
		const moments = items.map(({ firstSeenAt, createdAt }) => Date.parse(firstSeenAt ?? createdAt));
		expect(moments).toEqual([...moments].sort((a, b) => a - b));
		expect(items.map((item) => Object.keys(item)[0])).toEqual(items.map(() => 'event'));
		expect(calm.sandbox.responseViolations).toEqual([]);
	});
});

it('no API key is in what n8n has written', async () => {
	for (const { apiKey } of sandboxes) await expectNoLeak(server, apiKey, 'firstSeenAt');
});
