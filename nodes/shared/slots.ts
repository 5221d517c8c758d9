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
	 * The service took a request.
	 * @param latency in milliseconds
	 * @param underWay how many requests are under way, including this one
	 * @param isNew whether it started after the last pause
	 */
	accepted(latency: number, underWay: number, now: number, isNew: boolean): void {
		this.hasTaken ||= isNew;
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

	/**
	 * The service refused a request, possibly because too many were under way.
	 * @param pause what the refusal asked for, in milliseconds
	 */
	refused(now: number, pause: number): void {
		this.lower(now, pause, 1);
	}

	/**
	 * The answer to a request took so long that with a few more under way, it would not come in time, or it did not come.
	 * Even a service that does one request after the other can have a few of them under way.
	 */
	late(startedAt: number, now: number): void {
		if (startedAt <= this.loweredAt || this.limit <= this.least) return;
		this.lower(now, now - startedAt, this.least);
	}

	/** The service can't be reached, so its refusals are out of date. */
	unreachable(): void {
		this.limit = Math.max(this.limit, this.least);
	}

	private lower(now: number, pause: number, least: number): void {
		const half = Math.max(least, Math.floor(this.limit / 2));
		this.loweredAt = now;
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

	private grow(now: number): void {
		const isHeld = !this.isStarting && now <= this.heldUntil;
		const most = isHeld ? Math.max(this.limit, this.proven) : this.most;
		this.limit = Math.min(most, this.limit + (this.isStarting ? 1 : 1 / this.open));
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
