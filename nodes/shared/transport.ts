import type {
	IAllExecuteFunctions,
	IDataObject,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { toUrl } from './addresses';
import type { ServiceAnswer } from './answers';
import type { ServiceRequest } from './client';
import { ServiceClient } from './client';
import { RequestFailure } from './failure';
import type { Clock } from './gate';
import { Gate } from './gate';
import { REQUEST_DEFAULTS } from './requestOptions';
import { hiderOf } from './secret';
import type { StopSignal } from './stop';
import { sleep } from './compatibility';

export const CREDENTIAL = 'searchVisibilityApi';

/** The limits for the requests of one execution, poll or list search. */
export interface Bounds {
	/** How many requests may be under way at once */
	concurrency?: number;
	/** No request or wait may go on after this time, in milliseconds since 1970 */
	deadline?: number;
}

/**
 * Makes the client for one execution, poll or list search. It sends requests with n8n's own helpers.
 * @throws RequestFailure when the credential has no usable base URL
 */
export async function createClient(
	context: IAllExecuteFunctions,
	bounds?: Bounds,
): Promise<ServiceClient> {
	return (await connect(context, bounds)).client;
}

/**
 * Like {@link createClient}, but also returns the base URL of the service. The credential is read only once for both,
 * because n8n 2.41 by default creates a new expression engine for each read (docs/operating.md).
 * @throws RequestFailure when the credential has no usable base URL
 */
export async function connect(
	context: IAllExecuteFunctions,
	{ concurrency = REQUEST_DEFAULTS.concurrency, deadline = Number.POSITIVE_INFINITY }: Bounds = {},
): Promise<{ client: ServiceClient; baseUrl: string }> {
	const credential = await context.getCredentials(CREDENTIAL);
	const baseUrl = readBaseUrl(credential);
	const cancelled = cancelSignalOf(context);
	const clock: Clock = {
		now: () => Date.now(),
		wait: async (milliseconds, stop = cancelled) => {
			if (Date.now() + milliseconds > deadline) throw new RequestFailure('deadline');
			await wait(milliseconds, stop);
		},
	};
	const send = async (request: ServiceRequest) => {
		const timeLeft = deadline - Date.now();
		if (timeLeft <= 0) throw new RequestFailure('deadline');
		const timeout = Math.min(request.timeout ?? REQUEST_DEFAULTS.timeout, timeLeft);
		return await sendOnce(context, baseUrl, { ...request, timeout }, cancelled);
	};
	const client = new ServiceClient({
		gate: new Gate(concurrency, clock),
		clock,
		deadline,
		hide: hiderOf(String(credential.apiKey ?? '').trim()),
		stop: cancelled,
		send,
	});
	return { client, baseUrl };
}

/** @returns the signal with which n8n cancels an execution; polls and list searches have none */
export function cancelSignalOf(context: IAllExecuteFunctions): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal?.() : undefined;
}

/**
 * @returns the base URL of a credential, without trailing slashes
 * @throws RequestFailure when it is not an absolute http or https URL
 */
export function readBaseUrl({ baseUrl }: IDataObject): string {
	const url = String(baseUrl ?? '')
		.trim()
		.replace(/\/+$/, '');
	const address = /^https?:\/\/[^/?#\s]+[^?#\s]*$/i.test(url) ? toUrl(url) : undefined;
	// A user name in the URL would be sent instead of the key
	if (address && !address.username && !address.password) return url;
	throw new RequestFailure('baseUrl');
}

/**
 * Waits; rejects as soon as the signal fires. Each wait gets its own signal, because older versions of n8n never
 * release one.
 */
async function wait(milliseconds: number, stop?: StopSignal): Promise<void> {
	if (stop?.aborted) throw new RequestFailure('cancelled');
	const controller = new AbortController();
	const end = () => controller.abort();
	stop?.addEventListener('abort', end);
	try {
		await sleep(milliseconds, controller.signal);
	} finally {
		stop?.removeEventListener('abort', end);
	}
}

async function sendOnce(
	context: IAllExecuteFunctions,
	baseUrl: string,
	request: ServiceRequest,
	cancelled?: AbortSignal,
): Promise<ServiceAnswer> {
	const { method, path, query = {}, timeout = REQUEST_DEFAULTS.timeout } = request;
	const options: IHttpRequestOptions = {
		method,
		url: baseUrl + path,
		qs: query,
		...bodyOf(request),
		json: true,
		timeout,
		// Answers are judged in one place, so the helper must not throw because of a status
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// A redirect would send the key to another address
		disableFollowRedirect: true,
	};
	return await withinTime(timeout, cancelled, async (untilLate) => {
		const caller = 'getExecutionCancelSignal' in context ? endedBy(untilLate, context) : context;
		const answer = caller.helpers.httpRequestWithAuthentication.call(caller, CREDENTIAL, {
			...options,
			abortSignal: untilLate,
		});
		return (await answer) as IN8nHttpFullResponse;
	});
}

/** The helper drops an empty body, which a user may have asked for. As text, it is sent. */
function bodyOf({ body }: ServiceRequest): Partial<IHttpRequestOptions> {
	if (!body || Object.keys(body).length > 0) return { body };
	return { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
}

/**
 * If the context that the helper is called on has a cancel signal, n8n uses it and ignores the option. The drip fault of
 * the fault matrix fails if that changes.
 */
function endedBy(signal: AbortSignal, context: IAllExecuteFunctions): IAllExecuteFunctions {
	return Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as IAllExecuteFunctions;
}

/** Created only once: without a reason, every abort would create an error with a stack. */
const OVER = new Error('The request is over');

/**
 * Gives up on a request that takes too long or whose execution is cancelled. The helper's own time-out is not enough:
 * it restarts with every byte, so a response that arrives byte by byte could take forever.
 * @param milliseconds how long the request may take
 * @throws RequestFailure when the time is up; otherwise what the request throws
 */
async function withinTime<T>(
	milliseconds: number,
	cancelled: AbortSignal | undefined,
	request: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	const late = AbortSignal.timeout(Math.ceil(milliseconds));
	const { signal, release } = cancelled ? eitherOf(late, cancelled) : { signal: late };
	try {
		return await request(signal);
	} catch (error) {
		throw late.aborted ? new RequestFailure('network', { code: 'ETIMEDOUT' }) : error;
	} finally {
		release?.();
	}
}

/** With `AbortSignal.any`, Node.js 22 and 24 would keep 1 kB for each request until the execution ends. */
function eitherOf(...signals: AbortSignal[]): { signal: AbortSignal; release?: () => void } {
	const controller = new AbortController();
	const giveUp = () => controller.abort(OVER);
	for (const one of signals) one.addEventListener('abort', giveUp, { once: true });
	const release = () => signals.forEach((one) => one.removeEventListener('abort', giveUp));
	return { signal: controller.signal, release };
}
