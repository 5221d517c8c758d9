import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { ServiceRequest } from '../../nodes/shared/request/client.ts';
import type { Plan } from '../../nodes/SearchVisibilityTrigger/reading.ts';
import { failure, reading } from './built.mts';
import { DAY } from '../model/triggerService.mts';

const NOW = Date.UTC(2026, 0, 31, 12);
const TIMES = ['firstSeenAt', 'firstSeen', 'createdAt'];

/** A record of this many days ago; null: without a time. */
function aged(id: string, days: number | null): IDataObject {
	const time = days === null ? null : new Date(NOW - days * DAY).toISOString();
	return { id, ...Object.fromEntries(TIMES.map((field) => [field, time])) };
}

/** One record a day, the newest first. */
const daily = (count: number, name = 'r') =>
	Array.from({ length: count }, (_, days) => aged(`${name}${days}`, days));

type Lists = Record<string, IDataObject[]>;

interface Case {
	event?: 'backlink' | 'citedPage' | 'question';
	lists: Lists;
	includeProcessed?: boolean;
	/** Called before each request is answered; may throw or change the lists */
	onRequest?: (query: IDataObject, lists: Lists) => void;
}

/** What is read, and what the requests ask for. */
async function read(plan: Plan, { event = 'backlink', lists, ...more }: Case) {
	const { includeProcessed = false, onRequest } = more;
	const sent: IDataObject[] = [];
	const request = async ({ method, path, query = {} }: ServiceRequest) => {
		sent.push({ method, path, ...query });
		onRequest?.(query, lists);
		const all = lists[String(query.type ?? query.status)] ?? [];
		const [offset, limit] = [Number(query.offset), Number(query.limit)];
		const items = all.slice(offset, offset + limit);
		return await Promise.resolve({ data: { total: all.length, items } });
	};
	const source = { event, includeProcessed, domain: '', concurrency: 3 };
	const result = await reading.readEvent({ ...source, client: { request } as never }, plan);
	const ids = result.listed.map(({ id }) => id);
	return { ...result, ids, sent, offsets: sent.map(({ offset }) => offset) };
}

const idsOf = (records: IDataObject[]) => records.map(({ id }) => id);
const from = NOW - 149 * DAY;

