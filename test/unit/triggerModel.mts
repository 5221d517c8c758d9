import type { IDataObject } from 'n8n-workflow';

import type { ServiceRequest } from '../../nodes/shared/client.ts';
import type { EventFailure } from '../../nodes/SearchVisibilityTrigger/failure.ts';
import type { Settings } from '../../nodes/SearchVisibilityTrigger/settings.ts';
import { client as clients, failure, gate, polling, pollFailures } from './built.mts';
import { filterFor, fits, Ledger } from './triggerLedger.mts';
import type { Lines, Owed } from './triggerLedger.mts';
import { type Known, Service } from './triggerService.mts';
import {
	type Change,
	type Damage,
	type Edit,
	type EventName,
	EVENTS,
	type Fault,
	type History,
	type Step,
} from './triggerSteps.mts';
import { VirtualClock } from './virtualClock.mts';

/*
 * A model of everything around the trigger: the service whose records come and go, n8n that stores or loses the state,
 * the network. The trigger's own code runs as it is: poll, pagination, retries, discovery.
 */

export const HOUR = 60 * 60 * 1000;
export const DAY = 24 * HOUR;
const START = Date.UTC(2026, 0, 1) + 400 * DAY;

/** Runs a history and checks the promises of the trigger after every poll. */
export async function runHistory(history: History): Promise<Record<string, number>> {
	const world = new World(history);
	await world.activate();
	for (const step of history.steps) await world.take(step);
	await world.settle();
	return world.counts;
}

/** What n8n has stored, and what the workflow had got by then. */
interface Snapshot {
	state: string;
	lines: string;
	owed: Owed;
}

class World {
	counts = {
		emitted: 0,
		existing: 0,
		failedPolls: 0,
		partlyFailed: 0,
		rollbacks: 0,
		overlaps: 0,
		baselines: 0,
		changes: 0,
		edits: 0,
		stoppedEarly: 0,
	};

	private time = START;

	private readonly service: Service;

	private readonly ledger: Ledger;

	private baseUrl = 'https://a.example';

	/** As n8n has it in memory, and as it is stored */
	private memory: IDataObject = {};

	private stored: Snapshot;

	private readonly snapshots: Snapshot[] = [];

	private settings: Settings;

	/** The shortest look-back so far: a floor never goes back */
	private shortest: number;

	private isActive = false;

	private polls = 0;

	private isOverlapping = false;

	/** Whose records may be remembered as those without a time */
	private readonly haveVanished = new Set<EventName>();

	private readonly everDecided = new Set<EventName>();

	private readonly clock = new VirtualClock();

	constructor(private readonly history: History) {
		this.settings = {
			...history.settings,
			emitExisting: history.emitExisting,
			events: [...EVENTS],
		};
		this.shortest = history.settings.lookbackDays;
		this.service = new Service(history);
		this.ledger = new Ledger(history, this.service);
		for (let n = 0; n < history.existing; n++) {
			for (const event of EVENTS) this.add(event, this.time - n * 7 * HOUR);
		}
		this.stored = this.snapshot();
	}

	async take(step: Step): Promise<void> {
		switch (step.type) {
			case 'edit':
				return this.edit(step.event, step.edit);
			case 'poll':
				return await this.poll(step.faults, step.during);
			case 'overlap':
				return await this.overlap();
			case 'pass':
				return void (this.time += step.hours * HOUR);
			case 'restart':
				return void (this.memory = copyOf(this.memory));
			case 'crash':
				return this.history.isDurable ? undefined : this.putBack(this.stored);
			case 'publish':
				return await this.publish();
			case 'weeks':
				return await this.weeks(step.count);
			case 'rollback':
				return this.putBack(this.snapshots[step.which % this.snapshots.length]);
			case 'settings':
				this.counts.changes++;
				this.settings = { ...this.settings, ...step.changes };
				return void (this.shortest = Math.min(this.shortest, this.settings.lookbackDays));
			case 'toggle':
				return this.toggle(step.event);
			case 'vanish':
				this.service.vanished = step.event;
				this.haveVanished.add(step.event);
				await this.poll();
				return void (this.service.vanished = undefined);
			case 'move':
				this.baseUrl =
					this.baseUrl === 'https://a.example' ? 'https://b.example' : 'https://a.example';
				return await this.poll();
			case 'damage':
				return this.damage(step.event, step.how);
		}
	}

	/** n8n polls when a workflow is published: that is the first poll, and its state is stored. */
	async activate(): Promise<void> {
		await this.poll(this.history.firstFaults);
		if (!this.isActive) await this.poll();
		this.stored = this.snapshot();
	}

