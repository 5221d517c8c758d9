/**
 * A rate is kept for so long, for so many requests and for so many times the pause that a refusal costs, before a
 * faster one is tried: the longer, the better it did.
 */
const SHORTEST_HOLD = 3_000;
const LONGEST_HOLD = 16_000;
const HELD_REQUESTS = 15;
const HELD_PAUSES = 7;

/** Then it grows slowly first, and has doubled after so long and so many requests. */
const DOUBLED_AFTER = 4_000;
const DOUBLED_REQUESTS = 25;

/** The mean of a rate that grows from one value to another in this way lies a quarter to a third between them. */
const MEAN = 0.3;

/** A rate that was found keeps below what was shown, since starts and ways vary. */
const BELOW = 0.96;

/** Less and less when a rate does not hold. */
const SLOWER = 0.95;
const MUCH_SLOWER = 0.85;

/** One refusal shows little: the rate may be that of a burst, or the rate may not be why. So try twice as much, and ever more. */
const TRIAL = 2;
const TRIAL_DOUBLED_AFTER = 400;

/** If three times as many are taken as before the first refusal, the rate was not why it was refused. */
const DISPROVED = 3;

/** Bursts that differ by no more than this may have had the same limit: one of them saw more of the service's windows. */
const ALIKE = 2;

/** The trial's rate when it is refused is that of the last moment; the service takes less. */
const OVERSHOT = 0.6;

/** A rate so much above what was really sent has not held anything back. */
const IDLE = 4;

/** Most limits are per second; what was taken in less shows no rate. */
const WINDOW = 1_000;

/** As good as the whole of a burst, give or take jitter. */
const SAME = 0.7;

/** A service that takes nothing for longer than this has an outage, which says nothing about its limits. */
const OUTAGE = 2_000;

/** What is known of the rate that the service takes. */
interface Estimate {
	/** Requests per millisecond */
	rate: number;
	/** free: never refused; trial: refused once, being tried; rough: tried, but may be that of a burst; known: followed */
	stage: 'free' | 'trial' | 'rough' | 'known';
	/** Milliseconds for which the rate is kept */
	hold: number;
	/** How many times in a row it was refused before that */
	misses: number;
}

/** How fast requests may follow one another: as fast as may be until the service refuses, then as it shows. */
export class Pace {
	private known: Estimate = { rate: Infinity, stage: 'free', hold: 0, misses: 0 };

	/** What will be known when the service takes requests again */
	private next: Estimate | undefined;

	/** What the service asked for when it last refused */
	private pause = 0;

	private refusedAt: number | undefined;

	private isOutage = false;

	/** When the service last began to take requests */
	private resumedAt = 0;

	/** Since when requests are counted, and how many it took */
	private countedFrom: number | undefined;

	private count = 0;

	/** How many it took before the trial */
	private firstCount = 0;

	/** Whether the service has never refused because of the rate. */
	get isFree(): boolean {
		return this.known.stage === 'free';
	}

	/** Whether the rate is still so uncertain that something else may be why a request is refused. */
	get isUncertain(): boolean {
		return this.isFree || this.known.stage === 'trial';
	}

	/**
	 * A request starts.
	 * @returns milliseconds from this start to the next
	 */
	started(now: number): number {
		this.countedFrom ??= now;
		if (this.refusedAt === undefined) return 1 / (this.known.rate * this.growth(now));
		this.next = this.learn(now, this.refusedAt, this.countedFrom);
		return 1 / (this.next ?? this.known).rate;
	}

	/** The service took a request that was started then; the last pause was over at pausedUntil. */
	accepted(startedAt: number, pausedUntil: number): void {
		if (this.refusedAt !== undefined && startedAt >= pausedUntil) this.resume(startedAt);
		this.count++;
	}

	/** The service refused a request, and the rate may be why. */
	refused(now: number, pause: number): void {
		this.pause = pause;
		this.refusedAt ??= now;
		this.isOutage ||= now - this.refusedAt > OUTAGE;
	}

	private resume(now: number): void {
		const { next } = this;
		if (next) this.known = next;
		if (next?.stage === 'trial') this.firstCount = this.count;
		// As long as the rate does not hold, what is taken meanwhile shows a better one
		if (!next?.misses) {
			this.countedFrom = now;
			this.count = 0;
		}
		this.next = undefined;
		this.refusedAt = undefined;
		this.isOutage = false;
		this.resumedAt = now;
	}

	/** How many times the known rate is in force now. */
	private growth(now: number): number {
		const { stage, rate, hold } = this.known;
		const time = now - this.resumedAt;
		if (stage === 'trial') return TRIAL * 2 ** (time / TRIAL_DOUBLED_AFTER);
		if (time <= hold) return 1;
		return 1 + ((time - hold) / Math.max(DOUBLED_AFTER, DOUBLED_REQUESTS / rate)) ** 3;
	}

	/** @returns what a refusal shows about the rate, with the pauses up to now; undefined if nothing */
	private learn(now: number, refusedAt: number, from: number): Estimate | undefined {
		const { rate, stage } = this.known;
		if (this.count === 0 || (this.isOutage && stage !== 'free')) return undefined;
		const shown = this.count / ((this.isOutage ? refusedAt + OUTAGE : now) - from);
		const tried = rate * this.growth(refusedAt);
		const isDisproved = this.count > DISPROVED * this.firstCount;
		const wasIdle = tried > (IDLE * this.count) / (refusedAt - from);
		if (stage === 'free' || (isDisproved && wasIdle)) {
			return { rate: shown, stage: 'trial', hold: 0, misses: 0 };
		}
		if (stage !== 'trial')
			return this.follow(refusedAt, tried, this.count / (refusedAt + this.pause - from));
		if (isDisproved) return this.held(tried * OVERSHOT);
		const isAlike = this.count <= ALIKE * this.firstCount;
		const taken = isAlike ? Math.min(this.count, this.firstCount) : this.count;
		const inWindow = taken / Math.max(WINDOW, refusedAt - this.resumedAt);
		return { ...this.held(Math.max(shown, rate, inWindow * BELOW)), stage: 'rough' };
	}

	/** The same for a rate that was held until then. */
	private follow(refusedAt: number, tried: number, shown: number): Estimate {
		const time = refusedAt - this.resumedAt;
		const { rate, stage, hold, misses } = this.known;
		if (time > hold) {
			const mean = rate + (tried - rate) * MEAN;
			return this.held(mean * BELOW, mean < 1.5 * rate ? 2 * hold : SHORTEST_HOLD);
		}
		const burst = Math.min(this.firstCount, rate * WINDOW);
		const wasBurst = stage === 'rough' && rate * time < SAME * burst;
		if (wasBurst) return this.held(Math.min(shown, rate * SLOWER));
		return { ...this.held(rate * (misses ? MUCH_SLOWER : SLOWER), hold), misses: misses + 1 };
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
