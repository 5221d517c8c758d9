import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';

import { openSandbox, outputOf, SEED, startServer } from './helpers.mts';
import type { N8nServer } from './server.mts';
import { Watch } from './watch.mts';

/* What only n8n itself shows of the trigger. Kills and a wrong key: package.test.mts, in every version. */

/** Several polls, and n8n tries some things several times before it gives up. */
const timeout = 5 * 60_000;
let server: N8nServer;

beforeAll(async () => {
	server = await startServer();
});

const open = async () => await openSandbox({ seed: SEED });
const watching = async () => await Watch.over(server, await open());

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

it(
	'"Fetch Test Event" shows the newest real records, and changes no state',
	{ timeout },
	async () => {
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
		expect(shown.filter(({ event, id }) => state.get(event, id))).toEqual(shown);
		expect(await watch.state()).toEqual(before);

		// Publishing again polls immediately: what the test showed is still due
		watch.due.push(page.id, question.id);
		await watch.unpublish();
		await watch.publish();
		await watch.expectStarted();
		await watch.unpublish();
	},
);

describe('a published trigger', { timeout }, () => {
	/** Several workflows at once, because each step takes a minute: the service of one has faults */
	let calm: Watch;
	let troubled: Watch;
	let filtered: Watch;
	let moved: Watch;

	it('starts the workflow once with everything that is new within the look-back', async () => {
		[calm, troubled, filtered, moved] = await Promise.all([
			watching(),
			watching(),
			watching(),
			watching(),
		]);
		for (const watch of [calm, troubled, filtered, moved]) await watch.publish();
		calm.discoverMuch();
		troubled.sandbox.fault({ kind: 'status', status: 500, match: { times: null } });
		troubled.discoverFew();
		const [failure] = await Promise.all([troubled.failureAfter(0), calm.nextPoll()]);
		troubled.sandbox.clearFaults();
		expect(failure.data.resultData.error?.message).toContain('could not process the request');
		await calm.expectStarted();
		expect(await calm.executions()).toHaveLength(1);
	});

	it('starts nothing when nothing is new, and loses nothing in failed polls', async () => {
		await Promise.all([troubled.nextPoll(), calm.nextPoll()]);
		expect(await calm.executions()).toHaveLength(1);
		await troubled.expectStarted();
	});

	it('starts the workflow with what was found while it was not published', async () => {
		await calm.unpublish();
		await troubled.unpublish();
		calm.discoverFew();
		await calm.publish();
		await calm.expectStarted();
		await calm.unpublish();
		expect(calm.sandbox.responseViolations).toEqual([]);
	});

	it('goes on after a change of the filters, with what appeared in the meantime', async () => {
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

	it('has a new memory after a change of the Base URL, once it is published again', async () => {
		await moved.moveTo(await open());
		await moved.nextPoll();
		await moved.unpublish();
		await moved.publish();
		expect(JSON.stringify(await moved.state())).toContain(moved.sandbox.url);
		expect(await moved.executions()).toEqual([]);
	});

	it('goes on from what n8n has stored after it was killed', async () => {
		await sleep(2000);
		await server.kill();
		filtered.discover('question');
		moved.discover('question');
		await server.start();
		await filtered.expectStarted();
		await moved.expectStarted();
	});
});
