import { timeOf, toDay } from '../../nodes/shared/times.ts';

/** The UTC day of a time, as the periods of the contract have it; empty if it is none. */
export function dayOf(value: unknown): string {
	const time = timeOf(value);
	return time === undefined ? '' : toDay(time);
}
