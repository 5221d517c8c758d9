import type { NextFunction, Request, Response } from 'express';
import { Faults, play, retryAfterHeader, type RetryAfter } from './faults.mts';
import { entryOf } from './requestLog.mts';

export interface RateLimit {
	/** Requests per window of one second. */
	perSecond: number;
	/** Default 1 second; 'date' names the next window. */
	retryAfter?: RetryAfter | undefined;
}

const WINDOW_MS = 1000;

/** A rate limit with fixed windows of one second. */
class Windows {
	#current = 0;
	#count = 0;

	constructor(private readonly perSecond: number) {}

	/** Counts a request; returns whether it is one too many. */
	isOver(): boolean {
		const current = Math.floor(Date.now() / WINDOW_MS);
		if (current !== this.#current) this.#count = 0;
		this.#current = current;
		return ++this.#count > this.perSecond;
	}

	/** When the next window begins, in milliseconds since 1970. */
	get next(): number {
		return (this.#current + 1) * WINDOW_MS;
	}
}

/** What comes between client and service: rate limit, latency and faults, in this order. */
export class Traffic {
	readonly faults = new Faults();
	latency = 0;
	#rateLimit: { windows: Windows; retryAfter: RetryAfter } | null = null;

	setRateLimit(limit: RateLimit | null): void {
		if (limit && !(limit.perSecond >= 0)) throw new Error('perSecond must be a number from 0');
		const { perSecond, retryAfter = 1 } = limit ?? {};
		this.#rateLimit =
			perSecond === undefined ? null : { windows: new Windows(perSecond), retryAfter };
	}

	setLatency(ms: number): void {
		if (!(ms >= 0)) throw new Error('The latency must be a number of milliseconds from 0');
		this.latency = ms;
	}

	reset(): void {
		this.faults.clear();
		this.setLatency(0);
		this.setRateLimit(null);
	}

	readonly handle = (request: Request, response: Response, next: NextFunction): void => {
		if (this.#rateLimit?.windows.isOver()) {
			entryOf(response).fault = 'rateLimit';
			const { windows, retryAfter } = this.#rateLimit;
			response.set(retryAfterHeader(retryAfter, windows.next));
			response.status(429).json({ type: 'rate-limited', message: 'Too many requests' });
			return;
		}
		const fault = this.faults.next(request);
		if (fault) entryOf(response).fault = fault.kind;
		const proceed = () => {
			if (!fault || !play(fault, request, response)) next();
		};
		if (this.latency > 0) setTimeout(proceed, this.latency).unref();
		else proceed();
	};
}
