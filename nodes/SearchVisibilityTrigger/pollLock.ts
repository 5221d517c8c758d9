import { wait } from '../shared/compatibility';
import { isRateLimit, RequestFailure } from '../shared/errors/requestFailure';
import { HOUR } from '../shared/times';
import { EventFailure } from './errors';

/** The nodes of this n8n process that are polling. */
const polling = new Set<string>();

/**
 * n8n starts the next poll of a node even while one is running. Only one poll of a node runs at a time in a process, because
 * two would compete for the rate limit.
 * @param nodeKey identifies the node in this process
 * @param budget how long the poll may take, in milliseconds
 * @returns null if another poll of the node is running
 * @throws what the poll throws; RequestFailure if the time is up. The signal of the poll fires then, and the poll must not
 * store anything any more
 */
export async function oneAtATime<T>(
	nodeKey: string,
	budget: number,
	poll: (signal: AbortSignal) => Promise<T>,
): Promise<T | null> {
	if (polling.has(nodeKey)) return null;
	polling.add(nodeKey);
	const ended = new AbortController();
	const timeUp = wait(budget, ended.signal).then(() => {
		throw new RequestFailure('pollGivenUp');
	});
	return await Promise.race([poll(ended.signal), timeUp]).finally(() => {
		ended.abort();
		polling.delete(nodeKey);
	});
}

interface Pause {
	credentialHash: string;
	/** In milliseconds, by the clock of `performance.now` */
	until: number;
}

/** By the context of the polls. n8n makes a new context when it publishes a workflow, so publishing asks the service again. */
const pauses = new WeakMap<object, Pause>();

/**
 * @param credentialHash identifies the API key and the Base URL: a pause belongs to both
 * @returns whether a pause that the service asked for still lasts
 */
export function isPaused(context: object, credentialHash: string): boolean {
	const pause = pauses.get(context);
	return pause?.credentialHash === credentialHash && pause.until > performance.now();
}

/** Remembers the longest pause in a failure that users see. */
export function rememberPause(context: object, credentialHash: string, failure: unknown): void {
	const reasons = failure instanceof EventFailure ? [...failure.failures.values()] : [failure];
	const waits = reasons.map((reason) => {
		if (!(reason instanceof RequestFailure)) return 0;
		const { statusCode, retryAfter = 0 } = reason.details;
		// Other failures end as soon as the user has corrected something
		return isRateLimit(reason.details) || statusCode === 503 ? retryAfter : 0;
	});
	// After an hour at most, the service is asked again
	const longest = Math.min(HOUR, Math.max(...waits));
	if (longest > 0) pauses.set(context, { credentialHash, until: performance.now() + longest });
}
