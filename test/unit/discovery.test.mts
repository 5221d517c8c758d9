import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Filter } from '../../nodes/SearchVisibilityTrigger/listedRecord.ts';
import type { EventState } from '../../nodes/SearchVisibilityTrigger/state.ts';
import * as discovery from '../../nodes/SearchVisibilityTrigger/discovery.ts';
import * as pollFailures from '../../nodes/SearchVisibilityTrigger/pollErrors.ts';
import * as triggerRecords from '../../nodes/SearchVisibilityTrigger/listedRecord.ts';
import { DAY, HOUR } from '../model/triggerService.mts';

const NOW = Date.UTC(2026, 0, 31, 12);

interface One {
	id: string;
	time?: number;
	/** The filters that let the record through; all of them if missing */
	on?: string[];
}

const filterOf = (domain: string, includeProcessed = true): Filter => ({
	includeProcessed,
	domain,
	ownership: 'any',
	platforms: [],
});

/** One poll: what it emits, up to the given maximum, and the state after it, as n8n stores it. */
function poll(before: EventState | undefined, listed: One[], more: Record<string, unknown> = {}) {
	type More = { most?: number; now?: number; missing?: number };
	const { most = Infinity, now = NOW, missing = 0, ...settings } = more as More;
	const records = listed.map(({ id, time, on = ['a', 'b'] }) => {
		const firstSeenAt = time === undefined ? null : new Date(time).toISOString();
		const record = { id, firstSeenAt, domain: on.join(' ') };
		return triggerRecords.listedRecord('citedPage', record, {});
	});
	const circumstances = {
		...{ event: 'citedPage' as const, service: 'https://a.example', workspace: undefined, before },
		...{ filter: filterOf(''), lookback: 3 * DAY, emitExisting: false, ...settings },
	};
	const totals = [listed.length];
	const reading = { listed: records, isWhole: true, missing, totals, order: undefined, now };
	const found = new discovery.Discovery(circumstances, reading);
	const state = found.stateWithout(new Set(found.due.slice(most)));
	return {
		found: found.due.slice(0, most).map(({ id }) => id),
		state: JSON.parse(JSON.stringify(state)) as EventState,
	};
}

const first = (listed: One[] = [], more = {}) => poll(undefined, listed, more).state;
const daysAgo = (days: number) => NOW - days * DAY;

