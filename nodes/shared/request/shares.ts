import type { Clock } from './gate';

/**
 * A list that waits for answers and has sent nothing for this long (in milliseconds) does not hold back the others. If the
 * service takes only one request at a time and is slow, each list may then have one.
 */
const HANGS_AFTER = 5_000;

/** The requests for one of several lists that are read at the same time. */
export interface Share {
	underWay: number;
	/** Which of all the requests its last one was, and when it started; 0 before the first one */
	lastTurn: number;
	lastStart: number;
}

/**
 * Divides the requests that may be under way between the lists that are read at the same time, so that there is room for
 * the others if the requests for one of them hang. No list gets half of them while there are others. The last one gets
 * everything.
 */
export class Shares {
	private readonly shares = new Set<Share>();

	private turns = 0;

	/** @param slots tells how many requests may be under way now */
	constructor(
		private readonly clock: Pick<Clock, 'now'>,
		private readonly slots: { readonly open: number },
	) {}

	add(): Share {
		const share = { underWay: 0, lastTurn: 0, lastStart: 0 };
		this.shares.add(share);
		return share;
	}

	remove(share: Share): void {
		this.shares.delete(share);
	}

	/** A request of this list starts. */
	start(share: Share | undefined): void {
		if (!share) return;
		share.underWay++;
		share.lastTurn = ++this.turns;
		share.lastStart = this.clock.now();
	}

	/** Whether a request with this share has to wait for another one of it. */
	isUsedUp(share: Share | undefined): boolean {
		return share !== undefined && share.underWay >= this.most;
	}

	/**
	 * How many of the requests under way don't count, so that they leave room for the other lists: those that hang, and
	 * those beyond their share, because a refusal has made the shares smaller since they started.
	 */
	get excess(): number {
		const { most } = this;
		const excessOf = (share: Share) =>
			this.untilHanging(share) > 0 ? Math.max(0, share.underWay - most) : share.underWay;
		return [...this.shares].reduce((sum, share) => sum + excessOf(share), 0);
	}

	/** Milliseconds until the next list hangs; Infinity if no other list would get its room. */
	get timeToHang(): number {
		const times = [...this.shares].map((share) => this.untilHanging(share));
		return Math.min(...times.filter((time) => time > 0));
	}

	private untilHanging({ underWay, lastStart }: Share): number {
		const hasOthers = this.shares.size > 1;
		return underWay > 0 && hasOthers ? lastStart + HANGS_AFTER - this.clock.now() : Infinity;
	}

	private get most(): number {
		const { size } = this.shares;
		if (size <= 1) return Infinity;
		const { open } = this.slots;
		const lessThanHalf = Math.ceil(open / 2) - 1;
		return Math.max(1, Math.min(lessThanHalf, Math.floor(open / size)));
	}
}
