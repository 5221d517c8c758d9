import { describe, expect, it } from 'vitest';

import { itemAt } from '../defined.mts';
import { gate } from './built.mts';
import { VirtualClock } from './virtualClock.mts';

/** Of each request, in milliseconds */
const TIMEOUT = 30_000;

/** A gate that records when requests start, in milliseconds from the beginning. */
function openGate(most = 5) {
	const clock = new VirtualClock();
	const began = clock.now();
	const door = new gate.Gate(most, clock);
	const time = () => clock.now() - began;
	/** Asks for one request and resolves to the time at which it started. */
	const ask = async (duration = 0, signal?: AbortSignal, refusals = 0) =>
		await door.pass(
			async () => {
				const start = time();
				if (duration > 0) await clock.wait(duration);
				return start;
			},
			{ signal, refusals },
		);
	/** Asks for this many requests at the same time. */
	const starts = async (count: number, duration = 0) =>
		await Promise.all(Array.from({ length: count }, async () => await ask(duration)));
	const refuse = (pause: number, startedAt = time()) => door.refused(pause, began + startedAt);
	const take = (count: number, startedAt = time()) => {
		for (let n = 0; n < count; n++) door.accepted(began + startedAt, TIMEOUT);
	};
	return { clock, door, time, ask, starts, refuse, take };
}

describe('a limited number at a time', () => {
	it('the others wait for their turn', async () => {
		const { starts } = openGate(2);
		expect(await starts(5, 100)).toEqual([0, 0, 100, 100, 200]);
		expect(await starts(3, 100)).toEqual([300, 300, 400]);
	});

	it.each([
		[20, 5],
		[5, 5],
		[3, 3],
		[1, 1],
	])('at most %s: starts with %s', async (most, expected) => {
		const { starts } = openGate(most);
		const began = await starts(30, 100);
		expect(began.filter((start) => start === 0)).toHaveLength(expected);
	});

	it.each([
		[20, [5, 10, 20, 20, 20]],
		[12, [5, 10, 12, 12, 12]],
	])('at most %s: one more for each answer', async (most, expected) => {
		const { clock, door, time } = openGate(most);
		const rounds = new Array<number>(expected.length).fill(0);
		const ask = async () =>
			await door.pass(async () => {
				const startedAt = clock.now();
				const round = Math.round(time() / 50);
				if (round < rounds.length) rounds[round] = itemAt(rounds, round) + 1;
				await clock.wait(50);
				door.accepted(startedAt, TIMEOUT);
			});
		await Promise.all(Array.from({ length: 150 }, ask));
		expect(rounds).toEqual(expected);
	});

	it('a request that fails makes room, and its error comes out', async () => {
		const { door, starts } = openGate(1);
		const failing = door.pass(async () => await Promise.reject(new Error('odd')));
		const next = starts(1);
		await expect(failing).rejects.toThrow('odd');
		expect(await next).toEqual([0]);
	});

	it('a wait that is cancelled makes room too', async () => {
		const clock = new VirtualClock();
		let isCancelled = true;
		const door = new gate.Gate(1, {
			now: () => clock.now(),
			wait: async (milliseconds) => {
				if (isCancelled) throw new Error('cancelled');
				await clock.wait(milliseconds);
			},
		});
		door.refused(1000, clock.now());
		const both = [1, 2].map(async (n) => await door.pass(async () => await Promise.resolve(n)));
		const ends = await Promise.allSettled(both);
		expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
		isCancelled = false;
		expect(await door.pass(async () => await Promise.resolve(3))).toBe(3);
	});
});

