import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { itemAt } from '../defined.mts';
import { failure, pages, pagination } from './built.mts';

const { readList } = pagination;

interface Item {
	id: string;
	[key: string]: string;
}

interface Edit {
	/** Number of the request before which it happens; the first is 0 */
	before: number;
	/** Where in the list, from 0 (front) to 1 (end) */
	at: number;
	insert: number;
	remove: number;
}

/** A list that others change between the requests for its pages. */
class LiveList {
	items: Item[];

	requests: Array<{ offset: number; limit: number; total: number }> = [];

	/** The records that have been listed the whole time */
	lasting: Set<string>;

	private created = 0;

	constructor(
		size: number,
		private readonly edits: Edit[] = [],
	) {
		this.items = Array.from({ length: size }, () => this.create());
		this.lasting = new Set(this.items.map(({ id }) => id));
	}

	readPage = async (offset: number, limit: number) => {
		for (const edit of this.edits) if (edit.before === this.requests.length) this.apply(edit);
		const total = this.items.length;
		this.requests.push({ offset, limit, total });
		await Promise.resolve();
		return { total, size: limit, items: this.items.slice(offset, offset + limit) };
	};

	remove(at: number): void {
		const removed = itemAt(this.items.splice(at, 1), 0);
		this.lasting.delete(removed.id);
	}

	add(): void {
		this.items.push(this.create());
	}

	move(from: number, to: number): void {
		this.items.splice(to, 0, ...this.items.splice(from, 1));
	}

	private create(): Item {
		return { id: `r${this.created++}` };
	}

	private apply({ at, insert, remove }: Edit): void {
		const index = Math.round(at * this.items.length);
		const removed = this.items.splice(index, remove);
		for (const { id } of removed) this.lasting.delete(id);
		const inserted = Array.from({ length: insert }, () => this.create());
		this.items.splice(Math.round(at * this.items.length), 0, ...inserted);
	}
}

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

const idsOf = (records: Array<{ id?: unknown }>) => records.map(({ id }) => id);

describe('a quiet list', () => {
	it('is read whole, in order, with exactly ceil(n / 100) requests', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.nat({ max: 1200 }),
				fc.integer({ min: 1, max: 20 }),
				async (size, atOnce) => {
					const list = new LiveList(size);
					const records = await readList(list.readPage, undefined, atOnce);
					expect(records).toEqual(list.items);
					expect(list.requests).toHaveLength(Math.max(1, Math.ceil(size / 100)));
				},
			),
		);
	});

	it('gives as many records as wanted, even more than a page, and asks for no more', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.nat({ max: 700 }),
				fc.integer({ min: 1, max: 900 }),
				async (size, wanted) => {
					const list = new LiveList(size);
					const records = await readList(list.readPage, wanted, 5);
					const expected = Math.min(size, wanted);
					expect(idsOf(records)).toEqual(idsOf(list.items.slice(0, expected)));
					expect(list.requests).toHaveLength(Math.max(1, Math.ceil(expected / 100)));
					const asked = list.requests.reduce((sum, { limit }) => sum + limit, 0);
					expect(asked).toBeLessThanOrEqual(Math.max(wanted, Math.ceil(expected / 100) * 100));
				},
			),
		);
	});

	it('is not asked for more records than wanted', async () => {
		const list = new LiveList(500);
		await readList(list.readPage, 250);
		expect(list.requests.map(({ offset, limit }) => [offset, limit])).toEqual([
			[0, 100],
			[100, 100],
			[200, 50],
		]);
	});

	it('is read with no more pages at once than allowed', async () => {
		let now = 0;
		let most = 0;
		const list = new LiveList(1500);
		const readPage = async (offset: number, limit: number) => {
			most = Math.max(most, ++now);
			await new Promise((resolve) => setImmediate(resolve));
			const page = await list.readPage(offset, limit);
			now--;
			return page;
		};
		expect(await readList(readPage, undefined, 4)).toHaveLength(1500);
		expect(most).toBe(4);
	});
});

