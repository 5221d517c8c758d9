import { hash } from 'node:crypto';

export const HOUR = 60 * 60 * 1000;

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

/** The hashes of the remembered IDs, with the hour of each. */
export class SeenIds {
	private readonly hours = new Map<string, number>();

	constructor(seen: Seen = {}) {
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
		this.hours.set(hash, Math.max(hour, this.hours.get(hash) ?? hour));
	}

	/**
	 * @param time in milliseconds since 1970
	 * @returns what to store, without the hours that ended before that time
	 */
	since(time: number): Seen {
		const seen: Seen = {};
		for (const [id, hour] of this.hours) {
			if ((hour + 1) * HOUR > time) seen[hour] = (seen[hour] ?? '') + id;
		}
		return seen;
	}
}

/** @returns what is remembered of an ID */
export function hashOf(id: string): string {
	return hash('sha256', id, 'base64').slice(0, HASH_LENGTH);
}
