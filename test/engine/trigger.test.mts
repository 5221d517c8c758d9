import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { defined, itemAt } from '../defined.mts';
import { createDiscover } from '../sandbox/discover.mts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { core, triggerOf } from './engine.mts';
import { nothingUnderWay, tooMany } from './helpers.mts';

let sandbox: Sandbox;
let empty: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ seed: { citedPage: 40, question: 130 } });
	empty = await startSandbox({ empty: true });
});
beforeEach(() => {
	sandbox.reset();
	empty.reset();
});
afterAll(async () => {
	await sandbox.close();
	await empty.close();
});

const EVENTS = ['citedPage', 'question'];
const HOUR = 60 * 60 * 1000;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString();

type Polled = Awaited<ReturnType<ReturnType<typeof triggerOf>['poll']>>;
const recordsOf = (polled: Polled) => (polled ? itemAt(polled, 0).map(({ json }) => json) : polled);
const idsOf = (polled: Polled) => recordsOf(polled)?.map(({ id }) => id) ?? null;

const start = (parameters: INodeParameters = {}, access: Sandbox = sandbox) =>
	triggerOf(access, { events: EVENTS, ...parameters });

describe('polls', () => {
	it('emit nothing at first, then each new record once, with the event in front', async () => {
		const trigger = start({ events: [...EVENTS, 'competitor', 'backlink'] });
		expect(await trigger.poll()).toBeNull();
		expect(await trigger.poll()).toBeNull();
		const { citedPage, question, competitor, backlink } = sandbox.discover;
		const records = [
			{ event: 'citedPage', ...citedPage({ firstSeenAt: hoursAgo(4), lastSeenAt: hoursAgo(1) }) },
			{ event: 'question', ...question({ createdAt: hoursAgo(3) }) },
			{ event: 'competitor', ...competitor({ createdAt: hoursAgo(2) }) },
			{ event: 'backlink', ...backlink({ firstSeen: hoursAgo(1) }) },
		];
		expect(recordsOf(await trigger.poll())).toEqual(records);
		expect(await trigger.poll()).toBeNull();
	});

	it('emit existing records once, even if the first poll fails or two run at the same time', async () => {
		const trigger = start({ events: ['question'], options: { emitExisting: true } });
		sandbox.fault({ kind: 'envelope', match: { path: '/v1/people-also-ask' } });
		await expect(trigger.poll()).rejects.toThrow('documented format');
		const both = await Promise.all([trigger.poll(), trigger.poll()]);
		const [found, ...more] = both.filter((polled) => polled !== null);
		expect(recordsOf(found)?.length).toBeGreaterThan(60);
		expect(more).toEqual([]);
	});

	it('of one node run one at a time: another one ends at once, without a request', async () => {
		const trigger = start({ events: ['question'] });
		await trigger.poll();
		const { id } = sandbox.discover.question({});
		sandbox.setLatency(300);
		sandbox.clearLog();
		const first = trigger.poll();
		expect(await trigger.poll()).toBeNull();
		expect(idsOf(await first)).toEqual([id]);
		const asked = sandbox.requests.map(({ query }) => JSON.stringify(query));
		expect(new Set(asked).size).toBe(asked.length);
	});

	it('read the records of another workspace behind the same address as a beginning', async () => {
		const shared = await startSandbox({ apiKeys: ['key-one', 'key-two'] });
		const [, other] = shared.states;
		Object.assign(defined(other).workspace, { id: 'ws_0002' });
		const one = start({}, shared);
		await one.poll();
		const two = start({}, { ...shared, apiKey: 'key-two' });
		Object.assign(two.state(), JSON.parse(JSON.stringify(one.state())));
		const { id } = createDiscover(defined(other)).question({});
		expect(await two.poll()).toBeNull();
		const later = createDiscover(defined(other)).question({});
		expect(idsOf(await two.poll())).toEqual([later.id]);
		expect(JSON.stringify(two.state())).not.toContain(id);
		await shared.close();
	});

	it('continue an event where it was, from the stored state, when it is removed and added again', async () => {
		const trigger = (events: string[], state: IDataObject = {}) => {
			const one = start({ events });
			Object.assign(one.state(), JSON.parse(JSON.stringify(state)));
			return one;
		};
		const both = trigger(EVENTS);
		await both.poll();
		const emitted = sandbox.discover.question({});
		expect(idsOf(await both.poll())).toEqual([emitted.id]);
		const without = trigger(['citedPage'], both.state());
		const meanwhile = sandbox.discover.question({});
		expect(await without.poll()).toBeNull();
		const again = trigger(EVENTS, without.state());
		expect(idsOf(await again.poll())).toEqual([meanwhile.id]);
		expect(await again.poll()).toBeNull();
	});

	it('store no key and little else', async () => {
		const trigger = start();
		await trigger.poll();
		const state = JSON.stringify(trigger.state());
		expect(state).not.toContain(sandbox.apiKey);
		expect(state.length).toBeLessThan(5000);
	});
});

