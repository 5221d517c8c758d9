import { expect, it } from 'vitest';

import { usualRange } from '../../nodes/SearchVisibility/resources/citedPage/usual.ts';

const BEFORE = [10, 12, 11, 13, 12, 11, 12, 10];
const UNKNOWN = { low: null, high: null, isUnusual: null };

it.each([
	// Mean 11.375, mean change 10 / 7
	[
		'inside the range of the eight parts before',
		[99, ...BEFORE, 8],
		{ low: 7.6, high: 15.2, isUnusual: false },
	],
	['below it', [...BEFORE, 7.5], { low: 7.6, high: 15.2, isUnusual: true }],
	['above it', [...BEFORE, 15.3], { low: 7.6, high: 15.2, isUnusual: true }],
	['not above 100', [0, 100, 0, 100, 100], { low: 0, high: 100, isUnusual: false }],
	['not below 0', [1, 5, 1, 5, 0], { low: 0, high: 13.6, isUnusual: false }],
	['unknown with three parts before', [1, 5, 1, 9], UNKNOWN],
	['unknown with three that have citations among four', [1, null, 5, 1, 9], UNKNOWN],
	[
		'unknown if only parts further back have citations',
		[9, 9, 9, 9, 9, null, null, null, null, null, 1, 1, 9],
		UNKNOWN,
	],
	['unknown without citations', [...BEFORE, null], UNKNOWN],
	['unusual if nothing changed before', [0, 0, 0, 0, 0.1], { low: 0, high: 0, isUnusual: true }],
])('a share is %s', (_what, shares, expected) => {
	expect(usualRange(shares.slice(0, -1), shares.at(-1))).toEqual(expected);
});
