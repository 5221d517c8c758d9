import { getEventListeners } from 'node:events';

import { describe, expect, it, vi } from 'vitest';

import type { AttemptResult } from '../../nodes/shared/request/responses.ts';
import { RequestFailure, type FailureDetails } from '../../nodes/shared/errors/requestFailure.ts';
import { Gate, type Turn } from '../../nodes/shared/request/gate.ts';
import { VirtualClock } from './virtualClock.mts';

/** Of each attempt, in milliseconds */
const TIMEOUT = 30_000;
const SECOND = 1000;

const DONE: AttemptResult = { verdict: 'done' };
const failed = (verdict: AttemptResult['verdict'], details: FailureDetails) => ({
	verdict,
	failure: new RequestFailure(details.statusCode ? 'status' : 'network', details),
});
/** @param seconds for which the service asks to wait */
const refused = (seconds?: number) =>
	failed('refused', { statusCode: 429, retryAfter: seconds && seconds * SECOND });
const LOST = failed('unclear', { code: 'ECONNRESET' });

/** A gate that records when attempts start, in milliseconds from the beginning. */
function openGate(most = 5, random = () => 0.5) {
	const clock = new VirtualClock();
	const began = clock.now();
	const door = new Gate({ concurrency: most, timeout: TIMEOUT }, clock, random);
	const time = () => clock.now() - began;
	const newTurn = (more: Partial<Turn> = {}): Turn => ({
		attempts: 0,
		refusals: 0,
		notBefore: 0,
		startedAt: 0,
		...more,
	});
	/** Makes one attempt, which takes this many milliseconds, and resolves to the time at which it started. */
	const ask = async (duration = 0, end = DONE, turn = newTurn()) => {
		await door.enter(turn);
		const start = time();
		if (duration > 0) await clock.wait(duration);
		door.leave(turn, end);
		return start;
	};
	/** Makes this many attempts at the same time. */
	const starts = async (count: number, duration = 0, end = DONE) =>
		await Promise.all(Array.from({ length: count }, async () => await ask(duration, end)));
	return { clock, door, time, ask, starts, newTurn };
}

describe('a limited number at a time', () => {
	it.each([
		[12, [5, 6, 7, 9, 11, 12]],
		[3, [3, 3, 3, 3]],
	])('at most %s: from five on, one more for every four answers', async (most, expected) => {
		const { starts } = openGate(most);
		const all = await starts(100, 50);
		const inRound = (_: unknown, round: number) => all.filter((at) => at === round * 50).length;
		expect(expected.map(inRound)).toEqual(expected);
	});

	it('is half as many after an answer that took half of its time, once for those under way', async () => {
		const { clock, starts, ask, time } = openGate(40);
		const most = async () => {
			const at = time();
			return (await starts(80, SECOND)).filter((start) => start === at).length;
		};
		await starts(140, 50);
		expect(await most()).toBe(40);
		await starts(3, TIMEOUT / 2 + 1);
		expect(await most()).toBe(20);
		await ask(TIMEOUT / 2);
		expect(await most()).toBeGreaterThan(20);
		for (let n = 0; n < 4; n++) {
			await clock.wait(1);
			await ask(TIMEOUT);
		}
		expect(await most()).toBe(5);
	});

	it('a clock that stops ends all waits, and only these', async () => {
		const { clock, ask, starts } = openGate(1);
		await ask(0, refused(1));
		const wait = vi.spyOn(clock, 'wait').mockRejectedValue(new Error('cancelled'));
		const ends = await Promise.allSettled([ask(), ask()]);
		wait.mockRestore();
		expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
		expect(await starts(1)).toEqual([SECOND]);
	});
});

describe('a pause', () => {
	it('can be made longer by a request that started before, but not shorter', async () => {
		const { ask } = openGate();
		const first = [ask(10, refused(5)), ask(20, refused(7)), ask(30, refused(1))];
		const waiting = ask();
		await Promise.all(first);
		expect(await waiting).toBe(0);
		expect(await ask()).toBe(7020);
	});

	it('begins with half a second, doubles with each refusal in a row, ends with half a minute, and begins anew after an answer that is no refusal', async () => {
		const { ask, time } = openGate(1, () => 1);
		const pauses: number[] = [];
		for (let n = 0; n < 11; n++) {
			const before = time();
			pauses.push((await ask(0, n === 8 ? DONE : refused(0))) - before);
		}
		expect(pauses).toEqual([0, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 0, 500]);
	});
});

it('a refusal that comes after a later request was accepted makes all wait as long as a first one', async () => {
	const { ask } = openGate(5, () => 0);
	const late = ask(500, refused());
	await ask(10, refused());
	expect(await ask(5)).toBe(260);
	await late;
	expect(await ask()).toBe(750);
});

describe('a request', () => {
	it('that started before a refusal counts neither as another one nor as the end of them', async () => {
		const { ask, starts } = openGate();
		await Promise.all([ask(50), starts(4, 10, refused(0))]);
		// The second pause is as long as the pace: a second
		expect(await ask(0, refused(0))).toBe(385);
		expect(await ask(0, refused(0))).toBe(385 + SECOND);
		expect(await ask()).toBe(385 + SECOND + 1500);
	});
});

