import { setImmediate } from 'node:timers/promises';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { defined } from '../defined.mts';
import { gate } from './built.mts';
import { VirtualClock } from './virtualClock.mts';

const MOST = 20;
const FIRST = 5;
const TIMEOUT = 30_000;

/** Less than half, and at least one. */
const shareOf = (open: number, lists: number) =>
	Math.max(1, Math.min(Math.ceil(open / 2) - 1, Math.floor(open / lists)));

/** A gate for several lists, whose requests end when the test says so. */
function openLists(count: number) {
	const clock = new VirtualClock();
	const door = new gate.Gate(MOST, clock);
	const shares = Array.from({ length: count }, () => door.openShare());
	const underWay = shares.map((): Array<() => void> => []);
	const send = async (list: number) =>
		await door.pass(
			async () => await new Promise<void>((resolve) => void defined(underWay[list]).push(resolve)),
			{ share: shares[list] },
		);
	const sendMany = async (list: number, times: number) => {
		await Promise.all(Array.from({ length: times }, async () => await send(list)));
	};
	const endAll = async () => {
		while (underWay.some(({ length }) => length > 0)) {
			for (const ends of underWay) for (const end of ends.splice(0)) end();
			await setImmediate();
		}
	};
	/** The service takes this many requests more. */
	const take = (times: number) => {
		for (let n = 0; n < times; n++) door.accepted(clock.now(), TIMEOUT);
	};
	const counts = () => underWay.map(({ length }) => length);
	return { clock, door, shares, send, sendMany, endAll, take, counts };
}

