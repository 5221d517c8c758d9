import { fileURLToPath } from 'node:url';

import type { ServiceResponse } from '../../nodes/shared/request/responses.ts';
import { randomNumbers } from '../seed.mts';
import type { Rule, Service } from './services.mts';
import * as services from './services.mts';

/** A service, and what must hold for it. */
export interface Case extends Service {
	name: string;
	items: number;
	method?: 'GET' | 'PATCH' | 'POST';
	executions?: number;
	/** At most this many times the ideal, and at most this part refused */
	ratio?: number;
	refused?: number;
	/** At most so many refused */
	refusals?: number;
	/** Items that may be lost; by default none */
	lost?: number;
	/** At most this long, in seconds */
	seconds?: number;
}

const played = new Map<string, ReturnType<typeof play>>();

/** @returns what happens; each case is played once for each seed */
export async function simulate(one: Case, seed = 1) {
	const key = `${seed} ${one.items} ${one.name}`;
	const result = played.get(key) ?? play(one, seed);
	played.set(key, result);
	return await result;
}

async function play(one: Case, seed: number) {
	const report = await services.run(one, one, seed);
	const ideal = services.idealTime(one, one.items, seed);
	const share = report.refused / report.requests;
	return { ...report, ideal, ratio: report.seconds / ideal, share };
}

const { changing, disturbed, fixedWindow, noLimit, slidingWindow, tokenBucket } = services;

const LIMITS: Record<string, (perSecond: number) => Rule> = {
	'fixed windows': fixedWindow,
	'sliding window': slidingWindow,
	'bucket of a second': (perSecond) => tokenBucket(perSecond, perSecond),
	'bucket of 10': (perSecond) => tokenBucket(perSecond, 10),
};

/** Steady limits of all kinds, told in all ways, for few and many items */
export const GRID: Case[] = Object.entries(LIMITS).flatMap(([kind, rule]) =>
	[1, 2, 5, 20, 50, 100].flatMap((limit) =>
		(['exact', 1000, 'missing'] as const).flatMap((retryAfter) =>
			[100, 500, 3000].map((items) => ({
				name: `${kind}, ${limit} a second, ${retryAfter}`,
				rule: () => rule(limit),
				retryAfter,
				items,
			})),
		),
	),
);

const MINUTE = 60_000;

interface SlowLimits {
	name: string;
	length: number;
	limits: number[];
	retryAfter: 'exact' | 'missing';
	executions: number;
}

/** So many windows of each limit, in the windows of the clock and in any time of that length. */
const WINDOWS = 3;

/**
 * At most so many requests are refused for each window and execution. The end of a window shows only in a refusal, and what runs at
 * that moment is refused too. Without Retry-After, the service also has to be asked whether the next window has begun.
 */
const REFUSED_PER_WINDOW = { exact: 10, missing: 20 };

const slow = ({ name, length, limits, retryAfter, executions }: SlowLimits): Slow => ({
	name,
	cases: limits.flatMap((limit) =>
		[fixedWindow, slidingWindow].map((rule) => ({
			name: `${rule.name}, ${limit} in ${length / MINUTE} minutes, ${retryAfter}, ${executions} executions`,
			items: WINDOWS * limit,
			rule: () => rule(limit, length),
			retryAfter,
			executions,
			refusals: REFUSED_PER_WINDOW[retryAfter] * WINDOWS * executions,
		})),
	),
});

export interface Slow {
	name: string;
	cases: Case[];
}

const PERIODS = [
	{ period: 'minute', length: MINUTE, limits: [3, 10, 30, 60, 120, 600] },
	{ period: '5 minutes', length: 5 * MINUTE, limits: [15, 50, 300, 1000] },
	{ period: 'hour', length: 60 * MINUTE, limits: [100, 500, 1000] },
];

/** Limits by the minute, by five minutes and by the hour, for one execution and for three at once, which share the limit. */
export const SLOW: Slow[] = PERIODS.flatMap(({ period, ...limit }) =>
	(['exact', 'missing'] as const)
		// Such a service accepts nothing for more than two minutes, and does not say that it will
		.filter((retryAfter) => period === 'minute' || retryAfter === 'exact')
		.flatMap((retryAfter) =>
			[1, 3].map((executions) => {
				const told = retryAfter === 'exact' ? 'with Retry-After' : 'no Retry-After';
				const many = executions === 1 ? 'one execution' : 'three executions';
				return slow({
					name: `per ${period}, ${told}, ${many}`,
					...limit,
					retryAfter,
					executions,
				});
			}),
		),
);

