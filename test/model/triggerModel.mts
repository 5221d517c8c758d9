import type { IDataObject } from 'n8n-workflow';

import { EventFailure } from '../../nodes/SearchVisibilityTrigger/errors.ts';
import { EVENT_NAMES, type EventName } from '../../nodes/SearchVisibilityTrigger/events.ts';
import {
	type EventState,
	type States,
	statesIn,
} from '../../nodes/SearchVisibilityTrigger/memory.ts';
import * as polling from '../../nodes/SearchVisibilityTrigger/poll.ts';
import type { TriggerSettings } from '../../nodes/SearchVisibilityTrigger/settings.ts';
import { RequestFailure } from '../../nodes/shared/errors/requestFailure.ts';
import type { ServiceRequest } from '../../nodes/shared/request/client.ts';
import { ServiceClient } from '../../nodes/shared/request/client.ts';
import { Gate } from '../../nodes/shared/request/gate.ts';
import { itemAt } from '../defined.mts';
import { openStore } from '../sandbox/store.mts';
import { DATED_EVENTS, DAY, HOUR } from '../unit/triggerStory.mts';
import { VirtualClock } from '../unit/virtualClock.mts';
import { filterFor, fits, Ledger, type Turn } from './triggerLedger.mts';
import { type Known, Service } from './triggerService.mts';
import type { Change, Fault, History, Step } from './triggerSteps.mts';
import { Store } from './triggerStore.mts';

/*
 * A model of everything around the trigger: the service with its changing records, n8n, which stores or loses the
 * state, and the network. The trigger's own code runs unchanged: poll, pagination, retries, discovery.
 */

/** It only puts records in order and stores nothing, so all histories share one: each costs memory that stays */
const database = await openStore();
const copyOf = (value: IDataObject) => JSON.parse(JSON.stringify(value)) as IDataObject;

/** Runs a history and checks the trigger's promises after every poll. */
export async function runHistory(history: History): Promise<Record<string, number>> {
	const world = new World(history);
	await world.activate();
	for (const step of history.steps) await world.take(step);
	await world.settle();
	const { edits } = world.service;
	return { ...world.counts, edits, rollbacks: world.store.rollbacks };
}

class World {
	counts = {
		emitted: 0,
		articles: 0,
		existing: 0,
		failedPolls: 0,
		partlyFailed: 0,
		overlaps: 0,
		baselines: 0,
		changes: 0,
		incomplete: 0,
		neverComplete: 0,
		neverBegun: 0,
	};

	readonly service: Service;
	readonly store: Store;
	private readonly ledger: Ledger;
	private readonly clock = new VirtualClock();
	private settings: TriggerSettings & { lookbackDays: number };
	private isActive = false;
	private polls = 0;
	/** The state as last written: of two polls at the same time, one may fail after the other has saved */
	private written = '';
	private isOverlapping = false;
	/** The events whose failure the trigger has told since the last poll began */
	private readonly failing = new Set<EventName>();

	constructor(private readonly history: History) {
		const { settings, emitExisting } = history;
		this.settings = { ...settings, emitExisting, events: [...EVENT_NAMES] };
		this.service = new Service(history, database);
		this.service.shortest = settings.lookbackDays;
		this.ledger = new Ledger(this.service);
		this.store = new Store(this.service, this.ledger);
	}

	async take(step: Step): Promise<void> {
		const { service, store, history } = this;
		switch (step.type) {
			case 'edit':
				return service.edit(step.event, step.edit);
			case 'poll':
				return await this.poll(step.faults, step.during);
			case 'overlap':
				return await this.overlap();
			case 'pass':
				return void (service.time += step.hours * HOUR);
			case 'restart':
				return void (store.memory = copyOf(store.memory));
			case 'crash':
				return history.isDurable ? undefined : store.putBack(store.stored);
			case 'publish':
				return await this.publish();
			case 'weeks':
				return await this.weeks(step.count);
			case 'rollback':
				return store.putBack(itemAt(store.snapshots, step.which % store.snapshots.length));
			case 'settings':
				this.counts.changes++;
				this.settings = { ...this.settings, ...step.changes };
				service.shortest = Math.min(service.shortest, this.settings.lookbackDays);
				return;
			case 'toggle':
				return this.toggle(step.event);
			case 'vanish':
				service.vanished = step.event;
				store.haveVanished.add(step.event);
				await this.poll();
				service.vanished = undefined;
				return;
			case 'move':
				service.baseUrl = `https://${service.baseUrl.includes('//a.') ? 'b' : 'a'}.example`;
				return await this.poll();
			case 'damage':
				return store.damage(step);
		}
	}