it('while the service refuses everything, only one request at a time asks again', async () => {
	const { ask, time } = openGate();
	const began: number[] = [];
	const askAgain = async () => {
		for (let n = 0; n < 3; n++) began.push(await ask(50, refused(1)));
	};
	await Promise.allSettled(Array.from({ length: 10 }, askAgain));
	const later = began.filter((at) => at > 3 * SECOND).sort((a, b) => a - b);
	expect(later.filter((at, n) => at < (later[n - 1] ?? 0) + 50)).toEqual([]);
	expect(time()).toBeGreaterThan(60 * SECOND);
});

describe('a service is given up', () => {
	/** This many requests one after the other, each of so many seconds, and how they end */
	type Step = [count: number, seconds: number, end: AttemptResult];

	it.each<[string, AttemptResult, number]>([
		['asks for a pause of more than an hour', refused(3601), 1],
		['refuses everything for two minutes', refused(10), 122],
		['does not answer for half a minute', LOST, 31],
	])('that %s: all that is asked later ends like this', async (_name, end, seconds) => {
		const { ask, time } = openGate();
		let thrown: unknown;
		while (!thrown && time() < 600 * SECOND) {
			await ask(SECOND, end).catch((error: unknown) => (thrown = error));
		}
		expect(thrown).toBe(end.failure);
		expect(Math.abs(time() / SECOND - seconds)).toBeLessThan(20);
	});

	it('and everything that waits ends at once, whatever it waits for', async () => {
		const { clock, ask, time, newTurn } = openGate(3);
		const first = ask(10, refused(60));
		const last = ask(20, refused(3601));
		await clock.wait(15);
		const waits = [newTurn(), newTurn({ notBefore: clock.now() + 9999 })].map(
			async (turn) => await ask(0, DONE, turn).catch(time),
		);
		await Promise.all([first, last]);
		expect(await Promise.all(waits)).toEqual([20, 20]);
	});

	const times = (count: number, ...steps: Step[]) => new Array<Step[]>(count).fill(steps).flat();
	it.each<[string, Step[]]>([
		['the pause is longer than an hour', [[1, 0, refused(3600)]]],
		['20 requests in a row get no answer', times(10, [19, 1, LOST], [1, 1, DONE])],
		['nothing is taken for two minutes', times(10, [2, 0, refused(50)], [1, 1, DONE])],
		[
			'no refusal comes between requests without an answer',
			times(2, [19, 10, LOST], [1, 0, refused(1)]),
		],
	])('only if %s', async (_, steps) => {
		const { ask } = openGate(1);
		for (const [count, seconds, end] of steps) {
			for (let n = 0; n < count; n++) await ask(seconds * SECOND, end);
		}
		expect(await ask()).toBeGreaterThan(100 * SECOND);
	});

	it.each([
		[20, 10],
		[31, 1],
	])('after %i requests without an answer, each of %i s, not before', async (count, seconds) => {
		const { ask } = openGate(1);
		for (let n = 1; n < count; n++) await ask(seconds * SECOND, LOST);
		expect(await ask(seconds * SECOND, LOST)).toBe((count - 1) * seconds * SECOND);
		await expect(ask()).rejects.toBe(LOST.failure);
	});
});

describe('a signal', () => {
	const REASON = new Error('enough');

	it.each([
		['a slot', 60_000],
		['a pause', 60_000],
		['its rest', 10],
	])('ends waiting for %s at once', async (what, freeFrom) => {
		const { clock, time, ask, newTurn } = openGate(1);
		const controller = new AbortController();
		if (what === 'a pause') await ask(0, refused(60));
		const running = what === 'a slot' ? ask(60_000) : undefined;
		const notBefore = what === 'its rest' ? clock.now() + 60_000 : 0;
		const turn = newTurn({ signal: controller.signal, notBefore });
		const end = ask(0, DONE, turn).catch((error: unknown) => ({ error, at: time() }));
		await clock.wait(10);
		const after = ask();
		controller.abort(REASON);
		expect(await end).toEqual({ error: REASON, at: 10 });
		await running;
		expect(await after).toBe(freeFrom);
	});

	it('has no listener, nor has one made of it, when nobody waits with it any more', async () => {
		const { clock, ask, newTurn } = openGate(1);
		const { signal } = new AbortController();
		const made = [signal];
		const any = AbortSignal.any.bind(AbortSignal);
		vi.spyOn(AbortSignal, 'any').mockImplementation((signals) => {
			const one = any(signals);
			made.push(one);
			return one;
		});
		await ask(0, refused(1));
		const turns = [0, 0, clock.now() + 9999].map((notBefore) => newTurn({ signal, notBefore }));
		await Promise.all(turns.map(async (turn) => await ask(10, DONE, turn)));
		vi.restoreAllMocks();
		const listened = made.filter((one) => getEventListeners(one, 'abort').length > 0);
		expect(listened).toEqual([]);
	});
});

it('the order is by the end of the rest, and among those that do not rest, first come, first served', async () => {
	const { clock, ask, newTurn } = openGate(1);
	const order: string[] = [];
	const go = async (name: string, rest: number, refusals = 0) => {
		await ask(10, DONE, newTurn({ notBefore: clock.now() + rest, refusals }));
		order.push(name);
	};
	const rested = [go('a', 0, 2), go('b', -50), go('c', 0, 1), go('d', 0)];
	await Promise.all([go('x', 500), go('y', 100), go('z', 300), ...rested]);
	expect(order.join('')).toBe('abcdyzx');
});
