import { Pace } from './pace';
import type { Share } from './shares';
import { Shares } from './shares';
import { Slots } from './slots';
import type { StopSignal } from './stop';
import { Stop } from './stop';

/** Time, as the gate and the retries see it; tests use a clock of their own. */
export interface Clock {
	/** @returns milliseconds since some moment; it never goes back */
	now(): number;
	/** Waits; rejects as soon as the signal fires or the execution is cancelled. */
	wait(milliseconds: number, signal?: StopSignal): Promise<void>;
}

/** A timer may fire this late (in milliseconds); the next start makes up for it. */
const TIMER_DELAY = 20;

/** Finding out the rate can take this many refusals in a row. */
const USUAL_REFUSALS = 2;

/** While a service keeps refusing, it is asked again after this fraction of the time for which it has been refusing. */
const ASK_AGAIN = 1 / 3;

/**
 * A service that takes nothing for longer than this (in milliseconds), despite this many attempts, will hardly do so
 * soon: a quota may be used up.
 */
const HOPELESS_AFTER = 10 * 60 * 1000;
const HOPELESS_ATTEMPTS = 5;

/**
 * After this many requests in a row without an answer, the service is not refusing but out of reach. One interruption of
 * the network ends up to 20 requests at once.
 */
const UNREACHABLE = 20;

/** What decides about the turn of a request. */
export interface Turn {
	/** Ends the wait; a request that has started goes on */
	signal?: StopSignal | undefined;
	/** How many times it was refused before */
	refusals?: number;
	/** One of several lists that are read at the same time */
	share?: Share | undefined;
}

interface Waiter {
	wake: () => void;
	refusals: number;
	share?: Share | undefined;
}

/**
 * All requests of an execution pass through one gate. It lets through as many at a time, and as fast, as the service
 * takes them, and none while the service asks for a pause.
 */
export class Gate {
	private readonly slots: Slots;

	private readonly shares: Shares;

	private readonly pace = new Pace();

	private underWay = 0;

	/** In order of arrival; only the first one to go watches the clock */
	private readonly waiting: Waiter[] = [];

	private readonly watched = new WeakSet<StopSignal>();

	private pausedUntil = 0;

	private nextStart = 0;

	/** When the last refusal was counted */
	private refusedAt = Number.NEGATIVE_INFINITY;

	/** How often the service has refused since it last took a request, and since when */
	private refusals = 0;

	private refusingSince = 0;

	private hasTaken = false;

	/** How many requests in a row got no answer */
	private unansweredCount = 0;

	/** How many of the requests under way started while the service refused everything */
	private probes = 0;

	/** Ends the wait for the clock when nothing has to wait any more */
	private readonly released = new Stop();

	/** @param most upper bound for the number of requests under way */
	constructor(
		private readonly most: number,
		private readonly clock: Clock,
	) {
		this.slots = new Slots(most);
		this.shares = new Shares(clock, this.slots);
	}

	/**
	 * Sends one request when its turn comes.
	 * @throws whatever the request throws; the signal's reason; what the clock throws when the execution is cancelled
	 */
	async pass<T>(request: () => Promise<T>, { signal, refusals = 0, share }: Turn = {}): Promise<T> {
		if (signal?.aborted) throw signal.reason;
		const mustWait =
			this.first !== undefined || this.shares.isUsedUp(share) || this.timeToStart() > 0;
		const waiter: Waiter = { wake: () => {}, refusals, share };
		const isProbe = mustWait ? await this.waitForTurn(waiter, signal) : this.start(share);
		try {
			return await request();
		} finally {
			this.underWay--;
			if (share) share.underWay--;
			if (isProbe) this.probes--;
			this.first?.wake();
		}
	}

	/**
	 * The service took the request that started at `startedAt`: any answer that is not a refusal.
	 * @param timeout how long the request could have taken, in milliseconds
	 */
	accepted(startedAt: number, timeout: number): void {
		const now = this.clock.now();
		// No request starts during a pause, so this one started after a pause, even if there is another one by now
		const isNew = this.refusals === 0 || startedAt > this.refusingSince;
		if (isNew) this.refusals = 0;
		this.hasTaken = true;
		this.unansweredCount = 0;
		this.pace.accepted(startedAt, now);
		this.slots.accepted(startedAt, now, timeout, this.underWay, isNew);
	}

	/** The request that started at `startedAt` got no answer; `timeout` as above. */
	unanswered(startedAt: number, timeout: number): void {
		const now = this.clock.now();
		this.pace.unanswered(startedAt, now);
		this.slots.unanswered(startedAt, now, timeout);
		if (startedAt <= this.refusedAt) return;
		// In that time, it did not refuse anything
		this.refusingSince = Math.min(now, this.refusingSince + now - startedAt);
		this.unansweredCount++;
		if (this.unansweredCount < UNREACHABLE) return;
		this.refusals = 0;
		this.slots.unreachable();
	}

	/**
	 * The service refused the request that started at `startedAt`: no other request starts before the pause is over. If
	 * the request started before the last refusal, it can make the pause longer, but does not count as a new refusal.
	 */
	refused(pauseMilliseconds: number, startedAt: number): void {
		const now = this.clock.now();
		const isNew = startedAt > this.refusedAt;
		this.unansweredCount = 0;
		if (this.refusals === 0) this.refusingSince = now;
		const pause = Math.max(pauseMilliseconds, (now - this.refusingSince) * ASK_AGAIN);
		this.pausedUntil = Math.max(this.pausedUntil, now + pause);
		if (!isNew) return;
		this.refusals++;
		this.refusedAt = now;
		this.nextStart = this.pausedUntil;
		const isFull = this.underWay >= this.slots.open;
		const isOneTooMany = isFull && this.slots.isProbing && this.pace.isUncertain;
		if (isOneTooMany || this.pace.isFree) this.slots.refused(now, pauseMilliseconds);
		if (!isOneTooMany) this.pace.refused(now, pauseMilliseconds);
	}

