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
	])('takes %s for a first poll', (_, stored) => {
		expect(discover(stored, sweepOf(first)).found).toEqual([]);
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

it('the hours of the memory are hours', () => {
	const { state } = discover(undefined, sweepOf([{ id: 'x', time: 5 * HOUR + 1 }]));
	expect(Object.keys(state.seen)).toEqual(['5']);
});
