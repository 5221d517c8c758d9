import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';

import { RequestFailure } from '../../nodes/shared/errors/requestFailure.ts';
import { pagesOf } from '../../nodes/shared/lists/pages.ts';
import type { List, ListBounds } from '../../nodes/shared/lists/readList.ts';
import * as lists from '../../nodes/shared/lists/readList.ts';
import { itemAt } from '../defined.mts';
import { amount } from '../seed.mts';

/** Its pauses take no time */
const client = { pause: vi.fn(async (_milliseconds: number) => await Promise.resolve()) };

type Item = { id: string; value: number };
type Order = (a: Item, b: Item) => number;

const DOWN: Order = (a, b) => b.value - a.value;
const UP: Order = (a, b) => a.value - b.value;
/** The opposite order, as it is asked for; a service that does not know it keeps its own. */
const RISING = { field: 'value', isAscending: true };

interface Nature {
	/** How many different values there are; all if missing */
	values?: number | undefined;
	/** Whether equal records have another order on each page */
	isShuffled?: boolean;
	/** Maximum number of records on a page */
	most?: number | undefined;
}

/** A list that the service sorts by its values, or in another order. */
class Service {
	readonly items: Item[];
	requests: Array<{ offset: number; limit: number; total: number }> = [];
	/** Called before each request */
	happens: (request: number) => void = () => {};

	constructor(
		size: number,
		readonly nature: Nature = {},
		name = 'r',
	) {
		const values = upTo(size).map((n) => size - (n % (nature.values ?? size)));
		values.sort((a, b) => b - a);
		this.items = values.map((value, n) => ({ id: `${name}${n}`, value }));
	}

	list(opposite?: Order): List {
		return {
			client,
			readPage: this.pagesBy(DOWN),
			opposite: opposite && { readPage: this.pagesBy(opposite), order: RISING },
		};
	}

	private pagesBy(order: Order): List['readPage'] {
		return async (offset, limit) => {
			this.happens(this.requests.length);
			const { isShuffled, most = Infinity } = this.nature;
			const count = Math.min(limit, most);
			const total = this.items.length;
			this.requests.push({ offset, limit, total });
			await Promise.resolve();
			// A list that is not shuffled has the order of its records, whatever has been put into it
			const shuffled = isShuffled ? shuffle(this.items, 1000 * offset + count) : [...this.items];
			const sorted = isShuffled || order !== DOWN ? shuffled.sort(order) : shuffled;
			return { total, items: sorted.slice(offset, offset + count).map((item) => ({ ...item })) };
		};
	}
}

/** Each seed gives another order, which has nothing to do with the others. */
const shuffle = (items: Item[], seed: number) =>
	fc.sample(fc.shuffledSubarray(items, { minLength: items.length }), { seed, numRuns: 1 }).flat();

/** @returns the records; throws unless the list is whole */
async function readWhole(list: List | List[], options?: ListBounds) {
	const { readJoined, readList } = lists;
	const read = Array.isArray(list) ? readJoined(list, options) : readList(list, options);
	const { records, missing, reason } = await read;
	expect(missing > 0).toBe(reason !== undefined);
	expect(new Set(idsOf(records)).size).toBe(records.length);
	if (reason) throw new RequestFailure(reason, { missing });
	return records;
}

/** @returns the records; undefined unless the list is whole */
const ifWhole = async (list: List, options?: ListBounds) =>
	await readWhole(list, options).catch((error: unknown) => {
		if (error instanceof RequestFailure && ['ties', 'changed'].includes(error.kind))
			return undefined;
		throw error;
	});

const idsOf = (records: Array<{ id?: unknown }>) => records.map(({ id }) => String(id));
const sortedIdsOf = (records: Array<{ id?: unknown }>) => [...new Set(idsOf(records))].sort();
const valuesOf = (records: Array<{ value?: unknown }>) => records.map(({ value }) => Number(value));
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number);
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);
const perhaps = (min: number, max: number) =>
	fc.option(fc.integer({ min, max }), { nil: undefined });

const natures = (values: number) =>
	fc.record({ values: perhaps(1, values), isShuffled: fc.boolean(), most: perhaps(10, 100) });
/** No other order, one that the service obeys, and one that it ignores */
const opposites = fc.constantFrom(undefined, UP, DOWN);

const always = async <T,>(cases: fc.Arbitrary<T>, holds: (one: T) => Promise<void>, runs = 100) =>
	await fc.assert(fc.asyncProperty(cases, holds), { numRuns: amount(runs, 20 * runs) });

/** How many requests it takes to read this many records in parts of 100, if the service gives at most so many at a time. */
const requestsFor = (count: number, most = 100) =>
	Math.max(1, Math.floor(count / 100) * Math.ceil(100 / most) + Math.ceil((count % 100) / most));

