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

/** What comes between client and service: rate limit, latency and faults, in this order. */
export class Traffic {
	readonly faults = new Faults();
	latency = 0;
	#rateLimit: RateLimit | null = null;
	#window = 0;
	#inWindow = 0;

	setRateLimit(limit: RateLimit | null): void {
		if (limit && !(limit.perSecond >= 0)) throw new Error('perSecond must be a number from 0');
		this.#rateLimit = limit;
		this.#inWindow = 0;
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
		if (this.#rateLimit && this.#overLimit(this.#rateLimit)) {
			this.#refuse(this.#rateLimit, response);
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

	#overLimit({ perSecond }: RateLimit): boolean {
		const current = Math.floor(Date.now() / WINDOW_MS);
		if (current !== this.#window) this.#inWindow = 0;
		this.#window = current;
		return ++this.#inWindow > perSecond;
	}

	#refuse({ retryAfter = 1 }: RateLimit, response: Response): void {
		entryOf(response).fault = 'rateLimit';
		response.set(retryAfterHeader(retryAfter, (this.#window + 1) * WINDOW_MS));
		response.status(429).json({ type: 'rate-limited', message: 'Too many requests' });
	}
}
