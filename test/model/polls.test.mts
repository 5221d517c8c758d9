import type { IDataObject, IHttpRequestOptions, IPollFunctions } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { EVENT_NAMES, EVENTS } from '../../nodes/SearchVisibilityTrigger/events.ts';
import { SearchVisibilityTrigger } from '../../nodes/SearchVisibilityTrigger/SearchVisibilityTrigger.node.ts';
import { defined } from '../defined.mts';
import { amount, randomNumbers } from '../seed.mts';
import { atOnce, fakeTimeouts, NODE } from '../unit/nodeContext.mts';
import { many, Story } from '../unit/triggerStory.mts';
import { fixedWindow, type Rule, slidingWindow } from './services.mts';

/* First polls of the trigger with all events, under a limit that they share: each event has a client, and so a gate, of its own. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const LATENCY = 50;
/** How long n8n waits for a poll */
const BUDGET = 5 * MINUTE;
/** The part of it that the trigger takes, in seconds */
const MOST_SECONDS = 240;
/** In each list */
const RECORDS = 1500;
const WORKSPACE = { data: { workspaceId: 'ws', workspaceName: 'Acme' } };

interface Refusal {
	statusCode: number;
	headers: IDataObject;
}

/** @returns how the service refuses a request that arrives at this time; undefined if it takes the request */
type Limit = (path: string, time: number) => Refusal | undefined;

const limitOf =
	(rule: Rule, retryAfter: 'exact' | 'missing'): Limit =>
	(_path, time) => {
		const opens = rule.earliest(time);
		if (opens <= time) {
			rule.take(time, 0);
			return undefined;
		}
		const exact = { 'retry-after': String((opens - time) / SECOND) };
		return { statusCode: 429, headers: retryAfter === 'exact' ? exact : {} };
	};

let triggers = 0;

/** A trigger in n8n, and the service that it polls. */
class Trigger {
	/** How many requests the service has taken */
	taken = 0;
	/** What n8n shows without ending the poll */
	readonly shown: Error[] = [];
	private readonly memory: IDataObject = {};
	private readonly story = new Story();
	private readonly began = performance.now();
	private readonly node = new SearchVisibilityTrigger();
	private readonly context: IPollFunctions;

	constructor(private readonly limit: Limit) {
		for (const event of EVENT_NAMES) this.story.lists[event] = many(RECORDS);
		const parameters: IDataObject = { events: EVENT_NAMES };
		// The workspace of a credential is read once a day
		const credential = { baseUrl: 'https://a.example', apiKey: `key-of-a-trigger-${++triggers}` };
		const context = {
			getNodeParameter: (name: string, ...others: unknown[]) => parameters[name] ?? others.at(-1),
			getNode: () => NODE,
			getMode: () => 'trigger',
			getWorkflow: () => ({ id: String(triggers) }),
			getWorkflowStaticData: () => this.memory,
			getPollBudgetMs: () => BUDGET,
			getCredentials: async () => await Promise.resolve(credential),
			helpers: {
				httpRequestWithAuthentication: async (_name: string, options: IHttpRequestOptions) =>
					await this.answer(options),
			},
			__emitError: (error: Error) => void this.shown.push(error),
		};
		this.context = context as unknown as IPollFunctions;
	}

	/** @returns what the poll emits or throws, and how many seconds it takes */
	async poll() {
		const start = performance.now();
		let end = start;
		const polling = this.node.poll
			.call(this.context)
			.catch((error: Error) => error)
			.finally(() => (end = performance.now()));
		return { result: await atOnce(polling), seconds: (end - start) / SECOND };
	}

	/** How many of the events the trigger has begun to watch. */
	get known(): number {
		return Object.values(this.memory.events ?? {}).filter(Boolean).length;
	}

	private async answer({ url, qs: query = {} }: IHttpRequestOptions) {
		await new Promise((resolve) => setTimeout(resolve, LATENCY));
		const path = new URL(url).pathname;
		const refusal = this.limit(path, performance.now() - this.began);
		if (refusal) return { ...refusal, body: {} };
		this.taken++;
		if (path === '/v1/workspace') return { statusCode: 200, headers: {}, body: WORKSPACE };
		// The questions are the same for both events that read them
		const event = defined(EVENT_NAMES.find((name) => EVENTS[name].path === path));
		return this.story.answer({ method: 'GET', path, query }, event);
	}
}