/** The list of the service, without one of its records: on every page, another one stands in its place. */
const hidingFrom = (service: Service): List => ({
	client,
	readPage: async (offset, limit) => {
		const { total, items } = await service.list().readPage(offset, limit);
		const others = service.items.filter(({ id }) => id !== 'r7' && !idsOf(items).includes(id));
		const other = others.find(({ value }) => value === service.items[7]?.value);
		return { total, items: items.map((item) => (item.id === 'r7' && other ? other : item)) };
	},
});

/** The list of the service, whose total is wrong until the first pause, and then another one. */
function withTotals(service: Service, before: number, after = before): List {
	let total = before;
	const readPage: List['readPage'] = async (...page) => ({
		...(await service.list().readPage(...page)),
		total,
		size: service.nature.most,
	});
	const pause = async () => await Promise.resolve(void (total = after));
	return { client: { pause }, readPage };
}

describe('a list that does not change', () => {
	it('is whole, or has as many of its first records as wanted, in order; without ties, with no request more than it takes', async () => {
		const lists = { size: fc.nat({ max: 600 }), nature: natures(12), opposite: opposites };
		let tied = 0;
		await always(fc.record({ ...lists, limit: perhaps(1, 600) }), async (one) => {
			const { size, nature, opposite, limit = Infinity } = one;
			const service = new Service(size, nature);
			const found = valuesOf(await readWhole(service.list(opposite), { limit }));
			expect(found).toEqual(valuesOf(service.items).slice(0, limit));
			const { values, isShuffled, most } = nature;
			const needed = requestsFor(Math.min(size, limit), most);
			const { length } = service.requests;
			if (values === undefined || !isShuffled) expect(length).toBe(needed);
			else expect(length).toBeLessThanOrEqual(20 * (requestsFor(size, most) + 10));
			const asked = sum(service.requests.slice(0, needed).map((request) => request.limit));
			if (most === undefined && size > limit) expect(asked).toBeLessThanOrEqual(limit);
			if (length > needed) tied++;
		});
		expect(tied).toBeGreaterThan(15);
	});

	it('in which records come twice: whole without the repeats, or an error, but never less', async () => {
		const places = fc.array(fc.nat({ max: 250 }), { minLength: 1, maxLength: 3 });
		const lists = { size: fc.integer({ min: 1, max: 250 }), nature: natures(190) };
		const repeats = { places, apart: fc.constantFrom(1, 151) };
		let whole = 0;
		await always(fc.record({ ...lists, ...repeats }), async ({ size, nature, places, apart }) => {
			const service = new Service(size, nature);
			const { values, isShuffled } = nature;
			const { items } = service;
			for (const place of places.map((one) => one % size))
				items.splice(place + apart, 0, { ...itemAt(items, place) });
			const records = await ifWhole(service.list());
			if (!isShuffled || values === undefined) expect(records).toBeDefined();
			if (!records) return;
			expect(sortedIdsOf(records)).toEqual(sortedIdsOf(items));
			whole++;
		});
		expect(whole).toBeGreaterThan(50);
	});

	it('is whole once the opposite order has what hides in this one', async () => {
		const service = new Service(300, { values: 2, isShuffled: true });
		const { opposite } = service.list(UP);
		const records = await readWhole({ ...hidingFrom(service), opposite });
		expect(sortedIdsOf(records)).toEqual(sortedIdsOf(service.items));
		expect(valuesOf(records)).toEqual(valuesOf(records).sort((a, b) => b - a));
	});

	const failing = (statusCode: number) => async () =>
		await Promise.reject(new RequestFailure('status', { statusCode }));

	it.each([
		[400, 'is read on in its own order'],
		[422, 'is read on in its own order'],
		[500, 'fails'],
	])('of which the opposite order ends with %i %s', async (statusCode, end) => {
		const service = new Service(300, { values: 2, isShuffled: true });
		const opposite = { readPage: failing(statusCode), order: RISING };
		const reading = readWhole({ ...service.list(), opposite });
		if (end === 'fails')
			return await expect(reading).rejects.toMatchObject({ details: { statusCode } });
		expect(sortedIdsOf(await reading)).toEqual(sortedIdsOf(service.items));
	});

	it('fails if its own order is refused', async () => {
		const refused = readWhole({ client, readPage: failing(422) });
		await expect(refused).rejects.toMatchObject({ details: { statusCode: 422 } });
	});

	it('stays incomplete if one record never comes: what was found, how many are missing, and why', async () => {
		const service = new Service(150, { values: 1, isShuffled: true });
		const result = await lists.readList(hidingFrom(service));
		expect(result).toMatchObject({ missing: 1, reason: 'ties' });
		expect(result.records).toHaveLength(149);
		expect(service.requests.length).toBeLessThanOrEqual(20 * 3);
	});
});

