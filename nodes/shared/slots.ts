/** Five at a time are polite to any service, and show its latency without load. */
const FIRST = 5;

/** An answer that takes so many times as long as without load has waited for others. */
const SLOWER = 1.5;

/** Less than this may come from the network or from this process. */
const LEAST_DELAY = 5;

/** Enough to empty a queue within a few rounds, without giving away what the service can do. */
const YIELD = 0.75;

/**
 * A number that was not refused is kept for so long, and for so many times the pause that a refusal costs, before one
 * more is tried: the longer, the more often that was refused.
 */
const SHORTEST_HOLD = 5_000;
const LONGEST_HOLD = 32_000;
const HELD_PAUSES = 5;

/** The answers to as many requests as may be under way at once. */
interface Round {
	answers: number;
	least: number;
	/** The second least latency: one answer that is odd does not count */
	second: number;
	/** How many were allowed when it began, and the most that were under way */
	open: number;
	fullest: number;
}

/** How many requests may be under way at once: as many as the service takes without refusing or slowing down. */
export class Slots {
	private limit: number;

	/** One more for each answer, until there is a sign of too much */
	private isStarting = true;

	/** As many as these were under way and nothing was refused */
	private proven: number;

	private hold = SHORTEST_HOLD;

	private heldUntil = 0;

	private hasTaken = false;

	/** Latency with few requests under way */
	private unloaded = Infinity;

	private round: Round;

	private readonly least: number;

	/** @param most never more than these */
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
	 * @param underWay how many are under way, this one included
	 * @param isNew whether it was started after the last pause
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

	/** The service refused a request, and this number may be why. */
	refused(now: number, pause: number): void {
		const half = Math.max(1, Math.floor(this.limit / 2));
		if (this.hasTaken) {
			if (this.isStarting) this.proven = half;
			else if (!this.isProbing) this.proven = Math.max(1, this.open - 1);
			this.heldUntil = now + Math.max(this.hold, HELD_PAUSES * pause);
			this.hold = Math.min(this.hold * 2, LONGEST_HOLD);
		} else {
			// It takes nothing at all: this number is not why
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
			// With few under way the load is not why: the service is that slow now
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
