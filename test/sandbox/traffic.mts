import type { NextFunction, Request, Response } from 'express';
import { Faults, play } from './faults.mts';
import { entryOf } from './requestLog.mts';

/** Requests in each second of the clock, beyond which it answers 429 with a Retry-After of 1 s */
export interface RateLimit {
	perSecond: number;
}

/** What comes between client and service: rate limit, latency and faults, in this order. */
export class Traffic {
	readonly faults = new Faults();
	latency = 0;
	#perSecond = Infinity;
	#second = 0;
	#count = 0;

	setRateLimit(limit: RateLimit | null): void {
		const { perSecond = Infinity } = limit ?? {};
		if (!(perSecond >= 0)) throw new Error('perSecond must be a number from 0');
		this.#perSecond = perSecond;
	}

	/** Counts a request; returns whether it is one too many. */
	#isOver(): boolean {
		const second = Math.floor(Date.now() / 1000);
		if (second !== this.#second) this.#count = 0;
		this.#second = second;
		return ++this.#count > this.#perSecond;
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
		if (this.#isOver()) {
			entryOf(response).fault = 'rateLimit';
			response
				.set('Retry-After', '1')
				.status(429)
				.json({ type: 'rate-limited', message: 'Too many requests' });
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