describe('a list that changes while it is read', () => {
	const made = (count: number, turn: number, value = 0) =>
		upTo(count).map((n) => ({ id: `new ${turn} ${n}`, value }));

	it('has every record that was among those wanted the whole time, and as many as it wants, or is an error', async () => {
		const at = fc.double({ min: 0, max: 1, noNaN: true });
		/** Records are put in, or if negative, taken out; as many of both would look as if nothing had happened */
		const edit = fc.record({ at, count: fc.integer({ min: -25, max: 25 }) });
		const edits = fc.dictionary(fc.nat({ max: 14 }).map(String), edit, { maxKeys: 4 });
		const lists = { size: fc.nat({ max: 700 }), most: perhaps(10, 100), opposite: opposites };
		let changed = 0;
		await always(fc.record({ ...lists, edits, limit: perhaps(1, 500) }), async (one) => {
			const { size, most, opposite, edits, limit = Infinity } = one;
			const service = new Service(size, { most });
			const places = new Map(idsOf(service.items).map((id, index) => [id, index]));
			let inserted = 0;
			service.happens = (request) => {
				const { at, count } = edits[request] ?? { at: 0, count: 0 };
				const { items } = service;
				const place = Math.round(at * items.length);
				const added = made(Math.max(count, 0), request, items[place]?.value);
				for (const { id } of items.splice(place, Math.max(-count, 0), ...added)) places.delete(id);
				inserted += added.length;
			};
			const records = await ifWhole(service.list(opposite), { limit });
			if (!records) return;
			const totals = service.requests.map(({ total }) => total);
			expect(records.length).toBeGreaterThanOrEqual(Math.min(limit, ...totals));
			const ids = new Set(idsOf(records));
			const wanted = [...places].filter(([, place]) => place + inserted < limit);
			expect(wanted.filter(([id]) => !ids.has(id))).toEqual([]);
			if (new Set(totals).size > 1) changed++;
		});
		expect(changed).toBeGreaterThan(20);
	});

	it.each([
		[3, undefined],
		[4, 'changed'],
	])('%i times is read again after 1, 2 and 4 seconds: %s', async (times, reason) => {
		const service = new Service(450);
		let changes = 0;
		service.happens = () => {
			if (service.requests.at(-1)?.offset === 0 && changes < times)
				service.items.unshift(...made(1, ++changes));
		};
		client.pause.mockClear();
		const result = await lists.readList(service.list());
		expect(result.reason).toBe(reason);
		expect(result.records.length).toBeGreaterThanOrEqual(450);
		expect(client.pause.mock.calls.map(([pause]) => pause)).toEqual([1000, 2000, 4000]);
	});

	it.each([95, 100, 105, 210])(
		'but has an old total at first (%i of 100) is whole',
		async (old) => {
			const { records, reason } = await lists.readList(withTotals(new Service(100), old, 100));
			expect([records.length, reason]).toEqual([100, undefined]);
		},
	);

	it.each([
		[105, 100, undefined],
		[61, 60, 30],
		[50, 49, 30],
	])('and has %i records, but says %i: an error', async (count, total, most) => {
		const list = withTotals(new Service(count, { most }), total);
		expect(await lists.readList(list)).toMatchObject({ reason: 'changed' });
	});

	it('now and then is read on, as long as it does not change four times in a row', async () => {
		const service = new Service(150, { values: 1, isShuffled: true });
		let readings = 0;
		service.happens = () => {
			const begins = service.requests.at(-1)?.offset === 0;
			if (begins && ++readings % 2 === 0) service.items.push(...made(1, readings));
		};
		await lists.readList(hidingFrom(service));
		expect(readings).toBe(20);
	});
});

