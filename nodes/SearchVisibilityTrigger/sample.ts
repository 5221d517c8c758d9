import type { IDataObject } from 'n8n-workflow';

import { isRefusal, readAvailable } from '../shared/lists/readList';
import { REQUEST_DEFAULTS } from '../shared/parameters/requestOptions';
import type { EventName } from './events';
import { EVENTS } from './events';
import { filterFor, passes } from './filter';
import { byTime, ListedRecord, toOutput } from './listedRecord';
import type { PollTools } from './poll';
import { EventFailure } from './pollErrors';
import { listsOf, pagesFor } from './reading';
import type { Settings } from './triggerSettings';

/** How many records of each event a test shows. */
const MOST_SAMPLES = 5;

/** If the service does not list the newest first, they are picked from this many records of each list. */
const MOST_READ = 1000;

/**
 * @returns recent real records, for users who test the trigger; nothing is remembered
 * @throws EventFailure when an event cannot be read and there is nothing to show of the others
 */
export async function sample(settings: Settings, tools: PollTools): Promise<IDataObject[]> {
	const found: ListedRecord[] = [];
	const failures = new Map<EventName, unknown>();
	for (const event of settings.events) {
		try {
			found.push(...(await recent(event, settings, tools)));
		} catch (error) {
			failures.set(event, error);
		}
	}
	const [first, ...others] = failures.keys();
	if (first && found.length === 0) {
		throw new EventFailure([first, ...others], failures, failures.size === settings.events.length);
	}
	return found.sort(byTime).map(toOutput);
}

/** Looks for matching records, list by list until there are enough. */
async function recent(
	event: EventName,
	settings: Settings,
	{ client }: PollTools,
): Promise<ListedRecord[]> {
	const { sort } = EVENTS[event];
	const source = { event, client, ...settings };
	const filter = filterFor(event, settings);
	const options = { wanted: MOST_READ, atOnce: REQUEST_DEFAULTS.concurrency, mostReadings: 1 };
	const found = new Map<string, ListedRecord>();
	for (const list of listsOf(source)) {
		const newestFirst = sort && { ...sort.query, sortOrder: 'desc' };
		const { records } = await readAvailable(
			{ readPage: pagesFor(source, list, newestFirst) },
			options,
		).catch(async (error: unknown) => {
			if (!sort || !isRefusal(error)) throw error;
			return await readAvailable({ readPage: pagesFor(source, list) }, options);
		});
		for (const record of records) {
			const one = new ListedRecord(event, record, list);
			if (passes(one, filter)) found.set(one.id, one);
		}
		if (found.size >= MOST_SAMPLES) break;
	}
	return [...found.values()].sort(byTime).slice(-MOST_SAMPLES);
}
