import type { IDataObject } from 'n8n-workflow';

import { DAY, toDay } from '../shared/days';
import { readList } from '../shared/lists/pagination';
import { byTime } from './discovery';
import type { EventName } from './events';
import { EVENTS } from './events';
import { passesHere } from './filter';
import type { PollTools } from './poll';
import { listsOf, pagesFor } from './reading';
import { ListedRecord, toOutput } from './listedRecord';
import type { Settings } from './triggerSettings';

/** How many records of each event a test shows. */
const MOST_SAMPLES = 5;

/** The lists are not ordered by time, so the newest are picked from this many records of each list. */
const MOST_READ = 1000;

/**
 * @returns recent real records, for users who test the trigger; nothing is remembered
 * @throws RequestFailure when a list cannot be read
 */
export async function sample(settings: Settings, tools: PollTools): Promise<IDataObject[]> {
	const found: ListedRecord[] = [];
	for (const event of settings.events) {
		found.push(...(await recent(event, settings, tools)));
	}
	return found.sort(byTime).map(toOutput);
}

/**
 * Looks for matching records: first those discovered in the look-back, then any others, list by list until there are
 * enough.
 *
 * With a start date, a list counts only the citations since then. So only pages discovered since then are taken from
 * it: all their citations are counted, as in a poll.
 */
async function recent(
	event: EventName,
	settings: Settings,
	{ client, concurrency, now }: PollTools,
): Promise<ListedRecord[]> {
	const { hasStartDate, sort } = EVENTS[event];
	const source = { event, client, concurrency, ...settings };
	const startDate = toDay(now() - settings.lookbackDays * DAY);
	const sorting = sort?.isDocumented ? sort.query : {};
	const found = new Map<string, ListedRecord>();
	for (const more of [...(hasStartDate ? [{ startDate }] : []), sorting]) {
		const from = 'startDate' in more ? Date.parse(startDate) : undefined;
		for (const list of listsOf(source)) {
			const records = await readList(pagesFor(source, list, more), MOST_READ, concurrency);
			for (const record of records) {
				const one = new ListedRecord(event, record, list);
				const isCounted = from === undefined || (one.time ?? 0) >= from;
				if (isCounted && passesHere(record, settings)) found.set(one.id, one);
			}
			if (found.size >= MOST_SAMPLES) return newest(found);
		}
	}
	return newest(found);
}

function newest(found: Map<string, ListedRecord>): ListedRecord[] {
	return [...found.values()].sort(byTime).slice(-MOST_SAMPLES);
}
