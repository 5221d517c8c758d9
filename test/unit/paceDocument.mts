import type { Service } from './services.mts';
import * as services from './services.mts';
import { simulate } from './simulation.mts';

type Row = [service: string, limit: string, retryAfter: string, items: number, make: () => Service];

const latency = 50;
const second = { latency, retryAfter: 1000 } as const;

function limited(
	name: string,
	rule: (perSecond: number) => services.Rule,
	perSecond: number,
): Row[] {
	return [100, 500, 3000].map((items) => [
		name,
		`${perSecond} a second`,
		'1 s',
		perSecond === 1 ? items / 5 : items,
		() => ({ rule: rule(perSecond), ...second }),
	]);
}

const LIMITS: Array<[string, (perSecond: number) => services.Rule]> = [
	['fixed windows of 1 s', (perSecond) => services.fixedWindow(perSecond)],
	['sliding window of 1 s', (perSecond) => services.slidingWindow(perSecond)],
	['token bucket, bursts of 10', (perSecond) => services.tokenBucket(perSecond, 10)],
];

const PAUSES: Array<[string, services.RetryAfter]> = [
	['exact', 'exact'],
	['0', 0],
	['missing', 'missing'],
	['30 s', 30_000],
];

function rows(): Row[] {
	const none = (milliseconds: number): Row => [
		`no limit, ${milliseconds} ms`,
		'none',
		'',
		1000,
		() => ({ rule: services.noLimit(), latency: milliseconds, retryAfter: 0 }),
	];
	const atATime = (items: number): Row => [
		'limited concurrency',
		'5',
		'1 s',
		items,
		() => ({ rule: services.atATime(5), ...second, network: 0.1 }),
	];
	return [
		...LIMITS.flatMap(([name, rule]) =>
			[1, 5, 20, 100].flatMap((limit) => limited(name, rule, limit)),
		),
		...PAUSES.map(
			([name, retryAfter]): Row => [
				'fixed windows of 1 s',
				'20 a second',
				name,
				1000,
				() => ({ rule: services.fixedWindow(20), latency, retryAfter }),
			],
		),
		...[20, 100].map(
			(items): Row => [
				'fixed windows of 1 s, slow refusals',
				'1 a second',
				'1 s',
				items,
				() => ({ rule: services.fixedWindow(1), ...second, network: 1 }),
			],
		),
		[
			'sliding window of 1 s',
			'20 a second',
			'missing',
			1000,
			() => ({ rule: services.slidingWindow(20), latency, retryAfter: 'missing' }),
		],
		[
			'sliding window of 5 s',
			'15 in 5 seconds',
			'missing',
			300,
			() => ({ rule: services.slidingWindow(15, 5000), latency, retryAfter: 'missing' }),
		],
		[
			'token bucket, no bursts',
			'10 a second',
			'1 s',
			500,
			() => ({ rule: services.tokenBucket(10, 1), ...second }),
		],
		atATime(500),
		atATime(3000),
		[
			'queues: 8 workers',
			'none',
			'',
			1000,
			() => ({ rule: services.noLimit(), ...second, workers: 8, queue: 12, network: 0.1 }),
		],
		none(10),
		none(50),
		none(500),
		...[2000, 10_000].map(
			(length): Row => [
				`refuses all for ${length / 1000} s, from the first second on`,
				'none',
				'1 s',
				1000,
				() => ({ rule: services.disturbed(services.noLimit(), 1000, 1000 + length), ...second }),
			],
		),
		[
			'a limit that drops after 2 s',
			'20, then 1 a second',
			'1 s',
			60,
			() => ({
				rule: services.changing(services.slidingWindow(20), 2000, services.slidingWindow(1)),
				...second,
			}),
		],
		[
			'a limit that ends after 40 s',
			'1 a second, then none',
			'1 s',
			1040,
			() => ({
				rule: services.changing(services.slidingWindow(1), 40_000, services.noLimit()),
				...second,
			}),
		],
		[
			'a key of which another run uses half for 20 s',
			'20 a second',
			'1 s',
			1000,
			() => ({
				rule: services.changing(services.fixedWindow(10), 20_000, services.fixedWindow(20)),
				...second,
			}),
		],
	];
}

const INTRO = `# Pace and concurrency

How the node finds out how many requests the service accepts. All requests of an execution pass through a single gate,
\`nodes/shared/gate.ts\`. The number of concurrent requests (\`slots.ts\`) and their rate (\`pace.ts\`) follow the responses of the
service:

- **Start**: 5 concurrent requests, and one more for each response, up to **Concurrency**.
- **After a refusal** (429, or 503 with Retry-After), nothing is sent until the pause is over. The node then halves the number of
  concurrent requests and keeps to the observed rate, which it increases step by step until the service refuses again. From then on,
  it keeps the rate it found and occasionally tries a faster one. If it reaches twice that rate without a refusal, it goes on from
  there.
- **When responses slow down** as the number of concurrent requests grows, the node sends fewer at the same time, before anything is
  refused. If two responses in a row take more than half of **Timeout**, or do not arrive in time, the node halves the number of
  concurrent requests, down to 5.
- **A service that refuses everything** is tried with single requests, less and less often, and given up after ten
  minutes.
- **A request without a response** says nothing about the rate. If more than 20 in a row get none, the service can't be reached. The
  node then no longer keeps to a rate, and sends at least 5 requests at the same time, so that the errors come soon.

The figures come from a simulation with a virtual clock, with a latency of 50 ms unless stated otherwise, varying by 10 %, and the
node's own client and its retries. A refusal takes half as long as another response, because the service does no work for it;
"slow refusals" take as long. "Ideal" is the time of a client that knows the limit in advance, also starts with 5 concurrent
requests, and is never refused, so it has no pauses; if concurrency is limited, it always has exactly as many requests in progress
as the service accepts. Finding a limit takes two refusals, each followed by a pause. This is why short jobs take relatively
longer and have a larger share of refused requests: up to 20 requests are in progress when the first one is refused. "Lost" is the
number of items for which all five attempts were refused.

\`npx vitest run test/unit/paceChanges.test.mts -u\` generates this page. The same tests check the limits for these figures.

| Service | Limit | Retry-After | Items | Time | Ideal | Time / ideal | Refused | Lost |
| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |
`;

/** @returns the text of docs/pace.md, with the simulated figures */
export async function page(): Promise<string> {
	const lines: string[] = [];
	for (const [service, limit, retryAfter, items, make] of rows()) {
		const { seconds, ideal, ratio, refused, lost } = await simulate({ service, make, items });
		const figures = [
			items.toLocaleString('en'),
			`${seconds.toFixed(1)} s`,
			`${ideal.toFixed(1)} s`,
			ratio.toFixed(2),
			`${(refused * 100).toFixed(1)} %`,
			lost,
		];
		lines.push(`| ${[service, limit, retryAfter, ...figures].join(' | ')} |\n`);
	}
	return INTRO + lines.join('');
}
