import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';

import { pack } from '../e2e/server/helpers.mts';
import { missingProgram } from '../load/services.mts';
import { temporaryFolder } from '../n8n/processes.mts';
import { startSandbox } from '../sandbox/sandbox.mts';
import { failuresIn, printResults, writeDocs } from './report.mts';
import { Fleet, type Pace, type Result } from './run.mts';
import { makeTemplate, Site, type Ground } from './site.mts';
import { variantsFor, type Variant } from './variants.mts';
import { keysFor } from './workflows.mts';

const USAGE = `Usage: npm run test:fleet -- [--size N] [--seconds S] [--only NUMBER,…] [--env NAME=value] [--json FILE] [--docs]
  --size     the largest fleet (1000); the others are a tenth and three tenths of it
  --seconds  how long discoveries arrive while it is measured (8); before a kill, half of it
  --rate     discoveries of a workspace in a minute, on average (1)
  --only     some groups of fleets: 1 the small ones, 2 the trigger, 3 in queue mode, 4 n8n's own nodes
  --env      NAME=value for n8n's environment; may be repeated
  --json     writes the results into a file
  --from     takes the results from such a file and runs nothing
  --docs     writes them into docs/operating.md and docs/fleet.svg`;

const { values } = parseArgs({
	options: {
		size: { type: 'string', default: '1000' },
		seconds: { type: 'string', default: '8' },
		rate: { type: 'string', default: '1' },
		only: { type: 'string', default: '1,2,3,4' },
		env: { type: 'string', multiple: true, default: [] },
		json: { type: 'string' },
		from: { type: 'string' },
		docs: { type: 'boolean', default: false },
		help: { type: 'boolean', default: false },
	},
});

/** What each workspace contains: one page of each list. */
const SEED = { citedPage: 40, question: 20 };
/** How long the service takes to answer, in milliseconds. */
const LATENCY = 20;

const pace: Pace = {
	secondsToKill: Number(values.seconds) / 2,
	seconds: Number(values.seconds),
	perMinute: Number(values.rate),
};

/** Additions to n8n's environment, besides those of the variants. */
const added = Object.fromEntries(values.env.map((one) => one.split(/=(.*)/s, 2)));

/** While it starts, n8n uses little more than one core. */
const STARTED_AT_ONCE = 2;

type SiteFor = (variant: Variant) => Promise<Site>;

const envOf = (variant: Variant) => ({ ...variant.env, ...added });

/** Imports the workflows into a site in queue mode, if there is one, and for all others into one folder to copy. */
async function prepare(variants: Variant[], ground: Ground): Promise<SiteFor> {
	const inQueue = variants.find(({ mode }) => mode === 'queue');
	const [template, queue] = await Promise.all([
		makeTemplate(ground),
		inQueue && Site.queue(ground, inQueue.kind, envOf(inQueue)),
	]);
	return async (variant) =>
		variant.mode === 'queue' && queue ? queue : await Site.single(ground, template, envOf(variant));
}

/** Starts the fleets of a group in pairs, and measures them at the same time. */
async function runGroup(variants: Variant[], ground: Ground, siteFor: SiteFor): Promise<Result[]> {
	const sites: Site[] = [];
	const measured: Array<Promise<Result>> = [];
	const startOne = async (variant: Variant, index: number) => {
		const site = await siteFor(variant);
		sites.push(site);
		const fleet = new Fleet(variant, site, ground, pace);
		const start = await fleet.start();
		ground.log(`${variant.name}: active after ${start.isActive ?? 'too many'} s`);
		measured[index] = fleet.measure(start);
	};
	try {
		for (let first = 0; first < variants.length; first += STARTED_AT_ONCE) {
			const pair = variants.slice(first, first + STARTED_AT_ONCE);
			await Promise.all(pair.map(async (one, index) => await startOne(one, first + index)));
		}
		return await Promise.all(measured);
	} finally {
		await Promise.all(sites.map(async (site) => await site.stop()));
	}
}

async function main(): Promise<void> {
	const began = Date.now();
	const log = (line: string) =>
		console.log(`${String(Math.round((Date.now() - began) / 1000)).padStart(4)} s  ${line}`);
	const size = Number(values.size);
	const groups = values.only.split(',').map(Number);
	const isWhole = values.only === '1,2,3,4';
	if (process.platform !== 'linux')
		throw new Error('CPU and memory are read from /proc: Linux only');
	if (values.docs && !isWhole) throw new Error('--docs needs a whole run');
	const missing = missingProgram();
	if (missing !== undefined) log(`Queue mode is left out: ${missing}`);
	const variants = variantsFor(size)
		.filter(({ group }) => groups.includes(group))
		.filter(({ mode }) => mode === 'single' || missing === undefined);
	const sandbox = await startSandbox({ apiKeys: keysFor(size), empty: true, seed: SEED });
	sandbox.setLatency(LATENCY);
	try {
		const tarball = await pack(temporaryFolder('search-visibility-pack-'));
		const ground: Ground = { sandbox, tarball, log };
		const siteFor = await prepare(variants, ground);
		log(`${size} workspaces; their workflows are in n8n`);
		const results: Result[] = [];
		for (const group of new Set(variants.map((variant) => variant.group))) {
			const members = variants.filter((variant) => variant.group === group);
			results.push(...(await runGroup(members, ground, siteFor)));
			if (values.json) writeFileSync(values.json, `${JSON.stringify(results, null, '\t')}\n`);
		}
		printResults(results);
		log(`All done; ${cpus().length} cores`);
		if (values.docs) writeDocs(results, new Date());
		const violations = sandbox.responseViolations.map(({ message }) => message);
		const failures = [...failuresIn(results), ...violations];
		failures.slice(0, 10).forEach((failure) => console.error(failure));
		if (failures.length > 0) process.exitCode = 1;
	} finally {
		await sandbox.close();
	}
}

/** Prints and documents the results of an earlier run. */
function showAgain(file: string): void {
	const results = JSON.parse(readFileSync(file, 'utf8')) as Result[];
	printResults(results);
	if (values.docs) writeDocs(results, statSync(file).mtime);
}

if (values.help) console.log(USAGE);
else if (values.from) showAgain(values.from);
else await main();
