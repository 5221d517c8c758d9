import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { FIGURES, isReached, type Result } from './figures.mts';
import { GROUPS } from './groups/index.mts';
import type { Scale } from './groups/shared.mts';
import { barOf, noise, valueOf, writeDocs } from './report.mts';

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

const FULL: Scale = { rounds: 5, less: 1, mayInstall: true };
const QUICK: Scale = { rounds: 1, less: 10, mayInstall: false };

function print(result: Result): void {
	const verdict = values.quick ? '-' : isReached(result) ? 'ok' : 'short';
	const columns = [result.name.padEnd(26), valueOf(result).padStart(9), barOf(result).padEnd(18)];
	console.log([...columns, verdict.padEnd(6), result.detail ?? ''].join('  ').trimEnd());
}

async function main(): Promise<void> {
	const names = values.only?.split(',') ?? Object.keys(GROUPS);
	const isWhole = !values.quick && !values.only;
	if (names.some((name) => !Object.hasOwn(GROUPS, name))) throw new Error(USAGE);
	if (values.docs && !isWhole) throw new Error('--docs needs a whole run');
	const disturbance = noise();
	if (disturbance) console.error(`Shaky: ${disturbance}`);
	const results: Result[] = [];
	for (const name of names) {
		const found = await GROUPS[name](values.quick ? QUICK : FULL);
		found.forEach(print);
		results.push(...found);
	}
	if (isWhole && results.length !== FIGURES.length) throw new Error('Some figures are missing');
	if (values.json) writeFileSync(values.json, `${JSON.stringify(results, null, '\t')}\n`);
	if (values.docs) writeDocs(results, disturbance);
	if (!values.quick && !results.every(isReached)) process.exitCode = 1;
}

if (values.help) console.log(USAGE);
else await main();
