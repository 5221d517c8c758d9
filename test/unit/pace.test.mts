import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { amount } from '../seed.mts';
import { DESIGN, inDesign } from './paceTable.mts';
import type { Result } from './simulation.mts';
import { CASES, GRID, OTHER_WAYS, playAll, simulate, summaryOf } from './simulation.mts';

describe('steady limits', () => {
	it('take 1.25 of the ideal time, 5 % are refused, and nothing is lost', async () => {
		const { ratio, refused, lost } = summaryOf(await playAll(GRID));
		expect(lost).toBe(0);
		expect(ratio).toBeLessThan(1.25);
		expect(refused).toBeLessThan(0.05);
	});

	it.each(OTHER_WAYS)('told by $name cost no more than told by 429', async ({ cases, like }) => {
		const { ratio, refused, lost } = summaryOf(await playAll(cases));
		const usual = summaryOf(await playAll(like));
		expect(lost).toBe(0);
		expect(ratio).toBeLessThan(1.02 * usual.ratio);
		expect(refused).toBeLessThan(1.02 * usual.refused);
	});
});

describe('a service', () => {
	it.each(CASES)('$name, $items items', async (one) => {
		const results: Result[] = [];
		for (let seed = 1; seed <= amount(1, 10); seed++) results.push(await simulate(one, seed));
		for (const { ratio, share, lost, seconds } of results) {
			expect(lost).toBeLessThanOrEqual(one.lost ?? 0);
			expect(ratio).toBeLessThan(one.ratio ?? Infinity);
			expect(share).toBeLessThanOrEqual(one.refused ?? 1);
			expect(seconds).toBeLessThan(one.seconds ?? Infinity);
		}
	});
});

it('docs/design.md shows the figures', async () => {
	const text = readFileSync(DESIGN, 'utf8');
	expect(await inDesign(text)).toBe(text);
});