	/** When a workflow is published, n8n polls. That is the first poll, and its state is stored. */
	async activate(): Promise<void> {
		await this.poll(this.history.firstFaults);
		if (!this.isActive) await this.poll();
		this.store.stored = this.store.snapshot();
	}

	/** After a few quiet polls, everything that was due must have come. */
	async settle(): Promise<void> {
		this.settings = { ...this.settings, maxItems: 100_000 };
		for (const event of DATED_EVENTS) this.addListed(event);
		for (let n = 0; n < 3 || (this.isIncomplete && n < 8); n++) {
			// Once a day, everything is read, as often as it takes
			this.service.time += n === 0 ? HOUR / 6 : 25 * HOUR;
			await this.poll();
		}
		const lost = this.service.records.filter(
			(record) =>
				record.stand === 'due' &&
				!record.wasEmitted &&
				record.service === this.service.baseUrl &&
				!this.isMissing(record.event) &&
				this.settings.events.includes(record.event) &&
				fits(record, filterFor(record.event, this.settings)),
		);
		const missing = EVENT_NAMES.filter((event) => this.isMissing(event));
		const hasBegun = (event: EventName) => this.stateOf(event)?.service === this.service.baseUrl;
		if (missing.some((event) => event !== 'articleReady' && hasBegun(event))) {
			this.counts.neverComplete++;
		}
		if (missing.some((event) => event === 'articleReady' || !hasBegun(event))) {
			this.counts.neverBegun++;
		}
		if (lost.length > 0) throw new Error(`Lost: ${lost.map(({ id }) => id).join(', ')}`);
	}

	/** Whether records that tie for a place are missing, or kept a first check from ending; the next polls look for them */
	private get isIncomplete(): boolean {
		return EVENT_NAMES.some((event) => this.isMissing(event));
	}

	private stateOf(event: EventName): Partial<EventState> | null | undefined {
		return statesIn(this.store.memory)[event] as Partial<EventState> | null | undefined;
	}

	private isMissing(event: EventName): boolean {
		const state = this.stateOf(event);
		const isWhole = state?.service === this.service.baseUrl && state.isComplete === true;
		return this.settings.events.includes(event) && !isWhole;
	}

	/** If all records with a time are gone from a list, it fails until it has one again. */
	private addListed(event: EventName): void {
		const { domain } = filterFor(event, this.settings);
		do this.service.add(event, this.service.time);
		while (!itemAt(this.service.records, -1).domain.includes(domain.toLowerCase()));
	}

	private async overlap(): Promise<void> {
		// A durable scheduler runs one poll at a time
		if (this.history.isDurable) return await this.poll();
		this.counts.overlaps++;
		this.isOverlapping = true;
		await Promise.all([this.poll(), this.poll()]);
		this.isOverlapping = false;
	}

	/** n8n continues from the stored state, polls, and stores the state whatever the result. */
	private async publish(): Promise<void> {
		if (!this.history.isDurable) this.store.putBack(this.store.stored);
		await this.poll();
		this.store.stored = this.store.snapshot();
	}

	/** Lets some weeks pass, each with something new. */
	private async weeks(count: number): Promise<void> {
		for (let n = 0; n < count; n++) {
			this.service.time += 7 * DAY;
			for (const event of DATED_EVENTS) this.service.add(event, this.service.time);
			this.service.answer(1, 1);
			await this.poll();
		}
	}

	private toggle(event: EventName): void {
		const { events } = this.settings;
		const others = events.filter((name) => name !== event);
		const changed = others.length < events.length ? others : [...events, event];
		if (changed.length > 0) this.settings = { ...this.settings, events: changed };
	}

