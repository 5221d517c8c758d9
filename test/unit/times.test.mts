import { expect, it } from 'vitest';

import * as times from '../../nodes/shared/times.ts';

const time = Date.UTC(2026, 0, 31, 12, 30, 5);

it.each([
	['2026-01-31T12:30:05Z', time],
	['2026-01-31T12:30:05.123456Z', time + 123],
	['2026-01-31T12:30:05', time],
	['2026-01-31 12:30:05', time],
	['2026-01-31 12:30:05 +00:00', time],
	['2026-01-31T14:30:05+02:00', time],
	['2026-01-31T14:30:05+0200', time],
	['2026-01-31T10:30:05-02', time],
	[' 2026-01-31t12:30:05z ', time],
	['2026-01-31T12:30', time - 5000],
	['2026-01-31', Date.UTC(2026, 0, 31)],
])('the time of a record, %s, is read in UTC', (text, expected) => {
	expect(times.timeOf(text)).toBe(expected);
});

it.each([
	null,
	undefined,
	'',
	'yesterday',
	'2026-13-31',
	'31/01/2026',
	'5',
	1769862605000,
	{},
	'on 2026-01-31',
	'2026-01-31 or so',
	'2026-01-31T12:3',
	'2026-01-31T12:30:05Z or so',
])('%j is not the time of a record', (value) => {
	expect(times.timeOf(value)).toBeUndefined();
});
