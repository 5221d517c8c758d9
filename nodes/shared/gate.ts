import type { StopSignal } from './stop';

/** Time, as the gate and the retries see it; tests put in a clock of their own. */
export interface Clock {
	/** @returns milliseconds since 1970 */
	now(): number;
	/** Waits; rejects as soon as the signal fires, or the execution is cancelled. */
	wait(milliseconds: number, stop?: StopSignal): Promise<void>;
}

/** After so long without a refusal, the pace is tried a little faster. */
const CALM_MILLISECONDS = 10_000;
const FASTER = 1.05;

/** A little slower than the rate that the service showed. */
const MARGIN = 1.02;

/**
 * The one door through which all requests of an execution go: so many at a time, none while the service asks for
 * a pause, and no faster than the service takes them once it has refused twice.
 */
export class Gate {
	private free: number;

	private readonly waiting: Array<() => void> = [];

	private pausedUntil = 0;

	private interval = 0;

	private nextStart = 0;

	private lastRefusal = 0;

	private takenSincePause = 0;

	/** @param slots how many requests may be under way at once */
	constructor(
		slots: number,
		private readonly clock: Clock,
	) {
		this.free = slots;
	}

	/**
	 * Does one request when its turn has come.
	 * @throws whatever the request throws, or the clock when the execution is cancelled
	 */
	async pass<T>(request: () => Promise<T>, stop?: StopSignal): Promise<T> {
		await this.takeSlot();
		try {
			await this.waitForTurn(stop);
			return await request();
		} finally {
			this.free++;
			this.waiting.shift()?.();
		}
	}

	/** The service took a request that had to pass this gate. */
	taken(_startedAt?: number): void {
		this.takenSincePause++;
	}

	/**
	 * The service refused a request: nobody starts another one before the pause is over.
	 * @param startedAt when the refused request was sent; one from before the pause does not count as a new refusal
	 */
	refused(pauseMilliseconds: number, startedAt: number): void {
		const now = this.clock.now();
		const resumedAt = this.pausedUntil;
		this.pausedUntil = Math.max(resumedAt, now + pauseMilliseconds);
		this.lastRefusal = now;
		if (startedAt < resumedAt) return;
		// A first refusal may be an accident; from the second on, keep to the rate that the service showed
		if (this.interval > 0) this.interval *= slowdown(now - resumedAt);
		else if (resumedAt > 0 && this.takenSincePause > 0) {
			const shownIn = Math.max(now - resumedAt, pauseMilliseconds);
			this.interval = (shownIn / this.takenSincePause) * MARGIN;
		}
		this.takenSincePause = 0;
	}

	private async takeSlot(): Promise<void> {
		while (this.free === 0) await new Promise<void>((resolve) => this.waiting.push(resolve));
		this.free--;
	}

	private async waitForTurn(stop?: StopSignal): Promise<void> {
		let start = this.reserveStart();
		for (let now = this.clock.now(); now < start; now = this.clock.now()) {
			await this.clock.wait(start - now, stop);
			if (this.pausedUntil > start) start = this.reserveStart();
		}
	}

	private reserveStart(): number {
		const now = this.clock.now();
		if (this.interval > 0 && now - this.lastRefusal > CALM_MILLISECONDS) {
			this.interval /= FASTER;
			this.lastRefusal = now;
		}
		const start = Math.max(now, this.pausedUntil, this.nextStart);
		this.nextStart = start + this.interval;
		return start;
	}
}

/** The longer a pace did well, the less is wrong with it. */
function slowdown(milliseconds: number): number {
	return 1 + 0.2 / Math.max(1, milliseconds / 1000);
}
