import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { defined, itemAt } from '../defined.mts';
import { createDiscover } from '../sandbox/discover.mts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { triggerOf } from './engine.mts';
import { nothingUnderWay, tooMany } from './helpers.mts';
import { needs } from './parts.mts';

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
const CITATIONS = '/v1/ai-visibility/citations';
const HOUR = 60 * 60 * 1000;
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

	it('continue after a restart, from the stored state', async () => {
		const before = start();
		await before.poll();
		const { id } = sandbox.discover.question({});
		const after = start();
		Object.assign(after.state(), JSON.parse(JSON.stringify(before.state())));
		expect(idsOf(await after.poll())).toEqual([id]);
		expect(await after.poll()).toBeNull();
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
	const faults = [
		[
			'the key is refused',
			{ kind: 'status', status: 401 },
			'The service did not accept the API key',
		],
		[
			'it may not do this',
			{ kind: 'status', status: 403 },
			'The API key does not have permission to do this',
		],
		[
			'the answer is no list',
			{ kind: 'envelope' },
			'The response does not have the documented format',
		],
	] as const;

	it.each(faults)(
		'because %s throws, emits nothing and changes nothing',
		async (_, fault, message) => {
			const trigger = start();
			await trigger.poll();
			const { id } = sandbox.discover.question({});
			const before = JSON.stringify(trigger.state());
			sandbox.fault({ ...fault, match: { path: '/v1/people-also-ask' } });
			await expect(trigger.poll()).rejects.toThrow(message);
			expect(JSON.stringify(trigger.state())).toBe(before);
			expect(idsOf(await trigger.poll())).toEqual([id]);
		},
	);

	it.each([
		[EVENTS, 'narrow the filters'],
		[['question'], 'in another workflow that polls less often'],
		[['backlink'], "turn off 'Include Processed'"],
	])('throws in time, with advice, if reading %j takes too long', async (events, advice) => {
		// Long enough for the first answer, even on a busy machine, but not for all of them
		sandbox.setLatency(500);
		const began = Date.now();
		await expect(start({ events }).poll('trigger', 1500)).rejects.toMatchObject({
			message: expect.stringContaining('The poll did not finish'),
			description: expect.stringContaining(advice),
		});
		expect(Date.now() - began).toBeLessThan(10_000);
	});

	it.each(['hang', 'drip'] as const)(
		'throws in time, and ends its request, if the service answers too slowly: %s',
		async (kind) => {
			const trigger = start();
			await trigger.poll();
			sandbox.clearLog();
			sandbox.fault({ kind, match: { times: null } });
			await expect(trigger.poll('trigger', 1000)).rejects.toThrow(
				'The service did not respond in time',
			);
			expect(sandbox.requests.length).toBeGreaterThan(0);
			await nothingUnderWay(sandbox);
		},
	);

	it('because the service asks to wait holds for the next polls: they send nothing', async () => {
		sandbox.fault({ ...tooMany('600'), match: { times: null } });
		const trigger = start();
		await expect(trigger.poll('trigger', 36_000)).rejects.toMatchObject({
			httpCode: '429',
			description: expect.stringContaining('Set the trigger to poll less often'),
		});
		sandbox.clearFaults();
		sandbox.clearLog();
		await expect(trigger.poll('trigger', 36_000)).rejects.toMatchObject({ httpCode: '429' });
		expect(sandbox.requests).toEqual([]);
		expect(await start().poll()).toBeNull();
	});

	it('tells n8n how long the service asks to wait', async (context) => {
		needs('failure causes', context);
		sandbox.fault({ ...tooMany('600'), match: { times: null } });
		await expect(start().poll('trigger', 36_000)).rejects.toMatchObject({
			failure: { cause: 'rate-limited', retryAfterMs: 600_000 },
		});
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

	it('for an event whose times are missing names it once', async () => {
		const trigger = start();
		await trigger.poll();
		const items = [{ id: 'q', createdAt: null }];
		const body = { data: { items, total: 1, offset: 0, limit: 100, count: 1 } };
		const match = { path: '/v1/people-also-ask', times: null };
		sandbox.fault({ kind: 'undocumented', body, match });
		await expect(trigger.poll()).rejects.toThrow(
			/^The service no longer provides the times of the records for 'New Related Question'\. If [^']+$/,
		);
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

	it('names the parameter that is wrong, before anything is sent', async () => {
		await expect(start({ events: [] }).poll()).rejects.toThrow("The 'Trigger On' parameter");
		const options = { maxItems: 1.5 };
		await expect(start({ options }).poll()).rejects.toThrow("The 'Max Items' parameter");
		expect(sandbox.requests).toEqual([]);
	});
});

describe('a user who tests the trigger', () => {
	it('sees recent real records of every event, and changes no state', async () => {
		const trigger = start({ events: ['citedPage', 'question', 'competitor', 'backlink'] });
		const records = recordsOf(await trigger.poll('manual')) as IDataObject[];
		expect(new Set(records.map(({ event }) => event)).size).toBe(4);
		expect(records.length).toBeLessThanOrEqual(20);
		expect(trigger.state()).toEqual({});
	});

	it('sees old pages if there are no recent ones', async () => {
		const url = 'https://old.example/page';
		const seenAt = hoursAgo(24 * 200);
		empty.discover.citedPage({ url, firstSeenAt: seenAt, lastSeenAt: seenAt });
		const records = recordsOf(await start({}, empty).poll('manual'));
		expect(records).toMatchObject([{ event: 'citedPage', url }]);
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

	it('sees a matching old page if the recent ones do not match', async () => {
		const page = (url: string, hours: number) =>
			empty.discover.citedPage({
				url,
				firstSeenAt: hoursAgo(hours),
				lastSeenAt: hoursAgo(hours),
				platforms: ['chat_assistant'],
			});
		const own = 'https://www.northwind-tea.example/page';
		const fits = page('https://old.example/page', 24 * 200);
		page(own, 1);
		const filters = { ownership: 'others', platforms: ['chat_assistant'] };
		const trigger = start({ events: ['citedPage'], filters }, empty);
		expect(idsOf(await trigger.poll('manual'))).toEqual([fits.id]);
	});

	it('sees processed records if nothing is new, unless they do not count', async () => {
		const events = ['citedPage', 'question', 'backlink'];
		const page = empty.discover.citedPage({});
		const question = empty.discover.question({});
		const backlink = empty.discover.backlink({});
		empty.edit('citedPage', page.id, { status: 'processed' });
		empty.edit('question', question.id, { status: 'processed' });
		empty.edit('backlink', backlink.id, { status: 'processed' });
		const ids = idsOf(await start({ events }, empty).poll('manual'));
		expect(ids?.sort()).toEqual([page.id, question.id, backlink.id].sort());
		const onlyNew = start({ events, options: { includeProcessed: false } }, empty);
		await expect(onlyNew.poll('manual')).rejects.toThrow('There is nothing to show yet');
	});

	it('sees the five newest when the first list has fewer, each once', async () => {
		const pages = [10, 9, 8, 6, 2, 1].map((days) => {
			const seenAt = hoursAgo(24 * days);
			return empty.discover.citedPage({ firstSeenAt: seenAt, lastSeenAt: seenAt });
		});
		for (const { id } of [0, 2, 3, 4].map((n) => itemAt(pages, n))) {
			empty.edit('citedPage', id, { status: 'processed' });
		}
		const trigger = start({ events: ['citedPage'] }, empty);
		const ids = pages.map(({ id }) => id).slice(1);
		expect(idsOf(await trigger.poll('manual'))).toEqual(ids);
	});

	it('costs one request for each event if the first list has enough', async () => {
		await start({ events: ['citedPage', 'competitor', 'backlink'] }).poll('manual');
		const paths = sandbox.requests.map(({ path }) => path);
		expect(paths).toHaveLength(3);
		expect(new Set(paths).size).toBe(3);
	});

	it('sees which event cannot be read, and why', async () => {
		sandbox.fault({ kind: 'status', status: 403, match: { path: CITATIONS, times: null } });
		const message = /permission.*The records for 'New Cited Page' could not be read/;
		await expect(start().poll('manual')).rejects.toThrow(message);
	});

	it('is told if there is nothing yet', async () => {
		await expect(start({}, empty).poll('manual')).rejects.toMatchObject({
			message: 'There is nothing to show yet',
			description: expect.stringContaining('the first new record starts it'),
		});
	});
});
