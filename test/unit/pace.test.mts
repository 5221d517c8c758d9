import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { amount } from '../seed.mts';
import { DESIGN, inDesign } from './paceTable.mts';
import type { Result } from './simulation.mts';
import { CASES, playGrid, simulate, summaryOf } from './simulation.mts';

describe('steady limits', () => {
	it('take 1.25 of the ideal time, 5 % are refused, and nothing is lost', async () => {
		const { ratio, refused, lost } = summaryOf(await playGrid());
		expect(lost).toBe(0);
		expect(ratio).toBeLessThan(1.25);
		expect(refused).toBeLessThan(0.05);
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
