import type { IDataObject } from 'n8n-workflow';

import { isRejected } from '../shared/errors/requestFailure';
import { PAGE_SIZE } from '../shared/lists/pages';
import type { EventName } from './events';
import { EVENTS } from './events';
import type { ListedRecord } from './listedRecord';
import { byTime, filterFor, listedRecord, passes, toOutput } from './listedRecord';
import type { PollTools } from './poll';
import { EventFailure } from './pollErrors';
import { listsOf, pagesFor } from './readEvent';
import type { Settings } from './triggerSettings';

/** How many records of each event a test shows. */
const MOST_SAMPLES = 5;

/**
 * @returns recent real records, for users who test the trigger; nothing is remembered
 * @throws EventFailure when an event cannot be read
 */
export async function sample(settings: Settings, tools: PollTools): Promise<IDataObject[]> {
	const failures = new Map<EventName, unknown>();
	const found: ListedRecord[] = [];
	const readings = settings.events.map(async (event) => {
		const reading = recent(event, settings, tools).then((records) => found.push(...records));
		await reading.catch((error: unknown) => failures.set(event, error));
	});
	await Promise.all(readings);
	if (failures.size > 0) throw new EventFailure(failures, failures.size === readings.length);
	return found.sort(byTime).map(toOutput);
}

/** Looks for matching records on the first page of each list, until there are enough. */
async function recent(event: EventName, settings: Settings, { client }: PollTools) {
	const { timeField, sorting } = EVENTS[event];
	const filter = filterFor(event, settings);
	const found = new Map<string, ListedRecord>();
	for (const list of listsOf(event, filter)) {
		const read = async (order?: IDataObject) =>
			await pagesFor(client, event, { ...list, ...order })(0, PAGE_SIZE);
		const newestFirst = sorting && { sortBy: timeField, sortOrder: 'desc' };
		const { items } = await read(newestFirst).catch(async (error: unknown) => {
			if (!isRejected(error)) throw error;
			return await read();
		});
		const listed = items.map((record) => listedRecord(event, record, list));
		for (const one of listed) if (passes(one, filter)) found.set(one.id, one);
		if (found.size >= MOST_SAMPLES) break;
	}
	return [...found.values()].sort(byTime).slice(-MOST_SAMPLES);
}
