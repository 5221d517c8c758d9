/** A day in milliseconds. */
export const DAY = 24 * 60 * 60 * 1000;

/** @returns the UTC day (YYYY-MM-DD, contract 4.8) of a time in milliseconds since 1970 */
export function toDay(time: number): string {
	return new Date(time).toISOString().slice(0, 10);
}
