import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { itemAt } from '../defined.mts';
import type { N8nServer } from './server.mts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { startServer, uniqueKey } from './helpers.mts';
import { POLL_TIMEOUT_MS, Watch } from './watch.mts';

/*
 * What happens to a trigger's state when users change things, including n8n's own part in it. Several workflows run at
 * once, because each step takes a minute.
 */

let server: N8nServer;
const sandboxes: Sandbox[] = [];

beforeAll(async () => {
	server = await startServer();
});
afterAll(async () => {
	await server?.stop();
	await Promise.all(sandboxes.map((sandbox) => sandbox.close()));
});

async function openSandbox(): Promise<Sandbox> {
	const sandbox = await startSandbox({
		apiKey: uniqueKey(),
		seed: { citedPage: 130, question: 40 },
	});
	sandboxes.push(sandbox);
	return sandbox;
}

/** Each ID once, and no others. */
async function expectStarted(watch: Watch, ids: string[]): Promise<void> {
	expect((await watch.startedWith(ids, POLL_TIMEOUT_MS)).sort()).toEqual([...ids].sort());
}

const others = { filters: { ownership: 'others' }, options: { includeProcessed: false } };

describe('triggers after a change', { timeout: 5 * 60_000 }, () => {
	let filtered: Watch;
	let two: Watch;
	let moved: Watch;
	let movedOnly: Watch;

	/** What must have started each workflow so far */
	const dueFiltered: string[] = [];
	let repeated: string;

	it('start when they are published', async () => {
		filtered = await Watch.over(server, await openSandbox());
		two = await Watch.withTwoTriggers(server, await openSandbox());
		moved = await Watch.over(server, await openSandbox());
		movedOnly = await Watch.over(server, await openSandbox());
		for (const watch of [filtered, two, moved, movedOnly]) await watch.publish();
		const first = filtered.sandbox.discover.question();
		dueFiltered.push(first.id);
		await expectStarted(filtered, dueFiltered);
	});

	it('continue after a change of the filters: what appeared in the meantime starts the workflow', async () => {
		const { discover } = filtered.sandbox;
		dueFiltered.push(discover.citedPage().id, discover.question().id);
		await filtered.change(others);
		await expectStarted(filtered, dueFiltered);
		// And back: records that have already started it are still known
		dueFiltered.push(discover.citedPage().id);
		await filtered.change({ filters: {}, options: {} });
		await expectStarted(filtered, dueFiltered);
	});

	it('start with a new memory after a change of the Base URL, which n8n stores when they are published again', async () => {
		moved = await moved.moveTo(await openSandbox());
		movedOnly = await movedOnly.moveTo(await openSandbox());
		await Promise.all([moved.nextPoll(), movedOnly.nextPoll()]);
		await moved.unpublish();
		await moved.publish();
		expect(JSON.stringify(await moved.state())).toContain(moved.sandbox.url);
		// n8n has stored nothing of the poll that started nothing
		expect(JSON.stringify(await movedOnly.state())).not.toContain(movedOnly.sandbox.url);
	});

	it("overwrite each other's memory if there are two in one workflow", async () => {
		const { discover } = two.sandbox;
		await two.change({ options: { lookbackDays: 5 } }, 'citedPage');
		repeated = discover.question().id;
		await two.startedWith([repeated], POLL_TIMEOUT_MS);
		const page = discover.citedPage().id;
		await two.startedWith([page], POLL_TIMEOUT_MS);
		expect((await two.started()).sort()).toEqual([repeated, page].sort());
	});

	it('continue from what n8n has stored after it was killed', async () => {
		await sleep(2000);
		await server.kill();
		const found = [filtered, moved, movedOnly].map(({ sandbox }) => sandbox.discover.question().id);
		dueFiltered.push(itemAt(found, 0));
		await server.start();
		await expectStarted(filtered, dueFiltered);
		await expectStarted(moved, [itemAt(found, 1)]);
		// Without publishing it again: another silent first poll, so what appeared in the meantime counts as known
		expect(await movedOnly.started()).toEqual([]);
		// This is n8n's own behavior: see "What you can act on" in docs/trigger.md
		const all = await two.startedWith([], 0);
		expect(all.filter((id) => id === repeated)).toHaveLength(2);
	});
});
