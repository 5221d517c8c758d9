import { RequestFailure } from '../errors/requestFailure';
import type { StopSignal } from './stop';
import { Stop } from './stop';

/** A timer never runs for longer than this (in milliseconds), so that little is left of a client that is not needed. */
const LONGEST_TIMER = 30_000;

/** Why a request ended that took too long. */
const LATE = new Error('The request took too long');

/**
 * Gives up on requests that take too long. The time-out of n8n's helper is not enough: it restarts with every byte, so a
 * response that arrives byte by byte could take forever.
 *
 * One timer watches all requests of a client, and each gets a plain signal. A timer and an AbortSignal of its own would
 * cost a request about as much CPU as everything else that the node does for it.
 */
export class TimeLimits {
	/** The requests under way, and when their time is up */
	private readonly ends = new Map<Stop, number>();

	private nextCheck = Number.POSITIVE_INFINITY;

	/**
	 * @param milliseconds how long the request may take
	 * @param send gets the signal that ends the request
	 * @param cancelled ends the request as well when it fires
	 * @throws RequestFailure when the time is up; otherwise what the request throws
	 */
	async within<T>(
		milliseconds: number,
		send: (stop: StopSignal) => Promise<T>,
		cancelled?: StopSignal,
	): Promise<T> {
		const stop = new Stop(cancelled);
		const end = performance.now() + milliseconds;
		this.ends.set(stop, end);
		this.checkAt(end);
		try {
			return await send(stop);
		} catch (error) {
			throw stop.reason === LATE ? new RequestFailure('network', { code: 'ETIMEDOUT' }) : error;
		} finally {
			this.ends.delete(stop);
			stop.release();
		}
	}

	private checkAt(end: number): void {
		const now = performance.now();
		const time = Math.min(end, now + LONGEST_TIMER);
		if (time >= this.nextCheck) return;
		this.nextCheck = time;
		const timer = AbortSignal.timeout(Math.max(0, Math.ceil(time - now)));
		timer.addEventListener('abort', () => this.check(time));
	}

	private check(time: number): void {
		// An earlier timer has replaced this one, and starts the next one itself
		if (time !== this.nextCheck) return;
		this.nextCheck = Number.POSITIVE_INFINITY;
		const now = performance.now();
		let earliest = Number.POSITIVE_INFINITY;
		for (const [stop, end] of this.ends) {
			if (end <= now) stop.now(LATE);
			else earliest = Math.min(earliest, end);
		}
		if (earliest < Number.POSITIVE_INFINITY) this.checkAt(earliest);
	}
}