describe('what is new', () => {
	const listed = [
		{ id: 'old', time: daysAgo(30) },
		{ id: 'recent', time: daysAgo(1) },
		{ id: 'undated' },
	];

	it('finds nothing at first, and no existing record later', () => {
		const state = first(listed);
		expect(state).toMatchObject({ watermark: daysAgo(1), floor: daysAgo(4) });
		expect(poll(state, listed).found).toEqual([]);
		expect(poll(undefined, listed).found).toEqual([]);
	});

	it('finds existing records on request, oldest first, those without a time last', () => {
		const { found } = poll(undefined, [...listed].reverse(), { emitExisting: true });
		expect(found).toEqual(['old', 'recent', 'undated']);
	});

	it('keeps the order of equals', () => {
		const equals = [{ id: 'x' }, { id: 'b', time: NOW }, { id: 'y' }, { id: 'c', time: NOW }];
		expect(poll(first(), equals).found).toEqual(['b', 'c', 'x', 'y']);
	});

	it('treats a record at the floor as new, and an older one as known', () => {
		const state = first([{ id: 'x', time: NOW }]);
		const around = [
			{ id: 'at', time: daysAgo(3) },
			{ id: 'before', time: daysAgo(3) - 1 },
		];
		const later = poll(state, around);
		expect(later.found).toEqual(['at']);
		expect(poll(later.state, around).found).toEqual([]);
	});

	it('does not let a future date become the watermark', () => {
		expect(first([{ id: 'f', time: NOW + 400 * DAY }]).watermark).toBe(NOW);
	});

	it('confirms what is older than the latest record, but not by one from the future', () => {
		const future = { id: 'f', time: NOW + DAY };
		expect(first([future]).confirmed).toBeUndefined();
		const state = first([{ id: 'x', time: daysAgo(2) }, { id: 'u' }, future]);
		expect(state.confirmed).toBe(daysAgo(2));
		expect(poll(state, [{ id: 'now', time: NOW }]).state.confirmed).toBe(NOW);
		expect(poll(state, []).state.confirmed).toBe(daysAgo(2));
		const held = poll(state, [{ id: 'held', time: daysAgo(1) }], { most: 0 });
		expect(held.state.confirmed).toBe(daysAgo(1));
		const late = poll(state, [{ id: 'late', time: daysAgo(3) }], { most: 0 });
		expect(late.state.confirmed).toBe(daysAgo(3));
		const some = poll(state, [{ id: 'some', time: NOW }], { missing: 1 });
		expect(some.state.confirmed).toBe(daysAgo(2));
	});

	it('takes times before 1970 as they are', () => {
		const state = first([{ id: 'a', time: -5 * DAY }, { id: 'u' }]);
		expect(state).toMatchObject({ watermark: -5 * DAY, floor: -8 * DAY });
		const late = { id: 'late', time: -7 * DAY };
		expect(poll(state, [late, { id: 'a', time: -5 * DAY }]).found).toEqual(['late']);
		expect(poll(state, [late, { id: 'too late', time: -9 * DAY }]).found).toEqual(['late']);
		expect(poll(state, []).state).toMatchObject({ watermark: -5 * DAY, floor: -8 * DAY });
	});

	it('never moves watermark or floor back, whatever is listed and set', () => {
		const record = fc.record({
			id: fc.string({ maxLength: 3 }),
			time: fc.integer({ min: NOW - 40 * DAY, max: NOW + 40 * DAY }),
		});
		const days = fc.integer({ min: 1, max: 10 });
		const most = fc.nat({ max: 3 });
		const polls = fc.array(fc.tuple(fc.array(record), days, most));
		fc.assert(
			fc.property(polls, (all) => {
				let state: EventState | undefined;
				for (const [records, lookback, limit] of all) {
					const after = poll(state, records, { lookback: lookback * DAY, most: limit }).state;
					for (const mark of ['watermark', 'floor'] as const) {
						expect(after[mark] ?? -Infinity).toBeGreaterThanOrEqual(state?.[mark] ?? -Infinity);
					}
					state = after;
				}
			}),
		);
	});

	it('needs less than 100 KB for 5,000 discoveries within the look-back', () => {
		const many = Array.from({ length: 5000 }, (_, n) => ({
			id: `8f14e45f-ceea-467f-a0e6-${String(n).padStart(12, '0')}`,
			time: NOW - (n / 5000) * 3 * DAY,
		}));
		const state = first(many);
		const size = JSON.stringify({ version: 1, events: { citedPage: state } }).length;
		expect(size).toBeGreaterThan(5000 * 18);
		expect(size).toBeLessThan(100_000);
		expect(poll(state, many).found).toEqual([]);
	});
});

describe('what is still due', () => {
	it('stays due if there is more than allowed, however far apart the times are', () => {
		let state = first();
		const listed = Array.from({ length: 10 }, (_, n) => ({ id: `r${n}`, time: daysAgo(n * 2) }));
		const found: string[] = [];
		for (let n = 0; n < 5; n++) {
			const result = poll(state, listed, { most: 3 });
			found.push(...result.found);
			state = result.state;
		}
		expect(found).toEqual(listed.map(({ id }) => id).reverse());
	});

	it('is not passed by the floor when the look-back becomes shorter', () => {
		const listed = Array.from({ length: 1000 }, (_, n) => ({
			id: `r${n}`,
			time: NOW - n * 200_000,
		}));
		const held = poll(first([{ id: 'x', time: daysAgo(10) }]), listed, { most: 300 });
		const rest = poll(held.state, listed, { lookback: DAY });
		expect(held.found.length + rest.found.length).toBe(1000);
		expect(poll(rest.state, listed, { lookback: DAY }).found).toEqual([]);
		expect(rest.state.floor).toBe(daysAgo(1));
	});

	it('counts as undated while it is held back without a time', () => {
		const dated = { id: 'x', time: NOW };
		const held = poll(first([dated]), [dated, { id: 'u' }], { most: 0 });
		expect(poll(held.state, [dated, { id: 'u' }]).found).toEqual(['u']);
	});
});

