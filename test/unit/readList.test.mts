import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { List, ListOptions } from '../../nodes/shared/lists/readList.ts';
import { defined, itemAt } from '../defined.mts';
import { amount } from '../seed.mts';
import * as failure from '../../nodes/shared/errors/requestFailure.ts';
import * as listReading from '../../nodes/shared/lists/readList.ts';
import * as pages from '../../nodes/shared/lists/pages.ts';

const { readList } = listReading;
const { RequestFailure } = failure;

/** @returns the records; throws unless the list is whole */
async function readWhole(list: List, options?: ListOptions) {
	const { records, missing, reason } = await readList(list, options);
	if (reason) throw new RequestFailure(reason, { missing });
	return records;
}

type Item = { id: string; value: number };

/** What happens to a list before a request; the first one is 0. */
interface Edit {
	before: number;
	/** Where in the list, from 0 (front) to 1 (end) */
	at: number;
	insert: number;
	remove: number;
}

interface Nature {
	size?: number;
	/** How many different values the records are sorted by; all if missing */
	values?: number | undefined;
	/** Whether equal records have another order on each page, or the same one on all of them */
	ties?: 'page' | 'fixed';
	/** Maximum number of records on a page */
	most?: number;
	/** Which records are listed twice, and how much further on */
	repeats?: number[];
	apart?: number;
	edits?: Edit[];
}

/** A service with one list. It can be sorted by its value or its ID, up and down. */
class Service {
	items: Item[];

	requests: Array<{ order: string; offset: number; limit: number; total: number }> = [];

	/** The records that have been listed the whole time */
	lasting: Set<string>;

	private created = 10_000;

	constructor(private readonly nature: Nature) {
		const { size = 0, values = size, repeats = [], apart = 0 } = nature;
		this.items = Array.from({ length: size }, (_, index) => ({
			id: `r${index}`,
			value: size - (index % Math.max(1, values)),
		}));
		this.items.sort((a, b) => b.value - a.value);
		for (const index of repeats) {
			const item = this.items[index % Math.max(1, size)];
			if (item) this.items.splice(this.items.indexOf(item) + 1 + apart, 0, { ...item });
		}
		this.lasting = new Set(idsOf(this.items));
	}

	list(orders: readonly string[] = ['value asc', 'id desc', 'id asc']) {
		return {
			readPage: this.pagesBy('value desc'),
			otherOrders: orders.map((order) => this.pagesBy(order)),
			orderedBy: ['value'],
		};
	}

	private pagesBy(order: string) {
		return async (offset: number, limit: number) => {
			const { edits = [], most = Infinity } = this.nature;
			for (const edit of edits) if (edit.before === this.requests.length) this.apply(edit);
			const total = this.items.length;
			this.requests.push({ order, offset, limit, total });
			await Promise.resolve();
			const items = this.sorted(order, `${offset} ${Math.min(limit, most)}`);
			return { total, items: items.slice(offset, offset + Math.min(limit, most)) };
		};
	}

	private sorted(order: string, page: string): Item[] {
		const { ties = 'fixed' } = this.nature;
		// The order of the list itself, whatever has been put into it
		if (order === 'value desc' && ties === 'fixed') return this.items;
		const sign = order.endsWith('asc') ? 1 : -1;
		const start = hash(`${order} ${ties === 'page' ? page : ''}`);
		const key = (item: Item) => (order.startsWith('id') ? Number(item.id.slice(1)) : item.value);
		const ranked = this.items.map((item) => ({
			item,
			key: sign * key(item),
			place: hash(item.id, start),
		}));
		ranked.sort((a, b) => a.key - b.key || a.place - b.place);
		return ranked.map(({ item }) => item);
	}

	private apply({ at, insert, remove }: Edit): void {
		const place = () => Math.round(at * this.items.length);
		const removed = this.items.splice(place(), remove);
		// As many added as removed between two requests would look as if nothing had happened
		const added = insert === removed.length ? insert + 1 : insert;
		for (const { id } of removed) this.lasting.delete(id);
		const items = Array.from({ length: added }, () => ({ id: `r${this.created++}`, value: 0 }));
		this.items.splice(place(), 0, ...items);
	}
}

