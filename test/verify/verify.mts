import { setTimeout } from 'node:timers/promises';

import { Asking } from './asking.mts';
import { Facts } from './facts.mts';
import { readEverything } from './reading.mts';
import { reportOf } from './report.mts';
import { Gone, Service, type Access } from './service.mts';
import { OPERATIONS, Shapes } from './shapes.mts';
import { tryReads, type Read } from './works.mts';
import { change, kindsOf } from './writing.mts';

type Options = Pick<Access, 'baseUrl' | 'apiKey'> &
	Partial<Access> & { write?: boolean; signal?: AbortSignal };

/** Why nothing could be verified, in one sentence. */
export class CouldNotRun extends Error {}

/**
 * @param options with `write`, records are changed too and taken back; `signal` ends it, with what was seen until then
 * @returns the reads of the node; the facts; why it ended before everything was looked at, if it did; the report in Markdown
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
	const facts = new Facts();
	const shapes = new Shapes();
	const asking = new Asking(service, facts, shapes);
	const left = new Set<string>();
	const reads = await tryReads(service);
	let hasRecords = false;
	try {
		hasRecords = await readEverything(asking);
		const kinds = write ? kindsOf(Date.now().toString(36)) : [];
		for (const kind of kinds) await change(asking, kind, left);
	} catch (error) {
		if (!(error instanceof Gone)) throw error;
	}
	shapes.tell(facts, failing(reads));
	const { gone: cutOff, limits, asked } = service;
	const refused = [...service.refused];
	const patient = 'No: it waits longer and longer';
	for (const limit of limits) {
		facts.say('A rate limit', /^429.+: [^n]/.test(limit), limit, patient);
	}
	for (const route of OPERATIONS.keys()) {
		if (!asked.has(route)) facts.say(route, undefined, 'not asked');
	}
	const all = (['differs', 'not seen', 'holds'] as const).flatMap(facts.of);
	const findings = { reads, facts: all, cutOff, refused, hasRecords, left: [...left] };
	return { reads, facts: all, cutOff, report: reportOf(findings) };
}

/** @returns the names of the reads that fail, by path */
function failing(reads: Read[]): Map<string, string[]> {
	const names = new Map<string, string[]>();
	for (const { state, path = '', name } of reads) {
		if (state === 'fails') names.set(path, [...(names.get(path) ?? []), name]);
	}
	return names;
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
