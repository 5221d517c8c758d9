import { hash } from 'node:crypto';

import { isObject } from '../shared/values';

export const HOUR = 60 * 60 * 1000;

/** The farthest from 1970 that a date can be. */
export const LAST_TIME = 8.64e15;

/**
 * 8 characters of base64 are 48 bits: with 5,000 remembered ids, a new record is mistaken for one of them once in
 * 56,000,000,000 times. Whole ids would need five times the space in n8n's database.
 */
const HASH_LENGTH = 8;

/**
 * Hashes of the ids that are known, one after the other, by the hour of their time since 1970; those without a time by
 * the hour when they were listed last.
 */
export type Seen = Record<string, string>;

/** A poll looks at the same state several times. Stored hashes are replaced, never changed, so one check is enough. */
const checked = new WeakSet<object>();

/** @returns whether a stored value has the shape of a memory */
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

/** The remembered ids: their hashes with the hour of their time. */
export class SeenIds {
	private readonly hours = new Map<string, number>();

	constructor(seen: Seen = {}) {
		for (const [hour, hashes] of Object.entries(seen)) {
			for (let start = 0; start < hashes.length; start += HASH_LENGTH) {
				this.hours.set(hashes.slice(start, start + HASH_LENGTH), Number(hour));
			}
		}
	}

	/** @param hash as {@link hashOf} makes it of an id */
	has(hash: string): boolean {
		return this.hours.has(hash);
	}

	/** Keeps an id by the latest time that it had. */
	remember(hash: string, time: number): void {
		const hour = Math.floor(time / HOUR);
		const last = this.hours.get(hash);
		if (last === undefined || last < hour) this.hours.set(hash, hour);
	}

	/** @returns what is to be stored, without the hours that ended before a time */
	since(time: number): Seen {
		const hashes = new Map<number, string[]>();
		for (const [hash, hour] of this.hours) {
			if ((hour + 1) * HOUR <= time) continue;
			const others = hashes.get(hour);
			if (others) others.push(hash);
			else hashes.set(hour, [hash]);
		}
		return Object.fromEntries([...hashes].map(([hour, list]) => [hour, list.join('')]));
	}
}

/** @returns what is remembered of an id */
export function hashOf(id: string): string {
	return hash('sha256', id, 'base64').slice(0, HASH_LENGTH);
}
