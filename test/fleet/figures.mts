/** What a fleet did, as times and IDs; nothing here knows n8n. All times are milliseconds since 1970. */

/** A poll of a workspace, with the time of its first request. */
export interface Poll {
	workspace: number;
	begins: number;
}

/** A record that appeared in a workspace. */
export interface Discovery {
	workspace: number;
	id: string;
	at: number;
}

/** An execution with records that were new to it. */
export interface Start {
	workspace: number;
	ids: string[];
	/** When the node after the trigger ran; undefined if it never did. */
	ranAt: number | undefined;
}

const MINUTE = 60_000;
/** The last turn does not count if it may still be to come. */
const LATEST = 5000;
/** From the first request of a poll until n8n has stored what it found. */
const LONGEST_POLL = 5000;

/**
 * How many polls were due in a period, and how many of these ran in their minute. n8n polls each workflow at a fixed
 * second, which is that of its first poll in the period.
 */
export function punctuality(
	polls: Poll[],
	{ first: begin, size, from, to }: { first: number; size: number; from: number; to: number },
): { due: number; ran: number } {
	const count = { due: 0, ran: 0 };
	for (let workspace = begin; workspace < begin + size; workspace++) {
		const times = polls
			.filter((poll) => poll.workspace === workspace && poll.begins >= from && poll.begins < to)
			.map(({ begins }) => begins);
		const first = Math.min(...times, from + MINUTE);
		for (let turn = first; turn < to - LATEST; turn += MINUTE) {
			count.due++;
			if (times.some((time) => Math.abs(time - turn) < MINUTE / 2)) count.ran++;
		}
	}
	return count;
}

/** What happened to the discoveries. */
export interface Fates {
	/** Went through the workflow in one execution. */
	once: number;
	/** Started the workflow in one execution that did not reach the next node: it ended with n8n. */
	cutOff: number;
	/** In several executions. */
	repeated: number;
	/** In no execution. */
	lost: number;
}

/**
 * The discoveries of which a trigger must start its workflow. Its first poll only remembers what exists, so those before
 * the end of it do not count; with many workflows, some are not active when the first records appear.
 * @param polls all polls since n8n was started
 */
export function awaited(discoveries: Discovery[], polls: Poll[]): Discovery[] {
	const first = new Map<number, number>();
	for (const { workspace, begins } of polls) {
		first.set(workspace, Math.min(begins, first.get(workspace) ?? Infinity));
	}
	return discoveries.filter(
		({ workspace, at }) => at > (first.get(workspace) ?? Infinity) + LONGEST_POLL,
	);
}

export function fatesOf(discoveries: Discovery[], starts: Start[]): Fates {
	const fates: Fates = { once: 0, cutOff: 0, repeated: 0, lost: 0 };
	const startsOf = byRecord(starts);
	for (const { workspace, id } of discoveries) {
		const all = startsOf.get(recordOf(workspace, id)) ?? [];
		if (all.length === 0) fates.lost++;
		else if (all.length > 1) fates.repeated++;
		else if (all[0]?.ranAt === undefined) fates.cutOff++;
		else fates.once++;
	}
	return fates;
}

/** The delays from each discovery to the run of the node after the trigger, for all that ran. */
export function delaysOf(discoveries: Discovery[], starts: Start[]): number[] {
	const startsOf = byRecord(starts);
	return discoveries.flatMap(({ workspace, id, at }) => {
		const ran = (startsOf.get(recordOf(workspace, id)) ?? []).map(({ ranAt }) => ranAt ?? Infinity);
		const first = Math.min(...ran, Infinity);
		return Number.isFinite(first) ? [first - at] : [];
	});
}

/** The delays from the first request of a poll to the run of the node after the trigger. */
export function reactionsOf(polls: Poll[], starts: Start[]): number[] {
	const begins = new Map<number, number[]>();
	for (const poll of polls) {
		begins.set(poll.workspace, [...(begins.get(poll.workspace) ?? []), poll.begins]);
	}
	return starts.flatMap(({ workspace, ranAt }) => {
		if (ranAt === undefined) return [];
		const before = (begins.get(workspace) ?? []).filter((time) => time <= ranAt);
		return before.length === 0 ? [] : [ranAt - Math.max(...before)];
	});
}

/** The value that this fraction of all values does not exceed (nearest rank); undefined if there are no values. */
export function percentile(values: number[], share: number): number | undefined {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

const recordOf = (workspace: number, id: string) => `${workspace}/${id}`;

function byRecord(starts: Start[]): Map<string, Start[]> {
	const found = new Map<string, Start[]>();
	for (const start of starts) {
		for (const id of new Set(start.ids)) {
			const record = recordOf(start.workspace, id);
			found.set(record, [...(found.get(record) ?? []), start]);
		}
	}
	return found;
}
