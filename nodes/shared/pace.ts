const env = (name: string, value: number) => Number(process.env[name] ?? value);
const LONGEST_HOLD = env('LH', 16_000);
const SHORTEST_HOLD = env('SH', 3_000);
const HOLD_COUNT = env('HC', 15);
const DOUBLED_AFTER = env('DA', 3_000);
const BELOW = env('BELOW', 0.96);
const AGAIN = env('AGAIN', 0.95);
const TWICE = env('TWICE', 0.85);
const OUTAGE = env('OUTAGE', 2_000);
const BACK = env('BACK', 1000);
const TRIAL = env('TRIAL', 2);
const LIFT = env('LIFT', 2);
const MEAN = env('MEAN', 0.33);
const SAME = env('SAME', 0.7);
const HALF = env('HALF', 400);
const DC = env('DC', 25);
const OFF = env('OFF', 0.7);
const FREE = Number.POSITIVE_INFINITY;

interface Known {
	rate: number;
	mode: 'free' | 'trial' | 'rough' | 'known';
	hold: number;
	strikes: number;
}

/** How fast requests may follow one another: without bound until the service refuses, then as it shows. */
export class Pace {
	private base: Known = { rate: FREE, mode: 'free', hold: 0, strikes: 0 };
	private next?: Known;

	/** Since when the count goes on */
	private from?: number;
	private since = 0;

	private taken = 0;

	private refusedAt?: number;
	private isOutage = false;
	private first = 0;

	/** @returns milliseconds from one start to the next */
	interval(now: number): number {
		return 1 / this.rateAt(now);
	}

	get isFree() {
		return this.base.mode === 'free';
	}

	get isOpen() {
		return this.base.mode === 'free' || this.base.mode === 'trial';
	}

	count(startedAt: number, resumedAt: number): void {
		if (this.refusedAt !== undefined && startedAt >= resumedAt) this.goOn(startedAt);
		this.taken++;
	}

	refused(now: number): void {
		if (this.refusedAt !== undefined && now - this.refusedAt > OUTAGE) this.isOutage = true;
		this.refusedAt ??= now;
	}

	/** Before each start */
	start(now: number): void {
		this.from ??= now;
		if (this.refusedAt !== undefined) this.next = this.estimate(now, this.refusedAt, this.from);
	}

	private goOn(now: number): void {
		if (this.next) {
			this.base = this.next;
			if (this.base.mode === 'trial') this.first = this.taken;
			if (this.base.strikes === 0) this.restart(now);
		} else this.restart(now);
		this.next = undefined;
		this.since = now;
		this.refusedAt = undefined;
		this.isOutage = false;
	}

	private restart(now: number): void {
		this.from = now;
		this.taken = 0;
	}

	private estimate(now: number, refusedAt: number, from: number): Known | undefined {
		const { rate, mode, hold, strikes } = this.base;
		if (this.isOutage && mode !== 'free') return undefined;
		const until = this.isOutage ? refusedAt + OUTAGE : now;
		const shown = this.taken / (until - from) || FREE;
		const calm = refusedAt - this.since;
		const known = (r: number, h = SHORTEST_HOLD, s = 0, m: Known['mode'] = 'known'): Known => ({ rate: r, mode: m, hold: Math.max(h, HOLD_COUNT / r), strikes: s });
		if (mode === 'free') return known(shown, 0, 0, 'trial');
		const tried = this.growth(refusedAt) * rate;
		if (tried > 4 * this.taken / (refusedAt - from) && this.taken > LIFT * this.first) return known(shown, 0, 0, 'trial');
		if (mode === 'trial') {
			if (this.taken < LIFT * this.first) return known(Math.max(shown, rate), SHORTEST_HOLD, 0, 'rough');
			return known(tried * OFF);
		}
		if (calm > hold) {
			const mean = 1 + (this.growth(refusedAt) - 1) * MEAN;
			return known(rate * mean * BELOW, mean < 1.5 ? Math.min(2 * hold, LONGEST_HOLD) : SHORTEST_HOLD);
		}
		if (mode === 'rough' && rate * calm < SAME * this.first) return known(Math.min(shown, AGAIN * rate));
		return known(rate * (strikes === 0 ? AGAIN : TWICE), hold, strikes + 1);
	}

	private rateAt(now: number): number {
		if (this.next) return this.next.rate;
		if (this.refusedAt !== undefined) return this.base.rate;
		return this.base.rate * this.growth(now);
	}

	private growth(now: number): number {
		if (this.base.mode === 'trial') return TRIAL * 2 ** ((now - this.since) / HALF);
		const growing = (now - this.since - this.base.hold) / Math.max(DOUBLED_AFTER, DC / this.base.rate);
		return growing <= 0 ? 1 : 1 + growing ** 3;
	}
}
