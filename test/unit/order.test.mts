import { expect, it } from 'vitest';

import { isInOrder } from '../../nodes/shared/lists/order.ts';

const of = (...values: unknown[]) => values.map((value) => ({ value: value as string }));

it.each<[boolean, boolean, unknown[]]>([
	[true, true, [1, 2, 2, 10]],
	[false, true, [1, 10, 2]],
	[true, true, ['2', '10']],
	[true, false, [10, 2, null, 1, undefined]],
	[false, false, [10, null, '', 20]],
	[true, true, [5, '', 6]],
	[true, false, [2, 2, 'b', 'a', 'a']],
	// Instants, not texts
	[true, true, ['2026-01-01T12:00:00+02:00', '2026-01-01T11:00:00Z']],
	[false, true, ['2026-01-02', '2026-01-01T11:00:00Z']],
	// Databases sort what follows the first letter in many ways
	[true, true, ['a-c.example', 'ab.example', 'Beta', '_x', 'beta', 'ö']],
	[false, true, ['zeta.example', 'alpha.example']],
	[true, true, []],
	[true, true, [{ a: 1 }, 3]],
])('isInOrder is %j (ascending: %j) for %j', (isIt, isAscending, values) => {
	expect(isInOrder(of(...values), 'value', isAscending)).toBe(isIt);
});

it('records without the field are in any order', () => {
	expect(isInOrder([{ other: 2 }, { other: 1 }], 'value', true)).toBe(true);
});
