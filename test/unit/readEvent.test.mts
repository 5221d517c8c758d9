import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { EventName } from '../../nodes/SearchVisibilityTrigger/events.ts';
import type { EventState } from '../../nodes/SearchVisibilityTrigger/state.ts';
import type { ServiceRequest } from '../../nodes/shared/request/client.ts';
import { DAY } from '../model/triggerService.mts';
import * as failure from '../../nodes/shared/errors/requestFailure.ts';
import * as reading from '../../nodes/SearchVisibilityTrigger/readEvent.ts';

const NOW = Date.UTC(2026, 0, 31, 12);

interface One {
	id: string;
	/** Days before now; missing for a record without a time */
	age?: number;
	list?: 'processed';
}

/** The lists of a service. It keeps the order that it is asked for, unless it is told not to. */
class Service {
	asked: IDataObject[] = [];

	sorting: 'kept' | 'ignored' | 'refused' = 'kept';

	/** A record that comes on no page: others of the same age stand in its place, in turn */
	hidden?: (query: IDataObject) => string | undefined;

	onRequest?: (count: number) => void;

	constructor(readonly records: One[]) {}

	async request({ query = {} }: ServiceRequest): Promise<unknown> {
		await Promise.resolve();
		this.asked.push(query);
		this.onRequest?.(this.asked.length);
		if (query.sortBy && this.sorting === 'refused') {
			throw new failure.RequestFailure('status', { statusCode: 422 });
		}
		const isIn = ({ list }: One) => (list === 'processed') === (query.type === 'processed');
		const rows = this.records.filter(isIn);
		const sign = query.sortOrder === 'asc' ? -1 : 1;
		const ageOf = ({ age = -1e9 }: One) => age;
		if (query.sortBy && this.sorting === 'kept') rows.sort((a, b) => sign * (ageOf(a) - ageOf(b)));
		const [offset, limit] = [Number(query.offset), Number(query.limit)];
		const hidden = this.hidden?.(query);
		const twinOf = ({ id, age }: One) => {
			const twins = rows.filter((row) => row.age === age && row.id !== id);
			return twins[this.asked.length % twins.length];
		};
		const page = rows.slice(offset, offset + limit);
		const items = page.map((one) => show((one.id === hidden && twinOf(one)) || one));
		return { data: { total: rows.length, offset, limit, count: items.length, items } };
	}

	/** What was asked: the direction, the list, where, and how much. */
	get pages(): string[] {
		return this.asked.map(({ sortOrder, type, status, offset, limit, startDate }) =>
			[sortOrder, startDate, type ?? status, offset, limit]
				.filter((part) => part !== undefined)
				.join(' '),
		);
	}
}

const show = ({ id, age }: One): IDataObject => {
	const time = age === undefined ? null : new Date(NOW - age * DAY).toISOString();
	return { id, firstSeenAt: time, firstSeen: time, createdAt: time };
};

/** The youngest has the number 0. Ten are of the same day. */
const many = (count: number, ageOf = (n: number) => Math.floor(n / 10)): One[] =>
	Array.from({ length: count }, (_, n) => ({ id: `r${n}`, age: ageOf(n) }));

const FILTER = { includeProcessed: false, domain: '', ownership: 'any', platforms: [] };

const stateOf = (more: Partial<EventState>): EventState => ({
	...{ service: '', workspace: undefined, filter: FILTER, polledAt: NOW, watermark: NOW },
	...{ confirmed: undefined, floor: undefined, seen: {}, undated: {}, triedAt: NOW },
	...{ incomplete: 0, totals: [], order: undefined, ...more },
});

async function read(
	service: Service,
	{
		event = 'citedPage' as EventName,
		...more
	}: Partial<Parameters<typeof reading.readEvent>[0]> = {},
) {
	return await reading.readEvent({
		...{ event, client: service, service: '', workspace: undefined, before: undefined },
		...{ filter: FILTER, lookback: 3 * DAY, emitExisting: false, now: () => NOW, ...more },
	});
}

const floorAt = (age: number) => NOW - age * DAY;

