import { parseArgs } from 'node:util';

import { CouldNotRun, verify } from './verify.mts';

const USAGE = `Usage: npm run verify -- --base-url URL [--api-key KEY] [--rate N] [--write]
Says whether the node works with a service, then compares the service with the contract: what differs,
what was not seen, and what holds.
  --base-url URL   or SEARCH_VISIBILITY_BASE_URL
  --api-key KEY    or SEARCH_VISIBILITY_API_KEY, which keeps it out of the history of the shell
  --rate N         at most so many requests per second (default 2)
  --write          for a workspace made for tests: creates and archives a keyword and a forum
                   opportunity, tracks and deletes a made-up competitor, marks a question and a
                   backlink and marks them back, archives and restores the backlink

Without --write, it only reads. Ends with 0; with 1 if a read of the node fails or something differs; with 2 if it could not run or was cut off.`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const { SEARCH_VISIBILITY_BASE_URL: url = '', SEARCH_VISIBILITY_API_KEY: key = '' } = process.env;
const options = {
	'base-url': { ...text, default: url },
	'api-key': { ...text, default: key },
	rate: { ...text, default: '2' },
	write: flag,
	help: flag,
};
try {
	const { rate, write, help, ...given } = parseArgs({ options }).values;
	if (help) throw new CouldNotRun(USAGE);
	console.error('This takes some minutes.');
	const stopped = new AbortController();
	process.once('SIGINT', () => stopped.abort());
	const access = { baseUrl: given['base-url'], apiKey: given['api-key'], perSecond: Number(rate) };
	const { report, reads, facts, cutOff } = await verify({
		...access,
		write,
		signal: stopped.signal,
	});
	const isOther = facts.some(({ state }) => state === 'differs');
	const isFailing = reads.some(({ state }) => state === 'fails');
	const code = cutOff ? 2 : Number(isOther || isFailing);
	process.stdout.write(report, () => process.exit(code));
} catch (error) {
	const { message, code = '', stack } = error as NodeJS.ErrnoException;
	const isTold = error instanceof CouldNotRun || code.startsWith('ERR_PARSE_ARGS');
	console.error(isTold ? message : stack);
	process.exitCode = 2;
}
