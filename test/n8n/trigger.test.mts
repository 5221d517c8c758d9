import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { itemAt } from '../defined.mts';
import type { N8nServer } from './server.mts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../sandbox/sandbox.mts';
import { discoverFew, discoverMuch } from './discoveries.mts';
import { outputOf, startServer, uniqueKey } from './helpers.mts';
import { expectNoLeak } from './leaks.mts';
import { variantName } from './variants.mts';
import { POLL_TIMEOUT_MS, Watch } from './watch.mts';

let server: N8nServer;
const sandboxes: Sandbox[] = [];

beforeAll(async () => {
	server = await startServer();
});
afterAll(async () => {
	await server?.stop();
	await Promise.all(sandboxes.map((sandbox) => sandbox.close()));
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
describe.concurrent('publishing fails with advice on what to do', { timeout: 5 * 60_000 }, () => {
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
		expect(await watch.started()).toEqual([]);
		expect(words).toMatch(/too many requests/);
		expect(words).toMatch(/poll less often/);
	});
});

describe('"Fetch test event"', () => {
	it('shows the newest real records, and changes no state', async () => {
		const sandbox = await openSandbox();
		const watch = await Watch.over(server, sandbox);
		await watch.publish();
		const state = await watch.state();
		// The durable scheduler keeps it elsewhere
		expect(state === null).toBe(variantName() === 'durable');
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
			description: expect.stringContaining('once you publish the workflow'),
		});
		await watch.publish();
		await watch.unpublish();
		expect(await watch.executions()).toEqual([]);
	});
});

/** Each ID once, and no others. */
async function expectStarted(watch: Watch, ids: string[]): Promise<void> {
	expect((await watch.startedWith(ids, POLL_TIMEOUT_MS)).sort()).toEqual([...ids].sort());
}

/* Kills and a wrong key: package.test.mts, in every variant */
describe('a trigger from publishing on', { timeout: 5 * 60_000 }, () => {
	/** Two workflows at once, because each step takes a minute: the service of one has faults */
	let calm: Watch;
	let troubled: Watch;
	/** What must have started each workflow so far */
	const dueCalm: string[] = [];
	const dueTroubled: string[] = [];

	const refused = {
		kind: 'status',
		status: 403,
		match: { path: '/v1/people-also-ask', times: null },
	} as const;

	it('starts the workflow with everything that is new within the look-back', async () => {
		calm = await Watch.over(server, await openSandbox());
		troubled = await Watch.over(server, await openSandbox());
		await calm.publish();
		await troubled.publish();
		dueCalm.push(...discoverMuch(calm.sandbox));
		troubled.sandbox.fault({ kind: 'status', status: 500, match: { times: null } });
		dueTroubled.push(...discoverFew(troubled.sandbox));
		const [failure] = await Promise.all([troubled.failureAfter(0), calm.nextPoll()]);
		troubled.sandbox.clearFaults();
		expect(failure.data.resultData.error).toMatchObject({
			message: expect.stringContaining('could not process the request'),
			description: expect.stringContaining('tried 5 times'),
		});
		await expectStarted(calm, dueCalm);
		expect(await calm.executions()).toHaveLength(1);
	});

	it('starts nothing when nothing is new, and loses nothing in failed polls', async () => {
		await Promise.all([troubled.nextPoll(), calm.nextPoll()]);
		expect(await calm.executions()).toHaveLength(1);
		await expectStarted(troubled, dueTroubled);
	});

	it('goes on with the other events when one is refused, which is shown', async () => {
		troubled.sandbox.fault(refused);
		const held = troubled.sandbox.discover.question().id;
		const before = (await troubled.failures()).length;
		dueTroubled.push(troubled.sandbox.discover.citedPage().id);
		await expectStarted(troubled, dueTroubled);
		const failure = await troubled.failureAfter(before);
		expect(failure.data.resultData.error).toMatchObject({
			message: expect.stringContaining('does not have permission'),
			description: expect.stringContaining('New Related Question'),
		});
		troubled.sandbox.clearFaults();
		dueTroubled.push(held);
		await expectStarted(troubled, dueTroubled);
	});

	it('starts it with what was found while it was not published', async () => {
		await calm.unpublish();
		await troubled.unpublish();
		dueCalm.push(...discoverFew(calm.sandbox));
		await calm.publish();
		await expectStarted(calm, dueCalm);
		await calm.unpublish();
	});

	it('gives records oldest first, with the event in front', async () => {
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
