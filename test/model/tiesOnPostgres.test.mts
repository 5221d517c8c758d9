import type { IDataObject } from 'n8n-workflow';
import { beforeAll, expect, it } from 'vitest';

import type { ReadPage } from '../../nodes/shared/lists/pages.ts';
import { readList } from '../../nodes/shared/lists/readList.ts';
import { randomNumbers } from '../seed.mts';
import { openStore, type Store } from '../sandbox/store.mts';

/*
 * The promise of lists on a real database: a list with many equal records, and without a second sort key, is read whole.
 * PostgreSQL orders equal records differently for each LIMIT and OFFSET.
 */

const PAGE_SIZE = 100;

/** How many requests a page may take on average, over all lists */
const MOST_REQUESTS_PER_PAGE = 5;

const SIZES = [250, 600, 1100, 2500];

/** The value by which the list is sorted, for the record with this number; null for one without a value. */
const VALUES: Record<string, (random: () => number, size: number) => number | null> = {
	'all values different': (random) => random(),
	'ten different values': (random) => Math.floor(10 * random()),
	'150 records of each value': (random, size) => Math.floor((random() * size) / 150),
	'one value for all records': () => 1,
	'no value for half of the records': (random) => (random() < 0.5 ? null : random()),
	'batches of many sizes': (random) => Math.floor(15 * random() ** 2),
};

const LISTS = SIZES.flatMap((size) => Object.keys(VALUES).map((values) => ({ size, values })));

let store: Store;

beforeAll(async () => {
	store = await openStore();
	store.run('CREATE TABLE ties (list int, id text, value float8)');
	const random = randomNumbers(1);
	for (const [list, { size, values }] of LISTS.entries()) {
		const records = Array.from({ length: size }, (_, n) => ({
			id: `r${n}`,
			value: VALUES[values]?.(random, size) ?? null,
		}));
		insert(list, records);
	}
});

function insert(list: number, records: Array<{ id: string; value: number | null }>): void {
	const rows = `SELECT $1::int, id, value FROM jsonb_to_recordset($2::jsonb) AS one(id text, value float8)`;
	store.run(`INSERT INTO ties ${rows}`, [list, records]);
}

/** @returns what reading a list of the table gives, and how many requests it took */
async function read({ list, size }: { list: number; size: number }) {
	let requests = 0;
	const pagesIn =
		(order: 'ASC' | 'DESC'): ReadPage =>
		async (offset, limit) => {
			requests++;
			const page = `ORDER BY value ${order} LIMIT ${Math.min(limit, PAGE_SIZE)} OFFSET ${offset}`;
			const sql = `SELECT id, value FROM ties WHERE list = $1::int ${page}`;
			const items = store.query<IDataObject>(sql, [list]);
			return await Promise.resolve({ total: size, items });
		};
	const { records, missing, reason } = await readList({
		client: { pause: async () => await Promise.resolve() },
		readPage: pagesIn('DESC'),
		opposite: { readPage: pagesIn('ASC'), order: { field: 'value', isAscending: true } },
	});
	return { found: records.length, missing, reason, requests };
}

it(`${LISTS.length} lists with equal records are whole on PostgreSQL, with at most ${MOST_REQUESTS_PER_PAGE} requests a page`, async () => {
	let requests = 0;
	let pages = 0;
	for (const [list, { size, values }] of LISTS.entries()) {
		const result = await read({ list, size });
		expect(result, `${size} records, ${values}`).toMatchObject({ found: size, missing: 0 });
		requests += result.requests;
		pages += Math.ceil(size / PAGE_SIZE);
	}
	console.info(`${(requests / pages).toFixed(1)} requests a page`);
	expect(requests / pages).toBeLessThan(MOST_REQUESTS_PER_PAGE);
});

it('a list whose middle is one large group of equal records is whole, or says how many are missing', async () => {
	const list = LISTS.length;
	const random = randomNumbers(1);
	// Both orders end in the group, and what hides there in one order may hide in the other
	const records = Array.from({ length: 2500 }, (_, n) => ({
		id: `r${n}`,
		value: random() < 2 / 3 ? 7 : 10 * random(),
	}));
	insert(list, records);
	const { found, missing, reason } = await read({ list, size: records.length });
	expect(found + missing).toBe(records.length);
	expect(reason).toBe(missing > 0 ? 'ties' : undefined);
});
