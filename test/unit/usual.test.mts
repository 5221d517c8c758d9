import { expect, it } from 'vitest';

import { addUsual } from '../../nodes/SearchVisibility/resources/citedPage/usual.ts';

/** Shares of parts, of which a text is a partial one; `null` has no citations. @returns what is said of the last part */
function usual(...shares: Array<number | string | null>) {
	const items = shares.map((share) => ({ ownShare: share === null ? null : Number(share) }));
	const period = { startDate: '', endDate: '', days: 7 };
	addUsual(
		items,
		shares.map((share) => ({ ...period, isWhole: typeof share !== 'string' })),
	);
	return items.at(-1);
}

const BEFORE = [10, 12, 11, 13, 12, 11, 12, 10];
const range = (ownShareUsualLow: number | null, ownShareUsualHigh: number | null) => ({
	...{ ownShareUsualLow, ownShareUsualHigh },
});

it.each([
	// Mean 11.375, mean change 10 / 7
	['inside', [99, ...BEFORE, 8], { ...range(7.6, 15.2), isUnusual: false }],
	['below', [...BEFORE, 7.5], { ...range(7.6, 15.2), isUnusual: true }],
	['above', [...BEFORE, 15.3], { ...range(7.6, 15.2), isUnusual: true }],
	['with four parts before it', [1, 5, 1, 5, 0], { ...range(0, 13.6), isUnusual: false }],
	['with three', [1, 5, 1, 9], { ...range(null, null), isUnusual: null }],
	['with three that count', ['1', 5, null, 1, 5, 9], { ...range(null, null), isUnusual: null }],
	['without citations', [...BEFORE, null], { ...range(null, null), isUnusual: null }],
	['where nothing changed before', [0, 0, 0, 0, 0.1], { ...range(0, 0), isUnusual: true }],
])('a share is %s', (_what, shares, expected) => {
	expect(usual(...shares)).toMatchObject(expected);
});
