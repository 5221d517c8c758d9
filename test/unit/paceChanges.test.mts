import { describe, expect, it } from 'vitest';

import { amount, IS_THOROUGH } from '../seed.mts';
import { client, gate } from './built.mts';
import * as services from './services.mts';
import type { Service } from './services.mts';
import type { Case, Result } from './simulation.mts';
import { isLate, lost, names, PAUSES, refusedMore, simulate, simulateAll } from './simulation.mts';
import { VirtualClock } from './virtualClock.mts';

/** Of each request, in milliseconds */
const TIMEOUT = 30_000;

// The gate with its pace and slots, in front of services whose limits change, are hard to find, or are none per second

/** Numbers of items; the longest runs are a repetition of the others and take the most time. */
const ITEMS = IS_THOROUGH ? [500, 1000, 3000] : [500, 1000];

describe('a limit that is hard to find', () => {
	const seeds = Array.from({ length: amount(16, 40) }, (_, index) => index + 1);
	const runs = async (items: number, make: () => Service) =>
		await simulateAll(seeds.map((seed) => ({ service: `seed ${seed}`, make, items, seed })));

	it.each([
		[20, 20],
		[20, 50],
		[40, 50],
	])(
		'of %i a second in a sliding window without Retry-After, latency %i ms: seven of eight within 1.3 of the ideal time',
		async (limit, latency) => {
			const results = await runs(10 * limit, () => ({
				rule: services.slidingWindow(limit),
				latency,
				retryAfter: 'missing',
			}));
			expect(lost(results)).toEqual([]);
			const late = results.filter(isLate(1.3));
			expect(late.length).toBeLessThanOrEqual(seeds.length / 8);
			expect(names(late.filter(isLate(2.5)))).toEqual([]);
		},
	);

	it.each([
		[50, 200],
		[300, 50],
	])(
		'of 15 in any five seconds without Retry-After, %i items, %i ms: none lost, 1.3 of the ideal time',
		async (items, latency) => {
			const results = await runs(items, () => ({
				rule: services.slidingWindow(15, 5000),
				latency,
				retryAfter: 'missing',
			}));
			expect(lost(results)).toEqual([]);
			expect(names(results.filter(isLate(1.3)))).toEqual([]);
		},
	);

	it.each([
		[30, 600],
		[20, 200],
	])('of %i a second that drops to 1, latency %i ms: none lost', async (limit, latency) => {
		const results = await runs(60, () => ({
			rule: services.changing(services.slidingWindow(limit), 2000, services.slidingWindow(1)),
			latency,
			retryAfter: 1000,
		}));
		expect(lost(results)).toEqual([]);
	});

	it('of 1 a second that is lifted: the next 1,000 items take at most 80 s', async () => {
		const results = await runs(1040, () => ({
			rule: services.changing(services.slidingWindow(1), 40_000, services.noLimit()),
			latency: 50,
			retryAfter: 1000,
		}));
		expect(names(results.filter(({ seconds }) => seconds > 120))).toEqual([]);
	});

	it('of 5 a second that is lifted for a minute: none lost, one in 20 refused', async () => {
		const results = await runs(2400, () => ({
			rule: services.changing(
				services.changing(services.slidingWindow(5), 10_000, services.noLimit()),
				70_000,
				services.slidingWindow(5),
			),
			latency: 500,
			retryAfter: 1000,
		}));
		expect(lost(results)).toEqual([]);
		expect(refusedMore(results, 0.05)).toEqual([]);
	});

	it('of 10 a second without bursts: three times the ideal time for 100 items', async () => {
		const results = await runs(100, () => ({
			rule: services.tokenBucket(10, 1),
			latency: 50,
			retryAfter: 1000,
		}));
		expect(lost(results)).toEqual([]);
		expect(names(results.filter(isLate(3)))).toEqual([]);
	});
});

