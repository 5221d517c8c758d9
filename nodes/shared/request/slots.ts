/** Five at a time is polite to any service, and shows its latency without load. */
const FIRST = 5;

/** An answer that takes this many times as long as without load had to wait for others. */
const SLOWER = 1.5;

/** A smaller delay (in milliseconds) may come from the network or from this process. */
const LEAST_DELAY = 5;

/** Enough to empty a queue within a few rounds without giving up much throughput. */
const YIELD = 0.75;

/**
 * Before it tries one more, the node keeps a number that works for this long (in milliseconds), or for this many times
 * the pause that a refusal costs. The more often one more was refused, the longer it waits.
 */
const SHORTEST_HOLD = 5_000;
const LONGEST_HOLD = 32_000;
const HELD_PAUSES = 5;

/** A service that needs more than this fraction of the time-out should not get more to do at the same time. */
const LATE_SHARE = 1 / 2;

/** One late answer among others proves nothing. */
const LATE_IN_A_ROW = 2;

/** One round: as many answers as requests may be under way at once. */
interface Round {
	answers: number;
	least: number;
	/** The second-lowest latency, so that one odd answer does not count */
	second: number;
	/** How many were allowed when the round began, and the most that were under way */
	open: number;
	fullest: number;
}

/** How many requests may be under way at once: as many as the service takes without refusing any or slowing down. */
export class Slots {
	private limit: number;

	/** While this is true, every answer allows one more; it ends at the first sign of overload */
	private isStarting = true;

	/** The highest number that was under way without a refusal */
	private proven: number;

	private hold = SHORTEST_HOLD;

	private heldUntil = 0;

	private hasTaken = false;

	/** Latency with few requests under way, in milliseconds */
	private unloaded = Infinity;

	private round: Round;

	/** How many answers in a row were late or did not come, and when the limit was last lowered for that */
	private lateCount = 0;

	private loweredAt = Number.NEGATIVE_INFINITY;

	private readonly least: number;

	/** @param most upper bound for the number of requests under way */
	constructor(private readonly most: number) {
		this.least = Math.min(FIRST, most);
		this.limit = this.least;
		this.proven = this.least;
		this.round = this.newRound();
	}

	/** How many may be under way now. */
	get open(): number {
		return Math.floor(this.limit);
	}

	/** Whether more are allowed than the service is known to take. */
	get isProbing(): boolean {
		return !this.isStarting && this.open > this.proven;
	}

	/**
	 * The service took the request that started at `startedAt`.
	 * @param timeout how long the request could have taken, in milliseconds
	 * @param underWay how many requests are under way, including this one
	 * @param isNew whether it started after the last pause
	 */
	accepted(
		startedAt: number,
		now: number,
		timeout: number,
		underWay: number,
		isNew: boolean,
	): void {
		const latency = now - startedAt;
		this.hasTaken ||= isNew;
		if (latency > timeout * LATE_SHARE) return this.late(startedAt, now);
		this.lateCount = 0;
		if (!this.isSlow(latency)) this.grow(now);
		const { answers, least, second, open, fullest } = this.round;
		this.round = {
			answers: answers + 1,
			least: Math.min(least, latency),
			second: Math.max(least, Math.min(second, latency)),
			open,
			fullest: Math.max(fullest, underWay),
		};
		if (this.round.answers >= this.limit) this.endRound();
	}

	/** The request that started at `startedAt` got no answer; `timeout` as above. */
	unanswered(startedAt: number, now: number, timeout: number): void {
		// A connection that was lost earlier says nothing about the load
		if (now - startedAt > timeout * LATE_SHARE) this.late(startedAt, now);
	}

	/**
	 * The service refused a request, possibly because too many were under way.
	 * @param pause what the refusal asked for, in milliseconds
	 */
	refused(now: number, pause: number): void {
		const half = Math.max(1, Math.floor(this.limit / 2));
		if (this.hasTaken) {
			if (this.isStarting) this.proven = half;
			else if (!this.isProbing) this.proven = Math.max(1, this.open - 1);
			this.heldUntil = now + Math.max(this.hold, HELD_PAUSES * pause);
			this.hold = Math.min(this.hold * 2, LONGEST_HOLD);
		} else {
			// It takes nothing at all, so this number is not the reason
			this.heldUntil = 0;
		}
		this.hasTaken = false;
		this.isStarting = false;
		this.limit = half;
		this.round = this.newRound();
	}

	/** The service can't be reached, so it makes no difference how many requests find that out at the same time. */
	unreachable(): void {
		this.limit = Math.max(this.limit, this.least, this.proven);
	}

	private grow(now: number): void {
		const isHeld = !this.isStarting && now <= this.heldUntil;
		const most = isHeld ? Math.max(this.limit, this.proven) : this.most;
		this.limit = Math.min(most, this.limit + (this.isStarting ? 1 : 1 / this.open));
	}

	/** With more under way, the answers would not come in time. Even a service with a single worker can have a few. */
	private late(startedAt: number, now: number): void {
		if (++this.lateCount < LATE_IN_A_ROW) return;
		if (startedAt <= this.loweredAt || this.limit <= this.least) return;
		this.loweredAt = now;
		this.isStarting = false;
		this.limit = Math.max(this.least, Math.floor(this.limit / 2));
		this.round = this.newRound();
	}

	private endRound(): void {
		const { second, open, fullest } = this.round;
		if (this.isSlow(second)) {
			this.isStarting = false;
			// With so few under way, load is not the reason: the service has become slower
			if (this.limit <= this.least) this.unloaded = second;
			else this.limit = Math.max(this.least, this.limit * YIELD);
		}
		this.unloaded = Math.min(this.unloaded, second);
		this.proven = Math.max(this.proven, Math.min(open, fullest));
		this.round = this.newRound();
	}

	private newRound(): Round {
		return { answers: 0, least: Infinity, second: Infinity, open: this.open, fullest: 0 };
	}

	private isSlow(latency: number): boolean {
		return latency > Math.max(this.unloaded * SLOWER, this.unloaded + LEAST_DELAY);
	}
}