describe('a service that gives smaller pages than asked for', () => {
	it('is read with its page size, whole or up to a limit, in as few requests as that takes', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.nat({ max: 400 }),
				fc.integer({ min: 1, max: 100 }),
				fc.option(fc.integer({ min: 1, max: 300 }), { nil: undefined }),
				fc.integer({ min: 1, max: 20 }),
				async (listed, size, wanted, atOnce) => {
					const list = new LiveList(listed);
					const readPage = async (offset: number, limit: number) => {
						const page = await list.readPage(offset, Math.min(limit, size));
						return page;
					};
					const records = await readList(readPage, wanted, atOnce);
					const expected = Math.min(listed, wanted ?? listed);
					expect(idsOf(records)).toEqual(idsOf(list.items.slice(0, expected)));
					const pageSize = Math.min(size, wanted ?? 100);
					expect(list.requests).toHaveLength(Math.max(1, Math.ceil(expected / pageSize)));
				},
			),
		);
	});

	it('and whose list changes: every record that was listed the whole time, none twice', async () => {
		let whole = 0;
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 300 }),
				fc.integer({ min: 5, max: 60 }),
				edits(4),
				async (listed, size, history) => {
					const list = new LiveList(listed, history);
					const readPage = async (offset: number, limit: number) =>
						await list.readPage(offset, Math.min(limit, size));
					const reading = readList(readPage, undefined, 3);
					const ids = idsOf((await reading.catch(() => undefined)) ?? []);
					expect(new Set(ids).size).toBe(ids.length);
					const totals = new Set(list.requests.map(({ total }) => total));
					if (ids.length === 0 || totals.size === 1) return;
					whole++;
					expect([...list.lasting].filter((id) => !ids.includes(id))).toEqual([]);
				},
			),
			{ numRuns: 300 },
		);
		expect(whole).toBeGreaterThan(50);
	});
});

describe('a list that changes while it is read', () => {
	it('gives every record that was listed the whole time, and none twice', async () => {
		let changed = 0;
		await fc.assert(
			fc.asyncProperty(
				fc.nat({ max: 900 }),
				edits(6),
				fc.integer({ min: 1, max: 8 }),
				async (size, history, atOnce) => {
					const list = new LiveList(size, history);
					const records = await readList(list.readPage, undefined, atOnce);
					const ids = idsOf(records);
					expect(new Set(ids).size).toBe(ids.length);
					if (isHidden(list)) return;
					changed++;
					expect(missing(list, ids)).toEqual([]);
				},
			),
			{ numRuns: 1000 },
		);
		expect(changed).toBeGreaterThan(200);
	});

	it('never gives fewer records than the list had at any time, unless it fails', async () => {
		await fc.assert(
			fc.asyncProperty(fc.nat({ max: 600 }), edits(40), async (size, history) => {
				const list = new LiveList(size, history);
				const records = await readList(list.readPage, undefined, 3).catch(() => undefined);
				const least = Math.min(...list.requests.map(({ total }) => total));
				expect(records === undefined || records.length >= least).toBe(true);
			}),
			{ numRuns: 500 },
		);
	});

	it('is read again from where pages no longer join, after a whole page is gone', async () => {
		const list = new LiveList(500, [
			{ before: 1, at: 0, insert: 0, remove: 1 },
			{ before: 6, at: 0, insert: 0, remove: 1 },
			{ before: 12, at: 0, insert: 0, remove: 150 },
		]);
		const ids = idsOf(await readList(list.readPage, undefined, 5));
		expect(missing(list, ids)).toEqual([]);
		// After two readings at full speed: pages that overlap, and longer and longer steps back where they do not
		const offsets = list.requests.slice(10).map(({ offset }) => offset);
		expect(offsets).toEqual([0, 90, 180, 170, 150, 110, 30, 120, 210, 300]);
	});

	it('is read again from its new end if most of it is gone, and at most from the front', async () => {
		const list = new LiveList(1000, [
			{ before: 1, at: 0, insert: 0, remove: 1 },
			{ before: 7, at: 0, insert: 0, remove: 1 },
			{ before: 15, at: 0, insert: 0, remove: 760 },
		]);
		const ids = idsOf(await readList(list.readPage, undefined, 5));
		expect(missing(list, ids)).toEqual([]);
		const offsets = list.requests.slice(12).map(({ offset }) => offset);
		// There are fewer than at first, so records may have moved up behind the reader: it reads the list once more
		expect(offsets).toEqual([0, 90, 180, 270, 228, 208, 168, 88, 0, 90, 180, 0, 90, 180]);
	});

	const moves: Array<[string, (list: LiveList) => void]> = [
		[
			'one that was read is removed, and one moves up',
			(list) => {
				list.remove(0);
				list.move(-1, 0);
			},
		],
		[
			'one comes last, and one moves up',
			(list) => {
				list.add();
				list.move(-2, 0);
			},
		],
	];
	it.each(moves)('is incomplete if its total shows it: %s', async (_name, change) => {
		await fc.assert(
			fc.asyncProperty(fc.array(fc.nat({ max: 30 }), { maxLength: 12 }), async (times) => {
				const list = new LiveList(450);
				let requests = 0;
				const records = await readList(
					async (offset, limit) => {
						if (times.includes(requests++)) change(list);
						return await list.readPage(offset, limit);
					},
					undefined,
					1,
				).catch(() => undefined);
				if (records) expect(missing(list, idsOf(records))).toEqual([]);
			}),
			{ numRuns: 300 },
		);
	});

	it('gives the first records up to a limit, none twice', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 400, max: 900 }),
				fc.integer({ min: 1, max: 250 }),
				edits(4),
				async (size, wanted, history) => {
					const list = new LiveList(size, history);
					const ids = idsOf(await readList(list.readPage, wanted, 4));
					expect(new Set(ids).size).toBe(wanted);
				},
			),
		);
	});

	function missing({ lasting }: LiveList, ids: unknown[]): string[] {
		const found = new Set(ids);
		return [...lasting].filter((id) => !found.has(id));
	}

	/**
	 * As many records added as removed between two pages: the answers look like those of a list that did not change. This can
	 * happen in both quick reads, whose pages do not overlap.
	 */
	function isHidden({ requests }: LiveList): boolean {
		const last = requests.slice(requests.findLastIndex(({ offset }) => offset === 0));
		const isQuick = last.every(({ offset }) => offset % 100 === 0);
		return isQuick && last.every(({ total }) => total === itemAt(last, 0).total);
	}
});

