import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import * as times from '../../nodes/shared/times.ts';

describe('the time of a record', () => {
	const time = Date.UTC(2026, 0, 31, 12, 30, 5);

	it.each([
		['2026-01-31T12:30:05Z', time],
		['2026-01-31T12:30:05.250Z', time + 250],
		['2026-01-31T12:30:05', time],
		['2026-01-31 12:30:05', time],
		['2026-01-31 12:30:05 +00:00', time],
		['2026-01-31T14:30:05+02:00', time],
		['2026-01-31T14:30:05+0200', time],
		['2026-01-31T10:30:05-02', time],
		[' 2026-01-31t12:30:05z ', time],
		['2026-01-31T12:30', time - 5000],
		['2026-01-31', Date.UTC(2026, 0, 31)],
	])('%s is read in UTC', (text, expected) => {
		expect(times.timeOf(text)).toBe(expected);
	});

	it('in the form of the contract is what the language reads, or not one', () => {
		const upTo = (max: number) =>
			fc.integer({ min: 0, max }).map((number) => String(number).padStart(2, '0'));
		const days = fc.tuple(fc.integer({ min: 1970, max: 9999 }), upTo(13), upTo(32));
		const clocks = fc.tuple(upTo(25), upTo(60), upTo(60));
		const fractions = fc.constantFrom('', '.000', '.007', '.250', '.5', '.123456');
		fc.assert(
			fc.property(days, clocks, fractions, (day, clock, fraction) => {
				const text = `${day.join('-')}T${clock.join(':')}${fraction}Z`;
				const expected = Date.parse(text);
				expect(times.timeOf(text)).toBe(Number.isNaN(expected) ? undefined : expected);
			}),
			{ numRuns: 1000, examples: [[[2026, '02', '29'], ['12', '00', '00'], '']] },
		);
	});

	it.each([
		...[null, undefined, '', 'yesterday', '2026-13-31', '31/01/2026', '5', 1769862605000, {}],
		...['on 2026-01-31', '2026-01-31 or so', '2026-01-31T12:3', '2026-01-31T12:30:05Z or so'],
	])('%j is not one', (value) => {
		expect(times.timeOf(value)).toBeUndefined();
	});
});
