import { expect, it } from 'vitest';

import type { EventName } from '../../nodes/SearchVisibilityTrigger/events.ts';
import { EVENT_NAMES } from '../../nodes/SearchVisibilityTrigger/events.ts';
import { isListPath, lists } from '../sandbox/lists.mts';
import { STORED_KINDS } from '../sandbox/schema.mts';
import { State } from '../sandbox/state.mts';
import { openStore } from '../sandbox/store.mts';
import { amount } from '../seed.mts';
import { DAY, HOUR, START, story } from '../unit/triggerStory.mts';

type Batches = Record<EventName, number>;

/** The nth record of each kind of a night: all have one time. */
function recordsOf(n: number, at: number): Record<EventName, object> {
	const iso = (days = 0) => new Date(at - days * DAY).toISOString();
	const domain = `${n}.example`;
	const url = `https://${domain}/${at}`;
	const status = 'new';
	const times = { createdAt: iso(), updatedAt: iso() };
	const citations = new Array(1 + (n % 3)).fill({ at, platform: 'answer_engine' });
	return {
		citedPage: { url, domain, title: `Page ${n}`, isOwnDomain: false, status, citations },
		backlink: {
			...{ domainFrom: domain, urlFrom: url, urlTo: 'https://rival.example/', own: false, status },
			...{ domainFromRank: n % 5, backlinkSpamScore: n % 7, competitorId: null, archivedAt: null },
			// A few links are found later than the service first saw them, and tie with those of that night
			firstSeen: iso(n % 10 === 0 ? 1 + ((n / 10) % 7) : 0),
		},
		competitor: {
			name: `Rival ${n}`,
			domain,
			mentions: 1 + (n % 3),
			state: 'discovered',
			...times,
		},
		question: {
			question: `Which tea is ${n}?`,
			status,
			articleId: null,
			archivedAt: null,
			...times,
		},
	};
}

/**
 * A service that discovers everything at night, in one batch with one time. The lists are those of the sandbox, with
 * PostgreSQL's own order of equal records on every page.
 */
async function openService() {
	const records = Object.fromEntries(STORED_KINDS.map((kind) => [kind, []])) as never;
	const state = new State(await openStore(), { workspace: {} as never, records });
	const discover = (batches: Batches, at: number) =>
		EVENT_NAMES.flatMap((event) => {
			const batch = Array.from({ length: batches[event] }, (_, n) => recordsOf(n, at)[event]);
			return state.addAll(event, batch as never[]);
		});
	const trigger = story(
		{ citedPage: [], backlink: [], competitor: [], question: [] },
		{
			settings: { maxItems: 10_000 },
			answer: ({ path, query = {} }) => {
				if (!isListPath(path)) throw new Error(`Not a list: ${path}`);
				const status = typeof query.status === 'string' ? query.status.split(',') : undefined;
				const asked = { sortBy: 'citations', sortOrder: 'desc', ...query, status };
				return { statusCode: 200, headers: {}, body: lists[path].page(state, asked) };
			},
		},
	);
	return { state, discover, trigger };
}

it.each<[number, string, Batches]>([
	[amount(3, 30), 'small', { citedPage: 40, backlink: 40, competitor: 3, question: 10 }],
	[amount(1, 30), 'medium', { citedPage: 150, backlink: 150, competitor: 5, question: 30 }],
	[amount(1, 30), 'large', { citedPage: 300, backlink: 300, competitor: 8, question: 100 }],
])(
	'%i nights with %s batches of one time start the workflow once for each record, without a failed poll',
	{ timeout: amount(600_000, 3_600_000) },
	async (nights, _, batches) => {
		const { state, discover, trigger } = await openService();
		const existing = { citedPage: 20, backlink: 30, competitor: 2, question: 10 };
		for (let ago = 20; ago > 0; ago--) discover(existing, START - ago * DAY);
		expect(await trigger.poll()).toEqual([]);
		const [added, emitted] = [[] as string[], [] as string[]];
		const poll = async (times: number) => {
			for (let n = 0; n < times; n++) {
				trigger.now += 8 * HOUR;
				emitted.push(...(await trigger.poll()));
			}
		};
		for (let night = 0; night < nights; night++) {
			added.push(...discover(batches, trigger.now + 2 * HOUR));
			await poll(3);
		}
		// What a poll cannot find comes with the following ones. How many it takes depends on the order of equal records
		// (x-assumed: PostgreSQL's), because the contract states none for questions, and no second key for competitors.
		await poll(4);
		expect(emitted.sort()).toEqual(added.sort());
		// With another order (x-assumed), an incomplete list of these two could be shown as a failure, and nothing lost
		expect(trigger.reported).toEqual([]);
		state.close();
	},
);
