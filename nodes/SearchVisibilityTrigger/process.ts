import { DAY } from '../shared/times';
import { RequestFailure } from '../shared/errors/requestFailure';
import { wait } from '../shared/compatibility';
import { EventFailure } from './errors';

/*
 * What the polls in one n8n process share. Each entry goes when its poll or its pause ends.
 */

/** The nodes that poll right now. */
const polling = new Set<string>();

/** Until when a service does not want to be asked, and the failure that said so, by node. */
const pauses = new Map<string, { until: number; failure: unknown }>();

/**
 * n8n starts the next poll of a node while one is running. They would compete for the rate limit of the service, so only
 * one runs at a time in a process. A pause that the service asked for holds for the next polls as well, and is shown once;
 * a node that has not remembered anything yet shows it again, because publishing it would seem to have worked.
 * @param node identifies the node in this process
 * @param isFirst whether the node has not remembered anything yet
 * @param budget how long the poll may take, in milliseconds; its requests have to end earlier, so that nothing is found afterwards
 * @returns null if another poll of the node is running, or the service has asked to wait
 * @throws what the poll throws; RequestFailure if it does not end, whose signal fires then: it must not store anything any more
 */
export async function oneAtATime<T>(
	node: string,
	{ budget, isFirst }: { budget: number; isFirst: boolean },
	poll: (givenUp: AbortSignal) => Promise<T>,
): Promise<T | null> {
	for (const [paused, { until }] of pauses) if (until <= performance.now()) pauses.delete(paused);
	const pause = pauses.get(node);
	if (pause && isFirst) throw pause.failure;
	if (polling.has(node) || pause) return null;
	polling.add(node);
	const over = new AbortController();
	const timeUp = wait(budget, over.signal).then(() => {
		throw new RequestFailure('pollGivenUp');
	});
	return await Promise.race([poll(over.signal), timeUp])
		.catch((error: unknown) => {
			rememberPause(node, error);
			throw error;
		})
		.finally(() => {
			over.abort();
			polling.delete(node);
		});
}

/** Remembers how long the service asked to wait, once the failure that says so is shown. */
export function rememberPause(node: string, failure: unknown): void {
	const reasons = failure instanceof EventFailure ? [...failure.failures.values()] : [failure];
	const waits = reasons.map((reason) => {
		const { statusCode, retryAfter = 0 } = reason instanceof RequestFailure ? reason.details : {};
		// Other failures are over when the user has corrected something
		return statusCode === 429 || statusCode === 503 ? retryAfter : 0;
	});
	const longest = Math.min(DAY, Math.max(0, ...waits));
	if (longest > 0) pauses.set(node, { until: performance.now() + longest, failure });
}
