import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { defined, itemAt } from '../defined.mts';
import { createDiscover } from '../sandbox/discover.mts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { triggerOf } from './engine.mts';

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
const pagesOf = (count: number) => Math.ceil(count / 100);
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString();

type Polled = Awaited<ReturnType<ReturnType<typeof triggerOf>['poll']>>;
const recordsOf = (polled: Polled) => (polled ? itemAt(polled, 0).map(({ json }) => json) : polled);
const idsOf = (polled: Polled) => recordsOf(polled)?.map(({ id }) => id) ?? null;

const start = (parameters: INodeParameters = {}, access: Sandbox = sandbox) =>
	triggerOf(access, { events: EVENTS, ...parameters });

describe('polls', () => {
	it('emit nothing at first, then each new record once, with the event in front', async () => {
		const trigger = start();
		expect(await trigger.poll()).toBeNull();
		expect(await trigger.poll()).toBeNull();
		const page = sandbox.discover.citedPage({ firstSeenAt: hoursAgo(2), lastSeenAt: hoursAgo(1) });
		const question = sandbox.discover.question({ createdAt: hoursAgo(1) });
		expect(recordsOf(await trigger.poll())).toEqual([
			{ event: 'citedPage', ...page },
			{ event: 'question', ...question },
		]);
		expect(await trigger.poll()).toBeNull();
	});

	it('find late records within the look-back, and ignore older ones', async () => {
		const trigger = start();
		await trigger.poll();
		sandbox.discover.question({ createdAt: hoursAgo(1) });
		await trigger.poll();
		const late = sandbox.discover.question({ createdAt: hoursAgo(60) });
		sandbox.discover.question({ createdAt: hoursAgo(24 * 30) });
		expect(idsOf(await trigger.poll())).toEqual([late.id]);
	});

	it('find records processed between two polls, unless told not to', async () => {
		const [all, onlyNew] = [start(), start({ options: { includeProcessed: false } })];
		await all.poll();
		await onlyNew.poll();
		const { id } = sandbox.discover.citedPage({});
		sandbox.edit('citedPage', id, { status: 'processed' });
		expect(idsOf(await all.poll())).toEqual([id]);
		expect(await onlyNew.poll()).toBeNull();
	});

	it('keep to the limit; the rest follows', async () => {
		const trigger = start({ events: ['question'], options: { maxItems: 2 } });
		await trigger.poll();
		const ids = [5, 4, 3, 2, 1].map(
			(hours) => sandbox.discover.question({ createdAt: hoursAgo(hours) }).id,
		);
		const polls = [
			await trigger.poll(),
			await trigger.poll(),
			await trigger.poll(),
			await trigger.poll(),
		];
		expect(polls.map(idsOf)).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4), null]);
	});

	it('emit existing records on request', async () => {
		const trigger = start({ events: ['question'], options: { emitExisting: true } });
		const listed = [...sandbox.state.all('question')].filter(({ archivedAt }) => !archivedAt);
		expect(idsOf(await trigger.poll())?.sort()).toEqual(listed.map(({ id }) => id).sort());
		expect(await trigger.poll()).toBeNull();
	});

	it('emit existing records over as many polls as the limit requires', async () => {
		const trigger = start({ options: { emitExisting: true, maxItems: 60 } });
		const emitted: unknown[] = [];
		for (let polled = await trigger.poll(); polled; polled = await trigger.poll()) {
			expect(itemAt(polled, 0).length).toBeLessThanOrEqual(60);
			emitted.push(...(idsOf(polled) as unknown[]));
		}
		const listed = [
			...[...sandbox.state.all('citedPage')].filter(({ status }) => status !== 'archived'),
			...[...sandbox.state.all('question')].filter(({ archivedAt }) => !archivedAt),
		];
		expect(listed.length).toBeGreaterThan(120);
		expect(emitted.sort()).toEqual(listed.map(({ id }) => id).sort());
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

	const changes: Array<[string, (state: IDataObject) => unknown, INodeParameters]> = [
		['changed filters', (state) => state, { filters: { ownership: 'others' } }],
		['an event that is added', (state) => state, { events: [...EVENTS, 'backlink'] }],
		[
			'another base URL',
			(state) => JSON.parse(JSON.stringify(state).replaceAll(sandbox.url, 'https://x.example')),
			{},
		],
		['a state of another version', (state) => ({ ...state, version: 0 }), {}],
		['a state without its events', (state) => ({ ...state, events: null }), {}],
		['a state that is not ours', () => ({ lastItemDate: '2026-01-31' }), {}],
	];

	it.each(changes)(
		'do not take %s for a first poll: existing records are not emitted',
		async (...change) => {
			const [, changed, parameters] = change;
			const options = { emitExisting: true };
			const before = start({ options });
			expect(await before.poll()).not.toBeNull();
			const after = start({ options, ...parameters });
			Object.assign(after.state(), changed(JSON.parse(JSON.stringify(before.state()))));
			expect(await after.poll()).toBeNull();
			const { id } = sandbox.discover.question({});
			expect(idsOf(await after.poll())).toEqual([id]);
		},
	);

	it('filter cited pages by domain, owner and platform', async () => {
		const trigger = start({
			filters: { domain: 'rival', ownership: 'others', platforms: ['answer_engine'] },
		});
		await trigger.poll();
		const on = (platform: 'answer_engine' | 'chat_assistant', url: string) =>
			sandbox.discover.citedPage({ url, platforms: [platform] });
		on('chat_assistant', 'https://rival.example/1');
		on('answer_engine', 'https://other.example/2');
		on('answer_engine', 'https://www.northwind-tea.example/rival');
		const wanted = on('answer_engine', 'https://rival.example/4');
		expect(idsOf(await trigger.poll())).toEqual([wanted.id]);
	});

	it('use the host of a pasted URL as the domain, and other text unchanged', async () => {
		const sent = async (domain: string) => {
			sandbox.clearLog();
			await start({ events: ['citedPage'], filters: { domain } }).poll();
			return itemAt(sandbox.requests, 0).query.domain;
		};
		const host = 'www.rival.example';
		expect(await sent(' https://WWW.rival.example/path?q=1#x ')).toBe(host);
		for (const text of [host, 'Rival', 'rival.']) expect(await sent(` ${text} `)).toBe(text);
		expect(await sent('rival.example/path')).toBe('rival.example');
	});

	it('do not treat a changed filter as a new start', async () => {
		const before = start({ filters: { ownership: 'own' }, options: { includeProcessed: false } });
		await before.poll();
		const question = sandbox.discover.question({ createdAt: hoursAgo(-0.001) });
		const processed = sandbox.discover.question({ createdAt: hoursAgo(-0.002) });
		sandbox.edit('question', processed.id, { status: 'processed' });
		const page = sandbox.discover.citedPage({
			url: 'https://other.example/1',
			firstSeenAt: hoursAgo(-0.003),
		});
		const after = start();
		Object.assign(after.state(), JSON.parse(JSON.stringify(before.state())));
		expect(idsOf(await after.poll())).toEqual([question.id, processed.id, page.id]);
		expect(await after.poll()).toBeNull();
	});

	it('continue an event where it was when it is removed and added again', async () => {
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

	it('know discovered competitors and new backlinks', async () => {
		const trigger = start({ events: ['competitor', 'backlink'] });
		expect(await trigger.poll()).toBeNull();
		const competitor = sandbox.discover.competitor({});
		const backlink = sandbox.discover.backlink({});
		const found = recordsOf(await trigger.poll()) as IDataObject[];
		expect(found.map(({ event, id }) => [event, id]).sort()).toEqual([
			['backlink', backlink.id],
			['competitor', competitor.id],
		]);
		expect(await trigger.poll()).toBeNull();
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
		expect(sandbox.requests.length).toBe(pagesOf(sandbox.state.count('question')));
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

	it('begin with records that tie, and find the next ones', async () => {
		const time = new Date(Date.now() - HOUR).toISOString();
		for (let n = 0; n < 230; n++) {
			empty.discover.question({ createdAt: time });
			empty.discover.citedPage({ firstSeenAt: time, lastSeenAt: time });
		}
		const trigger = start({}, empty);
		expect(await trigger.poll()).toBeNull();
		const [question, page] = [empty.discover.question({}), empty.discover.citedPage({})];
		expect(idsOf(await trigger.poll())?.sort()).toEqual([question.id, page.id].sort());
	});

	it('filter only cited pages', async () => {
		const trigger = start({ events: ['citedPage', 'question'], filters: { ownership: 'own' } });
		const records = recordsOf(await trigger.poll('manual')) ?? [];
		expect(records.some(({ event }) => event === 'question')).toBe(true);
		expect(records.every((one) => one.event === 'question' || one.isOwnDomain)).toBe(true);
	});

	it('continue after a restart, from the stored state', async () => {
		const before = start();
		await before.poll();
		const { id } = sandbox.discover.question({});
		const after = start();
		Object.assign(after.state(), JSON.parse(JSON.stringify(before.state())));
		expect(idsOf(await after.poll())).toEqual([id]);
		expect(await after.poll()).toBeNull();
	});

	it('do not change the other events when one is added', async () => {
		const before = start({ events: ['question'] });
		await before.poll();
		const { id } = sandbox.discover.question({});
		sandbox.discover.citedPage({});
		const after = start();
		Object.assign(after.state(), JSON.parse(JSON.stringify(before.state())));
		expect(idsOf(await after.poll())).toEqual([id]);
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
