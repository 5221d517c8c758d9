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

fc.configureGlobal({ seed: SEED });
