import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { RequestFailure } from '../../nodes/shared/errors/requestFailure.ts';
import { pagesOf } from '../../nodes/shared/lists/pages.ts';
import type { List, ListOptions } from '../../nodes/shared/lists/readList.ts';
import { readJoined, readList } from '../../nodes/shared/lists/readList.ts';
import { itemAt } from '../defined.mts';
import { amount } from '../seed.mts';

type Item = { id: string; value: number };

interface Nature {
	/** How many records each list has */
	sizes: number[];
	/** How many different values the records are sorted by; all if missing */
	values?: number | undefined;
	/** Whether equal records have another order on each page, or the same one on all of them */
	ties?: 'page' | 'fixed';
	/** Maximum number of records on a page */
	most?: number | undefined;
	/** Which records are listed twice, and how much further on */
	repeats?: number[];
	apart?: number;
}

/** Lists that the service sorts by their value or by their ID, up or down. */
class Service {
	readonly lists: Item[][];
	requests: Array<{ list: number; offset: number; limit: number; total: number }> = [];
	/** Called before each request */
	happens: (request: number) => void = () => {};

	constructor(private readonly nature: Nature) {
		const { values = Infinity, repeats = [], apart = 0 } = nature;
		let count = 0;
		this.lists = nature.sizes.map((size) => {
			const numbers = Array.from({ length: size }, (_, n) => size - (n % Math.max(1, values)));
			const items = numbers.sort((a, b) => b - a).map((value) => ({ id: `r${count++}`, value }));
			for (const index of repeats) {
				const item = items[index % Math.max(1, size)];
				if (item) items.splice(items.indexOf(item) + 1 + apart, 0, { ...item });
			}
			return items;
		});
	}

	get items(): Item[] {
		return itemAt(this.lists, 0);
	}

	all(orders: readonly string[] = []): List[] {
		return this.lists.map((_, list) => ({
			readPage: this.pagesBy('value desc', list),
			otherOrders: orders.map((order) => this.pagesBy(order, list)),
			orderedBy: 'value',
		}));
	}

	list(orders?: readonly string[]): List {
		return itemAt(this.all(orders), 0);
	}

	private pagesBy(order: string, list: number) {
		return async (offset: number, limit: number) => {
			this.happens(this.requests.length);
			const count = Math.min(limit, this.nature.most ?? Infinity);
			const { length: total } = itemAt(this.lists, list);
			this.requests.push({ list, offset, limit, total });
			await Promise.resolve();
			const items = this.sorted(order, list, `${offset} ${count}`).slice(offset, offset + count);
			return { total, items: items.map((item) => ({ ...item, list })) };
		};
	}

	private sorted(order: string, list: number, page: string): Item[] {
		const { ties = 'fixed' } = this.nature;
		const items = itemAt(this.lists, list);
		// The order of the list itself, whatever has been put into it
		if (order === 'value desc' && ties === 'fixed') return items;
		const sign = order.endsWith('asc') ? 1 : -1;
		const start = hash(`${order} ${ties === 'page' ? page : ''}`);
		const key = ({ id, value }: Item) => (order.startsWith('id') ? Number(id.slice(1)) : value);
		const ranked = items.map((item) => ({
			item,
			key: sign * key(item),
			tie: hash(item.id, start),
		}));
		return ranked.sort((a, b) => a.key - b.key || a.tie - b.tie).map(({ item }) => item);
	}
}

/** A number that has nothing to do with the order of the texts. */
function hash(text: string, start = 0): number {
	let mixed = start;
	for (let n = 0; n < text.length; n++)
		mixed = Math.imul(mixed ^ text.charCodeAt(n), 0x9e3779b1) ^ (mixed >>> 15);
	return mixed;
}

/** @returns the records; throws unless the list is whole */
async function readWhole(list: List | List[], options?: ListOptions) {
	const read = Array.isArray(list) ? readJoined(list, options) : readList(list, options);
	const { records, missing, reason } = await read;
	expect(missing > 0).toBe(reason !== undefined);
	expect(new Set(idsOf(records)).size).toBe(records.length);
	if (reason) throw new RequestFailure(reason, { missing });
	return records;
}

const ORDERS = ['value asc', 'id desc', 'id asc'];
const idsOf = (records: Array<{ id?: unknown }>) => records.map(({ id }) => String(id));
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number);
const sorted = (ids: Iterable<string>) => [...ids].sort();
const valuesOf = (records: Array<{ value?: unknown }>) => records.map(({ value }) => Number(value));
const falling = (values: number[]) => [...values].sort((a, b) => b - a);
const ifWhole = (error: unknown) => {
	if (error instanceof RequestFailure && ['ties', 'list'].includes(error.kind)) return undefined;
	throw error;
};
const smallPages = fc.option(fc.integer({ min: 10, max: 100 }), { nil: undefined });
const someValues = (max: number) => fc.option(fc.integer({ min: 1, max }), { nil: undefined });

