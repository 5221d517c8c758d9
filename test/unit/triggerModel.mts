import fc from 'fast-check';

import type { IDataObject } from 'n8n-workflow';
import type { ServiceAnswer } from '../../nodes/shared/answers.ts';
import type { ServiceRequest } from '../../nodes/shared/client.ts';
import type { Settings } from '../../nodes/SearchVisibilityTrigger/poll.ts';
import { client as clients, failure, gate, polling } from './built.mts';
import { VirtualClock } from './virtualClock.mts';

/*
 * A model of everything around the trigger: the service whose records come and go, n8n that stores or loses the state,
 * the network. The trigger's own code runs as it is: poll, pagination, retries, discovery.
 */

export const HOUR = 60 * 60 * 1000;
export const DAY = 24 * HOUR;
const START = Date.UTC(2026, 0, 1);

type EventName = 'citedPage' | 'question';

const EVENTS: EventName[] = ['citedPage', 'question'];

interface Known {
	id: string;
	event: EventName;
	/** Undefined where the service gives none */
	time?: number;
	status: 'new' | 'processed' | 'archived';
	isOwnDomain: boolean;
	/** Whether it came up after the last baseline, so that it has to be emitted */
	isDue: boolean;
}

/** What may happen between two requests of a poll, or between polls. */
const edit = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.record({
			do: fc.constant('discover' as const),
			count: fc.integer({ min: 1, max: 3 }),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			do: fc.constant('discover' as const),
			count: fc.integer({ min: 90, max: 230 }),
		}),
	},
	{
		weight: 3,
		arbitrary: fc.record({
			do: fc.constant('late' as const),
			ago: fc.double({ min: 0, max: 1, noNaN: true }),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			do: fc.constant('future' as const),
			days: fc.integer({ min: 1, max: 400 }),
		}),
	},
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('undated' as const) }) },
	{
		weight: 2,
		arbitrary: fc.record({
			do: fc.constantFrom('remove' as const, 'process' as const, 'requeue' as const),
			which: fc.nat(),
		}),
	},
);
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

