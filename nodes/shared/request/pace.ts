/**
 * How fast requests may follow one another. There is no limit until the service refuses a request. Then the rate follows the
 * curve of CUBIC (RFC 9438, section 4.2), as in the adaptive retries of the AWS SDKs, whose names are used here:
 *
 *     fillRate(t) = lastMaxRate * (1 + (1 - BETA) * (t / timeWindow - 1)^3)
 *
 * The rate begins at 70 % of lastMaxRate, reaches it after one timeWindow, stays near it for a while, and then grows faster and
 * faster. The next refusal begins a new curve:
 *
 *     lastMaxRate = (the rate that was tried + the rate that was accepted) / 2
 *     the rate that was accepted = requests accepted on the last curve / (its time + the pause after it)
 */

/** The rate begins at this part of lastMaxRate, as in CUBIC (RFC 9438, section 4.6). */
const BETA = 0.7;

/** In requests per millisecond. The curve is never slower; if the service accepts less, the pauses do the rest. */
const SLOWEST = 1 / 1000;

/** The shortest time over which to measure a rate, in milliseconds: most limits are per second. */
const SHORTEST_MEASUREMENT = 1000;

/**
 * The shortest and the longest backoff, in milliseconds, before chance takes off up to half. timeWindow doubles within the
 * same bounds.
 */
export const FIRST_BACKOFF = 500;
export const LONGEST_BACKOFF = 30_000;

/** From the second curve on, timeWindow lasts at least so many requests and so many pauses. Shorter ones lose more than they gain. */
const FEWEST_REQUESTS = 7;
const FEWEST_PAUSES = 2;

interface Refusal {
	/** When the first and the last refusal came since a request was accepted */
	since: number;
	last: number;
	/** The rate that was tried, in requests per millisecond */
	tried: number;
	/** The pause that follows, in milliseconds */
	pause: number;
	/** Whether this is the first refusal ever. The rate before it was not limited, and says little */
	isFirst: boolean;
}

export class Pace {
	/** In requests per millisecond */
	private lastMaxRate = Infinity;
	/** In milliseconds */
	private timeWindow = FIRST_BACKOFF;
	/** When the curve began */
	private curveStart = 0;
	/** How many requests the service has accepted on this curve, and since when */
	private accepts = 0;
	private countedFrom: number | undefined;
	/** Set from a refusal until a request is accepted */
	private refusal: Refusal | undefined;

	/**
	 * Call this when a request starts. After a refusal, each start begins the curve anew until a request is accepted.
	 * @returns milliseconds from this start to the next
	 */
	started(now: number): number {
		this.countedFrom ??= now;
		if (this.refusal) this.beginCurve(this.refusal, now, this.countedFrom);
		return 1 / this.fillRate(now);
	}

	/** Call this when the service has accepted the request that started at `startedAt`. */
	accepted(startedAt: number): void {
		const { refusal } = this;
		// A request from before the refusal belongs to the curve that the refusal ended
		if (!refusal || startedAt <= refusal.since) {
			this.accepts++;
			return;
		}
		this.refusal = undefined;
		this.countedFrom = startedAt;
		this.accepts = 1;
		// A later request may have been refused before the response to this one came
		if (refusal.last > startedAt) this.refused(refusal.last, refusal.pause);
	}

	/** @param pause how long nothing is sent, in milliseconds */
	refused(now: number, pause: number): void {
		if (this.refusal) {
			this.refusal.last = now;
			return;
		}
		const isFirst = this.lastMaxRate === Infinity;
		const duration = Math.max(SHORTEST_MEASUREMENT, now - (this.countedFrom ?? now));
		const measured = this.accepts / duration;
		// Fewer requests may have been sent than the curve allowed, so twice what was accepted is the most, as in the AWS SDKs
		const tried = isFirst ? measured : Math.min(this.fillRate(now), 2 * measured);
		if (!isFirst) this.timeWindow = this.nextTimeWindow(now);
		this.refusal = { since: now, last: now, tried, pause, isFirst };
	}

	/**
	 * A refusal one to two timeWindows after the curve began says that the limit is still near lastMaxRate, so the next curve may
	 * stay there twice as long. Any other refusal says that the limit may have changed.
	 */
	private nextTimeWindow(now: number): number {
		const windows = (now - this.curveStart) / this.timeWindow;
		const isConfirmed = windows > 1 && windows < 2;
		return isConfirmed ? Math.min(2 * this.timeWindow, LONGEST_BACKOFF) : FIRST_BACKOFF;
	}

	/**
	 * @param from when the count of accepted requests began. While requests are refused, the duration grows and the count does not, so
	 * each further refusal lowers lastMaxRate
	 */
	private beginCurve({ tried, pause, isFirst }: Refusal, now: number, from: number): void {
		// No request was accepted since, so there is no new rate, and the curve goes on
		if (this.accepts === 0) return;
		const acceptedRate = this.accepts / Math.max(1, now - from);
		this.lastMaxRate = (tried + acceptedRate) / 2;
		this.curveStart = now;
		if (isFirst) return;
		this.timeWindow = Math.max(
			this.timeWindow,
			FEWEST_REQUESTS / this.lastMaxRate,
			FEWEST_PAUSES * pause,
		);
	}

	/** @returns requests per millisecond */
	private fillRate(now: number): number {
		const windows = (now - this.curveStart) / this.timeWindow;
		const growth = 1 + (1 - BETA) * (windows - 1) ** 3;
		return Math.max(SLOWEST, this.lastMaxRate * growth);
	}
}
