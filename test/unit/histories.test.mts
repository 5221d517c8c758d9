import fc from 'fast-check';
import { expect, it } from 'vitest';

import { runHistory } from './triggerModel.mts';
import { historyOf } from './triggerSteps.mts';

const runs = Number(process.env.HISTORIES ?? 2000);
const seed = Number(process.env.HISTORY_SEED ?? Date.now() % 1_000_000_000);

it(
	`nothing is lost and nothing comes twice (${runs} histories, seed ${seed})`,
	{ timeout: runs * 500 + 60_000 },
	async () => {
		const totals: Record<string, number> = {};
		await fc.assert(
			fc.asyncProperty(historyOf(), async (history) => {
				const counts = await runHistory(history);
				for (const [name, count] of Object.entries(counts)) {
					totals[name] = (totals[name] ?? 0) + count;
				}
			}),
			{ numRuns: runs, seed },
		);
		console.info(`histories: ${runs}, seed: ${seed}, ${JSON.stringify(totals)}`);
		// A history in which nothing happens proves nothing
		for (const [name, count] of Object.entries(totals)) {
			expect(count, name).toBeGreaterThan(runs / 20);
		}
	},
);
