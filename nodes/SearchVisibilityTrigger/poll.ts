import type { IDataObject } from 'n8n-workflow';

import type { Requester, ServiceClient } from '../shared/request/client';
import { DAY } from '../shared/days';
import type { Discovery, Listed } from './discovery';
import { byTime, discover } from './discovery';
import type { EventName } from './events';
import { EventFailure } from './pollErrors';
import { filterFor, isSameFilter, passes } from './filter';
import type { Plan, Reading } from './reading';
import { readEvent } from './reading';
import type { ListedRecord } from './listedRecord';
import { toOutput } from './listedRecord';
import type { Settings } from './triggerSettings';
import type { EventState, States } from './state';
import { readState, statesIn, toStored } from './state';

/** What a poll needs from its environment. */
export interface PollTools {
	client: ServiceClient;
	/** A different base URL means a different service with different records */
	baseUrl: string;
	concurrency: number;
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
 * The lists are read first, those of all events at the same time. Only then is the state looked at, all at once: if two
 * polls run at the same time, the second one sees what the first one has emitted. An event that cannot be read keeps its
 * state and does not hold back the others.
 * @returns new records, oldest first. The first poll returns none and only remembers what exists. With Emit Existing,
 * the very first poll of the node returns what exists; later polls never do, even if the state is lost, because that
 * could be a flood
 * @throws EventFailure when no event could be read, when the very first poll could not read all of them, or when there
 * is nothing to emit and n8n cannot show the failure in another way; nothing has changed then
 */
export async function poll(settings: Settings, tools: PollTools): Promise<IDataObject[]> {
	const round = new Round(settings, tools);
	await round.read();
	for (let event = round.tooLittle(); event; event = round.tooLittle()) {
		await round.readWhole(event);
	}
	return round.decide();
}

class Round {
	private readonly readings = new Map<EventName, Reading>();

	private readonly failures = new Map<EventName, unknown>();

	/** The stored states when the reading began */
	private readonly before: States;

	constructor(
		private readonly settings: Settings,
		private readonly tools: PollTools,
	) {
		this.before = statesIn(tools.load());
	}

	/** Reads what each event needs given its state now; a long list does not use up the time for the others. */
	async read(): Promise<void> {
		const readOne = async (event: EventName) => await this.readOne(event, this.planFor(event));
		await Promise.all(this.settings.events.map(readOne));
	}

	/** @returns an event of which too little was read because its state has changed in the meantime */
	tooLittle(): EventName | undefined {
		const isTooLittle = ([event, { from }]: [EventName, Reading]) =>
			from !== undefined && from > (this.planFor(event).from ?? Number.NEGATIVE_INFINITY);
		return [...this.readings].find(isTooLittle)?.[0];
	}

	async readWhole(event: EventName): Promise<void> {
		const order = this.readings.get(event)?.order;
		this.readings.delete(event);
		await this.readOne(event, { order });
	}

	/** Decides all events in one turn, stores the state and returns what to emit now. */
	decide(): IDataObject[] {
		const { settings, tools } = this;
		const isVeryFirst = Object.keys(tools.load() ?? {}).length === 0;
		const discoveries = this.discoverAll(settings.emitExisting && isVeryFirst);
		const due = [...discoveries.values()].flatMap((discovery) => discovery.due).sort(byTime);
		const found = due.slice(0, settings.maxItems);
		const canGoOn = discoveries.size > 0 && !isVeryFirst;
		const { failure } = this;
		if (failure && !(canGoOn && (tools.report(failure) || found.length > 0))) throw failure;
		const left: ReadonlySet<Listed> = new Set(due.slice(settings.maxItems));
		const states: States = { ...statesIn(tools.load()) };
		for (const [event, { stateWithout }] of discoveries) states[event] = stateWithout(left);
		tools.save(toStored(states));
		return found.map(toOutput);
	}

	private discoverAll(emitExisting: boolean): Map<EventName, Discovery<ListedRecord>> {
		const discoveries = new Map<EventName, Discovery<ListedRecord>>();
		for (const event of this.settings.events) {
			const reading = this.readings.get(event);
			if (!reading) continue;
			const { listed, from, order, total } = reading;
			try {
				const discovery = discover(this.stateOf(event), {
					listed,
					isWhole: from === undefined,
					watermarkThen: this.watermarkThen(event),
					service: this.tools.baseUrl,
					filter: filterFor(event, this.settings),
					passes,
					now: this.now,
					lookback: this.settings.lookbackDays * DAY,
					emitExisting,
					order,
					total,
				});
				discoveries.set(event, discovery);
			} catch (error) {
				this.failures.set(event, error);
			}
		}
		return discoveries;
	}

	private async readOne(event: EventName, plan: Plan): Promise<void> {
		const { concurrency } = this.tools;
		const { includeProcessed, domain } = this.settings;
		const read = async (client: Requester) =>
			await readEvent({ event, client, concurrency, includeProcessed, domain }, plan);
		try {
			this.readings.set(event, await this.tools.client.share(read));
		} catch (error) {
			this.failures.set(event, error);
		}
	}

	private get failure(): EventFailure | undefined {
		const { events } = this.settings;
		const [first, ...others] = events.filter((event) => this.failures.has(event));
		if (!first) return undefined;
		const isOfAll = others.length + 1 === events.length;
		return new EventFailure([first, ...others], this.failures, isOfAll);
	}

	/** What has to be read given the state now. After a change of the filter, that is everything. */
	private planFor(event: EventName): Plan {
		const before = this.stateOf(event);
		const isPart =
			before?.undatedAt === null && isSameFilter(before.filter, filterFor(event, this.settings));
		const part = isPart && { from: before.floor ?? undefined, total: before.total };
		return { order: before?.order, ...part };
	}

	private stateOf(event: EventName): EventState | undefined {
		const { baseUrl, load } = this.tools;
		const listed = this.readings.get(event)?.listed ?? [];
		const latest = listed.reduce((last, { time = last }) => Math.max(last, time), this.now);
		return readState(statesIn(load())[event], baseUrl, latest);
	}

	/** @returns the watermark when the reading began; undefined if no other poll has changed the state since then */
	private watermarkThen(event: EventName): number | null | undefined {
		const { baseUrl, load } = this.tools;
		const then = this.before[event];
		if (then === statesIn(load())[event]) return undefined;
		return readState(then, baseUrl, this.now)?.watermark ?? null;
	}

	private get now(): number {
		return this.tools.client.serviceTime ?? this.tools.now();
	}
}
