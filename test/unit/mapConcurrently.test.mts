import { describe, expect, it } from 'vitest';

import { mapConcurrently } from '../../nodes/shared/request/mapConcurrently.ts';
import { VirtualClock } from './virtualClock.mts';

describe('work at the same time', () => {
	it.each([
		[2, 2],
		[9, 5],
	])('is limited to %s entries at once, and the results keep the order', async (atOnce, most) => {
		const clock = new VirtualClock();
		let now = 0;
		const running: number[] = [];
		const results = await mapConcurrently([5, 4, 3, 2, 1], atOnce, async (entry) => {
			running.push(++now);
			await clock.wait(10 * entry);
			now--;
			return 2 * entry;
		});
		expect(results).toEqual([10, 8, 6, 4, 2]);
		expect(Math.max(...running)).toBe(most);
	});

	it('starts nothing after an error, ends waits, and throws the first', async () => {
		const clock = new VirtualClock();
		const began = clock.now();
		const ends: unknown[] = [];
		const task = async (number: number, signal: AbortSignal) => {
			const waiting = clock.wait(10 * number, number === 9999 ? signal : undefined);
			await waiting.catch((error: unknown) => {
				ends.push(error);
				throw error;
			});
			if (number < 3) throw new Error(`number ${number}`);
			ends.push(number);
		};
		const work = mapConcurrently([1, 2, 3, 9999, 5, 6], 4, task, new AbortController().signal);
		await expect(work).rejects.toThrow('number 1');
		// What is under way goes on
		expect(ends).toMatchObject([{ message: 'number 1' }, 3]);
		expect(clock.now() - began).toBe(30);
	});

	it('ends when its parent does', async () => {
		const clock = new VirtualClock();
		const outer = new AbortController();
		const wait = async (duration: number, signal: AbortSignal) =>
			await clock.wait(duration, signal);
		const work = mapConcurrently([1_000_000], 1, wait, outer.signal);
		outer.abort(new Error('enough'));
		await expect(work).rejects.toThrow('enough');
		await expect(mapConcurrently([10], 1, wait, outer.signal)).rejects.toThrow('enough');
	});
});
