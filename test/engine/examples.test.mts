import { createRequire } from 'node:module';

import { afterEach, expect, it } from 'vitest';

import { defined } from '../defined.mts';
import { standIns } from '../demo/standIns.mts';
import { read } from '../docs/markdown.mts';
import { useSandbox } from '../sandbox/useSandbox.mts';
import { runWorkflow, type WorkflowFile } from './engine.mts';

/* What the clock decides; all examples run in a real n8n. */

const sandbox = await useSandbox({ empty: true });

/** The clock of n8n's expressions; that of the process also sets the timers of the sandbox's database. */
const { Settings: clock } = createRequire(createRequire(import.meta.url).resolve('n8n-workflow'))(
	'luxon',
) as { Settings: { now: () => number } };
afterEach(() => void (clock.now = Date.now));

const DIGEST = JSON.parse(read('examples/weekly-visibility-digest.json')) as WorkflowFile;
const SUMMARY = 'Summarize by week';
const START = 'Every Monday';

it.each([
	['America/Los_Angeles', '2030-01-14T16:00:00Z', ['2030-01-07', '2030-01-13']],
	// Still Sunday in UTC, so Sunday is not over
	['Asia/Tokyo', '2030-01-13T23:00:00Z', ['2030-01-06', '2030-01-12']],
])(
	'weekly-visibility-digest.json, on a Monday at 8 in %s, reports the last 7 full days',
	async (timezone, now, [startDate, endDate]) => {
		const time = new Date(now);
		clock.now = () => time.getTime();
		const options = { timeZone: timezone, weekday: 'long', hour: 'numeric' } as const;
		expect(time.toLocaleString('en-GB', options)).toMatch(/^Monday.*8$/);
		const part = {
			name: DIGEST.name,
			nodes: DIGEST.nodes.filter(({ name }) => [SUMMARY, START].includes(name)),
			connections: { [START]: defined(DIGEST.connections[START]) },
			settings: { ...DIGEST.settings, timezone },
		};
		const run = await runWorkflow(sandbox, part, {
			start: START,
			items: [{}],
			otherTypes: standIns,
		});
		expect(run.data.resultData.error).toBeUndefined();
		const weeks = run.data.resultData.runData[SUMMARY]?.[0]?.data?.main?.[0] ?? [];
		expect(weeks).toHaveLength(8);
		expect(weeks.at(-1)?.json).toMatchObject({ startDate, endDate, days: 7 });
	},
);
