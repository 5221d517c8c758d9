import { ServiceClient } from '../../nodes/shared/request/client.ts';
import { Gate } from '../../nodes/shared/request/gate.ts';
import type { ServiceResponse } from '../../nodes/shared/request/responses.ts';
import { itemAt } from '../defined.mts';
import { randomNumbers } from '../seed.mts';
import { VirtualClock } from '../unit/virtualClock.mts';

/** Decides which requests a service takes. */
export interface Rule {
	/** @returns the first time, from this one on, at which an arriving request is taken */
	earliest(time: number): number;
	/** Counts a request that arrived at this time, was taken, and takes `work` milliseconds. */
	take(time: number, work: number): void;
	/** With more than this many under way, a client can't be sure that the next one is taken. */
	atATime?: number;
}

const SECOND = 1000;

/** At most this many in each second of the clock, or in each minute or hour. */
export function fixedWindow(limit: number, length = SECOND): Rule {
	let window = 0;
	let count = 0;
	const windowOf = (time: number) => Math.floor(time / length);
	return {
		earliest: (time) => (windowOf(time) <= window && count >= limit ? (window + 1) * length : time),
		take(time) {
			if (windowOf(time) > window) {
				window = windowOf(time);
				count = 0;
			}
			count++;
		},
	};
}

/** At most this many in any second. */
export function slidingWindow(limit: number, length = SECOND): Rule {
	const taken: number[] = [];
	return {
		earliest: (time) =>
			taken.length < limit ? time : Math.max(time, itemAt(taken, -limit) + length),
		take: (time) => void taken.push(time),
	};
}

/** This many a second, and this many at once after a rest. */
export function tokenBucket(rate: number, burst: number): Rule {
	let tokens = burst;
	let filledAt = 0;
	const fill = (time: number) => {
		if (time <= filledAt) return;
		tokens = Math.min(burst, tokens + ((time - filledAt) * rate) / SECOND);
		filledAt = time;
	};
	// Sums of fractions can fall slightly short of the whole number
	const ONE = 1 - 1e-9;
	return {
		earliest(time) {
			fill(time);
			return tokens >= ONE ? time : filledAt + ((1 - tokens) * SECOND) / rate;
		},
		take(time) {
			fill(time);
			tokens--;
		},
	};
}

/** At most this many at a time. */
export function atATime(most: number): Rule {
	const ends: number[] = [];
	return {
		atATime: most,
		earliest(time) {
			while (ends.length > 0 && itemAt(ends, 0) <= time) ends.shift();
			return ends.length < most ? time : itemAt(ends, -most);
		},
		take(time, work) {
			ends.push(time + work);
			ends.sort((a, b) => a - b);
		},
	};
}

export const noLimit: Rule = { earliest: (time) => time, take: () => {} };

/** Refuses a request whenever the function says so, whatever the rate. */
export const failing = (isRefused: () => boolean): Rule => ({
	earliest: (time) => (isRefused() ? time + 1 : time),
	take: () => {},
});

/** One rule up to a certain time and another one after it, as when a second run uses the same key for a while. */
export const changing = (before: Rule, at: number, after: Rule): Rule => ({
	earliest(time) {
		const first = time < at ? before.earliest(time) : at;
		return first < at ? first : after.earliest(Math.max(time, at));
	},
	take: (time, work) => (time < at ? before : after).take(time, work),
});

const closed: Rule = { earliest: () => Infinity, take: () => {} };

/** Takes nothing during a certain time. */
export const disturbed = (rule: Rule, from: number, to: number) =>
	changing(rule, from, changing(closed, to, rule));

export interface Service {
	/** Anew for each run, because a rule keeps count */
	rule: (seed: number) => Rule;
	/** Milliseconds from the start of a request to its answer, which vary by a tenth */
	latency?: number;
	/** How long the service tells a refused client to wait */
	retryAfter?: 'exact' | 'missing' | number;
	/** How much of the latency is the time on the network, there and back */
	network?: number;
	/** Number of workers that share all the work, each doing one request after the other; the others queue */
	workers?: number;
	/** Until this time, connections are refused */
	isDownUntil?: number;
	/** The fraction of the requests that get no answer */
	hanging?: number;
	/** What it answers in place of what its rule says; the first request has the number 0 */
	instead?: (request: number, random: () => number) => ServiceResponse | undefined;
}

/** How long a request can take, in milliseconds; the default of the node */
const TIMEOUT = 30_000;

const networkError = (code: string) => Object.assign(new Error(code), { code });

