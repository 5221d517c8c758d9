/** Polite to any service, also to a slow one with a single worker. */
const FIRST = 5;

/** A service that needs more than this part of the time-out has too much to do at the same time. */
const LATE = 1 / 2;

/**
 * How many requests may run at once, as in TCP (RFC 5681): one more for each answer (slow start). After the first
 * sign of too much, one more for each round of answers (congestion avoidance), and half as many when answers are late.
 */
export class Slots {
	private limit: number;
	private isStarting = true;
	/** When it was last lowered because answers were late */
	private loweredAt = Number.NEGATIVE_INFINITY;
	private readonly least: number;

	/** @param most upper bound for the number of requests that run at once */
	constructor(private readonly most: number) {
		this.least = Math.min(FIRST, most);
		this.limit = this.least;
	}

	/** How many may run now. */
	get open(): number {
		return Math.floor(this.limit);
	}

	/**
	 * The request that started at `startedAt` has ended, with an answer or without one.
	 * @param timeout how long it could have taken, in milliseconds
	 */
	ended(isAnswered: boolean, startedAt: number, now: number, timeout: number): void {
		const isLate = now - startedAt > timeout * LATE;
		if (isLate && startedAt > this.loweredAt) {
			this.loweredAt = now;
			this.lowerTo(this.limit / 2);
		} else if (isAnswered && !isLate) {
			this.limit = Math.min(this.most, this.limit + (this.isStarting ? 1 : 1 / this.limit));
		}
	}

	/** The service refused a request, possibly because this many were running. */
	refused(running: number): void {
		this.lowerTo(Math.min(this.limit, running - 1));
	}

	private lowerTo(limit: number): void {
		this.isStarting = false;
		this.limit = Math.max(this.least, limit);
	}
}
