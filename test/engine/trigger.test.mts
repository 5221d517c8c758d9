import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { defined, itemAt } from '../defined.mts';
import { createDiscover } from '../sandbox/discover.mts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { core, triggerOf } from './engine.mts';
import { nothingUnderWay, tooMany, withSandbox } from './helpers.mts';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ seed: { citedPage: 40, question: 130 } });
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const EVENTS = ['citedPage', 'question'];
const HOUR = 60 * 60 * 1000;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString();

type Polled = Awaited<ReturnType<ReturnType<typeof triggerOf>['poll']>>;
const recordsOf = (polled: Polled) => (polled ? itemAt(polled, 0).map(({ json }) => json) : polled);
const idsOf = (polled: Polled) => recordsOf(polled)?.map(({ id }) => id) ?? null;

const start = (parameters: INodeParameters = {}, access: Sandbox = sandbox) =>
	triggerOf(access, { events: EVENTS, ...parameters });

describe('the trigger', () => {
	it('emits nothing at first, then each new record once, with the event in front, and stores no key', async () => {
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
		const from = { workspaceId: 'ws_0001', workspaceName: 'Northwind marketing' };
		const items = records.map((record) => ({ ...record, ...from }));
		expect(recordsOf(await trigger.poll())).toEqual(items);
		expect(await trigger.poll()).toBeNull();
		const state = JSON.stringify(trigger.state());
		expect(state).not.toContain(sandbox.apiKey);
		expect(state.length).toBeLessThan(5000);
	});

	it('polls once at a time: another poll of the same node ends at once', async () => {
		const trigger = start({ events: ['question'] });
		await trigger.poll();
		const { id } = sandbox.discover.question({});
		sandbox.setLatency(300);
		const first = trigger.poll();
		expect(await trigger.poll()).toBeNull();
		expect(idsOf(await first)).toEqual([id]);
	});

	it('begins anew, silently, with another workspace behind the same address', async () => {
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
});

describe('a failed poll', () => {
	it('of the trigger throws and changes nothing, if n8n cannot show the error otherwise', async () => {
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
		'of the trigger throws in time, and ends its request, if the service answers too slowly: %s',
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

	it('of the trigger is shown once where the service asks to wait: then polls of this node send nothing', async () => {
		const trigger = start();
		await trigger.poll();
		sandbox.fault({ ...tooMany('600'), match: { times: null } });
		await expect(trigger.poll('trigger', 36_000)).rejects.toMatchObject({
			httpCode: '429',
			message: expect.stringContaining('Set the trigger to poll less often'),
		});
		sandbox.clearFaults();
		sandbox.clearLog();
		expect(await trigger.poll('trigger', 36_000)).toBeNull();
		expect(sandbox.requests).toEqual([]);
		await start().poll();
		expect(sandbox.requests.length).toBeGreaterThan(0);
	});

	it('of one event of the trigger is shown by n8n, lets the others continue, and loses nothing', async () => {
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
				/is not allowed to do this.* for 'New Related Question' could not be read/,
			),
			httpCode: '403',
		});
		sandbox.clearFaults();
		expect(idsOf(await poll())).toEqual([question.id]);
		expect(errors).toHaveLength(2);
	});
});

describe('a credential store that hangs during a poll of the trigger', () => {
	it('makes it fail with words, and loses no record, even if it answers later', async () => {
		const trigger = start({ events: ['question', 'competitor'] });
		await trigger.poll();
		const { id } = sandbox.discover.question({});
		let answer = () => {};
		const real = core.PollContext.prototype.getCredentials;
		const hang = vi
			.spyOn(core.PollContext.prototype, 'getCredentials')
			.mockImplementation(async function (
				this: InstanceType<typeof core.PollContext>,
				type: string,
			) {
				await new Promise<void>((resolve) => (answer = resolve));
				return await real.call(this, type);
			} as never);
		onTestFinished(() => hang.mockRestore());
		const before = JSON.stringify(trigger.state());
		await expect(trigger.poll('trigger', 1000)).rejects.toThrow(
			'The poll took longer than n8n allows',
		);
		await nothingUnderWay(sandbox);
		const sent = sandbox.requests.length;
		answer();
		await new Promise((resolve) => setTimeout(resolve, 50));
		expect(sandbox.requests).toHaveLength(sent);
		expect(JSON.stringify(trigger.state())).toBe(before);
		hang.mockRestore();
		expect(idsOf(await trigger.poll())).toEqual([id]);
	});
});

describe('Fetch Test Event', () => {
	it('shows recent real records of every event, and changes no state', async () => {
		const trigger = start({ events: ['citedPage', 'question', 'competitor', 'backlink'] });
		const records = recordsOf(await trigger.poll('manual')) as IDataObject[];
		expect(new Set(records.map(({ event }) => event)).size).toBe(4);
		expect(records.length).toBeLessThanOrEqual(20);
		expect(trigger.state()).toEqual({});
		// At most two lists of each event
		expect(sandbox.requests.length).toBeLessThanOrEqual(6);
	});

	it('shows processed records if nothing is new, and else says what it waits for', async () => {
		await withSandbox(
			async (empty) => {
				const { id } = empty.discover.question({});
				empty.edit('question', id, { status: 'processed' });
				expect(idsOf(await start({}, empty).poll('manual'))).toEqual([id]);
				const onlyNew = start({ options: { includeProcessed: false } }, empty);
				await expect(onlyNew.poll('manual')).rejects.toMatchObject({
					message: 'No matching records yet',
					description: expect.stringContaining('it starts when a matching record appears'),
				});
			},
			{ empty: true },
		);
	});
});
