import type { IDataObject } from 'n8n-workflow';

import { readError } from '../errors/errorBody';
import { RequestFailure, shortened } from '../errors/requestFailure';
import { headerTime } from '../times';
import { isGiven } from '../parameters/values';

/** The answer to one attempt; a network error is thrown instead. */
export interface ServiceAnswer {
	statusCode: number;
	headers: IDataObject;
	body: unknown;
}

/**
 * How one attempt ended. Refused: not processed, may be sent again after a pause. Unclear: may have been processed.
 * Final: failed, and another attempt would not help.
 */
export type Verdict = 'done' | 'refused' | 'unclear' | 'final';

export interface Outcome {
	verdict: Verdict;
	body?: unknown;
	failure?: RequestFailure;
	/** False if the request was given up instead of being sent once more */
	wasSent?: false;
}

/** A success that never has a body. */
const NO_CONTENT = 204;

/** The service does not support the request, so it did not work on it. */
const NOT_WORKED_ON = [501, 505];

/**
 * Judges an answer (contract section 7).
 * @param bodyOptional whether a success may come without a body, like 204
 * @param hide removes the API key from the service's words, in case it repeats the key
 */
export function judge(
	{ statusCode, headers, body }: ServiceAnswer,
	bodyOptional: boolean,
	hide: (words: string) => string,
): Outcome {
	if (statusCode >= 200 && statusCode < 300) return judgeSuccess(statusCode, body, bodyOptional);
	const retryAfter = readRetryAfter(headers);
	const failure = new RequestFailure('status', {
		statusCode,
		...readError(body, hide),
		retryAfter,
		location: isGiven(headers.location) ? shortened(hide(String(headers.location))) : undefined,
	});
	if (statusCode === 429 || (statusCode === 503 && retryAfter !== undefined)) {
		return { verdict: 'refused', failure };
	}
	const isUnclear = statusCode >= 500 && !NOT_WORKED_ON.includes(statusCode);
	return { verdict: isUnclear ? 'unclear' : 'final', failure };
}

/** Judges a request that got no answer. */
export function judgeFault(failure: RequestFailure): Outcome {
	const mayHaveArrived = failure.kind === 'network' || failure.kind === 'cancelled';
	return { verdict: mayHaveArrived ? 'unclear' : 'final', failure };
}

/** A write is done whatever the body, unless this is not an answer of the service: a page of HTML, or half an answer. */
function judgeSuccess(statusCode: number, body: unknown, bodyOptional: boolean): Outcome {
	const text = typeof body === 'string' ? body.trim() : body;
	const isEmpty = !isGiven(text);
	if (isEmpty && (bodyOptional || statusCode === NO_CONTENT)) return { verdict: 'done' };
	const isBroken = typeof text === 'string' && /^[<{["]/.test(text);
	if (!isEmpty && !isBroken) return { verdict: 'done', body };
	return { verdict: 'unclear', failure: new RequestFailure('answer', { statusCode }) };
}

/** Part of every date; without it, the engine of Node.js takes many texts for a date. */
const TIME_OF_DAY = /\d:\d\d:\d\d/;

/**
 * @returns milliseconds to wait, from Retry-After in seconds or as a date; undefined if it is missing or not usable. A
 * date is by the service's clock, which may differ from ours
 */
function readRetryAfter(headers: IDataObject): number | undefined {
	const value = headers['retry-after'];
	if (!isGiven(value)) return undefined;
	// Two headers arrive as one, with a comma; so does a date
	const [, seconds] = /^\s*(-?\d+(?:\.\d+)?)\s*(?:,|$)/.exec(String(value)) ?? [];
	if (seconds !== undefined) return Math.max(0, Number(seconds) * 1000);
	if (!TIME_OF_DAY.test(String(value))) return undefined;
	const until = headerTime(value);
	const now = headerTime(headers.date) ?? Date.now();
	return until === undefined ? undefined : Math.max(0, until - now);
}
