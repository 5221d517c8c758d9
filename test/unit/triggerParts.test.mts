import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { PollTools } from '../../nodes/SearchVisibilityTrigger/poll.ts';
import type { EventName } from '../../nodes/SearchVisibilityTrigger/events.ts';
import type { ServiceRequest } from '../../nodes/shared/request/client.ts';
import * as failure from '../../nodes/shared/errors/requestFailure.ts';
import * as pollFailures from '../../nodes/SearchVisibilityTrigger/pollErrors.ts';
import * as samples from '../../nodes/SearchVisibilityTrigger/sample.ts';
import * as states from '../../nodes/SearchVisibilityTrigger/state.ts';

const { RequestFailure } = failure;
const { EventFailure, TimesMissing, pollError } = pollFailures;

describe('a stored state', () => {
	const state = {
		...{ service: 'https://a.example', workspace: 'ws', filter: {}, seen: {}, undated: {} },
		totals: [],
	};
	const here = { service: 'https://a.example', workspace: 'ws' };

	it.each<
		[
			string,
			IDataObject | null | undefined,
			{ service: string; workspace: string | undefined },
			boolean,
		]
	>([
		['of this workspace', state, here, true],
		['of a workspace that is not told now', state, { ...here, workspace: undefined }, true],
		['of a workspace that was not told then', { ...state, workspace: undefined }, here, true],
		['of another workspace', { ...state, workspace: 'other' }, here, false],
		['of another service', { ...state, service: 'https://b.example' }, here, false],
		['that is missing', undefined, here, false],
		['of an event that has failed so far', null, here, false],
		...['filter', 'seen', 'undated', 'totals'].map(
			(name) =>
				[`without ${name}`, { ...state, [name]: undefined }, here, false] as [
					string,
					IDataObject,
					typeof here,
					boolean,
				],
		),
	])('%s', (_, stored, now, isKnown) => {
		expect(states.readState(stored, now)).toEqual(isKnown ? stored : undefined);
	});

	it.each([
		[undefined],
		['text'],
		[{}],
		[{ version: 1 }],
		[{ version: 2, events: { question: state } }],
	])('%j has nothing to go on from', (stored) => expect(states.statesIn(stored)).toEqual({}));

	it('is found by its event', () => {
		expect(states.statesIn({ version: 1, events: { question: state } })).toEqual({
			question: state,
		});
	});
});

describe('the error of a failed poll', () => {
	const NODE = {
		...{ id: '1', name: 'Search Visibility Trigger', type: 'test', typeVersion: 1 },
		position: [0, 0] as [number, number],
		parameters: {},
	};
	const errorOf = (failures: Array<[EventName, unknown]>, isOfAll = false) =>
		pollError(NODE, new EventFailure(new Map(failures), isOfAll));
	const status = new RequestFailure('status', { statusCode: 500 });

	it.each<[EventName[], string]>([
		[['question'], "'New Related Question'"],
		[['citedPage', 'backlink'], "'New Backlink' and 'New Cited Page'"],
		[
			['question', 'citedPage', 'backlink'],
			"'New Backlink', 'New Cited Page' and 'New Related Question'",
		],
	])('of %j is that of the first one, and names them if others did not fail', (events, names) => {
		const failures = events.map((event): [EventName, unknown] => [
			event,
			event === [...events].sort()[0] ? status : new RequestFailure('deadline'),
		]);
		const all = errorOf(failures, true);
		expect(all.message).toBe(pollError(NODE, status).message);
		const { message, description } = errorOf(failures);
		expect(message).toBe(`${all.message} The records for ${names} could not be read.`);
		const rest = 'The other events of this trigger continue, and no record is lost.';
		expect(description).toBe(`${all.description} ${rest}`);
	});

	it('is any other error as it is, with advice', () => {
		const { message, description } = pollError(NODE, status);
		expect(errorOf([['question', status]], true)).toMatchObject({ message, description });
	});

	it.each<[string, EventName, Error, RegExp]>([
		[
			'times are gone',
			'question',
			new TimesMissing(7),
			/^The service no longer provides the times of the records for 'New Related Question'\. If this persists, contact .*None of the 7 records has 'createdAt', .* Nothing is lost/,
		],
		[
			'a list takes too long',
			'backlink',
			new RequestFailure('deadline'),
			/^The poll did not finish in the time that n8n allows\. Reduce 'Look-Back Days'.* 'New Backlink' were read\. Nothing is lost/,
		],
		[
			'a list takes too long that cannot be sorted',
			'competitor',
			new RequestFailure('deadline'),
			/^The poll did not finish in the time that n8n allows\. Move the event to a trigger .* 'New Discovered Competitor' were read/,
		],
		[
			'records tie',
			'citedPage',
			new RequestFailure('ties', { missing: 12 }),
			/^Some records for 'New Cited Page' could not be found yet\. In several polls .*\(at least 12\).*keep looking/,
		],
	])('says what the trigger knows: %s', (_, event, thrown, expected) => {
		const { message, description } = errorOf([[event, thrown]]);
		expect(`${message} ${description}`.replace(/\. (.*?\.) \1/, '. $1')).toMatch(expected);
	});
});