describe('a first poll', () => {
	it('reads everything, oldest first', async () => {
		const service = new Service(many(250));
		const { listed, ...rest } = await read(service);
		expect(rest).toEqual({ isWhole: true, missing: 0, order: 'sorted', totals: [250], now: NOW });
		expect(new Set(listed.map(({ id }) => id)).size).toBe(250);
		expect(service.pages.sort()).toEqual(['asc new 0 100', 'asc new 100 100', 'asc new 200 100']);
	});

	it.each<[string, One[], string | undefined]>([
		['ten steps up', many(11, (n) => n), 'sorted'],
		['nine', many(10, (n) => n), undefined],
		['equal times', many(30, () => 1), undefined],
		['a few times, and equal ones', many(60, (n) => Math.floor(n / 10)), undefined],
		['records without times between them', [...many(20), { id: 'u' }, { id: 'v' }], undefined],
	])('tells the order from what it sees: %s', async (_, records, order) => {
		expect((await read(new Service(records))).order).toBe(order);
	});

	it.each(['ignored', 'refused'] as const)('reads without an order that is %s', async (sorting) => {
		const service = Object.assign(new Service(many(150)), { sorting });
		const { listed, order, isWhole } = await read(service);
		expect([listed.length, order, isWhole]).toEqual([150, 'unsorted', true]);
		expect(service.pages.slice(-2)).toEqual(['new 0 100', 'new 100 100']);
	});

	it('fails with the service', async () => {
		const service = new Service(many(5));
		const broken = new failure.RequestFailure('status', { statusCode: 500 });
		service.onRequest = () => {
			throw broken;
		};
		await expect(read(service)).rejects.toBe(broken);
	});

	it.each<[string, string, boolean, number, number]>([
		['within the look-back, 20 times', 'r10', false, 1, 20],
		['older than that, once', 'r120', false, 0, 1],
		['older than that, 20 times if existing records count', 'r120', true, 1, 20],
	])('looks for what is missing %s', async (_, hidden, emitExisting, missing, readings) => {
		const service = new Service(many(150, (n) => 5 * Math.floor(n / 50)));
		service.hidden = () => hidden;
		expect((await read(service, { emitExisting })).missing).toBe(missing);
		const starts = service.asked.filter(({ offset }) => offset === 0);
		expect(starts).toHaveLength(readings);
	});

	it('finds in the opposite order what hides in this one', async () => {
		const service = new Service(many(150));
		service.hidden = ({ sortOrder }) => (sortOrder === 'asc' ? 'r10' : undefined);
		const { listed, missing } = await read(service);
		expect([new Set(listed.map(({ id }) => id)).size, missing]).toEqual([150, 0]);
		expect(service.pages.some((page) => page.startsWith('desc'))).toBe(true);
	});
});

