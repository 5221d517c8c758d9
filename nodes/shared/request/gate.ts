import { withSignal } from './compatibility';
import { Pace } from './pace';
import { Reach } from './reach';
import { Slots } from './slots';

/** Time, as the gate and the retries see it; tests use a clock of their own. */
export interface Clock {
	/** @returns milliseconds since some moment; it never goes back */
	now(): number;
	/** Waits; rejects as soon as the signal fires or the execution is cancelled. */
	wait(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** While a service keeps refusing, it is asked again after this part of the time for which it has been refusing. */
const ASK_AGAIN = 1 / 3;

/** The requests for one of several lists that are read at the same time. */
export interface Share {
	running: number;
	/** Which of all the requests its last one was; 0 before the first one */
	lastTurn: number;
}

/** What decides about the turn of a request. */
export interface Turn {
	/** Ends the wait; a request that has started goes on */
	signal?: AbortSignal | undefined;
	/** How many times it was refused before */
	refusals: number;
	share?: Share | undefined;
}

interface Waiter extends Turn {
	start: (isProbe: boolean) => void;
	fail: (reason: unknown) => void;
}

/**
 * All requests of an execution pass through one gate. It lets through as many at a time, and as fast, as the service
 * accepts them, and none while the service asks for a pause.
 */
export class Gate {
	private readonly slots: Slots;
	private readonly pace = new Pace();
	readonly reach = new Reach();
	/** Each list has a fixed part of the requests at a time, so that one that hangs leaves room for the others */
	private readonly shares = new Set<Share>();
	private turns = 0;
	private running = 0;
	/** How many of the running requests started while the service refused everything */
	private probes = 0;
	/** In order of arrival */
	private readonly waiting: Waiter[] = [];
	private timer: { at: number; controller: AbortController } | undefined;
	private pausedUntil = 0;
	private nextStart = 0;
	/** Ends all waits when nothing will be sent any more */
	private readonly released = new AbortController();

	/** @param most upper bound for the number of requests that run at once */
	constructor(
		most: number,
		private readonly clock: Clock,
	) {
		this.slots = new Slots(most);
	}

	/**
	 * Sends one request when its turn comes.
	 * @throws whatever the request throws; the signal's reason; what the clock throws when the execution is cancelled
	 */
	async pass<T>(request: () => Promise<T>, turn: Turn = { refusals: 0 }): Promise<T> {
		const { share } = turn;
		const isProbe = await this.waitForTurn(turn);
		try {
			return await request();
		} finally {
			this.running--;
			if (share) share.running--;
			if (isProbe) this.probes--;
			this.startNext();
		}
	}

	/**
	 * The service took the request that started at `startedAt`: any answer that is not a refusal.
	 * @param timeout how long the request could have taken, in milliseconds
	 */
	accepted(startedAt: number, timeout: number): void {
		this.reach.accepted(startedAt);
		this.pace.accepted(startedAt);
		this.slots.ended(true, startedAt, this.clock.now(), timeout);
	}

	/** The request that started at `startedAt` got no answer; `timeout` as above. */
	unanswered(startedAt: number, timeout: number): void {
		const now = this.clock.now();
		this.reach.unanswered(startedAt, now);
		this.slots.ended(false, startedAt, now, timeout);
	}

	/**
	 * The service refused the request that started at `startedAt`: no other request starts before the pause is over. If
	 * the request started before the last refusal, it can make the pause longer, but does not count as a new refusal.
	 * @param pause in milliseconds
	 */
	refused(pause: number, startedAt: number): void {
		const now = this.clock.now();
		const isNew = this.reach.refused(startedAt, now);
		const longer = Math.max(pause, this.reach.refusingFor(now) * ASK_AGAIN);
		this.pausedUntil = Math.max(this.pausedUntil, now + longer);
		if (!isNew) return;
		this.nextStart = this.pausedUntil;
		this.pace.refused(now, pause);
		this.slots.refused(this.running);
	}

	/** Gives a list a share of the requests as long as it is read. */
	async share<Result>(read: (share: Share) => Promise<Result>): Promise<Result> {
		const share = { running: 0, lastTurn: 0 };
		this.shares.add(share);
		return await read(share).finally(() => {
			this.shares.delete(share);
			this.startNext();
		});
	}

	/** How often the service has refused everything from the start; 0 as long as another request may still be taken. */
	get refusalsFromStart(): number {
		const { isRefusing, hasAccepted, refusals } = this.reach;
		return isRefusing && !hasAccepted && this.running <= 1 ? refusals : 0;
	}

	/** Waits before a request is repeated; throws as `pass` does. */
	async rest(milliseconds: number, signal?: AbortSignal): Promise<void> {
		const released = this.released.signal;
		if (released.aborted) return;
		const rest = withSignal([signal, released], async (end) => {
			await this.clock.wait(milliseconds, end);
		});
		await rest.catch((error: unknown) => {
			if (!released.aborted) throw error;
		});
	}

	/** From now on, nothing waits here. Call this when nothing will be sent any more. */
	release(): void {
		this.released.abort();
		this.startNext();
	}

	private async waitForTurn(turn: Turn): Promise<boolean> {
		return await withSignal([turn.signal], async (end) => {
			if (end.aborted) throw end.reason;
			return await new Promise<boolean>((start, fail) => {
				const waiter = { ...turn, start, fail };
				this.waiting.push(waiter);
				end.addEventListener('abort', () => {
					const place = this.waiting.indexOf(waiter);
					if (place >= 0) this.waiting.splice(place, 1);
					fail(end.reason);
					if (this.waiting.length === 0) this.startNext();
				});
				this.startNext();
			});
		});
	}

	/** Starts whatever may start now, and sets the timer for the next one. */
	private startNext(): void {
		for (let next = this.first; next; next = this.first) {
			const time = this.timeToStart;
			if (time > 0) {
				void this.wakeIn(time);
				return;
			}
			this.waiting.splice(this.waiting.indexOf(next), 1);
			this.start(next);
		}
		this.timer?.controller.abort();
		this.timer = undefined;
	}

	private start({ share, start }: Waiter): void {
		const now = this.clock.now();
		this.running++;
		const { isRefusing } = this.reach;
		if (isRefusing) this.probes++;
		if (share) {
			share.running++;
			share.lastTurn = ++this.turns;
		}
		const interval = this.pace.started(now);
		// A timer may fire late; the next start makes up for that
		this.nextStart = Math.max(this.nextStart, now - interval / 2) + interval;
		start(isRefusing);
	}

	private async wakeIn(time: number): Promise<void> {
		const at = this.clock.now() + time;
		if (this.timer && this.timer.at <= at) return;
		this.timer?.controller.abort();
		const timer = { at, controller: new AbortController() };
		this.timer = timer;
		const failAll = (error: unknown) => {
			if (this.timer === timer) for (const waiter of this.waiting.splice(0)) waiter.fail(error);
		};
		await this.clock.wait(time, timer.controller.signal).catch(failAll);
		// Another timer may have replaced this one
		if (this.timer !== timer) return;
		this.timer = undefined;
		this.startNext();
	}

	/**
	 * The next one to start; undefined if another one has to end first. One that was refused once goes first, unless the
	 * service accepts nothing. One that was refused more often goes last, so that it keeps its tries until the rate is known.
	 * Lists that are read at the same time take turns.
	 */
	private get first(): Waiter | undefined {
		const rank = ({ refusals }: Waiter) =>
			refusals === 1 && this.reach.refusals < 2 ? -1 : refusals;
		const turn = ({ share }: Waiter) => share?.lastTurn ?? 0;
		const [first] = this.waiting
			.filter(({ share }) => this.hasRoom(share))
			.sort((one, other) => rank(one) - rank(other) || turn(one) - turn(other));
		return first;
	}

	private hasRoom(share: Share | undefined): boolean {
		if (this.released.signal.aborted) return true;
		if (this.reach.isRefusing && this.probes > 0) return false;
		const { open } = this.slots;
		return share
			? share.running < Math.max(1, Math.floor(open / this.shares.size))
			: this.running < open;
	}

	/** @returns milliseconds until a request may start */
	private get timeToStart(): number {
		const isReleased = this.released.signal.aborted;
		return isReleased ? 0 : Math.max(this.pausedUntil, this.nextStart) - this.clock.now();
	}
}
