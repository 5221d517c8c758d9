import type { IDataObject } from 'n8n-workflow';

import type { Period } from './period';

/** How many parts before a part tell what is usual */
const [FEWEST, MOST] = [4, 8];

/** Of a process behaviour chart (Wheeler): nearly all values stay within so many mean changes of their mean, if nothing happens. */
const WIDTH = 2.66;

/**
 * Says of each part whether its share is outside of the range in which the shares before it moved. Partial parts and parts
 * without citations say nothing, and have no range.
 * @param items oldest first, one for each part
 */
export function addUsual(items: IDataObject[], parts: Period[]): void {
	const past = new Map<unknown, number[]>();
	for (const [index, item] of items.entries()) {
		if (!parts[index]?.isWhole) continue;
		const entryOf = (key: unknown, share: unknown) => {
			const before = past.get(key) ?? [];
			past.set(key, typeof share === 'number' ? [...before, share].slice(-MOST) : before);
			return rangeOf(before, share);
		};
		const { low, high, isUnusual } = entryOf('', item.ownShare);
		Object.assign(item, { ownShareUsualLow: low, ownShareUsualHigh: high, isUnusual });
		for (const brand of (item.competitors ?? []) as IDataObject[]) {
			const { low, high, isUnusual } = entryOf(
				`${brand.isOwn} ${brand.domain} ${brand.name}`,
				brand.share,
			);
			Object.assign(brand, { usualLow: low, usualHigh: high, isUnusual });
		}
	}
}

function rangeOf(before: number[], share: unknown) {
	if (before.length < FEWEST || typeof share !== 'number') {
		return { low: null, high: null, isUnusual: null };
	}
	const mean = meanOf(before);
	const change = meanOf(before.slice(1).map((value, i) => Math.abs(value - (before[i] ?? value))));
	const low = Math.max(0, rounded(mean - WIDTH * change));
	const high = rounded(mean + WIDTH * change);
	return { low, high, isUnusual: share < low || share > high };
}

const meanOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

const rounded = (value: number) => Math.round(10 * value) / 10;
