import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { EVENT_NAMES, EVENTS, type EventName } from '../../nodes/SearchVisibilityTrigger/events.ts';
import { useSandbox } from '../sandbox/useSandbox.mts';
import { core, triggerOf } from './engine.mts';
import { nothingUnderWay } from './helpers.mts';

const sandbox = await useSandbox({ seed: { citedPage: 40, question: 130 } });
const empty = await useSandbox({ empty: true });

const HOUR = 60 * 60 * 1000;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString();

/** A published trigger whose polls give records, or null. */
function start(parameters: INodeParameters = {}, access = sandbox) {
	const { poll, ...trigger } = triggerOf(access, {
		events: ['citedPage', 'question'],
		...parameters,
	});
	const records = async (...given: Parameters<typeof poll>) => {
		const items = await poll(...given);
		return items && items.flat().map(({ json }) => json);
	};
	return { ...trigger, poll: records };
}

it('the trigger emits nothing at first, then each new record once, with the event in front, and stores no key', async () => {
	const trigger = start({ events: EVENT_NAMES });
	expect(await trigger.poll()).toBeNull();
	expect(await trigger.poll()).toBeNull();
	const dated = EVENT_NAMES.flatMap((event) => (event === 'articleReady' ? [] : [event]));
	const found = dated.map((event, n) => {
		const time = { [String(EVENTS[event].timeField)]: hoursAgo(EVENT_NAMES.length - n) };
		return { event, ...sandbox.discover[event](time) };
	});
	// A new question that has its article already: it has no time as an article, and comes last
	const answered = { ...sandbox.discover.question({ createdAt: hoursAgo(0), articleId: 'art_1' }) };
	const records = [
		...found,
		{ event: 'question', ...answered },
		{ event: 'articleReady', ...answered },
	];
	const from = { workspaceId: 'ws_0001', workspaceName: 'Northwind marketing' };
	expect(await trigger.poll()).toEqual(records.map((record) => ({ ...record, ...from })));
	expect(await trigger.poll()).toBeNull();
	const state = JSON.stringify(trigger.state());
	expect(state).not.toContain(sandbox.apiKey);
	expect(state.length).toBeLessThan(5000);
});

it.each(['hang', 'drip'] as const)(
	'a failed poll of the trigger throws in time, and ends its request, if the service answers too slowly: %s',
	async (kind) => {
		const trigger = start();
		await trigger.poll();
		sandbox.clearLog();
		sandbox.fault({ kind, match: { times: null } });
		const began = Date.now();
		const poll = trigger.poll('trigger', 1000);
		await expect(poll).rejects.toThrow('The service did not respond in time');
		expect(Date.now() - began).toBeLessThan(10_000);
		expect(sandbox.requests.length).toBeGreaterThan(0);
		await nothingUnderWay(sandbox);
	},
);

it('a pause that the service asks for is shown once and kept to, and publishing the workflow again asks the service', async () => {
	const trigger = start();
	trigger.publish();
	await trigger.poll();
	const headers = { 'Retry-After': '86400' };
	sandbox.fault({ kind: 'status', status: 429, headers, match: { times: null } });
	await expect(trigger.poll()).rejects.toThrow('too many requests');
	sandbox.clearLog();
	expect(await trigger.poll()).toBeNull();
	expect(sandbox.requests).toEqual([]);
	trigger.publish();
	await expect(trigger.poll()).rejects.toThrow('too many requests');
	expect(sandbox.requests.length).toBeGreaterThan(0);
});

it('a credential store that hangs makes a poll fail with words, and loses no record, even if it answers later', async () => {
	const trigger = start({ events: ['question', 'competitor'] });
	await trigger.poll();
	const { id } = sandbox.discover.question({});
	let answer = () => {};
	const { prototype } = core.PollContext;
	const real = prototype.getCredentials;
	const hang = vi.spyOn(prototype, 'getCredentials').mockImplementation(async function (
		this: InstanceType<typeof core.PollContext>,
		type: string,
	) {
		await new Promise<void>((resolve) => (answer = resolve));
		return await real.call(this, type);
	} as never);
	onTestFinished(() => void hang.mockRestore());
	const before = JSON.stringify(trigger.state());
	const poll = trigger.poll('trigger', 1000);
	await expect(poll).rejects.toThrow('The poll took longer than n8n allows');
	await nothingUnderWay(sandbox);
	const sent = sandbox.requests.length;
	answer();
	await new Promise((resolve) => setTimeout(resolve, 50));
	expect(sandbox.requests).toHaveLength(sent);
	expect(JSON.stringify(trigger.state())).toBe(before);
	hang.mockRestore();
	expect(await trigger.poll()).toMatchObject([{ id }]);
});

it.each(['manual', 'trigger'] as const)(
	'a credential whose key comes from an item is an error that says so (%s)',
	async (mode) => {
		const ofItem = { ...sandbox, apiKey: '={{ $json.apiKey }}' };
		const words = /^The credential takes its key from an item, and there is none here/;
		await expect(start({}, ofItem).poll(mode)).rejects.toThrow(words);
		expect(sandbox.requests).toEqual([]);
	},
);

describe('Fetch Test Event', () => {
	it('shows recent real records of every event, and changes no state', async () => {
		sandbox.discover.question({ articleId: 'art_1' });
		const trigger = start({ events: EVENT_NAMES });
		const records = (await trigger.poll('manual')) ?? [];
		const counts = EVENT_NAMES.map((name) => records.filter(({ event }) => event === name).length);
		expect(counts.filter((count) => count < 1 || count > 5)).toEqual([]);
		expect(trigger.state()).toEqual({});
		// One page of each list
		const lists = EVENT_NAMES.flatMap((name) => EVENTS[name].listQueries);
		expect(sandbox.requests.length).toBeLessThanOrEqual(lists.length);
	});

	it('shows processed records if nothing is new, and else says what it waits for', async () => {
		const { id } = empty.discover.question({ status: 'processed' });
		expect(await start({}, empty).poll('manual')).toMatchObject([{ id }]);
		const onlyNew = start({ options: { includeProcessed: false } }, empty);
		await expect(onlyNew.poll('manual')).rejects.toMatchObject({
			message: 'No matching records yet',
			description: expect.stringMatching(
				/starts when a matching record appears\. To see .+ remove/,
			),
		});
	});

	it('advises to remove filters only if the events have any', async () => {
		const filters = { domain: 'nowhere.example' };
		const descriptionFor = async (events: EventName[]) => {
			const polled = start({ events, filters }, empty).poll('manual');
			return await polled.catch(({ description }: { description: string }) => description);
		};
		expect(await descriptionFor(['citedPage'])).toContain('remove the filters');
		expect(await descriptionFor(['articleReady'])).toMatch(/a matching record appears\.$/);
	});
});
