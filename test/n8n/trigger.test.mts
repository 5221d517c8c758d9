import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';

import { itemAt } from '../defined.mts';
import { openSandbox, outputOf, SEED, startServer } from './helpers.mts';
import type { N8nServer } from './server.mts';
import { trigger, Watch } from './watch.mts';

/* Kills and a wrong key: package.test.mts, in every variant. What n8n writes: load.test.mts and operations.test.mts */

/** Several polls, and n8n tries some things several times before it gives up. */
const timeout = 5 * 60_000;
let server: N8nServer;

beforeAll(async () => {
	server = await startServer();
});

const open = async () => await openSandbox({ seed: SEED });
const watching = async () => await Watch.over(server, await open());

const errorOf = (execution: Awaited<ReturnType<Watch['fetchTestEvent']>>) =>
	execution.data.resultData.error;

it('publishing fails with advice while the service refuses all requests', { timeout }, async () => {
	const watch = await watching();
	watch.sandbox.fault({ kind: 'status', status: 429, match: { times: null } });
	const words = await watch.publish().then(() => '', String);
	expect(words).toMatch(/too many requests/);
	expect(words).toMatch(/poll less often/);
	watch.sandbox.clearFaults();
	await watch.publish();
	await watch.unpublish();
	expect(await watch.started()).toEqual([]);
});

describe('"Fetch test event"', { timeout }, () => {
	it('shows the newest real records, and changes no state', async () => {
		const watch = await watching();
		const { discover, state } = watch.sandbox;
		await watch.publish();
		const before = await watch.state();
		expect(before).not.toBeNull();
		const page = discover.citedPage();
		const question = discover.question();

		const execution = await watch.fetchTestEvent();
		expect(execution.status).toBe('success');
		const shown = outputOf(execution, 'Trigger');
		expect(shown).toContainEqual({ event: 'citedPage', ...page });
		expect(shown).toContainEqual({ event: 'question', ...question });
		expect(shown).toHaveLength(10);
		expect(shown.filter(({ event, id }) => state.get(event, id))).toEqual(shown);
		expect(await watch.state()).toEqual(before);

		// Publishing again polls immediately: what the test showed is still due
		watch.due.push(page.id, question.id);
		await watch.unpublish();
		await watch.publish();
		await watch.expectStarted();
		await watch.unpublish();
	});
});

describe('a trigger from publishing on', { timeout }, () => {
	/** Two workflows at once, because each step takes a minute: the service of one has faults */
	let calm: Watch;
	let troubled: Watch;

	it('starts the workflow with everything that is new within the look-back', async () => {
		calm = await watching();
		troubled = await watching();
		await calm.publish();
		await troubled.publish();
		calm.discoverMuch();
		troubled.sandbox.fault({ kind: 'status', status: 500, match: { times: null } });
		troubled.discoverFew();
		const [failure] = await Promise.all([troubled.failureAfter(0), calm.nextPoll()]);
		troubled.sandbox.clearFaults();
		expect(errorOf(failure)).toMatchObject({
			message: expect.stringContaining('could not process the request'),
			description: expect.stringContaining('tried 5 times'),
		});
		await calm.expectStarted();
		expect(await calm.executions()).toHaveLength(1);
	});

	it('starts nothing when nothing is new, and loses nothing in failed polls', async () => {
		await Promise.all([troubled.nextPoll(), calm.nextPoll()]);
		expect(await calm.executions()).toHaveLength(1);
		await troubled.expectStarted();
	});

	it('goes on with the other events when one is refused, which is shown', async () => {
		const match = { path: '/v1/people-also-ask', times: null };
		troubled.sandbox.fault({ kind: 'status', status: 403, match });
		const held = troubled.sandbox.discover.question().id;
		const before = (await troubled.failures()).length;
		troubled.discover('citedPage');
		await troubled.expectStarted();
		expect(errorOf(await troubled.failureAfter(before))).toMatchObject({
			message: expect.stringContaining('does not have permission'),
			description: expect.stringContaining('New Related Question'),
		});
		troubled.sandbox.clearFaults();
		troubled.due.push(held);
		await troubled.expectStarted();
	});

	it('starts it with what was found while it was not published', async () => {
		await calm.unpublish();
		await troubled.unpublish();
		calm.discoverFew();
		await calm.publish();
		await calm.expectStarted();
		await calm.unpublish();
		expect(calm.sandbox.responseViolations).toEqual([]);
	});
});

/* What happens to the state when users change things, including n8n's own part in it. */
describe('triggers after a change', { timeout }, () => {
	let filtered: Watch;
	let two: Watch;
	let moved: Watch;
	let movedOnly: Watch;

	it('start when they are published', async () => {
		[filtered, moved, movedOnly] = await Promise.all([watching(), watching(), watching()]);
		const triggers = ['citedPage', 'question'].map((name) => trigger(name, { events: [name] }));
		two = await Watch.over(server, await open(), triggers);
		for (const watch of [filtered, two, moved, movedOnly]) await watch.publish();
		filtered.discover('question');
		await filtered.expectStarted();
	});

	it('continue after a change of the filters: what appeared in the meantime starts the workflow', async () => {
		filtered.discover('citedPage');
		filtered.discover('question');
		await filtered.change({
			filters: { ownership: 'others' },
			options: { includeProcessed: false },
		});
		await filtered.expectStarted();
		// And back: records that have already started it are still known
		filtered.discover('citedPage');
		await filtered.change({ filters: {}, options: {} });
		await filtered.expectStarted();
	});

	it('start with a new memory after a change of the Base URL, which n8n stores when they are published again', async () => {
		await moved.moveTo(await open());
		await movedOnly.moveTo(await open());
		await Promise.all([moved.nextPoll(), movedOnly.nextPoll()]);
		await moved.unpublish();
		await moved.publish();
		expect(JSON.stringify(await moved.state())).toContain(moved.sandbox.url);
		// n8n has stored nothing of the poll that started nothing
		expect(JSON.stringify(await movedOnly.state())).not.toContain(movedOnly.sandbox.url);
	});

	it("overwrite each other's memory if there are two in one workflow", async () => {
		await two.change({ options: { lookbackDays: 5 } }, 'citedPage');
		two.discover('question');
		await two.allStarted();
		two.discover('citedPage');
		await two.expectStarted();
	});

	it('continue from what n8n has stored after it was killed', async () => {
		await sleep(2000);
		await server.kill();
		filtered.discover('question');
		moved.discover('question');
		movedOnly.sandbox.discover.question();
		await server.start();
		await filtered.expectStarted();
		await moved.expectStarted();
		// Without publishing it again: another silent first poll, so what appeared in the meantime counts as known
		await movedOnly.expectStarted();
		// This is n8n's own behavior: see "What you can act on" in docs/trigger.md
		two.due.push(itemAt(two.due, 0));
		await two.expectStarted();
	});
});
