import { hash } from 'node:crypto';

const HOUR = 60 * 60 * 1000;

/**
 * 8 characters of base64 are 48 bits: with 5,000 remembered IDs, a new record is mistaken for one of them once in
 * 56,000,000,000 times.
 */
const HASH_LENGTH = 8;

/**
 * The hashes of known IDs, each with the hour of the record's time since 1970. For records without a time, it is the hour
 * in which they were last listed.
 */
export type Seen = Record<string, number>;

/** @returns what is remembered of an ID */
export function hashOf(id: string): string {
	return hash('sha256', id, 'base64').slice(0, HASH_LENGTH);
}

/** Remembers a hash under the latest time that it had, in milliseconds since 1970. */
export function remember(seen: Seen, hash: string, time: number): void {
	const hour = Math.floor(time / HOUR);
	seen[hash] = Math.max(hour, seen[hash] ?? hour);
}

/** @returns those whose hour did not end before a time, in milliseconds since 1970 */
export function since(seen: Seen, time: number): Seen {
	return Object.fromEntries(Object.entries(seen).filter(([, hour]) => (hour + 1) * HOUR > time));
}
