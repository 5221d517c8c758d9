import { describe, expect, it } from 'vitest';

import { inRounds, isMet, quantile } from './measure.mts';

describe('The benchmark', () => {
	it.each([
		[[3], 0.5, 3],
		[[9, 1, 2], 0.5, 2],
		[[4, 1, 2, 3], 0.5, 2.5],
		[[5, 4, 3, 2, 1], 0.25, 2],
		[[4, 3, 2, 1], 0.75, 3.25],
	])('finds in %j the value at %f', (values, share, value) => {
		expect(quantile(values, share)).toBe(value);
	});

	it.each([
		['at most' as const, [1, 1.5, 9], true],
		['at most' as const, [1, 1.6, 1.6], false],
		['at least' as const, [0, 1.5, 9], true],
		['at least' as const, [1, 1.4, 9], false],
	])('judges by the median: %s 1.5, measured %j', (is, values, met) => {
		expect(isMet({ is, bar: 1.5 }, values)).toBe(met);
	});

	const play = async (options: Parameters<typeof inRounds>[1]) => {
		let order = '';
		const side = (name: string) => async () => void (order += name);
		const costs = await inRounds({ a: side('a'), b: side('b') }, options);
		return { order, rounds: costs.length };
	};

	it('warms up, and turns the order of the sides round after each round', async () => {
		expect(await play({ rounds: 3 })).toEqual({ order: 'abbaabba', rounds: 3 });
	});

	it('runs each side once more before each run that counts', async () => {
		const played = await play({ rounds: 2, warmUps: 2, leadIn: true });
		expect(played).toEqual({ order: 'abbaaabbbbaa', rounds: 2 });
	});
});