	/** Some quiet polls later, everything that was due must have come. */
	async settle(): Promise<void> {
		this.settings = { ...this.settings, maxItems: 100_000 };
		// A list of which all that had a time is gone fails until there is something with a time
		for (const event of EVENTS) this.add(event, this.time);
		for (let n = 0; n < 3; n++) {
			this.time += 10 * 60 * 1000;
			await this.poll();
		}
		const lost = this.service.records.filter(
			(record) =>
				record.stand === 'due' &&
				!record.wasEmitted &&
				record.service === this.baseUrl &&
				this.settings.events.includes(record.event) &&
				fits(record, filterFor(record.event, this.settings)),
		);
		if (lost.length > 0) throw new Error(`Lost: ${lost.map(({ id }) => id).join(', ')}`);
	}

	private async overlap(): Promise<void> {
		// A durable scheduler runs one poll at a time
		if (this.history.isDurable) return await this.poll();
		this.counts.overlaps++;
		this.isOverlapping = true;
		await Promise.all([this.poll(), this.poll()]);
		this.isOverlapping = false;
	}

	/** n8n goes on from what it has stored, polls, and stores the state whatever comes out. */
	private async publish(): Promise<void> {
		if (!this.history.isDurable) this.putBack(this.stored);
		await this.poll();
		this.stored = this.snapshot();
	}

