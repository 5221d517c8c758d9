import { Pace } from './pace';
import { Slots } from './slots';

/** Time, as the gate and the retries see it; tests put in a clock of their own. */
export interface Clock {
	/** @returns milliseconds since 1970 */
	now(): number;
	/** Waits; rejects at once when the signal fires or the execution is cancelled. */
	wait(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

const LATE = 20;

interface Waiter {
	wake: () => void;
}

/** The one door through which all requests of an execution go. */
export class Gate {
	private readonly slots: Slots;

	private readonly pace = new Pace();

	private underWay = 0;

	/** In the order of their coming; only the first one watches the time */
	private readonly waiting: Waiter[] = [];

	private readonly again: Waiter[] = [];
	private bursts = 0;

	private pausedUntil = 0;

	private nextStart = 0;

	/** Since when the service has taken nothing */
	private closedSince?: number;

	constructor(
		most: number,
		private readonly clock: Clock,
	) {
		this.slots = new Slots(most);
	}

	async pass<T>(request: () => Promise<T>, signal?: AbortSignal, isRepeat = false): Promise<T> {
		signal?.throwIfAborted();
		if (this.first !== undefined || this.timeToStart() > 0) await this.queue(isRepeat && this.bursts < 2 ? this.again : this.waiting, signal);
		this.underWay++;
		this.goOn();
		try {
			return await request();
		} finally {
			this.underWay--;
			this.wakeFirst();
		}
	}

	taken(startedAt: number): void {
		const isFresh = startedAt >= this.pausedUntil;
		if (isFresh) {
			this.closedSince = undefined;
			this.bursts = 0;
		}
		this.pace.count(startedAt, this.pausedUntil);
		this.slots.taken(this.clock.now() - startedAt, this.clock.now(), this.underWay, isFresh);
	}

	refused(pauseMilliseconds: number, startedAt: number): void {
		const now = this.clock.now();
		const resumedAt = this.pausedUntil;
		this.closedSince ??= now;
		const pause = Math.max(pauseMilliseconds, (now - this.closedSince) / 3);
		this.pausedUntil = Math.max(resumedAt, now + pause);
		const isAgain = startedAt < resumedAt;
		if (isAgain) return;
		this.bursts++;
		const isFull = this.underWay >= this.slots.open;
		const isProbing = isFull && this.pace.isOpen && this.slots.isProbing;
		if (this.pace.isFree || isProbing) this.slots.refused(now);
		if (!isProbing) this.pace.refused(now);
		this.nextStart = 0;
	}

	/** @returns milliseconds until a request may start; without end while as many as allowed are under way */
	private timeToStart(): number {
		if (this.underWay >= this.slots.open) return Number.POSITIVE_INFINITY;
		const now = this.clock.now();
		const start = Math.max(this.pausedUntil, this.nextStart);
		if (start > now) return start - now;
		return 0;
	}

	private goOn(): void {
		const now = this.clock.now();
		this.pace.start(now);
		this.nextStart = Math.max(this.nextStart, now - LATE) + this.pace.interval(now);
	}

	private async queue(queue: Waiter[], signal?: AbortSignal): Promise<void> {
		const waiter: Waiter = { wake: () => {} };
		queue.push(waiter);
		try {
			for (;;) {
				const time = this.first === waiter ? this.timeToStart() : Number.POSITIVE_INFINITY;
				if (time <= 0) return;
				if (time < Number.POSITIVE_INFINITY) await this.clock.wait(time, signal);
				else await woken(waiter, signal);
			}
		} finally {
			queue.splice(queue.indexOf(waiter), 1);
			// after the start of this one
			queueMicrotask(() => this.wakeFirst());
		}
	}

	private get first(): Waiter | undefined {
		return this.again[0] ?? this.waiting[0];
	}

	private wakeFirst(): void {
		this.first?.wake();
	}
}

async function woken(waiter: Waiter, signal?: AbortSignal): Promise<void> {
	await new Promise<void>((resolve, reject) => {
		const giveUp = () => reject(signal?.reason as Error);
		signal?.addEventListener('abort', giveUp, { once: true });
		waiter.wake = () => {
			signal?.removeEventListener('abort', giveUp);
			resolve();
		};
	});
}

/**
 * Runs a task for each entry, so many at a time, and keeps the order of the results.
 * The first task that throws stops new ones from starting; those under way are waited for, then its error is thrown.
 */
export async function mapConcurrently<Entry, Result>(
	entries: readonly Entry[],
	atOnce: number,
	task: (entry: Entry, index: number) => Promise<Result>,
): Promise<Result[]> {
	const results = new Array<Result>(entries.length);
	let next = 0;
	let failure: { error: unknown } | undefined;
	const worker = async () => {
		while (next < entries.length && !failure) {
			const index = next++;
			await task(entries[index], index).then(
				(result) => (results[index] = result),
				(error: unknown) => (failure ??= { error }),
			);
		}
	};
	await Promise.all(Array.from({ length: Math.min(atOnce, entries.length) }, worker));
	if (failure) throw (failure as { error: unknown }).error;
	return results;
}
