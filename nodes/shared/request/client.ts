import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

import type { AttemptResult, ServiceAnswer } from './answers';
import { judge, judgeFault } from './answers';
import { RequestFailure } from '../errors/requestFailure';
import type { Clock, Gate, Share, Turn } from './gate';
import { REQUEST_DEFAULTS } from '../parameters/requestOptions';
import { FIRST_BACKOFF, LONGEST_BACKOFF } from './pace';
import { headerTime } from '../times';

/** Longer than any limit per minute or hour; after a longer pause, another execution is better. In milliseconds */
const LONGEST_PAUSE = 60 * 60 * 1000;

/** One request to the service, as the operations describe it. */
export interface ServiceRequest {
	method: IHttpRequestMethods;
	/** Path with encoded IDs, starting with /v1 */
	path: string;
	query?: IDataObject;
	body?: object | undefined;
	/** Whether the answer may have no JSON body, like 204 */
	bodyOptional?: boolean;
	/** Time-out of one attempt, in milliseconds */
	timeout?: number | undefined;
	/** Attempts after the first one */
	maxRetries?: number | undefined;
	/** Whether a repeated POST does no harm: the section of the contract that says so */
	repeatable?: string | undefined;
}

/** The circumstances of a request. */
export interface Sending {
	/** Ends all waits of the request when it fires; a running request goes on */
	stop?: AbortSignal | undefined;
	/** Whether an earlier run of the node may already have done the work */
	mayBeDone?: boolean;
	/** Called when it becomes unclear whether the service has done the work */
	unclear?: () => void;
	/** One of several lists that are read at the same time */
	share?: Share;
}

export interface ServiceClientOptions {
	/** Sends one request once; throws on a network error. */
	send: (request: ServiceRequest) => Promise<ServiceAnswer>;
	gate: Gate;
	clock: Clock;
	/** No wait may go on after this time of the clock */
	deadline?: number;
	/** Removes the API key from the service's words, in case it repeats the key */
	hide?: (words: string) => string;
	/** Fires when the execution is cancelled */
	stop?: AbortSignal | undefined;
	/** @returns a number from 0 to 1, for the jitter of the waits */
	random?: () => number;
}

/** The part of a client that reading lists needs. */
export type Requester = Pick<ServiceClient, 'request'>;

/** Sends requests to the service and repeats them as long as that is harmless. */
export class ServiceClient {
	/** How many attempts followed a pause that the service had asked for. */
	triesAfterPause = 0;
	/** The service's own clock at its last answer, in milliseconds since 1970; undefined if it does not tell. */
	serviceTime?: number | undefined;
	/**
	 * What all requests end with from now on, because the service asked for a longer pause than the node waits for, has
	 * refused everything for too long, or is out of reach, or a daily quota is used up.
	 */
	private closed?: AttemptResult;
	/** Whether the service has not answered any request yet; undefined before the first one */
	private isSilent?: boolean;
	/** How the service refused the last request that it answered; undefined if it accepted that one */
	private refusal?: RequestFailure | undefined;

	constructor(private readonly options: ServiceClientOptions) {}

	/**
	 * Reads one of several lists at the same time. None of them uses all the requests that may run, so that the
	 * others are read even if one hangs.
	 */
	async share<Result>(read: (client: Requester) => Promise<Result>): Promise<Result> {
		return await this.options.gate.share(async (share) => {
			const request: Requester['request'] = async (sent, sending) =>
				await this.request(sent, { ...sending, share });
			return await read({ request });
		});
	}

	/**
	 * Sends a request, and repeats it until an answer is final.
	 *
	 * If the service accepts fewer requests (429, 503), all requests of this client wait. If it is unclear whether the work
	 * was done (5xx, lost connection, unreadable answer), GET, PATCH, DELETE and repeatable POST are repeated.
	 * @returns the body of a 2xx answer; undefined if it has none
	 * @throws RequestFailure (contract section 7); of kind "cancelled" when the signal fires
	 */
	async request(
		request: ServiceRequest,
		{ stop = this.options.stop, mayBeDone = false, unclear, share }: Sending = {},
	): Promise<unknown> {
		const { method, maxRetries = REQUEST_DEFAULTS.maxRetries, repeatable } = request;
		const isRepeatable = repeatable !== undefined;
		let backoff = 0;
		let refusals = 0;
		let last: RequestFailure | undefined;
		for (let attempt = 0; ; attempt++) {
			const turn = { signal: stop, refusals, share };
			const result = await this.try(request, attempt, backoff, turn).catch((error: unknown) => {
				const reason = stop?.aborted
					? new RequestFailure('cancelled')
					: this.reasonFor(error, last, attempt);
				throw reason.with({ method, isRepeatable, mayBeDone });
			});
			const { verdict, body, failure } = result;
			if (!failure) return body;
			const isGone = method === 'DELETE' && failure.details.statusCode === 404;
			if (isGone && mayBeDone) return undefined;
			const isUnclear = verdict === 'unclear' || verdict === 'overloaded';
			if (method !== 'GET' && isUnclear) {
				mayBeDone = true;
				unclear?.();
			}
			const mayRepeat = !isUnclear || method !== 'POST' || isRepeatable;
			const isFinal = verdict === 'final' || verdict === 'exhausted';
			const isOver = isFinal || failure.kind === 'cancelled' || this.closed;
			if (attempt >= maxRetries || isOver || !mayRepeat) {
				const wasSent = result !== this.closed;
				const tries = attempt + Number(wasSent);
				throw failure.with({ method, isRepeatable, mayBeDone, tries });
			}
			last = failure;
			const hasPaused = isRefusal(result);
			if (hasPaused) refusals++;
			backoff = hasPaused ? 0 : this.backoff(attempt);
		}
	}