describe('a list that is documented to be sorted', () => {
	it('is read only down to the given time, and then its last record', async () => {
		const lists = { competitors: daily(300) };
		const result = await read({ from, order: undefined }, { lists });
		expect(result).toMatchObject({ from, order: 'sorted', total: 300, offsets: [0, 90, 299] });
		expect(result.ids).toEqual(idsOf(lists.competitors.slice(0, 190)));
		expect(result.sent[0]).toEqual({
			...{ method: 'GET', path: '/v1/backlinks', type: 'competitors' },
			...{ sortBy: 'firstSeen', sortOrder: 'desc', offset: 0, limit: 100 },
		});
	});

	it('is read no further if its length is the one that was checked', async () => {
		const lists = { competitors: daily(300) };
		const same = await read({ from, order: undefined, total: 300 }, { lists });
		expect(same).toMatchObject({ total: 300, offsets: [0, 90] });
		const other = await read({ from, order: undefined, total: 299 }, { lists });
		expect(other).toMatchObject({ total: 300, offsets: [0, 90, 299] });
	});

	it('is read on while a record may be as old as the given time', async () => {
		const lists = { competitors: daily(300) };
		const at = await read({ from: NOW - 99 * DAY, order: undefined }, { lists });
		expect(at.offsets).toEqual([0, 90, 299]);
		const after = await read({ from: NOW - 99 * DAY + 1, order: undefined }, { lists });
		expect(after.offsets).toEqual([0, 299]);
	});

	it.each([0, 1, 50, 99])('is read once if it is short (%s)', async (count) => {
		const lists = { competitors: daily(count) };
		const result = await read({ from: NOW - 20 * DAY, order: undefined }, { lists });
		expect(result).toMatchObject({ from: NOW - 20 * DAY, offsets: [0] });
		expect(result.ids).toEqual(idsOf(lists.competitors));
	});

	it('is read together with that of the processed ones', async () => {
		const lists = { competitors: daily(300), processed: daily(250, 'p') };
		const both = { lists, includeProcessed: true };
		const result = await read({ from, order: undefined }, both);
		expect(result).toMatchObject({ total: 550, offsets: [0, 90, 0, 90, 299, 249] });
		expect(result.ids).toHaveLength(380);
		const again = await read({ from, order: undefined, total: 550 }, both);
		expect(again.offsets).toEqual([0, 90, 0, 90]);
	});

	it.each(['competitors', 'processed'] as const)(
		'is checked again next time if it changed at its end (%s)',
		async (changed) => {
			const lists = { competitors: daily(300), processed: daily(250, 'p') };
			const onRequest = ({ limit, type }: IDataObject) => {
				if (limit === 1 && type === changed) lists[changed].push(aged('late', 400));
			};
			const plan = { from, order: undefined };
			const result = await read(plan, { lists, includeProcessed: true, onRequest });
			expect(result.order).toBe('sorted');
			expect(result).not.toHaveProperty('total');
		},
	);

	it.each([
		['a recent record', aged('late', 1)],
		['a record without a time', aged('late', null)],
	])('is read whole with %s on a page that has to be read', async (_what, late) => {
		const lists = { competitors: daily(300) };
		lists.competitors.splice(50, 0, late);
		const result = await read({ from, order: undefined }, { lists });
		// One page in order, then all pages
		expect(result).toMatchObject({ order: undefined, offsets: [0, 0, 100, 200, 300] });
		expect(result.ids).toEqual(idsOf(lists.competitors));
		expect(result).not.toHaveProperty('from');
		expect(result).not.toHaveProperty('total');
		expect(result.sent.every(({ sortBy }) => sortBy === 'firstSeen')).toBe(true);
	});

	it('is read whole with a recent record at its end', async () => {
		const lists = { competitors: [...daily(300), aged('late', 1)] };
		const result = await read({ from, order: undefined }, { lists });
		expect(result.offsets).toEqual([0, 90, 300, 0, 100, 200, 300]);
		expect(result.ids).toContain('late');
		expect(result).not.toHaveProperty('from');
	});

	it('is read whole, page by page at once, if everything is asked for', async () => {
		const lists = { competitors: daily(300) };
		const result = await read({ order: undefined }, { lists });
		expect(result.offsets).toEqual([0, 100, 200]);
		expect(result.ids).toEqual(idsOf(lists.competitors));
		expect(result).not.toHaveProperty('total');
	});

	it('is read at once rather than in order if it is very long', async () => {
		const lists = { competitors: daily(6000) };
		const result = await read({ from: NOW - 5900 * DAY, order: undefined }, { lists });
		expect(result.ids).toHaveLength(6000);
		expect(result).not.toHaveProperty('from');
		expect(result.offsets.indexOf(0, 1)).toBeLessThan(60);
	});

	it('fails if the service refuses to sort', async () => {
		const onRequest = () => {
			throw new failure.RequestFailure('status', { statusCode: 400 });
		};
		const refused = read({ order: undefined }, { lists: {}, onRequest });
		await expect(refused).rejects.toMatchObject({ kind: 'status' });
	});
});