describe('a service that breaks the contract', () => {
	const range = (start: number, count: number, end = Infinity) =>
		upTo(Math.max(0, Math.min(end - start, count))).map((n) => start + n);
	type Ids = (offset: number, limit: number) => number[];
	it.each<[string, number, number, Ids]>([
		['announces more than it has', 100, 1000, (offset, limit) => range(offset, limit, 990)],
		['announces far more than it has', 120, 1e12, (offset, limit) => range(offset, limit, 300)],
		['announces fewer than its first page has', 20, 57, range],
		['gives a record less than asked', 200, 1000, (offset, limit) => range(offset, limit - 1)],
		['gives its first page for ever', 120, 1e12, (_, limit) => range(0, limit)],
		['gives a short first page for ever', 150, 200_000_000, () => range(1, 2)],
		['gives one record for ever', 200, 1000, () => range(7, 1)],
		['gives one record on all places', 120, 1000, (_, limit) => range(0, limit).map(() => 7)],
		['gives no records', 20, 1000, () => []],
		['gives the same 2 of 3 records', 200, 3, () => range(0, 2)],
		['gives the same 20 of 100 records', 200, 100, () => range(0, 20)],
		['gives the same 100 of 250 records', 200, 250, () => range(0, 100)],
	])('%s: ends in an error, with less than %i requests', async (_, most, total, idsAt) => {
		let requests = 0;
		const readPage: List['readPage'] = async (offset, limit) => {
			requests++;
			return await Promise.resolve({ total, items: idsAt(offset, limit).map((id) => ({ id })) });
		};
		await expect(readWhole({ client, readPage })).rejects.toMatchObject({ kind: 'changed' });
		expect(requests).toBeLessThan(most);
	});

	it('gives more than asked of a list with a limit: no more come out, and the rest is told', async () => {
		const items = range(0, 20).map((id) => ({ id }));
		const readPage = async () => await Promise.resolve({ total: 100, items });
		const { records, ...told } = await lists.readList({ client, readPage }, { limit: 10 });
		expect(records).toEqual(items.slice(0, 10));
		expect(told).toMatchObject({ isCut: true, missing: 1 });
	});

	it('gives no IDs, and a record twice: it counts once', async () => {
		const items = ['a', 'b', 'a'].map((term) => ({ id: null, term }));
		const readPage = async (offset: number, limit: number) =>
			await Promise.resolve({ total: 3, items: items.slice(offset, offset + limit) });
		const records = items.slice(0, 2);
		expect(await lists.readList({ client, readPage })).toMatchObject({ records, missing: 0 });
	});
});

describe('one page', () => {
	const pageOf = async (body: unknown) => {
		const request = async (sent: object) => {
			const query = { status: 'active', offset: 20, limit: 10 };
			expect(sent).toEqual({ method: 'GET', path: '/v1/keywords', query });
			return await Promise.resolve(body);
		};
		const list = { method: 'GET', path: '/v1/keywords', query: { status: 'active' } } as const;
		return await pagesOf({ request, ...client }, list)(20, 10);
	};

	const items = [{ id: 1 }, { id: 2 }];
	it.each([
		{ total: 22, offset: 20, limit: 10, count: 2, items },
		{ total: '22', offset: '20', limit: '10', count: '2', items },
		{ total: 22, offset: null, limit: null, count: null, items },
		{ total: ' 22 ', items },
		{ total: 22, limit: 2, items },
		{ total: '0', items: null },
		{ total: 0 },
		{ total: 0, offset: 7, items: [] },
	])('is read from %j', async (data) => {
		const size = 'limit' in data && data.limit ? Number(data.limit) : undefined;
		const page = { total: Number(data.total), items: data.items ?? [], size };
		expect(await pageOf({ data })).toEqual(page);
	});

	it.each([
		[[], 'total'],
		[{ data: [] }, 'total'],
		[{ data: { total: null, items: [] } }, 'total'],
		[{ data: { total: -1, items: [] } }, 'total'],
		[{ data: { total: '1.5', items: [] } }, 'total'],
		[{ data: { total: 2, items: null } }, 'items'],
		[{ data: { total: 0, items: {} } }, 'items'],
		[{ data: { total: 22, items: [{ id: 1 }, null] } }, 'items'],
		[{ data: { total: 22, count: 2, items: [{ id: 1 }] } }, 'count'],
		[{ data: { total: 40, offset: '0', items: [{ id: 1 }] } }, 'offset'],
		// Numbers beyond 2^53 lose their last digits, so that several records could look the same
		[{ data: { total: 22, items: [{ id: 2 ** 53 }] } }, 'id'],
	])('is not a documented list: %j lacks a usable %s', async (body, field) => {
		const words = expect.stringContaining(`'${field}'`) as string;
		await expect(pageOf(body)).rejects.toMatchObject({
			kind: 'shape',
			details: { serviceMessage: words },
		});
	});
});

describe('several lists as one', () => {
	const threeOf = (...sizes: number[]) =>
		sizes.map((size, n) => new Service(size, {}, `list ${n}: `)) as [Service, Service, Service];
	const allIn = (services: Service[]) => services.flatMap(({ items }) => idsOf(items));

	it('cost their pages', async () => {
		const services = threeOf(250, 100, 0);
		const records = await readWhole(services.map((one) => one.list()));
		expect(idsOf(records)).toEqual(allIn(services));
		// One page more where the last one is full
		expect(services.map(({ requests }) => requests.length)).toEqual([3, 1 + 1, 1]);
	});

	it('of which one cannot be read completely: all that was found, how many are missing, and why', async () => {
		const [first, second, third] = threeOf(30, 250, 20);
		const all = [first.list(), withTotals(second, 260), third.list()];
		const { records, ...others } = await lists.readJoined(all);
		expect(sortedIdsOf(records)).toEqual(allIn([first, second, third]).sort());
		expect(others).toEqual({ missing: 10, isCut: false, reason: 'changed' });
	});
});