/** A number that has nothing to do with the order of the texts. */
function hash(text: string, start = 0): number {
	let mixed = start;
	for (let n = 0; n < text.length; n++)
		mixed = Math.imul(mixed ^ text.charCodeAt(n), 0x9e3779b1) ^ (mixed >>> 15);
	return mixed;
}

const idsOf = (records: Array<{ id?: unknown }>) => records.map(({ id }) => String(id));
const sorted = (ids: Iterable<string>) => [...ids].sort();
const pageSize = fc.option(fc.integer({ min: 10, max: 100 }), { nil: undefined });

/** How many requests it takes to read this many records in parts of 100, if the service gives at most so many at a time. */
const requestsFor = (count: number, most: number) =>
	Math.floor(count / 100) * Math.ceil(100 / most) + Math.ceil((count % 100) / most);

function expectOrder(records: Array<{ value?: unknown }>): void {
	const values = records.map(({ value }) => Number(value));
	expect(values).toEqual([...values].sort((a, b) => b - a));
}

describe('a list that does not change', () => {
	it('without ties: whole, in order, with no request more than it takes', async () => {
		await fc.assert(
			fc.asyncProperty(fc.nat({ max: 700 }), pageSize, async (size, most = 100) => {
				const service = new Service({ size, most });
				expect(await readWhole(service.list())).toEqual(service.items);
				expect(service.requests).toHaveLength(Math.max(1, requestsFor(size, most)));
			}),
		);
	});

	it('with ties: whole, each record once, in order, in at most 20 readings', async () => {
		let tied = 0;
		await fc.assert(
			fc.asyncProperty(
				fc.nat({ max: 250 }),
				fc.integer({ min: 1, max: 12 }),
				fc.constantFrom('page' as const, 'fixed' as const),
				pageSize,
				fc.constantFrom([], ['value asc'], undefined),
				async (size, values, ties, most = 100, orders) => {
					const service = new Service({ size, values, ties, most });
					const records = await readWhole(service.list(orders));
					expect(sorted(idsOf(records))).toEqual(sorted(idsOf(service.items)));
					expectOrder(records);
					const pages = Math.max(1, requestsFor(size, most));
					const { length } = service.requests;
					expect(length).toBeLessThanOrEqual(20 * (pages + 1));
					if (ties === 'fixed') expect(length).toBe(pages);
					if (length > pages) tied++;
				},
			),
			{ numRuns: amount(100, 1000) },
		);
		expect(tied).toBeGreaterThan(25);
	});

	it('with 1,500 records that all tie: whole in at most 20 times its pages', async () => {
		const service = new Service({ size: 1500, values: 1, ties: 'page' });
		const records = await readWhole({ readPage: service.list().readPage });
		expect(sorted(idsOf(records))).toEqual(sorted(idsOf(service.items)));
		expect(service.requests.length).toBeLessThanOrEqual(20 * 15);
	});

	it('up to a limit: that many of the first ones, with no request more than it takes', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.nat({ max: 450 }),
				fc.integer({ min: 1, max: 600 }),
				fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
				fc.constantFrom('page' as const, 'fixed' as const),
				pageSize,
				async (size, wanted, values, ties, most = 100) => {
					const service = new Service({ size, values, ties, most });
					const records = await readWhole(service.list(), { wanted });
					const expected = Math.min(size, wanted);
					expect(new Set(idsOf(records)).size).toBe(expected);
					const valuesOf = (items: object[]) => items.map((item) => (item as Item).value);
					expect(valuesOf(records)).toEqual(valuesOf(service.items.slice(0, expected)));
					const needed = Math.max(1, requestsFor(expected, most));
					if (ties === 'page' && values !== undefined) {
						expect(service.requests.length).toBeLessThanOrEqual(20 * (needed + 10));
						return;
					}
					if (values === undefined) expect(records).toEqual(service.items.slice(0, expected));
					expect(service.requests).toHaveLength(needed);
					const asked = service.requests.reduce((sum, { limit }) => sum + limit, 0);
					if (most === 100) expect(asked).toBeLessThanOrEqual(Math.max(wanted, needed * 100));
				},
			),
		);
	});

	it('in which records come twice: whole without the repeats, or an error, but never less', async () => {
		let whole = 0;
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 250 }),
				fc.array(fc.nat({ max: 250 }), { minLength: 1, maxLength: 3 }),
				fc.record({
					values: fc.option(fc.integer({ min: 2, max: 190 }), { nil: undefined }),
					ties: fc.constantFrom('page' as const, 'fixed' as const),
					apart: fc.constantFrom(0, 150),
				}),
				pageSize,
				async (size, repeats, nature, most = 100) => {
					const service = new Service({ ...nature, size, repeats, most });
					const hasTies = nature.ties === 'page' && nature.values !== undefined;
					const { records, missing, reason } = await readList(service.list([]));
					const all = new Set(idsOf(service.items));
					expect(new Set(idsOf(records)).size).toBe(records.length);
					expect(missing > 0).toBe(reason !== undefined);
					if (reason) expect(hasTies).toBe(true);
					else expect(sorted(idsOf(records))).toEqual(sorted(all));
					if (!reason) whole++;
					// Where small pages begin at the same record as before, they are read once more
					const readings = most < 100 ? 3 : 2;
					if (!hasTies)
						expect(service.requests.length).toBeLessThan(readings * requestsFor(size, most) + 5);
				},
			),
			{ numRuns: amount(100, 1000) },
		);
		expect(whole).toBeGreaterThan(50);
	});

	/** The list of the service, without one of its records: on every page, another one stands in its place. */
	const hidingFrom = (service: Service) => async (offset: number, limit: number) => {
		const { total, items } = await service.list().readPage(offset, limit);
		const other = service.items.find((item) => item.id !== 'r7' && !items.includes(item));
		return { total, items: items.map((item) => (item.id === 'r7' && other ? other : item)) };
	};

	it('is whole once another order has what hides in this one, and keeps its own order', async () => {
		const service = new Service({ size: 300, values: 3, ties: 'page' });
		const refused = async () => {
			await Promise.resolve();
			throw new RequestFailure('status', { statusCode: 422 });
		};
		const broken = new RequestFailure('status', { statusCode: 500 });
		const breaking = async () => await Promise.reject(broken);
		const readPage = hidingFrom(service);
		const orderedBy = ['value'];
		const [ascending] = service.list().otherOrders;
		const otherOrders = [refused, ascending].map(defined);
		const records = await readWhole({ readPage, otherOrders, orderedBy });
		expect(sorted(idsOf(records))).toEqual(sorted(idsOf(service.items)));
		expectOrder(records);
		await expect(readWhole({ readPage, otherOrders: [breaking] })).rejects.toBe(broken);
	});

	it('stays incomplete if one record never comes: what was found, how many are missing, and why', async () => {
		const service = new Service({ size: 300, values: 1, ties: 'page' });
		const hiding = hidingFrom(service);
		const result = await readList({ readPage: hiding });
		expect(result).toMatchObject({ missing: 1, reason: 'ties' });
		expect(result.records).toHaveLength(299);
		const reading = readWhole({ readPage: hiding }, { mostReadings: 3 });
		await expect(reading).rejects.toMatchObject({
			kind: 'ties',
			details: { missing: expect.any(Number) },
		});
		expect(service.requests.length).toBeLessThanOrEqual(20 * 4 + 3 * 4);
	});

	it.each([400, 422])(
		'an order that the service refuses with %i is not used again',
		async (statusCode) => {
			const service = new Service({ size: 300, values: 3, ties: 'page' });
			let refused = 0;
			const refuse = async () => {
				refused++;
				throw new RequestFailure('status', { statusCode });
			};
			const { readPage } = service.list();
			const list = { readPage, otherOrders: [refuse, refuse] };
			expect(await readWhole(list)).toHaveLength(300);
			expect(refused).toBeLessThanOrEqual(2);
			const failing = { readPage: refuse, otherOrders: [readPage] };
			await expect(readWhole(failing)).rejects.toMatchObject({ kind: 'status' });
		},
	);

	it('stays as it came, even if it is not in the order that it names', async () => {
		const items = [2, 1, 2].map((value, id) => ({ id, value }));
		const list = { readPage: async () => ({ total: 3, items }), orderedBy: ['value'] };
		expect(await readWhole(list)).toEqual(items);
	});

	it('whose records do not show their value: whole, in order, and with a limit the first ones', async () => {
		for (const wanted of [Infinity, 150]) {
			const service = new Service({ size: 300, values: 6, ties: 'page' });
			const { readPage } = service.list();
			const hiding = async (offset: number, limit: number) => {
				const { total, items } = await readPage(offset, limit);
				return { total, items: items.map(({ id }) => ({ id })) };
			};
			const found = await readWhole({ readPage: hiding, orderedBy: ['value'] }, { wanted });
			const valueOf = new Map(service.items.map(({ id, value }) => [id, value]));
			const values = idsOf(found).map((id) => valueOf.get(id));
			expect(values).toEqual(service.items.map(({ value }) => value).slice(0, wanted));
		}
	});

	it('in which most places show a record of another one: whole, or an error that names ties', async () => {
		const service = new Service({ size: 600, values: 1, ties: 'page' });
		const { readPage } = service.list();
		const repeating = async (offset: number, limit: number) => {
			const { total, items } = await readPage(offset, limit);
			return { total, items: items.map((item, n) => (n % 3 ? { id: `r${n}`, value: 1 } : item)) };
		};
		const list = { readPage: repeating, otherOrders: [readPage], orderedBy: ['value'] };
		expect(new Set(idsOf(await readWhole(list))).size).toBe(600);
		await expect(readWhole({ readPage: repeating }, { mostReadings: 3 })).rejects.toMatchObject({
			kind: 'ties',
		});
	});

	it('may be read until the caller has enough, with other pages at each variation', async () => {
		const service = new Service({ size: 300, values: 1, ties: 'page' });
		let readings = 0;
		const options: ListOptions = { isEnough: () => ++readings === 2, variation: 1 };
		const { records, missing } = await readList(service.list(), options);
		expect(readings).toBe(2);
		expect(records.length).toBeGreaterThan(200);
		expect(missing).toBe(0);
		expect(itemAt(service.requests, 0).limit).toBe(62);
	});
});

