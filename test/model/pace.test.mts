import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { defined } from '../defined.mts';
import { amount, IS_THOROUGH } from '../seed.mts';
import { CASES, GRID, MIXTURES, onPage, PAGE, simulate, SLOW, summaryOf } from './simulation.mts';

/** Some of the steady limits, of each kind and number of items; in a thorough run, all of them. */
const PART = GRID.filter((_, n) => IS_THOROUGH || (n + Math.floor(n / 3)) % 17 === 0);

it('under steady rate limits, a run takes at most 1.25 times the ideal, 5 % are refused, and nothing is lost', async () => {
	const { ratio, refused, lost } = await summaryOf(PART);
	expect(lost).toBe(0);
	expect(ratio).toBeLessThan(1.25);
	expect(refused).toBeLessThan(0.05);
});

it.each(SLOW)(
	'under limits $name, a run takes at most 1.25 times the ideal, few are refused in each window, and nothing is lost',
	async ({ cases }) => {
		const { ratio, lost } = await summaryOf(cases);
		expect(lost).toBe(0);
		expect(ratio).toBeLessThan(1.25);
		for (const one of cases) {
			const { refused } = await simulate(one);
			expect(refused, one.name).toBeLessThanOrEqual(defined(one.refusals));
		}
	},
);

describe('the pace stays within the bounds of a service', () => {
	it.each(CASES)('with $name, for $items items', async (one) => {
		const seeds = Array.from({ length: amount(1, 10) }, (_, n) => n + 1);
		const results = await Promise.all(seeds.map(async (seed) => await simulate(one, seed)));
		for (const { ratio, share, lost } of results) {
			expect(lost).toBeLessThanOrEqual(one.lost ?? 0);
			expect(ratio).toBeLessThan(one.ratio ?? Infinity);
			expect(share).toBeLessThanOrEqual(one.refused ?? 1);
		}
		// Chance decides how many refusals follow each other
		const seconds = results.map((result) => result.seconds).sort((a, b) => a - b);
		expect(seconds[Math.floor(seconds.length / 2)]).toBeLessThan(one.seconds ?? Infinity);
	});
});

it.each(MIXTURES)(
	'an execution ends that gets nothing but $name, for $items items',
	async ({ seconds: most, ...one }) => {
		for (let seed = 1; seed <= amount(2, 30); seed++) {
			const { lost, seconds } = await simulate(one, seed);
			expect(lost).toBe(one.items);
			expect(seconds).toBeLessThan(most);
		}
	},
);

it('pace.md shows the figures of the simulated services', async () => {
	const text = readFileSync(PAGE, 'utf8');
	const shown = (page: string) =>
		IS_THOROUGH ? page : page.replace(/^\| \d+ steady limits .*$/m, '');
	expect(shown(await onPage(text, PART))).toBe(shown(text));
});