const atRandom = (probability: number) => (seed: number) => {
	const random = randomNumbers(1000 * seed);
	return services.failing(() => random() < probability);
};
const atATime = (most: number) => () => services.atATime(most);
const unlimited = () => noLimit;
const inFiveSeconds = (limit: number) => () => slidingWindow(limit, 5000);
const inMinutes = (limit: number) => () => slidingWindow(limit, MINUTE);
const pausing = (length: number) => () => disturbed(noLimit, 0, length);
const failsOnce = (request: number) =>
	request === 1 ? { statusCode: 502, headers: {}, body: {} } : undefined;
const slower = () => changing(slidingWindow(20), 2000, slidingWindow(1));
const opened = () => changing(slidingWindow(1), 40_000, noLimit);
const shared = () => changing(fixedWindow(10), 20_000, fixedWindow(20));
const refusing = (from: number, to: number) => () => disturbed(fixedWindow(20), from, to);
const givenUp = { lost: 10_000, seconds: 180 };

/** What else services do. */
const OTHERS: Array<[name: string, items: number, Service['rule'], Partial<Case>]> = [
	['no limit', 1000, unlimited, { ratio: 1.05, refused: 0 }],
	['5 at a time', 500, atATime(5), { network: 0.1, ratio: 3 }],
	['5 at a time', 3000, atATime(5), { network: 0.1, ratio: 2 }],
	['2 at a time', 1000, atATime(2), { network: 0.1, ratio: 3 }],
	['refuses 0.5 % at random', 1000, atRandom(0.005), { seconds: 30 }],
	// Six times the pauses of 20 refusals of a second each
	['refuses 2 % at random', 1000, atRandom(0.02), { seconds: 120 }],
	['20 a second, Retry-After 30 s', 1000, () => fixedWindow(20), { retryAfter: 30_000, ratio: 4 }],
	[
		'15 in 5 seconds, no Retry-After',
		300,
		inFiveSeconds(15),
		{ retryAfter: 'missing', ratio: 1.5 },
	],
	['10 a minute, no Retry-After', 180, inMinutes(10), { retryAfter: 'missing', ratio: 1.35 }],
	['3 a minute, with Retry-After', 180, inMinutes(3), { retryAfter: 'exact', ratio: 1.05 }],
	[
		'asks for a pause of 125 s, then fails once, GET',
		1,
		pausing(125_000),
		{ retryAfter: 'exact', instead: failsOnce, method: 'GET', ratio: 1.01 },
	],
	['10 a second, no bursts', 500, () => tokenBucket(10, 1), { ratio: 2 }],
	['20 a second, from 2 s on 1 a second', 60, slower, {}],
	['1 a second for 40 s, then no limit', 1040, opened, { seconds: 150 }],
	['20 a second, half of it used by others for 20 s', 1000, shared, { ratio: 1.6 }],
	['20 a second, refuses all for 10 s', 1000, refusing(3000, 13_000), { ratio: 1.6 }],
	['20 a second, refuses all for 120 s', 1000, refusing(3000, 123_000), { ratio: 1.6 }],
	['refuses all, for good: given up after two minutes', 10_000, atRandom(1), givenUp],
	[
		'50 in 5 minutes, no Retry-After: given up after two minutes',
		150,
		() => slidingWindow(50, 5 * MINUTE),
		{ retryAfter: 'missing', lost: 100, seconds: 180 },
	],
	['out of reach for 5 s, PATCH', 1000, unlimited, { isDownUntil: 5000, lost: 15 }],
	['out of reach for 5 s, POST', 1000, unlimited, { isDownUntil: 5000, method: 'POST', lost: 15 }],
	[
		'out of reach, for good: given up after half a minute',
		10_000,
		unlimited,
		{ isDownUntil: Infinity, lost: 10_000, seconds: 40 },
	],
	['1 % of the requests hang until the time-out', 1000, unlimited, { hanging: 0.01, seconds: 100 }],
	[
		'2 workers of 5 s each, POST',
		200,
		unlimited,
		{ latency: 5000, retryAfter: 0, network: 0, workers: 2, method: 'POST', ratio: 1.1, lost: 6 },
	],
];
export const CASES = OTHERS.map(
	([name, items, rule, more]): Case => ({ ...more, name, items, rule }),
);

