import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from '../shared/client';
import type { ReadPage } from '../shared/pages';
import { pagesOf } from '../shared/pages';
import { readList } from '../shared/pagination';
import { isObject } from '../shared/values';
import type { Listed } from './discovery';
import { discover, readState } from './discovery';
import type { EventName } from './events';
import { EVENTS } from './events';

/** Of the stored state; another version is taken for a first poll. */
const VERSION = 1;

const DAY = 24 * 60 * 60 * 1000;

/** How many of each event a person sees who tries the trigger. */
const MOST_SAMPLES = 5;

/** The lists are in no order of time, so the newest are looked for among so many of each. */
const MOST_READ_FOR_SAMPLES = 1000;

export interface Settings {
	events: EventName[];
	/** Part of a domain, filtered by the service */
	domain?: string;
	ownership: 'any' | 'own' | 'others';
	platforms: string[];
	lookbackDays: number;
	includeProcessed: boolean;
	emitExisting: boolean;
	maxItems: number;
}

/** What a poll needs from its surroundings. */
export interface PollTools {
	client: ServiceClient;
	/** Part of the scope: another service has other records */
	baseUrl: string;
	concurrency: number;
	/** The stored state as it is at this moment; it may have changed while the lists were read */
	load: () => unknown;
	/** Called once, when everything was read, in the same turn as the last `load` */
	save: (state: IDataObject) => void;
	/** Milliseconds since 1970, for a service that does not tell its own time */
	now: () => number;
}

interface ListedRecord extends Listed {
	event: EventName;
	record: IDataObject;
}

/** Everything that one event needs for its decision, once its lists are read. */
interface Reading {
	event: EventName;
	scope: string;
	readFrom?: number;
	listed: ListedRecord[];
}

/**
 * Reads the lists of all events and decides what is new.
 *
 * Lists are read first and the state is looked at last, all at once: of two polls at the same time, the second one sees
 * what the first one has emitted.
 * @returns new records, oldest first; none at a first poll, which only remembers what is there. With Emit Existing, the
 * very first poll of the node gives what is there; later ones do not, whatever became of the state: that would be a flood
 * @throws RequestFailure when a list cannot be read completely; then nothing has changed
 */
export async function poll(settings: Settings, tools: PollTools): Promise<IDataObject[]> {
	const readings: Reading[] = [];
	for (const event of settings.events) readings.push(await read(event, settings, tools));
	const state = tools.load();
	const stored = statesIn(state);
	const isVeryFirst = Object.keys(state ?? {}).length === 0;
	const states: IDataObject = {};
	const found: ListedRecord[] = [];
	for (const { event, ...reading } of readings) {
		const discovery = discover(stored[event], {
			...reading,
			now: tools.client.serviceTime ?? tools.now(),
			lookback: settings.lookbackDays * DAY,
			most: settings.maxItems - found.length,
			emitExisting: settings.emitExisting && isVeryFirst,
		});
		states[event] = discovery.state as unknown as IDataObject;
		found.push(...discovery.found);
	}
	tools.save({ version: VERSION, events: states });
	return found.sort(byTime).map(toOutput);
}

/** @returns recent real records, for a person who tries the trigger; nothing is remembered */
export async function sample(settings: Settings, tools: PollTools): Promise<IDataObject[]> {
	const found: ListedRecord[] = [];
	for (const event of settings.events) {
		found.push(...(await recent(event, settings, tools)));
	}
	return found.sort(byTime).map(toOutput);
}

/** What fits: first what came up in the look-back, then what there is, list by list until there are enough. */
async function recent(
	event: EventName,
	settings: Settings,
	{ client, concurrency, now }: PollTools,
): Promise<ListedRecord[]> {
	const { path, hasStartDate } = EVENTS[event];
	const lists = listsOf(event, settings);
	const startDate = toDay(now() - settings.lookbackDays * DAY);
	const queries = hasStartDate ? lists.map((list) => ({ ...list, startDate })) : [];
	const found = new Map<string, ListedRecord>();
	for (const query of [...queries, ...lists]) {
		const readPage = pagesOf(client, { method: 'GET', path, query });
		const records = await readList(readPage, MOST_READ_FOR_SAMPLES, concurrency);
		for (const record of toListed(event, records, settings)) found.set(record.id, record);
		if (found.size >= MOST_SAMPLES) break;
	}
	return [...found.values()].sort(byTime).slice(-MOST_SAMPLES);
}

/** @returns the UTC day, as the service takes it (contract 4.8) */
function toDay(time: number): string {
	return new Date(time).toISOString().slice(0, 10);
}

async function read(event: EventName, settings: Settings, tools: PollTools): Promise<Reading> {
	const { path, hasStartDate } = EVENTS[event];
	const lists = listsOf(event, settings);
	const scope = JSON.stringify([tools.baseUrl, lists, clientFilters(event, settings)]);
	const floor = readState(statesIn(tools.load())[event], scope)?.floor ?? undefined;
	const startDate = floor !== undefined && hasStartDate && toDay(floor);
	const listed = new Map<string, ListedRecord>();
	for (const list of lists) {
		const query = { ...list, ...(startDate && { startDate }) };
		const readPage: ReadPage = pagesOf(tools.client, { method: 'GET', path, query });
		const records = await readList(readPage, undefined, tools.concurrency);
		for (const record of toListed(event, records, settings)) listed.set(record.id, record);
	}
	return {
		event,
		scope,
		listed: [...listed.values()],
		...(startDate && { readFrom: Date.parse(startDate) }),
	};
}

function listsOf(event: EventName, { includeProcessed, domain }: Settings): IDataObject[] {
	const { lists, hasFilters } = EVENTS[event];
	const filter = hasFilters && domain ? { domain } : {};
	return lists(includeProcessed).map((list) => ({ ...list, ...filter }));
}

function clientFilters(event: EventName, { ownership, platforms }: Settings): unknown {
	return EVENTS[event].hasFilters ? [ownership, [...platforms].sort()] : [];
}

function toListed(event: EventName, records: IDataObject[], settings: Settings): ListedRecord[] {
	const { timeField, hasFilters } = EVENTS[event];
	const fitting = hasFilters ? records.filter((record) => fits(record, settings)) : records;
	return fitting.map((record) => {
		const time = Date.parse(String(record[timeField]));
		const id = String(record.id ?? JSON.stringify(record));
		return { event, record, id, ...(!Number.isNaN(time) && { time }) };
	});
}

function fits(record: IDataObject, { ownership, platforms }: Settings): boolean {
	if (ownership !== 'any' && record.isOwnDomain !== (ownership === 'own')) return false;
	if (platforms.length === 0) return true;
	const on = Array.isArray(record.platforms) ? record.platforms : [];
	return platforms.some((platform) => on.includes(platform));
}

function statesIn(stored: unknown): IDataObject {
	const isOurs = isObject(stored) && stored.version === VERSION && isObject(stored.events);
	return isOurs ? (stored.events as IDataObject) : {};
}

function byTime(a: Listed, b: Listed): number {
	return (a.time ?? Number.MAX_VALUE) - (b.time ?? Number.MAX_VALUE);
}

function toOutput({ event, record }: ListedRecord): IDataObject {
	return { event, ...record };
}