describe('a poll that knows the order', () => {
	const before = (more: Partial<EventState> = {}) =>
		stateOf({ order: 'sorted', floor: floorAt(3), totals: [1000], ...more });

	it('reads from the end back to the floor, and what has come since', async () => {
		const service = new Service(many(1000));
		service.records.push({ id: 'new', age: 0 });
		const { listed, isWhole, missing, totals } = await read(service, { before: before() });
		expect(service.pages).toEqual(['asc new 900 100', 'asc new 1000 100']);
		expect([isWhole, missing, totals]).toEqual([false, 0, [1001]]);
		expect(listed.map(({ id }) => id)).toContain('new');
	});

	it('reads further back until a record is older than the floor', async () => {
		const service = new Service(many(1000));
		await read(service, { before: before({ floor: floorAt(15.05) }) });
		expect(service.pages).toEqual(['asc new 900 100', 'asc new 800 100']);
		const exact = new Service(many(1000));
		await read(exact, { before: before({ floor: floorAt(9.9) }) });
		expect(exact.pages).toEqual(['asc new 900 100', 'asc new 800 100']);
	});

	it('reads a list that has become shorter from its new end', async () => {
		const service = new Service(many(650));
		const { listed } = await read(service, { before: before() });
		expect(service.pages.slice(0, 2)).toEqual(['asc new 900 100', 'asc new 550 100']);
		expect(listed.map(({ id }) => id)).toContain('r0');
	});

	it('reads a short list from its beginning', async () => {
		const service = new Service(many(40));
		await read(service, { before: before({ totals: [40] }) });
		expect(service.pages).toEqual(['asc new 0 100']);
	});

	it.each<[string, string, Partial<EventState>, number, boolean]>([
		['since the floor', 'r10', {}, 1, true],
		['before the floor', 'r50', {}, 0, false],
		['known from before, with nothing late', 'r20', { confirmed: floorAt(1) }, 0, false],
		[
			'known from before, unless something is late',
			'r20',
			{ confirmed: floorAt(1), totals: [999] },
			0,
			true,
		],
		['since what is known', 'r5', { confirmed: floorAt(1) }, 1, true],
	])('looks for what is missing: %s', async (_, hidden, more, missing, isAgain) => {
		const service = new Service(many(1000));
		service.hidden = () => hidden;
		expect((await read(service, { before: before(more) })).missing).toBe(missing);
		const again = service.asked.length > 2;
		expect(again).toBe(isAgain);
		// In both directions, from the floor on
		const isOpposite = service.pages.some((page) => page.startsWith('desc'));
		expect(isOpposite).toBe(isAgain);
		expect(
			service.asked.every(({ offset, sortOrder }) => sortOrder === 'desc' || Number(offset) >= 899),
		).toBe(true);
	});

	it('finds the rest in the opposite order, no further than to the floor', async () => {
		const service = new Service(many(1000, (n) => Math.floor(n / 10) / 10));
		service.hidden = ({ sortOrder }) => (sortOrder === 'asc' ? 'r10' : undefined);
		const { listed, missing } = await read(service, { before: before() });
		expect(missing).toBe(0);
		expect(listed.map(({ id }) => id)).toContain('r10');
		expect(listed.filter(({ time = 0 }) => time < floorAt(3.01)).length).toBeLessThanOrEqual(100);
		const opposite = service.asked.filter(({ sortOrder }) => sortOrder === 'desc');
		expect(Math.max(...opposite.map(({ offset }) => Number(offset)))).toBeLessThan(301);
	});

	it('begins its pages elsewhere after polls that could not find everything', async () => {
		const limits = async (incomplete: number) => {
			const service = new Service(many(1000, (n) => Math.floor(n / 10) / 10));
			service.hidden = () => 'r10';
			await read(service, { before: before({ incomplete }) });
			return service.asked.map(({ offset }) => Number(offset)).join();
		};
		const seen = await Promise.all([0, 1, 2].map(limits));
		expect(new Set(seen).size).toBe(3);
	});

	it('reads everything without the order once that turns out to be gone', async () => {
		const service = Object.assign(new Service(many(1000)), { sorting: 'ignored' });
		const { order, listed } = await read(service as Service, { before: before() });
		expect([order, listed.length]).toEqual(['unsorted', 1000]);
		expect(service.pages.at(-1)).toMatch(/^2026-01-28 new /);
	});

	it('trusts a documented order from the start', async () => {
		const service = new Service(many(300));
		const state = { before: before({ order: undefined, totals: [300] }) };
		await read(service, { event: 'backlink', ...state });
		expect(service.pages).toEqual(['asc competitors 200 100']);
		const assumed = new Service(many(300));
		await read(assumed, state);
		expect(assumed.pages).toHaveLength(3);
	});

	it('needs a record with a time to know that records were found', async () => {
		const service = new Service([...many(1000), { id: 'u' }]);
		const { listed, missing } = await read(service, { before: before({ totals: [1001] }) });
		expect(missing).toBe(0);
		expect(listed.map(({ id }) => id)).toContain('u');
	});
});

describe('a list that nobody can sort', () => {
	const event = 'question' as const;
	const before = stateOf({ floor: floorAt(3), totals: [150], order: undefined });

	it.each<[string, One[], string, number, number]>([
		['newest first, and an old one is missing', many(150), 'r100', 0, 2],
		['newest first, and a new one is missing', many(150), 'r10', 1, 6],
		['too few times to know', many(150, (n) => (n < 75 ? 1 : 2)), 'r100', 1, 6],
		['nine steps down, twice', many(150, (n) => Math.min(9, n >> 3)), 'r100', 0, 4],
		['ten steps down', many(150, (n) => Math.min(10, n >> 3)), 'r100', 0, 2],
		['another order', many(150, (n) => Math.floor((n % 75) / 10)), 'r100', 1, 6],
	])('%s', async (_, records, hidden, missing, requests) => {
		const service = new Service(records);
		service.hidden = () => hidden;
		const result = await read(service, { event, before });
		expect(result).toMatchObject({ missing, order: undefined, isWhole: true });
		expect(service.pages.length).toBeGreaterThanOrEqual(requests);
		if (missing === 0) expect(service.pages).toHaveLength(requests);
		expect(service.pages[0]).toBe('new,processed 0 100');
	});

	it.each<[string, (service: Service) => void]>([
		['longer', ({ records }) => records.unshift({ id: 'new', age: 0 })],
		['shorter', ({ records }) => records.splice(120, 1)],
	])('may lack a record that has moved when it becomes %s', async (_, change) => {
		const service = new Service(many(150));
		service.onRequest = () => change(service);
		expect((await read(service, { event, before })).missing).toBeGreaterThanOrEqual(1);
	});
});

