import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { itemAt } from '../defined.mts';
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

	it('throws in time, with advice, if reading does not fit into the budget', async () => {
		const trigger = start();
		await trigger.poll();
		sandbox.setLatency(300);
		const began = Date.now();
		await expect(trigger.poll('trigger', 500)).rejects.toMatchObject({
			message: expect.stringContaining('The poll did not finish'),
			description: expect.stringContaining('narrow the filters'),
		});
		await expect(start({ events: ['question'] }).poll('trigger', 500)).rejects.toMatchObject({
			description: expect.stringContaining('in another workflow that polls less often'),
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

	it('says what to do when the service refuses for longer than the budget', async () => {
		sandbox.fault({ ...tooMany('600'), match: { times: null } });
		await expect(start().poll('trigger', 36_000)).rejects.toMatchObject({
			httpCode: '429',
			description: expect.stringContaining('Set the trigger to poll less often'),
		});
	});

	it('because the service asks to wait holds for the next polls: they send nothing', async () => {
		sandbox.fault({ ...tooMany('600'), match: { times: null } });
		const trigger = start();
		await expect(trigger.poll('trigger', 36_000)).rejects.toMatchObject({ httpCode: '429' });
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

	it('because the pages of one list hang does not slow down the others', async () => {
		for (let count = 0; count < 600; count++) sandbox.discover.question({});
		const trigger = start();
		await trigger.poll();
		const { id } = sandbox.discover.question({});
		sandbox.fault({ kind: 'hang', match: { path: CITATIONS, times: null } });
		sandbox.clearLog();
		sandbox.setLatency(40);
		expect(idsOf(await trigger.poll('trigger', 4000, () => {}))).toEqual([id]);
		expect(sandbox.maxInFlight).toBeGreaterThanOrEqual(5);
		expect(sandbox.maxInFlight).toBeLessThanOrEqual(20);
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
				description: expect.stringContaining(
					`This affects only ${names} (the error shown is that of 'New Discovered Competitor').`,
				),
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

	it('at first for one event is shown, and does not keep the others from beginning', async () => {
		const match = { path: '/v1/people-also-ask', times: null };
		sandbox.fault({ kind: 'status', status: 403, match });
		const errors: Error[] = [];
		const trigger = start();
		const poll = async () =>
			await trigger.poll('trigger', undefined, (error) => errors.push(error));
		expect(await poll()).toBeNull();
		expect(errors[0]?.message).toContain("The records for 'New Related Question' could not be");
		const { id } = sandbox.discover.citedPage({});
		expect(idsOf(await poll())).toEqual([id]);
		sandbox.clearFaults();
		expect(await poll()).toBeNull();
	});

	describe('permanently, for one event', () => {
		const begin = async () => {
			const trigger = start();
			await trigger.poll();
			const match = { path: '/v1/people-also-ask', times: null };
			sandbox.fault({ kind: 'status', status: 403, match });
			const page = sandbox.discover.citedPage({});
			const question = sandbox.discover.question({});
			return { trigger, page, question };
		};

		it('is shown by n8n, lets the others continue, and loses nothing', async () => {
			const { trigger, page, question } = await begin();
			const errors: Error[] = [];
			const poll = async () =>
				await trigger.poll('trigger', undefined, (error) => errors.push(error));
			expect(idsOf(await poll())).toEqual([page.id]);
			expect(await poll()).toBeNull();
			expect(errors).toHaveLength(2);
			expect(errors[0]).toMatchObject({
				message: expect.stringContaining('does not have permission to do this'),
				description: expect.stringContaining("'New Related Question'"),
				httpCode: '403',
			});
			sandbox.clearFaults();
			expect(idsOf(await poll())).toEqual([question.id]);
			expect(errors).toHaveLength(2);
		});

		it('makes polls fail that find nothing, if n8n cannot be told', async () => {
			const { trigger, page, question } = await begin();
			expect(idsOf(await trigger.poll())).toEqual([page.id]);
			await expect(trigger.poll()).rejects.toThrow(
				'The API key does not have permission to do this',
			);
			const next = sandbox.discover.citedPage({});
			expect(idsOf(await trigger.poll())).toEqual([next.id]);
			sandbox.clearFaults();
			expect(idsOf(await trigger.poll())).toEqual([question.id]);
		});
	});

	it('names the parameter that is wrong, before anything is sent', async () => {
		const wrong: Array<[INodeParameters, string]> = [
			[{ events: [] }, 'Trigger On'],
			[{ events: ['other'] }, 'Trigger On'],
			[{ options: { lookbackDays: 0 } }, 'Look-Back Days'],
			[{ options: { maxItems: 1.5 } }, 'Max Items'],
			[{ options: { includeProcessed: 'perhaps' } }, 'Include Processed'],
			[{ filters: { platforms: ['radio'] } }, 'Platforms'],
			[{ filters: { ownership: 'mine' } }, 'Ownership'],
			[{ filters: { domain: 'https://' } }, 'Domain'],
		];
		for (const [parameters, name] of wrong) {
			await expect(start(parameters).poll()).rejects.toThrow(`The '${name}' parameter`);
		}
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

	it('sees what can be read, and an error only if that is nothing', async () => {
		const match = { path: CITATIONS, times: null };
		sandbox.fault({ kind: 'status', status: 403, match });
		const records = recordsOf(await start().poll('manual')) as IDataObject[];
		expect(new Set(records.map(({ event }) => event))).toEqual(new Set(['question']));
		await expect(start({ events: ['citedPage'] }).poll('manual')).rejects.toThrow('permission');
	});

	it('is told if there is nothing yet', async () => {
		await expect(start({}, empty).poll('manual')).rejects.toMatchObject({
			message: 'There is nothing to show yet',
			description: expect.stringContaining('the first new record starts it'),
		});
	});
});
