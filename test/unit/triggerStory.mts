import type { IDataObject } from 'n8n-workflow';
import { expect } from 'vitest';

import type { EventFailure } from '../../nodes/SearchVisibilityTrigger/errors.ts';
import type { EventName } from '../../nodes/SearchVisibilityTrigger/events.ts';
import { EVENT_NAMES, EVENTS } from '../../nodes/SearchVisibilityTrigger/events.ts';
import type { EventState } from '../../nodes/SearchVisibilityTrigger/memory.ts';
import { poll, sample } from '../../nodes/SearchVisibilityTrigger/poll.ts';
import type { TriggerSettings } from '../../nodes/SearchVisibilityTrigger/settings.ts';
import type { ServiceResponse } from '../../nodes/shared/request/responses.ts';
import { RequestFailure } from '../../nodes/shared/errors/requestFailure.ts';
import type { ServiceRequest } from '../../nodes/shared/request/client.ts';
import { ServiceClient } from '../../nodes/shared/request/client.ts';
import { Gate } from '../../nodes/shared/request/gate.ts';
import { defined } from '../defined.mts';
import { VirtualClock } from './virtualClock.mts';

/*
 * A test of the trigger says what the service lists, and what each poll emits:
 *
 *   const trigger = story({ question: [{ id: 'old', age: 5 }] });
 *   expect(await trigger.poll()).toEqual([]);
 *   trigger.lists.question.push({ id: 'new' });
 *   expect(await trigger.poll()).toEqual(['new']);
 */

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const START = Date.UTC(2026, 0, 31, 12);

export type One = {
	id: string;
	/** Days before START when the service found it; null for a record without a time */
	age?: number | null;
	/** Days before START when the page was last cited, if that is later */
	citedAge?: number;
	status?: 'new' | 'processed';
	/** Other fields, as the service shows them */
	more?: IDataObject;
};

/** The events whose records have a time. Article Ready looks at a field of the questions. */
export const DATED_EVENTS = EVENT_NAMES.filter((event) => EVENTS[event].timeField !== undefined);

/** Empty lists of all events. */
export const noRecords = () =>
	Object.fromEntries(EVENT_NAMES.map((name) => [name, []])) as unknown as Record<EventName, One[]>;

const changeNothing = () => {};

export class Story {
	now = START;
	settings: Partial<TriggerSettings> = {};
	lists = noRecords();
	/** What the service does when it is asked for an order by time; without one, it lists records as they stand here */
	sorting: 'kept' | 'ignored' | 'refused' = 'kept';
	/** What the service says of how many records a list has, if not the truth */
	total: number | undefined;
	/** At most so many records are on a page */
	pageSize = 100;
	/** A record that comes on no page: others with the same time stand in its place, in turn, as in a database */
	hidden: (query: IDataObject) => string | undefined = () => undefined;
	/** Called before each answer; may change the lists, throw, or refuse with a status */
	onRequest: (query: IDataObject, event: EventName) => number | void = changeNothing;
	/** Its ID, or the failure to get it */
	workspace: string | null | RequestFailure = 'ws';
	/** Whether n8n can show a failure while the poll goes on */
	canReport = true;
	reported: EventFailure[] = [];
	/** The queries since this was emptied */
	sent: IDataObject[] = [];
	state: IDataObject = {};
	/** The records for each query, as long as nothing can have changed them: 10,000 are asked for page by page */
	private readonly rowsByQuery = new Map<string, One[]>();

	/** @returns the IDs that the poll emits */
	async poll(settings: Partial<TriggerSettings> = {}): Promise<string[]> {
		return (await this.pollItems(settings)).map(({ id }) => String(id));
	}

	/** @returns the items that the poll emits */
	async pollItems(settings: Partial<TriggerSettings> = {}): Promise<IDataObject[]> {
		this.rowsByQuery.clear();
		return await poll(this.settingsWith(settings), this.tools);
	}

	/** What Fetch Test Event shows. */
	async sample(settings: Partial<TriggerSettings> = {}): Promise<IDataObject[]> {
		this.rowsByQuery.clear();
		return await sample(this.settingsWith(settings), this.tools);
	}

	/** @returns what a poll asks for, in a short form: order, list, from where to where */
	async asked(settings?: Partial<TriggerSettings>): Promise<string[]> {
		this.sent = [];
		await this.poll(settings);
		return this.sent.map(({ sortOrder, startDate, type, scope, status, offset, limit }) => {
			const range = `${Number(offset)}-${Number(offset) + Number(limit)}`;
			return [sortOrder, startDate, type ?? scope ?? status, range].filter(Boolean).join(' ');
		});
	}

