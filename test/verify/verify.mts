import { setTimeout } from 'node:timers/promises';

import { Facts, OPERATIONS, type Fact } from './facts.mts';
import { readEverything } from './reading.mts';
import { Gone, Service, type Access } from './service.mts';
import { change, kindsOf } from './writing.mts';

type Options = Pick<Access, 'baseUrl' | 'apiKey'> &
	Partial<Access> & { write?: boolean; signal?: AbortSignal };

const rowOf = ({ state, about, evidence }: Fact) =>
	`| ${state} | ${about} | ${evidence.replaceAll('|', '\\|')} |`;

/** Why nothing could be verified, in one sentence. */
export class CouldNotRun extends Error {}

/**
 * @param options with `write`, records are changed too and taken back; `signal` ends it, with what was seen until then
 * @returns the facts; why it ended before everything was looked at, if it did; the report in Markdown
 * @throws CouldNotRun
 */
export async function verify(options: Options) {
	const { write = false, clock = { now: Date.now, sleep: setTimeout }, signal } = options;
	const apiKey = options.apiKey.trim();
	if (!/^[\x21-\x7e]+$/.test(apiKey))
		throw new CouldNotRun('The API key (SEARCH_VISIBILITY_API_KEY) is empty, or not in ASCII.');
	const baseUrl = options.baseUrl.trim().replace(/\/+(v1\/*)?$/, '');
	if (!/^https?:/.test(baseUrl) || !URL.canParse(baseUrl))
		throw new CouldNotRun('The base URL (SEARCH_VISIBILITY_BASE_URL) must be an https address.');
	if (!((options.perSecond ?? 2) > 0)) throw new CouldNotRun('--rate must be above 0.');
	const service = new Service({ perSecond: 2, fetch, ...options, apiKey, clock, baseUrl });
	signal?.addEventListener('abort', () => (service.gone = 'it was stopped'));
	await reach(service);
	const [facts, left] = [new Facts(service), new Set<string>()];
	let hasRecords = false;
	try {
		hasRecords = await readEverything(facts);
		const kinds = write ? kindsOf(Date.now().toString(36)) : [];
		for (const kind of kinds) await change(facts, kind, left);
	} catch (error) {
		if (!(error instanceof Gone)) throw error;
	}
	const { gone: cutOff, refused, limits, asked } = service;
	for (const limit of limits) facts.say('A rate limit', /^429.+: [^n]/.test(limit), limit);
	for (const route of OPERATIONS.keys())
		if (!asked.has(route)) facts.say(route, undefined, 'not asked');
	const states = (['differs', 'not seen', 'holds'] as const).map(facts.of);
	const [differs, notSeen, holds] = states.map(({ length }) => length);
	const parts = [
		cutOff && `**Cut off:** ${cutOff}. What it did not get to is not seen.`,
		refused.size > 0 && `**Refused:** ${[...refused].join('; ')}.`,
		!cutOff && !hasRecords && '**Empty:** no list has a record, so this says little.',
		...[...left].map((one) => `**Left behind:** ${one}`),
		`**${differs} differ, ${notSeen} not seen, ${holds} hold.**`,
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
	if (isDone && body !== undefined) return;
	const isKey = status === 401 || status === 403;
	const what = isKey ? 'The service rejected the API key' : 'This is not the service';
	throw new CouldNotRun(`${what}: GET /v1/workspace gave ${isDone ? 'no JSON' : said}.`);
}
