import type { RequestFailure } from '../errors/requestFailure';
import { type AttemptResult, isRefusal } from './responses';
import { withSignal } from '../compatibility';
import { HOUR } from '../times';
import type { Limits } from './credential';
import { FIRST_BACKOFF, LONGEST_BACKOFF, Pace } from './pace';

/** The limit of requests at once starts here and never falls below this, unless 'Requests at Once' is lower. */
const FEWEST = 5;

/** How much each response in time raises the limit: four raise the limit by one. */
const GROWTH = 1 / 4;

/** A response that took more than this part of the time-out means that too many requests run at once. */
const LATE = 1 / 2;

/** Up to this many refusals in a row are usual until the rate is found. After more, only one request runs at a time. */
const USUAL_REFUSALS = 2;

/** A service that refuses everything for longer than this is given up, in milliseconds. */
export const LONGEST_REFUSAL = 2 * 60 * 1000;

/** A service is given up after so many requests in a row without a response, over more milliseconds than a restart takes. */
const UNREACHABLE = 20;
const RESTART = 30_000;

/** Time, as the gate sees it; tests use a clock of their own. */
export interface Clock {
	/** @returns milliseconds since some moment, never less than before */
	now(): number;
	/** Waits; rejects as soon as the signal fires or the execution is cancelled. */
	wait(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** What the gate knows about a request across its attempts. Times are by the clock of the gate. */
export interface Progress {
	/** Ends the wait; an attempt that has started goes on */
	signal?: AbortSignal | undefined;
	tries: number;
	/** Refusals do not count as retries */
	refusals: number;
	notBefore: number;
	startedAt: number;
}

interface Waiter {
	progress: Progress;
	start: () => void;
	fail: (reason: unknown) => void;
}

/**
 * All requests of a client pass through its gate, which limits how many run at once and how fast they follow each other. During
 * a pause, none starts. A service that asks for too long a pause, refuses everything, or does not respond is given up.
 */
export class Gate {
	private readonly pace = new Pace();
	private readonly waiting = new Set<Waiter>();
	private timer?: AbortController;
	private running = 0;
	/** How many requests may run at once */
	private limit: number;
	private halvedAt = -Infinity;
	/** Earliest start of any attempt, because of a pause or the pace */
	private nextStart = 0;
	private refusalsInARow = 0;
	/** When the first refusal in a row came */
	private refusingSince = 0;
	/** When a refusal last raised `refusalsInARow` */
	private refusedAt = -Infinity;
	private unanswered = 0;
	private unansweredSince = 0;
	private closed?: RequestFailure;

	/**
	 * @param random returns 0 to 1, for the jitter of the backoff
	 * @param patience how long the service may refuse everything, in milliseconds
	 */
	constructor(
		private readonly limits: Limits,
		readonly clock: Clock,
		private readonly random = Math.random,
		private readonly patience = LONGEST_REFUSAL,
	) {
		this.limit = Math.min(FEWEST, limits.concurrency);
	}

	/**
	 * Waits until the next attempt of a request may start. Call `leave` after the attempt, even if the attempt throws.
	 * @throws the reason of the signal; what the clock throws; the failure because of which the service was given up
	 */
	async enter(progress: Progress): Promise<void> {
		progress.signal?.throwIfAborted();
		if (this.closed) throw this.closed;
		const waiter: Waiter = { progress, start: () => {}, fail: () => {} };
		const start = new Promise<void>((resolve, reject) => {
			Object.assign(waiter, { start: resolve, fail: reject });
		});
		this.waiting.add(waiter);
		void this.startNext();
		// The attempt may have started at once
		if (!this.waiting.has(waiter)) return await start;
		await withSignal([progress.signal], async (signal) => {
			signal.addEventListener('abort', () => this.fail(signal.reason, [waiter]));
			await start;
		});
	}

	/** Ends an attempt, and learns from its result. */
	leave(progress: Progress, result?: AttemptResult): void {
		if (result) this.learn(result, progress);
		this.running--;
		void this.startNext();
	}

	private fail(reason: unknown, waiters = [...this.waiting]): void {
		for (const waiter of waiters) {
			this.waiting.delete(waiter);
			waiter.fail(reason);
		}
		if (this.waiting.size === 0) this.timer?.abort();
	}

	/** All waiting and later requests end with this failure. */
	private close(failure: RequestFailure): void {
		this.closed = failure;
		this.fail(failure);
	}

	/** Starts all attempts that may start now, then waits for the next one. A new call ends this wait and does the same. */
	private async startNext(): Promise<void> {
		this.timer?.abort();
		const { signal } = (this.timer = new AbortController());
		for (let next = this.next; next && this.hasRoom && !signal.aborted; next = this.next) {
			const now = this.clock.now();
			const time = Math.max(this.nextStart, next.progress.notBefore) - now;
			if (time <= 0) this.begin(next, now);
			else await this.clock.wait(time, signal).catch((error) => signal.aborted || this.fail(error));
		}
	}

	private begin(waiter: Waiter, now: number): void {
		this.running++;
		const interval = this.pace.started(now);
		// A late start is made up for: the next start may come up to half an interval sooner
		this.nextStart = Math.max(this.nextStart, now - interval / 2) + interval;
		this.waiting.delete(waiter);
		Object.assign(waiter.progress, { startedAt: now, tries: waiter.progress.tries + 1 });
		waiter.start();
	}

	private get hasRoom(): boolean {
		return this.running < (this.isRefusing ? 1 : Math.floor(this.limit));
	}

	/** The request whose backoff ends first; of several, the one that came first. */
	private get next(): Waiter | undefined {
		const now = this.clock.now();
		const rest = ({ progress }: Waiter) => Math.max(0, progress.notBefore - now);
		const [next] = [...this.waiting].sort((a, b) => rest(a) - rest(b));
		return next;
	}

	private get isRefusing(): boolean {
		return this.refusalsInARow > USUAL_REFUSALS;
	}

	private learn({ verdict, failure }: AttemptResult, progress: Progress): void {
		const now = this.clock.now();
		const { startedAt } = progress;
		if (failure && isRefusal(verdict)) {
			progress.refusals++;
			return this.refused(failure, startedAt, now);
		}
		progress.notBefore = now + this.backoff(progress.tries - progress.refusals - 1);
		const isAnswered = !failure || failure.details.statusCode !== undefined;
		const isLate = now - startedAt > this.limits.timeout * LATE;
		if (isLate) this.halve(startedAt, now);
		else if (isAnswered) this.limit = Math.min(this.limits.concurrency, this.limit + GROWTH);
		if (isAnswered) this.answered(startedAt);
		else this.notAnswered(failure, now);
	}

	/** Halves the limit once for all requests that ran together. */
	private halve(startedAt: number, now: number): void {
		if (startedAt <= this.halvedAt) return;
		this.halvedAt = now;
		this.limit = Math.max(this.limit / 2, Math.min(FEWEST, this.limits.concurrency));
	}

	private answered(startedAt: number): void {
		this.unanswered = 0;
		if (startedAt > this.refusingSince) this.refusalsInARow = 0;
		this.pace.accepted(startedAt);
	}

	private notAnswered(failure: RequestFailure, now: number): void {
		if (this.unanswered++ === 0) this.unansweredSince = now;
		const isLasting = now - this.unansweredSince >= RESTART;
		if (this.unanswered >= UNREACHABLE && isLasting) this.close(failure);
	}

	/** Refusals of requests that ran together count as one, but each can make the pause longer. */
	private refused(failure: RequestFailure, startedAt: number, now: number): void {
		this.unanswered = 0;
		const isNew = startedAt > this.refusedAt;
		if (isNew && this.refusalsInARow++ === 0) this.refusingSince = now;
		const { retryAfter = 0 } = failure.details;
		const isLasting = this.isRefusing && now - this.refusingSince > this.patience;
		if (isLasting || retryAfter > HOUR) return this.close(failure);
		// Without the backoff, requests after a Retry-After of 0 would follow each other without any pause
		const pause = Math.max(retryAfter, this.backoff(this.refusalsInARow - 1));
		this.nextStart = Math.max(this.nextStart, now + pause);
		if (!isNew) return;
		this.refusedAt = now;
		this.pace.refused(now, pause);
	}

	private backoff(attempt: number): number {
		const longest = Math.min(FIRST_BACKOFF * 2 ** attempt, LONGEST_BACKOFF);
		return longest * (0.5 + this.random() / 2);
	}
}