describe('a disturbance that ends', () => {
	const cases = (items: number, from: number[]): Case[] =>
		from.flatMap((start) =>
			[2000, 10_000, 30_000].flatMap((length) =>
				PAUSES.flatMap((retryAfter) =>
					[services.noLimit, () => services.fixedWindow(20)].map((rule) => ({
						service: `refuses all from ${start} for ${length} ms, ${rule === services.noLimit ? 'no limit' : '20/s'}, Retry-After ${retryAfter}`,
						make: () => ({
							rule: services.disturbed(rule(), start, start + length),
							latency: 50,
							retryAfter,
						}),
						items,
					})),
				),
			),
		);

	it.each(ITEMS)('%s items: at most 1.6 of the ideal time, none lost', async (items) => {
		const results = await simulateAll(cases(items, [1000, 3000]));
		expect(lost(results)).toEqual([]);
		expect(names(results.filter(({ ratio }) => ratio > 1.6))).toEqual([]);
	});

	it.each([1, 4, 40])(
		'a service that can no longer be reached after a refusal delays errors by 25 pauses at most, %s taken before',
		async (requests) => {
			const secondsUntilEnd = async (isRefused: boolean, retryAfter: services.RetryAfter) => {
				let count = 0;
				const rule = services.failing(() => ++count > requests && isRefused);
				const make = () => ({ rule, latency: 50, retryAfter, breaksAfter: requests + 1 });
				const { seconds } = await simulate({ service: '', make, items: 200 });
				return seconds;
			};
			for (const retryAfter of ['missing', 1000, 30_000] as const) {
				const pause = typeof retryAfter === 'number' ? retryAfter / 1000 : 1;
				const most = 1.1 * (await secondsUntilEnd(false, retryAfter)) + 25 * pause;
				expect(await secondsUntilEnd(true, retryAfter)).toBeLessThan(most);
			}
		},
	);

	it('while a service with a known limit refuses everything for two or eight minutes, no item is lost', async () => {
		const outages = [500, 1000].flatMap((latency) =>
			[120, 480].flatMap((seconds) =>
				PAUSES.map((retryAfter) => ({
					service: `latency ${latency} ms, refuses all for ${seconds} s, Retry-After ${retryAfter}`,
					make: () => ({
						rule: services.disturbed(services.fixedWindow(20), 40_000, 40_000 + seconds * 1000),
						latency,
						retryAfter,
					}),
					items: 1000,
				})),
			),
		);
		expect(lost(await simulateAll(outages))).toEqual([]);
	});

	it.each([0.05, 0.2])(
		'a lost connection says nothing about the rate: no more are refused if %s of the requests are lost',
		async (lossy) => {
			const cases = [1, 5, 20].flatMap((perSecond) =>
				PAUSES.map((retryAfter) => ({
					service: `${perSecond}/s, Retry-After ${retryAfter}`,
					make: () => ({ rule: services.fixedWindow(perSecond), latency: 50, retryAfter, lossy }),
					items: 300,
				})),
			);
			const results = await simulateAll(cases);
			expect(refusedMore(results, 0.07)).toEqual([]);
			// One item in 3,000 loses five of five connections at 0.2, and some are refused as well
			const lostInAll = results.reduce((sum, result) => sum + result.lost, 0);
			expect(lostInAll).toBeLessThanOrEqual(5);
		},
	);

	it.each(['HRAR', 'RHHAR', 'AARHHAR', 'HHRAR'])(
		'the time of requests without an answer is not lost again for the others: %s',
		async (script) => {
			const clock = new VirtualClock();
			const began = clock.now();
			const steps = [...script];
			const send = async () => {
				const step = steps.shift();
				if (step === 'H') {
					await clock.wait(300_000);
					throw Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' });
				}
				await clock.wait(50);
				return step === 'R'
					? { statusCode: 429, headers: { 'retry-after': '1' }, body: {} }
					: { statusCode: 200, headers: {}, body: {} };
			};
			const sender = new client.ServiceClient({ gate: new gate.Gate(1, clock), clock, send });
			const doItem = async () => await sender.request({ method: 'GET', path: '/v1/x' });
			await Promise.all(Array.from({ length: 8 }, doItem));
			const hanging = 300 * [...script].filter((step) => step === 'H').length;
			expect((clock.now() - began) / 1000).toBeLessThan(hanging + 30);
		},
	);

	it.each([8, 30, 60, 300])(
		'connections refused for %s s, before a limit is found: it is found as soon as without',
		async (outage) => {
			for (let seed = 1; seed <= amount(5, 40); seed++) {
				const secondsFor = async (isDownUntil: number) => {
					const rule = services.fixedWindow(5);
					const make = () => ({ rule, latency: 50, retryAfter: 1000, isDownUntil });
					return (await simulate({ service: '', make, items: 100, seed, maxRetries: 20 })).seconds;
				};
				// When the outage ends, the next attempt may be up to 30 s away
				expect(await secondsFor(1000 * outage)).toBeLessThan(outage + 30 + (await secondsFor(0)));
			}
		},
	);

	it.each([0, 3])(
		'a service that works for %s s, then refuses, then never answers: five time-outs at once',
		async (seconds) => {
			const from = 1000 * seconds;
			const make = () => ({
				rule: services.disturbed(services.noLimit(), from, from + 10_000),
				latency: 400,
				retryAfter: 1000,
				isSilentFrom: from + 10_000,
			});
			const result = await simulate({ service: '', make, items: 500, method: 'POST' });
			// The first 20 time-outs come one after the other
			expect(result.seconds).toBeLessThan(30 * (20 + result.lost / 5) + 60);
		},
	);

	it.each([1, 7])(
		'%s refusals and ten minutes without an answer are not ten minutes of refusals',
		async (refusals) => {
			const clock = new VirtualClock();
			let count = 0;
			const door = new gate.Gate(20, clock);
			const began = clock.now();
			const send = async () => {
				const time = clock.now() - began;
				const isRefused = count++ < refusals || (time > 600_000 && time < 601_000);
				await clock.wait(isRefused ? 25 : 50);
				if (isRefused) return { statusCode: 429, headers: {}, body: {} };
				if (time > 600_000) return { statusCode: 200, headers: {}, body: {} };
				await clock.wait(30_000);
				throw Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' });
			};
			const sender = new client.ServiceClient({ gate: door, clock, send });
			const doItem = async () =>
				await sender.request({ method: 'GET', path: '/v1/x', maxRetries: 40 }).then(
					() => true,
					() => false,
				);
			const done = await Promise.all(Array.from({ length: 20 }, doItem));
			expect(done).toEqual(done.map(() => true));
		},
	);

	it.each([[20], [1000]])(
		'a service that takes nothing is given up after ten minutes, with %i items',
		async (items) => {
			for (const retryAfter of ['missing', 1000] as const) {
				const clock = new VirtualClock();
				const service = { rule: services.failing(() => true), latency: 50, retryAfter };
				const report = await services.run(clock, new gate.Gate(20, clock), service, items);
				expect(report.lost).toBe(items);
				expect(report.milliseconds).toBeGreaterThan(600_000);
				expect(report.milliseconds).toBeLessThan(900_000);
				expect(report.requests).toBeLessThan(60);
			}
		},
	);

	it('a service that takes nothing for eight minutes costs no item', async () => {
		const results = await simulateAll(
			PAUSES.map((retryAfter) => ({
				service: `refuses all for 8 minutes, Retry-After ${retryAfter}`,
				make: () => ({
					rule: services.disturbed(services.noLimit(), 1000, 480_000),
					latency: 50,
					retryAfter,
				}),
				items: 1000,
			})),
		);
		expect(lost(results)).toEqual([]);
	});

	it('two refusals with one request in between do not slow a run down', async () => {
		const result = await simulate({
			service: 'refuses twice',
			make: () => ({
				rule: services.disturbed(services.disturbed(services.noLimit(), 0, 10), 1010, 1100),
				latency: 50,
				retryAfter: 1000,
			}),
			items: 1000,
		});
		expect(result.lost).toBe(0);
		expect(result.seconds).toBeLessThan(result.ideal * 1.5 + 2);
	});

	it.each(ITEMS)('a key shared with another run for a while, %s items', async (items) => {
		const results = await simulateAll(
			[5, 20, 100].flatMap((limit) =>
				[5000, 20_000].flatMap((until) =>
					PAUSES.map((retryAfter) => ({
						service: `${limit}/s, half until ${until} ms, Retry-After ${retryAfter}`,
						make: () => ({
							rule: services.changing(
								services.fixedWindow(Math.ceil(limit / 2)),
								until,
								services.fixedWindow(limit),
							),
							latency: 50,
							retryAfter,
						}),
						items,
					})),
				),
			),
		);
		expect(lost(results)).toEqual([]);
		expect(names(results.filter(({ ratio }) => ratio > 1.6))).toEqual([]);
	});
});

