import { readFileSync } from 'node:fs';

import fc from 'fast-check';
import { expect, it } from 'vitest';

import { amount, SEED } from '../seed.mts';
import { runHistory } from './triggerModel.mts';
import { type History, histories } from './triggerSteps.mts';

/**
 * Those in which earlier runs found mistakes, such as an undated record, one from the future, or Max Items for another event.
 * The first two find the known faults (knownFaults.test.mts), which takes less time the earlier they come
 */
const found = JSON.parse(readFileSync(new URL('found.json', import.meta.url), 'utf8')) as {
	usual: Omit<History, 'steps'>;
	/** Each says what is special about it */
	histories: Array<Pick<History, 'steps'> & Partial<History>>;
};
const examples = found.histories.map(({ settings, ...others }): [History] => [
	{ ...found.usual, ...others, settings: { ...found.usual.settings, ...settings } },
]);

const runs = Number(process.env.HISTORIES ?? amount(16, 3000));

it(
	`the trigger loses no record and repeats none, whatever happens around it (${runs} histories, seed ${SEED})`,
	{ timeout: runs * 2000 + 180_000 },
	async () => {
		const totals: Record<string, number> = {};
		await fc.assert(
			fc.asyncProperty(histories, async (history) => {
				const counts = await runHistory(history);
				for (const [name, count] of Object.entries(counts)) {
					totals[name] = (totals[name] ?? 0) + count;
				}
			}),
			// knownFaults.test.mts needs no smallest history
			{ numRuns: runs, examples, endOnFailure: process.env.SHRINK === 'no' },
		);
		console.info(`histories: ${runs}, seed: ${SEED}, ${JSON.stringify(totals)}`);
		// A history in which nothing happens proves nothing
		const { neverComplete = 0, neverBegun = 0, ...others } = totals;
		for (const [name, count] of Object.entries(others)) {
			expect(count, name).toBeGreaterThan(runs / 20);
		}
		// Where equal records hide one for good, nobody can tell whether it was lost
		expect(neverComplete).toBeLessThan(5 + runs / 12);
		// The same keeps a first check from ending, and Article Ready, which has no times, from being complete
		expect(neverBegun).toBeLessThan(5 + runs / 12);
	},
);
