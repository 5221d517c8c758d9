import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { EventState } from '../../nodes/SearchVisibilityTrigger/discovery.ts';
import { discovery } from './built.mts';
import { DAY, HOUR, historyOf, runHistory } from './triggerModel.mts';

const { discover } = discovery;
const NOW = Date.UTC(2026, 0, 31, 12);

const sweepOf = (listed: Array<{ id: string; time?: number }>, more = {}) => ({
	listed,
	now: NOW,
	lookback: 3 * DAY,
	most: 1000,
	emitExisting: false,
	scope: 'a',
	...more,
});

const idsOf = (found: Array<{ id: string }>) => found.map(({ id }) => id);
const next = (state: EventState) => JSON.parse(JSON.stringify(state)) as EventState;

describe('discover', () => {
	const first = [
		{ id: 'old', time: NOW - 30 * DAY },
		{ id: 'recent', time: NOW - DAY },
		{ id: 'undated' },
	];

	it('emits nothing at first, and nothing of it later', () => {
		const { found, state } = discover(undefined, sweepOf(first));
		expect(found).toEqual([]);
		expect(state).toMatchObject({ watermark: NOW - DAY, floor: NOW - 4 * DAY });
		expect(discover(next(state), sweepOf(first)).found).toEqual([]);
	});

	it('emits what is there at first on request, oldest first, what has no time last', () => {
		const { found } = discover(undefined, sweepOf([...first].reverse(), { emitExisting: true }));
		expect(idsOf(found)).toEqual(['old', 'recent', 'undated']);
	});

	it('keeps the rest due when there is more than allowed, however far the times are apart', () => {
		let { state } = discover(undefined, sweepOf([]));
		const listed = Array.from({ length: 10 }, (_, n) => ({ id: `r${n}`, time: NOW - n * 2 * DAY }));
		const emitted: string[] = [];
		for (let poll = 0; poll < 5; poll++) {
			const result = discover(next(state), sweepOf(listed, { most: 3 }));
			emitted.push(...idsOf(result.found));
			state = result.state;
		}
		expect(emitted).toEqual(idsOf(listed).reverse());
	});

	it.each([
		['nothing', undefined],
		['another kind of value', 'text'],
		['another scope', { scope: 'b', watermark: 1, floor: 1, seen: {} }],
		['a broken time', { scope: 'a', watermark: 'x', floor: 1, seen: {} }],
		['a broken memory', { scope: 'a', watermark: 1, floor: 1, seen: { 5: 'abc' } }],
		['a memory of another shape', { scope: 'a', watermark: 1, floor: 1, seen: ['abcdefgh'] }],
		['broken hours', { scope: 'a', watermark: 1, floor: 1, seen: { x: 'abcdefgh' } }],
		['hours with more behind them', { scope: 'a', watermark: 1, floor: 1, seen: { '5x': '' } }],
		['hours with more before them', { scope: 'a', watermark: 1, floor: 1, seen: { x5: '' } }],
		['a broken floor', { scope: 'a', watermark: 1, floor: 'x', seen: {} }],
		['a missing time', { scope: 'a', floor: 1, seen: {} }],
		['no memory', { scope: 'a', watermark: 1, floor: 1 }],
		['a memory of numbers', { scope: 'a', watermark: 1, floor: 1, seen: { 5: 12345678 } }],
		['a memory of nothing', { scope: 'a', watermark: 1, floor: 1, seen: { 5: null } }],
		['odd hashes', { scope: 'a', watermark: 1, floor: 1, seen: { 5: 'abcd-fgh' } }],
		['odd beginnings', { scope: 'a', watermark: 1, floor: 1, seen: { 5: '-abcdefg' } }],
		['odd ends', { scope: 'a', watermark: 1, floor: 1, seen: { 5: 'abcdefg-' } }],
		['one broken hour of two', { scope: 'a', watermark: 1, floor: 1, seen: { 5: '', 6: 'a' } }],
	])('takes %s for a first poll', (_, stored) => {
		expect(discover(stored, sweepOf(first)).found).toEqual([]);
	});

	it('goes on from a state without times, and with hours before 1970', () => {
		const stored = { scope: 'a', watermark: null, floor: null, seen: { '-5': '', 5: '' } };
		expect(idsOf(discover(stored, sweepOf(first)).found)).toEqual(['old', 'recent', 'undated']);
	});

	it('sorts by time, what has none last, and leaves the order of equals', () => {
		const listed = [
			{ id: 'undated' },
			{ id: 'b', time: NOW },
			{ id: 'undated too' },
			{ id: 'c', time: NOW },
			{ id: 'a', time: NOW - 1 },
		];
		const { found } = discover(undefined, sweepOf(listed, { emitExisting: true }));
		expect(idsOf(found)).toEqual(['a', 'b', 'c', 'undated', 'undated too']);
	});

	it('takes a record at the floor for new, and an older one for known', () => {
		const { state } = discover(undefined, sweepOf([{ id: 'x', time: NOW }]));
		const floor = NOW - 3 * DAY;
		const listed = [
			{ id: 'at', time: floor },
			{ id: 'before', time: floor - 1 },
		];
		const later = discover(next(state), sweepOf(listed));
		expect(idsOf(later.found)).toEqual(['at']);
		expect(discover(next(later.state), sweepOf(listed)).found).toEqual([]);
	});

	it('keeps the floor below the first record that is still due', () => {
		const { state } = discover(undefined, sweepOf([]));
		const listed = [0, 8, 10].map((days) => ({ id: `r${days}`, time: NOW - days * DAY }));
		const after = discover(next(state), sweepOf(listed, { most: 1 }));
		expect(idsOf(after.found)).toEqual(['r10']);
		expect(after.state).toMatchObject({ watermark: NOW - 5 * DAY, floor: NOW - 8 * DAY });
	});

	it('goes on where reading began right at the floor, and not a millisecond later', () => {
		const { state } = discover(undefined, sweepOf([{ id: 'a', time: NOW - DAY }]));
		const listed = [{ id: 'b', time: NOW }];
		const from = (readFrom: number) =>
			discover(next(state), sweepOf(listed, { readFrom })).state.watermark;
		expect(from(NOW - 4 * DAY)).toBe(NOW);
		expect(from(NOW - 4 * DAY + 1)).toBe(NOW - DAY);
	});

	it('gets no watermark from a part of a list when there was none before', () => {
		const { state } = discover(undefined, sweepOf([{ id: 'undated' }]));
		const listed = [{ id: 'b', time: NOW - 30 * DAY }, { id: 'undated' }];
		const after = discover(next(state), sweepOf(listed, { readFrom: 0 }));
		expect(idsOf(after.found)).toEqual(['b']);
		expect(after.state).toMatchObject({ watermark: null, floor: null });
		const again = sweepOf(listed, { readFrom: 0 });
		expect(discover(next(after.state), again).found).toEqual([]);
	});

	it('knows times before 1970', () => {
		const { state } = discover(undefined, sweepOf([{ id: 'a', time: -DAY }]));
		expect(state).toMatchObject({ watermark: -DAY, floor: -4 * DAY });
		expect(discover(next(state), sweepOf([{ id: 'a', time: -DAY }])).found).toEqual([]);
	});

	it('does not let a future date become the watermark', () => {
		const { state } = discover(undefined, sweepOf([{ id: 'f', time: NOW + 400 * DAY }]));
		expect(state.watermark).toBe(NOW);
	});

	it('does not go past what it did not read, when an older state was put back meanwhile', () => {
		const older = discover(undefined, sweepOf([{ id: 'a', time: NOW - 20 * DAY }])).state;
		const sweep = sweepOf([{ id: 'b', time: NOW }], { readFrom: NOW - 3 * DAY });
		const { found, state } = discover(next(older), sweep);
		expect(idsOf(found)).toEqual(['b']);
		expect(state.watermark).toBe(older.watermark);
	});

	it('needs less than 50 KB for 5,000 discoveries inside the look-back', () => {
		const listed = Array.from({ length: 5000 }, (_, n) => ({
			id: `8f14e45f-ceea-467f-a0e6-${String(n).padStart(12, '0')}`,
			time: NOW - (n / 5000) * 3 * DAY,
		}));
		const { state } = discover(undefined, sweepOf(listed));
		const size = JSON.stringify({ version: 1, events: { citedPage: state } }).length;
		expect(size).toBeGreaterThan(5000 * 8);
		expect(size).toBeLessThan(50_000);
		expect(discover(next(state), sweepOf(listed)).found).toEqual([]);
	});

	it('never goes back: neither watermark nor floor, whatever is listed', () => {
		fc.assert(
			fc.property(
				fc.array(
					fc.array(
						fc.record({
							id: fc.string({ maxLength: 3 }),
							time: fc.integer({ min: NOW - 40 * DAY, max: NOW + 40 * DAY }),
						}),
					),
				),
				fc.integer({ min: 1, max: 10 }),
				(polls, days) => {
					let state: EventState | undefined;
					for (const listed of polls) {
						const after = discover(state, sweepOf(listed, { lookback: days * DAY })).state;
						if (state) {
							expect(after.watermark ?? -Infinity).toBeGreaterThanOrEqual(
								state.watermark ?? -Infinity,
							);
							expect(after.floor ?? -Infinity).toBeGreaterThanOrEqual(state.floor ?? -Infinity);
						}
						state = next(after);
					}
				},
			),
		);
	});
});

