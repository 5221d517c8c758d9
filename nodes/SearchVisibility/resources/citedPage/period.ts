import type { IDataObject } from 'n8n-workflow';

import { DAY, toDay } from '../../../shared/days';
import { InvalidValue } from '../../../shared/parameters/values';

/** The number of days in each predefined period. */
const DAYS: Record<string, number> = { last7Days: 7, last28Days: 28, last90Days: 90 };

/** Full UTC days, including the first and the last. */
export type Period = { startDate: string; endDate: string; days: number };

/** @throws InvalidValue when the period ends before it starts */
export function checkOrder({ startDate, endDate }: IDataObject): void {
	if (startDate && endDate && String(startDate) > String(endDate)) {
		const hint = `The period would begin on ${startDate} and end on ${endDate}. Choose an end date on or after the start date.`;
		throw new InvalidValue("is before the 'Start Date'", hint, 'End Date');
	}
}

/**
 * @param values the parameter "period", and "startDate" and "endDate" if it is "custom"
 * @param now milliseconds since 1970; the predefined periods end on the day before
 * @returns the period to summarize
 */
export function periodOf({ period, startDate, endDate }: IDataObject, now: number): Period {
	const [first, last] = [Date.parse(String(startDate)), Date.parse(String(endDate))];
	const days = DAYS[String(period)];
	return days ? until(now - DAY, days) : until(last, 1 + Math.round((last - first) / DAY));
}

/** @returns the period of the same length directly before */
export const periodBefore = ({ startDate, days }: Period) =>
	until(Date.parse(startDate) - DAY, days);

function until(last: number, days: number): Period {
	return { startDate: toDay(last - (days - 1) * DAY), endDate: toDay(last), days };
}