	/** Some time goes by, and each week brings something new. */
	private async weeks(count: number): Promise<void> {
		for (let n = 0; n < count; n++) {
			this.time += 7 * DAY;
			for (const event of EVENTS) this.add(event, this.time);
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
		const state = this.history.isDurable ? copyOf(this.memory) : this.memory;
		const before = JSON.stringify(state);
		const number = ++this.polls;
		let decided: EventName[] = [];
		const save = (saved: IDataObject) => {
			decided = this.decided(state, saved, number, start);
			Object.assign(state, copyOf(saved));
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
			if (JSON.stringify(state) !== before) throw new Error('A failed poll changed the state');
			return;
		}
		this.memory = state;
		this.counts.emitted += found.length;
		if (!this.isActive) this.counts.existing += found.length;
		if (found.length > this.settings.maxItems) throw new Error('More than the limit');
		this.ledger.accept(found, this.time, this.shortest * DAY);
		if (found.length > 0 && !this.isOverlapping) {
			this.ledger.expectOldest(found, decided, this.settings, number, start);
		}
		this.checkSize();
		const now = this.snapshot();
		this.snapshots.push(now);
		// By default n8n stores the state when a poll emits, and after activation
		if (found.length > 0 || this.history.isDurable) this.stored = now;
		this.isActive = true;
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
				if (at === number) this.edit(event, change, poll);
			}
			if (Number(sent.query?.limit) === 1) this.counts.stoppedEarly++;
			await this.clock.wait(1);
			return this.service.answer(this.baseUrl, this.time, sent, number, faults);
		};
		const report = (failure: EventFailure) => {
			if (this.history.canReport) this.expectReason(failure, faults, during);
			this.counts.partlyFailed++;
			return this.history.canReport;
		};
		return await polling.poll(this.settings, {
			client: new clients.ServiceClient({
				gate: new gate.Gate(3, this.clock),
				clock: this.clock,
				send,
			}),
			baseUrl: this.baseUrl,
			concurrency: 3,
			load: () => state,
			save,
			now: () => this.time + this.history.skew * HOUR,
			report,
		});
	}

	private expectReason(error: unknown, faults: Fault[], during: Change[]): void {
		if (!(error instanceof pollFailures.EventFailure)) throw error;
		const { event, thrown } = error;
		if (thrown instanceof failure.RequestFailure && faults.length > 0) return;
		if (!(thrown instanceof pollFailures.TimesMissing)) throw thrown;
		const hasTimes = ({ time, ...record }: Known) =>
			time !== undefined && record.event === event && record.service === this.baseUrl;
		const isThere = ({ status }: Known) => status !== 'archived';
		const listed = this.service.records.filter((record) => isThere(record) && hasTimes(record));
		const filter = { ...filterFor(event, this.settings), ownership: 'any' as const, platforms: [] };
		const isSpurious = listed.some((record) => fits(record, filter));
		if (isSpurious && this.service.vanished !== event && during.length === 0) {
			throw new Error(`Times are there: ${event}`);
		}
	}

	/** Takes down what this poll says about each record, in the moment in which it decides. */
	private decided(
		state: IDataObject,
		saved: IDataObject,
		poll: number,
		start: number,
	): EventName[] {
		const [before, after] = [state.events, saved.events] as Array<Record<string, unknown>>;
		const decided = EVENTS.filter(
			(event) => after[event] !== undefined && after[event] !== before?.[event],
		);
		for (const event of decided) {
			const isBaseline = this.ledger.decide(event, {
				service: this.baseUrl,
				settings: this.settings,
				time: this.time,
				emitsExisting: !this.everDecided.has(event) && this.settings.emitExisting,
				poll,
				start,
			});
			this.everDecided.add(event);
			if (isBaseline) this.counts.baselines++;
		}
		return decided;
	}

	/** What is long past is forgotten: at most 8 characters an id, and 20 an hour and event, from the floor on. */
	private checkSize(): void {
		const events = this.memory.events as Record<string, { floor: number | null }>;
		let most = 100;
		for (const [event, { floor }] of Object.entries(events)) {
			const oldest = (floor ?? Number.NEGATIVE_INFINITY) - HOUR;
			const kept = this.service.records.filter(
				({ time = oldest, ...record }) =>
					record.event === event && (time >= oldest || this.haveVanished.has(event)),
			);
			const hours = new Set(
				kept.map(({ time, number }) => (time ? Math.floor(time / HOUR) : number)),
			);
			most += 350 + kept.length * 8 + hours.size * 20;
		}
		const size = JSON.stringify(this.memory).length;
		if (size > most) throw new Error(`The state has ${size} characters, more than ${most}`);
	}

	private damage(event: EventName, how: Damage): void {
		const events = this.memory.events as Record<string, IDataObject>;
		if (typeof events !== 'object') return;
		const put = (values: IDataObject) => {
			events[event] = { ...events[event], ...values };
		};
		const lost = how === 'version' || how === 'events' ? EVENTS : [event];
		if (how === 'version') this.memory.version = 0;
		else if (how === 'events') this.memory.events = 'damaged';
		else if (how === 'seen') put({ seen: { 5: 'short' } });
		else if (how === 'filter') put({ filter: null });
		else if (how === 'order') put({ order: 'sideways' });
		else if (how === 'far watermark') put({ watermark: 1e18 });
		else if (how === 'next year') put({ watermark: START + 9999 * DAY, floor: START + 9990 * DAY });
		else put({ watermark: START, floor: START + 1 });
		this.ledger.forget(lost);
		// So that a crash afterwards goes on from the damaged state
		this.stored = this.snapshot();
		this.snapshots.push(this.stored);
	}

	private snapshot(): Snapshot {
		return {
			state: JSON.stringify(this.memory),
			lines: JSON.stringify(this.ledger.lines),
			owed: this.ledger.owed(),
		};
	}

	private putBack({ state, lines, owed }: Snapshot): void {
		this.counts.rollbacks++;
		this.memory = JSON.parse(state) as IDataObject;
		this.ledger.lines = JSON.parse(lines) as Lines;
		this.ledger.putBack(owed);
	}

	private edit(event: EventName, change: Edit, poll = 0): void {
		this.counts.edits++;
		switch (change.do) {
			case 'discover':
				for (let n = 0; n < change.count; n++) this.add(event, this.time);
				return;
			case 'late':
				// Inside the look-back, as far as the clocks can agree on it
				this.add(event, this.newest(event) - change.ago * (this.shortest * DAY - 12 * HOUR));
				return;
			case 'future':
				this.add(event, this.time + change.days * DAY);
				return;
			case 'undated':
				this.add(event, undefined);
				return;
			default:
				return this.change(event, change, poll);
		}
	}

	private change(event: EventName, change: Extract<Edit, { which: number }>, poll: number): void {
		const candidates = this.service.records.filter(
			(record) =>
				record.event === event && record.service === this.baseUrl && record.status !== 'archived',
		);
		// What has no time is rare, and most at risk when it is cited again
		const undated = candidates.filter(({ time }) => time === undefined);
		const chosen = change.do === 'cite' && undated.length > 0 ? undated : candidates;
		const record = chosen[change.which % chosen.length];
		if (!record) return;
		if (poll > 0) record.touchedIn = poll;
		record.shown = undefined;
		if (change.do === 'cite') {
			record.citedAt = this.time;
			record.platforms = ['answer_engine', 'chat_assistant'];
			return;
		}
		const statuses = { remove: 'archived', process: 'processed', requeue: 'new' } as const;
		// A competitor is discovered, or it is not in the list any more
		if (event !== 'competitor' || change.do === 'remove') record.status = statuses[change.do];
	}

	private add(event: EventName, time: number | undefined): void {
		const number = this.service.records.length;
		this.service.records.push({
			id: `${event}-${number}`,
			number,
			service: this.baseUrl,
			event,
			time,
			citedAt: Math.max(time ?? 0, this.time),
			status: 'new',
			isOwnDomain: [true, false, null][number % 3],
			domain: ['a.example', 'sub.a.example', 'b.example'][(number >> 2) % 3],
			platforms: number % 5 === 0 ? ['chat_assistant'] : ['answer_engine'],
			stand: 'due',
			wasEmitted: false,
			listedAt: this.time,
			touchedIn: 0,
		});
	}

	/** The greatest time that the service may have given so far: the look-back reaches back from there. */
	private newest(event: EventName): number {
		const times = this.service.records.flatMap((record) =>
			record.event === event && record.service === this.baseUrl ? (record.time ?? []) : [],
		);
		return times.length > 0 ? Math.min(this.time, Math.max(...times)) : this.time;
	}
}

const copyOf = (value: IDataObject) => JSON.parse(JSON.stringify(value)) as IDataObject;