describe('a list that changes while it is read', () => {
	const edits = (most: number) =>
		fc.array(
			fc.record({
				before: fc.nat({ max: 12 }),
				at: fc.double({ min: 0, max: 1, noNaN: true }),
				insert: fc.nat({ max: 25 }),
				remove: fc.nat({ max: 25 }),
			}),
			{ maxLength: most },
		);

	it('gives every record that was listed the whole time, and none twice', async () => {
		let changed = 0;
		await fc.assert(
			fc.asyncProperty(fc.nat({ max: 700 }), edits(5), pageSize, async (size, history, most) => {
				const distinct = new Map(history.map((edit) => [edit.before, edit]));
				const service = new Service({
					size,
					edits: [...distinct.values()],
					...(most && { most }),
				});
				const records = await readList(service.list());
				const ids = new Set(idsOf(records.records));
				expect(ids.size).toBe(records.records.length);
				if (most === undefined) expect(records.reason).toBeUndefined();
				if (records.reason) return;
				expect([...service.lasting].filter((id) => !ids.has(id))).toEqual([]);
				changed += Number(new Set(service.requests.map(({ total }) => total)).size > 1);
			}),
			{ numRuns: amount(120, 2000) },
		);
		expect(changed).toBeGreaterThan(36);
	});

	it('never gives fewer records than it had or the limit wants, unless it fails', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.nat({ max: 600 }),
				edits(40),
				fc.option(fc.integer({ min: 1, max: 250 }), { nil: undefined }),
				fc.integer({ min: 1, max: 500 }),
				async (size, history, wanted = Infinity, values) => {
					const service = new Service({ size, edits: history, values });
					const records = await readWhole(service.list(), { wanted }).catch(() => undefined);
					const least = Math.min(wanted, ...service.requests.map(({ total }) => total));
					expect(records === undefined || records.length >= least).toBe(true);
				},
			),
			{ numRuns: amount(100, 1500) },
		);
	});

	/** What happens before every request, and whether the list can be read in spite of it. */
	const forEver: Array<[string, (items: Item[], count: number) => void, boolean]> = [
		['the first record is removed', (items) => items.shift(), true],
		['records come at the end', (items, n) => items.push(...made(n, 7)), true],
		['one is removed that was not read yet', (items) => items.pop(), false],
		['one comes in front', (items, n) => items.unshift(...made(n, 1)), false],
		['as many are removed as pages overlap', (items) => items.splice(0, 25), false],
		[
			'more go in front than pages overlap, and others come at the end',
			(items, n) => {
				items.splice(0, 60);
				items.push(...made(n, 61));
			},
			false,
		],
	];
	const made = (turn: number, count: number) =>
		Array.from({ length: count }, (_, n) => ({ id: `new ${turn} ${n}`, value: 0 }));

	it.each(forEver)('all the time: %s', async (_, change, isReadable) => {
		const service = new Service({ size: 900, edits: [] });
		const { readPage } = service.list();
		const before = idsOf(service.items);
		const changing = async (offset: number, limit: number) => {
			change(service.items, service.requests.length);
			return await readPage(offset, limit);
		};
		const { records, reason } = await readList({ readPage: changing });
		expect(reason).toBe(isReadable ? undefined : 'list');
		if (!isReadable) return;
		const [listed, found] = [new Set(idsOf(service.items)), idsOf(records)];
		expect(new Set(found).size).toBe(found.length);
		expect(before.filter((id) => listed.has(id) && !found.includes(id))).toEqual([]);
		const { length } = service.requests;
		const first = await readWhole({ readPage: changing }, { wanted: 250 });
		expect(service.requests.length - length).toBeLessThan(12);
		expect(new Set(idsOf(first)).size).toBe(250);
		expect(first).toHaveLength(250);
	});

	it('and has ties: starts again once there are more records than it says', async () => {
		const service = new Service({ size: 300, values: 1, ties: 'page' });
		const { readPage } = service.list();
		const changing = async (offset: number, limit: number) => {
			if (service.requests.length === 3) {
				service.items.forEach(
					(item, n) => n < 60 && (service.items[n] = { ...item, id: `new ${n}` }),
				);
			}
			return await readPage(offset, limit);
		};
		const records = await readWhole({ readPage: changing });
		expect(sorted(idsOf(records))).toEqual(sorted(idsOf(service.items)));
	});

	it('and has ties: up to a limit, the first ones or an error, never others', async () => {
		let found = 0;
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 150, max: 350 }),
				fc.integer({ min: 2, max: 9 }),
				fc.integer({ min: 1, max: 6 }),
				fc.integer({ min: 110, max: 300 }),
				async (size, values, every, wanted) => {
					const service = new Service({ size, values, ties: 'page' });
					const { readPage } = service.list();
					const growing = async (offset: number, limit: number) => {
						// At the far end, behind all that are wanted
						if (service.requests.length % every === 0)
							service.items.push({ id: `late ${service.items.length}`, value: -1 });
						return await readPage(offset, limit);
					};
					const reading = readWhole({ readPage: growing, orderedBy: ['value'] }, { wanted });
					const records = await reading.catch(() => undefined);
					if (!records) return;
					found++;
					const first = service.items.map(({ value }) => value).sort((a, b) => b - a);
					expect(records.map(({ value }) => value)).toEqual(first.slice(0, records.length));
					expect(records.length).toBeGreaterThanOrEqual(Math.min(wanted, size));
				},
			),
			{ numRuns: amount(100, 1000) },
		);
		expect(found).toBeGreaterThan(5);
	});

	const moves: Array<[string, (items: Item[]) => void]> = [
		[
			'one that was read is removed, and one moves up',
			(items) => {
				items.shift();
				items.unshift(...items.splice(-1));
			},
		],
		[
			'one comes last, and one moves up',
			(items) => {
				items.push({ id: `new ${items.length}`, value: 0 });
				items.unshift(...items.splice(-2, 1));
			},
		],
	];
	it.each(moves)('is incomplete if its total shows it: %s', async (_name, change) => {
		await fc.assert(
			fc.asyncProperty(fc.array(fc.nat({ max: 30 }), { maxLength: 12 }), async (times) => {
				const service = new Service({ size: 450, edits: [] });
				const { readPage } = service.list();
				const changing = async (offset: number, limit: number) => {
					if (times.includes(service.requests.length)) change(service.items);
					return await readPage(offset, limit);
				};
				const first = idsOf(service.items);
				const records = await readWhole({ readPage: changing }).catch(() => undefined);
				const listed = new Set(idsOf(service.items));
				const ids = new Set(idsOf(records ?? []));
				if (records) expect(first.filter((id) => listed.has(id) && !ids.has(id))).toEqual([]);
			}),
		);
	});
});

