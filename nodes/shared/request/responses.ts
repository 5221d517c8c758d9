import type { IDataObject } from 'n8n-workflow';

import { errorIn } from '../errors/errorBody';
import { RequestFailure, shortened } from '../errors/requestFailure';
import { headerPause, headerTime, rateLimitPause } from '../times';
import { isGiven } from '../parameters/values';

export interface ServiceResponse {
	statusCode: number;
	headers: IDataObject;
	body: unknown;
}

/**
 * How one attempt ended.
 * - done: succeeded
 * - refused: not worked on, because there were too many requests; may be sent again after a pause
 * - overloaded: probably refused, but the service may have worked on the request
 * - unprocessed: not worked on for another reason; may be sent again
 * - unclear: the service may have worked on the request
 * - final: failed, and another attempt would not help
 */
export type Verdict = 'done' | 'refused' | 'overloaded' | 'unprocessed' | 'unclear' | 'final';

export interface AttemptResult {
	verdict: Verdict;
	body?: unknown;
	failure?: RequestFailure;
}

export const isRefusal = (verdict?: Verdict) => verdict === 'refused' || verdict === 'overloaded';

/** Whether the service may have done the work. */
export const isUnclear = (verdict: Verdict) => verdict === 'unclear' || verdict === 'overloaded';

/**
 * Judges a response (contract section 7).
 * @param bodyOptional whether a 2xx may have no body
 * @param redact removes the API key from the service's words, in case the service repeats the key
 */
export function judge(
	{ statusCode, headers, body }: ServiceResponse,
	bodyOptional: boolean,
	redact: (words: string) => string,
): AttemptResult {
	if (statusCode >= 200 && statusCode < 300) return judgeSuccess(statusCode, body, bodyOptional);
	// Dates in headers are by the service's clock, which may differ from ours
	const now = headerTime(headers.date) ?? Date.now();
	const pauseIn = (name: string) => headerPause(headers[name], now);
	const asked = pauseIn('retry-after');
	const isBusy = statusCode === 429 || statusCode === 503;
	const reset =
		pauseIn('ratelimit-reset') ?? rateLimitPause(headers.ratelimit) ?? pauseIn('x-ratelimit-reset');
	const failure = new RequestFailure('status', {
		statusCode,
		...errorIn(body, redact),
		// With other statuses, the reset may be that of another, longer limit
		retryAfter: asked ?? (isBusy ? reset : undefined),
		location: shortened(redact(String(headers.location ?? ''))),
	});
	return { verdict: verdictOn(statusCode, asked !== undefined), failure };
}

/** @param hasRetryAfter without Retry-After, a 503 leaves open whether the request was worked on */
function verdictOn(statusCode: number, hasRetryAfter: boolean): Verdict {
	if (statusCode === 429 || (statusCode === 403 && hasRetryAfter)) return 'refused';
	if (statusCode === 503) return hasRetryAfter ? 'refused' : 'overloaded';
	// 408: the service did not wait for the end of the request
	if (statusCode === 408) return 'unprocessed';
	return statusCode >= 500 ? 'unclear' : 'final';
}

/** With these codes, there was no connection. Other codes may come from a connection that broke. */
const NEVER_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

/** Judges a request that got no response. */
export function judgeFault(failure: RequestFailure): AttemptResult {
	const { kind, details } = failure;
	// The service may have got it before. It is not sent again, because the gate lets nothing in after a cancellation
	if (kind === 'cancelled') return { verdict: 'unclear', failure };
	if (kind !== 'network') return { verdict: 'final', failure };
	const neverSent = details.isConnecting || NEVER_SENT.includes(details.code ?? '');
	return { verdict: neverSent ? 'unprocessed' : 'unclear', failure };
}

/** Accepts any body, except one that n8n could not parse: HTML, or JSON that was cut off. */
function judgeSuccess(statusCode: number, body: unknown, bodyOptional: boolean): AttemptResult {
	const isEmpty = !isGiven(body);
	if (isEmpty && bodyOptional) return { verdict: 'done' };
	const isBroken = typeof body === 'string' && /^\s*[<{["]/.test(body);
	if (!isEmpty && !isBroken) return { verdict: 'done', body };
	return { verdict: 'unclear', failure: new RequestFailure('unreadable', { statusCode }) };
}
