import { hash } from 'node:crypto';

import type {
	IAllExecuteFunctions,
	IDataObject,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { toUrl } from '../parameters/addresses';
import type { ServiceAnswer } from './answers';
import type { ServiceRequest } from './client';
import { ServiceClient } from './client';
import { RequestFailure } from '../errors/requestFailure';
import type { Clock } from './gate';
import { Gate } from './gate';
import { REQUEST_DEFAULTS } from '../parameters/requestOptions';
import { hiderOf } from '../errors/secret';
import { bodyOf, wait, withCancelSignal, withSignal } from './compatibility';

export const CREDENTIAL = 'searchVisibilityApi';

/**
 * How much later n8n's own time-out comes (in milliseconds). It would not tell a slow service from a lost connection in all
 * versions, and at the same time, either could come first.
 */
const GRACE = 1000;

/** The limits for the requests of one execution, poll or list search. */
export interface Bounds {
	/** How many requests may run at once */
	concurrency?: number;
	/** No request or wait may go on for longer than this, in milliseconds from now */
	timeLimit?: number;
}

/** What one execution, poll or list search uses of the service. */
export interface Connection {
	client: ServiceClient;
	/** Makes another client with a gate of its own, so that what one of them reads does not wait for the other */
	newClient: () => ServiceClient;
	baseUrl: string;
	/** A hash that identifies the API key and the service */
	account: string;
}

/**
 * Connects one execution, poll or list search with the service. Requests are sent with n8n's own helpers. The credential is read
 * only once, because n8n 2.41 by default creates a new expression engine for each read (docs/operating.md).
 * @throws RequestFailure when the credential has no usable base URL, or no API key
 */
export async function connect(
	context: IAllExecuteFunctions,
	{ concurrency = REQUEST_DEFAULTS.concurrency, timeLimit = Number.POSITIVE_INFINITY }: Bounds = {},
): Promise<Connection> {
	// The time of day may be set back in the middle of an execution
	const now = () => Math.floor(performance.now());
	const deadline = now() + timeLimit;
	const credential = await context.getCredentials(CREDENTIAL);
	const baseUrl = readBaseUrl(credential);
	const apiKey = readApiKey(credential);
	// For example because an expression found nothing
	if (apiKey === '') throw new RequestFailure('apiKey');
	const cancelled = cancelSignalOf(context);
	const clock: Clock = {
		now,
		wait: async (milliseconds, stop) => {
			if (now() + milliseconds > deadline) throw new RequestFailure('deadline');
			await wait(milliseconds, cancelled, stop);
		},
	};
	const send = async (request: ServiceRequest) => {
		const timeLeft = Math.max(1, deadline - now());
		const timeout = Math.min(request.timeout ?? REQUEST_DEFAULTS.timeout, timeLeft);
		// n8n's own time-out begins again with every byte, so an answer in drops could take forever
		const [late, end] = [AbortSignal.timeout(timeout), now() + timeout];
		const sent = withSignal([cancelled, late], async (stop) => {
			return await sendOnce(context, baseUrl, { ...request, timeout }, stop);
		});
		return await sent.catch((error: unknown) => {
			if (now() >= deadline) throw new RequestFailure('deadline');
			// On a busy machine, n8n's own time-out may come first
			const isLate = (late.aborted || now() >= end) && !cancelled?.aborted;
			throw isLate ? new RequestFailure('network', { code: 'ETIMEDOUT' }) : error;
		});
	};
	const options = { clock, deadline, hide: hiderOf(apiKey), stop: cancelled, send };
	const newClient = () => new ServiceClient({ ...options, gate: new Gate(concurrency, clock) });
	const account = hash('sha256', `${baseUrl} ${apiKey}`);
	return { client: newClient(), newClient, baseUrl, account };
}

/** @returns the signal with which n8n cancels an execution; polls and list searches have none */
export function cancelSignalOf(context: IAllExecuteFunctions): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal?.() : undefined;
}

/**
 * @returns the base URL of a credential, without trailing slashes and without the /v1 of a pasted endpoint
 * @throws RequestFailure when it is not an absolute http or https URL
 */
export function readBaseUrl({ baseUrl }: IDataObject): string {
	const url = String(baseUrl ?? '')
		.trim()
		.replace(/(?<=[^:/])(\/+v1)?\/*$/i, '');
	const address = /^https?:\/\/[^/?#\s]+[^?#\s]*$/i.test(url) ? toUrl(url) : undefined;
	// A user name in the URL would be sent instead of the key
	if (address && !address.username && !address.password) return url;
	throw new RequestFailure('baseUrl');
}

/** @returns the API key of a credential; like the credential itself, without the "Bearer" of a pasted header */
const readApiKey = ({ apiKey }: IDataObject) =>
	String(apiKey ?? '')
		.trim()
		.replace(/^Bearer(\s+|$)/i, '');

async function sendOnce(
	context: IAllExecuteFunctions,
	baseUrl: string,
	{ method, path, query = {}, body, timeout = 0 }: ServiceRequest,
	stop: AbortSignal,
): Promise<ServiceAnswer> {
	const options: IHttpRequestOptions = {
		method,
		url: baseUrl + path,
		qs: query,
		...bodyOf(body),
		json: true,
		timeout: timeout + GRACE,
		// Answers are judged in one place, so the helper must not throw because of a status
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// A redirect would send the key to another address
		disableFollowRedirect: true,
		abortSignal: stop,
	};
	const { httpRequestWithAuthentication: helper } = context.helpers;
	const caller = withCancelSignal(context, stop);
	return (await helper.call(caller, CREDENTIAL, options)) as IN8nHttpFullResponse;
}
