import fc from 'fast-check';
import { expect, it } from 'vitest';

import { amount, SEED } from '../seed.mts';
import { runHistory } from './triggerModel.mts';
import { historyOf, type History } from './triggerSteps.mts';

const runs = Number(process.env.HISTORIES ?? amount(500, 3000));

const CALM: Omit<History, 'steps' | 'undatedAre' | 'settings' | 'existing'> = {
	skew: 0,
	tellsTime: false,
	format: 'iso',
	sorting: 'kept',
	isDurable: false,
	canReport: false,
	emitExisting: false,
	firstFaults: [],
};

const ALL: History['settings'] = {
	ownership: 'any',
	platforms: [],
	domain: '',
	includeProcessed: true,
	lookbackDays: 1,
	maxItems: 1,
};

/** Found once by 100,000 histories, and kept so that it is found every time. */
const FOUND: History[] = [
	// A list becomes shorter between its first pages and the check of its end, where a record without a date has appeared
	{
		...CALM,
		steps: [
			{
				type: 'poll',
				faults: [],
				during: [
					{ at: 4, event: 'backlink', edit: { do: 'remove', which: 0 } },
					{ at: 0, event: 'backlink', edit: { do: 'undated' } },
				],
			},
			{ type: 'pass', hours: 96 },
		],
		undatedAre: 'last',
		settings: ALL,
		existing: 120,
	},
];

it(
	`nothing is lost and nothing is repeated (${runs} histories, seed ${SEED})`,
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
			{ numRuns: runs, examples: FOUND.map((history): [History] => [history]) },
		);
		console.info(`histories: ${runs}, seed: ${SEED}, ${JSON.stringify(totals)}`);
		// A history in which nothing happens proves nothing
		for (const [name, count] of Object.entries(totals)) {
			expect(count, name).toBeGreaterThan(runs / 20);
		}
	},
);