describe('a service that breaks the contract', () => {
	const range = (start: number, count: number) =>
		Array.from({ length: Math.max(0, count) }, (_, index) => ({ id: start + index }));
	type Answer = (
		offset: number,
		limit: number,
		count: number,
	) => { total: number; items: object[] };
	const services: Array<[string, number, Answer]> = [
		[
			'announces more than it has',
			100,
			(offset, limit) => ({
				total: 1000,
				items: range(offset, limit).filter(({ id }) => id < 990),
			}),
		],
		[
			'announces far more than it has',
			120,
			(offset, limit) => ({
				total: 1e12,
				items: range(offset, limit).filter(({ id }) => id < 300),
			}),
		],
		[
			'announces fewer than its first page has',
			20,
			(offset, limit) => ({ total: 57, items: range(offset, limit) }),
		],
		[
			'announces more and more',
			1500,
			(offset, limit, count) => ({ total: 300 + count * 100, items: range(offset, limit) }),
		],
		[
			'gives a record less than asked, and none where one is left',
			200,
			(offset, limit) => ({ total: 1000, items: range(offset, limit - 1) }),
		],
		[
			'gives its first page for ever',
			120,
			(_offset, limit) => ({ total: 1e12, items: range(0, limit) }),
		],
		['gives a short first page for ever', 150, () => ({ total: 200_000_000, items: range(1, 2) })],
		['gives one record for ever', 200, () => ({ total: 1000, items: range(7, 1) })],
		[
			'gives the same record on all places',
			120,
			(_offset, limit) => ({ total: 1000, items: range(0, limit).map(() => ({ id: 7 })) }),
		],
		['gives no records', 20, () => ({ total: 1000, items: [] })],
	];
	it.each(services)(
		'%s: ends in an error, with less than %i requests',
		async (_name, most, answer) => {
			let requests = 0;
			const readPage = async (offset: number, limit: number) =>
				await Promise.resolve(answer(offset, limit, ++requests) as never);
			await expect(readWhole({ readPage })).rejects.toMatchObject({ kind: 'list' });
			expect(requests).toBeLessThan(most);
		},
	);

	it.each([0, 4, 8])('fails for the page at %i00: the list fails', async (failing) => {
		const { readPage } = new Service({ size: 850 }).list();
		const reading = readWhole({
			readPage: async (offset, limit) => {
				if (offset === failing * 100) throw new RequestFailure('status');
				return await readPage(offset, limit);
			},
		});
		await expect(reading).rejects.toMatchObject({ kind: 'status' });
	});

	it('gives records without an ID: equal ones count once, others each', async () => {
		const items = [{ term: 'a' }, { term: 'b' }];
		expect(await readWhole({ readPage: async () => ({ total: 2, items }) })).toEqual(items);
		const twice = { total: 3, items: [...items, ...items.slice(0, 1)] };
		expect(await readWhole({ readPage: async () => twice })).toEqual(items);
	});
});