/** How many requests it takes to read this many records in parts of 100, if the service gives at most so many at a time. */
const requestsFor = (count: number, most = 100) =>
	Math.max(1, Math.floor(count / 100) * Math.ceil(100 / most) + Math.ceil((count % 100) / most));

/** The list of the service, without one of its records: on every page, another one stands in its place. */
const hidingFrom = (service: Service) => async (offset: number, limit: number) => {
	const { total, items } = await service.list().readPage(offset, limit);
	const others = service.items.filter(({ id }) => id !== 'r7' && !idsOf(items).includes(id));
	const other = others.find(({ value }) => value === service.items[7]?.value);
	return { total, items: items.map((item) => (item.id === 'r7' && other ? other : item)) };
};
describe('a list that does not change', () => {
	it('is whole, or has as many of its first records as wanted, in order; without ties, with no request more than it takes', async () => {
		let tied = 0;
		// Without their values, only the places of records tell their order
		const valueless = fc.constant(undefined);
		await fc.assert(
			fc.asyncProperty(
				fc.nat({ max: 600 }),
				fc.option(fc.integer({ min: 1, max: 600 }), { nil: undefined }),
				someValues(12),
				fc.constantFrom('page' as const, 'fixed' as const),
				smallPages,
				fc.oneof(valueless, fc.constantFrom([], ['value asc'], ORDERS)),
				async (size, wanted = Infinity, values, ties, most, orders) => {
					const service = new Service({ sizes: [size], values, ties, most });
					const { readPage, ...others } = service.list(orders);
					const hiding = async (...page: [number, number]) => {
						const { total, items } = await readPage(...page);
						return { total, items: items.map(({ id }) => ({ id })) };
					};
					const list = { readPage: orders ? readPage : hiding, ...others };
					const valueOf = new Map(service.items.map(({ id, value }) => [id, value]));
					const found = idsOf(await readWhole(list, { wanted })).map((id) => valueOf.get(id));
					expect(found).toEqual(valuesOf(service.items).slice(0, wanted));
					const needed = requestsFor(Math.min(size, wanted), most);
					const { length } = service.requests;
					if (values === undefined || ties === 'fixed') expect(length).toBe(needed);
					else expect(length).toBeLessThanOrEqual(20 * (requestsFor(size, most) + 10));
					const asked = service.requests.slice(0, needed).map(({ limit }) => limit);
					if (most === undefined && size > wanted) expect(sum(asked)).toBeLessThanOrEqual(wanted);
					if (length > needed) tied++;
				},
			),
			{ numRuns: amount(200, 2000) },
		);
		expect(tied).toBeGreaterThan(25);
	});

	it('with 1,500 records that all tie: whole in at most 20 times its pages', async () => {
		const service = new Service({ sizes: [1500], values: 1, ties: 'page' });
		expect(await readWhole(service.list())).toHaveLength(1500);
		expect(service.requests.length).toBeLessThanOrEqual(20 * 16);
	});

	it('in which records come twice: whole without the repeats, or an error, but never less', async () => {
		let whole = 0;
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 250 }),
				fc.array(fc.nat({ max: 250 }), { minLength: 1, maxLength: 3 }),
				fc.record({
					values: someValues(190),
					ties: fc.constantFrom('page' as const, 'fixed' as const),
					apart: fc.constantFrom(0, 150),
					most: smallPages,
				}),
				async (size, repeats, nature) => {
					const service = new Service({ ...nature, sizes: [size], repeats });
					const hasTies = nature.ties === 'page' && nature.values !== undefined;
					const records = await readWhole(service.list()).catch(ifWhole);
					if (!records) expect(hasTies).toBe(true);
					else expect(sorted(idsOf(records))).toEqual(sorted(new Set(idsOf(service.items))));
					if (records) whole++;
					// Where small pages begin at the same records as before, they are read once more
					const pages = requestsFor(service.items.length, nature.most) + 2;
					const readings = nature.most ? 4 : 2;
					if (!hasTies) expect(service.requests.length).toBeLessThanOrEqual(readings * pages);
				},
			),
			{ numRuns: amount(100, 1000) },
		);
		expect(whole).toBeGreaterThan(50);
	});

	const failing = (statusCode: number) => async () =>
		await Promise.reject(new RequestFailure('status', { statusCode }));

	it.each([400, 422])(
		'is whole once another order has what hides in this one, even if one order is refused (%i)',
		async (statusCode) => {
			const service = new Service({ sizes: [300], values: 2, ties: 'page' });
			const [ascending] = service.list(['value asc']).otherOrders ?? [];
			const list = { readPage: hidingFrom(service), orderedBy: 'value' };
			const refused = failing(statusCode);
			const otherOrders = [refused, ascending ?? refused];
			const records = await readWhole({ ...list, otherOrders });
			expect(sorted(idsOf(records))).toEqual(sorted(idsOf(service.items)));
			expect(valuesOf(records)).toEqual(falling(valuesOf(records)));
			const failed = { details: { statusCode: 500 } };
			await expect(readWhole({ ...list, otherOrders: [failing(500)] })).rejects.toMatchObject(
				failed,
			);
			await expect(readWhole({ readPage: refused })).rejects.toMatchObject({ kind: 'status' });
		},
	);

	it('stays incomplete if one record never comes: what was found, how many are missing, and why', async () => {
		const service = new Service({ sizes: [300], values: 1, ties: 'page' });
		const result = await readList({ readPage: hidingFrom(service) });
		expect(result).toMatchObject({ missing: 1, reason: 'ties', total: 300 });
		expect(result.records).toHaveLength(299);
		expect(service.requests.length).toBeLessThanOrEqual(20 * 4);
	});

	it('stays as it came, even if it is not in the order that it names', async () => {
		const items = [2, 1, 2].map((value, id) => ({ id, value }));
		const list = { readPage: async () => ({ total: 3, items }), orderedBy: 'value' };
		expect(await readWhole(list)).toEqual(items);
	});
});

