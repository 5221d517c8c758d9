import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeType } from 'n8n-workflow';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';

import { defined } from '../defined.mts';
import { standIns } from '../demo/standIns.mts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { PACKAGE_FOLDER, runWorkflow, type WorkflowFile } from './engine.mts';

/* What the clock decides; all examples run in a real n8n. */

const otherTypes: Record<string, INodeType> = {
	...standIns,
	'n8n-nodes-base.scheduleTrigger': defined(standIns['n8n-nodes-base.manualTrigger']),
};

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ empty: true });
});
afterEach(() => vi.useRealTimers());
afterAll(() => sandbox.close());

function readExample(file: string): WorkflowFile {
	const path = join(PACKAGE_FOLDER, 'examples', file);
	const { nodes, ...rest } = JSON.parse(readFileSync(path, 'utf8')) as WorkflowFile;
	return { ...rest, nodes: nodes.filter(({ type }) => !type.endsWith('.stickyNote')) };
}

const LAST_WEEK = ['2030-01-07', '2030-01-13'];

it.each([
	['America/Los_Angeles', '2030-01-14T16:00:00Z', LAST_WEEK],
	['Europe/Berlin', '2030-01-14T07:00:00Z', LAST_WEEK],
	// Still Sunday in UTC, so Sunday is not over
	['Asia/Tokyo', '2030-01-13T23:00:00Z', ['2030-01-06', '2030-01-12']],
	['Australia/Sydney', '2030-01-13T21:00:00Z', ['2030-01-06', '2030-01-12']],
])(
	'weekly-visibility-digest.json, on a Monday at 8 in %s, reports the last 7 full days',
	async (timezone, now, [startDate, endDate]) => {
		vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) });
		const local = new Date().toLocaleString('en-GB', {
			timeZone: timezone,
			weekday: 'long',
			hour: 'numeric',
		});
		expect(local).toMatch(/^Monday.*8$/);
		const example = readExample('weekly-visibility-digest.json');
		const settings = { ...example.settings, timezone };
		sandbox.clearLog();
		const [SUMMARY, START] = ['Summarize by week', 'Every Monday'];
		const nodes = example.nodes.filter(({ name }) => [SUMMARY, START].includes(name));
		const run = await runWorkflow(
			sandbox,
			{
				...{ name: example.name, nodes, settings },
				connections: { [START]: defined(example.connections[START]) },
			},
			{ start: START, items: [{}], otherTypes },
		);
		expect(run.data.resultData.error).toBeUndefined();
		const weeks = run.data.resultData.runData[SUMMARY]?.[0]?.data?.main?.[0] ?? [];
		expect(weeks).toHaveLength(8);
		expect(weeks.at(-1)?.json).toMatchObject({ startDate, endDate, days: 7 });
	},
);
