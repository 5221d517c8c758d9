import { readBaseUrl } from '../../nodes/shared/request/credential.ts';
import { TABLE } from '../engine/table.mts';
import { compareAnswers, operationFor } from './answers.mts';
import { ASSUMED, type Finding } from './findings.mts';
import { readEverything } from './reading.mts';
import { Gone, realClock, Service, type Access } from './service.mts';
import { titleOf, Verifier, type Run } from './verifier.mts';
import { Changes } from './writing.mts';

export interface Options extends Partial<Access> {
	baseUrl: string;
	apiKey: string;
	/** Whether to change things too, and put them back */
	write?: boolean;
	/** Whether the report may contain the domain and names of the workspace */
	showValues?: boolean;
	/** How long reading may take */
	minutes?: number;
	/** Ends it, with a report of what was found, and of what is left behind */
	stop?: AbortSignal;
}

export interface Result {
	findings: Finding[];
	/** By operation, such as "keyword.getAll": undefined if it was not tried */
	operations: Map<string, Run | undefined>;
	/** What was changed and could not be put back */
	leftBehind: string[];
	/** How it went, one sentence each */
	facts: string[];
}

/** Why nothing could be verified, in one sentence. */
export class CouldNotRun extends Error {}

/** @throws CouldNotRun */
export async function verify(options: Options): Promise<Result> {
	const { write = false, showValues = false, minutes = 2, clock = realClock, stop } = options;
	const apiKey = options.apiKey.trim();
	if (!/^[\x21-\x7e]+$/.test(apiKey)) {
		throw new CouldNotRun('The API key is empty or has characters that no header can carry.');
	}
	const access = {
		perSecond: 2,
		fetch,
		...options,
		apiKey,
		clock,
		baseUrl: urlIn(options.baseUrl),
	};
	const service = await new Service(access).start();
	stop?.addEventListener('abort', () => (service.gone = 'It was stopped'), { once: true });
	const start = clock.now();
	let isReading = true;
	const v = new Verifier(
		service,
		showValues,
		() => isReading && clock.now() - start > minutes * 60_000,
	);
	try {
		await reach(v);
		const known = await readEverything(v);
		isReading = false;
		const changes = new Changes(v, known, start.toString(36));
		if (write) await changes.tryEverything();
		compareAnswers(v);
		settle(v, write);
		const names = [...TABLE.keys(), ...[...v.runs.keys()].filter((name) => !TABLE.has(name))];
		const facts = [
			write ? 'Reading and writing' : 'Reading only',
			...factsOf(service, clock.now() - start),
		];
		const operations = new Map(names.map((name) => [name, v.runs.get(name)]));
		return { findings: v.findings.all, operations, leftBehind: [...changes.left], facts };
	} finally {
		await service.close();
	}
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
	const exchange = await v.get('/v1/workspace').catch((error: Gone) => {
		throw new CouldNotRun(`Nothing answers at the base URL. ${error.message}.`);
	});
	const { status, body, text } = exchange;
	const answer = v.answerOf(exchange);
	const isHtml = body === undefined && /^\s*</.test(text);
	const reason =
		status === 401
			? `The service refused the API key: ${answer}.`
			: status >= 300 && status < 400
				? `The base URL redirects to another address (${status}): use the final one.`
				: isHtml && `The base URL answers with HTML (${status}): it is not that of the service.`;
	if (reason) throw new CouldNotRun(reason);
	if (status < 300 || status === 403) return;
	const other = await v.get('/v1/keywords');
	if (other.status < 300) return;
	throw new CouldNotRun(
		`Neither the workspace nor the keywords can be read at this base URL: ${answer}; ${v.answerOf(other)}.`,
	);
}

/** Why no run shows an assumption, by what it is about. */
const NEVER: Array<[RegExp, string]> = [
	[/prompt/, 'No operation lists prompts'],
	[/deleting a category/, 'Not tried, because it cannot be undone'],
	[/category/, 'No operation lists categories'],
	[/generate/, 'Not tried, because it writes an article'],
	[/notification|latestUpdate/, 'Not tried, because a search engine would hear of it'],
	[/archived actions|count as open/, 'No operation archives or ends actions'],
];

/** Decides what is still open: with which differences the node copes, and what nobody looked at. */
function settle({ findings, runs }: Verifier, write: boolean): void {
	const failed = new Map([...runs].filter(([, { ok }]) => !ok));
	for (const finding of findings.all.filter(({ copes }) => copes === undefined)) {
		const name = finding.operations.find((one) => failed.has(one));
		finding.copes = name === undefined;
		if (name)
			finding.advice = `${titleOf(name)} fails with it: "${failed.get(name)?.words}" Ask the provider.`;
	}
	for (const [name, { words, exchanges }] of failed) {
		if (findings.all.some((one) => one.copes === false && one.operations.includes(name))) continue;
		const last = exchanges.at(-1);
		const place = (last && operationFor(last)?.name) ?? titleOf(name);
		const rule = `4: ${place} works in the node`;
		findings.rule(rule).require(false, words, 'Ask the provider, with these words.', [name]);
	}
	const other = write
		? 'Nothing that was tried shows it'
		: 'Only `--write` shows it, in a workspace made for tests';
	for (const rule of ASSUMED.keys()) {
		const reason = NEVER.find(([about]) => about.test(rule))?.[1];
		if (!findings.has(rule)) findings.rule(rule).unknown(reason ?? other);
	}
}

const median = (numbers: number[]) =>
	numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

function factsOf({ exchanges, limits }: Service, ms: number): string[] {
	const dates = exchanges.map(({ headers, at }) => Date.parse(headers.get('date') ?? '') - at);
	const off = Math.round((median(dates.filter((one) => !Number.isNaN(one))) ?? Number.NaN) / 1000);
	const clock = Number.isNaN(off) ? 'no Date header' : Math.abs(off) < 3 ? 'right' : `${off} s off`;
	const names = [...exchanges, ...limits].flatMap(({ headers }) => [...headers.keys()]);
	const told = [...new Set(names.filter((name) => /rate-?limit|retry/.test(name)))].join(', ');
	const latency = median(exchanges.filter(({ method }) => method === 'GET').map((one) => one.ms));
	const requests = exchanges.length + limits.length;
	return [
		`${requests} requests in ${Math.round(ms / 1000)} s; a typical answer took ${latency} ms`,
		`Limits: ${told || 'no headers'}; ${limits.length || 'no'} requests refused. Clock of the service: ${clock}`,
	];
}

export const isFailed = ({ state, copes }: Finding) => state === 'differs' && copes === false;