describe('a service that breaks the contract', () => {
	const services: Record<string, (offset: number, limit: number, n: number) => number[]> = {
		'gives fewer records than announced': (offset, limit) => range(offset, limit - 1),
		'gives the first page for ever': (_offset, limit) => range(0, limit),
		'gives no records': () => [],
		'gives one record again and again': (_offset, limit) => range(0, limit).map(() => 7),
	};
	for (const [name, answer] of Object.entries(services)) {
		it(`${name}: ends in an error, with a bounded number of requests`, async () => {
			let requests = 0;
			const reading = readList(async (offset, limit) => {
				requests++;
				return {
					total: 1000,
					size: limit,
					items: answer(offset, limit, requests).map((id) => ({ id })),
				};
			});
			await expect(reading).rejects.toMatchObject({ kind: 'list' });
			expect(requests).toBeLessThan(120);
		});
	}

	it('gives a short first page of a very long list: ends in an error at once', async () => {
		let requests = 0;
		const reading = readList(async () => {
			requests++;
			return { total: 200_000_000, size: 100, items: [{ id: 1 }, { id: 2 }] };
		});
		await expect(reading).rejects.toMatchObject({ kind: 'list' });
		expect(requests).toBeLessThan(5);
	});

	it.each([100_000, 1e12])(
		'announces %s records and has 300: ends in an error after a few requests',
		async (total) => {
			const list = new LiveList(300);
			let requests = 0;
			const reading = readList(
				async (offset, limit) => {
					requests++;
					return { ...(await list.readPage(offset, limit)), total };
				},
				undefined,
				20,
			);
			await expect(reading).rejects.toMatchObject({ kind: 'list' });
			// Its pages, three times each, and the requests beyond its end that were sent at the same time
			expect(requests).toBeLessThan(1 + 20 + 3 * 4 + 20);
		},
	);

	it.each([0, 1, 57, 99])(
		'announces %s records and has more on its first page: ends in an error',
		async (total) => {
			const list = new LiveList(250);
			const reading = readList(async (offset, limit) => ({
				...(await list.readPage(offset, limit)),
				total,
			}));
			await expect(reading).rejects.toMatchObject({ kind: 'list' });
		},
	);

	it('always gives the first page of a list that never ends: ends in an error after a few requests', async () => {
		let requests = 0;
		const reading = readList(async () => {
			requests++;
			return await Promise.resolve({
				total: 1e12,
				size: 100,
				items: range(0, 100).map((id) => ({ id })),
			});
		});
		await expect(reading).rejects.toMatchObject({ kind: 'list' });
		expect(requests).toBeLessThan(50);
	});

	it('gives one short page: the list is read again, up to three times', async () => {
		const list = new LiveList(250);
		let requests = 0;
		const records = await readList(async (offset, limit) => {
			const page = await list.readPage(offset, limit);
			requests++;
			return [2, 4].includes(requests) ? { ...page, items: page.items.slice(1) } : page;
		});
		expect(records).toEqual(list.items);
	});

	it('announces more and more records: ends in an error, with a bounded number of requests', async () => {
		let requests = 0;
		const reading = readList(async (offset, limit) => {
			requests++;
			return {
				total: 300 + requests * 100,
				size: limit,
				items: range(offset, limit).map((id) => ({ id })),
			};
		});
		await expect(reading).rejects.toMatchObject({ kind: 'list' });
		expect(requests).toBeLessThan(200);
	});

	it('fails for one page: the list fails, whichever page it is', async () => {
		await fc.assert(
			fc.asyncProperty(fc.integer({ min: 1, max: 900 }), fc.nat({ max: 8 }), async (size, nth) => {
				const list = new LiveList(size);
				const failing = nth % Math.ceil(size / 100);
				const reading = readList(async (offset, limit) => {
					if (offset === failing * 100) throw new failure.RequestFailure('status');
					return await list.readPage(offset, limit);
				});
				await expect(reading).rejects.toMatchObject({ kind: 'status' });
			}),
		);
	});

	it('gives records without an ID: equal ones count once, others each', async () => {
		const items = [{ term: 'a' }, { term: 'b' }];
		expect(await readList(async () => ({ total: 2, size: 100, items }))).toEqual(items);
		const twice = [...items, ...items.slice(0, 1)];
		expect(await readList(async () => ({ total: 3, size: 2, items: twice }), 2)).toEqual(items);
		const reading = readList(async () => ({ total: 3, size: 100, items: twice }));
		await expect(reading).rejects.toMatchObject({ kind: 'list' });
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

	it('is asked for with the filters, and consists of its records', async () => {
		const { page, asked } = await pageOf({ data: { total: 2, items: [{ id: 1 }] } });
		expect(page).toEqual({ total: 2, size: 10, items: [{ id: 1 }] });
		const query = { status: 'active', offset: 20, limit: 10 };
		expect(asked).toEqual([{ method: 'GET', path: '/v1/keywords', query }]);
	});

	it.each([
		[4, 4],
		[10, 10],
		[50, 10],
		[0, 10],
		['4', 10],
		[undefined, 10],
	])('has the size that the service applied: of limit %j, %s', async (limit, size) => {
		const { page } = await pageOf({ data: { total: 0, limit, items: [] } });
		expect(page.size).toBe(size);
	});

	it('may be empty', async () => {
		const { page } = await pageOf({ data: { total: 0, items: [] } });
		expect(page).toEqual({ total: 0, size: 10, items: [] });
	});

	it.each([
		[[]],
		[{}],
		[{ data: [] }],
		[{ total: 0, items: [] }],
		[{ data: { items: [] } }],
		[{ data: { total: '0', items: [] } }],
		[{ data: { total: -1, items: [] } }],
		[{ data: { total: 1.5, items: [] } }],
		[{ data: { total: 0 } }],
		[{ data: { total: 0, items: {} } }],
		[{ data: { total: 2, items: [{ id: 1 }, null] } }],
		[{ data: { total: 2, items: ['x'] } }],
		[{ data: { total: 2, count: 2, items: [{ id: 1 }] } }],
		[{ data: { total: 40, offset: 0, items: [{ id: 1 }] } }],
	])('is not a documented list: %j', async (body) => {
		await expect(pageOf(body)).rejects.toMatchObject({ kind: 'shape' });
	});
});

function range(start: number, count: number): number[] {
	return Array.from({ length: Math.max(0, count) }, (_, index) => start + index);
}