describe('a list whose sorting is only tried', () => {
	const event = 'citedPage';
	const day = '2025-09-04';

	it('is asked for what was cited since that day, until its order is proved', async () => {
		const lists = { new: daily(300) };
		const first = await read({ from, order: undefined }, { event, lists });
		expect(first).toMatchObject({ order: 'sorted', from: Date.parse(day), offsets: [0, 100, 200] });
		expect(first.sent[0]).toMatchObject({ startDate: day, sortBy: 'firstSeenAt' });
		const next = await read({ from, order: 'sorted' }, { event, lists });
		expect(next).toMatchObject({ order: 'sorted', from, total: 300, offsets: [0, 90, 299] });
		expect(next.sent.filter(({ startDate }) => startDate)).toEqual([]);
	});

	it('is read without sorting once it is broken', async () => {
		const lists = { new: daily(300) };
		lists.new.splice(50, 0, aged('late', 1));
		const result = await read({ from, order: 'sorted' }, { event, lists });
		expect(result).toMatchObject({ order: 'unsorted', from: Date.parse(day) });
		expect(result.ids).toEqual(idsOf(lists.new));
		expect(result.sent.map(({ sortBy }) => sortBy !== undefined)).toEqual(
			result.sent.map((_, request) => request === 0),
		);
		expect(result.sent[1]).toMatchObject({ startDate: day });
		const next = await read({ from, order: 'unsorted' }, { event, lists });
		expect(next.sent[0]).not.toHaveProperty('sortBy');
	});

	it('is read whole with a record without a time, and may be in order all the same', async () => {
		const lists = { new: daily(300) };
		lists.new.splice(50, 0, aged('undated', null));
		const result = await read({ from, order: 'sorted' }, { event, lists });
		expect(result.order).toBe('sorted');
		expect(result).not.toHaveProperty('from');
		expect(result.sent.every(({ sortBy, startDate }) => sortBy && !startDate)).toBe(true);
	});

	it('is read again without a day if a record without a time was cited since then', async () => {
		const since = [aged('recent', 1), aged('undated', null)];
		const lists = { new: since };
		const onRequest = ({ startDate }: IDataObject) => {
			lists.new = startDate ? since : [...since, aged('older', null)];
		};
		const result = await read({ from, order: 'unsorted' }, { event, lists, onRequest });
		expect(result.ids).toEqual(['recent', 'undated', 'older']);
		expect(result).not.toHaveProperty('from');
		expect(result.sent.map(({ startDate }) => startDate)).toEqual([day, undefined]);
	});

	it.each([400, 422])('is read without it if the service refuses it (%s)', async (statusCode) => {
		const onRequest = ({ sortBy }: IDataObject) => {
			if (sortBy) throw new failure.RequestFailure('status', { statusCode });
		};
		const lists = { new: daily(3) };
		const result = await read({ from, order: 'sorted' }, { event, lists, onRequest });
		expect(result).toMatchObject({ order: 'unsorted', ids: ['r0', 'r1', 'r2'] });
		expect(result.sent).toHaveLength(2);
	});

	it.each([
		new failure.RequestFailure('status', { statusCode: 403 }),
		new failure.RequestFailure('network', { code: 'ECONNRESET' }),
		new Error('odd'),
	])('fails in any other case (%s)', async (thrown) => {
		let requests = 0;
		const onRequest = () => {
			requests++;
			throw thrown;
		};
		const failed = read({ from, order: 'sorted' }, { event, lists: {}, onRequest });
		await expect(failed).rejects.toBe(thrown);
		expect(requests).toBe(1);
	});

	it('has a record once that moves to another list meanwhile, as it was last', async () => {
		const lists = { new: daily(2), processed: [aged('r1', 1), aged('p', 2)] };
		const both = { event, lists, includeProcessed: true } as const;
		const { listed } = await read({ order: 'unsorted' }, both);
		expect(listed.map(({ id, isProcessed }) => [id, isProcessed])).toEqual([
			['r0', false],
			['r1', true],
			['p', true],
		]);
	});
});

it('a list that cannot be sorted is read whole', async () => {
	const lists = { new: daily(250) };
	const result = await read({ from, order: undefined }, { event: 'question', lists });
	expect(result).toMatchObject({ order: undefined, offsets: [0, 100, 200] });
	expect(result.ids).toHaveLength(250);
	expect(result.sent[0]).toEqual({
		...{ method: 'GET', path: '/v1/people-also-ask', status: 'new' },
		...{ offset: 0, limit: 100 },
	});
	expect(result).not.toHaveProperty('from');
});
