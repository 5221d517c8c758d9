import type { IDataObject } from 'n8n-workflow';

import { DAY, toDay } from '../../../shared/times';
import { dayOf, InvalidValue } from '../../../shared/parameters/values';

const DAYS: Record<string, number> = { last7Days: 7, last28Days: 28, last90Days: 90 };

/** Enough for each day of a year. More would take too long, because all lists are read for each part. */
const MOST_PARTS = 366;

/** By unit: the first day of the part whose last day is `last`. */
const FIRST_DAYS: Record<string, (last: number) => number> = {
	day: (last) => last,
	week: (last) => last - 6 * DAY,
	month: (last) => Date.parse(`${toDay(last).slice(0, 7)}-01`),
};

const day = (displayName: string, name: string) => (description: string) => {
	const [type, placeholder] = ['dateTime', 'e.g. 2026-01-31'] as const;
	return { displayName, name, type, default: '', placeholder, description };
};

export const startDate = day('Start Date', 'startDate');
export const endDate = day('End Date', 'endDate');
export const asDay = { check: dayOf };

/** In full UTC days; both dates are included. */
export type Period = { startDate: string; endDate: string; days: number; isWhole?: boolean };

/** @throws InvalidValue when the period ends before it starts */
export function checkPeriod({ startDate, endDate }: IDataObject): void {
	if (startDate && endDate && String(startDate) > String(endDate)) {
		const hint = `The period would begin on ${startDate} and end on ${endDate}. Choose an end date on or after the start date.`;
		throw new InvalidValue("is before the 'Start Date'", hint, 'End Date');
	}
}

/**
 * @param values the parameters "period", "splitBy", and if the period is "custom", "startDate" and "endDate"
 * @param now milliseconds since 1970; the predefined periods end on the day before
 * @returns the parts of the period, the oldest first
 * @throws InvalidValue when there are too many parts
 */
export function partsOf({ period, splitBy, startDate, endDate }: IDataObject, now: number) {
	const days = DAYS[String(period)];
	const end = days ? Date.parse(toDay(now - DAY)) : Date.parse(String(endDate));
	const start = days ? end - (days - 1) * DAY : Date.parse(String(startDate));
	const firstDay = FIRST_DAYS[String(splitBy)] ?? (() => start);
	const parts: Period[] = [];
	for (let last = end; last >= start; ) {
		const first = Math.max(start, firstDay(last));
		// The last month of the period can be partial too
		const isWhole = first === firstDay(last) && firstDay(last + DAY) !== first;
		parts.push({ ...between(first, last), isWhole });
		last = first - DAY;
		if (parts.length <= MOST_PARTS) continue;
		const hint = "Choose a shorter period, or split it by 'Week' or 'Month'.";
		throw new InvalidValue(
			`splits the period into more than ${MOST_PARTS} parts`,
			hint,
			'Split By',
		);
	}
	return parts.reverse();
}

/** @returns the period of the same length directly before */
export function periodBefore({ startDate, days }: Period): Period {
	const first = Date.parse(startDate);
	return between(first - days * DAY, first - DAY);
}

const between = (first: number, last: number): Period => ({
	startDate: toDay(first),
	endDate: toDay(last),
	days: 1 + Math.round((last - first) / DAY),
});
