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

interface Sending {
	/** Ends the waits of the request when it fires; an attempt that has started goes on */
	signal?: AbortSignal | undefined;
	/** Whether an earlier try of the node may have done the work */
	mayBeDone?: boolean;
	/** Called when the service may have done the work without saying so */
	unclear?: () => void;
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

const UNTRIED = { tries: 0, refusals: 0, notBefore: 0, startedAt: 0 };

export type Requester = Pick<ServiceClient, 'request' | 'pause'>;

/** Sends requests to the service, and repeats them where this does no harm. */
export class ServiceClient {
	triesAfterPause = 0;
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
	async request(
		request: ServiceRequest,
		{ signal = this.options.signal, mayBeDone = false, unclear }: Sending = {},
	): Promise<unknown> {
		const { method } = request;
		const isRepeatable = request.repeatable !== undefined;
		const progress: Progress = { signal, ...UNTRIED };
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
			const isOver = verdict === 'final' || progress.tries - progress.refusals > this.maxRetries;
			if (isOver || (isUnclear && method === 'POST' && !isRepeatable)) {
				throw failure.with({ method, isRepeatable, mayBeDone, tries: progress.tries });
			}
			last = result;
		}
	}

	/**
	 * Waits for so many milliseconds.
	 * @throws an error of n8n or the reason of the signal when it fires; RequestFailure of kind "deadline" if there is not so
	 * much time
	 */
	async pause(milliseconds: number, signal = this.options.signal): Promise<void> {
		await this.options.gate.clock.wait(milliseconds, signal);
	}

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