/** @returns how long a request is on the network in each direction, and how long the service works on it */
function durations({ latency = 50, network = 0.5 }: Service, random = () => 0.5) {
	const way = (latency * network) / 2;
	return { way, work: latency * (1 - network) * (1 + 0.1 * (2 * random() - 1)) };
}

/** @returns a function that gives work to the next free worker and tells when it begins */
function workersOf({ workers = 0 }: Service) {
	const free = Array.from({ length: workers }, () => 0);
	return (arrival: number, work: number) => {
		if (workers === 0) return arrival;
		const place = free.indexOf(Math.min(...free));
		const start = Math.max(arrival, itemAt(free, place));
		free[place] = start + work;
		return start;
	};
}

/** How many items may be under way at once; the default of the node */
const MOST = 20;

interface Use {
	items: number;
	method?: 'GET' | 'PATCH' | 'POST';
	/** How many executions share the items and the limit, each with a client of its own */
	executions?: number;
}

/** Sends items with the node's own client and gate, and reports what happens. */
export async function run(service: Service, use: Use, seed: number) {
	const { items, method = 'PATCH', executions = 1 } = use;
	const { retryAfter = SECOND, isDownUntil = 0, hanging = 0, instead = () => undefined } = service;
	const rule = service.rule(seed);
	const clock = new VirtualClock();
	const random = randomNumbers(seed);
	const began = clock.now();
	const time = () => clock.now() - began;
	const report = { requests: 0, refused: 0, lost: 0 };
	const startOf = workersOf(service);
	const send = async (): Promise<ServiceResponse> => {
		const other = instead(report.requests++, random);
		if (time() < isDownUntil) {
			await clock.wait(5);
			throw networkError('ECONNREFUSED');
		}
		if (hanging > 0 && random() < hanging) {
			await clock.wait(TIMEOUT);
			throw networkError('ETIMEDOUT');
		}
		const { way, work } = durations(service, random);
		await clock.wait(way);
		if (other) {
			if (other.statusCode === 429) report.refused++;
			await clock.wait(way);
			return other;
		}
		const arrival = time();
		const opens = rule.earliest(arrival);
		if (opens > arrival) {
			report.refused++;
			await clock.wait(way);
			if (retryAfter === 'missing') return { statusCode: 429, headers: {}, body: {} };
			const wait = retryAfter === 'exact' ? Math.max(0, opens - time()) : retryAfter;
			return { statusCode: 429, headers: { 'retry-after': String(wait / SECOND) }, body: {} };
		}
		rule.take(arrival, work);
		const rest = startOf(arrival, work) - arrival + work + way;
		await clock.wait(Math.min(rest, TIMEOUT - way));
		if (rest > TIMEOUT - way) throw networkError('ETIMEDOUT');
		return { statusCode: 200, headers: {}, body: {} };
	};
	const execute = async (share: number) => {
		const gate = new Gate({ concurrency: MOST, timeout: 30_000 }, clock, random);
		const client = new ServiceClient({ gate, send });
		let next = 0;
		const worker = async () => {
			while (next++ < share) {
				await client.request({ method, path: '/v1/items/1' }).catch(() => report.lost++);
			}
		};
		await Promise.all(Array.from({ length: Math.min(MOST, share) }, worker));
	};
	await Promise.all(Array.from({ length: executions }, () => execute(items / executions)));
	return { ...report, seconds: time() / SECOND };
}

/** Times mostly rise, so that the place is near the end. */
function addSorted(times: number[], time: number): void {
	times.splice(times.findLastIndex((other) => other <= time) + 1, 0, time);
}

/**
 * The shortest possible time, in seconds, for a client that knows every limit in advance. It starts with 5 at a time, adds
 * one for each answer up to the maximum, and never sends a request that may be refused.
 */
export function idealTime(service: Service, items: number, seed: number): number {
	const rule = service.rule(seed);
	const highest = Math.min(MOST, rule.atATime ?? MOST);
	const slots = Array.from({ length: Math.min(5, highest) }, () => 0);
	let count = slots.length;
	let last = 0;
	const { way, work } = durations(service);
	const startOf = workersOf(service);
	for (let item = 0; item < items; item++) {
		const arrival = rule.earliest((slots.shift() ?? 0) + way);
		rule.take(arrival, work);
		const end = startOf(arrival, work) + work + way;
		last = Math.max(last, end);
		addSorted(slots, end);
		if (count++ < highest) addSorted(slots, end);
	}
	return last / SECOND;
}
