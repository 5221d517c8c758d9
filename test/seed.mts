import fc from 'fast-check';

/**
 * The seed for everything random in the tests. `npm test` always uses the same, so that it cannot fail by chance.
 * SEED=random uses a new one, and SEED=<number> repeats a run whose tests printed that seed.
 */
export const SEED = seedOf(process.env.SEED ?? '20261121');

function seedOf(text: string): number {
	const seed = text === 'random' ? Date.now() % 2 ** 31 : Number(text);
	if (!Number.isSafeInteger(seed))
		throw new Error(`SEED must be a whole number or random: ${text}`);
	return seed;
}

/** THOROUGH=1 plays more of the same: more random runs, and all combinations where `npm test` plays a part of them. */
export const IS_THOROUGH = process.env.THOROUGH === '1';

/** @returns a number for `npm test`, or the one for a thorough run */
export const amount = (usual: number, thorough: number) => (IS_THOROUGH ? thorough : usual);

/** @returns a function that gives numbers from 0 to below 1, which look random and are the same in every run */
export function randomNumbers(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	};
}

/** Any characters of Unicode. `fc.string({ unit: 'binary' })` and `fc.webUrl()` each take a second to begin. */
export const anyText = (constraints?: fc.ArrayConstraints) =>
	fc.array(fc.nat({ max: 0x10ffff }), constraints).map((codes) => String.fromCodePoint(...codes));

// In the mutation check, the same few values for every mutant, so that the score can be reproduced
const isMutationCheck = process.env.MUTATION_CHECK === '1';
fc.configureGlobal(isMutationCheck ? { seed: 1, numRuns: 30, endOnFailure: true } : { seed: SEED });