describe('a changed filter', () => {
	const wide = { id: 'both', time: daysAgo(1) };
	const hidden = { id: 'hidden', time: daysAgo(1), on: ['b'] };
	const [a, b] = [filterOf('a'), filterOf('b')];

	it('is not a new start: records since the last poll are new, those hidden before are known', () => {
		const state = first([wide, hidden], { filter: a });
		const fresh = { id: 'fresh', time: NOW + HOUR, on: ['b'] };
		const after = poll(state, [wide, hidden, fresh], { filter: b, now: NOW + 2 * HOUR });
		expect(after.found).toEqual(['fresh']);
		expect(poll(after.state, [wide, hidden, fresh], { filter: b }).found).toEqual([]);
	});

	it('lets the time of the last poll decide, which itself is known', () => {
		const state = first([wide], { filter: a });
		const at = (time: number) => ({ id: `t${time}`, time, on: ['b'] });
		const listed = [at(NOW), at(NOW + 1)];
		expect(poll(state, listed, { filter: b, now: NOW + HOUR }).found).toEqual([`t${NOW + 1}`]);
	});

	it('keeps due records due: late ones, and those held back', () => {
		const state = poll(first([wide], { filter: a }), [{ id: 'held', time: daysAgo(2) }], {
			filter: a,
			most: 0,
		}).state;
		const late = { id: 'late', time: daysAgo(1.5) };
		const { found } = poll(state, [wide, { id: 'held', time: daysAgo(2) }, late], { filter: b });
		expect(found).toEqual(['held', 'late']);
	});

	it('does not forget what was emitted while it was out of sight', () => {
		const state = first([], { filter: a });
		const emitted = poll(state, [wide], { filter: a });
		expect(emitted.found).toEqual(['both']);
		const away = poll(emitted.state, [], { filter: b });
		expect(poll(away.state, [wide], { filter: a }).found).toEqual([]);
	});

	it('does not make records new that it hid and that have no time', () => {
		const undated = { id: 'u', on: ['b'] };
		const { state, found } = poll(first([wide, undated], { filter: a }), [wide, undated], {
			filter: b,
		});
		expect(found).toEqual([]);
		expect(poll(state, [wide, undated], { filter: b }).found).toEqual([]);
	});
});

describe('times that are missing', () => {
	it('make a list fail that had some', () => {
		const state = first([{ id: 'a', time: NOW }]);
		expect(() => poll(state, [{ id: 'a' }, { id: 'b' }])).toThrow(pollFailures.TimesMissing);
		expect(poll(state, []).found).toEqual([]);
		expect(poll(state, [{ id: 'a', time: NOW }, { id: 'b' }]).found).toEqual(['b']);
	});

	it('do not make a list fail that never had any', () => {
		const state = first([{ id: 'a' }]);
		expect([state.watermark, state.floor]).toEqual([undefined, undefined]);
		expect(poll(state, [{ id: 'a' }, { id: 'b' }]).found).toEqual(['b']);
	});

	it('are remembered for one look-back after the record was last listed', () => {
		const at = (days: number) => ({ now: NOW + days * DAY });
		const there = first([{ id: 'u' }, { id: 'gone' }], at(0));
		const later = poll(there, [{ id: 'u' }], at(2.9)).state;
		expect(poll(later, [{ id: 'u' }, { id: 'gone' }], at(3)).found).toEqual([]);
		const latest = poll(later, [{ id: 'u' }], at(4)).state;
		expect(poll(latest, [{ id: 'u' }, { id: 'gone' }], at(4)).found).toEqual(['gone']);
	});

	it('are remembered although the clock of the service was set back', () => {
		const dated = { id: 'x', time: NOW };
		const back = { now: NOW - 10 * DAY };
		const after = poll(first([dated]), [dated, { id: 'u' }], back);
		expect(after.found).toEqual(['u']);
		expect(poll(after.state, [dated, { id: 'u' }], back).found).toEqual([]);
	});
});

