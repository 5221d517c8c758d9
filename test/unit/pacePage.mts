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
		'so many at a time',
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

How the node finds out how much the service takes. One door, \`nodes/shared/gate.ts\`, lets the requests of an execution
through; the number of requests at a time (\`slots.ts\`) and their rate (\`pace.ts\`) follow what the service shows:

- It starts with 5 requests at a time and adds one for each answer, up to **Concurrency**.
- After a refusal (429, or 503 with Retry-After) nothing is sent until the pause is over. Then half as many are sent at a
  time, at the rate that was shown, which is tried faster and faster until it is refused once more. From then on the rate
  found is kept, and a faster one is tried now and then.
- When answers take longer the more are under way, fewer are sent at a time, before anything is refused.
- A service that refuses everything is asked again with one request after another, less and less often.

The table comes from a simulation with a virtual clock: a latency of 50 ms if not stated otherwise, varying by 10 %, and the
node's own retries (4, with their backoff). The ideal is the time that a client needs that knows the limit beforehand, starts
with 5 at a time as well and is never refused; it has no pauses. To find a limit takes two refusals with the pause after each.
That is why short jobs take longer and have a larger share refused: up to 20 requests are under way when the first one is
refused. "Lost" are items of which all five tries were refused.

\`npx vitest run test/unit/gate.test.mts -u\` writes this page; the same tests hold the bars.

| Service | Limit | Retry-After | Items | Time | Ideal | Time / ideal | Refused | Lost |
| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |
`;

/** @returns the page with the simulated figures */
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
