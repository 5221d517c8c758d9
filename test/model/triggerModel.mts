import type { IDataObject } from 'n8n-workflow';

import type { ServiceRequest } from '../../nodes/shared/request/client.ts';
import type { EventFailure } from '../../nodes/SearchVisibilityTrigger/errors.ts';
import type { EventState } from '../../nodes/SearchVisibilityTrigger/memory.ts';
import type { TriggerSettings } from '../../nodes/SearchVisibilityTrigger/settings.ts';
import { itemAt } from '../defined.mts';
import { openStore, type Store as Database } from '../sandbox/store.mts';
import * as clients from '../../nodes/shared/request/client.ts';
import * as failure from '../../nodes/shared/errors/requestFailure.ts';
import * as gate from '../../nodes/shared/request/gate.ts';
import * as polling from '../../nodes/SearchVisibilityTrigger/poll.ts';
import * as pollFailures from '../../nodes/SearchVisibilityTrigger/errors.ts';
import { filterFor, fits, Ledger } from './triggerLedger.mts';
import { DAY, HOUR, type Known, Service } from './triggerService.mts';
import {
	type Change,
	type EventName,
	EVENTS,
	type Fault,
	type History,
	type Step,
} from './triggerSteps.mts';
import { copyOf, Store } from './triggerStore.mts';
import { VirtualClock } from '../unit/virtualClock.mts';

/*
 * A model of everything around the trigger: the service with its changing records, n8n, which stores or loses the
 * state, and the network. The trigger's own code runs unchanged: poll, pagination, retries, discovery.
 */

/** It only puts records in order and stores nothing, so all histories share one: each costs memory that stays */
const database = await openStore();

/** Runs a history and checks the trigger's promises after every poll. */
export async function runHistory(history: History): Promise<Record<string, number>> {
	const world = new World(history, database);
	await world.activate();
	for (const step of history.steps) await world.take(step);
	await world.settle();
	return world.totals;
}

class World {
	counts = {
		emitted: 0,
		existing: 0,
		failedPolls: 0,
		partlyFailed: 0,
		overlaps: 0,
		baselines: 0,
		changes: 0,
		incomplete: 0,
		neverComplete: 0,
	};

	get totals(): Record<string, number> {
		return { ...this.counts, edits: this.service.edits, rollbacks: this.store.rollbacks };
	}

	private readonly service: Service;

	private readonly ledger: Ledger;

	private readonly store: Store;

	private settings: TriggerSettings & { lookbackDays: number };

	private isActive = false;

	private polls = 0;

	/** The state as last written: of two polls at the same time, one may fail after the other has saved */
	private written = '';

	private isOverlapping = false;

	private readonly clock = new VirtualClock();

	constructor(
		private readonly history: History,
		database: Database,
	) {
		this.settings = {
			...history.settings,
			emitExisting: history.emitExisting,
			events: [...EVENTS],
		};
		this.service = new Service(history, database);
		this.ledger = new Ledger(history, this.service);
		this.store = new Store(this.service, this.ledger);
	}