	/** If the time is up, what happened before helps more than that. */
	private reasonFor(error: unknown, last: RequestFailure | undefined, tries: number) {
		const reason = RequestFailure.from(error);
		if (reason.kind !== 'deadline') return reason;
		const wasRunning = reason.details.tries !== undefined;
		const before = last ?? (wasRunning ? undefined : this.refusal);
		if (before) return before.with({ tries: reason.details.tries ?? tries });
		return this.isSilent ? new RequestFailure('network', { code: 'ETIMEDOUT' }) : reason;
	}

	/** @param backoff how long to wait first, in milliseconds */
	private async try(
		request: ServiceRequest,
		attempt: number,
		backoff: number,
		turn: Turn,
	): Promise<AttemptResult> {
		const { gate, clock, deadline = Number.POSITIVE_INFINITY } = this.options;
		const { timeout = REQUEST_DEFAULTS.timeout } = request;
		if (backoff > 0) await gate.rest(backoff, turn.signal);
		// What will not be sent need not wait for its turn
		if (this.closed) return this.closed;
		const send = async () => {
			if (this.closed) return this.closed;
			const startedAt = clock.now();
			if (startedAt >= deadline) throw new RequestFailure('deadline');
			this.isSilent ??= true;
			if (attempt > 0 && backoff === 0) this.triesAfterPause++;
			const result = await this.send(request, attempt + 1);
			if (result.verdict === 'exhausted') {
				this.close(result);
			} else if (isRefusal(result)) {
				// All lists together try as often as one of them would. But if the service has accepted requests, it has a limit,
				// and the wait for it is worth it
				const inAll = turn.share ? gate.refusalsFromStart : 0;
				const before = Math.max(inAll, Math.min(attempt, turn.refusals + 1));
				this.refused(result, before, startedAt, inAll >= REQUEST_DEFAULTS.maxRetries);
			} else if (result.failure && result.failure.details.statusCode === undefined) {
				// Without an answer, nothing is known about how much the service accepts
				gate.unanswered(startedAt, timeout);
				if (gate.reach.isOutOfReach(clock.now())) this.close(result);
			} else {
				this.refusal = undefined;
				gate.accepted(startedAt, timeout);
			}
			return result;
		};
		return await gate.pass(send, turn);
	}

	private async send(request: ServiceRequest, tries: number): Promise<AttemptResult> {
		const { send, hide = (words) => words } = this.options;
		try {
			const answer = await send(request);
			this.isSilent = false;
			this.serviceTime = headerTime(answer.headers.date) ?? this.serviceTime;
			return judge(answer, request.bodyOptional ?? false, hide);
		} catch (error) {
			const failure = RequestFailure.from(error);
			// There is no time for another attempt, so nothing is left to learn from this one
			if (failure.kind === 'deadline') throw failure.with({ tries });
			return judgeFault(failure);
		}
	}

	/**
	 * The pause is never shorter than the backoff: otherwise, a Retry-After of 0 would use up all attempts at once.
	 * @param before how many attempts of the request were refused before; all those without an answer count as one, because
	 * the other requests should not wait for them
	 * @param isLast whether nothing more is sent after this
	 */
	private refused(result: AttemptResult, before: number, startedAt: number, isLast: boolean): void {
		const { gate, clock, deadline = Number.POSITIVE_INFINITY } = this.options;
		this.refusal = result.failure;
		const asked = result.failure?.details.retryAfter ?? 0;
		const pause = Math.max(asked, this.backoff(before));
		const isTooLong = asked > Math.min(LONGEST_PAUSE, deadline - clock.now());
		if (isTooLong || isLast || gate.reach.isHopeless(clock.now())) this.close(result);
		else gate.refused(pause, startedAt);
	}

	/** From now on, nothing is sent, and all requests end like this one. */
	private close(result: AttemptResult): void {
		this.closed ??= { ...result, verdict: 'final' };
		this.options.gate.release();
	}

	private backoff(attempt: number): number {
		const { random = Math.random } = this.options;
		const longest = Math.min(FIRST_BACKOFF * 2 ** attempt, LONGEST_BACKOFF);
		return longest * (0.5 + random() / 2);
	}
}

/** Whether the service accepts fewer requests than it gets. */
const isRefusal = ({ verdict }: AttemptResult) => verdict === 'refused' || verdict === 'overloaded';
