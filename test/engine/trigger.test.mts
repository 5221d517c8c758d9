import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { itemAt } from '../defined.mts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { core, triggerOf } from './engine.mts';
import { nothingUnderWay, withSandbox } from './helpers.mts';

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
});

describe('a failed poll', () => {
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
});

describe('a pause that the service asks for', () => {
	it('is shown once and kept to, and publishing the workflow again asks the service', async () => {
		const trigger = start();
		trigger.publish();
		await trigger.poll();
		sandbox.fault({
			...{ kind: 'status', status: 429, headers: { 'Retry-After': '86400' } },
			match: { times: null },
		});
		await expect(trigger.poll()).rejects.toThrow('too many requests');
		sandbox.clearLog();
		expect(await trigger.poll()).toBeNull();
		expect(sandbox.requests).toEqual([]);
		trigger.publish();
		await expect(trigger.poll()).rejects.toThrow('too many requests');
		expect(sandbox.requests.length).toBeGreaterThan(0);
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