describe('once a day', () => {
	const before = stateOf({ order: 'sorted', floor: floorAt(3), totals: [300], triedAt: NOW - DAY });

	it('everything is read as well', async () => {
		const service = new Service([{ id: 'u' }, ...many(300)]);
		const result = await read(service, { before });
		expect(result.isWhole).toBe(true);
		expect(result).not.toHaveProperty('isTried');
		const early = { ...before, triedAt: NOW - DAY + 1 };
		expect((await read(new Service(many(300)), { before: early })).isWhole).toBe(false);
	});

	it('what was read counts if that takes too long', async () => {
		const service = new Service(many(300));
		service.onRequest = (count) => {
			if (count > 1) throw new failure.RequestFailure('deadline');
		};
		expect(await read(service, { before })).toMatchObject({ isWhole: false, isTried: true });
	});
});

describe('everything is read', () => {
	const state = { order: 'sorted' as const, floor: floorAt(3), totals: [300] };

	it('where no record has a time', async () => {
		const service = new Service(many(300).map(({ id }) => ({ id })));
		expect((await read(service, { before: stateOf(state) })).isWhole).toBe(true);
	});

	it('where nothing was found, only that', async () => {
		const service = new Service([]);
		const result = await read(service, { before: stateOf({ ...state, totals: [0] }) });
		expect(result).toMatchObject({ listed: [], isWhole: false, totals: [0] });
		expect(service.pages).toHaveLength(1);
	});

	it('after a change of the filter', async () => {
		const filter = { ...FILTER, domain: 'example' };
		const service = new Service(many(300));
		expect((await read(service, { before: stateOf(state), filter })).isWhole).toBe(true);
		expect(service.asked.every(({ domain }) => domain === 'example')).toBe(true);
	});
});

describe('where the order is gone', () => {
	it('cited pages are asked for by the day on which they were cited last; others cannot be', async () => {
		const state = { order: 'unsorted' as const, floor: floorAt(3), totals: [5] };
		const pages = new Service(many(5));
		expect((await read(pages, { before: stateOf(state) })).isWhole).toBe(false);
		expect(pages.pages).toEqual(['2026-01-28 new 0 100']);
		const links = new Service(many(5));
		expect((await read(links, { event: 'backlink', before: stateOf(state) })).isWhole).toBe(true);
		expect(links.pages).toEqual(['competitors 0 100']);
	});
});

it('of a record in two lists, the last appearance counts', async () => {
	const records: One[] = [
		{ id: 'a', age: 1 },
		{ id: 'a', age: 1, list: 'processed' },
		{ id: 'b', age: 1, list: 'processed' },
	];
	const filter = { ...FILTER, includeProcessed: true };
	const { listed, totals } = await read(new Service(records), { filter });
	expect(listed.map(({ id, isProcessed }) => [id, isProcessed])).toEqual([
		['a', true],
		['b', true],
	]);
	expect(totals).toEqual([1, 2]);
});

it('if the second list is not in order, both are read without it', async () => {
	const filter = { ...FILTER, includeProcessed: true };
	const service = new Service([
		...many(20),
		...many(20).map((one) => ({ ...one, list: 'processed' as const })),
	]);
	const request = service.request.bind(service);
	service.request = async (sent) => {
		service.sorting = sent.query?.type === 'processed' ? 'ignored' : 'kept';
		return await request(sent);
	};
	const { order, listed } = await read(service, { filter });
	expect([order, listed.length]).toEqual(['unsorted', 20]);
	expect(service.pages).toEqual([
		'asc new 0 100',
		'asc processed 0 100',
		'new 0 100',
		'processed 0 100',
	]);
});