describe('lists that are read at the same time', () => {
	const amounts = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 2, maxLength: 5 });

	it('leave room for each other, and have at least one request each', async () => {
		await fc.assert(
			fc.asyncProperty(amounts, fc.integer({ min: FIRST, max: MOST }), async (all, open) => {
				const { sendMany, endAll, take, counts } = openLists(all.length);
				take(open - FIRST);
				const reading = all.map(async (count, list) => await sendMany(list, count));
				await setImmediate();
				expect(counts()).toEqual(all.map((count) => Math.min(count, shareOf(open, all.length))));
				await endAll();
				await Promise.all(reading);
			}),
		);
	});

	it('the last one gets everything', async () => {
		const { clock, door, shares, sendMany, endAll, counts } = openLists(2);
		const reading = sendMany(0, 30);
		await setImmediate();
		expect(counts()).toEqual([2, 0]);
		door.closeShare(defined(shares[1]));
		await setImmediate();
		expect(counts()).toEqual([FIRST, 0]);
		await clock.wait(TIMEOUT);
		expect(counts()).toEqual([FIRST, 0]);
		await endAll();
		await reading;
	});

	it('a failed request gives its place to the next one', async () => {
		const { door, shares } = openLists(2);
		const fail = async () =>
			await door.pass(async () => await Promise.reject(new Error('lost')), { share: shares[0] });
		const ends = await Promise.allSettled(Array.from({ length: 10 }, fail));
		expect(ends.map(({ status }) => status)).toEqual(new Array(10).fill('rejected'));
	});

	it('one that hangs leaves room for the others, also after refusals', async () => {
		const hanging = fc.integer({ min: 1, max: 3 });
		const refusals = fc.integer({ min: 0, max: 2 });
		await fc.assert(
			fc.asyncProperty(hanging, refusals, async (hung, times) => {
				const { clock, door, send, sendMany, endAll, take, counts } = openLists(hung + 1);
				take(MOST);
				const waiting = Array.from({ length: hung }, async (_, list) => await sendMany(list, 30));
				await setImmediate();
				for (let n = 0; n < times; n++) {
					door.refused(1000, clock.now());
					await clock.wait(10_000);
					take(1);
				}
				const one = send(hung);
				await clock.wait(10_000);
				expect(counts()[hung]).toBe(1);
				expect(counts().reduce((sum, count) => sum + count)).toBeLessThanOrEqual(MOST);
				await endAll();
				await Promise.all([one, ...waiting]);
			}),
		);
	});

	it('one that hangs leaves room for the others even if one request at a time is taken', async () => {
		const hanging = fc.integer({ min: 1, max: 4 });
		const refusals = fc.integer({ min: 1, max: 10 });
		await fc.assert(
			fc.asyncProperty(hanging, refusals, async (hung, times) => {
				const { clock, door, send, endAll, counts } = openLists(hung + 1);
				const waiting = Array.from({ length: hung }, async (_, list) => await send(list));
				await setImmediate();
				for (let n = 0; n < times; n++) {
					door.refused(1000, clock.now());
					await clock.wait(1000);
				}
				const two = [send(hung), send(hung)];
				await clock.wait(TIMEOUT);
				expect(counts()).toEqual(new Array(hung + 1).fill(1));
				await endAll();
				await Promise.all([...two, ...waiting]);
			}),
		);
	});

	it.each([
		[4, 1],
		[12, 3],
	])(
		'while nothing is taken, with answers after %s seconds: %s at a time',
		async (seconds, most) => {
			const clock = new VirtualClock();
			const door = new gate.Gate(MOST, clock);
			for (let n = 0; n < 3; n++) {
				door.refused(1000, clock.now());
				await clock.wait(1000);
			}
			let underWay = 0;
			let highest = 0;
			const read = async () => {
				const share = door.openShare();
				const request = async () => {
					highest = Math.max(highest, ++underWay);
					await clock.wait(seconds * 1000);
					underWay--;
				};
				for (let n = 0; n < 5; n++) await door.pass(request, { share });
				door.closeShare(share);
			};
			await Promise.all([read(), read(), read()]);
			expect(highest).toBe(most);
		},
	);

	it('an answer that comes shortly before the deadline is still used', async () => {
		const clock = new VirtualClock();
		const deadline = clock.now() + 6000;
		const wait: VirtualClock['wait'] = async (milliseconds, signal) => {
			if (clock.now() + milliseconds > deadline) throw new Error('deadline');
			await clock.wait(milliseconds, signal);
		};
		const door = new gate.Gate(1, { now: () => clock.now(), wait });
		const shares = [door.openShare(), door.openShare()];
		const request = async () => await clock.wait(2500);
		const all = shares.map(async (share) => await door.pass(request, { share }));
		await clock.wait(4000);
		const late = door.pass(async () => clock.now() < deadline, { share: shares[0] });
		await Promise.all(all);
		expect(await late).toBe(true);
	});

	it('the next one goes after a pause in which the share of the first one became smaller', async () => {
		const { clock, door, send, sendMany, endAll, take, counts } = openLists(2);
		take(MOST);
		const began = clock.now();
		const underWay = [sendMany(0, 3), send(1)];
		door.refused(2 * TIMEOUT, began);
		const waiting = [send(0), send(1)];
		await clock.wait(TIMEOUT);
		for (let n = 0; n < 2; n++) door.unanswered(began, TIMEOUT);
		await clock.wait(2 * TIMEOUT);
		expect(counts()).toEqual([3, 2]);
		await endAll();
		await Promise.all([...underWay, ...waiting]);
	});

	it('take turns, however many requests of each wait', async () => {
		const clock = new VirtualClock();
		const door = new gate.Gate(1, clock);
		const order: string[] = [];
		const sender = (name: string) => {
			const share = door.openShare();
			return async () =>
				await door.pass(
					async () => {
						order.push(name);
						await clock.wait(10);
					},
					{ share },
				);
		};
		const [sendA, sendB] = [sender('a'), sender('b')];
		const many = Array.from({ length: 20 }, sendA);
		for (let n = 0; n < 5; n++) await sendB();
		await Promise.all(many);
		expect(order.join('')).toBe(`${'ab'.repeat(5)}${'a'.repeat(15)}`);
	});

	it('end their waits when nothing will be sent any more', async () => {
		const { door, send, endAll, counts } = openLists(2);
		const under = [send(0), send(0)];
		const waiting = [send(0), send(0)];
		await setImmediate();
		expect(counts()).toEqual([2, 0]);
		door.release();
		await setImmediate();
		expect(counts()).toEqual([4, 0]);
		await endAll();
		await Promise.all([...under, ...waiting]);
	});
});