const REFUSALS: ServiceResponse[] = [
	{ statusCode: 429, headers: {}, body: {} },
	{ statusCode: 503, headers: {}, body: {} },
	{ statusCode: 429, headers: { 'retry-after': '5' }, body: {} },
	{ statusCode: 503, headers: { 'retry-after': '5' }, body: {} },
	{ statusCode: 403, headers: { 'retry-after': '60' }, body: {} },
];
const FAILURE: ServiceResponse = { statusCode: 500, headers: {}, body: {} };
const FORBIDDEN: ServiceResponse = { statusCode: 403, headers: {}, body: {} };

/** More requests than any of the mixtures needs; whoever is still asking is told that the work is done */
const MOST_REQUESTS = 5000;

/**
 * Services that never do anything, and say so in several ways, at random.
 *
 * A row of refusals lasts for at most two minutes and a pause, or for three pauses: here at most three minutes. A 500 ends it, and
 * five of them end a request. So one request takes at most 15 minutes. Each further one has five attempts of its own, and each
 * refusal before one of them makes all wait, so that time grows with the requests: by less than a minute for each.
 */
export const MIXTURES = Object.entries({
	'429, 503, and 403 with Retry-After': REFUSALS,
	'429, 503, 403, and 500': [...REFUSALS, FAILURE, FORBIDDEN],
	'429, 503, 403 with Retry-After, and 500': [...REFUSALS, FAILURE],
	'429 and 500': [...REFUSALS.slice(0, 1), FAILURE],
	'429 with Retry-After and 500': [...REFUSALS.slice(2, 3), FAILURE],
}).flatMap(([name, answers]) =>
	[
		{ items: 1, minutes: 15 },
		{ items: 5, minutes: 20 },
		{ items: 200, minutes: 200 },
	].flatMap(({ items, minutes }) =>
		(['PATCH', 'POST'] as const).map((method) => ({
			name: `${name}, ${method}`,
			items,
			method,
			rule: unlimited,
			seconds: 60 * minutes,
			instead: (request: number, random: () => number) =>
				request < MOST_REQUESTS ? answers[Math.floor(random() * answers.length)] : undefined,
		})),
	),
);

const percent = (part: number) => `${(part * 100).toFixed(1)} %`;

/** @returns the geometric mean of time / ideal, the mean of what is refused, and the items lost */
export async function summaryOf(cases: Case[]) {
	const results = await Promise.all(cases.map(async (one) => await simulate(one)));
	const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
	return {
		ratio: Math.exp(mean(results.map(({ ratio }) => Math.log(ratio)))),
		refused: mean(results.map(({ share }) => share)),
		lost: results.reduce((sum, { lost }) => sum + lost, 0),
	};
}

const time = (seconds: number) => (Number.isFinite(seconds) ? `${seconds.toFixed(1)} s` : 'none');

export const PAGE = fileURLToPath(new URL('pace.md', import.meta.url));

async function slowRow(name: string, cases: Case[]): Promise<string> {
	const { ratio, refused, lost } = await summaryOf(cases);
	const items = cases.map((one) => one.items.toLocaleString('en'));
	const means = `${ratio.toFixed(2)} (geometric mean) | ${percent(refused)} (mean)`;
	return `| ${cases.length} limits ${name} | ${items[0]} to ${items.at(-1)} | | | ${means} | ${lost} |`;
}

/** @returns the text of the page with the table as it is now */
export async function onPage(text: string, grid = GRID): Promise<string> {
	const { ratio, refused, lost } = await summaryOf(grid);
	const means = `${ratio.toFixed(2)} (geometric mean) | ${percent(refused)} (mean)`;
	const rows = [`| ${grid.length} steady limits | 100 to 3,000 | | | ${means} | ${lost} |`];
	for (const { name, cases } of SLOW) rows.push(await slowRow(name, cases));
	for (const one of CASES) {
		const result = await simulate(one);
		const { seconds, ideal, share } = result;
		const ofIdeal =
			Number.isFinite(ideal) && result.lost < one.items ? result.ratio.toFixed(2) : '';
		const cells = [
			one.name,
			one.items.toLocaleString('en'),
			time(seconds),
			ofIdeal && time(ideal),
			ofIdeal,
			percent(share),
			result.lost,
		];
		rows.push(`| ${cells.join(' | ')} |`);
	}
	const table = `
| Service | Items | Time | Ideal | Time / ideal | Refused | Lost |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
${rows.join('\n').replaceAll('|  |', '| |').replaceAll('|  |', '| |')}

`;
	return text.replace(/(?<=<!-- simulated services -->\n)[^]*(?=<!-- end of)/, () => table);
}