describe('random histories', () => {
	const runs = Number(process.env.HISTORIES ?? 2000);
	const seed = Number(process.env.HISTORY_SEED ?? Date.now() % 1_000_000_000);

	it(
		`nothing is lost and nothing comes twice (${runs} histories, seed ${seed})`,
		{ timeout: runs * 50 + 20_000 },
		async () => {
			const totals: Record<string, number> = {};
			await fc.assert(
				fc.asyncProperty(historyOf(), async (history) => {
					const counts = await runHistory(history);
					for (const [name, count] of Object.entries(counts))
						totals[name] = (totals[name] ?? 0) + count;
				}),
				{ numRuns: runs, seed },
			);
			console.info(`histories: ${runs}, seed: ${seed}, ${JSON.stringify(totals)}`);
			// A history in which nothing happens proves nothing
			for (const name of [
				'emitted',
				'existing',
				'failedPolls',
				'rollbacks',
				'overlaps',
				'baselines',
				'edits',
			]) {
				expect(totals[name], name).toBeGreaterThan(runs / 20);
			}
		},
	);
});

describe('the memory', () => {
	const START_HOUR = 480_000;
	const START = START_HOUR * HOUR;
	const hoursOf = ({ seen }: EventState) =>
		Object.keys(seen).map((hour) => Number(hour) - START_HOUR);

	it('keeps ids by the hour of their time, 8 characters each', () => {
		const listed = [START - 1, START, START + HOUR - 1].map((time) => ({ id: `t${time}`, time }));
		const { state } = discover(undefined, sweepOf(listed));
		expect(hoursOf(state)).toEqual([-1, 0]);
		expect(Object.values(state.seen).map((hashes) => hashes.length)).toEqual([8, 16]);
	});

	it('forgets an hour when the floor has passed all of it', () => {
		const listed = [
			{ id: 'before', time: START - 1 },
			{ id: 'at', time: START },
		];
		const { state } = discover(undefined, sweepOf(listed));
		const to = (time: number) =>
			hoursOf(discover(next(state), sweepOf([{ id: 'new', time }])).state);
		expect(to(START + 3 * DAY - 1)).toEqual([-1, 0, 71]);
		expect(to(START + 3 * DAY)).toEqual([0, 72]);
	});

	it('keeps an id by the latest time that it had', () => {
		const at = (time: number) => sweepOf([{ id: 'a', time }]);
		const { state } = discover(undefined, at(START));
		expect(hoursOf(discover(next(state), at(START - 2 * HOUR)).state)).toEqual([0]);
		expect(hoursOf(discover(next(state), at(START + 2 * HOUR)).state)).toEqual([2]);
	});

	it('keeps ids without a time for as long as the look-back after they were listed last', () => {
		const at = (hour: number, ...ids: string[]) =>
			sweepOf(
				ids.map((id) => ({ id })),
				{ now: START + hour * HOUR },
			);
		const first = discover(undefined, at(0, 'gone', 'there')).state;
		expect(hoursOf(first)).toEqual([0]);
		const second = discover(next(first), at(1, 'there')).state;
		expect(hoursOf(second)).toEqual([0, 1]);
		const third = discover(next(second), at(73, 'there')).state;
		expect(hoursOf(third)).toEqual([73]);
		expect(idsOf(discover(next(third), at(74, 'there', 'gone')).found)).toEqual(['gone']);
	});
});
