/**
 * Compares the service behind a base URL with the contract, and says what came:
 *
 *     npm run verify -- --base-url URL [--write]
 */
import { parseArgs } from 'node:util';

import { CouldNotRun, verify } from './verify.mts';

const USAGE = `Usage: npm run verify -- --base-url URL [--api-key KEY] [--rate N] [--write]
Compares a service with the contract: what holds, what differs, and what was not seen.

  --base-url URL   or SEARCH_VISIBILITY_BASE_URL
  --api-key KEY    or SEARCH_VISIBILITY_API_KEY, which keeps it out of the history of the shell
  --rate N         at most so many requests per second (default 2)
  --write          for a workspace made for tests: creates and archives a keyword and a forum
                   opportunity, tracks and deletes a made-up competitor, marks a question and a
                   backlink and marks them back, archives and restores the backlink

Without --write, it only reads.
Ends with 0; with 1 if something differs; with 2 if it could not run or was cut off.`;

function end(sentence: string): never {
	console.error(sentence);
	process.exit(2);
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const options = { 'base-url': text, 'api-key': text, rate: text, write: flag, help: flag };
try {
	const { values } = parseArgs({ options });
	if (values.help) {
		console.log(USAGE);
		process.exit(0);
	}
	const { SEARCH_VISIBILITY_BASE_URL = '', SEARCH_VISIBILITY_API_KEY = '' } = process.env;
	const { 'base-url': baseUrl = SEARCH_VISIBILITY_BASE_URL, rate = '2', write } = values;
	const { 'api-key': apiKey = SEARCH_VISIBILITY_API_KEY } = values;
	const perSecond = Number(rate);
	if (!(perSecond > 0)) end('--rate must be a number above 0.');
	const stopped = new AbortController();
	process.once('SIGINT', () => stopped.abort());
	console.error('This takes about a minute.');
	const { signal } = stopped;
	const { report, facts, cutOff } = await verify({ baseUrl, apiKey, perSecond, write, signal });
	const differs = facts.some(({ state }) => state === 'differs');
	process.stdout.write(report, () => process.exit(cutOff ? 2 : Number(differs)));
} catch (error) {
	const { message, code, stack } = error as NodeJS.ErrnoException;
	const isTold = error instanceof CouldNotRun || code?.startsWith('ERR_PARSE_ARGS');
	end(isTold ? message : String(stack));
}
