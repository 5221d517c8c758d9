/** In which range a share usually moves: a process behaviour chart (XmR), as Wheeler describes it. */

/** So many whole parts before a part are needed to tell what is usual. */
const FEWEST_PARTS = 4;
/** So many are looked at, if there are more. */
export const MOST_PARTS_BEFORE = 8;

/** Nearly all values stay within so many mean changes of their mean, if nothing happens. */
const WIDTH = 2.66;

/** Shares in percent, with one decimal. All are null if too little is known. */
export interface UsualRange {
	low: number | null;
	high: number | null;
	isUnusual: boolean | null;
}

export const UNKNOWN_RANGE: UsualRange = { low: null, high: null, isUnusual: null };

/**
 * @param before the shares of the whole parts directly before, the oldest first, in percent; null for one without citations
 * @param share the share to judge
 * @returns the mean of the shares before, plus and minus 2.66 times their mean change from one to the next, within 0 and 100
 */
export function usualRange(
	before: Array<number | null>,
	share: number | null | undefined,
): UsualRange {
	const known = before.slice(-MOST_PARTS_BEFORE).filter((one) => one !== null);
	if (known.length < FEWEST_PARTS || typeof share !== 'number') return UNKNOWN_RANGE;
	const changes = known.slice(1).map((one, index) => Math.abs(one - (known[index] ?? one)));
	const mean = meanOf(known);
	const width = WIDTH * meanOf(changes);
	const low = Math.max(0, rounded(mean - width));
	const high = Math.min(100, rounded(mean + width));
	return { low, high, isUnusual: share < low || share > high };
}

const meanOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

const rounded = (value: number) => Math.round(10 * value) / 10;
