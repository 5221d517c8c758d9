import { describe, expect, it } from 'vitest';

import { orders } from './built.mts';

const NOON = Date.UTC(2026, 0, 31, 12);

const at = (minutes: number | null) => ({
	seenAt: minutes === null ? null : new Date(NOON + minutes * 60_000).toISOString(),
});

/** A check that has watched these pages, each given as the minutes of its records. */
async function watched(pages: Array<Array<number | null>>, total = 1000, size = 100) {
	const check = new orders.OrderCheck('seenAt');
	const readPage = check.watch(async (offset) =>
		Promise.resolve({ total, size, items: (pages[offset] ?? []).map(at) }),
	);
	for (const offset of pages.keys()) await readPage(offset, size);
	return check;
}

const falling = (count: number) => Array.from({ length: count + 1 }, (_, n) => -n);

describe('the order of a list', () => {
	it('is trusted until something speaks against it', async () => {
		const check = await watched([]);
		expect(check).toMatchObject({ isTrusted: true, isBroken: false, hasUndated: false, total: 0 });
		expect(check.verdict(undefined)).toBeUndefined();
	});

	it('is proved by ten steps down within the pages of a long list', async () => {
		expect((await watched([falling(9)])).verdict(undefined)).toBeUndefined();
		expect((await watched([falling(10)])).verdict(undefined)).toBe('sorted');
		expect((await watched([falling(5), falling(5)])).verdict(undefined)).toBe('sorted');
	});

	it('is not proved by records of the same time, or by a step from page to page', async () => {
		expect((await watched([Array.from({ length: 50 }, () => 0)])).verdict(undefined)).toBe(
			undefined,
		);
		const single = Array.from({ length: 50 }, (_, n) => [-n]);
		expect((await watched(single)).verdict(undefined)).toBeUndefined();
	});

	it('is not proved by a list that fits on one page', async () => {
		expect((await watched([falling(50)], 51)).verdict(undefined)).toBeUndefined();
		expect((await watched([falling(50)], 100)).verdict(undefined)).toBeUndefined();
		expect((await watched([falling(50)], 101)).verdict(undefined)).toBe('sorted');
	});

	it('is broken by a step up within a page, but not from page to page', async () => {
		const broken = await watched([[...falling(20), 1]]);
		expect(broken).toMatchObject({ isTrusted: false, isBroken: true });
		expect(broken.verdict('sorted')).toBe('unsorted');
		expect(await watched([falling(20), falling(20)])).toMatchObject({ isTrusted: true });
	});

	it.each([[[null, ...falling(20)]], [[...falling(20), null]], [[0, null, ...falling(20)]]])(
		'is not known with a record that has no time: %j',
		async (page) => {
			const check = await watched([page]);
			expect(check).toMatchObject({ isTrusted: false, isBroken: false, hasUndated: true });
			expect(check.verdict(undefined)).toBeUndefined();
			expect(check.verdict('sorted')).toBe('sorted');
		},
	);

	it('is compared across a record that has no time', async () => {
		expect((await watched([[0, null, 1]])).isBroken).toBe(true);
	});

	it('takes the number of records from the last page', async () => {
		expect((await watched([[0]], 7)).total).toBe(7);
	});
});

describe('the last record of a list', () => {
	it.each([
		[-1, true],
		[0, false],
		[1, false],
		[null, true],
	])(
		'%s minutes after the time from which on all was read: in order %s',
		async (last, expected) => {
			const check = await watched([]);
			check.expectBefore(NOON, at(last));
			expect(check.isTrusted).toBe(expected);
		},
	);

	it('may be gone', async () => {
		const check = await watched([]);
		check.expectBefore(NOON, undefined);
		expect(check.isTrusted).toBe(true);
	});
});