const change = fc.record({
	/** Before which request of the poll, from 0 */
	at: fc.nat({ max: 5 }),
	event: fc.constantFrom<EventName>('citedPage', 'question'),
	edit,
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

const fault = fc.record({
	/** At which request of the poll, from 0 */
	at: fc.nat({ max: 6 }),
	kind: fc.constantFrom(
		'429',
		'429 long',
		'500',
		'500 for good',
		'cut',
		'cut for good',
		'malformed',
		'html',
		'401',
	),
});
type Fault = typeof fault extends fc.Arbitrary<infer T> ? T : never;

const step = fc.oneof(
	{
		weight: 5,
		arbitrary: fc.record({
			type: fc.constant('edit' as const),
			event: fc.constantFrom(...EVENTS),
			edit,
		}),
	},
	{
		weight: 6,
		arbitrary: fc.record({
			type: fc.constant('poll' as const),
			faults: fc.oneof(
				{ weight: 2, arbitrary: fc.constant([] as Fault[]) },
				{ weight: 1, arbitrary: fc.array(fault, { minLength: 1, maxLength: 2 }) },
			),
			/** What changes while the poll reads */
			during: fc.array(change, { maxLength: 2 }),
		}),
	},
	{ weight: 1, arbitrary: fc.record({ type: fc.constant('overlap' as const) }) },
	{
		weight: 2,
		arbitrary: fc.record({
			type: fc.constant('pass' as const),
			hours: fc.integer({ min: 1, max: 60 }),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			type: fc.constant('pass' as const),
			hours: fc.integer({ min: 24 * 4, max: 24 * 60 }),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({ type: fc.constantFrom('restart' as const, 'crash' as const) }),
	},
	{ weight: 1, arbitrary: fc.record({ type: fc.constant('rollback' as const), which: fc.nat() }) },
	{
		weight: 1,
		arbitrary: fc.record({
			type: fc.constant('settings' as const),
			ownership: fc.constantFrom('any' as const, 'others' as const),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			type: fc.constant('take out and put in' as const),
			event: fc.constantFrom<EventName>('citedPage', 'question'),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			type: fc.constant('damage' as const),
			what: fc.constantFrom(...EVENTS, 'version' as const, 'events' as const),
		}),
	},
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

export interface History {
	steps: Step[];
	/** How far n8n's clock is ahead of the service, in hours */
	skew: number;
	/** Whether the service tells its own time */
	tellsTime: boolean;
	lookbackDays: number;
	maxItems: number;
	emitExisting: boolean;
	/** What goes wrong at the first poll; n8n then does not publish, and a person tries again */
	firstFaults: Fault[];
	/** Records that are there at the beginning */
	existing: number;
}

export function historyOf(): fc.Arbitrary<History> {
	return fc.record({
		steps: fc.array(step, { minLength: 3, maxLength: 25, size: 'max' }),
		skew: fc.integer({ min: -11, max: 11 }),
		tellsTime: fc.boolean(),
		lookbackDays: fc.integer({ min: 1, max: 4 }),
		maxItems: fc.constantFrom(1, 20, 1000),
		emitExisting: fc.boolean(),
		firstFaults: fc.array(fault, { maxLength: 1 }),
		existing: fc.constantFrom(0, 3, 120),
	});
}

/** Runs a history and checks the promises of the trigger after every poll. */
export async function runHistory(history: History): Promise<Record<string, number>> {
	const world = new World(history);
	await world.activate(history.firstFaults);
	for (const step of history.steps) await world.take(step);
	await world.settle();
	return world.counts;
}

interface Snapshot {
	state: string;
	emitted: Set<string>;
	/** A state with other filters or events would make a baseline */
	watched: string;
}

class World {
	counts = {
		emitted: 0,
		existing: 0,
		failedPolls: 0,
		rollbacks: 0,
		overlaps: 0,
		baselines: 0,
		edits: 0,
	};

	private time = START + 400 * DAY;

	private readonly records: Known[] = [];

	private created = 0;

	/** As n8n has it in memory, and as it is stored */
	private memory: IDataObject = {};

	private stored: Snapshot;

	private readonly snapshots: Snapshot[] = [];

	private emitted = new Set<string>();

	private settings: Settings;

	private isActive = false;

	private readonly clock = new VirtualClock();

	constructor(private readonly history: History) {
		this.settings = {
			events: [...EVENTS],
			ownership: 'any',
			platforms: [],
			domain: '',
			lookbackDays: history.lookbackDays,
			includeProcessed: true,
			emitExisting: history.emitExisting,
			maxItems: history.maxItems,
		};
		this.stored = this.snapshot();
		for (let n = 0; n < history.existing; n++) {
			for (const event of EVENTS) {
				this.add(event, this.time - n * 7 * HOUR, history.emitExisting);
			}
		}
	}

	async take(step: Step): Promise<void> {
		switch (step.type) {
			case 'edit':
				return this.edit(step.event, step.edit);
			case 'poll':
				await this.poll(step.faults, step.during);
				return;
			case 'overlap':
				this.counts.overlaps++;
				await Promise.all([this.poll(), this.poll()]);
				return;
			case 'pass':
				this.time += step.hours * HOUR;
				return;
			case 'restart':
				this.memory = JSON.parse(JSON.stringify(this.memory)) as IDataObject;
				return;
			case 'crash':
				return this.putBack(this.stored);
			case 'rollback': {
				const usable = this.snapshots.filter(({ watched }) => watched === this.watched);
				if (usable.length > 0) this.putBack(usable[step.which % usable.length]);
				return;
			}
			case 'settings':
				if (step.ownership !== this.settings.ownership) await this.change(step.ownership);
				return;
			case 'take out and put in':
				this.settings = { ...this.settings, events: EVENTS.filter((name) => name !== step.event) };
				await this.poll();
				this.settings = { ...this.settings, events: [...EVENTS] };
				return await this.makeBaseline([step.event]);
			case 'damage':
				return await this.damage(step.what);
		}
	}

	/** n8n polls when a workflow is published: that is the first poll, and its state is stored. */
	async activate(faults: Fault[] = []): Promise<void> {
		await this.poll(faults);
		if (!this.isActive) await this.poll();
	}

	/** Some quiet polls later, everything that was due must have come. */
	async settle(): Promise<void> {
		this.settings = { ...this.settings, maxItems: 100_000 };
		for (let n = 0; n < 3; n++) {
			this.time += 10 * 60 * 1000;
			await this.poll();
		}
		const lost = this.records.filter(
			(record) =>
				record.isDue &&
				record.status !== 'archived' &&
				this.fits(record) &&
				!this.emitted.has(record.id),
		);
		if (lost.length > 0) throw new Error(`Lost: ${lost.map(({ id }) => id).join(', ')}`);
	}

	async poll(faults: Fault[] = [], during: Change[] = []): Promise<void> {
		const before = JSON.stringify(this.memory);
		const found = await this.runPoll(faults, during).catch((error: unknown) => {
			if (!(error instanceof failure.RequestFailure) || faults.length === 0) throw error;
			return undefined;
		});
		if (!found) {
			this.counts.failedPolls++;
			if (JSON.stringify(this.memory) !== before)
				throw new Error('A failed poll changed the state');
			return;
		}
		if (!this.isActive) this.acceptBaseline(found);
		if (found.length > this.settings.maxItems) throw new Error('More than the limit');
		for (const { id } of found) this.accept(String(id));
		this.checkSize();
		const now = this.snapshot();
		this.snapshots.push(now);
		// By default n8n stores the state when a poll emits, and after activation
		if (found.length > 0 || !this.isActive) this.stored = now;
		this.isActive = true;
	}

	private async runPoll(faults: Fault[], during: Change[]): Promise<IDataObject[]> {
		const state = this.memory;
		let requests = 0;
		const send = async (sent: ServiceRequest): Promise<ServiceAnswer> => {
			const number = requests++;
			for (const { at, event, edit: change } of during)
				if (at === number) this.edit(event, change, true);
			await this.clock.wait(1);
			return this.answer(sent, number, faults);
		};
		const door = new gate.Gate(3, this.clock);
		return await polling.poll(this.settings, {
			client: new clients.ServiceClient({ gate: door, clock: this.clock, send }),
			baseUrl: 'https://service.example',
			concurrency: 3,
			load: () => state,
			save: (saved: IDataObject) => Object.assign(state, JSON.parse(JSON.stringify(saved))),
			now: () => this.time + this.history.skew * HOUR,
		});
	}

	private acceptBaseline(found: IDataObject[]): void {
		this.counts.baselines++;
		this.counts.existing += found.length;
		if (this.settings.emitExisting) return;
		if (found.length > 0) throw new Error('The first poll was not silent');
		for (const record of this.records) record.isDue = false;
	}

	private accept(id: string): void {
		if (this.emitted.has(id)) throw new Error(`Twice: ${id}`);
		this.emitted.add(id);
		this.counts.emitted++;
	}

	/** What is long past is forgotten: at most 8 characters an id, and 20 an hour and event, of the look-back. */
	private checkSize(): void {
		const { watermark } = this;
		const oldest =
			watermark - (this.history.lookbackDays * DAY + HOUR + 2 * Math.abs(this.history.skew) * HOUR);
		const recent = this.records.filter(({ time = Infinity }) => time >= oldest);
		const hours = new Set(
			recent.map(({ event, time = 0 }) => `${event} ${Math.floor(time / HOUR)}`),
		);
		const most = 1000 + recent.length * 8 + (hours.size + 48) * 20;
		const size = JSON.stringify(this.memory).length;
		if (size > most) throw new Error(`The state has ${size} characters, more than ${most}`);
	}

	private get watermark(): number {
		const events = (this.memory.events ?? {}) as Record<string, { watermark: number | null }>;
		const marks = Object.values(events).map(
			({ watermark }) => watermark ?? Number.NEGATIVE_INFINITY,
		);
		return Math.min(...marks);
	}

	/** Changed filters concern cited pages only: they get a new baseline, the questions go on as they were. */
	private async change(ownership: 'any' | 'others'): Promise<void> {
		this.settings = { ...this.settings, ownership };
		await this.makeBaseline(['citedPage']);
	}

	private async damage(what: EventName | 'version' | 'events'): Promise<void> {
		const events = this.memory.events as IDataObject;
		if (what === 'version') this.memory.version = 0;
		else if (what === 'events') this.memory.events = 'damaged';
		else events[what] = { ...(events[what] as IDataObject), seen: 'damaged' };
		await this.makeBaseline(what === 'version' || what === 'events' ? EVENTS : [what]);
	}

	/** What is there of these events starts nothing, also with Emit Existing: this is not the first poll. */
	private async makeBaseline(events: EventName[]): Promise<void> {
		this.counts.baselines++;
		for (const record of this.records) {
			if (!events.includes(record.event)) continue;
			record.isDue = false;
			// From now on, to emit it would be one time too many
			this.emitted.add(record.id);
		}
		await this.poll();
		this.stored = this.snapshot();
	}

	private snapshot(): Snapshot {
		return {
			state: JSON.stringify(this.memory),
			emitted: new Set(this.emitted),
			watched: this.watched,
		};
	}

	private get watched(): string {
		return JSON.stringify([this.settings.ownership, this.settings.events]);
	}

	private putBack({ state, emitted }: Snapshot): void {
		this.counts.rollbacks++;
		this.memory = JSON.parse(state) as IDataObject;
		// Only what the older state had not seen may come again
		this.emitted = new Set(emitted);
	}

	private edit(event: EventName, change: Edit, isWhileReading = false): void {
		this.counts.edits++;
		const lookback = this.history.lookbackDays * DAY;
		switch (change.do) {
			case 'discover':
				for (let n = 0; n < change.count; n++) this.add(event, this.time);
				return;
			case 'late':
				// Inside the look-back, as far as the clocks can agree on it
				this.add(event, this.newest(event) - change.ago * (lookback - 12 * HOUR));
				return;
			case 'future':
				this.add(event, this.time + change.days * DAY);
				return;
			case 'undated':
				this.add(event, undefined);
				return;
			default: {
				const candidates = this.records.filter(
					(record) => record.event === event && record.status !== 'archived',
				);
				const record = candidates[change.which % candidates.length];
				if (!record) return;
				if (isWhileReading && change.do === 'requeue') this.slips(record);
				record.status = ({ remove: 'archived', process: 'processed', requeue: 'new' } as const)[
					change.do
				];
			}
		}
	}

	/**
	 * A record that moves back to the new ones, after those were read, is in neither list. After a long pause nothing but
	 * its own time tells then that it is known, so one without a time may come again (docs/reliability.md).
	 */
	private slips(record: Known): void {
		if (record.time === undefined && this.emitted.delete(record.id)) record.isDue = false;
	}

	private add(event: EventName, time: number | undefined, isDue = true): void {
		const number = this.created++;
		const record: Known = {
			id: `${event}-${number}`,
			event,
			time,
			status: 'new',
			isOwnDomain: number % 3 === 0,
			isDue,
		};
		// Some lists show the newest first, others have no order that anybody stated
		const place = event === 'citedPage' ? 0 : (number * 7919) % (this.records.length + 1);
		this.records.splice(place, 0, record);
	}

	/** The greatest time that the service may have given so far: the look-back reaches back from there. */
	private newest(event: EventName): number {
		const times = this.records.flatMap((record) =>
			record.event === event ? (record.time ?? []) : [],
		);
		return times.length > 0 ? Math.min(this.time, Math.max(...times)) : this.time;
	}

	private fits(record: Known): boolean {
		return record.event === 'question' || this.settings.ownership === 'any' || !record.isOwnDomain;
	}

	private answer(
		{ path, query = {} }: ServiceRequest,
		number: number,
		faults: Fault[],
	): ServiceAnswer {
		const headers = this.history.tellsTime ? { date: new Date(this.time).toUTCString() } : {};
		for (const { at, kind } of faults) {
			if (kind.endsWith('for good') ? number < at : number !== at) continue;
			if (kind.startsWith('cut'))
				throw new failure.RequestFailure('network', { code: 'ECONNRESET' });
			if (kind === '429') return { statusCode: 429, headers: { 'retry-after': '1' }, body: {} };
			if (kind === '429 long')
				return { statusCode: 429, headers: { 'retry-after': '86400' }, body: {} };
			if (kind.startsWith('500')) return { statusCode: 500, headers: {}, body: {} };
			if (kind === '401') return { statusCode: 401, headers: {}, body: {} };
			return { statusCode: 200, headers, body: kind === 'html' ? '<html>' : '{"da' };
		}
		const items = this.list(path, query);
		const offset = Number(query.offset);
		const page = items.slice(offset, offset + Number(query.limit));
		return { statusCode: 200, headers, body: { data: { total: items.length, items: page } } };
	}

	private list(path: string, query: IDataObject): IDataObject[] {
		const event: EventName = path === '/v1/people-also-ask' ? 'question' : 'citedPage';
		const statuses = String(query.type ?? query.status).split(',');
		const from = query.startDate ? Date.parse(String(query.startDate)) : Number.NEGATIVE_INFINITY;
		return this.records
			.filter((record) => record.event === event && statuses.includes(record.status))
			.filter(({ time }) => event === 'question' || time === undefined || time >= from)
			.map(({ id, time, isOwnDomain }) => {
				const iso = time === undefined ? null : new Date(time).toISOString();
				return event === 'question'
					? { id, createdAt: iso }
					: { id, firstSeenAt: iso, isOwnDomain };
			});
	}
}
