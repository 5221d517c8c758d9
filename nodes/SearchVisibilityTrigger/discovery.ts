import { createHash } from 'node:crypto';

import { isObject } from '../shared/values';

/*
 * What is new: remembered state and listed records in, new records and the next state out. No clock and no I/O.
 *
 * A record is new when it is not remembered and not older than the floor. The floor follows the greatest time that the
 * service gave at the distance of the look-back, so a record that becomes visible late is still found inside it. Ids are
 * remembered until the floor has passed them: from then on their age alone keeps them from being emitted again.
 */

const HOUR = 60 * 60 * 1000;

/**
 * 8 characters of base64 are 48 bits: with 5,000 remembered ids, a new record is mistaken for one of them once in
 * 56,000,000,000 times. Whole ids would need five times the space in n8n's database.
 */
const HASH_LENGTH = 8;

/** A record as it is listed. */
export interface Listed {
	id: string;
	/** Milliseconds since 1970; undefined where the service gives no time */
	time?: number;
}

/** What is remembered of one event. Plain JSON: n8n stores it with the workflow. */
export interface EventState {
	/** Fingerprint of what is watched: another one makes another baseline */
	scope: string;
	/** The greatest time that the service gave, in milliseconds since 1970; null as long as it gave none */
	watermark: number | null;
	/** Records from before this time count as known, in milliseconds since 1970 */
	floor: number | null;
	/**
	 * Hashes of the ids that were emitted or there before, one after the other, by the hour of their time since 1970;
	 * those without a time by the hour when they were listed last
	 */
	seen: Record<string, string>;
}

export interface Sweep<Record extends Listed> {
	/** Everything that the service lists, at least from `readFrom` on */
	listed: Record[];
	/** What was asked for, in milliseconds since 1970; undefined where all was read */
	readFrom?: number;
	/** The time of the service, in milliseconds since 1970: nothing later becomes the watermark */
	now: number;
	/** Milliseconds */
	lookback: number;
	/** How many records may be emitted now; the others stay due */
	most: number;
	/** Whether what is there counts as new where there is no state to go on from */
	emitExisting: boolean;
	scope: string;
}

export interface Discovery<Record extends Listed> {
	/** Oldest first, those without a time last */
	found: Record[];
	state: EventState;
}

/** @returns the state if it is whole and of the same scope; undefined stands for a first poll */
export function readState(stored: unknown, scope: string): EventState | undefined {
	if (!isObject(stored) || stored.scope !== scope) return undefined;
	const { watermark, floor, seen } = stored;
	const isWhole =
		isTime(watermark) &&
		isTime(floor) &&
		isObject(seen) &&
		Object.entries(seen).every(([hour, hashes]) => /^-?\d+$/.test(hour) && isHashes(hashes));
	return isWhole ? (stored as unknown as EventState) : undefined;
}

const isTime = (value: unknown) => value === null || Number.isFinite(value);

const isHashes = (value: unknown) =>
	typeof value === 'string' && value.length % HASH_LENGTH === 0 && /^[a-zA-Z0-9+/]*$/.test(value);

/**
 * Decides what is new.
 * @param stored whatever was stored; anything damaged or of another scope counts as a first poll
 */
export function discover<Record extends Listed>(
	stored: unknown,
	sweep: Sweep<Record>,
): Discovery<Record> {
	const before = readState(stored, sweep.scope);
	const isBaseline = !before && !sweep.emitExisting;
	const memory = new Memory(before);
	const due = isBaseline ? [] : newRecords(before, memory, sweep.listed);
	const found = due.slice(0, sweep.most);
	const left = new Set(due.slice(sweep.most));
	const watermark = nextWatermark(before, sweep, [...left]);
	const lowest = watermark === null ? null : watermark - sweep.lookback;
	const floor = greatest(before?.floor ?? null, lowest);
	memory.remember(
		sweep.listed.filter((record) => !left.has(record)),
		floor,
		sweep.now,
	);
	const hasTimes = sweep.listed.some(({ time }) => time !== undefined);
	const seen = memory.since(floor ?? (hasTimes ? undefined : sweep.now - sweep.lookback));
	return { found, state: { scope: sweep.scope, watermark, floor, seen } };
}

function newRecords<Record extends Listed>(
	before: EventState | undefined,
	memory: Memory,
	listed: Record[],
): Record[] {
	const floor = before?.floor ?? Number.NEGATIVE_INFINITY;
	const isRecent = ({ time = Number.POSITIVE_INFINITY }: Record) => time >= floor;
	return listed
		.filter((record) => isRecent(record) && !memory.has(record.id))
		.sort((a, b) => (a.time ?? Number.MAX_VALUE) - (b.time ?? Number.MAX_VALUE));
}

/**
 * The greatest time that the service gave: never back, never into the future, never so far that the floor would pass a
 * record that is still due, and not at all past what was not read (when an older state was put back meanwhile).
 */
function nextWatermark<Record extends Listed>(
	before: EventState | undefined,
	{ listed, readFrom = Number.NEGATIVE_INFINITY, now, lookback }: Sweep<Record>,
	left: Record[],
): number | null {
	const last = before?.watermark ?? null;
	if (before && (before.floor ?? Number.NEGATIVE_INFINITY) < readFrom) return last;
	const times = (records: Record[]) => records.flatMap(({ time }) => time ?? []);
	const newest = times(listed).reduce<number | null>(greatest, null);
	if (newest === null) return last;
	const earliestDue = times(left).reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
	return greatest(last, Math.min(newest, now, earliestDue + lookback));
}

function greatest(a: number | null, b: number | null): number | null {
	return a === null || b === null ? (a ?? b) : Math.max(a, b);
}

/** The remembered ids: their hashes with the hour of their time. */
class Memory {
	private readonly hours = new Map<string, number>();

	/** Each id is needed twice in a poll */
	private readonly hashes = new Map<string, string>();

	constructor(state: EventState | undefined) {
		for (const [hour, hashes] of Object.entries(state?.seen ?? {})) {
			for (let start = 0; start < hashes.length; start += HASH_LENGTH) {
				this.hours.set(hashes.slice(start, start + HASH_LENGTH), Number(hour));
			}
		}
	}

	has(id: string): boolean {
		return this.hours.has(this.hashOf(id));
	}

	/** @param floor what is older need not be remembered: its age says that it is known */
	remember(listed: Listed[], floor: number | null, now: number): void {
		for (const { id, time = now } of listed) {
			if (floor !== null && time < floor) continue;
			const hash = this.hashOf(id);
			const hour = Math.floor(time / HOUR);
			this.hours.set(hash, Math.max(hour, this.hours.get(hash) ?? hour));
		}
	}

	/** @returns what is to be stored, without what the floor has passed */
	since(floor = Number.NEGATIVE_INFINITY): EventState['seen'] {
		const seen: EventState['seen'] = {};
		for (const [hash, hour] of this.hours) {
			if ((hour + 1) * HOUR > floor) seen[hour] = (seen[hour] ?? '') + hash;
		}
		return seen;
	}

	private hashOf(id: string): string {
		let hash = this.hashes.get(id);
		if (hash === undefined) {
			hash = createHash('sha256').update(id).digest('base64').slice(0, HASH_LENGTH);
			this.hashes.set(id, hash);
		}
		return hash;
	}
}
