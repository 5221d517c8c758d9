/**
 * How fast requests may follow one another. There is no limit until the service refuses a request. Then the rate follows the
 * curve of CUBIC (RFC 9438, section 4.2), as in the adaptive retries of the AWS SDKs:
 *
 *     rate(t) = peak * (1 + (1 - BETA) * (t / period - 1)^3)
 *
 * The rate begins at 70 % of the peak, reaches the peak after one period, stays near it for a while, and then grows faster and
 * faster. The next refusal sets a new peak: the mean of the rate that was tried and the rate that was accepted. The accepted
 * rate is what was accepted on this curve, divided by its time and the pause after it: a long pause lowers the next peak.
 */

/** The rate begins at this part of the peak, as in CUBIC (RFC 9438, section 4.6). */
const BETA = 0.7;

/** In requests per millisecond. The curve is never slower; if the service accepts less, the pauses do the rest. */
const SLOWEST = 1 / 1000;

/** The shortest time over which to measure a rate, in milliseconds: most limits are per second. */
const WINDOW = 1000;

/** The shortest and the longest backoff before chance takes off up to half, in milliseconds. The period of the curve has the same bounds when it doubles. */
export const FIRST_BACKOFF = 500;
export const LONGEST_BACKOFF = 30_000;

/** From the second curve on, a period lasts at least so many requests and so many pauses. Shorter ones lose more than they gain. */
const REQUESTS = 7;
const PAUSES = 2;

interface Refusal {
	since: number;
	last: number;
	tried: number;
	/** The pause that follows, in milliseconds */
	pause: number;
	/** Whether this is the first refusal ever. The rate before it was not limited, and says little */
	isFirst: boolean;
}

export class Pace {
	/** Requests per millisecond */
	private peak = Infinity;
	/**
	 * In milliseconds. Doubles when a refusal comes one to two periods after the curve began: the limit is still near the peak. Any
	 * other refusal resets the period, because the limit may have changed
	 */
	private period = FIRST_BACKOFF;
	private since = 0;
	/** How many requests the service has accepted on this curve, and since when */
	private count = 0;
	private countedFrom: number | undefined;
	private refusal: Refusal | undefined;

	/**
	 * Call this when a request starts. After a refusal, each start begins the curve anew until a request is accepted.
	 * @returns milliseconds from this start to the next
	 */
	started(now: number): number {
		this.countedFrom ??= now;
		if (this.refusal) this.beginCurve(this.refusal, now, this.countedFrom);
		return 1 / this.rateAt(now);
	}

	/** Call this when the service has accepted the request that started at `startedAt`. */
	accepted(startedAt: number): void {
		const { refusal } = this;
		if (refusal && startedAt > refusal.since) {
			this.refusal = undefined;
			this.countedFrom = startedAt;
			this.count = 0;
			// A later request may have been refused before the response to this one came
			if (refusal.last > startedAt) this.refused(refusal.last, refusal.pause);
		}
		this.count++;
	}

	/** @param pause how long nothing is sent, in milliseconds */
	refused(now: number, pause: number): void {
		if (this.refusal) {
			this.refusal.last = now;
			return;
		}
		const isFirst = this.peak === Infinity;
		const mean = this.count / Math.max(WINDOW, now - (this.countedFrom ?? now));
		// Fewer requests may have been sent than the curve allowed, so the rate tried is taken as at most twice the rate accepted
		const tried = isFirst ? mean : Math.min(this.rateAt(now), 2 * mean);
		const time = (now - this.since) / this.period;
		const isConfirmed = time > 1 && time < 2;
		if (!isFirst)
			this.period = isConfirmed ? Math.min(2 * this.period, LONGEST_BACKOFF) : FIRST_BACKOFF;
		this.refusal = { since: now, last: now, tried, pause, isFirst };
	}

	/** Called at each start until a request is accepted. Meanwhile time passes and the count stays, so the peak falls. */
	private beginCurve({ tried, pause, isFirst }: Refusal, now: number, from: number): void {
		if (this.count === 0) return;
		const taken = this.count / Math.max(1, now - from);
		this.peak = (tried + taken) / 2;
		this.since = now;
		if (isFirst) return;
		this.period = Math.max(this.period, REQUESTS / this.peak, PAUSES * pause);
	}

	private rateAt(now: number): number {
		const growth = 1 + (1 - BETA) * ((now - this.since) / this.period - 1) ** 3;
		return Math.max(SLOWEST, this.peak * growth);
	}
}