describe('a pause', () => {
	it('applies to all requests', async () => {
		const { starts, refuse } = openGate();
		refuse(1000);
		expect(Math.min(...(await starts(3)))).toBe(1000);
	});

	it('can be extended by a later refusal, but not shortened', async () => {
		const { starts, refuse } = openGate();
		refuse(5000);
		refuse(1000, -1);
		expect(await starts(1)).toEqual([5000]);
		refuse(2000, -1);
		expect(await starts(1)).toEqual([7000]);
	});

	it('that begins while others wait for a pause holds them back too', async () => {
		const { clock, ask, refuse } = openGate();
		refuse(1000);
		const waiting = ask();
		await clock.wait(500);
		refuse(3000, 0);
		expect(await waiting).toBe(3500);
	});

	it('grows by a third of the time while the service takes nothing', async () => {
		const { ask, refuse } = openGate();
		for (let n = 0; n < 20; n++) {
			const start = await ask();
			refuse(500);
			expect((await ask()) - start).toBeGreaterThanOrEqual(Math.max(500, start / 3) - 1e-6);
		}
	});
});

describe('a signal', () => {
	const REASON = new Error('enough');

	it('that has fired lets nothing through', async () => {
		const { ask } = openGate();
		await expect(ask(0, AbortSignal.abort(REASON))).rejects.toBe(REASON);
	});

	it.each(['a slot', 'a pause', 'the pace', 'its turn'])(
		'ends waiting for %s at once',
		async (what) => {
			const { clock, time, ask, starts, refuse, take } = openGate(1);
			const controller = new AbortController();
			let under: Promise<unknown> = Promise.resolve();
			if (what === 'a slot') under = starts(1, 60_000);
			else if (what === 'the pace') {
				await starts(1);
				take(1);
				refuse(60_000);
				await starts(1);
			} else refuse(60_000);
			const before = what === 'its turn' ? ask() : undefined;
			const from = time();
			const waiting = ask(0, controller.signal);
			const end = waiting.catch((error: unknown) => ({ error, at: time() }));
			const after = ask();
			await clock.wait(10);
			controller.abort(REASON);
			expect(await end).toEqual({ error: REASON, at: from + 10 });
			await Promise.all([under, before]);
			expect(await after).toBeGreaterThan(from + 10);
			expect(await starts(1)).toHaveLength(1);
		},
	);

	it('ends exactly the waits that it is for, with one listener', async () => {
		const { clock, time, ask } = openGate(1);
		const under = ask(1000);
		const controller = new AbortController();
		let listeners = 0;
		const { signal } = controller;
		const add = signal.addEventListener.bind(signal);
		signal.addEventListener = (...given: Parameters<typeof add>) => {
			listeners++;
			add(...given);
		};
		const all = Array.from({ length: 20 }, async () => await ask(0, signal).catch(() => time()));
		const other = ask();
		await clock.wait(10);
		controller.abort(REASON);
		expect(await Promise.all(all)).toEqual(new Array(20).fill(10));
		expect(listeners).toBe(1);
		await under;
		expect(await other).toBe(1000);
	});

	it('does not touch a request that has started', async () => {
		const { clock, ask, starts } = openGate(1);
		const controller = new AbortController();
		const request = ask(1000, controller.signal);
		await clock.wait(10);
		controller.abort(REASON);
		expect(await request).toBe(0);
		expect(await starts(1)).toEqual([1000]);
	});
});

describe('the order', () => {
	const orderAfter = async (refusals: number) => {
		const { ask, refuse } = openGate(1);
		for (let count = 1; count < refusals; count++) {
			refuse(1000);
			await ask();
		}
		refuse(1000);
		const order: string[] = [];
		const go = async (name: string, before: number) => {
			await ask(10, undefined, before);
			order.push(name);
		};
		await Promise.all([go('a', 2), go('b', 0), go('c', 1), go('d', 2), go('e', 0)]);
		return order.join('');
	};

	it('is first come, first served, but after a request that was refused once, and before one refused more often', async () => {
		expect(await orderAfter(1)).toBe('cbead');
	});

	it('is by the number of refusals while the service takes nothing', async () => {
		expect(await orderAfter(2)).toBe('becad');
	});
});
