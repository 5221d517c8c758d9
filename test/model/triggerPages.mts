import type { IDataObject } from 'n8n-workflow';

import type { ServiceAnswer } from '../../nodes/shared/request/answers.ts';
import type { ServiceRequest } from '../../nodes/shared/request/client.ts';
import type { EventFailure } from '../../nodes/SearchVisibilityTrigger/errors.ts';
import type { Settings } from '../../nodes/SearchVisibilityTrigger/settings.ts';
import * as client from '../../nodes/shared/request/client.ts';
import * as gate from '../../nodes/shared/request/gate.ts';
import * as polling from '../../nodes/SearchVisibilityTrigger/poll.ts';
import { DAY } from './triggerService.mts';
import { VirtualClock } from '../unit/virtualClock.mts';

export const NOW = Date.UTC(2026, 0, 31, 12);

export interface Page {
	id: string;
	/** Days before now; null: no time */
	age: number | null;
	/** Days before now */
	citedAge?: number;
	status?: 'new' | 'processed';
}

export type Sorting = 'kept' | 'ignored' | 'refused';

/** A service with cited pages, most-cited first: here, in the given order. */
export class World {
	pages: Page[] = [];

	questions: string[] = [];

	sent: IDataObject[] = [];

	now = NOW;

	sorting: Sorting = 'kept';

	undatedAre: 'first' | 'last' = 'last';

	refused?: string | undefined;

	/** A question that comes on no page: on each, another one that it ties with stands in its place */
	hidden?: string | undefined;

	reported: EventFailure[] = [];

	onRequest?: ((query: IDataObject) => void) | undefined;

	state: IDataObject = {};

	async poll(settings: Partial<Settings> = {}, canReport = true): Promise<string[]> {
		this.listed.clear();
		const clock = new VirtualClock();
		const send = async (sent: ServiceRequest) => this.answer(sent);
		const found = await polling.poll(
			{
				events: ['citedPage'],
				domain: '',
				ownership: 'any',
				platforms: [],
				lookbackDays: 3,
				includeProcessed: true,
				emitExisting: false,
				maxItems: 500,
				...settings,
			},
			{
				newClient: () => new client.ServiceClient({ gate: new gate.Gate(5, clock), clock, send }),
				baseUrl: 'https://a.example',
				workspace: async () => await Promise.resolve(undefined),
				load: () => this.state,
				save: (state) => void (this.state = JSON.parse(JSON.stringify(state)) as IDataObject),
				now: () => this.now,
				report: (failure) => {
					this.reported.push(failure);
					return canReport;
				},
			},
		);
		return found.map(({ id }) => String(id));
	}

	/** The queries of one poll. */
	async cost(settings: Partial<Settings> = {}): Promise<IDataObject[]> {
		this.sent = [];
		await this.poll(settings);
		return this.sent;
	}

	/** The lists of one poll, by query: sorting thousands of pages for each request takes seconds. */
	private listed = new Map<string, Page[]>();

	private async answer({ path, query = {} }: ServiceRequest): Promise<ServiceAnswer> {
		this.sent.push(query);
		this.onRequest?.(query);
		if (this.onRequest) this.listed.clear();
		const status = (statusCode: number) => ({ statusCode, headers: {}, body: {} });
		if (path === this.refused) return status(403);
		if (query.sortBy && this.sorting === 'refused') return status(422);
		const [offset, limit] = [Number(query.offset), Number(query.limit)];
		const isQuestions = path === '/v1/people-also-ask';
		const all = isQuestions ? this.questions : this.listedPages(query);
		const page = all.slice(offset, offset + limit);
		const other = all[offset % 100];
		const items = page.map((one) => this.show(one === this.hidden && other ? other : one));
		const data = { total: all.length, offset, limit, count: items.length, items };
		return { statusCode: 200, headers: {}, body: { data } };
	}

	private listedPages({ offset, limit, ...query }: IDataObject): Page[] {
		const key = JSON.stringify(query);
		const listed = this.listed.get(key) ?? this.list(query);
		this.listed.set(key, listed);
		return listed;
	}

	private list(query: IDataObject): Page[] {
		const from = Date.parse(String(query.startDate ?? '1970-01-01'));
		const listed = this.pages.filter(
			({ status = 'new', age, citedAge = age ?? 0 }) =>
				status === query.type && NOW - citedAge * DAY >= from,
		);
		const isFirst = this.undatedAre === 'first';
		const undated = isFirst === (query.sortOrder === 'asc') ? 1e9 : -1e9;
		if (query.sortBy && this.sorting === 'kept') {
			const sign = query.sortOrder === 'asc' ? -1 : 1;
			listed.sort((a, b) => sign * ((a.age ?? undated) - (b.age ?? undated)));
		}
		return listed;
	}

	private show(one: string | Page): IDataObject {
		if (typeof one === 'string') return { id: one, createdAt: this.iso(0), status: 'new' };
		return { id: one.id, firstSeenAt: one.age === null ? null : this.iso(one.age) };
	}

	private readonly iso = (age: number) => new Date(NOW - age * DAY).toISOString();
}

/** Old pages, all cited again today, in an order unrelated to time. */
export const oldPages = (count: number): Page[] =>
	Array.from({ length: count }, (_, n) => ({
		id: `old${n}`,
		age: 10 + ((n * 37) % count) / 10,
		citedAge: 0,
		status: n % 6 === 5 ? 'processed' : 'new',
	}));

export const worldOf = (changes: Partial<World>) => Object.assign(new World(), changes);