it('an empty workspace counts as a first poll too: the first record ever is new', async () => {
	const trigger = start({}, empty);
	expect(await trigger.poll()).toBeNull();
	const { id } = empty.discover.question({ createdAt: hoursAgo(24 * 100) });
	expect(idsOf(await trigger.poll())).toEqual([id]);
});

describe('a poll that fails', () => {
	it('throws, emits nothing and changes nothing, if n8n cannot show the error otherwise', async () => {
		const trigger = start();
		await trigger.poll();
		const { id } = sandbox.discover.question({});
		const before = JSON.stringify(trigger.state());
		sandbox.fault({ kind: 'status', status: 401, match: { path: '/v1/people-also-ask' } });
		await expect(trigger.poll()).rejects.toThrow('The service did not accept the API key');
		expect(JSON.stringify(trigger.state())).toBe(before);
		expect(idsOf(await trigger.poll())).toEqual([id]);
	});

	it.each(['hang', 'drip'] as const)(
		'throws in time, and ends its request, if the service answers too slowly: %s',
		async (kind) => {
			const trigger = start();
			await trigger.poll();
			sandbox.clearLog();
			sandbox.fault({ kind, match: { times: null } });
			const began = Date.now();
			await expect(trigger.poll('trigger', 1000)).rejects.toThrow(
				'The service did not respond in time',
			);
			expect(Date.now() - began).toBeLessThan(10_000);
			expect(sandbox.requests.length).toBeGreaterThan(0);
			await nothingUnderWay(sandbox);
		},
	);

	it('because the service asks to wait is shown once: until then, polls end quietly and send nothing', async () => {
		sandbox.fault({ ...tooMany('600'), match: { times: null } });
		const trigger = start();
		await expect(trigger.poll('trigger', 36_000)).rejects.toMatchObject({
			httpCode: '429',
			message: expect.stringContaining('Set the trigger to poll less often'),
			description: expect.not.stringContaining('Set the trigger to poll less often'),
		});
		sandbox.clearFaults();
		sandbox.clearLog();
		const began = performance.now();
		const clock = vi.spyOn(performance, 'now');
		onTestFinished(() => clock.mockRestore());
		for (const seconds of [0, 200, 400, 598]) {
			clock.mockReturnValue(began + seconds * 1000);
			expect(await trigger.poll('trigger', 36_000)).toBeNull();
		}
		expect(sandbox.requests).toEqual([]);
		expect(await start().poll()).toBeNull();
		clock.mockReturnValue(began + 600_000);
		expect(await trigger.poll('trigger', 36_000)).toBeNull();
		expect(sandbox.requests.length).toBeGreaterThan(0);
	});

	it('because the pages of one list hang does not hold back the others', async () => {
		const pages = [100, 200, 300, 400, 500];
		for (let count = 0; count < 600; count++) sandbox.discover.question({});
		const trigger = start();
		await trigger.poll();
		for (const offset of pages) {
			const match = { path: '/v1/people-also-ask', query: { offset: String(offset) }, times: null };
			sandbox.fault({ kind: 'hang', match });
		}
		const { id } = sandbox.discover.citedPage({});
		const errors: Error[] = [];
		const polled = await trigger.poll('trigger', 2000, (error) => errors.push(error));
		expect(idsOf(polled)).toEqual([id]);
		expect(errors.map(({ message }) => message)).toEqual([
			expect.stringMatching(/The records for 'New Related Question' could not be read\.$/),
		]);
		await nothingUnderWay(sandbox);
	});

	it('for two events names both, and neither of the others', async () => {
		const trigger = start({ events: [...EVENTS, 'competitor'] });
		await trigger.poll();
		for (const path of ['/v1/people-also-ask', '/v1/competitors']) {
			sandbox.fault({ kind: 'status', status: 403, match: { path, times: null } });
		}
		const errors: Error[] = [];
		await trigger.poll('trigger', undefined, (error) => errors.push(error));
		const names = "'New Discovered Competitor' and 'New Related Question'";
		expect(errors).toMatchObject([
			{
				message: expect.stringContaining(`The records for ${names} could not be read.`),
				description: expect.stringContaining('The other events of this trigger continue'),
			},
		]);
	});

	it('permanently, for one event, is shown by n8n, lets the others continue, and loses nothing', async () => {
		const trigger = start();
		await trigger.poll();
		const match = { path: '/v1/people-also-ask', times: null };
		sandbox.fault({ kind: 'status', status: 403, match });
		const page = sandbox.discover.citedPage({});
		const question = sandbox.discover.question({});
		const errors: Error[] = [];
		const poll = async () =>
			await trigger.poll('trigger', undefined, (error) => errors.push(error));
		expect(idsOf(await poll())).toEqual([page.id]);
		expect(await poll()).toBeNull();
		expect(errors).toHaveLength(2);
		expect(errors[0]).toMatchObject({
			message: expect.stringMatching(
				/does not have permission to do this.* for 'New Related Question' could not be read/,
			),
			httpCode: '403',
		});
		sandbox.clearFaults();
		expect(idsOf(await poll())).toEqual([question.id]);
		expect(errors).toHaveLength(2);
	});
});

