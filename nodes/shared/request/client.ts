import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

import { RequestFailure } from '../errors/requestFailure';
import { headerTime } from '../times';
import {
	type AttemptResult,
	isRefusal,
	judge,
	judgeFault,
	type ServiceResponse,
} from './responses';
import type { Gate, Progress } from './gate';

/** The defaults of the request options, which also apply to the trigger and to list searches. */
export const REQUEST_DEFAULTS = {
	/** Upper bound for the number of requests that run at once */
	concurrency: 20,
	/** Attempts after the first one */
	maxRetries: 4,
	/** Time-out of one attempt, in milliseconds */
	timeout: 30_000,
};

export interface ServiceRequest {
	method: IHttpRequestMethods;
	/** Path with encoded IDs, starting with /v1 */
	path: string;
	query?: IDataObject;
	body?: object | undefined;
	/** Whether the response may have no JSON body, like 204 */
	bodyOptional?: boolean;
	/** Time-out of one attempt, in milliseconds */
	timeout?: number | undefined;
	/** Attempts after the first one */
	maxRetries?: number | undefined;
	/** Whether a repeated POST does no harm: the section of the contract that says so */
	repeatable?: string | undefined;
}

interface Sending {
	/** Ends all waits of the request when it fires; a running request goes on */
	signal?: AbortSignal | undefined;
	/** Whether an earlier run of the node may already have done the work */
	mayBeDone?: boolean;
	/** Called when it becomes unclear whether the service has done the work */
	unclear?: () => void;
}

interface ServiceClientOptions {
	send: (request: ServiceRequest) => Promise<ServiceResponse>;
	gate: Gate;
	/** Removes the API key from the service's words, in case it repeats the key */
	redact?: (words: string) => string;
	signal?: AbortSignal | undefined;
}

const UNTRIED = { tries: 0, refusals: 0, notBefore: 0, startedAt: 0 };

/** The part of a client that reading lists needs. */
export type Requester = Pick<ServiceClient, 'request' | 'pause'>;

/** Sends requests to the service and repeats them as long as that is harmless. */
export class ServiceClient {
	/** How many attempts followed a refusal. */
	triesAfterPause = 0;
	/** The service's own clock at its last response, in milliseconds since 1970; undefined if it does not tell. */
	serviceTime?: number | undefined;
	private hasResponded = false;
	/** How the service refused the last request that it answered; undefined if it accepted that one */
	private lastRefusal?: RequestFailure | undefined;

	constructor(private readonly options: ServiceClientOptions) {}

	/**
	 * Sends a request, and repeats it until a response is final.
	 *
	 * If the service accepts fewer requests (429, 503, or 403 with Retry-After), all requests of this client wait. If it is unclear whether the work
	 * was done (5xx, lost connection, unreadable response), GET, PATCH, DELETE and repeatable POST are repeated.
	 * @returns the body of a 2xx response; undefined if it has none
	 * @throws RequestFailure (contract section 7); of kind "cancelled" when the signal fires
	 */
	async request(
		request: ServiceRequest,
		{ signal = this.options.signal, mayBeDone = false, unclear }: Sending = {},
	): Promise<unknown> {
		const {
			method,
			timeout = REQUEST_DEFAULTS.timeout,
			maxRetries = REQUEST_DEFAULTS.maxRetries,
		} = request;
		const isRepeatable = request.repeatable !== undefined;
		const progress: Progress = { signal, timeout, ...UNTRIED };
		for (let last: AttemptResult | undefined; ; ) {
			const result = await this.attempt(request, progress, last);
			const { verdict, body, failure } = result;
			if (!failure) return body;
			const isDeleted = method === 'DELETE' && failure.details.statusCode === 404;
			if (isDeleted && mayBeDone) return undefined;
			const isUnclear = verdict === 'unclear' || verdict === 'overloaded';
			if (method !== 'GET' && isUnclear) {
				mayBeDone = true;
				unclear?.();
			}
			const isOver =
				verdict === 'final' ||
				progress.tries - progress.refusals > maxRetries ||
				this.options.gate.isGivenUp(progress);
			if (isOver || (isUnclear && method === 'POST' && !isRepeatable)) {
				throw failure.with({ method, isRepeatable, mayBeDone, tries: progress.tries });
			}
			last = result;
		}
	}

	/**
	 * Waits for so many milliseconds.
	 * @throws the reason of the signal when it fires, or RequestFailure of kind "deadline" if there is not so much time
	 */
	async pause(milliseconds: number, signal = this.options.signal): Promise<void> {
		await this.options.gate.clock.wait(milliseconds, signal);
	}

	/** @returns how the attempt ended, also if it was not sent */
	private async attempt(
		request: ServiceRequest,
		progress: Progress,
		last?: AttemptResult,
	): Promise<AttemptResult> {
		const { tries } = progress;
		try {
			await this.options.gate.enter(progress);
			if (isRefusal(last?.verdict)) this.triesAfterPause++;
			return await this.send(request, progress);
		} catch (error: unknown) {
			const isCancelled = progress.signal?.aborted;
			const failure = isCancelled ? new RequestFailure('cancelled') : RequestFailure.from(error);
			if (failure.kind !== 'deadline') return { verdict: 'final', failure };
			// The earlier failure says more than the deadline
			const refusal = progress.tries === tries ? this.lastRefusal : undefined;
			return { verdict: 'final', failure: last?.failure ?? refusal ?? failure };
		}
	}

	private async send(request: ServiceRequest, progress: Progress): Promise<AttemptResult> {
		let result: AttemptResult | undefined;
		try {
			return (result = await this.resultOf(request));
		} finally {
			this.options.gate.leave(progress, result);
		}
	}

	private async resultOf(request: ServiceRequest): Promise<AttemptResult> {
		const { send, redact = (words) => words } = this.options;
		const response = await send(request).catch((error: unknown) => RequestFailure.from(error));
		if (!(response instanceof RequestFailure)) {
			this.hasResponded = true;
			this.serviceTime = headerTime(response.headers.date) ?? this.serviceTime;
			const result = judge(response, request.bodyOptional ?? false, redact);
			this.lastRefusal = isRefusal(result.verdict) ? result.failure : undefined;
			return result;
		}
		if (response.kind !== 'deadline') return judgeFault(response);
		throw this.hasResponded ? response : new RequestFailure('network', { code: 'ETIMEDOUT' });
	}
}
