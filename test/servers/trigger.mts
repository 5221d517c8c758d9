import { afterAll, expect, it } from 'vitest';

import { discoverFew } from '../e2e/server/discoveries.mts';
import { outputOf, uniqueKey } from '../e2e/server/helpers.mts';
import { POLL_TIMEOUT_MS, Watch } from '../e2e/server/watch.mts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { defined } from '../defined.mts';
import type { Setting } from './setting.mts';

/** Each ID once, and no others. */
async function expectStarted(watch: Watch, ids: string[]): Promise<void> {
	expect((await watch.startedWith(ids, POLL_TIMEOUT_MS)).sort()).toEqual([...ids].sort());
}

/**
 * Two triggers from first to last poll at once, because each step takes a minute; the service of one has faults. The
 * tests kill n8n, so nothing else may run at that time.
 */
export function describeTrigger(get: () => Setting): void {
	const timeout = 4 * 60_000;
	const sandboxes: Sandbox[] = [];
	const dueCalm: string[] = [];
	const dueTroubled: string[] = [];
	let calm: Watch;
	let troubled: Watch;

	afterAll(async () => {
		await Promise.all(sandboxes.map((sandbox) => sandbox.close()));
	});

	async function publishedWatch(): Promise<Watch> {
		const seed = { citedPage: 230, question: 40 };
		const sandbox = await startSandbox({ apiKey: uniqueKey(), seed });
		sandboxes.push(sandbox);
		const watch = await Watch.over(get().server, sandbox);
		await watch.publish();
		return watch;
	}

	it('the first poll starts nothing', { timeout }, async () => {
		calm = await publishedWatch();
		troubled = await publishedWatch();
		expect(calm.sandbox.requests.length).toBeGreaterThan(2);
		expect(await calm.executions()).toEqual([]);
		expect(await troubled.executions()).toEqual([]);
	});

	it('what is new starts the workflow once, and a failing poll is shown', { timeout }, async () => {
		dueCalm.push(...discoverFew(calm.sandbox));
		dueTroubled.push(...discoverFew(troubled.sandbox));
		troubled.sandbox.fault({ kind: 'status', status: 401, match: { times: null } });
		const [failure] = await Promise.all([troubled.failureAfter(0), calm.nextPoll()]);
		troubled.sandbox.clearFaults();
		expect(failure.data.resultData.error).toMatchObject({
			message: expect.stringContaining('did not accept the API key'),
			description: expect.stringContaining('credential'),
		});
		expect(await troubled.started()).toEqual([]);
		await expectStarted(calm, dueCalm);
		expect(await calm.executions()).toHaveLength(1);
		const [first] = await calm.executions();
		expect(outputOf(defined(first), 'Trigger').every(({ event }) => Boolean(event))).toBe(true);
	});

	it(
		'n8n is killed in the middle of a poll: nothing is missing or repeated',
		{ timeout },
		async () => {
			dueCalm.push(...discoverFew(calm.sandbox));
			calm.sandbox.setLatency(3000);
			await calm.pollBegun();
			await get().server.kill();
			calm.sandbox.setLatency(0);
			dueCalm.push(...discoverFew(calm.sandbox));
			dueTroubled.push(...discoverFew(troubled.sandbox));
			await get().server.start();
			await expectStarted(calm, dueCalm);
			await expectStarted(troubled, dueTroubled);
		},
	);

	it('and it continues, without repeating anything', { timeout }, async () => {
		dueCalm.push(...discoverFew(calm.sandbox));
		await Promise.all([calm.nextPoll(), troubled.nextPoll()]);
		await expectStarted(calm, dueCalm);
		await expectStarted(troubled, dueTroubled);
		await calm.unpublish();
		await troubled.unpublish();
	});
}
