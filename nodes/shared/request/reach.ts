import { LONGEST_BACKOFF } from './pace';

/** Finding out the rate can take this many refusals in a row. After more of them, only single requests ask again. */
const USUAL_REFUSALS = 2;

/** A service that accepts nothing for longer than this (in milliseconds) will hardly do so soon: a quota is used up. */
const HOPELESS_AFTER = 10 * 60 * 1000;

/**
 * A service is out of reach after this many requests in a row without an answer, as many as one interruption ends at once,
 * if that takes as long as the longest backoff, in which most services have restarted.
 */
const UNREACHABLE = 20;

/** Knows whether a service accepts anything at the moment, and answers at all. All times are of one clock. */
export class Reach {
	/** How often the service has refused since it last accepted a request, since when, and when last */
	refusals = 0;
	private refusingSince = 0;
	private refusedAt = Number.NEGATIVE_INFINITY;
	hasAccepted = false;
	/** How many requests in a row got no answer, and when that began */
	private unansweredCount = 0;
	private unansweredSince = 0;

	accepted(startedAt: number): void {
		// No request starts during a pause, so this one started after a pause, even if there is another one by now
		if (startedAt > this.refusingSince) this.refusals = 0;
		this.hasAccepted = true;
		this.unansweredCount = 0;
	}

	unanswered(startedAt: number, now: number): void {
		if (startedAt <= this.refusedAt) return;
		// In that time, it did not refuse anything
		this.refusingSince = Math.min(now, this.refusingSince + now - startedAt);
		if (this.unansweredCount++ === 0) this.unansweredSince = now;
		if (this.unansweredCount >= UNREACHABLE) this.refusals = 0;
	}

	/** @returns whether this is a new refusal, and not one of a request that started before the last one */
	refused(startedAt: number, now: number): boolean {
		this.unansweredCount = 0;
		if (this.refusals === 0) this.refusingSince = now;
		if (startedAt <= this.refusedAt) return false;
		this.refusals++;
		this.refusedAt = now;
		return true;
	}

	/** @returns for how many milliseconds the service has refused everything */
	refusingFor(now: number): number {
		return now - this.refusingSince;
	}

	get isRefusing(): boolean {
		return this.refusals > USUAL_REFUSALS;
	}

	/** @returns whether the service has refused everything for so long that there is no point in going on */
	isHopeless(now: number): boolean {
		return this.isRefusing && this.refusingFor(now) > HOPELESS_AFTER;
	}

	/** @returns the same for requests that get no answer */
	isOutOfReach(now: number): boolean {
		return this.unansweredCount >= UNREACHABLE && now - this.unansweredSince >= LONGEST_BACKOFF;
	}
}
