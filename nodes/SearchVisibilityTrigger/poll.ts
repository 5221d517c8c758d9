import type { IDataObject } from 'n8n-workflow';

import { DAY } from '../shared/days';
import { RequestFailure } from '../shared/errors/requestFailure';
import type { Requester, ServiceClient } from '../shared/request/client';
import type { Discovery } from './discovery';
import { discover } from './discovery';
import type { EventName } from './events';
import { EVENTS } from './events';
import { filterFor, isSameFilter } from './filter';
import { byTime, toOutput } from './listedRecord';
import { EventFailure } from './pollErrors';
import { readEvent } from './reading';
import type { States } from './state';
import { pendingIn, readState, statesIn, VERSION } from './state';
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
	/**
	 * Has n8n show a failed poll although this poll goes on.
	 * @returns whether n8n can do that
	 */
	report: (failure: EventFailure) => boolean;
}

/**
 * Reads the lists of all events and decides what is new.
 *
 * The lists are read first, those of all events at the same time. Only then is the state looked at, all at once. An event
 * that cannot be read keeps its state and does not hold back the others. An event whose state has changed in the
 * meantime is left to the next poll.
 * @returns new records, oldest first. The first poll of an event returns none of its records and only remembers them. With
 * Emit Existing, the very first poll of the node returns what exists; later polls never do, even if the state is lost,
 * because that could be a flood
 * @throws EventFailure when no event could be read, or when there is nothing to emit and n8n cannot show the failure in
 * another way; nothing has changed then
 */
export async function poll(settings: Settings, tools: PollTools): Promise<IDataObject[]> {
	const round = new Round(settings, tools, await tools.workspace());
	await Promise.all(settings.events.map(async (event) => await round.read(event)));
	return round.decide();
}

class Round {
	/** For each event, decides what is new once everything was read. */
	private readonly readings = new Map<EventName, () => Discovery>();

	private readonly failures = new Map<EventName, unknown>();

	/** The stored states when the reading began */
	private readonly stored: States;

	constructor(
		private readonly settings: Settings,
		private readonly tools: PollTools,
		private readonly workspace: string | undefined,
	) {
		this.stored = statesIn(tools.load());
	}

	/** Reads what an event needs given its state. */
	async read(event: EventName): Promise<void> {
		try {
			const { client } = this.tools;
			const read = async (part: Requester) => await this.readWith(event, part);
			this.readings.set(event, await client.share(read));
		} catch (error) {
			this.failures.set(event, error);
		}
	}

	/** Once a day, everything is read, if there is enough time for it. */
	private async readWith(event: EventName, client: Requester): Promise<() => Discovery> {
		const { settings, workspace } = this;
		const { baseUrl: service } = this.tools;
		const { includeProcessed, domain } = settings;
		const lookback = (settings.lookbackDays ?? EVENTS[event].lookbackDays) * DAY;
		const emitExisting = settings.emitExisting && this.isFirstOf(event);
		const filter = filterFor(event, settings);
		const before = readState(this.stored[event], { service, workspace });
		const source = { event, client, includeProcessed, domain };
		const plan = {
			from: before?.floor ?? undefined,
			since: before?.confirmed ?? undefined,
			// After a change of the filter, it matters what the last one hid
			isWhole: !before || !isSameFilter(before.filter, filter),
			lookback: before || emitExisting ? Infinity : lookback,
			order: before?.order,
			totals: before?.totals ?? [],
			incomplete: before?.incomplete ?? 0,
		};
		let reading = await readEvent(source, plan);
		const isWholeTried = !reading.isWhole && this.now - (before?.triedAt ?? this.now) >= DAY;
		if (isWholeTried) {
			reading = await readEvent(source, { ...plan, isWhole: true }).catch(() => reading);
		}
		const more = { isWholeTried, service, workspace, filter, lookback, emitExisting };
		return () => discover(before, { ...reading, ...more, now: this.now });
	}

	/** Decides all events in one turn, stores the state and returns what to emit now. */
	decide(): IDataObject[] {
		const { settings, tools } = this;
		const stored = tools.load();
		const states = { ...statesIn(stored) };
		const discoveries = new Map<EventName, Discovery>();
		for (const [event, decide] of this.readings) {
			// Another poll has decided this event in the meantime
			if (states[event] !== this.stored[event]) continue;
			try {
				discoveries.set(event, decide());
			} catch (error) {
				this.failures.set(event, error);
			}
		}
		const due = [...discoveries.values()].flatMap((discovery) => discovery.due).sort(byTime);
		const found = due.slice(0, settings.maxItems);
		const left = new Set(due.slice(settings.maxItems));
		const isBroken = this.failures.size > 0;
		for (const [event, { missing, stateWithout }] of discoveries) {
			const state = stateWithout(left);
			states[event] = state;
			if (state.incomplete !== MOST_INCOMPLETE) continue;
			this.failures.set(event, new RequestFailure('ties', { missing }));
		}
		const [first, ...others] = settings.events.filter((event) => this.failures.has(event));
		if (first) {
			const isOfAll = others.length + 1 === settings.events.length;
			const failure = new EventFailure([first, ...others], this.failures, isOfAll);
			if (discoveries.size === 0) throw failure;
			const isShown = tools.report(failure) || isEmpty(stored) || found.length > 0;
			// What is only missing so far must not fail every poll
			if (!isShown && isBroken) throw failure;
		}
		const pending = settings.events.filter((event) => !states[event] && this.isFirstOf(event));
		tools.save({ version: VERSION, events: states, pending });
		return found.map(toOutput);
	}

	/** Whether this is the first poll of an event that was chosen when the node polled for the very first time */
	private isFirstOf(event: EventName): boolean {
		const stored = this.tools.load();
		return isEmpty(stored) || pendingIn(stored).includes(event);
	}

	private get now(): number {
		return this.tools.client.serviceTime ?? this.tools.now();
	}
}

/** Whether the node has never stored anything. */
const isEmpty = (stored: unknown) => Object.keys(stored ?? {}).length === 0;
