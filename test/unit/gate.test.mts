import { describe, expect, it } from 'vitest';

import { gate } from './built.mts';
import { VirtualClock } from './virtualClock.mts';

/** A gate whose starts are counted in milliseconds from the beginning. */
function openGate(slots = 5) {
	const clock = new VirtualClock();
	const began = clock.now();
	const door = new gate.Gate(slots, clock);
	const time = () => clock.now() - began;
	/** Asks for so many requests at the same time, and tells when each of them started. */
	const starts = async (count: number, duration = 0) => {
		const ask = async () =>
			await door.pass(async () => {
				const start = time();
				if (duration > 0) await clock.wait(duration);
				return start;
			});
		return await Promise.all(Array.from({ length: count }, ask));
	};
	const refuse = (pause: number, startedAt = time()) => door.refused(pause, began + startedAt);
	const take = (count: number) => Array.from({ length: count }, () => door.taken());
	return { clock, door, time, starts, refuse, take };
}

/** Refused twice: it paused for a second each time, and took 4 requests between, in so many milliseconds. */
async function slowGate(milliseconds: number) {
	const opened = openGate();
	opened.refuse(1000);
	await opened.clock.wait(1000);
	opened.take(4);
	await opened.clock.wait(milliseconds);
	opened.refuse(1000);
	await opened.clock.wait(1000);
	const from = opened.time();
	/** The time from start to start */
	const pace = async () => {
		const [first, second] = await opened.starts(2);
		return second - first;
	};
	return { ...opened, from, pace };
}

describe('so many at a time', () => {
	it('the others wait, and go in their turn', async () => {
		const { starts } = openGate(2);
		expect(await starts(5, 100)).toEqual([0, 0, 100, 100, 200]);
		expect(await starts(3, 100)).toEqual([300, 300, 400]);
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
		await expect(door.pass(async () => await Promise.resolve(1))).rejects.toThrow('cancelled');
		isCancelled = false;
		expect(await door.pass(async () => await Promise.resolve(2))).toBe(2);
	});
});

describe('a pause', () => {
	it('is for all, and then all go at once after a first refusal', async () => {
		const { starts, refuse } = openGate();
		refuse(1000);
		expect(await starts(3)).toEqual([1000, 1000, 1000]);
	});

	it('is not made shorter by a later refusal, but longer', async () => {
		const { starts, refuse } = openGate();
		refuse(5000);
		refuse(1000, -1);
		expect(await starts(1)).toEqual([5000]);
		refuse(2000, -1);
		expect(await starts(1)).toEqual([7000]);
	});

	it('that begins while requests wait for their turn holds them back too, at their pace', async () => {
		const { clock, starts, refuse, from, pace } = await slowGate(400);
		expect(await pace()).toBeCloseTo(255);
		const waiting = starts(3);
		await clock.wait(1);
		// Of a request from before the last pause: it changes the pause, not the pace
		refuse(3000, 0);
		const began = from + 255 + 1;
		const [first, second, third] = await waiting;
		expect(first).toBeCloseTo(began + 3000);
		expect(second - first).toBeCloseTo(255);
		expect(third - second).toBeCloseTo(255);
	});
});

describe('the pace', () => {
	it.each([
		[400, 255],
		[2000, 510],
	])(
		'after two refusals is a little slower than what was taken between (%s ms)',
		async (milliseconds, pace) => {
			const { starts, from } = await slowGate(milliseconds);
			const [first, second, third] = await starts(3);
			expect(first).toBe(from);
			expect(second).toBeCloseTo(from + pace);
			expect(third).toBeCloseTo(from + 2 * pace);
		},
	);

	it('stays free when nothing was taken between two refusals', async () => {
		const { clock, starts, refuse, take } = openGate();
		take(3);
		refuse(1000);
		await clock.wait(1500);
		refuse(1000);
		expect(await starts(2)).toEqual([2500, 2500]);
	});

	it('stays free when the refused request was from before the pause', async () => {
		const { clock, starts, refuse, take } = openGate();
		refuse(1000);
		await clock.wait(1000);
		take(4);
		refuse(1000, 999);
		expect(await starts(2)).toEqual([2000, 2000]);
	});

	it('counts a refused request that started right when the pause was over', async () => {
		const { clock, starts, refuse, take } = openGate();
		refuse(1000);
		await clock.wait(1000);
		take(4);
		refuse(1000, 1000);
		const [first, second] = await starts(2);
		expect(second - first).toBeCloseTo(255);
	});

	it.each([
		[500, 1.2],
		[1000, 1.2],
		[4000, 1.05],
	])('slows down the less the longer it did well (%s ms)', async (milliseconds, slower) => {
		const { clock, starts, refuse, pace } = await slowGate(400);
		await clock.wait(milliseconds);
		refuse(1000);
		await clock.wait(1000);
		expect(await pace()).toBeCloseTo(255 * slower);
		expect(await starts(1)).toHaveLength(1);
	});

	it('is tried a little faster after 10 calm seconds, and again after 10 more', async () => {
		const { clock, pace } = await slowGate(400);
		// The last refusal was a second ago
		await clock.wait(8000);
		expect(await pace()).toBeCloseTo(255);
		await clock.wait(1000);
		expect(await pace()).toBeCloseTo(255 / 1.05);
		await clock.wait(8000);
		expect(await pace()).toBeCloseTo(255 / 1.05);
		await clock.wait(8000);
		expect(await pace()).toBeCloseTo(255 / 1.05 / 1.05);
	});
});