describe('refusals that have nothing to do with the rate', () => {
	/** Whoever does not slow down loses only the pauses. */
	const pausesOf = (result: Result) => result.refused * result.requests;

	it.each([20, 15, 10, 5, 2])(
		'one of %i: the run takes at most four times its pauses',
		async (one) => {
			let count = 0;
			const rule = services.failing(() => ++count % one === 0);
			const make = () => ({ rule, latency: 50, retryAfter: 1000 });
			const result = await simulate({ service: '', make, items: 500 });
			expect(result.lost).toBe(0);
			expect(result.seconds).toBeLessThan(4 * pausesOf(result) + 5);
		},
	);

	it.each([0.02, 0.1, 0.2])(
		'each with a probability of %d: at most seven times its pauses',
		async (probability) => {
			for (let seed = 1; seed <= amount(5, 40); seed++) {
				const random = services.randomNumbers(1000 * seed);
				const rule = services.failing(() => random() < probability);
				const make = () => ({ rule, latency: 50, retryAfter: 1000 });
				const result = await simulate({ service: '', make, items: 1000, seed });
				expect(result.seconds).toBeLessThan(7 * pausesOf(result) + 60);
			}
		},
	);

	it('that end: the node speeds up again', async () => {
		let count = 0;
		const rule = services.failing(() => ++count < 120 && count % 5 === 0);
		const make = () => ({ rule, latency: 50, retryAfter: 1000 });
		const result = await simulate({ service: '', make, items: 3000 });
		expect(result.lost).toBe(0);
		expect(result.seconds).toBeLessThan(300);
	});
});

