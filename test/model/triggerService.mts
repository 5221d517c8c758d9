import type { IDataObject } from 'n8n-workflow';

import type { ServiceResponse } from '../../nodes/shared/request/responses.ts';
import type { ServiceRequest } from '../../nodes/shared/request/client.ts';
import { itemAt } from '../defined.mts';
import type { Store } from '../sandbox/store.mts';
import * as failure from '../../nodes/shared/errors/requestFailure.ts';
import type { EventName } from '../../nodes/SearchVisibilityTrigger/events.ts';
import { EVENTS } from '../../nodes/SearchVisibilityTrigger/events.ts';
import { DATED_EVENTS, DAY, HOUR } from '../unit/triggerStory.mts';
import type { Edit, Fault, History } from './triggerSteps.mts';

const START = Date.UTC(2026, 0, 1) + 400 * DAY;

/** A record of the service, and what the trigger owes to the workflow because of it. */
export interface Known {
	id: string;
	/** Records are numbered in order of appearance */
	number: number;
	service: string;
	event: EventName;
	/** Undefined if the service gives none */
	time?: number | undefined;
	citedAt: number;
	status: 'new' | 'processed' | 'archived';
	isOwnDomain: boolean | null;
	domain: string;
	platforms: string[];
	/**
	 * due: must be emitted. known: must not be emitted. hidden: existed when a poll could not let it through. open:
	 * either is right (docs/trigger.md names the cases)
	 */
	stand: 'due' | 'known' | 'hidden' | 'open';
	wasEmitted: boolean;
	/** When a poll last certainly found it, or could not forget it */
	listedAt: number;
	/** Whether a poll did not list it since it was last emitted: without a time, it may then be forgotten */
	wasAway: boolean;
	/** The number of the poll during which it changed */
	touchedIn: number;
	/** Of a question that has an article: what Article Ready owes because of it, which has the ID of the question */
	article?: Known;
}

/** Whether an event has one list with new and processed records, which the service sorts by time without being asked. */
export const isJoined = (event: EventName) =>
	EVENTS[event].listQueries.some(({ status }) => status === 'new,processed');

/** Whose records the event lists: the articles are a field of the questions. */
const listedFor = (event: EventName) => (event === 'articleReady' ? 'question' : event);

/** What the contract does not say of a service, and how many records of each event it has at the start. */
type Nature = Pick<History, 'existing' | 'format' | 'sorting' | 'tellsTime' | 'undatedAre'>;

export class Service {
	readonly records: Known[] = [];
	baseUrl = 'https://a.example';
	time = START;
	/** The shortest look-back so far, in days, which limits how late a record may appear */
	shortest = Infinity;
	/** The event whose times are currently missing */
	vanished?: EventName | undefined;
	edits = 0;

	constructor(
		private readonly nature: Nature,
		private readonly store: Store,
	) {
		for (let n = 0; n < nature.existing; n++) {
			for (const event of DATED_EVENTS) this.add(event, this.time - n * 7 * HOUR);
			if (n % 2 === 0) this.answer(1, 0);
		}
	}

	/**
	 * @param asking whose client asks: two events may read the same list
	 * @param number which request of the poll this is
	 */
	respond(
		{ query = {} }: ServiceRequest,
		asking: EventName,
		number: number,
		faults: Fault[],
	): ServiceResponse {
		const { tellsTime, sorting } = this.nature;
		const headers = tellsTime ? { date: new Date(this.time).toUTCString() } : {};
		const fault = faults.find(
			({ at, kind, event: hit = asking }) =>
				hit === asking && (kind.endsWith('for good') ? number >= at : number === at),
		);
		if (fault) return failed(fault.kind, headers);
		const event = listedFor(asking);
		if (event === 'citedPage' && query.sortBy && sorting === 'refused') {
			return { statusCode: 400, headers, body: { message: 'Unknown parameter: sortBy' } };
		}
		const rows = this.list(event, query);
		const offset = Number(query.offset);
		const limit = Number(query.limit);
		const items = this.page(rows, event, query).map((record) => this.show(record));
		const data = { total: rows.length, offset, limit, count: items.length, items };
		return { statusCode: 200, headers, body: { data } };
	}

	private list(event: EventName, query: IDataObject): Known[] {
		const statuses = String(query.type ?? query.status ?? 'new,processed').split(',');
		const wanted = statuses.map((status) => (status === 'competitors' ? 'new' : status));
		const from = query.startDate ? Date.parse(String(query.startDate)) : -Infinity;
		const domain = String(query.domain ?? '').toLowerCase();
		return this.recordsOf(event).filter(
			({ status, citedAt, domain: own }) =>
				wanted.includes(status) && citedAt >= from && own.includes(domain),
		);
	}

	/** @returns the record that an item of the trigger is about */
	recordOf({ id, event }: IDataObject): Known {
		const record = itemAt(this.records, Number(String(id).split('-')[1]));
		return (event === 'articleReady' && record.article) || record;
	}

	/** Those of the service that is asked now. */
	private recordsOf(event: EventName): Known[] {
		return this.records.filter((one) => one.event === event && one.service === this.baseUrl);
	}

	/** The order of equal records is that of PostgreSQL, and differs from page to page. */
	private page(rows: Known[], event: EventName, query: IDataObject): Known[] {
		const { hasStartDate } = EVENTS[event];
		// Only the order of cited pages is a guess (contract 4.8)
		const isSorted = query.sortBy && (!hasStartDate || this.nature.sorting === 'kept');
		const isByTime = isSorted || isJoined(event);
		const order = isSorted ? String(query.sortOrder) : 'DESC';
		const undated = this.nature.undatedAre === 'first' ? 'FIRST' : 'LAST';
		const keys = rows.map(({ time, number }) => (isByTime ? (time ?? null) : number % 3));
		const numbers = rows.map(({ number }) => number);
		const places = this.store.query<{ number: number }>(
			`SELECT number FROM ROWS FROM (
				jsonb_array_elements_text($1) , jsonb_array_elements_text($2)
			) AS list (number, key) ORDER BY key::float8 ${order} NULLS ${undated} LIMIT $3 OFFSET $4`,
			[numbers, keys, Number(query.limit), Number(query.offset)],
		);
		return places.map(({ number }) => itemAt(this.records, Number(number)));
	}