describe('one page', () => {
	const pageOf = async (body: unknown) => {
		const asked: unknown[] = [];
		const client = {
			request: async (request: unknown) => {
				asked.push(request);
				return await Promise.resolve(body);
			},
		};
		const list = { method: 'GET', path: '/v1/keywords', query: { status: 'active' } } as const;
		const page = await pages.pagesOf(client as never, list)(20, 10);
		return { page, asked };
	};

	it('is asked for with the filters', async () => {
		const { asked } = await pageOf({ data: { total: 0, items: [] } });
		const query = { status: 'active', offset: 20, limit: 10 };
		expect(asked).toEqual([{ method: 'GET', path: '/v1/keywords', query }]);
	});

	const items = [{ id: 1 }, { id: 2 }];
	it.each([
		{ total: 22, offset: 20, limit: 10, count: 2, items },
		{ total: '22', offset: '20', limit: '10', count: '2', items },
		{ total: 22, offset: null, limit: null, count: null, items },
		{ total: ' 22 ', items },
		{ total: 22, limit: 2, items },
	])('is read from %j', async (data) => {
		expect((await pageOf({ data })).page).toEqual({ total: 22, items });
	});

	it.each([null, undefined, []])('may be empty: %j', async (none) => {
		const { page } = await pageOf({ data: { total: '0', items: none } });
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
