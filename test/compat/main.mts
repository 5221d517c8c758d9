import { parseArgs } from 'node:util';

import { itemAt } from '../defined.mts';
import { runEngineTests, type Result } from './engineTests.mts';
import { installEngine, VERSIONS, type Version } from './versions.mts';

const USAGE = `Usage: npm run test:compat -- [--only VERSION,…]
Runs the engine tests with several versions of n8n's engine.
  --only  some of them, such as 1.123 or 2.0.3; there are ${VERSIONS.map(({ n8n }) => n8n).join(', ')}`;

const HEAD = ['n8n', 'n8n-core', 'n8n-workflow', 'Node', 'Passed', 'Skipped', 'Failed', 'Seconds'];

const { values } = parseArgs({
	options: {
		only: { type: 'string' },
		help: { type: 'boolean', default: false },
	},
});

function chosen(): Version[] {
	const names = values.only?.split(',');
	if (!names) return VERSIONS;
	const found = names.flatMap((name) => {
		const fitting = VERSIONS.filter(({ n8n }) => `${n8n}.`.startsWith(`${name}.`));
		if (fitting.length === 0) throw new Error(`There is no version ${name}.\n${USAGE}`);
		return fitting;
	});
	return VERSIONS.filter((version) => found.includes(version));
}

/** Why this does not count as a pass. */
function problemsOf({ version, passed, skipped, failed }: Result): string[] {
	const problems = [...failed];
	if (passed === 0) problems.push('No test passed');
	// The tests are written for the newest version, which must not lack anything
	if (version === VERSIONS.at(-1) && skipped > 0) problems.push(`${skipped} tests were skipped`);
	return problems;
}

function rowOf({ version, passed, skipped, failed, seconds }: Result): string[] {
	const { n8n, core, workflow } = version;
	const counts = [passed, skipped, failed.length].map(String);
	return [n8n, core, workflow, process.versions.node, ...counts, seconds.toFixed(0)];
}

function table(results: Result[]): string {
	const rows = [HEAD, HEAD.map(() => '---'), ...results.map(rowOf)];
	const widths = HEAD.map((_, column) =>
		Math.max(...rows.map((row) => itemAt(row, column).length)),
	);
	const line = (row: string[]) =>
		row.map((cell, column) => cell.padEnd(itemAt(widths, column))).join(' | ');
	return rows.map((row) => `| ${line(row)} |`).join('\n');
}

async function main(): Promise<void> {
	const log = (line: string) => console.error(line);
	const results: Result[] = [];
	for (const version of chosen()) {
		const engine = await installEngine(version, log);
		log(`n8n ${version.n8n}: the engine tests run`);
		const result = await runEngineTests(version, engine);
		for (const problem of problemsOf(result)) log(`n8n ${version.n8n}: ${problem}`);
		results.push(result);
	}
	console.log(table(results));
	const isGood = results.every((result) => problemsOf(result).length === 0);
	if (!isGood) process.exitCode = 1;
}

if (values.help) console.log(USAGE);
else await main();
