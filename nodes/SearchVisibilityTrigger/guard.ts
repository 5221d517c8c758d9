import { RequestFailure } from '../shared/errors/requestFailure';
import { EventFailure } from './pollErrors';

/** The nodes that poll right now. */
const polling = new Set<string>();

/** Until when a service does not want to be asked, and the failure that said so, by node. */
const pauses = new Map<string, { until: number; failure: unknown }>();

/**
 * n8n starts the next poll of a node while one is running. They would compete for the rate limit of the service, so only
 * one runs at a time in a process. A pause that the service asked for holds for the next polls as well.
 * @param node identifies the node in this process
 * @returns null if another poll of the node is running
 * @throws what the poll throws; during a pause, the failure that asked for it
 */
export async function oneAtATime<T>(node: string, poll: () => Promise<T>): Promise<T | null> {
	if (polling.has(node)) return null;
	const pause = pauses.get(node);
	if (pause && performance.now() < pause.until) throw pause.failure;
	pauses.delete(node);
	polling.add(node);
	return await poll()
		.catch((error: unknown) => {
			rememberPause(node, error);
			throw error;
		})
		.finally(() => polling.delete(node));
}

/** Remembers how long the service asked to wait, for the next polls of the node. */
export function rememberPause(node: string, failure: unknown): void {
	if (!(failure instanceof EventFailure)) return;
	for (const reason of failure.failures.values()) {
		const wait = reason instanceof RequestFailure ? reason.details.retryAfter : undefined;
		const until = performance.now() + (wait ?? 0);
		if (until > (pauses.get(node)?.until ?? 0)) pauses.set(node, { until, failure });
	}
}