	/** What is stored of an event. */
	stateOf(event: EventName): EventState {
		return defined(this.state.events as Record<string, EventState>)[event] as EventState;
	}

	private settingsWith(changes: Partial<TriggerSettings>): TriggerSettings {
		return {
			events: [],
			domain: '',
			ownership: 'any',
			platforms: [],
			lookbackDays: undefined,
			includeProcessed: true,
			emitExisting: false,
			maxItems: 500,
			...this.settings,
			...changes,
		};
	}

	private get tools() {
		return {
			newClient: (event: EventName) =>
				new ServiceClient({
					gate: new Gate({ concurrency: 5, timeout: 30_000 }, new VirtualClock()),
					send: async (request: ServiceRequest) =>
						await Promise.resolve(this.answer(request, event)),
				}),
			baseUrl: 'https://a.example',
			credentialHash: 'hash',
			workspace: async () => {
				if (this.workspace instanceof RequestFailure) throw this.workspace;
				return await Promise.resolve({ workspaceId: this.workspace, workspaceName: 'Acme' });
			},
			load: () => this.state,
			save: (state: IDataObject) =>
				void (this.state = JSON.parse(JSON.stringify(state)) as IDataObject),
			now: () => this.now,
			report: (failure: EventFailure) => this.canReport && this.reported.push(failure) > 0,
		};
	}

	/** @param asking whose client asks: two events may read the same list, and a filter may read the tracked competitors */
	answer({ query = {} }: ServiceRequest, asking: EventName): ServiceResponse {
		const event = query.scope === 'tracked' ? 'competitor' : asking;
		this.sent.push(query);
		const isRefused = query.sortBy && this.sorting === 'refused';
		const statusCode = this.onRequest(query, event) ?? (isRefused ? 422 : 200);
		if (statusCode !== 200) return { statusCode, headers: {}, body: {} };
		const { offset: from, limit: most, ...others } = query;
		const key = JSON.stringify([event, others]);
		if (this.onRequest !== changeNothing) this.rowsByQuery.clear();
		const rows = this.rowsByQuery.get(key) ?? this.rows(event, others);
		this.rowsByQuery.set(key, rows);
		const offset = Number(from);
		const limit = Number(most);
		const page = rows.slice(offset, offset + Math.min(limit, this.pageSize));
		const hidden = this.hidden(query);
		const twinOf = ({ id, age }: One) => {
			const twins = rows.filter((row) => row.age === age && row.id !== id);
			return twins[this.sent.length % twins.length];
		};
		const items = page.map((one) => this.show(event, (one.id === hidden && twinOf(one)) || one));
		const data = { total: this.total ?? rows.length, offset, limit, count: items.length, items };
		return { statusCode, headers: {}, body: { data } };
	}

	private rows(event: EventName, query: IDataObject): One[] {
		const from = query.startDate ? Date.parse(String(query.startDate)) : -Infinity;
		const isOn = (more: IDataObject = {}) =>
			!query.domain || String(more.domain).includes(String(query.domain));
		const isListed = ({ status = 'new', age, citedAge = age ?? 0, more }: One) =>
			isOn(more) &&
			(!query.type || (query.type === 'processed') === (status === 'processed')) &&
			START - citedAge * DAY >= from;
		const rows = this.lists[event].filter(isListed);
		if (!query.sortBy || this.sorting !== 'kept') return rows;
		// The oldest first, and records without a time last
		const placeOf = ({ age = 0 }: One) => (age === null ? Infinity : -age);
		const sign = query.sortOrder === 'asc' ? 1 : -1;
		return rows.sort((a, b) => sign * (placeOf(a) - placeOf(b) || 0));
	}

	private show(event: EventName, { id, age = 0, status = 'new', more }: One): IDataObject {
		const time = age === null ? null : new Date(START - age * DAY).toISOString();
		return { id, [EVENTS[event].timeField ?? 'updatedAt']: time, status, ...more };
	}
}

/** @returns a trigger that waits for the events whose lists are given, even if they are empty */
export function story(lists: Partial<Story['lists']>, changes: Partial<Story> = {}): Story {
	const events = EVENT_NAMES.filter((name) => lists[name]);
	const one = Object.assign(new Story(), changes);
	Object.assign(one.lists, lists);
	one.settings = { events, ...changes.settings };
	return one;
}

/** A trigger after its silent first poll. */
export async function started(...given: Parameters<typeof story>): Promise<Story> {
	const trigger = story(...given);
	expect(await trigger.poll()).toEqual([]);
	return trigger;
}

/** Records, the youngest first. */
export const many = (count: number, ageOf = (n: number) => n / 10, id = 'r'): One[] =>
	Array.from({ length: count }, (_, n) => ({ id: `${id}${n}`, age: ageOf(n) }));
