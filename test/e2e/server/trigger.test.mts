import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Execution } from '../../n8n/client.mts';
import type { N8nServer } from '../../n8n/server.mts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/sandbox.mts';
import { outputOf, startServer, uniqueKey } from './helpers.mts';
import { Watch } from './watch.mts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const inTime = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();

const SEED = { seed: { citedPage: 230, question: 40 } };
const STORY_TIMEOUT_MS = 9 * 60_000;

let server: N8nServer;
const sandboxes: Sandbox[] = [];

beforeAll(async () => {
	server = await startServer();
});
afterAll(async () => {
	await server?.stop();
	await Promise.all(sandboxes.map((sandbox) => sandbox.close()));
});

async function openSandbox(options: SandboxOptions = SEED): Promise<Sandbox> {
	const sandbox = await startSandbox({ apiKey: uniqueKey(), ...options });
	sandboxes.push(sandbox);
	return sandbox;
}

const failOf = async (work: Promise<unknown>): Promise<string> =>
	await work.then(
		() => 'It did not fail',
		(error: Error) => error.message,
	);

describe('publishing fails with words that tell what to do', () => {
	it('with a wrong API key', async () => {
		const sandbox = await openSandbox();
		const watch = await Watch.over(server, sandbox, { apiKey: 'wrong-key' });
		const words = await failOf(watch.publish());
		expect(words).toMatch(/API key was not accepted/);
		expect(words).toMatch(/credential/i);
	});

	it.each([
		['with no time named', {}],
		['with Retry-After', { 'Retry-After': '2' }],
	])('while the service refuses all requests, %s', async (_, headers) => {
		const sandbox = await openSandbox();
		const watch = await Watch.over(server, sandbox);
		sandbox.fault({ kind: 'status', status: 429, headers, match: { times: null } });
		const words = await failOf(watch.publish());
		expect(words).toMatch(/refuses more requests/);
		expect(words).toMatch(/later|again/i);

		sandbox.clearFaults();
		await watch.publish();
		await watch.unpublish();
		expect(await watch.executions()).toEqual([]);
	});
});

