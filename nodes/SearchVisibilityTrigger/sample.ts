import type { IDataObject } from 'n8n-workflow';

import { DAY, toDay } from '../shared/days';
import { readAvailable } from '../shared/lists/readList';
import { byTime } from './discovery';
import type { EventName } from './events';
import { EVENTS } from './events';
import { filterFor, passesHere } from './filter';
import { ListedRecord, toOutput } from './listedRecord';
import type { PollTools } from './poll';
import { EventFailure } from './pollErrors';
import { listsOf, pagesFor } from './reading';
import type { Settings } from './triggerSettings';

/** How many records of each event a test shows. */
const MOST_SAMPLES = 5;

/** The lists are not ordered by time, so the newest are picked from this many records of each list. */
const MOST_READ = 1000;

/**
 * @returns recent real records, for users who test the trigger; nothing is remembered
 * @throws EventFailure when an event cannot be read and there is nothing to show of the others
 */
export async function sample(settings: Settings, tools: PollTools): Promise<IDataObject[]> {
	const found: ListedRecord[] = [];
	const failures = new Map<EventName, unknown>();
	for (const event of settings.events) {
		const records = await recent(event, settings, tools).catch((error: unknown) => {
			failures.set(event, error);
			return [];
		});
		found.push(...records);
	}
	const [first, ...others] = failures.keys();
	if (first && found.length === 0) {
		throw new EventFailure([first, ...others], failures, failures.size === settings.events.length);
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
	const { hasStartDate, sort, lookbackDays } = EVENTS[event];
	const source = { event, client, concurrency, ...settings };
	const filter = filterFor(event, settings);
	const startDate = toDay(now() - (settings.lookbackDays ?? lookbackDays) * DAY);
	const newestFirst = sort?.isDocumented ? { ...sort.query, sortOrder: 'desc' } : {};
	const found = new Map<string, ListedRecord>();
	for (const more of [...(hasStartDate ? [{ startDate }] : []), newestFirst]) {
		const from = 'startDate' in more ? Date.parse(startDate) : undefined;
		for (const list of listsOf(source)) {
			const readPage = pagesFor(source, list, more);
			const options = { wanted: MOST_READ, atOnce: concurrency, mostReadings: 2 };
			const { records } = await readAvailable({ readPage }, options);
			for (const record of records) {
				const one = new ListedRecord(event, record, list);
				const isCounted = from === undefined || (one.time ?? 0) >= from;
				if (isCounted && passesHere(record, filter)) found.set(one.id, one);
			}
			if (found.size >= MOST_SAMPLES) return newest(found);
		}
	}
	return newest(found);
}

function newest(found: Map<string, ListedRecord>): ListedRecord[] {
	return [...found.values()].sort(byTime).slice(-MOST_SAMPLES);
}
