/**
 * Before it tries a faster rate, the node keeps the current one for a while: longer when few requests fit into that
 * time or when a refusal costs a long pause. In simulations, longer holds did better.
 */
const SHORTEST_HOLD = 3_000;
const LONGEST_HOLD = 16_000;
const HELD_REQUESTS = 15;
const HELD_PAUSES = 7;

/** After the hold, the rate grows, slowly at first. It has doubled after this much time and this many requests. */
const DOUBLED_AFTER = 4_000;
const DOUBLED_REQUESTS = 25;

/** The mean of a rate that grows like this lies a quarter to a third of the way from the first value to the last. */
const MEAN = 0.3;

/** Stay a little below the rate that was observed, because start times and network delays vary. */
const BELOW = 0.96;

/** How far to slow down when a rate turns out to be too fast: a little the first time, more each time after that. */
const SLOWER = 0.95;
const MUCH_SLOWER = 0.85;

/**
 * One refusal proves little: it may have ended a burst, or have nothing to do with the rate. So the trial starts at
 * twice the rate and keeps speeding up.
 */
const TRIAL = 2;
const TRIAL_DOUBLED_AFTER = 400;

/**
 * If the service takes three times as many requests as before the first refusal, the rate was not the reason for it.
 */
const DISPROVED = 3;

/**
 * Two bursts that differ in size by at most this factor may have met the same limit: the larger one went on into the
 * service's next window.
 */
const ALIKE = 2;

/** When a trial is refused, its rate is that of the last moment, which is more than the service takes. */
const OVERSHOT = 0.6;

/** A rate this many times higher than what was actually sent has not held anything back. */
const IDLE = 4;

/** Most limits are per second, so a shorter time does not show a rate. */
const WINDOW = 1_000;

/** Counts as a whole burst, give or take some jitter. */
const SAME = 0.7;

/** Fewer answers than this do not show a rate. */
const FEW = 3;

/** This many misses in a row at about the rate that the service takes have another reason than the rate. */
const MANY_MISSES = 3;
const ABOUT = 1.1;

/** A service that takes nothing for longer than this is down, which says nothing about its limits. */
const OUTAGE = 2_000;

/** What is known about the rate that the service takes. */
interface Estimate {
	/** Requests per millisecond */
	rate: number;
	/**
	 * free: never refused; trial: refused once, being tested; rough: tested, but may be the rate of a burst; known:
	 * settled
	 */
	stage: 'free' | 'trial' | 'rough' | 'known';
	/** How long to keep the rate, in milliseconds */
	hold: number;
	/** How many times in a row it was refused before the hold was over */
	misses: number;
}

/**
 * How fast requests may follow one another: without a limit until the service refuses one, then at the rate it seems to
 * take.
 */
export class Pace {
	private estimate: Estimate = { rate: Infinity, stage: 'free', hold: 0, misses: 0 };

	/** The estimate to use once the service takes requests again */
	private next: Estimate | undefined;

	/** The pause that the last refusal asked for, in milliseconds */
	private pause = 0;

	/** When the service began to refuse, and when it last did; undefined while it takes requests */
	private refusedAt: number | undefined;

	private lastRefusedAt = 0;

	private isOutage = false;

	/** When the service last started to take requests again */
	private resumedAt = 0;

	/** When counting began, and how many requests the service has taken since */
	private countedFrom: number | undefined;

	private count = 0;

	/** How many it took before the trial */
	private firstCount = 0;

	/** How long, since counting began, there was nothing but requests without an answer, in milliseconds */
	private silence = 0;

	/** When the last request ended, with an answer or without */
	private lastEnd = 0;

	/** How many in a row ended without one */
	private unansweredCount = 0;

	/** Whether the service has never refused a request because of the rate. */
	get isFree(): boolean {
		return this.estimate.stage === 'free';
	}

	/** Whether the rate is still so uncertain that a refusal may have another reason. */
	get isUncertain(): boolean {
		return this.isFree || this.estimate.stage === 'trial';
	}

	/**
	 * Call this when a request starts.
	 * @returns milliseconds from this start to the next
	 */
	started(now: number): number {
		this.countedFrom ??= now;
		if (this.refusedAt === undefined) {
			this.keepDoubled(now, this.countedFrom);
			return 1 / (this.estimate.rate * this.growth(now));
		}
		this.next = this.learn(now, this.refusedAt, this.countedFrom);
		return 1 / (this.next ?? this.estimate).rate;
	}

	/** The service took the request that started at `startedAt`. */
	accepted(startedAt: number, now: number): void {
		this.lastEnd = now;
		this.unansweredCount = 0;
		if (this.refusedAt !== undefined && startedAt > this.refusedAt) {
			this.resume(startedAt);
			// A later request may have been refused before this one was answered: a miss right after the first one
			if (this.lastRefusedAt > startedAt) {
				this.estimate.misses++;
				this.refused(this.lastRefusedAt, this.pause);
			}
		}
		this.count++;
	}

	/** The request that started at `startedAt` got no answer. The time that it took shows nothing about the rate. */
	unanswered(startedAt: number, now: number): void {
		// While the service refuses, there may be no others that show how many it can handle
		if (this.refusedAt !== undefined) this.count++;
		this.skip(startedAt, now);
		this.unansweredCount++;
	}

	/**
	 * A request could have started at `since`, but only starts now. While there are no answers, it was probably waiting to
	 * be repeated, which shows nothing about the rate either.
	 */
	rested(since: number, now: number): void {
		if (this.unansweredCount > 1) this.skip(since, now);
	}

