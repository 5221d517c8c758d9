import { describe, expect, it } from 'vitest';

import { mapConcurrently } from '../../nodes/shared/request/mapConcurrently.ts';
import { VirtualClock } from './virtualClock.mts';

describe('work at the same time', () => {
	it('gets each entry with its number, and keeps the order of the results', async () => {
		const clock = new VirtualClock();
		const results = await mapConcurrently(['c', 'a', 'b'], 3, async (entry, index) => {
			await clock.wait(30 - index * 10);
			return `${index}${entry}`;
		});
		expect(results).toEqual(['0c', '1a', '2b']);
	});

	it.each([
		[2, 2],
		[9, 5],
	])('is limited to %s entries at once', async (atOnce, expected) => {
		const clock = new VirtualClock();
		let now = 0;
		let most = 0;
		await mapConcurrently([1, 2, 3, 4, 5], atOnce, async () => {
			most = Math.max(most, ++now);
			await clock.wait(10);
			now--;
		});
		expect(most).toBe(expected);
	});

	it('may have no entries', async () => {
		expect(await mapConcurrently([], 3, async () => await Promise.resolve(1))).toEqual([]);
	});

	it('starts nothing more after an error, waits for what is under way, and throws the first', async () => {
		const clock = new VirtualClock();
		const finished: number[] = [];
		const work = mapConcurrently([0, 1, 2, 3, 4, 5], 3, async (number) => {
			await clock.wait(10 * (number + 1));
			if (number < 2) throw new Error(`number ${number}`);
			finished.push(number);
		});
		await expect(work).rejects.toThrow('number 0');
		expect(finished).toEqual([2]);
	});

	it('takes only as many entries from a generator as it needs', async () => {
		let taken = 0;
		let isOver = false;
		function* numbers() {
			while (!isOver) yield taken++;
		}
		const results = await mapConcurrently(numbers(), 4, async (number) => {
			await Promise.resolve();
			if (number === 10) isOver = true;
			return number;
		});
		expect(results).toEqual(Array.from({ length: taken }, (_, index) => index));
		expect(taken).toBeLessThan(20);
	});

	it('ends the waits of the others as soon as one fails', async () => {
		const clock = new VirtualClock();
		const began = clock.now();
		const work = mapConcurrently([10, 1_000_000], 2, async (duration, _index, signal) => {
			await clock.wait(duration, signal);
			throw new Error(`after ${duration}`);
		});
		await expect(work).rejects.toThrow('after 10');
		expect(clock.now() - began).toBe(10);
	});

	it('ends when its parent does', async () => {
		const clock = new VirtualClock();
		const outer = new AbortController();
		const wait = async (duration: number, _index: number, signal: AbortSignal) =>
			await clock.wait(duration, signal);
		const work = mapConcurrently([1_000_000], 1, wait, outer.signal);
		outer.abort(new Error('enough'));
		await expect(work).rejects.toThrow('enough');
		await expect(mapConcurrently([10], 1, wait, outer.signal)).rejects.toThrow('enough');
	});
});
