import fc from 'fast-check';

/**
 * The seed of everything random in the tests. `npm test` plays the same each time, so that it cannot fail by chance;
 * SEED=random makes it play something new, SEED=<number> repeats a run, whose tests print their seed.
 */
export const SEED = seedOf(process.env.SEED ?? '20261121');

function seedOf(text: string): number {
	const seed = text === 'random' ? Date.now() % 2 ** 31 : Number(text);
	if (!Number.isSafeInteger(seed))
		throw new Error(`SEED must be a whole number or random: ${text}`);
	return seed;
}

/** THOROUGH=1 also plays what only repeats the rest: more random uses, and every pair where `npm test` plays some of them. */
export const IS_THOROUGH = process.env.THOROUGH === '1';

/** @returns one number for `npm test`, and another one for when there is time */
export const amount = (usual: number, thorough: number) => (IS_THOROUGH ? thorough : usual);

/** @returns the entries of a list to play in a turn: all of them, or one of so many, others in other turns */
export const shareOf = <T,>(list: readonly T[], turn: number, of: number): T[] =>
	list.filter((_, n) => IS_THOROUGH || (n + turn) % of === 0);

fc.configureGlobal({ seed: SEED });