	/** Does not count this time, as far as nothing else happened in it. */
	private skip(since: number, now: number): void {
		this.silence += Math.max(0, now - Math.max(since, this.lastEnd, this.countedFrom ?? now));
		this.lastEnd = Math.max(this.lastEnd, now);
	}

	/** The service refused a request, possibly because of the rate. */
	refused(now: number, pause: number): void {
		this.pause = pause;
		this.lastEnd = Math.max(this.lastEnd, now);
		this.unansweredCount = 0;
		this.refusedAt ??= now;
		this.lastRefusedAt = now;
		this.isOutage ||= now - this.refusedAt > OUTAGE;
	}

	private resume(now: number): void {
		const { next } = this;
		if (next) this.estimate = next;
		if (next?.stage === 'trial') this.firstCount = this.count;
		// While a rate keeps failing, go on counting: what the service takes in the meantime shows a better one
		if ((next?.misses ?? 0) < 2) {
			this.startCounting(now);
		}
		this.next = undefined;
		this.refusedAt = undefined;
		this.isOutage = false;
		this.resumedAt = now;
	}

	/** The factor by which the known rate is multiplied at this time. */
	private growth(now: number): number {
		const { stage, rate, hold } = this.estimate;
		const time = now - this.resumedAt;
		if (stage === 'trial') return TRIAL * 2 ** Math.min(time / TRIAL_DOUBLED_AFTER, this.count);
		if (time <= hold) return 1;
		const doubled = Math.max(DOUBLED_AFTER, DOUBLED_REQUESTS / rate);
		return Math.min(2, 1 + ((time - hold) / doubled) ** 3);
	}

	/** A rate that has doubled without a refusal is the new one, unless so few were sent that it held nothing back. */
	private keepDoubled(now: number, from: number): void {
		const { stage, rate } = this.estimate;
		if (stage === 'free' || stage === 'trial' || this.growth(now) < 2) return;
		if (rate * (now - from) > IDLE * this.count) return;
		this.estimate = { rate: 2 * rate, stage: 'known', hold: 0, misses: 0 };
		this.resumedAt = now;
		this.startCounting(now);
	}

	private startCounting(now: number): void {
		this.countedFrom = now;
		this.count = 0;
		this.silence = 0;
	}

	/** @returns requests per millisecond that the service took up to a time */
	private rateUpTo(end: number, from: number): number {
		return this.count / Math.max(end - from - this.silence, Math.min(end - from, this.pause));
	}

	/** @returns what a refusal shows about the rate, counting the pauses up to now; undefined if nothing */
	private learn(now: number, refusedAt: number, from: number): Estimate | undefined {
		const { rate, stage } = this.estimate;
		if (this.count === 0 || (this.isOutage && stage !== 'free')) return undefined;
		const shown = this.rateUpTo(this.isOutage ? refusedAt + OUTAGE : now, from);
		const tried = rate * this.growth(refusedAt);
		const isDisproved = this.count > DISPROVED * this.firstCount;
		const wasIdle = tried > (IDLE * this.count) / (refusedAt - from);
		if (stage === 'free' || (isDisproved && wasIdle)) {
			return { rate: shown, stage: 'trial', hold: 0, misses: 0 };
		}
		if (stage !== 'trial')
			return this.follow(refusedAt, tried, this.rateUpTo(refusedAt + this.pause, from));
		if (isDisproved) return this.held(tried * OVERSHOT);
		const isAlike = this.count <= ALIKE * this.firstCount;
		const taken = isAlike ? Math.min(this.count, this.firstCount) : this.count;
		const inWindow = taken / Math.max(WINDOW, refusedAt - this.resumedAt);
		return { ...this.held(Math.max(shown, rate, inWindow * BELOW)), stage: 'rough' };
	}

	/** Like `learn`, for a rate that was being followed. */
	private follow(refusedAt: number, tried: number, shown: number): Estimate {
		const time = refusedAt - this.resumedAt;
		const { rate, stage, hold, misses } = this.estimate;
		if (time > hold) {
			const mean = rate + (tried - rate) * MEAN;
			return this.held(mean * BELOW, mean < 1.5 * rate ? 2 * hold : SHORTEST_HOLD);
		}
		const burst = Math.min(this.firstCount, rate * WINDOW);
		const wasBurst = stage === 'rough' && rate * time < SAME * burst && this.count >= FEW;
		if (wasBurst) return this.held(Math.min(shown, rate * SLOWER));
		if (misses >= MANY_MISSES && rate <= ABOUT * shown) return this.tryFaster(shown, misses);
		const most = rate * (misses ? MUCH_SLOWER : SLOWER);
		const slower = misses ? Math.max(shown, Math.min(most, Math.max(2 * shown, rate / 2))) : most;
		return { ...this.held(slower, hold), misses: misses + 1 };
	}

	/**
	 * A service that keeps refusing at a rate that it takes on average, pauses included, has another reason than the rate.
	 * The trial starts where the pauses take half of the time, if the rate makes no difference.
	 */
	private tryFaster(shown: number, misses: number): Estimate {
		const taken = this.count / misses;
		const rate = Math.max(shown, taken / this.pause / TRIAL);
		return { rate, stage: 'trial', hold: 0, misses: 0 };
	}

	private held(rate: number, hold = SHORTEST_HOLD): Estimate {
		const atLeast = Math.max(HELD_REQUESTS / rate, HELD_PAUSES * this.pause);
		return {
			rate,
			stage: 'known',
			hold: Math.max(Math.min(hold, LONGEST_HOLD), atLeast),
			misses: 0,
		};
	}
}