	private show(record: Known): IDataObject {
		const { id, event, time, status, isOwnDomain, domain, platforms, article } = record;
		const shown = {
			id,
			event: 'a field of the service',
			[String(EVENTS[event].timeField)]: this.vanished === event ? null : this.write(time),
		};
		if (isJoined(event)) return { ...shown, status, articleId: article && `article of ${id}` };
		return EVENTS[event].hasFilters ? { ...shown, isOwnDomain, domain, platforms } : shown;
	}

	private write(time: number | undefined): string | null {
		if (time === undefined) return null;
		const iso = new Date(time).toISOString();
		const { format } = this.nature;
		if (format === 'iso') return iso;
		const zoneless = iso.slice(0, -1);
		return format === 'zoneless' ? zoneless : `${zoneless.replace('T', ' ')} +00:00`;
	}

	/** @param poll the number of the poll under way, if there is one */
	edit(event: EventName, change: Edit, poll = 0): void {
		this.edits++;
		if (event === 'articleReady') return this.editArticles(change, poll);
		switch (change.do) {
			case 'discover':
				for (let n = 0; n < change.count; n++) this.add(event, this.time);
				return;
			case 'late':
				// Within the look-back, as far as the clocks can agree on it
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

	/** Nobody knows when a question gets its article: at once, late, without ever having had a time, or many together. */
	private editArticles(change: Edit, poll: number): void {
		switch (change.do) {
			case 'discover':
				return this.answer(change.count, 0);
			case 'late':
				return this.answer(1, change.ago);
			case 'future':
				this.add('question', this.time + change.days * DAY);
				return this.answer(1, 0);
			case 'undated':
				this.add('question', undefined);
				return this.answer(1, 0);
			default:
				return this.change('articleReady', change, poll);
		}
	}

	/**
	 * Questions get their articles. If all have one, new questions come with one.
	 * @param ago which questions are the first to get one, from 0 for the newest to 1 for the oldest
	 */
	answer(count: number, ago: number): void {
		const isOpen = ({ status, article }: Known) => status !== 'archived' && !article;
		const open = this.recordsOf('question').filter(isOpen).reverse();
		const chosen = open.slice(Math.floor(ago * Math.max(0, open.length - 1))).slice(0, count);
		for (let n = chosen.length; n < count; n++) chosen.push(this.add('question', this.time));
		for (const question of chosen) {
			question.article = this.add('articleReady', undefined);
			question.article.status = question.status;
		}
	}

	private change(event: EventName, change: Extract<Edit, { which: number }>, poll: number): void {
		const candidates = this.recordsOf(event).filter(({ status }) => status !== 'archived');
		// Records without a time are rare, and most at risk when they are cited again
		const undated = candidates.filter(({ time }) => time === undefined);
		const chosen = change.do === 'cite' && undated.length > 0 ? undated : candidates;
		const record = chosen[change.which % chosen.length];
		if (!record) return;
		const both = this.records.filter((one) => one.article === record || one === record.article);
		both.push(record);
		if (poll > 0) for (const one of both) one.touchedIn = poll;
		if (change.do === 'cite') {
			// Never earlier than its first citation, whatever the service's clock says
			record.citedAt = Math.max(record.citedAt, this.time);
			record.platforms = ['answer_engine', 'chat_assistant'];
			return;
		}
		const statuses = { remove: 'archived', process: 'processed', requeue: 'new' } as const;
		// A competitor is either discovered or no longer in the list: none is processed
		const isTriaged = JSON.stringify(EVENTS[event].listQueries).includes('processed');
		if (!isTriaged && change.do !== 'remove') return;
		for (const one of both) one.status = statuses[change.do];
	}

	add(event: EventName, time: number | undefined): Known {
		const number = this.records.length;
		const record: Known = {
			id: `${event}-${number}`,
			number,
			service: this.baseUrl,
			event,
			time,
			citedAt: Math.max(time ?? 0, this.time),
			status: 'new',
			isOwnDomain: itemAt([true, false, null], number % 3),
			domain: itemAt(['a.example', 'sub.a.example', 'b.example'], (number >> 2) % 3),
			platforms: number % 5 === 0 ? ['chat_assistant'] : ['answer_engine'],
			stand: 'due',
			wasEmitted: false,
			listedAt: this.time,
			wasAway: false,
			touchedIn: 0,
		};
		this.records.push(record);
		return record;
	}

	/** The latest time that the service may have given so far, from which the look-back counts. */
	private newest(event: EventName): number {
		const times = this.recordsOf(event).flatMap(({ time }) => time ?? []);
		return times.length > 0 ? Math.min(this.time, Math.max(...times)) : this.time;
	}
}

function failed(kind: Fault['kind'], headers: IDataObject): ServiceResponse {
	if (kind.startsWith('cut')) throw new failure.RequestFailure('network', { code: 'ECONNRESET' });
	const wait = { 'retry-after': kind === '429 long' ? '86400' : '1' };
	const status = /^[45]\d\d/.exec(kind)?.[0];
	if (status) {
		return { statusCode: Number(status), headers: status === '429' ? wait : {}, body: {} };
	}
	return { statusCode: 200, headers, body: kind === 'html' ? '<html>' : '{"da' };
}
