import type { Sandbox } from '../sandbox/sandbox.mts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const inTime = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();

/**
 * Everything that breaks triggers, all at once.
 * @returns the IDs that must start a workflow with a look-back of three days
 */
export function discoverMuch({ discover }: Sandbox): string[] {
	const at = inTime(-HOUR);
	// More than a page with the same time
	const atOneTime = Array.from({ length: 120 }, () => discover.citedPage({ firstSeenAt: at }));
	const found = [
		...atOneTime,
		discover.citedPage(),
		discover.question(),
		discover.question({ status: 'processed' }),
		// Late, but within the look-back
		discover.citedPage({ firstSeenAt: inTime(-2 * DAY), lastSeenAt: inTime(-DAY) }),
		discover.question({ createdAt: inTime(-2 * DAY) }),
		// A date in the future must not hide what comes after it
		discover.citedPage({ firstSeenAt: inTime(DAY) }),
		discover.question({ createdAt: inTime(DAY) }),
	];
	// Before the look-back, so not new
	discover.citedPage({ firstSeenAt: inTime(-30 * DAY), lastSeenAt: inTime(0) });
	discover.question({ createdAt: inTime(-30 * DAY) });
	return found.map(({ id }) => id);
}

/**
 * What a typical minute brings.
 * @returns the IDs
 */
export function discoverFew({ discover }: Sandbox): string[] {
	const found = [
		discover.citedPage(),
		discover.citedPage({ firstSeenAt: inTime(-2 * DAY) }),
		discover.question(),
	];
	return found.map(({ id }) => id);
}