describe('a list that changes while it is read', () => {
	const made = (count: number, turn: number) =>
		Array.from({ length: count }, (_, n) => ({ id: `new ${turn} ${n}`, value: 0 }));
	const edits = fc.dictionary(
		fc.nat({ max: 14 }).map(String),
		fc.record({
			at: fc.double({ min: 0, max: 1, noNaN: true }),
			insert: fc.nat({ max: 25 }),
			remove: fc.nat({ max: 25 }),
		}),
		{ maxKeys: 4 },
	);

	it('has every record that was listed the whole time, and as many as it wants, or is an error', async () => {
		let changed = 0;
		const limit = fc.option(fc.integer({ min: 1, max: 500 }), { nil: undefined });
		await fc.assert(
			fc.asyncProperty(
				fc.nat({ max: 700 }),
				edits,
				smallPages,
				limit,
				async (size, history, most, wanted) => {
					const service = new Service({ sizes: [size], most });
					const lasting = new Set(idsOf(service.items));
					service.happens = (request) => {
						const { at, insert, remove } = history[request] ?? { at: 0, insert: 0, remove: 0 };
						const { items } = service;
						const place = () => Math.round(at * items.length);
						const removed = items.splice(place(), remove);
						for (const { id } of removed) lasting.delete(id);
						// As many added as removed between two requests would look as if nothing had happened
						const isSame = insert > 0 && insert === removed.length;
						items.splice(place(), 0, ...made(insert + Number(isSame), request));
					};
					const records = await readWhole(service.list(), { wanted }).catch(ifWhole);
					if (!records) return;
					const totals = service.requests.map(({ total }) => total);
					expect(records.length).toBeGreaterThanOrEqual(Math.min(wanted ?? Infinity, ...totals));
					const ids = new Set(idsOf(records));
					if (wanted === undefined) expect([...lasting].filter((id) => !ids.has(id))).toEqual([]);
					changed += Number(new Set(totals).size > 1);
				},
			),
			{ numRuns: amount(150, 2000) },
		);
		expect(changed).toBeGreaterThan(30);
	});

	it.each([
		[1, undefined],
		[3, undefined],
		[4, 'list'],
	])('in %i readings in a row: %s', async (times, reason) => {
		const service = new Service({ sizes: [450] });
		let changes = 0;
		service.happens = () => {
			if (service.requests.at(-1)?.offset === 0 && changes < times)
				service.items.unshift(...made(1, ++changes));
		};
		const result = await readList(service.list());
		expect(result.reason).toBe(reason);
		expect(result.records.length).toBeGreaterThanOrEqual(450);
	});

	it('now and then is read on, as long as it does not change four times in a row', async () => {
		const service = new Service({ sizes: [150], values: 1, ties: 'page' });
		let readings = 0;
		service.happens = () => {
			const begins = service.requests.at(-1)?.offset === 0;
			if (begins && ++readings % 2 === 0) service.items.push(...made(1, readings));
		};
		await readList({ readPage: hidingFrom(service) });
		expect(readings).toBe(20);
	});

	it('and has ties: begins again once there are more records than it says', async () => {
		const service = new Service({ sizes: [300], values: 1, ties: 'page' });
		service.happens = (request) => {
			if (request === 3) service.items.splice(0, 60, ...made(60, 0));
		};
		expect(sorted(idsOf(await readWhole(service.list())))).toEqual(sorted(idsOf(service.items)));
	});

	it('and has ties: up to a limit, the first ones or an error, never others', async () => {
		let found = 0;
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 150, max: 350 }),
				fc.integer({ min: 2, max: 9 }),
				fc.integer({ min: 1, max: 12 }),
				fc.integer({ min: 110, max: 300 }),
				async (size, values, every, wanted) => {
					const service = new Service({ sizes: [size], values, ties: 'page' });
					const first = valuesOf(service.items).slice(0, wanted);
					service.happens = (request) => {
						// At the far end, behind all that are wanted
						if (request % every === 0) service.items.push(...made(1, request));
					};
					const records = await readWhole(service.list(), { wanted }).catch(ifWhole);
					if (records) expect(valuesOf(records).slice(0, first.length)).toEqual(first);
					found += Number(records !== undefined);
				},
			),
			{ numRuns: amount(100, 1000) },
		);
		expect(found).toBeGreaterThan(5);
	});
});

