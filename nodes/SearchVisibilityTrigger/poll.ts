import type { IDataObject } from 'n8n-workflow';

import { DAY } from '../shared/days';
import { RequestFailure } from '../shared/errors/requestFailure';
import type { ServiceClient } from '../shared/request/client';
import { Discovery } from './discovery';
import type { EventName } from './events';
import { EVENTS } from './events';
import { byTime, filterFor, toOutput } from './listedRecord';
import { EventFailure } from './pollErrors';
import { readEvent } from './readEvent';
import { readState, statesIn, VERSION } from './state';
import type { Settings } from './triggerSettings';

/** So many polls in a row in which records are missing are no coincidence: the user should know, once. */
const MOST_INCOMPLETE = 10;

/** What a poll needs from its environment. */
export interface PollTools {
	client: ServiceClient;
	/** A different base URL means a different service with different records */
	baseUrl: string;
	/** @returns the ID of the workspace; undefined if the service does not tell */
	workspace: () => Promise<string | undefined>;
	/** The stored state as it is now; it may have changed while the lists were read */
	load: () => unknown;
	/** Called once, after everything was read, in the same turn as the last `load` */
	save: (state: IDataObject) => void;
	/** Milliseconds since 1970, for a service that does not tell its own time */
	now: () => number;
	/** Has n8n show a failed poll although this poll goes on; returns whether n8n can do that */
	report: (failure: EventFailure) => boolean;
}

/**
 * Reads the lists of all events, at the same time, and then decides what is new, all at once. An event that cannot be read
 * keeps its state and does not hold back the others. An event whose state has changed in the meantime is left to the
 * next poll.
 * @returns new records, oldest first. The first poll of an event returns none of its records and only remembers them. With
 * Emit Existing, the very first poll of the node returns what exists; later polls never do, even if the state is lost,
 * because that could be a flood
 * @throws EventFailure when no event could be read, or when there is nothing to emit and n8n cannot show the failure in
 * another way; nothing has changed then
 */
export async function poll(settings: Settings, tools: PollTools): Promise<IDataObject[]> {
	const service = { service: tools.baseUrl, workspace: await tools.workspace() };
	const before = statesIn(tools.load());
	const failures = new Map<EventName, unknown>();
	const discoveries = new Map<EventName, Discovery>();
	const readings = settings.events.map(async (event) => {
		const reading = tools.client.share(async (client) => {
			const eventPoll = {
				event,
				client,
				...service,
				before: readState(before[event], service),
				filter: filterFor(event, settings),
				lookback: (settings.lookbackDays ?? EVENTS[event].lookbackDays) * DAY,
				emitExisting: settings.emitExisting && isFirst(event, tools.load()),
				now: () => tools.client.serviceTime ?? tools.now(),
			};
			discoveries.set(event, new Discovery(eventPoll, await readEvent(eventPoll)));
		});
		await reading.catch((error: unknown) => failures.set(event, error));
	});
	await Promise.all(readings);
	const states = statesIn(tools.load());
	// Another poll may have decided an event in the meantime
	const decided = [...discoveries].filter(([event]) => states[event] === before[event]);
	return decide(settings, tools, new Map(decided), failures);
}

/** Stores the state of all events in one turn and returns what to emit now. */
function decide(
	{ events, maxItems }: Settings,
	{ load, save, report }: PollTools,
	discoveries: Map<EventName, Discovery>,
	failures: Map<EventName, unknown>,
): IDataObject[] {
	const failure = () => new EventFailure(failures, failures.size === events.length);
	const isBroken = failures.size > 0;
	if (isBroken && discoveries.size === 0) throw failure();
	const stored = load();
	const states = { ...statesIn(stored) };
	const found = [...discoveries.values()].flatMap(({ due }) => due).sort(byTime);
	const left = new Set(found.splice(maxItems));
	for (const [event, discovery] of discoveries) {
		const state = discovery.stateWithout(left);
		states[event] = state;
		if (state.incomplete !== MOST_INCOMPLETE) continue;
		failures.set(event, new RequestFailure('ties', { missing: discovery.reading.missing }));
	}
	const isShown = failures.size === 0 || report(failure());
	// What is only missing so far must not fail every poll
	if (!isShown && isBroken && found.length === 0 && !isEmpty(stored)) throw failure();
	for (const event of events) if (isFirst(event, stored)) states[event] ??= null;
	save({ version: VERSION, events: states });
	return found.map(toOutput);
}

/** Whether an event that was chosen when the node polled for the very first time has not been read since then */
const isFirst = (event: EventName, stored: unknown) =>
	isEmpty(stored) || statesIn(stored)[event] === null;

/** Whether the node has never stored anything. */
const isEmpty = (stored: unknown) => Object.keys(stored ?? {}).length === 0;