describe('a credential store that hangs', () => {
	it('makes one poll fail, with words, and no later one', async () => {
		const trigger = start({ events: ['question'] });
		await trigger.poll();
		const { id } = sandbox.discover.question({});
		let answer = () => {};
		const hang = vi.spyOn(core.PollContext.prototype, 'getCredentials').mockImplementationOnce(
			async () =>
				await new Promise((resolve) => {
					answer = () => resolve({ baseUrl: sandbox.url, apiKey: sandbox.apiKey } as never);
				}),
		);
		onTestFinished(() => hang.mockRestore());
		const before = JSON.stringify(trigger.state());
		sandbox.clearLog();
		await expect(trigger.poll('trigger', 100)).rejects.toThrow(
			'The poll did not finish in the time that n8n allows. Check whether n8n can read the credential',
		);
		// An answer that comes too late changes nothing any more
		answer();
		await new Promise((resolve) => setTimeout(resolve, 50));
		expect(sandbox.requests).toEqual([]);
		expect(JSON.stringify(trigger.state())).toBe(before);
		expect(idsOf(await trigger.poll())).toEqual([id]);
	});
});

describe('a credential store that hangs in the middle of a poll', () => {
	// n8n reads the credential again for each request
	it.each([2, 3, 4])('(call %i) loses no record, even if it answers later', async (call) => {
		const trigger = start({ events: ['question', 'competitor'] });
		await trigger.poll();
		const { id } = sandbox.discover.question({});
		let [calls, answer] = [0, () => {}];
		const real = core.PollContext.prototype.getCredentials;
		const hang = vi
			.spyOn(core.PollContext.prototype, 'getCredentials')
			.mockImplementation(async function (
				this: InstanceType<typeof core.PollContext>,
				type: string,
			) {
				if (++calls === call) await new Promise<void>((resolve) => (answer = resolve));
				return await real.call(this, type);
			} as never);
		onTestFinished(() => hang.mockRestore());
		const before = JSON.stringify(trigger.state());
		await expect(trigger.poll('trigger', 200)).rejects.toThrow('The poll did not finish');
		answer();
		await new Promise((resolve) => setTimeout(resolve, 50));
		expect(JSON.stringify(trigger.state())).toBe(before);
		hang.mockRestore();
		expect(idsOf(await trigger.poll())).toEqual([id]);
	});
});

describe('a user who tests the trigger', () => {
	it('sees recent real records of every event, and changes no state', async () => {
		const trigger = start({ events: ['citedPage', 'question', 'competitor', 'backlink'] });
		const records = recordsOf(await trigger.poll('manual')) as IDataObject[];
		expect(new Set(records.map(({ event }) => event)).size).toBe(4);
		expect(records.length).toBeLessThanOrEqual(20);
		expect(trigger.state()).toEqual({});
		// At most two lists of each event
		expect(sandbox.requests.length).toBeLessThanOrEqual(6);
	});

	it('sees the same numbers as in polls', async () => {
		const trigger = start({ events: ['citedPage'] }, empty);
		await trigger.poll();
		const page = (firstDays: number) =>
			empty.discover.citedPage({
				firstSeenAt: hoursAgo(24 * firstDays),
				lastSeenAt: hoursAgo(1),
				citations: 50,
				platforms: ['chat_assistant', 'answer_engine'],
			});
		const pages = [page(200), page(2), page(0.5)];
		expect(pages.map(({ citations }) => citations)).toEqual([50, 50, 50]);
		expect(recordsOf(await trigger.poll())).toMatchObject(pages);
		expect(recordsOf(await trigger.poll('manual'))).toMatchObject(pages);
	});

	it('sees processed records if nothing is new, unless they do not count', async () => {
		const { id } = empty.discover.question({});
		empty.edit('question', id, { status: 'processed' });
		expect(idsOf(await start({}, empty).poll('manual'))).toEqual([id]);
		const onlyNew = start({ options: { includeProcessed: false } }, empty);
		await expect(onlyNew.poll('manual')).rejects.toThrow('There is nothing to show yet');
	});

	it('is told if there is nothing yet', async () => {
		await expect(start({}, empty).poll('manual')).rejects.toMatchObject({
			message: 'There is nothing to show yet',
			description: expect.stringContaining('the first new record starts it'),
		});
	});
});