/** Chance decides how long each pause lasts. */
const seeds = Array.from({ length: amount(2, 20) }, (_, n) => 7919 * (n + 1));
const useSeed = (seed: number) => vi.mocked(Math.random).mockImplementation(randomNumbers(seed));

beforeEach(() => {
	vi.useFakeTimers();
	vi.spyOn(Math, 'random');
	fakeTimeouts();
});
afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
});

describe.each([
	['fixed windows', fixedWindow],
	['a sliding window', slidingWindow],
])('under a limit by the minute, in %s, a first poll of all events', (_name, rule) => {
	it('that is told how long to wait takes at most 1.25 times the ideal', async () => {
		const trigger = new Trigger(limitOf(rule(30, MINUTE), 'exact'));
		const { result, seconds } = await trigger.poll();
		expect([result, trigger.known, trigger.shown]).toEqual([null, EVENT_NAMES.length, []]);
		const fullWindows = Math.floor((trigger.taken - 1) / 30);
		expect(fullWindows).toBeGreaterThan(1);
		expect(seconds).toBeLessThan(1.25 * 60 * fullWindows);
	});

	it.each(seeds)(
		'that is not told it outlasts a window that is used up (seed %i)',
		async (seed) => {
			useSeed(seed);
			const trigger = new Trigger(limitOf(rule(60, MINUTE), 'missing'));
			const { result, seconds } = await trigger.poll();
			expect([result, trigger.known, trigger.shown]).toEqual([null, EVENT_NAMES.length, []]);
			expect(trigger.taken).toBeGreaterThan(60);
			expect(seconds).toBeLessThan(100);
		},
	);

	it.each(seeds)(
		'that is not told it, and needs several windows, learns some events, and the next polls the others (seed %i)',
		async (seed) => {
			useSeed(seed);
			const trigger = new Trigger(limitOf(rule(30, MINUTE), 'missing'));
			let polls = 0;
			while (trigger.known < EVENT_NAMES.length && polls < 5) {
				polls++;
				const { result, seconds } = await trigger.poll();
				expect(result).toBeNull();
				expect(seconds).toBeLessThan(MOST_SECONDS);
				expect(trigger.known).toBeGreaterThan(0);
			}
			expect(trigger.known).toBe(EVENT_NAMES.length);
		},
	);
});

describe('a poll that is refused throughout ends in time, with the words of the refusal', () => {
	const BUSY = /^The service received too many requests/;
	const DOWN = /^The service could not process the request/;
	/** Refuses all, or all but the first request, which asks for the workspace */
	const BEGINNINGS = ['from its beginning', 'from its first list on'] as const;

	it.each<[statusCode: number, retryAfter: number | undefined, words: RegExp, seconds: number]>([
		[429, undefined, BUSY, 100],
		[503, undefined, DOWN, 100],
		[429, 1, BUSY, 100],
		[429, 10, BUSY, 100],
		[403, 5, BUSY, 100],
		// Three refusals, as far as there is time for them
		[429, 60, BUSY, 2 * 60 + 1],
		[429, 125, BUSY, MOST_SECONDS],
		[503, 200, DOWN, MOST_SECONDS],
		[429, 86_400, BUSY, 1],
	])('%i, Retry-After %s', async (statusCode, retryAfter, words, most) => {
		const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
		for (const beginning of BEGINNINGS) {
			useSeed(1);
			const isTaken = (path: string) =>
				path === '/v1/workspace' && beginning === 'from its first list on';
			const limit = (path: string) => (isTaken(path) ? undefined : { statusCode, headers });
			const { result, seconds } = await new Trigger(limit).poll();
			expect(result).toBeInstanceOf(Error);
			expect((result as Error).message).toMatch(words);
			expect(seconds).toBeLessThan(most);
		}
	});
});
