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
	bounds?: Bounds,
): Promise<ServiceClient> {
	return (await connect(context, bounds)).client;
}

/**
 * The same, with the address of the service. The credential is read once for both: by default, n8n 2.41 makes a new engine
 * for expressions each time (docs/operating.md).
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

/** @returns n8n's signal that fires when the execution is cancelled; polls and list searches have none */
export function cancelSignalOf(context: IAllExecuteFunctions): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal?.() : undefined;
}

/**
 * @returns the base URL of a credential, without slashes at the end
 * @throws RequestFailure when it is no absolute http or https URL
 */
export function readBaseUrl({ baseUrl }: IDataObject): string {
	const url = String(baseUrl ?? '')
		.trim()
		.replace(/\/+$/, '');
	const address = /^https?:\/\/[^/?#\s]+[^?#\s]*$/i.test(url) ? toUrl(url) : undefined;
	// A user name in it would be sent in place of the key
	if (address && !address.username && !address.password) return url;
	throw new RequestFailure('baseUrl');
}

/** Waits; rejects as soon as the signal fires. Each wait has a signal of its own: older versions of n8n never let go of one. */
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
		// Answers are judged in one place, so the helper must not throw for a status
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// A redirect would carry the key to another address
		disableFollowRedirect: true,
	};
	return await withinTime(timeout, cancelled, async (untilLate) => {
		// n8n 2.41 takes the signal of the context that the helper is called on, and ignores the option where it has one;
		// 1.123 takes the option. The drip fault of the fault matrix fails with either if this changes.
		const caller = Object.create(context) as IAllExecuteFunctions & CancelSignal;
		caller.getExecutionCancelSignal = () => untilLate;
		const answer = caller.helpers.httpRequestWithAuthentication.call(caller, CREDENTIAL, {
			...options,
			abortSignal: untilLate,
		});
		return (await answer) as IN8nHttpFullResponse;
	});
}

/** The helper drops a body without entries, which somebody may have asked for: as text it is sent. */
function bodyOf({ body }: ServiceRequest): Partial<IHttpRequestOptions> {
	if (!body || Object.keys(body).length > 0) return { body };
	return { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
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