	async take(step: Step): Promise<void> {
		const { snapshots } = this.store;
		switch (step.type) {
			case 'edit':
				return this.service.edit(step.event, step.edit);
			case 'poll':
				return await this.poll(step.faults, step.during);
			case 'overlap':
				return await this.overlap();
			case 'pass':
				return void (this.service.time += step.hours * HOUR);
			case 'restart':
				return void (this.store.memory = copyOf(this.store.memory));
			case 'crash':
				return this.history.isDurable ? undefined : this.store.putBack(this.store.stored);
			case 'publish':
				return await this.publish();
			case 'weeks':
				return await this.weeks(step.count);
			case 'rollback':
				return this.store.putBack(itemAt(snapshots, step.which % snapshots.length));
			case 'settings':
				this.counts.changes++;
				this.settings = { ...this.settings, ...step.changes };
				return void (this.service.shortest = Math.min(
					this.service.shortest,
					this.settings.lookbackDays,
				));
			case 'toggle':
				return this.toggle(step.event);
			case 'vanish':
				this.service.vanished = step.event;
				this.store.haveVanished.add(step.event);
				await this.poll();
				return void (this.service.vanished = undefined);
			case 'move':
				this.service.baseUrl =
					this.service.baseUrl === 'https://a.example' ? 'https://b.example' : 'https://a.example';
				return await this.poll();
			case 'damage':
				return this.store.damage(step.event, step.how);
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
		for (const event of EVENTS) this.addListed(event);
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
		if (this.isIncomplete) this.counts.neverComplete++;
		if (lost.length > 0) throw new Error(`Lost: ${lost.map(({ id }) => id).join(', ')}`);
	}

	/** Whether records that tie for a place are missing; the next polls go on looking for them */
	private get isIncomplete(): boolean {
		return EVENTS.some((event) => this.isMissing(event));
	}

	private isMissing(event: EventName): boolean {
		const states = this.store.memory.events as Partial<Record<EventName, EventState>>;
		return this.settings.events.includes(event) && states[event]?.isComplete === false;
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
			for (const event of EVENTS) this.service.add(event, this.service.time);
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
		const state = this.history.isDurable ? copyOf(this.store.memory) : this.store.memory;
		this.written = JSON.stringify(state);
		let hasSaved = false;
		const number = ++this.polls;
		let decided: EventName[] = [];
		const save = (saved: IDataObject) => {
			decided = this.decided(state, saved, number, start);
			Object.assign(state, copyOf(saved));
			hasSaved = true;
			this.written = JSON.stringify(state);
		};
		const start = this.service.records.length;
		const found = await this.runPoll(state, save, faults, during, number).catch(
			(error: unknown) => {
				this.expectReason(error, faults, during);
				return undefined;
			},
		);
		if (!found) {
			this.counts.failedPolls++;
			const isAsWritten = JSON.stringify(state) === this.written;
			if (hasSaved || !isAsWritten) throw new Error('A failed poll changed the state');
			return;
		}
		this.store.memory = state;
		this.counts.emitted += found.length;
		if (!this.isActive) this.counts.existing += found.length;
		if (found.length > this.settings.maxItems) throw new Error('More than the limit');
		this.ledger.accept(found);
		if (found.length > 0 && !this.isOverlapping) {
			const whole = decided.filter((event) => !this.isMissing(event));
			this.ledger.expectOldest(found, whole, this.settings, number, start);
		}
		this.store.checkSize();
		const now = this.store.snapshot();
		this.store.snapshots.push(now);
		// By default, n8n stores the state when a poll emits, and after activation
		if (found.length > 0 || this.history.isDurable) this.store.stored = now;
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
		let requests = 0;
		const send = async (sent: ServiceRequest) => {
			const number = requests++;
			for (const { at, event, edit: change } of during) {
				if (at === number) this.service.edit(event, change, poll);
			}
			await this.clock.wait(1);
			return this.service.answer(sent, number, faults);
		};
		const report = (failure: EventFailure) => {
			if (this.history.canReport) this.expectReason(failure, faults, during);
			this.counts.partlyFailed++;
			return this.history.canReport;
		};
		return await polling.poll(this.settings, {
			newClient: () => new clients.ServiceClient({ gate: new gate.Gate(3, this.clock), send }),
			baseUrl: this.service.baseUrl,
			workspace: async () => await Promise.resolve(undefined),
			load: () => state,
			save,
			now: () => this.service.time + this.history.skew * HOUR,
			report,
		});
	}

	private expectReason(error: unknown, faults: Fault[], during: Change[]): void {
		if (!(error instanceof pollFailures.EventFailure)) throw error;
		const event = itemAt(error.events, 0);
		const thrown = error.failures.get(event);
		if (!(thrown instanceof failure.RequestFailure)) throw thrown;
		if (faults.length > 0) return;
		if (thrown.kind !== 'shape') throw thrown;
		const hasTimes = ({ time, ...record }: Known) =>
			time !== undefined && record.event === event && record.service === this.service.baseUrl;
		const isThere = ({ status }: Known) => status !== 'archived';
		const listed = this.service.records.filter((record) => isThere(record) && hasTimes(record));
		const filter = { ...filterFor(event, this.settings), ownership: 'any' as const, platforms: [] };
		const isSpurious = listed.some((record) => fits(record, filter));
		if (isSpurious && this.service.vanished !== event && during.length === 0) {
			throw new Error(`Times are there: ${event}`);
		}
	}

	/** Notes what this poll means for each record, at the moment of its decision. */
	private decided(
		state: IDataObject,
		saved: IDataObject,
		poll: number,
		start: number,
	): EventName[] {
		const [before, after] = [state.events, saved.events] as Array<Record<string, unknown>>;
		const decided = EVENTS.filter((event) => after?.[event] && after[event] !== before?.[event]);
		const isFirst = (event: EventName) =>
			!state.events || (state.version === 1 && before?.[event] === null);
		for (const event of decided) {
			const { isComplete, floor } = after?.[event] as EventState;
			const isBaseline = this.ledger.decide(event, {
				service: this.service.baseUrl,
				settings: this.settings,
				time: this.service.time,
				emitsExisting: isFirst(event) && this.settings.emitExisting,
				poll,
				start,
				isComplete,
				openBefore: isComplete ? undefined : floor,
			});
			if (isBaseline) this.counts.baselines++;
		}
		return decided;
	}
}