describe('a service that breaks the contract', () => {
	const range = (start: number, count: number, end = Infinity) =>
		Array.from({ length: Math.max(0, Math.min(end - start, count)) }, (_, n) => start + n);
	type Ids = (offset: number, limit: number) => number[];
	it.each<[string, number, number, Ids, 'ties'?]>([
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
		['gives the same 2 of 4 records', 200, 4, () => range(0, 2), 'ties'],
		['gives the same 20 of 100 records', 200, 100, () => range(0, 20)],
		['gives the same 100 of 250 records', 200, 250, () => range(0, 100)],
	])('%s: ends in an error, with less than %i requests', async (_, most, total, idsAt, kind) => {
		let requests = 0;
		const readPage = async (...page: [number, number]) => {
			requests++;
			return await Promise.resolve({ total, items: idsAt(...page).map((id) => ({ id })) });
		};
		await expect(readWhole({ readPage })).rejects.toMatchObject({ kind: kind ?? 'list' });
		expect(requests).toBeLessThan(most);
	});

	it('fails for one page: the list fails', async () => {
		const service = new Service({ sizes: [850] });
		service.happens = (request) => {
			if (request === 4) throw new RequestFailure('status');
		};
		await expect(readWhole(service.list())).rejects.toMatchObject({ kind: 'status' });
	});

	it.each(['ab', 'aba'])(
		'gives %s without IDs: equal ones count once, others each',
		async (terms) => {
			const items = [...terms].map((term) => ({ term }));
			const readPage = async (offset: number, limit: number) =>
				await Promise.resolve({ total: items.length, items: items.slice(offset, offset + limit) });
			const records = [{ term: 'a' }, { term: 'b' }];
			expect(await readList({ readPage })).toMatchObject({ records, missing: 0 });
		},
	);
});

describe('one page', () => {
	const pageOf = async (body: unknown) => {
		const request = async (sent: object) => {
			const query = { status: 'active', offset: 20, limit: 10 };
			expect(sent).toEqual({ method: 'GET', path: '/v1/keywords', query });
			return await Promise.resolve(body);
		};
		const list = { method: 'GET', path: '/v1/keywords', query: { status: 'active' } } as const;
		return await pagesOf({ request }, list)(20, 10);
	};

	const items = [{ id: 1 }, { id: 2 }];
	it.each([
		{ total: 22, offset: 20, limit: 10, count: 2, items },
		{ total: '22', offset: '20', limit: '10', count: '2', items },
		{ total: 22, offset: null, limit: null, count: null, items },
		{ total: ' 22 ', items },
		{ total: 22, limit: 2, items },
	])('is read from %j', async (data) => {
		expect(await pageOf({ data })).toEqual({ total: 22, items });
	});

	it.each([null, undefined, []])('may be empty: %j', async (none) => {
		const page = await pageOf({ data: { total: '0', items: none } });
		expect(page).toEqual({ total: 0, items: [] });
	});

	it.each([
		[[], 'total'],
		[{ data: [] }, 'total'],
		[{ total: 0, items: [] }, 'total'],
		[{ data: { items: [] } }, 'total'],
		[{ data: { total: null, items: [] } }, 'total'],
		[{ data: { total: -1, items: [] } }, 'total'],
		[{ data: { total: '1.5', items: [] } }, 'total'],
		[{ data: { total: 2, items: null } }, 'items'],
		[{ data: { total: 0, items: {} } }, 'items'],
		[{ data: { total: 22, items: [{ id: 1 }, null] } }, 'items'],
		[{ data: { total: 22, count: 2, items: [{ id: 1 }] } }, 'count'],
		[{ data: { total: 40, offset: '0', items: [{ id: 1 }] } }, 'offset'],
	])('is not a documented list: %j lacks a usable %s', async (body, field) => {
		const words = expect.stringContaining(`'${field}'`) as string;
		await expect(pageOf(body)).rejects.toMatchObject({ kind: 'shape', details: { words } });
	});
});

