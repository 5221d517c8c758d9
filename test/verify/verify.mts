import { Facts, OPERATIONS, type Fact } from './facts.mts';
import { readEverything } from './reading.mts';
import { Gone, Service, type Access } from './service.mts';
import { change } from './writing.mts';

interface Options extends Partial<Access> {
	baseUrl: string;
	apiKey: string;
	/** Whether to change things too, and take them back */
	write?: boolean;
	/** Ends it, with what was seen and what is left behind */
	signal?: AbortSignal;
}

const rowOf = ({ state, about, evidence }: Fact) =>
	`| ${state} | ${about} | ${evidence.replaceAll('|', '\\|')} |`;

/** Why nothing could be verified, in one sentence. */
export class CouldNotRun extends Error {}

const realClock = {
	now: () => Date.now(),
	sleep: async (ms: number) => await new Promise<void>((resolve) => setTimeout(resolve, ms)),
};

/**
 * @returns the facts; why it ended before everything was looked at, if it did; the report in Markdown
 * @throws CouldNotRun
 */
export async function verify(options: Options) {
	const { write = false, clock = realClock, signal } = options;
	const apiKey = options.apiKey.trim();
	if (!/^[\x21-\x7e]+$/.test(apiKey))
		throw new CouldNotRun('The API key is empty or has characters that no header can carry.');
	const baseUrl = options.baseUrl.trim().replace(/\/+(v1\/*)?$/, '');
	if (!/^https?:/.test(baseUrl) || !URL.canParse(baseUrl))
		throw new CouldNotRun('The base URL is not an address such as https://api.example.com.');
	if (!((options.perSecond ?? 2) > 0)) throw new CouldNotRun('--rate must be above 0.');
	const service = new Service({ perSecond: 2, fetch, ...options, apiKey, clock, baseUrl });
	signal?.addEventListener('abort', () => (service.gone = 'it was stopped'));
	const start = clock.now();
	await reach(service);
	const [facts, left] = [new Facts(service), new Set<string>()];
	let hasRecords = false;
	try {
		hasRecords = await readEverything(facts);
		if (write) await change(facts, start.toString(36), left);
	} catch (error) {
		if (!(error instanceof Gone)) throw error;
	}
	const { gone: cutOff, refused, count, limits, asked } = service;
	for (const limit of limits) facts.say('A rate limit', /^429.+: [^n]/.test(limit), limit);
	for (const route of OPERATIONS.keys())
		if (!asked.has(route)) facts.say(route, undefined, 'not asked');
	const states = (['differs', 'not seen', 'holds'] as const).map(facts.of);
	const [differs, notSeen, holds] = states.map(({ length }) => length);
	const seconds = Math.round((clock.now() - start) / 1000);
	const parts = [
		cutOff && `**Cut off:** ${cutOff}. What it did not get to is not seen.`,
		refused.size > 0 && `**Refused:** ${[...refused].join('; ')}.`,
		!cutOff && !hasRecords && '**Empty:** no list has a record, so this says little.',
		...[...left].map((one) => `**Left behind:** ${one}`),
		`**${differs} differ, ${notSeen} not seen, ${holds} hold.**`,
		`${count} requests in ${seconds} s; ${limits.length} met a rate limit.`,
		['| | Asked | What came |', '| --- | --- | --- |', ...states.flat().map(rowOf)].join('\n'),
	];
	const report = parts.filter(Boolean).join('\n\n');
	return { facts: states.flat(), cutOff, report: `${report}\n` };
}

/** @throws CouldNotRun if nothing can be learned from this service with this key */
async function reach(service: Service): Promise<void> {
	const ask = service.ask('GET /v1/workspace');
	const { status, isDone, body, said } = await ask.catch(({ message }: Gone) => {
		throw new CouldNotRun(`Nothing can be asked at the base URL: ${message}.`);
	});
	if ([401, 403].includes(status))
		throw new CouldNotRun(`The service rejected the API key: ${said}.`);
	const gave = isDone ? 'no JSON' : said;
	if (!isDone || body === undefined)
		throw new CouldNotRun(`This is not the service: GET /v1/workspace gave ${gave}.`);
}