describe('how many at a time', () => {
	/** Sends this many requests, at most 20 at a time; with a latency of the time-out, there is no answer. */
	const timeFor = async (count: number, latencyOf: (index: number) => number) => {
		const clock = new VirtualClock();
		const door = new gate.Gate(20, clock);
		const began = clock.now();
		const ask = async (latency: number) =>
			await door.pass(async () => {
				const startedAt = clock.now();
				await clock.wait(latency);
				if (latency < TIMEOUT) door.accepted(startedAt, TIMEOUT);
				else door.unanswered(startedAt, TIMEOUT);
			});
		let next = 0;
		const worker = async () => {
			while (next < count) await ask(latencyOf(next++));
		};
		await Promise.all(Array.from({ length: 20 }, worker));
		return clock.now() - began;
	};

	const noLimit = (latency: number) => ({
		rule: services.noLimit(),
		latency,
		retryAfter: 0,
		jitter: 0,
	});

	it('1,000 updates of 50 ms without a limit: at least 12 times faster than one at a time', async () => {
		const { seconds } = await simulate({ service: '', make: () => noLimit(50), items: 1000 });
		expect((1000 * 0.05) / seconds).toBeGreaterThan(12);
	});

	it('100 pages of 50 ms: at least 10 times faster than one at a time, with the first one alone', async () => {
		const { seconds } = await simulate({ service: '', make: () => noLimit(50), items: 99 });
		expect((100 * 0.05) / (seconds + 0.05)).toBeGreaterThan(10);
	});

	const atATime = (most: number, items: number): Case[] =>
		[50, 500].flatMap((latency) =>
			PAUSES.flatMap((retryAfter) =>
				[0, 0.1].map((jitter) => ({
					service: `${most} at a time, ${latency} ms ± ${jitter}, Retry-After ${retryAfter}`,
					make: () => ({ rule: services.atATime(most), latency, retryAfter, jitter, network: 0.1 }),
					items,
				})),
			),
		);

	it('a service that takes 5 at a time: at most 5 % refused, 1.1 of the ideal time after it is found', async () => {
		const results = await simulateAll([...atATime(5, 1000), ...atATime(5, 3000)]);
		expect(lost(results)).toEqual([]);
		expect(refusedMore(results, 0.05)).toEqual([]);
		expect(names(results.filter(isLate(1.1)))).toEqual([]);
	});

	it('a service that takes 2, 8 or 15 at a time: at most 5 % refused, none lost', async () => {
		const results = await simulateAll([2, 8, 15].flatMap((most) => atATime(most, 1000)));
		expect(lost(results)).toEqual([]);
		expect(refusedMore(results, 0.05)).toEqual([]);
	});

	it.each([10, 50, 500])(
		'a service that queues, 8 workers of %s ms: all of them busy, latency at most doubled, nothing refused',
		async (latency) => {
			const result = await simulate({
				service: '',
				make: () => ({
					rule: services.noLimit(),
					latency,
					retryAfter: 1000,
					workers: 8,
					queue: 12,
					network: 0.1,
				}),
				items: 1000,
			});
			expect(result.refused).toBe(0);
			expect(result.latency).toBeLessThan(2 * latency);
			expect(result.ratio).toBeLessThan(1.05);
		},
	);

	it.each([0.5, 0.9])('a latency that varies by %s does not slow a run down', async (jitter) => {
		const make = () => ({ ...noLimit(50), jitter });
		const { ratio } = await simulate({ service: '', make, items: 1000 });
		expect(ratio).toBeLessThan(1.3);
	});

	it.each([
		[2, 5],
		[2, 7],
		[1, 4],
		[4, 12],
		[8, 25],
	])(
		'a service so slow that 20 at a time would take longer than the time-out, %s workers of %s s: few time-outs',
		async (workers, seconds) => {
			for (let seed = 1; seed <= amount(3, 40); seed++) {
				const timeOuts = async (method: 'PATCH' | 'POST') => {
					const make = () => ({
						rule: services.noLimit(),
						latency: 1000 * seconds,
						retryAfter: 1000,
						jitter: 0.2,
						network: 0,
						workers,
					});
					return (await simulate({ service: '', make, items: 200, method, seed })).lost;
				};
				expect(await timeOuts('PATCH')).toBe(0);
				expect(await timeOuts('POST')).toBeLessThanOrEqual(6);
			}
		},
	);

	it('a single quick or slow answer does not slow the others down, nor do lists among updates', async () => {
		const latencyOf = (index: number) =>
			index === 7 ? 1 : index === 300 ? 5000 : index % 3 === 0 ? 120 : 40;
		// Sending 20 at a time takes 3.3 s
		expect(await timeFor(1000, latencyOf)).toBeLessThan(6500);
	});

	it('nor does a single request that hangs', async () => {
		const hangs = (index: number) => index === 50 || index === 3000;
		// Sending 20 at a time takes 50 s
		expect(await timeFor(10_000, (index) => (hangs(index) ? TIMEOUT : 100))).toBeLessThan(60_000);
	});
});

describe('docs/pace.md', () => {
	it('shows the simulated figures', async () => {
		const { page } = await import('./paceDocument.mts');
		await expect(await page()).toMatchFileSnapshot('../../docs/pace.md');
	});
});
