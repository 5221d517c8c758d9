import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { parseArgs } from 'node:util';

import { defined } from '../defined.mts';
import { FIGURES, type Result, verdictOn } from './figures.mts';
import { GROUPS } from './groups/index.mts';
import type { Scale } from './groups/shared.mts';
import { barOf, intervalOf, noise, valueOf, writeDocs } from './report.mts';

const USAGE = `Usage: npm run bench -- [--quick] [--json FILE] [--docs] [--only GROUP,…]
  --quick  a tenth of the work, once: shows that everything runs, and judges nothing
  --json   writes the figures into a file
  --docs   writes docs/performance.md and docs/performance.svg
  --only   some groups: ${Object.keys(GROUPS).join(', ')}`;

const { values } = parseArgs({
	options: {
		quick: { type: 'boolean', default: false },
		json: { type: 'string' },
		docs: { type: 'boolean', default: false },
		only: { type: 'string' },
		help: { type: 'boolean', default: false },
	},
});

const FULL: Scale = { patience: { least: 6, seconds: 10 }, less: 1, mayInstall: true };
const QUICK: Scale = { patience: { least: 1, seconds: 0 }, less: 10, mayInstall: false };

function print(result: Result): void {
	const verdict = values.quick ? '-' : verdictOn(result);
	const columns = [
		result.name.padEnd(27),
		valueOf(result).padStart(9),
		intervalOf(result).padEnd(15),
		barOf(result).padEnd(14),
		verdict.padEnd(7),
	];
	const detail = [result.detail, result.isDisturbed && 'disturbed by other work'];
	console.log([...columns, detail.filter(Boolean).join('; ')].join('  ').trimEnd());
}

/** Other work on the machine disturbs less then. The operating system may reserve this for administrators. */
function tryToGoFirst(): void {
	try {
		setPriority(constants.priority.PRIORITY_HIGH);
	} catch {
		console.error('Not allowed to raise the priority: other work may disturb the figures.');
	}
}

async function main(): Promise<void> {
	const names = values.only?.split(',') ?? Object.keys(GROUPS);
	const isWhole = !values.quick && !values.only;
	if (names.some((name) => !Object.hasOwn(GROUPS, name))) throw new Error(USAGE);
	if (values.docs && !isWhole) throw new Error('--docs needs a whole run');
	tryToGoFirst();
	const disturbance = noise();
	if (disturbance) console.error(`Shaky: ${disturbance}`);
	const results: Result[] = [];
	const start = performance.now();
	for (const name of names) {
		const found = await defined(GROUPS[name])(values.quick ? QUICK : FULL);
		found.forEach(print);
		results.push(...found);
	}
	if (isWhole && results.length !== FIGURES.length) throw new Error('Some figures are missing');
	console.log(`Took ${Math.round((performance.now() - start) / 1000)} s`);
	if (values.json) writeFileSync(values.json, `${JSON.stringify(results, null, '\t')}\n`);
	if (values.docs) writeDocs(results, disturbance);
	const isShort = results.some((result) => verdictOn(result) === 'short');
	if (!values.quick && isShort) process.exitCode = 1;
}

if (values.help) console.log(USAGE);
else await main();