describe('a test of the trigger', () => {
	const DAY = 86_400_000;
	const settings = {
		...{ domain: '', ownership: 'any', platforms: [], includeProcessed: true },
		...{ events: ['citedPage'] as EventName[], lookbackDays: 3, emitExisting: false, maxItems: 1 },
	};
	const show = async (
		lists: Record<string, IDataObject[]>,
		more: Partial<typeof settings> = {},
		onRequest: (query: IDataObject) => void = () => {},
	) => {
		const sent: IDataObject[] = [];
		const request = async ({ path, query = {} }: ServiceRequest) => {
			sent.push({ path, ...query });
			onRequest(query);
			const all = lists[String(query.type ?? query.status ?? query.scope)] ?? [];
			const [offset, limit] = [Number(query.offset), Number(query.limit)];
			const items = all.slice(offset, offset + limit);
			return await Promise.resolve({ data: { total: all.length, items } });
		};
		const tools = { client: { request } } as unknown as PollTools;
		const found = await samples.sample({ ...settings, ...more }, tools);
		return { found, sent };
	};
	const page = (n: number) => {
		const time = new Date(n * DAY).toISOString();
		const domain = n % 2 ? 'odd.example' : 'even.example';
		return { id: `p${n}`, firstSeenAt: time, createdAt: time, domain };
	};
	const pages = (count: number) => Array.from({ length: count }, (_, n) => page(count - n));

	it('shows the newest five, oldest first, and asks for the newest first', async () => {
		const { found, sent } = await show({ new: pages(8) });
		expect(found.map(({ event, id }) => `${String(event)} ${String(id)}`)).toEqual(
			[4, 5, 6, 7, 8].map((n) => `citedPage p${n}`),
		);
		expect(sent).toMatchObject([{ type: 'new', sortBy: 'firstSeenAt', sortOrder: 'desc' }]);
	});

	it('goes on with the other list where one has too few, and takes no record twice', async () => {
		const { found, sent } = await show({ new: [page(1), page(2)], processed: [page(1), page(9)] });
		expect(found.map(({ id }) => id)).toEqual(['p1', 'p2', 'p9']);
		expect(sent.map(({ type }) => type)).toEqual(['new', 'processed']);
	});

	it('reads one page of each list, however long they are', async () => {
		const { sent } = await show({ new: pages(2500) }, { domain: 'nowhere.example' });
		expect(sent.map(({ type }) => type)).toEqual(['new', 'processed']);
	});

	it('shows what the filter lets through', async () => {
		const { found } = await show({ new: pages(8) }, { domain: 'odd' });
		expect(found.map(({ id }) => id)).toEqual(['p1', 'p3', 'p5', 'p7']);
	});

	it('takes the order of a service that knows no other', async () => {
		const { found, sent } = await show({ new: pages(3) }, {}, ({ sortBy }) => {
			if (sortBy) throw new RequestFailure('status', { statusCode: 400 });
		});
		expect(found).toHaveLength(3);
		expect(sent.map(({ sortBy }) => sortBy)).toEqual([
			...['firstSeenAt', undefined],
			...['firstSeenAt', undefined],
		]);
	});

	it('asks for no order where nobody can sort', async () => {
		const { sent } = await show({}, { events: ['question'] });
		expect(sent).toEqual([
			{ path: '/v1/people-also-ask', status: 'new,processed', offset: 0, limit: 100 },
		]);
	});

	it('shows those of all events in the order of their times', async () => {
		const lists = { new: [page(2)], discovered: [page(3), page(1)] };
		const { found } = await show(lists, { events: ['citedPage', 'competitor'] });
		expect(found.map(({ event, id }) => [event, id])).toEqual([
			['competitor', 'p1'],
			['citedPage', 'p2'],
			['competitor', 'p3'],
		]);
	});

	it.each<[EventName[], boolean]>([
		[['citedPage'], true],
		[['question', 'citedPage'], false],
	])('fails with the event that cannot be read: of %j', async (events, isOfAll) => {
		const broken = new RequestFailure('status', { statusCode: 500 });
		const failed = show({}, { events }, ({ type }) => {
			if (type) throw broken;
		});
		await expect(failed).rejects.toMatchObject({ events: ['citedPage'], isOfAll });
	});
});
