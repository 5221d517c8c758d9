import { gate } from './built.mts';
import type { RetryAfter, RunOptions, Service } from './services.mts';
import { idealTime, run } from './services.mts';
import { VirtualClock } from './virtualClock.mts';

/** A simulated run against a service, created anew for each run because a rule keeps count. */
export interface Case extends RunOptions {
	service: string;
	make: () => Service;
	items: number;
}

export interface Result {
	name: string;
	seconds: number;
	ideal: number;
	ratio: number;
	/** Fraction of the requests */
	refused: number;
	requests: number;
	lost: number;
	latency: number;
}

export async function simulate({ service, make, items, ...options }: Case): Promise<Result> {
	const clock = new VirtualClock();
	const report = await run(clock, new gate.Gate(20, clock), make(), items, options);
	const seconds = report.milliseconds / 1000;
	const ideal = idealTime(make(), items) / 1000;
	return {
		name: `${service}, ${items} items`,
		seconds,
		ideal,
		ratio: seconds / ideal,
		refused: report.refused / report.requests,
		requests: report.requests,
		lost: report.lost,
		latency: report.latency,
	};
}

export async function simulateAll(cases: Case[]): Promise<Result[]> {
	const results: Result[] = [];
	for (const one of cases) results.push(await simulate(one));
	return results;
}

export const PAUSES: RetryAfter[] = ['exact', 1000, 'missing'];

/** Finding a limit takes two refusals, each with a pause: 2 s more than for a client that knows the limit. */
const TO_FIND_IT = 2;
export const isLate = (share: number) => (result: Result) =>
	result.seconds > share * result.ideal + TO_FIND_IT;
export const names = (results: Result[]) => results.map(({ name }) => name);
export const lost = (results: Result[]) => names(results.filter((result) => result.lost > 0));
export const refusedMore = (results: Result[], share: number) =>
	names(results.filter(({ refused }) => refused > share));