	/** Adds a list that is read at the same time as others; `closeShare` removes it. */
	openShare(): Share {
		return this.shares.add();
	}

	closeShare(share: Share): void {
		this.shares.remove(share);
		this.first?.wake();
	}

	/** Whether the service has refused everything for so long that there is no point in going on. */
	get isHopeless(): boolean {
		const refusing = this.clock.now() - this.refusingSince;
		return this.refusals >= HOPELESS_ATTEMPTS && refusing > HOPELESS_AFTER;
	}

	/**
	 * How often the service has refused if it has refused everything from the start; 0 as long as that is usual, or another
	 * request under way may still be taken
	 */
	get refusalsFromStart(): number {
		return this.isRefusing && !this.hasTaken && this.underWay <= 1 ? this.refusals : 0;
	}

	/**
	 * Waits before a request is repeated.
	 * @throws as `pass` does
	 */
	async rest(milliseconds: number, signal?: StopSignal): Promise<void> {
		if (this.released.aborted) return;
		const end = new Stop(signal);
		const endNow = () => end.now(this.released.reason);
		this.released.addEventListener('abort', endNow);
		const wait = this.clock.wait(milliseconds, end).finally(() => {
			this.released.removeEventListener('abort', endNow);
			end.release();
		});
		await wait.catch((error: unknown) => {
			if (!this.released.aborted) throw error;
		});
	}

	/** From now on, nothing waits here. Call this when nothing will be sent any more. */
	release(): void {
		this.released.now('released');
		this.wakeAll();
	}

	/** Whether the service seems to refuse everything, so that only single requests are sent. */
	private get isRefusing(): boolean {
		return this.refusals > USUAL_REFUSALS;
	}

	/** @returns whether the request is to find out whether the service takes any */
	private start(share: Share | undefined): boolean {
		const now = this.clock.now();
		const isProbe = this.isRefusing;
		if (this.underWay === 0) this.pace.rested(this.nextStart, now);
		this.underWay++;
		this.shares.start(share);
		if (isProbe) this.probes++;
		// If the service is out of reach, there is no rate to keep to, and the errors should come soon
		const excess = Math.max(0, this.unansweredCount - UNREACHABLE);
		const interval = this.pace.started(now) / 2 ** excess;
		this.nextStart = Math.max(this.nextStart, now - TIMER_DELAY) + interval;
		return isProbe;
	}

	private async waitForTurn(waiter: Waiter, signal: StopSignal | undefined): Promise<boolean> {
		this.waiting.push(waiter);
		this.watch(signal);
		try {
			for (let time = this.timeFor(waiter); time > 0; time = this.timeFor(waiter)) {
				await this.sleep(waiter, time);
				if (signal?.aborted) throw signal.reason;
				// Another one may have become the first in the meantime
				if (waiter !== this.first) this.first?.wake();
			}
			return this.start(waiter.share);
		} finally {
			this.waiting.splice(this.waiting.indexOf(waiter), 1);
			this.first?.wake();
		}
	}

	/** One listener for all waiting requests, because Node.js warns about more than ten. */
	private watch(signal?: StopSignal): void {
		if (!signal || this.watched.has(signal)) return;
		this.watched.add(signal);
		signal.addEventListener('abort', () => this.wakeAll());
	}

	private wakeAll(): void {
		for (const { wake } of [...this.waiting]) wake();
	}

	/** Waits until the time is over or something has changed. */
	private async sleep(waiter: Waiter, time: number): Promise<void> {
		const woken = new Stop();
		waiter.wake = () => woken.now('woken');
		if (time < Infinity) {
			await this.clock.wait(time, woken).catch((error: unknown) => {
				if (!woken.aborted) throw error;
			});
			return;
		}
		const changed = new Promise<void>((resolve) => woken.addEventListener('abort', resolve));
		const hanging = waiter === this.first ? this.shares.timeToHang : Infinity;
		// There may be too little time left for that, but enough for an answer
		await (hanging < Infinity ? this.clock.wait(hanging, woken).catch(() => changed) : changed);
	}

	/**
	 * A request that was refused once goes first, unless the service takes nothing. One that was refused more often goes
	 * last, so that it keeps its tries until the rate is known. Lists that are read at the same time take turns, however
	 * many requests of each wait; one whose share is used up lets the others pass.
	 */
	private get first(): Waiter | undefined {
		const rank = ({ refusals }: Waiter) => (refusals === 1 && this.refusals < 2 ? -1 : refusals);
		const turn = ({ share }: Waiter) => share?.lastTurn ?? 0;
		const isBefore = (one: Waiter, other: Waiter) =>
			rank(one) === rank(other) ? turn(one) < turn(other) : rank(one) < rank(other);
		const eligible = this.waiting.filter(({ share }) => !this.shares.isUsedUp(share));
		return eligible.reduce<Waiter | undefined>(
			(first, one) => (first && !isBefore(one, first) ? first : one),
			undefined,
		);
	}

	private timeFor(waiter: Waiter): number {
		if (this.released.aborted) return 0;
		return waiter === this.first ? this.timeToStart() : Infinity;
	}

	/** @returns milliseconds until a request may start; Infinity if another one has to end first */
	private timeToStart(): number {
		if (this.underWay >= this.most) return Infinity;
		const counted = this.underWay - this.shares.excess;
		const isAsking = this.isRefusing && this.probes > 0 && counted > 0;
		if (isAsking || counted >= this.slots.open) return Infinity;
		return Math.max(this.pausedUntil, this.nextStart) - this.clock.now();
	}
}
