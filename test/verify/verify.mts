import { readBaseUrl } from '../../nodes/shared/request/credential.ts';
import type { Line } from './lines.mts';
import { checkLimit, isEmpty, readEverything } from './reading.mts';
import { Gone, realClock, Service, type Access } from './service.mts';
import { Verifier } from './verifier.mts';
import { Changes } from './writing.mts';

export interface Options extends Partial<Access> {
	baseUrl: string;
	apiKey: string;
	/** Whether to change things too, and put them back */
	write?: boolean;
	/** Whether the report may contain the domain and names of the workspace */
	showValues?: boolean;
	/** Ends it, with a report of what was seen, and of what is left behind */
	stop?: AbortSignal;
}

export interface Result {
	lines: Line[];
	/** Why it ended before everything was looked at */
	cutOff: string;
	/** Whether no list has a record */
	isEmpty: boolean;
	/** What was changed and could not be put back */
	leftBehind: string[];
	/** How it went, one sentence each */
	facts: string[];
}

/** Why nothing could be verified, in one sentence. */
export class CouldNotRun extends Error {}

/** @throws CouldNotRun */
export async function verify(options: Options): Promise<Result> {
	const { write = false, showValues = false, clock = realClock, stop } = options;
	const apiKey = options.apiKey.trim();
	if (!/^[\x21-\x7e]+$/.test(apiKey)) {
		throw new CouldNotRun('The API key is empty or has characters that no header can carry.');
	}
	const baseUrl = urlIn(options.baseUrl);
	const service = new Service({ perSecond: 2, fetch, ...options, apiKey, clock, baseUrl });
	stop?.addEventListener('abort', () => (service.gone = 'It was stopped'), { once: true });
	const v = new Verifier(service, showValues);
	const start = clock.now();
	await reach(v);
	const changes = new Changes(v, start.toString(36));
	try {
		await readEverything(v);
		if (write) await changes.tryEverything();
	} catch (error) {
		if (!(error instanceof Gone)) throw error;
	}
	checkLimit(v);
	v.lines.explain((rule) => NEVER.find(([about]) => about.test(rule))?.[1] ?? '–');
	return {
		...{ lines: v.lines.all, cutOff: service.gone, isEmpty: !service.gone && isEmpty(v) },
		leftBehind: [...changes.left],
		facts: [
			write ? 'Reading and writing' : 'Reading only; `--write` shows more',
			...factsOf(service, clock.now() - start),
			...v.facts,
		],
	};
}

function urlIn(baseUrl: string): string {
	try {
		return readBaseUrl({ baseUrl });
	} catch {
		throw new CouldNotRun('The base URL is not an address such as https://api.example.com.');
	}
}

/** @throws CouldNotRun if nothing can be learned from this service with this key */
async function reach(v: Verifier): Promise<void> {
	const ask = async (path: string) =>
		await v.get(path).catch((error: Gone) => {
			throw new CouldNotRun(`Nothing can be asked at the base URL. ${error.message}.`);
		});
	const exchange = await ask('/v1/workspace');
	const { status, body, text } = exchange;
	const said = v.said(exchange);
	const isHtml = body === undefined && /^\s*</.test(text);
	const reason =
		status === 401 || status === 403
			? `The service rejected the API key: ${said}.`
			: status >= 300 && status < 400
				? `The base URL redirects to another address (${status}): use the final one.`
				: isHtml && `The base URL answers with HTML (${status}): it is not that of the service.`;
	if (reason) throw new CouldNotRun(reason);
	if (status < 300) return;
	const other = await ask('/v1/keywords');
	if (other.status >= 300)
		throw new CouldNotRun(
			`Neither the workspace nor the keywords can be read at this base URL: ${said}; ${v.said(other)}.`,
		);
}

/** Why no run shows an assumption, by what it is about. */
const NEVER: Array<[RegExp, string]> = [
	[/prompt/, 'no operation lists prompts'],
	[/category/, 'no operation lists categories'],
	[/generate/, 'not tried, because it writes an article'],
	[/notification|latestUpdate/, 'not tried, because a search engine would hear of it'],
	[/archived actions|count as open/, 'no operation archives or ends actions'],
];

const median = (all: number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)];

function factsOf({ exchanges, limits }: Service, ms: number): string[] {
	const names = [...exchanges, ...limits].flatMap(({ headers }) => [...headers.keys()]);
	const told = [...new Set(names.filter((name) => /rate-?limit|retry/.test(name)))].join(', ');
	const requests = exchanges.length + limits.length;
	return [
		`${requests} requests in ${Math.round(ms / 1000)} s; a typical response took ${median(exchanges.map((one) => one.ms))} ms`,
		`Requests refused because of a limit: ${limits.length}; headers about limits: ${told || 'none'}`,
	];
}
