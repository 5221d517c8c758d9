import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { ReadPage } from '../../nodes/shared/lists/pages.ts';
import type { ListOptions } from '../../nodes/shared/lists/readList.ts';
import { itemAt } from '../defined.mts';
import * as joinedLists from '../../nodes/shared/lists/joinedLists.ts';
import * as listReading from '../../nodes/shared/lists/readList.ts';

const { joinedPages, visited } = joinedLists;
const { readList } = listReading;

const readAll = async (lists: ReadPage[], options: ListOptions = {}) =>
	(await readList({ readPage: joinedPages(lists, options.wanted) }, options)).records;

type Item = { id: number };

/**
 * Lists between which records move while they are read: the changes planned for the nth request happen just before it.
 */
class Lists {
	readonly lists: Item[][];

	requests: Array<{ list: number; offset: number; limit: number }> = [];

	private readonly orders = new Map<number, () => void>();

	constructor(...sizes: number[]) {
		let id = 0;
		this.lists = sizes.map((size) => Array.from({ length: size }, () => ({ id: ++id })));
	}

	before(request: number, order: () => void): void {
		this.orders.set(request, order);
	}

	/** @param place index in the target list */
	move(id: number, from: number, to: number, place = 0): void {
		const index = itemAt(this.lists, from).findIndex((item) => item.id === id);
		itemAt(this.lists, to).splice(place, 0, ...itemAt(this.lists, from).splice(index, 1));
	}

	get all(): ReadPage[] {
		return this.lists.map((_, list) => async (offset, limit) => {
			this.requests.push({ list, offset, limit });
			this.orders.get(this.requests.length)?.();
			const all = itemAt(this.lists, list);
			const items = all.slice(offset, offset + limit).map((item) => ({ ...item, list }));
			return await Promise.resolve({ total: all.length, items });
		});
	}
}

const idsOf = (records: Array<{ id?: unknown }>) => records.map(({ id }) => id as number);
const sorted = (ids: number[]) => [...ids].sort((a, b) => a - b);
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('quiet lists', () => {
	it('cost their pages, one more where two lists meet, and a second look at all but the last', async () => {
		const lists = new Lists(250, 100, 0);
		const records = await readAll(lists.all);
		expect(idsOf(records)).toEqual(upTo(350));
		expect(records[0]).toEqual({ id: 1, list: 0 });
		expect(records.at(-1)).toEqual({ id: 350, list: 1 });
		const costs = [0, 1, 2].map((list) => lists.requests.filter((one) => one.list === list).length);
		expect(costs).toEqual([3 + 1, 1 + 1 + 2, 1]);
	});

	it.each([
		[1, [0]],
		[3, [0]],
		[4, [0, 1]],
		[5, [0, 1]],
		[6, [0, 1, 2]],
		[99, [0, 1, 2]],
	])(
		'up to a limit of %i: the first records of all lists, and no list is read in vain',
		async (limit, used) => {
			const lists = new Lists(3, 2, 4);
			const records = await readAll(lists.all, { wanted: limit });
			expect(idsOf(records)).toEqual(upTo(Math.min(limit, 9)));
			expect([...new Set(lists.requests.map(({ list }) => list))].sort()).toEqual(used);
			const asked = lists.requests.reduce((most, one) => Math.max(most, one.limit), 0);
			expect(asked).toBeLessThanOrEqual(Math.min(limit, 100));
		},
	);
});

describe('lists of which one cannot be read completely', () => {
	const withGap = () => {
		const lists = new Lists(30, 250, 20);
		const [first, second, third] = lists.all as [ReadPage, ReadPage, ReadPage];
		return [
			first,
			async (...page: [number, number]) => ({ ...(await second(...page)), total: 260 }),
			third,
		];
	};

	it('come with all that was found, how many are missing, and why', async () => {
		const all = { readPage: joinedPages(withGap()) };
		for (const list of [all, visited(all, () => {})]) {
			const { records, ...others } = await readList(list);
			expect(idsOf(records)).toEqual(expect.arrayContaining(upTo(280)));
			expect(others).toEqual({ missing: 310 - records.length, reason: 'list' });
		}
	});

	it('are whole if a limit is reached all the same', async () => {
		expect(idsOf(await readAll(withGap(), { wanted: 200 }))).toEqual(upTo(200));
	});
});

