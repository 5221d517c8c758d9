import { getEventListeners } from 'node:events';

import { describe, expect, it, vi } from 'vitest';

import { itemAt } from '../defined.mts';
import * as gate from '../../nodes/shared/request/gate.ts';
import * as reach from '../../nodes/shared/request/reach.ts';
import * as slots from '../../nodes/shared/request/slots.ts';
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
	const abortable = () => {
		const controller = new AbortController();
		return { signal: controller.signal, abort: () => controller.abort(REASON) };
	};

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

	it('ends exactly the waits that it is for', async () => {
		const { clock, time, ask } = openGate(1);
		const under = ask(1000);
		const { signal, abort } = abortable();
		const all = Array.from({ length: 20 }, async () => await ask(0, signal).catch(() => time()));
		const other = ask();
		await clock.wait(10);
		abort();
		expect(await Promise.all(all)).toEqual(new Array(20).fill(10));
		await under;
		expect(await other).toBe(1000);
	});

	it('has no listener, nor has one made of it, when nobody waits with it any more', async () => {
		const { ask, refuse, door } = openGate(1);
		const { signal } = abortable();
		const made = [signal];
		const any = AbortSignal.any.bind(AbortSignal);
		vi.spyOn(AbortSignal, 'any').mockImplementation((signals) => {
			const one = any(signals);
			made.push(one);
			return one;
		});
		refuse(1000);
		const waits = [ask(10, signal), ask(10, signal), ask(0, signal), door.rest(9000, signal)];
		await Promise.all(waits);
		vi.restoreAllMocks();
		const listened = made.filter((one) => getEventListeners(one, 'abort').length > 0);
		expect(listened).toEqual([]);
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

describe('how many run at once', () => {
	const openSlots = (most = 100) => {
		const all = new slots.Slots(most);
		/** An answer (or none) after this time, for a request that started at `at` */
		const end = (took: number, isAnswered = true, at = 0) =>
			all.ended(isAnswered, at, at + took, TIMEOUT);
		const grow = (count: number) => {
			for (let n = 0; n < count; n++) end(100);
			return all.open;
		};
		return { all, end, grow };
	};

	it('grows with each answer that is not late, up to the most', () => {
		const { all, end, grow } = openSlots(12);
		expect(grow(3)).toBe(8);
		end(100, false);
		expect(all.open).toBe(8);
		expect(grow(20)).toBe(12);
	});

	it('after a refusal, is one less than ran, at least five, and grows by one a round', () => {
		const { all, grow } = openSlots();
		grow(15);
		all.refused(50);
		expect(all.open).toBe(20);
		all.refused(10);
		expect(all.open).toBe(9);
		expect([grow(8), grow(2)]).toEqual([9, 10]);
		all.refused(1);
		expect(all.open).toBe(5);
	});

	it('is half as many after an answer that took half of its time, or none, once for those under way', () => {
		const { all, end, grow } = openSlots();
		grow(35);
		end(TIMEOUT / 2);
		expect(all.open).toBe(41);
		end(TIMEOUT / 2 + 1, false);
		expect(all.open).toBe(20);
		end(TIMEOUT, true, 10);
		end(TIMEOUT, true, TIMEOUT / 2 + 1);
		expect(all.open).toBe(20);
		end(TIMEOUT, true, TIMEOUT);
		expect(all.open).toBe(10);
		expect(grow(7)).toBe(10);
	});
});

describe('a service', () => {
	const MINUTE = 60_000;

	it('refuses for good after the third refusal in a row, and more than ten minutes of them', () => {
		const known = new reach.Reach();
		const refuse = (at: number) => known.refused(at, at + 10);
		expect([refuse(1), refuse(100)]).toEqual([true, true]);
		expect(known.isRefusing).toBe(false);
		// It started before the last refusal
		expect(refuse(50)).toBe(false);
		expect(known.refusals).toBe(2);
		expect(refuse(200)).toBe(true);
		expect(known.isRefusing).toBe(true);
		expect(known.refusingFor(1000)).toBe(989);
		expect(known.isHopeless(11 + 10 * MINUTE)).toBe(false);
		expect(known.isHopeless(12 + 10 * MINUTE)).toBe(true);
	});

	it('accepts again with a request that started after the refusals began', () => {
		const known = new reach.Reach();
		for (const at of [1, 100, 200]) known.refused(at, at + 10);
		expect(known.hasAccepted).toBe(false);
		known.accepted(11);
		expect([known.hasAccepted, known.refusals]).toEqual([true, 3]);
		known.accepted(12);
		expect([known.refusals, known.isHopeless(20 * MINUTE)]).toEqual([0, false]);
		known.refused(1000, 1010);
		expect(known.refusingFor(1020)).toBe(10);
	});

	it('is out of reach after 20 requests without an answer, in half a minute at least', () => {
		const known = new reach.Reach();
		const lose = (count: number) => {
			for (let n = 0; n < count; n++) known.unanswered(100, 110);
		};
		lose(19);
		expect(known.isOutOfReach(110 + MINUTE / 2)).toBe(false);
		lose(1);
		expect(known.isOutOfReach(109 + MINUTE / 2)).toBe(false);
		expect(known.isOutOfReach(110 + MINUTE / 2)).toBe(true);
		known.accepted(200);
		lose(19);
		expect(known.isOutOfReach(10 * MINUTE)).toBe(false);
		known.refused(300, 310);
		lose(30);
		expect(known.isOutOfReach(10 * MINUTE)).toBe(false);
	});

	it('does not count as refusing while it does not answer', () => {
		const known = new reach.Reach();
		for (const at of [1, 100, 200]) known.refused(at, at + 10);
		// It started before the last refusal
		known.unanswered(210, 260);
		expect(known.refusingFor(1011)).toBe(1000);
		known.unanswered(300, 700);
		expect(known.refusingFor(1011)).toBe(600);
		known.unanswered(701, 1101);
		known.unanswered(1102, 1800);
		expect(known.refusingFor(1800)).toBe(1800 - 11 - 400 - 400 - 698);
		known.unanswered(300, 1900);
		expect(known.refusingFor(1900)).toBe(0);
		expect(known.refusals).toBe(3);
		for (let n = 0; n < 16; n++) known.unanswered(2000, 2100);
		expect(known.refusals).toBe(0);
	});
});

describe('lists that are read at the same time', () => {
	it('share what may run, take turns, and leave their share when they end', async () => {
		const { clock, door } = openGate(4);
		const order: string[] = [];
		const read = async (name: string, count: number) =>
			await door.share(async (share) => {
				const ask = async () =>
					await door.pass(
						async () => {
							order.push(name);
							await clock.wait(100);
						},
						{ refusals: 0, share },
					);
				await Promise.all(Array.from({ length: count }, ask));
			});
		await Promise.all([read('a', 6), read('b', 2)]);
		expect(order.join('')).toBe('aaaabbaa');
		order.length = 0;
		await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(async (name) => await read(name, 2)));
		// At least one each, although four at most may run in all
		expect(order.join('')).toBe('aabbcdefcdef');
	});
});

describe('once nothing will be sent any more', () => {
	it('nothing waits: neither for a pause nor for the next try', async () => {
		const { door, time, ask, refuse } = openGate(1);
		refuse(60_000);
		const waiting = [ask(), ask(), door.rest(60_000).then(time)];
		door.release();
		expect(await Promise.all(waiting)).toEqual([0, 0, 0]);
		expect(await door.rest(60_000).then(time)).toBe(0);
	});

	it('a wait fails with its signal until then', async () => {
		const { door } = openGate();
		const reason = new Error('enough');
		await expect(door.rest(1000, AbortSignal.abort(reason))).rejects.toBe(reason);
	});
});
