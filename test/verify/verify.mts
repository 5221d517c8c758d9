import { readBaseUrl } from '../../nodes/shared/request/credential.ts';
import { TABLE } from '../engine/table.mts';
import { ASSUMED, type Finding } from './findings.mts';
import { checkRefusals, compareAnswers, templateOf } from './answers.mts';
import { readEverything } from './reading.mts';
import { reasonFor } from './reasons.mts';
import { median, titleOf, Verifier, type Run } from './verifier.mts';
import { Gone, realClock, Watch, type Clock } from './watch.mts';
import { changeEverything } from './writing.mts';

export interface Options {
	baseUrl: string;
	apiKey: string;
	/** Whether to change things too, and put them back */
	write?: boolean;
	/** Whether the report may contain the domain and names of the workspace */
	showValues?: boolean;
	/** Requests per second */
	perSecond?: number;
	/** How long reading may take */
	minutes?: number;
	clock?: Clock;
	/** Ends it, with a report of what was found, and of what is left behind */
	stop?: AbortSignal;
}

export interface Result {
	findings: Finding[];
	/** By operation, such as "keyword.getAll": undefined if it was not tried */
	operations: Map<string, Run | undefined>;
	/** What was changed and could not be put back */
	leftBehind: string[];
	measured: { requests: number; seconds: number; latency: number; clock: string; limits: string };
	isWriting: boolean;
}

/** Why nothing could be verified, in one sentence. */
export class CouldNotRun extends Error {}

/** @throws CouldNotRun */
export async function verify(options: Options): Promise<Result> {
	const {
		write = false,
		showValues = false,
		perSecond = 2,
		minutes = 2,
		clock = realClock,
	} = options;
	const [baseUrl, apiKey] = [urlIn(options.baseUrl), options.apiKey.trim()];
	if (!apiKey) throw new CouldNotRun('The API key is empty.');
	if (!/^[\x21-\x7e]+$/.test(apiKey))
		throw new CouldNotRun('The API key has characters that no header can carry.');
	const watch = await Watch.start({ baseUrl, apiKey, perSecond, clock });
	const start = clock.now();
	options.stop?.addEventListener('abort', () => (watch.isGone = true), { once: true });
	const isLate = () => isReading && clock.now() - start > minutes * 60_000;
	let isReading = true;
	const v = new Verifier(watch, apiKey, showValues, isLate);
	try {
		await reach(v);
		const known = await readEverything(v);
		await checkRefusals(v, known);
		isReading = false;
		const leftBehind = write ? await changeEverything(v, known, start.toString(36)) : [];
		compareAnswers(v);
		settle(v, write);
		const names = [
			...TABLE.keys(),
			...[...v.runs.keys()].filter((name) => name.startsWith('trigger')),
		];
		return {
			findings: v.findings.all,
			operations: new Map(names.map((name) => [name, v.runs.get(name)])),
			leftBehind,
			measured: measure(watch, clock.now() - start),
			isWriting: write,
		};
	} finally {
		await watch.close();
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
	const exchange = await v.get('/v1/workspace').catch((error: unknown) => {
		if (!(error instanceof Gone)) throw error;
		throw new CouldNotRun(`Nothing answers at the base URL. ${error.message}.`);
	});
	const { status, body, text } = exchange;
	const answer = v.answerOf(exchange);
	if (status === 401) throw new CouldNotRun(`The service refused the API key: ${answer}.`);
	if (status >= 300 && status < 400) {
		throw new CouldNotRun(
			`The base URL redirects to another address (${status}): use the final one.`,
		);
	}
	if (body === undefined && /^\s*</.test(text)) {
		throw new CouldNotRun(
			`The base URL answers with HTML (${status}): it is not that of the service.`,
		);
	}
	if (status < 300 || status === 403) return;
	const other = await v.get('/v1/keywords');
	if (other.status < 300) return;
	throw new CouldNotRun(
		`Neither the workspace nor the keywords can be read at this base URL: ${answer}; ${v.answerOf(other)}.`,
	);
}

/** Decides what is still open: with which differences the node copes, and what nobody looked at. */
function settle({ findings, runs }: Verifier, write: boolean): void {
	const failed = [...runs].filter(([, { ok }]) => !ok);
	for (const [name, { words, exchanges }] of failed) {
		const isExplained = findings.all.some(
			({ state, copes, operations }) =>
				state === 'differs' && copes !== true && operations.includes(name),
		);
		if (isExplained) continue;
		const last = exchanges.at(-1);
		const place = last ? `${last.method} ${templateOf(last.path)}` : titleOf(name);
		findings.differs(
			`4: ${place} works in the node`,
			words,
			'Ask the provider, with these words.',
			{ copes: false, operations: [name] },
		);
	}
	for (const finding of findings.all.filter(({ copes }) => copes === undefined)) {
		const [name] = finding.operations.filter((one) => runs.get(one)?.ok === false);
		finding.copes = name === undefined;
		if (!name) continue;
		finding.advice = `${titleOf(name)} fails with it: "${runs.get(name)?.words}" Ask the provider.`;
	}
	for (const rule of ASSUMED.keys()) {
		if (!findings.has(rule)) findings.unknown(rule, reasonFor(rule, write));
	}
}

function measure({ exchanges, limits }: Watch, ms: number): Result['measured'] {
	const offsets = exchanges.flatMap(({ headers, at }) => {
		const date = Date.parse(headers.get('date') ?? '');
		return Number.isNaN(date) ? [] : [date - at];
	});
	const names = new Set(
		[...exchanges, ...limits].flatMap(({ headers }) =>
			[...headers.keys()].filter((name) => /rate-?limit|retry/.test(name)),
		),
	);
	const seconds = Math.round(median(offsets) / 1000);
	return {
		requests: exchanges.length + limits.length,
		seconds: Math.round(ms / 1000),
		latency: median(exchanges.filter(({ method }) => method === 'GET').map((one) => one.ms)),
		clock:
			offsets.length === 0
				? 'no Date header'
				: Math.abs(seconds) < 3
					? 'right'
					: `${seconds} s off`,
		limits: [
			names.size > 0 ? [...names].join(', ') : 'no headers',
			limits.length > 0 ? `${limits.length} requests refused` : 'none refused',
		].join('; '),
	};
}

export const isFailed = ({ state, copes }: Finding) => state === 'differs' && copes === false;

export const hasFailed = ({ findings }: Result) => findings.some(isFailed);