describe('lists with small pages', () => {
	it('come whole and in order', async () => {
		const small = new Lists(130, 70, 45).all.map(
			(readPage): ReadPage =>
				async (offset, limit) =>
					await readPage(offset, Math.min(limit, 30)),
		);
		expect(idsOf(await readAll(small))).toEqual(upTo(245));
	});
});

describe('lists of which one grows all the time', () => {
	it.each([
		[1211, 600, 224],
		[130, 70],
		[1, 5],
		[100, 50],
	])('come whole: %i, %i ...', async (...sizes) => {
		const lists = new Lists(...sizes);
		const [first, ...others] = lists.all as [ReadPage, ...ReadPage[]];
		let added = 10_000;
		const growing: ReadPage = async (...page) => {
			lists.lists.at(-1)?.push({ id: added++ });
			return await first(...page);
		};
		const ids = new Set(idsOf(await readAll([growing, ...others])));
		const count = sizes.reduce((sum, size) => sum + size, 0);
		expect(upTo(count).filter((id) => !ids.has(id))).toEqual([]);
	});
});

describe('records that move while they are read', () => {
	it('to a later list: found once, with the mark of the list in which they were last read', async () => {
		const lists = new Lists(3, 3, 3);
		lists.before(2, () => lists.move(2, 0, 1));
		const records = await readAll(lists.all);
		expect(sorted(idsOf(records))).toEqual(upTo(9));
		expect(records.find(({ id }) => id === 2)?.list).toBe(1);
	});

	it('back, while another one moves on, so that no total changes: still found', async () => {
		const lists = new Lists(3, 3, 3);
		lists.before(2, () => {
			lists.move(5, 1, 0);
			lists.move(2, 0, 1);
		});
		expect(sorted(idsOf(await readAll(lists.all)))).toEqual(upTo(9));
	});

	it('any one of them, once, at any time, to any list: none is lost or duplicated', async () => {
		const move = fc.record({
			request: fc.integer({ min: 1, max: 14 }),
			from: fc.nat({ max: 2 }),
			by: fc.integer({ min: 1, max: 2 }),
			which: fc.nat(),
			place: fc.nat({ max: 400 }),
		});
		const size = fc.nat({ max: 220 });
		await fc.assert(
			fc.asyncProperty(size, size, size, move, fc.boolean(), async (a, b, c, one, isVisited) => {
				const lists = new Lists(a, b, c);
				lists.before(one.request, () => {
					const from = itemAt(lists.lists, one.from);
					const { id } = from.at(one.which % (from.length || 1)) ?? {};
					if (id !== undefined) lists.move(id, one.from, (one.from + one.by) % 3, one.place);
				});
				const seen = new Set<unknown>();
				if (isVisited) {
					const readPage = joinedPages(lists.all);
					await readList(visited({ readPage }, ({ id }) => seen.add(id)));
					expect(sorted([...seen] as number[])).toEqual(upTo(a + b + c));
				} else {
					expect(sorted(idsOf(await readAll(lists.all)))).toEqual(upTo(a + b + c));
				}
			}),
			{ numRuns: 300 },
		);
	});
});

describe('lists that are only visited', () => {
	it('show each record unchanged', async () => {
		const seen: unknown[] = [];
		const records = [{ id: 1, a: 'x' }, { b: 'without an ID' }];
		const readPage: ReadPage = async () => await Promise.resolve({ total: 2, items: records });
		await readList(visited({ readPage }, (record) => seen.push(record)));
		expect(seen).toEqual(records);
	});

	it('end with what the visitor throws', async () => {
		const readPage = itemAt(new Lists(500).all, 0);
		const list = visited({ readPage }, ({ id }) => {
			if (id === 301) throw new Error('Enough');
		});
		await expect(readList(list)).rejects.toThrow('Enough');
	});
});
