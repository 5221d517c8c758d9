const FIRST = 5;
const SLOWER = 1.5;
const LEAST_DELAY = 5;
const YIELD = 0.75;
const FIRST_HOLD = 8000;
const LONGEST_HOLD = 32000;

/** How many requests may be under way at once: as many as the service takes without slowing down. */
export class Slots {
	private limit: number;

	private isStarting = true;

	/** The least latency with few requests under way */
	private unloaded = Number.POSITIVE_INFINITY;

	private inRound = 0;

	private leastInRound = Number.POSITIVE_INFINITY;

	private readonly first: number;

	private proven: number;

	private heldUntil = 0;

	private hold = FIRST_HOLD;

	private any = false;
	private fullest = 0;

	constructor(private readonly most: number) {
		this.first = Math.min(FIRST, most);
		this.limit = this.first;
		this.proven = this.first;
	}

	get open(): number {
		return Math.floor(this.limit);
	}

	get isProbing(): boolean {
		return !this.isStarting && this.open > this.proven;
	}

	taken(latency: number, now: number, underWay: number, isFresh: boolean): void {
		this.fullest = Math.max(this.fullest, underWay);
		if (isFresh) this.any = true;
		this.leastInRound = Math.min(this.leastInRound, latency);
		this.unloaded = Math.min(this.unloaded, latency);
		if (!this.isSlow(latency)) this.grow(now);
		if (++this.inRound >= this.limit) this.endRound();
	}

	private grow(now: number): void {
		const most = this.isStarting || now > this.heldUntil ? this.most : Math.max(this.limit, this.proven);
		this.limit = Math.min(most, this.limit + (this.isStarting ? 1 : 1 / this.open));
	}

	refused(now: number): void {
		const half = Math.max(1, Math.floor(this.limit / 2));
		if (!this.any) this.heldUntil = 0;
		else {
			this.proven = this.isStarting ? half : this.isProbing ? this.proven : Math.max(1, this.open - 1);
			this.heldUntil = now + this.hold;
			this.hold = Math.min(LONGEST_HOLD, this.hold * 2);
		}
		this.any = false;
		this.isStarting = false;
		this.limit = half;
		this.inRound = 0;
	}

	private isSlow(latency: number): boolean {
		return latency > Math.max(this.unloaded * SLOWER, this.unloaded + LEAST_DELAY);
	}

	private endRound(): void {
		if (this.isSlow(this.leastInRound)) {
			this.isStarting = false;
			if (this.limit <= this.first) this.unloaded = this.leastInRound;
			else this.limit = Math.max(this.first, this.limit * YIELD);
		}
		this.proven = Math.max(this.proven, Math.min(this.open, this.fullest));
		this.fullest = 0;
		this.inRound = 0;
		this.leastInRound = Number.POSITIVE_INFINITY;
	}
}
