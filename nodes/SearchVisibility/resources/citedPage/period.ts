import type { IDataObject } from 'n8n-workflow';

import { DAY, toDay } from '../../../shared/times';
import { dayOf, InvalidValue } from '../../../shared/parameters/values';

const DAYS: Record<string, number> = { last7Days: 7, last28Days: 28, last90Days: 90 };

/** Enough for each day of a year. More would take too long, because all lists are read for each part. */
const MOST_PARTS = 366;

/** By unit: the first day of the seven days that end with `last`, or of the month that `last` belongs to. */
const FIRST_DAYS: Record<string, (last: number) => number> = {
	day: (last) => last,
	week: (last) => last - 6 * DAY,
	month: (last) => Date.parse(`${toDay(last).slice(0, 7)}-01`),
};

const day = (displayName: string, name: string) => (description: string) => ({
	displayName,
	name,
	type: 'dateTime' as const,
	default: '',
	placeholder: 'e.g. 2026-01-31',
	description,
});

export const startDateParameter = day('Start Date', 'startDate');
export const endDateParameter = day('End Date', 'endDate');
export const dayCheck = { check: dayOf };

/** In full UTC days; both dates are included. */
export interface Period {
	startDate: string;
	endDate: string;
	days: number;
	/** False for a week or month that the period to report on cuts off, and for what has not ended yet */
	isWhole: boolean;
}

/** @throws InvalidValue when the period ends before it starts */
export function checkPeriod({ startDate, endDate }: IDataObject): void {
	if (startDate && endDate && String(startDate) > String(endDate)) {
		const advice = `The period would begin on ${startDate} and end on ${endDate}. Choose an end date on or after the start date.`;
		throw new InvalidValue("is before the 'Start Date'", advice, 'End Date');
	}
}

/**
 * @param values the parameters "period", "splitBy", and if the period is "custom", "startDate" and "endDate"
 * @param now milliseconds since 1970; the predefined periods end on the day before, and what ends later has not ended yet
 * @returns the parts of the period, the oldest first; the period itself if it is not split
 * @throws InvalidValue when there are too many parts
 */
export function partsOf(
	{ period, splitBy, startDate, endDate }: IDataObject,
	now: number,
): Period[] {
	const days = DAYS[String(period)];
	const end = days ? Date.parse(toDay(now - DAY)) : Date.parse(String(endDate));
	const start = days ? end - (days - 1) * DAY : Date.parse(String(startDate));
	const today = Date.parse(toDay(now));
	const firstDay = FIRST_DAYS[String(splitBy)];
	if (!firstDay) return [between(start, end, end < today)];
	const parts: Period[] = [];
	let last = end;
	while (last >= start) {
		const first = firstDay(last);
		// A month is cut off if the next day belongs to it too
		const isCutOff = first < start || firstDay(last + DAY) === first;
		parts.push(between(Math.max(start, first), last, !isCutOff && last < today));
		last = first - DAY;
		if (parts.length > MOST_PARTS) {
			const problem = `splits the period into more than ${MOST_PARTS} parts`;
			const advice = "Choose a shorter period, or split it by 'Week' or 'Month'.";
			throw new InvalidValue(problem, advice, 'Split By');
		}
	}
	return parts.reverse();
}

/**
 * @param part the first part of a period, or a period that is not split
 * @returns so many whole parts directly before it, the oldest first; before a period that is not split, periods of its length
 */
export function partsBefore(part: Period, splitBy: unknown, count: number): Period[] {
	const firstDay = FIRST_DAYS[String(splitBy)] ?? ((last) => last - (part.days - 1) * DAY);
	const parts: Period[] = [];
	// Not its `startDate`: a part that the period cuts off began before that
	let last = firstDay(Date.parse(part.endDate)) - DAY;
	while (parts.length < count) {
		const first = firstDay(last);
		parts.push(between(first, last, true));
		last = first - DAY;
	}
	return parts.reverse();
}

const between = (first: number, last: number, isWhole: boolean): Period => ({
	startDate: toDay(first),
	endDate: toDay(last),
	days: 1 + Math.round((last - first) / DAY),
	isWhole,
});
