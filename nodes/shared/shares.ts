/** The requests for one of several lists that are read at the same time. */
export interface Share {
	underWay: number;
	/** Which of all the requests its last one was; 0 before the first one */
	lastTurn: number;
}

/**
 * Divides the requests that may be under way between the lists that are read at the same time, so that there is room for
 * the others if the requests for one of them hang. No list gets half of them while there are others. The last one gets
 * everything.
 */
export class Shares {
	private readonly shares = new Set<Share>();

	private turns = 0;

	/** @param open tells how many requests may be under way now */
	constructor(private readonly open: () => number) {}

	add(): Share {
		const share = { underWay: 0, lastTurn: 0 };
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
	}

	/** Whether a request with this share has to wait for another one of it. */
	isUsedUp(share: Share | undefined): boolean {
		return share !== undefined && share.underWay >= this.most;
	}

	/**
	 * How many requests are under way beyond their share, because a refusal has made the shares smaller since they
	 * started. They don't count, so that those that hang leave room for the others.
	 */
	get excess(): number {
		const { most } = this;
		return [...this.shares].reduce((sum, { underWay }) => sum + Math.max(0, underWay - most), 0);
	}

	private get most(): number {
		const { size } = this.shares;
		if (size <= 1) return Infinity;
		const open = this.open();
		const lessThanHalf = Math.ceil(open / 2) - 1;
		return Math.max(1, Math.min(lessThanHalf, Math.floor(open / size)));
	}
}
