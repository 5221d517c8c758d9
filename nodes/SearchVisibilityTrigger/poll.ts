import type { IDataObject } from 'n8n-workflow';

import { DAY } from '../shared/times';
import type { ServiceClient } from '../shared/request/client';
import type { WorkspaceIdentity } from '../shared/request/workspace';
import { Discovery } from './discovery';
import { EventFailure } from './errors';
import { byTime, type EventName, EVENTS, type ListedRecord, toOutput } from './events';
import { hasStoredNothing, type Origin, stageOf, stateOf, statesIn, VERSION } from './memory';
import { competitorsFor, type EventPoll, readEvent, readNewest } from './reading';
import { criteriaFor, passing, type TriggerSettings } from './settings';

export interface PollTools {
	/** Makes a client for an event; each has its own, so that no event waits for another */
	newClient: (event: EventName) => ServiceClient;
	/** A different base URL means a different service with different records */
	baseUrl: string;
	credentialHash: string;
	workspace: () => Promise<WorkspaceIdentity>;
	/** What n8n has stored now. Another poll may change this while the lists are read */
	load: () => IDataObject;
	/** Called after the last `load`, without an `await` in between */
	save: (state: IDataObject) => void;
	/** Milliseconds since 1970, for a service that does not tell its own time */
	now: () => number;
	/** Makes n8n show a failed poll although this poll goes on; returns whether n8n can do that */
	report: (failure: EventFailure) => boolean;
}

/**
 * Reads the lists of all events at the same time, then decides what is new. An event that cannot be read keeps its state and
 * does not hold back the others. An event whose state has changed meanwhile is left to the next poll.
 *
 * What an event emits follows from its stage (memory.ts):
 * - `newNode`: nothing; with Include Existing Records, all its records
 * - `newEvent`: nothing, because after a lost state there could be thousands
 * - `known`: the records that are new
 *
 * What Max Items leaves over stays pending, and follows with later polls.
 * @returns the records to emit, oldest first
 * @throws RequestFailure if the workspace cannot be read
 * @throws EventFailure if events failed and
 * - none could be decided, or
 * - there is nothing to emit, `report` cannot show the failure, and the node has polled before.
 *
 * When it throws, nothing is stored
 */
export async function poll(settings: TriggerSettings, tools: PollTools): Promise<IDataObject[]> {
	const workspace = await tools.workspace();
	// Without an ID, the credential identifies the workspace
	const origin: Origin = {
		service: tools.baseUrl,
		workspace: String(workspace.workspaceId ?? tools.credentialHash),
	};
	const stored = tools.load();
	const storedBefore = statesIn(stored);
	const { results, failures } = await settle(settings.events, async (event) => {
		const client = tools.newClient(event);
		const eventPoll: EventPoll = {
			event,
			client,
			origin,
			before: stateOf(storedBefore[event], origin),
			criteria: criteriaFor(event, settings),
			lookback: (settings.lookbackDays ?? EVENTS[event].lookbackDays) * DAY,
			emitsExisting: settings.emitExisting && stageOf(event, stored, origin) === 'newNode',
			now: () => client.serviceTime ?? tools.now(),
		};
		const [reading, competitors] = await Promise.all([
			readEvent(eventPoll),
			competitorsFor(eventPoll),
		]);
		return new Discovery(eventPoll, reading, competitors);
	});
	const states = statesIn(tools.load());
	// Another poll may have decided an event meanwhile, and stored a new object
	const isUnchanged = (event: EventName) => states[event] === storedBefore[event];
	const decided = [...results].filter(([event]) => isUnchanged(event));
	const found = decideAndSave(settings, tools, origin, { discoveries: new Map(decided), failures });
	return found.map((one) => toOutput(one, workspace));
}

async function settle<Result>(events: EventName[], work: (event: EventName) => Promise<Result>) {
	const results = new Map<EventName, Result>();
	const failures = new Map<EventName, unknown>();
	const settleOne = async (event: EventName) => {
		try {
			results.set(event, await work(event));
		} catch (error) {
			failures.set(event, error);
		}
	};
	await Promise.all(events.map(settleOne));
	return { results, failures };
}

interface Decided {
	discoveries: Map<EventName, Discovery>;
	failures: Map<EventName, unknown>;
}

/**
 * Stores the states of all events. There is no `await`, so no other poll can come in between.
 * @returns what to emit now
 */
function decideAndSave(
	{ events, maxItems }: TriggerSettings,
	{ load, save, report }: PollTools,
	origin: Origin,
	{ discoveries, failures }: Decided,
): ListedRecord[] {
	const stored = load();
	const unseen = [...discoveries.values()].flatMap((discovery) => discovery.unseen).sort(byTime);
	const emitted = unseen.slice(0, maxItems);
	const pending = new Set(unseen.slice(maxItems));
	if (failures.size > 0) {
		const failure = new EventFailure(failures, failures.size === events.length);
		if (discoveries.size === 0) throw failure;
		const isShown = report(failure);
		if (!isShown && emitted.length === 0 && !hasStoredNothing(stored)) throw failure;
	}
	const states = { ...statesIn(stored) };
	for (const event of events) {
		const discovery = discoveries.get(event);
		if (discovery) states[event] = discovery.stateAfter(pending);
		// Null: polls have tried it, and only failed. Without it, the event would count as added later, and emit no existing records
		if (stageOf(event, stored, origin) === 'newNode') states[event] ??= null;
	}
	save({ version: VERSION, events: states });
	const incomplete = new Map<EventName, unknown>();
	for (const [event, { gap }] of discoveries) {
		if (gap) incomplete.set(event, gap);
	}
	if (incomplete.size > 0) report(new EventFailure(incomplete, incomplete.size === events.length));
	return emitted;
}

const MOST_SAMPLES = 5;

/**
 * @returns recent records, for users who test the trigger; nothing is remembered
 * @throws EventFailure when an event cannot be read; RequestFailure when the workspace cannot be read
 */
export async function sample(settings: TriggerSettings, tools: PollTools): Promise<IDataObject[]> {
	const { events } = settings;
	const { results, failures } = await settle(events, async (event) => {
		const criteria = criteriaFor(event, settings);
		const source = { event, client: tools.newClient(event), criteria, now: tools.now };
		const [newest, competitors] = await Promise.all([readNewest(source), competitorsFor(source)]);
		const listed = passing(newest, criteria, competitors);
		// The newest, and those without a time only if there are too few others
		const dated = listed.filter(({ time }) => time !== undefined).sort(byTime);
		const undated = listed.filter(({ time }) => time === undefined);
		return [...undated, ...dated].slice(-MOST_SAMPLES);
	});
	if (failures.size > 0) throw new EventFailure(failures, failures.size === events.length);
	const workspace = await tools.workspace();
	const found = [...results.values()].flat().sort(byTime);
	return found.map((one) => toOutput(one, workspace));
}