	private async poll(faults: Fault[] = [], during: Change[] = []): Promise<void> {
		const { service, store, settings, history } = this;
		const state = history.isDurable ? copyOf(store.memory) : store.memory;
		this.written = JSON.stringify(state);
		this.failing.clear();
		const turn: Turn = { poll: ++this.polls, start: service.records.length, settings };
		let hasSaved = false;
		let decided: EventName[] = [];
		const save = (saved: IDataObject) => {
			decided = this.decided(state, saved, turn);
			Object.assign(state, copyOf(saved));
			hasSaved = true;
			this.written = JSON.stringify(state);
		};
		const running = this.runPoll(state, save, faults, during, turn.poll);
		const found = await running.catch((error: unknown) => this.expectReason(error, faults, during));
		if (!found) {
			this.counts.failedPolls++;
			const isAsWritten = JSON.stringify(state) === this.written;
			if (hasSaved || !isAsWritten) throw new Error('A failed poll changed the state');
			return;
		}
		store.memory = state;
		this.counts.emitted += found.length;
		this.counts.articles += found.filter(({ event }) => event === 'articleReady').length;
		if (!this.isActive) this.counts.existing += found.length;
		if (found.length > settings.maxItems) throw new Error('More than the limit');
		this.ledger.accept(found);
		if (found.length > 0 && !this.isOverlapping) {
			const whole = decided.filter((event) => !this.isMissing(event));
			this.ledger.expectOldest(found, whole, turn);
		}
		this.expectStates();
		store.checkSize();
		const now = store.snapshot();
		store.snapshots.push(now);
		// By default, n8n stores the state when a poll emits, and after activation
		if (found.length > 0 || history.isDurable) store.stored = now;
		this.isActive = true;
		if (this.isIncomplete) this.counts.incomplete++;
	}

	private async runPoll(
		state: IDataObject,
		save: (state: IDataObject) => void,
		faults: Fault[],
		during: Change[],
		poll: number,
	): Promise<IDataObject[]> {
		const { service, clock, history } = this;
		let requests = 0;
		const answer = async (sent: ServiceRequest, asking: EventName) => {
			const number = requests++;
			for (const { at, event, edit } of during) {
				if (at === number) service.edit(event, edit, poll);
			}
			await clock.wait(1);
			return service.respond(sent, asking, number, faults);
		};
		const report = (failure: EventFailure) => {
			if (history.canReport) this.expectReason(failure, faults, during);
			for (const event of failure.events) this.failing.add(event);
			this.counts.partlyFailed++;
			return history.canReport;
		};
		return await polling.poll(this.settings, {
			newClient: (event) =>
				new ServiceClient({
					gate: new Gate({ concurrency: 3, timeout: 30_000 }, clock),
					send: async (sent) => await answer(sent, event),
				}),
			baseUrl: service.baseUrl,
			credentialHash: 'hash',
			workspace: async () => await Promise.resolve({ workspaceId: 'ws', workspaceName: null }),
			load: () => state,
			save,
			now: () => service.time + history.skew * HOUR,
			report,
		});
	}

	/** A poll that tells no failure of an event has learned what exists, and remembers it. */
	private expectStates(): void {
		const states = statesIn(this.store.memory);
		const silent = this.settings.events.filter((event) => !this.failing.has(event));
		const unknown = silent.filter((event) => !states[event]);
		if (unknown.length > 0) throw new Error(`Nothing learned, in silence: ${unknown.join()}`);
	}

	private expectReason(error: unknown, faults: Fault[], during: Change[]): void {
		if (!(error instanceof EventFailure)) throw error;
		const event = itemAt(error.events, 0);
		const thrown = error.failures.get(event);
		if (!(thrown instanceof RequestFailure)) throw thrown;
		// Equal records can hide so many that a poll says so
		if (faults.length > 0 || thrown.kind === 'ties' || thrown.kind === 'changed') return;
		const isFirst = thrown.kind === 'firstCheck';
		if (thrown.kind !== 'shape' && !isFirst) throw thrown;
		const { records, baseUrl, vanished } = this.service;
		const filter = { ...filterFor(event, this.settings), ownership: 'any', platforms: [] };
		// A first check does not go by a time that is a mistake, because it is more than a day ahead
		const latest = isFirst ? this.service.time : Infinity;
		const hasTime = ({ event: own, service, time = NaN }: Known) =>
			own === event && service === baseUrl && time <= latest;
		const isSpurious = records.some((record) => hasTime(record) && fits(record, filter));
		const isQuiet = vanished !== event && during.length === 0;
		if (isSpurious && isQuiet) throw new Error(`Times are there: ${event}`);
	}

	/** Notes what this poll means for each record, at the moment of its decision. */
	private decided(state: IDataObject, saved: IDataObject, turn: Turn): EventName[] {
		const before = state.events as States | undefined;
		const after = saved.events as States;
		const decided = EVENT_NAMES.filter((name) => after[name] && after[name] !== before?.[name]);
		for (const event of decided) {
			const isFirst = !state.events || (state.version === 1 && before?.[event] === null);
			const emitsExisting = isFirst && this.settings.emitExisting;
			const floors = [before?.[event], after[event]].map((one) => (one as EventState)?.floor);
			if (this.ledger.decide(event, floors, turn, emitsExisting)) this.counts.baselines++;
		}
		return decided;
	}
}
