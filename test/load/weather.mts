import type { FaultSpec, Sandbox } from '../sandbox/sandbox.mts';

type Switch = (sandbox: Sandbox) => void;

/** How many requests an intermittent fault can hit. */
const MOST_HITS = 200;

/** Hits every third request, so that retries have a chance. */
const everyThird =
	(fault: FaultSpec): Switch =>
	(sandbox) => {
		for (let hit = 1; hit <= MOST_HITS; hit++) sandbox.fault({ ...fault, match: { nth: 3 * hit } });
	};

/** The troubles of a service, by their names in the figures. */
export const WEATHERS: Record<string, Switch> = {
	calm: () => undefined,
	'too many requests': (sandbox) => sandbox.setRateLimit({ perSecond: 8, retryAfter: 1 }),
	'503 with Retry-After': everyThird({
		kind: 'status',
		status: 503,
		headers: { 'Retry-After': '1' },
	}),
	'cut before the work': everyThird({ kind: 'cutBefore' }),
	slow: (sandbox) => sandbox.setLatency(1500),
	'cut after the work': everyThird({ kind: 'cutAfter' }),
	'500': everyThird({ kind: 'status', status: 500 }),
	down: (sandbox) => sandbox.fault({ kind: 'status', status: 502, match: { times: null } }),
};

/** Switches all troubles off. */
export function clearUp(sandbox: Sandbox): void {
	sandbox.clearFaults();
	sandbox.setLatency(0);
	sandbox.setRateLimit(null);
}
