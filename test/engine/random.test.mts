import { writeSync } from 'node:fs';

import fc from 'fast-check';
import { expect, it } from 'vitest';

import { inParallel } from './helpers.mts';
import type { Violation } from './randomOracle.mts';
import { perform } from './randomPlayer.mts';
import { play, type Play } from './randomPlays.mts';

/**
 * Random uses of the node under random faults, judged by what the sandbox saw.
 * RANDOM_RUNS=5000 for a long run; RANDOM_SEED=… repeats one; RANDOM_SHRINK: seconds to make a failure smaller.
 */
const RUNS = Number(process.env.RANDOM_RUNS ?? 240);
const SEED_NUMBER = Number(process.env.RANDOM_SEED ?? Math.floor(Math.random() * 2 ** 31));
const SHRINK = Number(process.env.RANDOM_SHRINK ?? 30);
/** Plays mostly wait, so many at a time */
const AT_ONCE = 40;

interface Found extends Violation {
	run: number;
	play: Play;
	/** How many plays broke the same rule */
	times: number;
}

async function search(): Promise<Map<string, Found>> {
	const plays = fc.sample(play, { numRuns: RUNS, seed: SEED_NUMBER });
	const found = new Map<string, Found>();
	await inParallel([...plays.entries()], AT_ONCE, async ([run, one]) => {
		for (const violation of await perform(one)) {
			const known = found.get(violation.rule);
			const times = (known?.times ?? 0) + 1;
			const first = known && known.run < run ? known : { ...violation, run, play: one };
			found.set(violation.rule, { ...first, times });
		}
	});
	return found;
}

/** Makes the play smaller that broke the rule. */
async function smaller({ rule, run }: Found): Promise<string> {
	const property = fc.asyncProperty(play, async (one) => {
		const [violation] = (await perform(one)).filter((each) => each.rule === rule);
		if (violation) throw new Error(violation.says);
	});
	const result = await fc.check(property, {
		seed: SEED_NUMBER,
		path: String(run),
		numRuns: 1,
		interruptAfterTimeLimit: SHRINK * 1000,
	});
	const [least] = result.counterexample ?? [];
	const { message } = (result.errorInstance ?? {}) as Partial<Error>;
	if (!least) return 'It did not happen again.';
	return `Path ${result.counterexamplePath}, ${result.numShrinks} times made smaller: ${message}\n${JSON.stringify(least)}`;
}

const describeFound = (one: Found, least: string) =>
	`${one.rule} (${one.times} times, first in run ${one.run}): ${one.says}\n${JSON.stringify(one.play)}\n${least}`;

it(
	`${RUNS} random uses of the node (seed ${SEED_NUMBER})`,
	{ timeout: 120_000 + RUNS * 1000 },
	async () => {
		const found = [...(await search()).values()];
		const texts = await Promise.all(
			found.map(async (one) => describeFound(one, SHRINK > 0 ? await smaller(one) : '')),
		);
		const text = texts.join('\n\n');
		if (text) writeSync(2, `\nRANDOM_SEED=${SEED_NUMBER} RANDOM_RUNS=${RUNS}\n\n${text}\n`);
		expect(text).toBe('');
	},
);
