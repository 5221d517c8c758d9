import { describe, expect, it } from 'vitest';

import { shareOf } from '../seed.mts';
import * as services from './services.mts';
import type { RetryAfter, Rule } from './services.mts';
import type { Case, Result } from './simulation.mts';
import { isLate, lost, names, PAUSES, refusedMore, simulateAll } from './simulation.mts';

// The gate with its pace and slots, in front of services with all kinds of steady limits; paceChanges.test.mts has the
// others

const LIMITS: Record<string, (perSecond: number) => Rule> = {
	'fixed windows': (perSecond) => services.fixedWindow(perSecond),
	'sliding window': (perSecond) => services.slidingWindow(perSecond),
	'bucket of a second': (perSecond) => services.tokenBucket(perSecond, perSecond),
	'bucket of 10': (perSecond) => services.tokenBucket(perSecond, 10),
	'bucket of 3 seconds': (perSecond) => services.tokenBucket(perSecond, 3 * perSecond),
};
const LATENCIES = [10, 50, 500];

function steady(
	perSecond: number[],
	items: number,
	{ pauses = PAUSES, latencies = LATENCIES } = {},
): Case[] {
	return Object.entries(LIMITS).flatMap(([name, rule]) =>
		perSecond.flatMap((limit) =>
			latencies.flatMap((latency) =>
				pauses.map((retryAfter) => ({
					service: `${name}, ${limit}/s, ${latency} ms, Retry-After ${retryAfter}`,
					make: () => ({ rule: rule(limit), latency, retryAfter }),
					items,
				})),
			),
		),
	);
}

/** The cases that miss 1.15. */
const LATE = [
	'fixed windows, 20/s, 500 ms, Retry-After 1000, 1000 items',
	'fixed windows, 100/s, 50 ms, Retry-After missing, 1000 items',
	'sliding window, 20/s, 500 ms, Retry-After 1000, 1000 items',
	'sliding window, 100/s, 50 ms, Retry-After missing, 1000 items',
	'bucket of 10, 20/s, 50 ms, Retry-After 1000, 1000 items',
	'fixed windows, 100/s, 50 ms, Retry-After missing, 3000 items',
	'sliding window, 100/s, 50 ms, Retry-After missing, 3000 items',
];

/** Two bursts of different sizes look like one limit here. */
const VERY_LATE = ['sliding window, 100/s, 50 ms, Retry-After missing, 1000 items'];

/** Where a little more than 5 % are refused. */
const MORE_REFUSED = [
	'fixed windows, 100/s, 50 ms, Retry-After missing, 1000 items',
	'bucket of 3 seconds, 5/s, 500 ms, Retry-After exact, 1000 items',
	'bucket of 3 seconds, 5/s, 500 ms, Retry-After missing, 1000 items',
];

const endingIn = (items: number, list: string[]) =>
	list.filter((name) => name.endsWith(` ${items} items`));

describe('a steady limit', () => {
	it.each([
		{ items: 1000, latencies: LATENCIES },
		{ items: 3000, latencies: [50] },
	])(
		'of 5 a second or more, $items items: 1.15 of the ideal time, one in 20 refused, none lost',
		async ({ items, latencies }) => {
			const results = await simulateAll(steady([5, 20, 100], items, { latencies }));
			expect(lost(results)).toEqual([]);
			expect(refusedMore(results, 0.05)).toEqual(endingIn(items, MORE_REFUSED));
			expect(refusedMore(results, 0.065)).toEqual([]);
			expect(names(results.filter(isLate(1.15)))).toEqual(endingIn(items, LATE));
			expect(names(results.filter(isLate(1.3)))).toEqual(endingIn(items, VERY_LATE));
			expect(names(results.filter(isLate(1.8)))).toEqual([]);
		},
	);

	it('of 5 a second or more, 100 and 500 items: at most 5 % and 25 more refused, while the limit is found; none lost', async () => {
		const cases = [100, 500].flatMap((items) => steady([5, 20, 100], items));
		const results = await simulateAll(shareOf(cases, 0, 2));
		expect(lost(results)).toEqual([]);
		const most = (result: Result) => 0.05 * result.requests + 25;
		expect(
			names(results.filter((result) => result.refused * result.requests > most(result))),
		).toEqual([]);
	});

	it('of 20 a second, whenever its seconds begin: 1.25 of the ideal time, one in 20 refused, none lost', async () => {
		const phases = Array.from({ length: 20 }, (_, index) => 50 * index);
		const cases = phases.flatMap((phase) =>
			[5, 15, 50].map((latency) => ({
				service: `fixed windows ahead by ${phase} ms, ${latency} ms`,
				make: () => ({
					rule: services.ahead(services.fixedWindow(20), phase),
					latency,
					retryAfter: 1000,
					jitter: 0.5,
				}),
				items: 500,
				seed: phase,
			})),
		);
		const results = await simulateAll(cases);
		expect(lost(results)).toEqual([]);
		expect(refusedMore(results, 0.05)).toEqual([]);
		expect(names(results.filter(({ ratio }) => ratio > 1.25))).toEqual([]);
	});

	it('of 1 a second: at most 20 % refused, none lost', async () => {
		const results = await simulateAll(steady([1], 500));
		expect(lost(results)).toEqual([]);
		expect(refusedMore(results, 0.2)).toEqual([]);
		expect(names(results.filter(isLate(1.25)))).toEqual([]);
	});

	it('loses nothing whatever Retry-After says', async () => {
		const pauses: RetryAfter[] = [0, 1000, 30_000, 'missing', 'exact'];
		const cases = [40, 100].flatMap((items) => steady([1, 2, 5, 20, 100], items, { pauses }));
		expect(lost(await simulateAll(shareOf(cases, 0, 2)))).toEqual([]);
	});
});
