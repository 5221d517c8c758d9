import type { RequestFailure } from '../errors/requestFailure';
import { type AttemptResult, isRefusal } from './responses';
import { withSignal } from '../compatibility';
import { HOUR } from '../times';
import type { Limits } from './credential';
import { FIRST_BACKOFF, LONGEST_BACKOFF, Pace } from './pace';

/** So many requests may run at once in the beginning and at least, unless 'Requests at Once' is lower. */
const FEWEST_AT_ONCE = 5;

/** How much each response in time adds to the number of requests at once: four add one. */
const GROWTH = 1 / 4;

/** A response that took more than this part of the time-out means that too many requests run at once. */
const LATE = 1 / 2;

/** Up to this many refusals in a row are usual until the rate is found. After more, only one request runs at a time. */
const USUAL_REFUSALS = 2;

/** A service that accepts nothing for longer than this is given up, in milliseconds. */
export const LONGEST_REFUSAL = 2 * 60 * 1000;

/** A service is given up after so many requests in a row without a response, over more milliseconds than a restart takes. */
const UNREACHABLE = 20;
const RESTART = 30_000;

/** The reason of a wait that ends early. Without a reason, each would get a new DOMException, which takes longer than all the rest. */
const ENDED = new Error('The wait has ended');

/** Time, as the gate sees it; tests use a clock of their own. */
export interface Clock {
	/** @returns milliseconds since some moment, never less than before */
	now(): number;
	/** Waits; rejects as soon as the signal fires, the execution is cancelled, or the time of all requests is up. */
	wait(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** What the gate knows about a request across its attempts. Times are by the clock of the gate. */
export interface Turn {
	/** Ends the wait; an attempt that has started goes on */
	signal?: AbortSignal | undefined;
	/** Attempts that have started */
	attempts: number;
	/** Attempts that were refused; they do not count as retries */
	refusals: number;
	/** Earliest start of the next attempt, because of a backoff */
	notBefore: number;
	/** When the last attempt started */
	startedAt: number;
}

/** A request that waits for its next attempt. */
class Waiter {
	start: () => void = () => undefined;
	fail: (reason: unknown) => void = () => undefined;
	readonly started = new Promise<void>((resolve, reject) => {
		this.start = resolve;
		this.fail = reject;
	});

	constructor(readonly turn: Turn) {}
}

/**
 * All requests of a client pass through its gate, which limits how many run at once and how fast they follow each other. During
 * a pause, none starts. A service that asks for too long a pause, accepts nothing, or does not respond is given up.
 */
export class Gate {
	private readonly pace = new Pace();
	private readonly waiting = new Set<Waiter>();
	private timer?: AbortController;
	private running = 0;
	/** How many requests may run at once now */
	private atOnce: number;
	private readonly fewestAtOnce: number;
	private halvedAt = -Infinity;
	/** Earliest start of any attempt, because of a pause or the pace */
	private nextStart = 0;
	/** How many refusals came in a row, and when the first and the last came. Those of requests that ran together count as one */
	private refusals = { count: 0, since: 0, last: -Infinity };
	/** Requests in a row that got no response, and since when */
	private unanswered = { count: 0, since: 0 };
	private closed?: RequestFailure;

	/**
	 * @param random returns 0 to 1, for the jitter of the backoff
	 * @param patience how long the service may accept nothing, in milliseconds
	 */
	constructor(
		private readonly limits: Limits,
		readonly clock: Clock,
		private readonly random = Math.random,
		private readonly patience = LONGEST_REFUSAL,
	) {
		this.fewestAtOnce = Math.min(FEWEST_AT_ONCE, limits.concurrency);
		this.atOnce = this.fewestAtOnce;
	}

	/**
	 * Waits until the next attempt of a request may start. Call `leave` after the attempt, even if the attempt throws.
	 * @throws the reason of the signal; what the clock throws; the failure because of which the service was given up
	 */
	async enter(turn: Turn): Promise<void> {
		turn.signal?.throwIfAborted();
		if (this.closed) throw this.closed;
		const waiter = new Waiter(turn);
		this.waiting.add(waiter);
		void this.startNext();
		const isStillWaiting = this.waiting.has(waiter);
		if (!isStillWaiting) return await waiter.started;
		await withSignal([turn.signal], async (signal) => {
			signal.addEventListener('abort', () => this.fail(signal.reason, [waiter]));
			await waiter.started;
		});
	}

	/**
	 * Ends an attempt, and learns from its result.
	 * @param result undefined if the attempt has thrown
	 */
	leave(turn: Turn, result?: AttemptResult): void {
		if (result) this.learn(result, turn);
		this.running--;
		void this.startNext();
	}

	private fail(reason: unknown, waiters = [...this.waiting]): void {
		for (const waiter of waiters) {
			this.waiting.delete(waiter);
			waiter.fail(reason);
		}
		if (this.waiting.size === 0) this.timer?.abort(ENDED);
	}

	/** All waiting and later requests end with this failure. */
	private close(failure: RequestFailure): void {
		this.closed = failure;
		this.fail(failure);
	}

	/** Starts all attempts that may start now, then waits for the next one. A new call ends this wait and does the same. */
	private async startNext(): Promise<void> {
		this.timer?.abort(ENDED);
		const timer = new AbortController();
		this.timer = timer;
		const { signal } = timer;
		while (!signal.aborted && this.hasRoom) {
			const next = this.next;
			if (!next) return;
			const now = this.clock.now();
			const toWait = Math.max(this.nextStart, next.turn.notBefore) - now;
			if (toWait <= 0) {
				this.begin(next, now);
				continue;
			}
			try {
				await this.clock.wait(toWait, signal);
			} catch (error) {
				// Ended by a new call, or because the time of all requests is up
				if (!signal.aborted) this.fail(error);
			}
		}
	}

	private begin(waiter: Waiter, now: number): void {
		const { turn } = waiter;
		const interval = this.pace.started(now);
		// After a start that was late by half an interval or more, the next one comes half an interval early: requests are made up
		// for one by one, never in a burst
		const due = Math.max(this.nextStart, now - interval / 2);
		this.nextStart = due + interval;
		this.running++;
		this.waiting.delete(waiter);
		turn.startedAt = now;
		turn.attempts++;
		waiter.start();
	}

	private get hasRoom(): boolean {
		return this.running < (this.isRefusing ? 1 : Math.floor(this.atOnce));
	}

	/** The request whose backoff ends first; of several, the one that came first. */
	private get next(): Waiter | undefined {
		const now = this.clock.now();
		const rest = ({ turn }: Waiter) => Math.max(0, turn.notBefore - now);
		const [next] = [...this.waiting].sort((a, b) => rest(a) - rest(b));
		return next;
	}

	private get isRefusing(): boolean {
		return this.refusals.count > USUAL_REFUSALS;
	}

	private learn({ verdict, failure }: AttemptResult, turn: Turn): void {
		const now = this.clock.now();
		const { startedAt } = turn;
		if (failure && isRefusal(verdict)) {
			turn.refusals++;
			return this.refused(failure, startedAt, now);
		}
		turn.notBefore = now + this.backoff(turn.attempts - turn.refusals - 1);
		const isAnswered = !failure || failure.details.statusCode !== undefined;
		const isLate = now - startedAt > this.limits.timeout * LATE;
		if (isLate) this.halve(startedAt, now);
		else if (isAnswered) this.atOnce = Math.min(this.limits.concurrency, this.atOnce + GROWTH);
		if (isAnswered) this.answered(startedAt);
		else this.notAnswered(failure, now);
	}

	/** Halves the number of requests at once, one time for all requests that ran together. */
	private halve(startedAt: number, now: number): void {
		if (startedAt <= this.halvedAt) return;
		this.halvedAt = now;
		this.atOnce = Math.max(this.atOnce / 2, this.fewestAtOnce);
	}

	private answered(startedAt: number): void {
		this.unanswered.count = 0;
		// Sent before the first of the refusals, it says nothing about the time after them
		if (startedAt > this.refusals.since) this.refusals.count = 0;
		this.pace.accepted(startedAt);
	}

	private notAnswered(failure: RequestFailure, now: number): void {
		if (this.unanswered.count === 0) this.unanswered.since = now;
		this.unanswered.count++;
		const isLasting = now - this.unanswered.since >= RESTART;
		if (this.unanswered.count >= UNREACHABLE && isLasting) this.close(failure);
	}

	/** Refusals of requests that ran together count as one, but each can make the pause longer. */
	private refused(failure: RequestFailure, startedAt: number, now: number): void {
		this.unanswered.count = 0;
		const isNew = startedAt > this.refusals.last;
		if (isNew) {
			if (this.refusals.count === 0) this.refusals.since = now;
			this.refusals.count++;
			this.refusals.last = now;
		}
		const { retryAfter = 0 } = failure.details;
		const isLasting = this.isRefusing && now - this.refusals.since > this.patience;
		if (isLasting || retryAfter > HOUR) return this.close(failure);
		// Without the backoff, requests after a Retry-After of 0 would follow each other without any pause
		// The count is 0 if a refusal comes late, after a later request was accepted
		const earlierRefusals = Math.max(0, this.refusals.count - 1);
		const pause = Math.max(retryAfter, this.backoff(earlierRefusals));
		this.nextStart = Math.max(this.nextStart, now + pause);
		if (isNew) this.pace.refused(now, pause);
	}

	/** @returns milliseconds: half to all of a time that doubles with each attempt, from 0.5 s to 30 s */
	private backoff(attempt: number): number {
		const longest = Math.min(FIRST_BACKOFF * 2 ** attempt, LONGEST_BACKOFF);
		return longest * (0.5 + this.random() / 2);
	}
}
