/**
 * Compares the service behind a base URL with the contract, and says what came:
 *
 *     npm run verify -- --base-url URL [--write]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { ROOT } from '../demo/build.mts';
import { reportOf } from './report.mts';
import { CouldNotRun, verify } from './verify.mts';

const USAGE = `Usage: npm run verify -- [--base-url URL] [--api-key KEY] [OPTIONS]
Compares a service with the contract: which assumptions hold, which differ, and which were not seen.
Without options, it only reads: about 60 requests, two a second.

  --base-url URL   or SEARCH_VISIBILITY_BASE_URL
  --api-key KEY    or SEARCH_VISIBILITY_API_KEY, which keeps it out of the history of the shell
  --write          also tries each change and puts it back, in a workspace made for tests
  --yes            agrees to what --write cannot undo
  --report FILE    writes the report to a file too
  --show-values    the report may contain the base URL, the domain and names of the workspace
  --rate N         at most so many requests per second (default 2)

Ends with 0; with 1 if something differs; with 2 if it could not run or was cut off.`;

/** What users must agree to first. */
const CANNOT_BE_UNDONE = [
	'Keywords are created (1 or 2) and archived. No operation deletes them.',
	'A forum opportunity is created and archived. No operation deletes or restores it.',
	'A competitor with a made-up domain is tracked and deleted. The service keeps what it collects for it.',
	'Content actions are created (1 to 4), with titles that begin with "verify", or none where the service accepts that; archive them in the dashboard.',
	'A backlink is marked as processed and as new, archived, and restored.',
	'The search engine is asked what it knows about the home page of the workspace, and if it answers, a notification with the URL "verify" is sent, which the service must reject.',
];

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const options = {
	...{ 'base-url': text, 'api-key': text, report: text, rate: text },
	...{ write: flag, yes: flag, 'show-values': flag, help: flag },
};

function stop(sentence: string): never {
	console.error(sentence);
	process.exit(2);
}

function argumentsIn() {
	try {
		return parseArgs({ options }).values;
	} catch (error) {
		return stop(`${(error as Error).message.split('. ')[0]}. See npm run verify -- --help`);
	}
}

function positive(name: string, value: string, most: number): number {
	const number = Number(value);
	if (number > 0 && number <= most) return number;
	return stop(`--${name} must be a number above 0 and at most ${most}. Got "${value}".`);
}

for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(2));
process.stdout.on('error', () => process.exit(2));

const values = argumentsIn();
if (values.help) {
	console.log(USAGE);
	process.exit(0);
}
const { SEARCH_VISIBILITY_BASE_URL, SEARCH_VISIBILITY_API_KEY } = process.env;
const baseUrl = values['base-url'] ?? SEARCH_VISIBILITY_BASE_URL ?? '';
const apiKey = values['api-key'] ?? SEARCH_VISIBILITY_API_KEY ?? '';
const { write, yes, report, 'show-values': showValues } = values;
if (!baseUrl) stop('The base URL is missing: use --base-url or SEARCH_VISIBILITY_BASE_URL.');
if (!apiKey) stop('The API key is missing: use --api-key or SEARCH_VISIBILITY_API_KEY.');
const perSecond = positive('rate', values.rate ?? '2', 100);
if (yes && !write) stop('--yes has no meaning without --write.');
try {
	// Before two minutes of work, not after them
	if (report) writeFileSync(report, '');
} catch (error) {
	stop(`The report cannot be written: ${(error as Error).message}`);
}

if (write) {
	console.error('In this workspace, --write leaves behind what cannot be undone:');
	for (const line of CANNOT_BE_UNDONE) console.error(`  - ${line}`);
	if (!yes) stop('Nothing was sent. To agree to this, add --yes.');
}

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
try {
	console.error('Reading. This takes about a minute.');
	const stopped = new AbortController();
	process.once('SIGINT', () => stopped.abort());
	const access = { baseUrl, apiKey, perSecond, stop: stopped.signal };
	const result = await verify({ ...access, write, showValues });
	const about = [`n8n-nodes-search-visibility ${version}`];
	const markdown = reportOf(result, ...about, ...(showValues ? [`Base URL: ${baseUrl}`] : []));
	if (report) writeFileSync(report, markdown);
	const differs = result.lines.some(({ state }) => state === 'differs');
	process.stdout.write(markdown, () => process.exit(result.cutOff ? 2 : Number(differs)));
} catch (error) {
	stop(error instanceof CouldNotRun ? error.message : String((error as Error).stack));
}