describe('several lists as one', () => {
	const costsOf = ({ lists, requests }: Service) =>
		lists.map((_, list) => requests.filter((one) => one.list === list).length);
	const upTo = (count: number) => Array.from({ length: count }, (_, n) => `r${n}`);

	it('cost their pages, and a second look at all but the last', async () => {
		const service = new Service({ sizes: [250, 100, 0] });
		const records = await readWhole(service.all());
		expect(idsOf(records)).toEqual(upTo(350));
		expect([records[0], records.at(-1)]).toMatchObject([{ list: 0 }, { list: 1 }]);
		expect(costsOf(service)).toEqual([3 + 1, 1 + 1, 1]);
	});

	it.each([
		[1, 1],
		[3, 1],
		[4, 2],
		[5, 2],
		[6, 3],
		[99, 3],
	])(
		'up to a limit of %i: the first records of %i lists, and no other is read',
		async (wanted, used) => {
			const service = new Service({ sizes: [3, 2, 4] });
			expect(idsOf(await readWhole(service.all(), { wanted }))).toEqual(upTo(Math.min(wanted, 9)));
			expect(costsOf(service).filter((count) => count > 0)).toHaveLength(used);
			for (const { limit } of service.requests) expect(limit).toBeLessThanOrEqual(wanted);
		},
	);

	it('of which one cannot be read completely: all that was found, how many are missing, and why', async () => {
		const service = new Service({ sizes: [30, 250, 20] });
		const [first, second, third] = service.all() as [List, List, List];
		const readPage = async (...page: [number, number]) => ({
			...(await second.readPage(...page)),
			total: 260,
		});
		const lists = [first, { readPage }, third];
		const { records, ...others } = await readJoined(lists);
		expect(sorted(idsOf(records))).toEqual(sorted(upTo(300)));
		expect(others).toEqual({ missing: 10, reason: 'list' });
		expect(idsOf(await readWhole(lists, { wanted: 200 }))).toEqual(upTo(200));
	});

	it('in which a record moves, or two at once, at any time: none is lost or doubled', async () => {
		const move = fc.record({
			from: fc.nat({ max: 2 }),
			by: fc.integer({ min: 1, max: 2 }),
			which: fc.nat(),
			place: fc.nat({ max: 400 }),
		});
		const moves = fc.array(move, { minLength: 1, maxLength: 2 });
		const size = fc.nat({ max: 220 });
		await fc.assert(
			fc.asyncProperty(size, size, size, moves, fc.nat({ max: 14 }), async (a, b, c, all, when) => {
				const service = new Service({ sizes: [a, b, c] });
				const { lists } = service;
				service.happens = (request) => {
					for (const each of request === when ? all : []) {
						const from = itemAt(lists, each.from);
						const moved = from.splice(each.which % (from.length || 1), 1);
						itemAt(lists, (each.from + each.by) % 3).splice(each.place, 0, ...moved);
					}
				};
				expect(sorted(idsOf(await readWhole(service.all())))).toEqual(sorted(upTo(a + b + c)));
			}),
			{ numRuns: amount(300, 3000) },
		);
	});

	it('of which two have the same records: each once, and up to a limit as many as wanted', async () => {
		const service = new Service({ sizes: [130, 150] });
		itemAt(service.lists, 1).unshift(...service.items.slice(0, 20));
		expect(sorted(idsOf(await readWhole(service.all())))).toEqual(sorted(upTo(280)));
		expect(await readWhole(service.all(), { wanted: 200 })).toHaveLength(200);
	});

	it('that change each time they are read are an error', async () => {
		const service = new Service({ sizes: [5, 5] });
		service.happens = (request) => {
			if (request % 3 === 1) service.items.shift();
		};
		await expect(readWhole(service.all())).rejects.toMatchObject({ kind: 'list' });
		expect(service.requests).toHaveLength(4 * 3);
	});
});
