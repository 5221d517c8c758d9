import { writeSync } from 'node:fs';

import fc from 'fast-check';
import { expect, it } from 'vitest';

import { amount, SEED } from '../seed.mts';
import { inParallel } from './helpers.mts';
import type { Violation } from './randomOracle.mts';
import { perform } from './randomPlayer.mts';
import { play, type Play } from './randomPlays.mts';

/**
 * Random uses of the node under random faults, judged by what the sandbox saw.
 * RANDOM_RUNS=5000 makes a long run, SEED=… repeats a run, RANDOM_PLAY=… repeats one play as it was printed.
 * RANDOM_SHRINK: seconds to spend on making each failure smaller.
 */
const ONE_PLAY = process.env.RANDOM_PLAY;
const RUNS = ONE_PLAY ? 1 : Number(process.env.RANDOM_RUNS ?? amount(20, 600));
const SHRINK_MS = ONE_PLAY ? 0 : Number(process.env.RANDOM_SHRINK ?? 30) * 1000;
/** How many plays run at the same time; they mostly wait. */
const AT_ONCE = 40;

/** A rule that some play of a subject broke. */
interface Found extends Violation {
	/** The first play that broke it */
	run: number;
	play: Play;
	times: number;
}

async function search(): Promise<Found[]> {
	const plays = ONE_PLAY
		? [JSON.parse(ONE_PLAY) as Play]
		: fc.sample(play, { numRuns: RUNS, seed: SEED });
	const found = new Map<string, Found>();
	await inParallel([...plays.entries()], AT_ONCE, async ([run, one]) => {
		const violations = await perform(one);
		for (const rule of new Set(violations.map((violation) => violation.rule))) {
			const { says } = violations.find((violation) => violation.rule === rule) as Violation;
			const key = `${rule}: ${one.subject}`;
			const known = found.get(key);
			const first = known && known.run < run ? known : { rule, says, run, play: one };
			found.set(key, { ...first, times: (known?.times ?? 0) + 1 });
		}
	});
	return [...found.values()].sort((a, b) => a.rule.localeCompare(b.rule) || a.run - b.run);
}

/** Makes the play that broke the rule smaller. */
async function smaller({ rule, run }: Found): Promise<string> {
	const property = fc.asyncProperty(play, async (one) => {
		const violation = (await perform(one)).find((each) => each.rule === rule);
		if (violation) throw new Error(violation.says);
	});
	const result = await fc.check(property, {
		seed: SEED,
		path: String(run),
		numRuns: 1,
		interruptAfterTimeLimit: SHRINK_MS,
	});
	const [least] = result.counterexample ?? [];
	if (!least) return '  (not again)';
	const { message } = result.errorInstance as Error;
	return `  smallest (path ${result.counterexamplePath}): ${message}\n  ${JSON.stringify(least)}`;
}

const shown = ({ rule, says, run, times, play: { subject } }: Found) =>
	`${rule}: ${subject}, ${times} times, first in run ${run}: ${says}`;

async function report(found: Found[]): Promise<string> {
	const isFirst = ({ rule }: Found, n: number) => found.findIndex((one) => one.rule === rule) === n;
	const texts = await Promise.all(
		found.map(async (one, n) => {
			const least = isFirst(one, n) && SHRINK_MS > 0 ? [await smaller(one)] : [];
			return [shown(one), `  ${JSON.stringify(one.play)}`, ...least].join('\n');
		}),
	);
	return texts.join('\n\n');
}

it(
	`${RUNS} random uses of the node: nothing twice, nothing lost, no wrong record (seed ${SEED})`,
	{ timeout: 180_000 + RUNS * 2000 },
	async () => {
		const text = await report(await search());
		if (text) writeSync(2, `\nSEED=${SEED} RANDOM_RUNS=${RUNS}\n\n${text}\n\n`);
		expect(text).toBe('');
	},
);
