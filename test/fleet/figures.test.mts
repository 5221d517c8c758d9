import { describe, expect, it } from 'vitest';

import {
	awaited,
	delaysOf,
	fatesOf,
	percentile,
	punctuality,
	reactionsOf,
	type Start,
} from './figures.mts';

const SECOND = 1000;
const at = (second: number) => 1_000_000 + second * SECOND;
const polls = (workspace: number, ...seconds: number[]) =>
	seconds.map((second) => ({ workspace, begins: at(second) }));
const start = (workspace: number, ids: string[], ranAt?: number): Start => ({
	workspace,
	ids,
	ranAt: ranAt === undefined ? undefined : at(ranAt),
});
const found = (workspace: number, id: string, second = 0) => ({ workspace, id, at: at(second) });

describe('Punctuality', () => {
	const over = (seconds: number, size = 1) => ({ first: 0, size, from: at(0), to: at(seconds) });

	it('counts a turn in each minute from the first poll on', () => {
		expect(punctuality(polls(0, 20, 80, 140), over(180))).toEqual({ due: 3, ran: 3 });
	});

	it('misses a turn that was not taken, and one that came half a minute late', () => {
		expect(punctuality(polls(0, 20, 140), over(180))).toEqual({ due: 3, ran: 2 });
		expect(punctuality(polls(0, 20, 115), over(125))).toEqual({ due: 2, ran: 1 });
	});

	it('counts a turn once, however often it was taken', () => {
		expect(punctuality(polls(0, 20, 21, 80), over(120))).toEqual({ due: 2, ran: 2 });
	});

	it('does not expect a poll that may still come', () => {
		expect(punctuality(polls(0, 20), over(84))).toEqual({ due: 1, ran: 1 });
	});

	it('misses workspaces that never polled, and leaves out other workspaces and times', () => {
		const all = [...polls(0, -1), ...polls(1, 10), ...polls(7, 10)];
		expect(punctuality(all, over(66, 2))).toEqual({ due: 2, ran: 1 });
	});
});

describe('An awaited discovery', () => {
	it('comes after the first poll, which only remembers what exists', () => {
		const discoveries = [
			found(1, 'a', 10),
			found(1, 'b', 22),
			found(1, 'c', 30),
			found(2, 'd', 90),
		];
		expect(awaited(discoveries, polls(1, 20, 80))).toEqual([found(1, 'c', 30)]);
	});
});

describe('The fate of a discovery', () => {
	it('follows from the executions that it was in', () => {
		const discoveries = ['a', 'b', 'c', 'd'].map((id) => found(3, id));
		const starts = [start(3, ['a'], 5), start(3, ['b', 'c'], 6), start(3, ['b'], 7)];
		expect(fatesOf(discoveries, starts)).toEqual({ once: 2, cutOff: 0, repeated: 1, lost: 1 });
	});

	it('is separate for each workspace, although IDs are the same', () => {
		expect(fatesOf([found(1, 'a'), found(2, 'a')], [start(1, ['a'], 5)])).toMatchObject({
			once: 1,
			lost: 1,
		});
	});

	it('is "cut off" if its only execution did not reach the next node', () => {
		expect(fatesOf([found(1, 'a')], [start(1, ['a'])])).toMatchObject({ cutOff: 1, once: 0 });
		expect(fatesOf([found(1, 'a')], [start(1, ['a']), start(1, ['a'], 9)])).toMatchObject({
			repeated: 1,
		});
	});
});

it('Delays run to the first execution, for discoveries that have one', () => {
	const starts = [start(1, ['a'], 50), start(1, ['a'], 30), start(1, ['b'])];
	const delays = delaysOf([found(1, 'a', 10), found(1, 'b'), found(1, 'c')], starts);
	expect(delays).toEqual([20 * SECOND]);
});

it('Reactions run from the last poll of the workspace before', () => {
	const all = [...polls(1, 10, 70, 130), ...polls(2, 71)];
	expect(reactionsOf(all, [start(1, ['a'], 72), start(1, ['b'])])).toEqual([2 * SECOND]);
});

it('Percentiles are existing values', () => {
	const values = Array.from({ length: 200 }, (_, index) => 200 - index);
	expect([percentile(values, 0.5), percentile(values, 0.99)]).toEqual([100, 198]);
	expect(percentile([7], 0.99)).toBe(7);
	expect(percentile([], 0.5)).toBeUndefined();
});
