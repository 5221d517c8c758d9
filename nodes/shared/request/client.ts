import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

import { RequestFailure } from '../errors/requestFailure';
import { headerTime } from '../times';
import type { Gate, Turn } from './gate';
import {
	type AttemptResult,
	isRefusal,
	isUnclear,
	judge,
	judgeFault,
	type ServiceResponse,
	type Verdict,
} from './responses';

/** How often a request is repeated after a failure other than a refusal. */
const MAX_RETRIES = 4;

export interface ServiceRequest {
	method: IHttpRequestMethods;
	path: string;
	query?: IDataObject;
	body?: object | undefined;
	/** Whether a 2xx response may have no body, like 204 */
	bodyOptional?: boolean;
	/** The section of the contract that says that a repeated POST does no harm */
	repeatable?: string | undefined;
}

/** Whether it does no harm if the request is sent twice. */
export const isRepeatable = ({
	method,
	repeatable,
}: Pick<ServiceRequest, 'method' | 'repeatable'>): boolean =>
	method !== 'POST' || repeatable !== undefined;

interface Sending {
	/** Ends the waits of the request when it fires; an attempt that has started goes on */
	signal?: AbortSignal | undefined;
	/** Whether an earlier try of the node may have done the work */
	mayBeDone?: boolean;
	/** Called when the service may have done the work without saying so */
	onUnclear?: () => void;
}

interface ServiceClientOptions {
	send: (request: ServiceRequest) => Promise<ServiceResponse>;
	gate: Gate;
	/** Removes the API key from the service's words, in case the service repeats the key */
	redact?: (words: string) => string;
	signal?: AbortSignal | undefined;
	/** How often a request is repeated after a failure other than a refusal; by default four times */
	maxRetries?: number | undefined;
}

export type Requester = Pick<ServiceClient, 'request' | 'pause'>;

/** Sends requests to the service, and repeats them where this does no harm. */
export class ServiceClient {
	attemptsAfterPause = 0;
	/** The time of the last Date header, in milliseconds since 1970 */
	serviceTime?: number | undefined;
	private hasResponded = false;
	/** The failure of the last response, if it was a refusal */
	private lastRefusal?: RequestFailure | undefined;
	private readonly maxRetries: number;

	constructor(private readonly options: ServiceClientOptions) {
		this.maxRetries = options.maxRetries ?? MAX_RETRIES;
	}

	/**
	 * Sends a request until a response is final.
	 * - If the service refuses the request (429, 503, or 403 with Retry-After), all requests of this client wait.
	 * - If the service may have done the work (5xx, lost connection, unreadable response), only GET, PATCH, DELETE and repeatable
	 *   POST are sent again.
	 * @returns the body of a 2xx response; undefined if it has none, or if an earlier attempt has probably deleted the record
	 * @throws RequestFailure (contract section 7); of kind "cancelled" when the signal fires
	 */
	async request(request: ServiceRequest, sending: Sending = {}): Promise<unknown> {
		const { method } = request;
		const { signal = this.options.signal, onUnclear } = sending;
		let { mayBeDone = false } = sending;
		const turn: Turn = { signal, attempts: 0, refusals: 0, notBefore: 0, startedAt: 0 };
		let previous: AttemptResult | undefined;
		for (;;) {
			const result = await this.attempt(request, turn, previous);
			const { verdict, body, failure } = result;
			if (!failure) return body;
			const isGone = method === 'DELETE' && failure.details.statusCode === 404;
			if (isGone && mayBeDone) return undefined;
			if (method !== 'GET' && isUnclear(verdict)) {
				mayBeDone = true;
				onUnclear?.();
			}
			if (!this.shouldRetry(request, verdict, turn)) {
				throw failure.with({
					method,
					isRepeatable: isRepeatable(request),
					mayBeDone,
					attempts: turn.attempts,
				});
			}
			previous = result;
		}
	}

	/** The rules of a retry, in their order. How long to wait is the gate's business. */
	private shouldRetry(
		request: ServiceRequest,
		verdict: Verdict,
		{ attempts, refusals }: Turn,
	): boolean {
		if (verdict === 'final') return false;
		// The service may have done it, and the contract does not say that doing it twice is harmless
		if (isUnclear(verdict) && !isRepeatable(request)) return false;
		// A refused attempt only makes the request wait: it does not count
		return attempts - refusals <= this.maxRetries;
	}

	/** Enters the gate once, and sends the request once. Whatever is thrown on the way ends the request. */
	private async attempt(
		request: ServiceRequest,
		turn: Turn,
		previous?: AttemptResult,
	): Promise<AttemptResult> {
		const attemptsBefore = turn.attempts;
		try {
			await this.options.gate.enter(turn);
			if (isRefusal(previous?.verdict)) this.attemptsAfterPause++;
			return await this.answerTo(request, turn);
		} catch (thrown: unknown) {
			const failure = turn.signal?.aborted
				? new RequestFailure('cancelled')
				: RequestFailure.from(thrown);
			if (failure.kind !== 'deadline') return { verdict: 'final', failure };
			const hasStarted = turn.attempts > attemptsBefore;
			return { verdict: 'final', failure: this.insteadOfDeadline(previous, hasStarted) ?? failure };
		}
	}

	/** @returns what says more than a deadline: how this request failed before, or because of which refusal all requests wait */
	private insteadOfDeadline(
		previous: AttemptResult | undefined,
		hasStarted: boolean,
	): RequestFailure | undefined {
		return previous?.failure ?? (hasStarted ? undefined : this.lastRefusal);
	}

	/** Sends the request once. The gate learns from the result; if something was thrown, it only frees the place. */
	private async answerTo(request: ServiceRequest, turn: Turn): Promise<AttemptResult> {
		let result: AttemptResult | undefined;
		try {
			result = await this.send(request);
			return result;
		} finally {
			this.options.gate.leave(turn, result);
		}
	}

	private async send(request: ServiceRequest): Promise<AttemptResult> {
		const { send, redact = (words) => words } = this.options;
		const response = await send(request).catch((error: unknown) => RequestFailure.from(error));
		if (response instanceof RequestFailure) {
			if (response.kind !== 'deadline') return judgeFault(response);
			// The time of all requests is up. If the service has never responded, it was not too slow, but could not be reached
			throw this.hasResponded ? response : new RequestFailure('network', { code: 'ETIMEDOUT' });
		}
		this.hasResponded = true;
		this.serviceTime = headerTime(response.headers.date) ?? this.serviceTime;
		const result = judge(response, request.bodyOptional ?? false, redact);
		this.lastRefusal = isRefusal(result.verdict) ? result.failure : undefined;
		return result;
	}

	/**
	 * Waits for so many milliseconds.
	 * @throws an error of n8n or the reason of the signal when it fires; RequestFailure of kind "deadline" if there is not so
	 * much time
	 */
	async pause(milliseconds: number, signal = this.options.signal): Promise<void> {
		await this.options.gate.clock.wait(milliseconds, signal);
	}
}
