import type {
	IAllExecuteFunctions,
	IDataObject,
	IHttpRequestMethods,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { findCode, findWords, RequestFailure } from './errors';
import type { Clock } from './gate';
import { Gate } from './gate';
import { isGiven } from './values';
import { sleep } from './versions';

export const CREDENTIAL = 'searchVisibilityApi';

export const REQUEST_DEFAULTS = { concurrency: 5, maxRetries: 4, timeout: 30_000 };

const LONGEST_PAUSE = 60 * 60 * 1000;
const FIRST_BACKOFF = 500;
const LONGEST_BACKOFF = 30_000;

/** One request to the service, as the operations describe it. */
export interface ServiceRequest {
	method: IHttpRequestMethods;
	/** Path with every id encoded, beginning with /v1 */
	path: string;
	query?: IDataObject;
	body?: IDataObject | unknown[];
	/** Whether the answer may have no JSON body, as 204 has none */
	bodyOptional?: boolean;
	/** Milliseconds for one try */
	timeout?: number;
	/** How many more tries after the first */
	maxRetries?: number;
}

/** What came back for one try; a network fault throws instead. */
export interface ServiceAnswer {
	statusCode: number;
	headers: IDataObject;
	body: unknown;
}

export interface ServiceClientOptions {
	/** Sends one request once; throws RequestFailure for a network fault. */
	send: (request: ServiceRequest) => Promise<ServiceAnswer>;
	gate: Gate;
	clock: Clock;
	/** No wait may go on after this time, in milliseconds since 1970 */
	deadline?: number;
	/** The API key, taken out of the service's words should it ever repeat it */
	secret?: string;
	/** @returns a number from 0 to 1, for the jitter of the waits */
	random?: () => number;
}

/** How one try ended: refused was not worked on, unclear may have been, final will not get better. */
type Verdict = 'done' | 'refused' | 'unclear' | 'final';

interface Outcome {
	verdict: Verdict;
	body?: unknown;
	failure?: RequestFailure;
}

/** Sends requests to the service and repeats them as far as a repeat is harmless. */
export class ServiceClient {
	/** How many tries followed on a pause that the service had asked for. */
	triesAfterPause = 0;

	/** The service's own clock at its last answer, in milliseconds since 1970; undefined when it does not tell. */
	serviceTime?: number;

	private isStopped = false;

	/** What the service said when it asked for a longer pause than anybody waits for. */
	private closed?: { until: number; outcome: Outcome };

	constructor(private readonly options: ServiceClientOptions) {}

	/** From now on nothing is sent; what is under way goes on. */
	stop(): void {
		this.isStopped = true;
	}

	/**
	 * Sends a request until there is an answer that counts.
	 *
	 * The service's "not now" (429, or 503 with Retry-After) is waited for, by all requests of this client. Where it is
	 * unclear whether the work was done (other 5xx, network, unreadable answer), only GET, PATCH and DELETE are repeated.
	 * @returns the body of a 2xx answer; undefined when it has none
	 * @throws RequestFailure (contract section 7); of kind "cancelled" when the client was stopped
	 */
	async request(request: ServiceRequest): Promise<unknown> {
		const maxRetries = request.maxRetries ?? REQUEST_DEFAULTS.maxRetries;
		let wasUnclear = false;
		for (let attempt = 0; ; attempt++) {
			const { verdict, body, failure } = await this.try(request, attempt);
			if (!failure) return body;
			const isGone = request.method === 'DELETE' && failure.details.statusCode === 404;
			if (isGone && wasUnclear) return undefined;
			if (attempt >= maxRetries || !this.mayRepeat(request, verdict, failure)) {
				const { method } = request;
				throw failure.with({ method, tries: attempt + 1 }, this.options.secret);
			}
			if (verdict === 'refused') this.triesAfterPause++;
			else {
				wasUnclear ||= !failure.neverSent;
				await this.options.clock.wait(this.backoff(attempt));
			}
		}
	}

	private async try(request: ServiceRequest, attempt: number): Promise<Outcome> {
		const { gate, clock } = this.options;
		const once = async () => {
			if (this.isStopped) throw new RequestFailure('cancelled');
			const startedAt = clock.now();
			if (this.closed && startedAt < this.closed.until) return this.closed.outcome;
			const outcome = judge(request, await this.send(request), clock.now());
			if (outcome.verdict !== 'refused') gate.taken(startedAt);
			else {
				const pause = outcome.failure?.details.retryAfter ?? this.backoff(attempt);
				if (pause <= this.longestPause) gate.refused(pause, startedAt);
				else this.closed = { until: clock.now() + pause, outcome };
			}
			return outcome;
		};
		return await gate.pass(once, undefined, attempt > 0);
	}

	private async send(request: ServiceRequest): Promise<ServiceAnswer | RequestFailure> {
		try {
			const answer = await this.options.send(request);
			const time = Date.parse(String(answer.headers.date));
			if (!Number.isNaN(time)) this.serviceTime = time;
			return answer;
		} catch (error) {
			return RequestFailure.from(error);
		}
	}

	private mayRepeat(
		request: ServiceRequest,
		verdict: Verdict,
		{ details }: RequestFailure,
	): boolean {
		if (verdict === 'refused') return (details.retryAfter ?? 0) <= this.longestPause;
		return verdict === 'unclear' && request.method !== 'POST';
	}

	private get longestPause(): number {
		const { clock, deadline = Number.POSITIVE_INFINITY } = this.options;
		return Math.min(LONGEST_PAUSE, deadline - clock.now());
	}

	private backoff(attempt: number): number {
		const { random = Math.random } = this.options;
		const longest = Math.min(FIRST_BACKOFF * 2 ** attempt, LONGEST_BACKOFF);
		return longest * (0.5 + random() / 2);
	}
}

function judge(
	request: ServiceRequest,
	answer: ServiceAnswer | RequestFailure,
	now: number,
): Outcome {
	if (answer instanceof RequestFailure) {
		return { verdict: answer.kind === 'network' ? 'unclear' : 'final', failure: answer };
	}
	const { statusCode, body } = answer;
	if (statusCode >= 200 && statusCode < 300) return judgeSuccess(request, answer);
	const failure = new RequestFailure('status', {
		statusCode,
		code: findCode(body),
		words: findWords(body),
		retryAfter: readRetryAfter(answer.headers, now),
		location: isGiven(answer.headers.location) ? String(answer.headers.location) : undefined,
	});
	const { retryAfter } = failure.details;
	if (statusCode === 429 || (statusCode === 503 && retryAfter !== undefined)) {
		return { verdict: 'refused', failure };
	}
	return { verdict: [500, 502, 503, 504].includes(statusCode) ? 'unclear' : 'final', failure };
}

function judgeSuccess({ bodyOptional }: ServiceRequest, answer: ServiceAnswer): Outcome {
	const { body, statusCode } = answer;
	if (typeof body === 'object' && body !== null) return { verdict: 'done', body };
	if (bodyOptional && !body) return { verdict: 'done' };
	return { verdict: 'unclear', failure: new RequestFailure('answer', { statusCode }) };
}

/**
 * @returns milliseconds to wait, from Retry-After in seconds or as a date; undefined when it says nothing usable.
 * A date is one of the service's clock, which may differ from ours.
 */
function readRetryAfter(headers: IDataObject, now: number): number | undefined {
	const value = headers['retry-after'];
	if (!isGiven(value)) return undefined;
	const seconds = Number(value);
	const serviceTime = Date.parse(String(headers.date));
	const from = Number.isNaN(serviceTime) ? now : serviceTime;
	const wait = Number.isNaN(seconds) ? Date.parse(String(value)) - from : seconds * 1000;
	return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/** What bounds the requests of one execution, poll or list search. */
export interface Bounds {
	/** How many requests may be under way at once */
	concurrency?: number;
	/** No request and no wait may go on after this time, in milliseconds since 1970 */
	deadline?: number;
}

/**
 * Makes the client of one execution, poll or list search from n8n's own helpers.
 * @throws RequestFailure when the credential has no usable base URL
 */
export async function createClient(
	context: IAllExecuteFunctions,
	{ concurrency = REQUEST_DEFAULTS.concurrency, deadline = Number.POSITIVE_INFINITY }: Bounds = {},
): Promise<ServiceClient> {
	const credential = await context.getCredentials(CREDENTIAL);
	const baseUrl = readBaseUrl(credential);
	const signal =
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal?.() : undefined;
	const clock: Clock = {
		now: () => Date.now(),
		wait: async (milliseconds) => {
			if (Date.now() + milliseconds > deadline) throw new RequestFailure('deadline');
			await sleep(milliseconds, signal);
		},
	};
	const send = async (request: ServiceRequest) => {
		if (signal?.aborted) throw new RequestFailure('cancelled');
		const timeLeft = deadline - Date.now();
		if (timeLeft <= 0) throw new RequestFailure('deadline');
		const timeout = Math.min(request.timeout ?? REQUEST_DEFAULTS.timeout, timeLeft);
		return await sendOnce(context, baseUrl, { ...request, timeout }, signal);
	};
	const secret = String(credential.apiKey ?? '').trim();
	return new ServiceClient({ gate: new Gate(concurrency, clock), clock, deadline, secret, send });
}

/**
 * @returns the base URL of a credential, without slashes at the end
 * @throws RequestFailure when it is no absolute http or https URL
 */
export function readBaseUrl({ baseUrl }: IDataObject): string {
	const url = String(baseUrl ?? '')
		.trim()
		.replace(/\/+$/, '');
	const isAddress = /^https?:\/\/[^/?#\s]+[^?#\s]*$/i.test(url) && URL.canParse(url);
	// A user name in it would be sent in place of the key
	if (isAddress && !new URL(url).username && !new URL(url).password) return url;
	throw new RequestFailure('baseUrl');
}

async function sendOnce(
	context: IAllExecuteFunctions,
	baseUrl: string,
	request: ServiceRequest,
	signal?: AbortSignal,
): Promise<ServiceAnswer> {
	const { method, path, query, body, timeout = REQUEST_DEFAULTS.timeout } = request;
	const options: IHttpRequestOptions = {
		method,
		url: baseUrl + path,
		qs: query,
		body,
		json: true,
		timeout,
		// Answers are judged in one place, so the helper must not throw for a status
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// A redirect would carry the key to another address
		disableFollowRedirect: true,
	};
	return await withinTime(timeout, signal, async (untilLate) => {
		// The helper prefers the signal of the context that it is called on, if that has one
		const caller = Object.create(context) as IAllExecuteFunctions & CancelSignal;
		caller.getExecutionCancelSignal = () => untilLate;
		const answer = caller.helpers.httpRequestWithAuthentication.call(caller, CREDENTIAL, {
			...options,
			abortSignal: untilLate,
		});
		return (await answer) as IN8nHttpFullResponse;
	});
}

interface CancelSignal {
	getExecutionCancelSignal: () => AbortSignal | undefined;
}

/** Made once: without a reason, each end of a request would make an error with a stack. */
const OVER = new Error('The request is over');

/**
 * Gives a request up when it takes too long or the execution is cancelled. The helper's own time-out does not do: it
 * starts anew with every byte, so an answer that drips in would take for ever.
 */
async function withinTime<T>(
	milliseconds: number,
	cancelled: AbortSignal | undefined,
	request: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	const controller = new AbortController();
	const giveUp = () => controller.abort(OVER);
	let isLate = false;
	const timer = sleep(milliseconds, controller.signal).then(() => {
		isLate = true;
		giveUp();
	});
	// It ends this way whenever the answer comes in time
	timer.catch(() => {});
	cancelled?.addEventListener('abort', giveUp, { once: true });
	try {
		return await request(controller.signal).catch((error: unknown) => {
			throw isLate ? new RequestFailure('network', { code: 'ETIMEDOUT' }) : error;
		});
	} finally {
		cancelled?.removeEventListener('abort', giveUp);
		giveUp();
	}
}