describe('what could not be read', () => {
	const [old, recent] = [
		{ id: 'old', time: daysAgo(5) },
		{ id: 'recent', time: daysAgo(1) },
	];

	it('is found later, because the floor stays: nothing is lost, and nothing comes twice', () => {
		const state = first([old]);
		const some = poll(state, [old, recent], { missing: 1 });
		expect(some.found).toEqual(['recent']);
		expect(some.state).toMatchObject({ floor: state.floor, incomplete: 1 });
		const next = poll(some.state, [old, recent], { missing: 1, now: NOW + 9 * DAY });
		expect(next.state).toMatchObject({ floor: state.floor, incomplete: 2 });
		const rest = poll(next.state, [old, recent, { id: 'rest', time: daysAgo(2) }]);
		expect(rest.found).toEqual(['rest']);
		expect(rest.state.incomplete).toBe(0);
	});

	it('existed before a first poll, so only what is newer than all that it found is new', () => {
		const state = first([old, recent], { missing: 7 });
		const later = [
			{ id: 'was missing', time: daysAgo(1) },
			{ id: 'new', time: NOW },
		];
		expect(poll(state, later).found).toEqual(['new']);
	});

	it('comes with the next polls if existing records were asked for', () => {
		const { found, state } = poll(undefined, [recent], { missing: 1, emitExisting: true });
		expect(found).toEqual(['recent']);
		expect(poll(state, [old, recent]).found).toEqual(['old']);
	});

	it('is looked for once more even if a reading seemed whole: the floor follows one poll later', () => {
		const before = first([old]);
		const jump = poll(before, [old, { id: 'new', time: NOW }]);
		expect(jump.state.floor).toBe(daysAgo(8));
		expect(poll(jump.state, [{ id: 'missed', time: daysAgo(7) }]).found).toEqual(['missed']);
		expect(poll(jump.state, []).state.floor).toBe(daysAgo(3));
	});
});

describe('the memory', () => {
	const START_HOUR = 480_000;
	const START = START_HOUR * HOUR;
	const hoursOf = ({ seen }: EventState) => Object.values(seen).map((hour) => hour - START_HOUR);

	it('keeps 8 characters of each ID with the hour of its time', () => {
		const state = first(
			[START - 1, START, START + HOUR - 1].map((time) => ({ id: `t${time}`, time })),
		);
		expect(hoursOf(state)).toEqual([-1, 0, 0]);
		expect(Object.keys(state.seen).map((hash) => hash.length)).toEqual([8, 8, 8]);
	});

	it('needs no IDs of records that are older than the floor', () => {
		const state = first([
			{ id: 'old', time: START - 9 * DAY },
			{ id: 'x', time: START },
		]);
		expect(hoursOf(state)).toEqual([0]);
	});

	it('forgets an hour once the floor has passed all of it', () => {
		const state = first([START - 1, START].map((time) => ({ id: `t${time}`, time })));
		const to = (time: number) => hoursOf(poll(poll(state, [{ id: 'new', time }]).state, []).state);
		expect(to(START + 3 * DAY - 1)).toEqual([-1, 0, 71]);
		expect(to(START + 3 * DAY)).toEqual([0, 72]);
	});

	it('keeps an ID under the latest time that it had', () => {
		const state = first([{ id: 'a', time: START }]);
		const at = (time: number) => hoursOf(poll(state, [{ id: 'a', time }]).state);
		expect(at(START - 2 * HOUR)).toEqual([0]);
		expect(at(START + 2 * HOUR)).toEqual([2]);
	});

	it('tells records apart however many there are, and in whatever order they are listed', () => {
		const many = Array.from({ length: 10_000 }, (_, n) => ({ id: `many-${n}`, time: START }));
		const state = first(many);
		expect(Object.keys(state.seen)).toHaveLength(10_000);
		const more = [...many, { id: 'many-10000', time: START }].reverse();
		const later = poll(state, more);
		expect(later.found).toEqual(['many-10000']);
		expect(poll(later.state, more).found).toEqual([]);
	});
});
