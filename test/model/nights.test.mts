import type { IDataObject } from 'n8n-workflow';
import { beforeAll, describe, expect, it } from 'vitest';

import type { ServiceRequest } from '../../nodes/shared/request/client.ts';
import { isListPath, lists, type Query } from '../sandbox/lists.mts';
import { STORED_KINDS } from '../sandbox/schema.mts';
import { State } from '../sandbox/state.mts';
import { openStore, type Store } from '../sandbox/store.mts';
import { amount } from '../seed.mts';
import * as client from '../../nodes/shared/request/client.ts';
import * as gate from '../../nodes/shared/request/gate.ts';
import * as polling from '../../nodes/SearchVisibilityTrigger/poll.ts';
import { VirtualClock } from '../unit/virtualClock.mts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 2, 1);
const EVENTS = ['citedPage', 'backlink', 'competitor', 'question'] as const;

type Batches = Record<(typeof EVENTS)[number], number>;

/**
 * A service that discovers everything at night, in one batch with one time. The lists are those of the sandbox, with
 * PostgreSQL's own order of equal records on every page.
 */
class Service {
	readonly state: State;

	readonly added: string[] = [];

	now = START;

	requests = 0;

	constructor(store: Store, existing: Batches) {
		const records = Object.fromEntries(STORED_KINDS.map((kind) => [kind, []])) as never;
		this.state = new State(store, { workspace: {} as never, records });
		for (let ago = 20; ago > 0; ago--) this.discover(existing, START - ago * DAY);
		this.added.length = 0;
	}

	discover(batches: Batches, at: number): void {
		const isoBefore = (days: number) => new Date(at - days * DAY).toISOString();
		const iso = isoBefore(0);
		const times = { createdAt: iso, updatedAt: iso };
		// A few links are found later than the service first saw them, and tie with those of that night
		const seenBefore = (n: number) => isoBefore(n % 10 === 0 ? 1 + ((n / 10) % 7) : 0);
		const many = <T,>(event: keyof Batches, make: (n: number, page: string) => T) =>
			Array.from({ length: batches[event] }, (_, n) => make(n, `https://${n}.example/${at}`));
		const ids = [
			this.state.addAll(
				'citedPage',
				many('citedPage', (n, url) => ({
					...{ url, domain: `${n}.example`, title: `Page ${n}`, isOwnDomain: false },
					status: 'new' as const,
					citations: Array.from({ length: 1 + (n % 3) }, () => ({
						at,
						platform: 'answer_engine' as const,
					})),
				})),
			),
			this.state.addAll(
				'backlink',
				many('backlink', (n, url) => ({
					...{ domainFrom: `${n}.example`, urlFrom: url, urlTo: 'https://rival.example/' },
					...{ domainFromRank: n % 5, backlinkSpamScore: n % 7, own: false },
					...{ status: 'new' as const, competitorId: null, archivedAt: null },
					firstSeen: seenBefore(n),
				})),
			),
			this.state.addAll(
				'competitor',
				many('competitor', (n) => ({
					...{ name: `Rival ${n}`, domain: `${n}.example`, mentions: 1 + (n % 3), ...times },
					state: 'discovered' as const,
				})),
			),
			this.state.addAll(
				'question',
				many('question', (n) => ({
					...{ question: `Which tea is ${n}?`, articleId: null, archivedAt: null, ...times },
					status: 'new' as const,
				})),
			),
		];
		this.added.push(...ids.flat());
	}

	answer({ path, query = {} }: ServiceRequest): unknown {
		this.requests++;
		if (!isListPath(path)) throw new Error(`Not a list: ${path}`);
		const defaults: Query = { sortBy: 'citations', sortOrder: 'desc' };
		const split = (value: unknown) => (typeof value === 'string' ? value.split(',') : value);
		const asked = { ...defaults, ...query, status: split(query.status) };
		return lists[path].page(this.state, asked);
	}
}

/** The trigger of a workflow that polls this service. */
class Trigger {
	readonly emitted: string[] = [];

	/** How many polls had a failure to show */
	failures = 0;

	private memory: IDataObject = {};

	constructor(private readonly service: Service) {}

	async poll(): Promise<number> {
		const clock = new VirtualClock();
		const { service } = this;
		const send = async (sent: ServiceRequest) =>
			await Promise.resolve({
				statusCode: 200,
				headers: { date: new Date(service.now).toUTCString() },
				body: service.answer(sent),
			});
		const settings = {
			...{ events: [...EVENTS], domain: '', ownership: 'any' as const, platforms: [] },
			...{ lookbackDays: undefined, includeProcessed: true, emitExisting: false, maxItems: 10_000 },
		};
		const found = await polling.poll(settings, {
			newClient: () => new client.ServiceClient({ gate: new gate.Gate(5, clock), send }),
			baseUrl: 'https://a.example',
			workspace: async () => await Promise.resolve('ws'),
			load: () => this.memory,
			save: (state) => void (this.memory = JSON.parse(JSON.stringify(state)) as IDataObject),
			now: () => service.now,
			report: () => {
				this.failures++;
				return true;
			},
		});
		this.emitted.push(...found.map(({ id }) => String(id)));
		return found.length;
	}
}

let store: Store;
beforeAll(async () => (store = await openStore()));

describe.each<[number, string, Batches]>([
	[amount(3, 30), 'small', { citedPage: 40, backlink: 40, competitor: 3, question: 10 }],
	[amount(1, 30), 'medium', { citedPage: 150, backlink: 150, competitor: 5, question: 30 }],
	[amount(1, 30), 'large', { citedPage: 300, backlink: 300, competitor: 8, question: 100 }],
])('%i nights with %s batches of one time', (nights, _, batches) => {
	it(
		'start the workflow once for each record, without a failed poll',
		{ timeout: 600_000 },
		async () => {
			const service = new Service(store, {
				citedPage: 20,
				backlink: 30,
				competitor: 2,
				question: 10,
			});
			const trigger = new Trigger(service);
			expect(await trigger.poll()).toBe(0);
			for (let night = 0; night < nights; night++) {
				service.discover(batches, service.now + 2 * HOUR);
				for (let poll = 0; poll < 3; poll++) {
					service.now += 8 * HOUR;
					await trigger.poll();
				}
			}
			// What a poll cannot find comes with the following ones. How many it takes depends on the order of equal records
			// (x-assumed: PostgreSQL's), because the contract states none for questions, and no second key for competitors.
			for (let poll = 0; poll < 4; poll++) {
				service.now += 8 * HOUR;
				await trigger.poll();
			}
			expect(trigger.emitted).toHaveLength(new Set(trigger.emitted).size);
			const emitted = new Set(trigger.emitted);
			expect(service.added.filter((id) => !emitted.has(id))).toEqual([]);
			expect(emitted.size).toBe(service.added.length);
			// With another order (x-assumed), an incomplete list of these two could be shown as a failure, and nothing lost
			expect(trigger.failures).toBe(0);
			service.state.close();
		},
	);
});