describe('"Fetch test event"', () => {
	it('shows recent real records, and changes no state', async () => {
		const sandbox = await openSandbox();
		const watch = await Watch.over(server, sandbox);
		await watch.publish();
		const page = sandbox.discover.citedPage();
		const question = sandbox.discover.question();

		const execution = await watch.fetchTestEvent();
		expect(execution.status).toBe('success');
		const shown = outputOf(execution, 'Trigger');
		expect(shown).toHaveLength(10);
		expect(shown).toContainEqual({ event: 'citedPage', ...page });
		expect(shown).toContainEqual({ event: 'question', ...question });

		// Publishing again polls at once: what the test showed is still due
		await watch.unpublish();
		await watch.publish();
		const ids = [page.id, question.id];
		expect((await watch.startedWith(ids)).sort()).toEqual(ids.sort());
		await watch.unpublish();
	});

	it('says of an empty workspace that there is nothing yet', async () => {
		const watch = await Watch.over(server, await openSandbox({ empty: true }));
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

/** What a minute brings: the usual, and what breaks triggers. Gives the ids that must start the workflow. */
function discoverMuch({ discover }: Sandbox): string[] {
	const at = inTime(-HOUR);
	const atOneTime = Array.from({ length: 120 }, () => discover.citedPage({ firstSeenAt: at }));
	const found = [
		...atOneTime,
		discover.citedPage(),
		discover.question(),
		discover.question({ status: 'processed' }),
		// Late, but inside the look-back
		discover.citedPage({ firstSeenAt: inTime(-2 * DAY), lastSeenAt: inTime(-DAY) }),
		discover.question({ createdAt: inTime(-2 * DAY) }),
		// What comes after must not be hidden by a date in the future
		discover.citedPage({ firstSeenAt: inTime(DAY) }),
		discover.question({ createdAt: inTime(DAY) }),
	];
	// Before the look-back: no news
	discover.citedPage({ firstSeenAt: inTime(-30 * DAY), lastSeenAt: inTime(0) });
	discover.question({ createdAt: inTime(-30 * DAY) });
	return found.map(({ id }) => id);
}

const discoverFew = ({ discover }: Sandbox): string[] =>
	[
		discover.citedPage(),
		discover.citedPage({ firstSeenAt: inTime(-2 * DAY) }),
		discover.question(),
	].map(({ id }) => id);

describe('the life of a trigger: polls, faults, a crash, and on', () => {
	let calm: Watch;
	let troubled: Watch;
	/** What must have started each workflow so far */
	const due = { calm: [] as string[], troubled: [] as string[] };
	const began = Date.now();
	const times: string[] = [];
	const note = (what: string) => times.push(`${Math.round((Date.now() - began) / 1000)} s ${what}`);

	beforeAll(async () => {
		calm = await Watch.over(server, await openSandbox());
		troubled = await Watch.over(server, await openSandbox());
	});
	afterAll(() => console.log(`Trigger: ${times.join(', ')}`));

	async function expectDue(): Promise<void> {
		expect((await calm.startedWith(due.calm)).sort()).toEqual([...due.calm].sort());
		expect((await troubled.startedWith(due.troubled)).sort()).toEqual([...due.troubled].sort());
	}

	async function bothPoll(): Promise<void> {
		await Promise.all([calm.nextPoll(), troubled.nextPoll()]);
	}

	/** Lets polls fail until one has, with records waiting; gives the failed execution. */
	async function failedPoll(status: number): Promise<Execution> {
		const count = (await troubled.failures()).length;
		troubled.sandbox.fault({ kind: 'status', status, match: { times: null } });
		due.troubled.push(...discoverFew(troubled.sandbox));
		const failure = await troubled.failureAfter(count);
		troubled.sandbox.clearFaults();
		expect(await troubled.failures()).toHaveLength(count + 1);
		return failure;
	}

	it('starts nothing with what is there when it is published', async () => {
		await calm.publish();
		await troubled.publish();
		expect(calm.sandbox.requests.length).toBeGreaterThan(0);
		expect(await calm.executions()).toEqual([]);
		note('published');
	});

	it(
		'starts with what is new, also what is late, dated in the future, or of one time',
		async () => {
			due.calm.push(...discoverMuch(calm.sandbox));
			const failure = (async () => await failedPoll(401))();
			await Promise.all([calm.nextPoll(), failure]);
			await expectOnly(calm, due.calm);
			const [{ data }] = [await failure];
			expect(data.resultData.error).toMatchObject({
				message: 'The API key was not accepted',
				httpCode: '401',
			});
			note('polled, and failed with 401');
		},
		STORY_TIMEOUT_MS,
	);

	async function expectOnly(watch: Watch, ids: string[]): Promise<void> {
		expect((await watch.startedWith(ids)).sort()).toEqual([...ids].sort());
	}

	it(
		'starts nothing when there is nothing new; a failed poll is seen as a failed execution',
		async () => {
			const failure = failedPoll(500);
			await Promise.all([calm.nextPoll(), failure]);
			expect((await failure).data.resultData.error).toMatchObject({ httpCode: '500' });
			expect(await calm.executions()).toHaveLength(1);
			await expectOnly(calm, due.calm);
			note('polled, and failed with 500');
		},
		STORY_TIMEOUT_MS,
	);

	it(
		'makes up for failed polls',
		async () => {
			await troubled.nextPoll();
			await expectDue();
			note('recovered');
		},
		STORY_TIMEOUT_MS,
	);

	it(
		'loses nothing when n8n is killed in the middle of a poll',
		async () => {
			due.calm.push(...discoverFew(calm.sandbox));
			calm.sandbox.setLatency(3000);
			await calm.pollBegun();
			await server.kill();
			calm.sandbox.setLatency(0);
			due.calm.push(...discoverFew(calm.sandbox));
			due.troubled.push(...discoverFew(troubled.sandbox));
			note('killed');
			await server.start();
			await expectDue();
			note('started again');
		},
		STORY_TIMEOUT_MS,
	);

	it(
		'goes on after that, and starts with each record exactly once',
		async () => {
			due.calm.push(...discoverFew(calm.sandbox));
			due.troubled.push(...discoverMuch(troubled.sandbox));
			await bothPoll();
			await expectDue();
			note('polled');
		},
		STORY_TIMEOUT_MS,
	);

	it('keeps what it knows while it is not published', async () => {
		await calm.unpublish();
		await troubled.unpublish();
		due.calm.push(...discoverFew(calm.sandbox));
		await calm.publish();
		await troubled.publish();
		await expectDue();
		await calm.unpublish();
		await troubled.unpublish();
		note('published again');
	});

	it('puts out records oldest first, with the event in front', async () => {
		const [first] = await calm.executions();
		const items = outputOf(first, 'Trigger');
		const moments = items.map((item) => Date.parse(item.firstSeenAt ?? item.createdAt));
		expect(moments).toEqual([...moments].sort((a, b) => a - b));
		for (const item of items) expect(Object.keys(item)[0]).toBe('event');
		expect(calm.sandbox.responseViolations).toEqual([]);
	});
});
