import { afterEach, describe, expect, it, vi } from 'vitest';

import { type FigureName, result, verdictOn } from './figures.mts';
import { compare, estimate, type Patience } from './measure.mts';
import { itemAt } from '../defined.mts';

const upTo = (count: number) => Array.from({ length: count }, (_, index) => count - index);

describe('An estimate', () => {
	// From tables of the signed-rank test: the narrowest interval that contains the true value with at least 95 %
	it.each([
		[6, 3.5, [1, 6]],
		[8, 4.5, [2, 7]],
		[12, 6.5, [4, 9]],
		[20, 10.5, [7.5, 13.5]],
		[40, 20.5, [16.5, 24.5]],
	])('of %i values', (count, value, interval) => {
		expect(estimate(upTo(count))).toEqual({ value, interval });
	});

	it('spans all values if there are too few for 95 %', () => {
		expect(estimate([2, 3, 1])).toEqual({ value: 2, interval: [1, 3] });
	});
});

describe('The verdict', () => {
	const most = (value: number, interval: [number, number]) =>
		verdictOn(result('update CPU', { value, interval }));
	const least = (value: number, interval: [number, number]) =>
		verdictOn(result('list vs by hand', { value, interval }));

	it('is ok only if the whole interval meets the bar', () => {
		expect([most(1.1, [1, 1.5]), least(11, [10, 12])]).toEqual(['ok', 'ok']);
	});

	it('is short only if the whole interval is beyond it', () => {
		expect([most(1.6, [1.51, 1.7]), least(9, [8, 9.9])]).toEqual(['short', 'short']);
	});

	it('is unclear if the interval contains the bar', () => {
		expect([most(1.1, [1, 1.51]), least(9.5, [9, 10])]).toEqual(['unclear', 'unclear']);
	});

	it('is unclear if other work disturbed the measurement', () => {
		const disturbed = { value: 1, interval: [1, 1] as [number, number], isDisturbed: true };
		expect(verdictOn(result('list vs limit', disturbed))).toBe('unclear');
	});

	it('is ok for a time by itself that met its bar although other work disturbed it', () => {
		const verdictOf = (value: number) =>
			verdictOn(
				result('rate limited, time', { value, interval: [value, value], isDisturbed: true }),
			);
		expect([1.2, 1.3].map(verdictOf)).toEqual(['ok', 'unclear']);
	});

	it('needs no interval for counted values', () => {
		const verdicts = [100, 99].map((value) => verdictOn(result('list requests', value)));
		expect(verdicts).toEqual(['ok', 'short']);
	});
});

describe('A comparison', () => {
	afterEach(() => void vi.restoreAllMocks());

	/** Each side takes a second. */
	const play = async (
		values: number[],
		patience: Patience,
		figures: { value?: FigureName } = {},
	) => {
		const order: string[] = [];
		vi.spyOn(performance, 'now').mockImplementation(() => order.length * 1000);
		const side = (name: string) => async () => void order.push(name);
		let round = 0;
		const next = () => ({ value: itemAt(values, round++ % values.length) });
		const sides = { a: side('a'), b: side('b') };
		const { estimates } = await compare(sides, () => next(), patience, figures);
		return { order: order.join(''), estimates };
	};

	it('warms up, alternates the order of the rounds, and ends when the value is known', async () => {
		const { order, estimates } = await play([2], { least: 6, seconds: 60 });
		expect(order).toBe('ababbaabbaabba');
		expect(estimates.value).toEqual({ value: 2, interval: [2, 2] });
	});

	it('with a lead-in, runs each side once more before each run that counts', async () => {
		const { order } = await play([2], { least: 2, seconds: 60, leadIn: true });
		expect(order).toBe('abaabbbbaa');
	});

	it('ends when its time is up, however far apart the values are', async () => {
		const { order } = await play([1, 2], { least: 6, seconds: 0 });
		expect(order).toHaveLength(14);
	});

	it('takes up to eight times as long while a figure is unclear', async () => {
		const lengthFor = async (values: number[]) =>
			(await play(values, { least: 6, seconds: 20 }, { value: 'update CPU' })).order.length;
		expect(await lengthFor([0.6, 1.45, 1.55, 2.4])).toBe(2 + 160);
		expect(await lengthFor([0.8, 1])).toBe(2 + 20);
		expect(await lengthFor([1.6, 1.8])).toBe(2 + 20);
	});
});
