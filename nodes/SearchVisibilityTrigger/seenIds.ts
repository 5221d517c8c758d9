import { hash } from 'node:crypto';

import { isObject } from '../shared/parameters/values';

export const HOUR = 60 * 60 * 1000;

/** The farthest from 1970 that a date can be, in milliseconds. */
export const LAST_TIME = 8.64e15;

/**
 * 8 characters of base64 are 48 bits: with 5,000 remembered IDs, a new record is mistaken for one of them once in
 * 56,000,000,000 times. Whole IDs would take five times the space in n8n's database.
 */
const HASH_LENGTH = 8;

/**
 * The hashes of the known IDs, concatenated, by the hour of the record's time since 1970. For records without a time,
 * it is the hour in which they were last listed.
 */
export type Seen = Record<string, string>;

/** A poll looks at the same state several times. Stored hashes are replaced, never changed, so one check is enough. */
const checked = new WeakSet<object>();

/** @returns whether a stored value has the shape of `Seen` */
export function isSeen(stored: unknown): stored is Seen {
	if (!isObject(stored)) return false;
	if (checked.has(stored)) return true;
	if (!Object.entries(stored).every(isHourOfHashes)) return false;
	checked.add(stored);
	return true;
}

const isHourOfHashes = ([hour, hashes]: [string, unknown]) => isHour(hour) && isHashes(hashes);

const isHour = (key: string) => /^-?\d+$/.test(key) && Math.abs(Number(key) * HOUR) <= LAST_TIME;

const isHashes = (value: unknown) =>
	typeof value === 'string' && value.length % HASH_LENGTH === 0 && /^[a-zA-Z0-9+/]*$/.test(value);

/** The hashes of the remembered IDs, with the hour of each. */
export class SeenIds {
	private readonly hours = new Map<string, number>();

	private hasChanged = false;

	constructor(private readonly seen: Seen = {}) {
		for (const [hour, hashes] of Object.entries(seen)) {
			for (let start = 0; start < hashes.length; start += HASH_LENGTH) {
				this.hours.set(hashes.slice(start, start + HASH_LENGTH), Number(hour));
			}
		}
	}

	/** @param hash what {@link hashOf} returns for an ID */
	has(hash: string): boolean {
		return this.hours.has(hash);
	}

	/** Remembers an ID under the latest time that it had, in milliseconds since 1970. */
	remember(hash: string, time: number): void {
		const hour = Math.floor(time / HOUR);
		const last = this.hours.get(hash);
		if (last !== undefined && last >= hour) return;
		this.hours.set(hash, hour);
		this.hasChanged = true;
	}

	/**
	 * @param time in milliseconds since 1970
	 * @returns what to store, without the hours that ended before that time
	 */
	since(time: number): Seen {
		const isOver = (hour: number) => (hour + 1) * HOUR <= time;
		// Most polls find nothing new
		if (!this.hasChanged && !Object.keys(this.seen).map(Number).some(isOver)) return this.seen;
		const hashes = new Map<number, string[]>();
		for (const [hash, hour] of this.hours) {
			if (isOver(hour)) continue;
			const others = hashes.get(hour);
			if (others) others.push(hash);
			else hashes.set(hour, [hash]);
		}
		return Object.fromEntries([...hashes].map(([hour, list]) => [hour, list.join('')]));
	}
}

/** @returns what is remembered of an ID */
export function hashOf(id: string): string {
	return hash('sha256', id, 'base64').slice(0, HASH_LENGTH);
}
