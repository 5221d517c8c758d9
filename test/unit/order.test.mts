import { expect, it } from 'vitest';

import { isInOrder, isOpposite } from '../../nodes/shared/lists/order.ts';

const of = (...values: unknown[]) => values.map((value) => ({ value: value as string }));

it.each<[boolean, boolean, unknown[]]>([
	[true, true, [1, 2, 2, 10]],
	[false, true, [1, 10, 2]],
	[true, true, ['2', '10']],
	[true, false, [10, 2, null, 1, undefined]],
	[false, false, [10, null, '', 20]],
	[true, true, [5, '', 6]],
	// Instants, not texts
	[true, true, ['2026-01-01T12:00:00+02:00', '2026-01-01T11:00:00Z']],
	[false, true, ['2026-01-02', '2026-01-01T11:00:00Z']],
	// Databases collate texts in many ways
	[true, true, ['zeta.example', 'alpha.example']],
	[true, true, [undefined, undefined]],
])('isInOrder is %j (ascending: %j) for %j', (isIt, isAscending, values) => {
	expect(isInOrder(of(...values), { field: 'value', isAscending })).toBe(isIt);
});

it.each<[boolean, unknown[], unknown[]]>([
	[true, [1, 2, 3], [3, 2]],
	[true, [7, 7], [7]],
	// The same order again: it was ignored
	[false, [3, 2, 1], [3, 2]],
	// Databases put what is missing last, or where the opposite order demands it
	[true, [null, 1, 2], [2, 1, null]],
	[false, [1, 2, null], [2, 1, null]],
	[true, [1, 2, undefined], [null, 2, 1]],
	// Nothing shows it
	[false, [null, undefined], [null]],
])('isOpposite is %j for %j after %j', (isIt, values, own) => {
	const order = { field: 'value', isAscending: true };
	expect(isOpposite(of(...values), order, of(...own))).toBe(isIt);
});
