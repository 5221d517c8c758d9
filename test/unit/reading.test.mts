import { describe, expect, it } from 'vitest';

import { RequestFailure } from '../../nodes/shared/errors/requestFailure.ts';
import type { One, Story } from './triggerStory.mts';
import { DAY, HOUR, many, START, started, story } from './triggerStory.mts';

/** What a poll reads. What it emits is in poll.test.mts. */

type Asked = [what: string, lists: Partial<Story['lists']>, Partial<Story>, asked: string];

describe('a first poll', () => {
	it.each<Asked>([
		[
			'a sorted list as a whole, oldest first',
			{ backlink: many(250) },
			{},
			'asc competitors 0-100, asc competitors 100-200, asc competitors 200-300, asc processed 0-100',
		],
		['questions in no order', { question: many(3) }, {}, 'new,processed 0-100'],
		[
			'no processed records where they do not count',
			{ citedPage: many(3) },
			{ settings: { includeProcessed: false } },
			'asc new 0-100',
		],
	])('reads %s', async (_, lists, changes, asked) => {
		expect((await story(lists, changes).asked()).join(', ')).toBe(asked);
	});

	it('reads again, in the opposite order too, what equal records hide in one order', async () => {
		const trigger = story({ backlink: many(150, () => 1) });
		trigger.hidden = ({ sortOrder }) => (sortOrder === 'asc' ? 'r10' : undefined);
		expect((await trigger.asked()).some((query) => query.startsWith('desc'))).toBe(true);
		expect(trigger.stateOf('backlink').isComplete).toBe(true);
	});

	it('leaves the domain to the service, for cited pages only', async () => {
		const trigger = story({ citedPage: [], question: [] }, { settings: { domain: 'a.example' } });
		await trigger.poll();
		const domains = trigger.sent.map(({ type, domain }) => `${type} ${domain}`).sort();
		const expected = ['new a.example', 'processed a.example', 'undefined undefined'];
		expect(domains).toEqual(expected);
	});
});

describe('a poll', () => {
	const settings = { lookbackDays: 3 };
	const idle = 'desc competitors 0-100, desc processed 0-100';
	const pages = many(150).map((page) => ({ ...page, citedAge: 0 }));

	it.each<Asked>([
		['the newest page, however long the list is', { backlink: many(3000) }, { settings }, idle],
		[
			'a short list at once, though its records are equal',
			{ backlink: many(100, () => 1) },
			{},
			idle,
		],
		[
			'on from the end of the list, oldest first, until it reaches the floor',
			{ backlink: many(1000, (n) => n / 100) },
			{ settings },
			'desc competitors 0-100, asc competitors 800-900, asc competitors 700-800, asc competitors 600-700, desc processed 0-100',
		],
		[
			'the end of the list in both orders if equal records stand at the boundary',
			{ backlink: many(300, (n) => (n < 150 ? 1 : 50 + n)) },
			{},
			'desc competitors 0-100, asc competitors 200-300, asc competitors 100-200, desc processed 0-100',
		],
		[
			'on after pages that are smaller than asked',
			{ backlink: many(120, (n) => n / 100) },
			{ pageSize: 40 },
			'desc competitors 0-100, desc competitors 40-100, desc competitors 80-100, asc competitors 0-20, desc processed 0-100',
		],
		[
			'the pages that were cited since the day of the floor where the service ignores the order',
			{ citedPage: [...pages].reverse() },
			{ sorting: 'ignored' },
			'desc new 0-100, 2026-01-28 new 0-100, 2026-01-28 new 100-200, desc processed 0-100',
		],
		[
			'backlinks as a whole where the service refuses to sort: there is no day to ask for',
			{ backlink: many(150) },
			{ sorting: 'refused' },
			'desc competitors 0-100, competitors 0-100, competitors 100-200, desc processed 0-100, processed 0-100',
		],
	])('reads %s', async (_, lists, changes, asked) => {
		const trigger = await started(lists, changes);
		expect((await trigger.asked()).join(', ')).toBe(asked);
		const [event] = trigger.settings.events ?? [];
		expect(event && trigger.stateOf(event).isComplete).toBe(true);
	});

	it.each(['backlink', 'question'] as const)(
		'begins its pages elsewhere each time while records are missing: %s',
		async (event) => {
			const trigger = await started({ [event]: many(500, (n) => (n < 400 ? 1 : 50)) });
			trigger.lists[event].unshift({ id: 'hidden', age: 1 });
			trigger.hidden = () => 'hidden';
			await trigger.poll();
			const boundaries = new Set<string>();
			for (let hour = 1; hour < 5; hour++) {
				trigger.now = START + hour * HOUR;
				boundaries.add((await trigger.asked()).join());
			}
			expect(boundaries.size).toBe(4);
		},
	);

	it('sees at once that the service no longer keeps the order', async () => {
		const trigger = await started({ citedPage: pages });
		trigger.sorting = 'ignored';
		trigger.lists.citedPage.splice(70, 0, { id: 'deep', age: 0 });
		expect(await trigger.poll()).toEqual(['deep']);
	});

	it.each<[string, (list: One[]) => unknown]>([
		['grows', (list) => list.push({ id: 'new' })],
		['loses a record, so that one is not found', (list) => list.shift()],
	])('does not count as complete if the list %s meanwhile', async (_, change) => {
		const trigger = await started({ question: many(300) });
		let requests = 0;
		trigger.onRequest = () => void (++requests === 2 && change(trigger.lists.question));
		await trigger.poll();
		expect(trigger.stateOf('question').isComplete).toBe(false);
	});
});

it('with the pages of competitors, a poll reads the tracked ones as well, once', async () => {
	const trigger = await started({ citedPage: [] }, { settings: { ownership: 'competitors' } });
	trigger.lists.competitor.push({ id: 'c', more: { domain: 'b.example', name: 'B' } });
	trigger.lists.citedPage.push(
		{ id: 'theirs', more: { domain: 'blog.b.example' } },
		{ id: 'of nobody', more: { domain: null } },
	);
	expect(await trigger.sample()).toMatchObject([{ id: 'theirs', competitorName: 'B' }]);
	trigger.sent = [];
	expect(await trigger.poll()).toEqual(['theirs']);
	expect(trigger.sent.filter(({ type }) => !type)).toMatchObject([{ scope: 'tracked', offset: 0 }]);
	trigger.onRequest = ({ scope }) => (scope ? 403 : undefined);
	await expect(trigger.poll()).rejects.toMatchObject({ events: ['citedPage'] });
});

it('a total that cannot be true costs time, not memory', async () => {
	const trigger = await started(
		{ backlink: many(300) },
		{ total: 10 ** 15, settings: { lookbackDays: 90 } },
	);
	trigger.onRequest = () => {
		if (trigger.sent.length > 300) throw new RequestFailure('deadline');
	};
	await expect(trigger.poll()).rejects.toMatchObject({ events: ['backlink'] });
});

describe('once a day', () => {
	const list = { backlink: many(300) };

	it('a poll reads sorted lists as a whole as well', async () => {
		const trigger = await started(list);
		trigger.now = START + DAY - 1;
		expect(await trigger.asked()).toHaveLength(2 + 1);
		trigger.now = START + DAY;
		// The last page is full, so one more is asked for
		expect(await trigger.asked()).toHaveLength(3 + 4 + 1);
		expect(await trigger.asked()).toHaveLength(3);
	});

	it('what was found counts if there is no time for all of it', async () => {
		const trigger = await started(list);
		trigger.lists.backlink.push({ id: 'new', age: 0 });
		trigger.now = START + DAY;
		trigger.onRequest = ({ sortOrder, offset }) => {
			if (sortOrder === 'asc' && offset === 0) throw new RequestFailure('deadline');
		};
		expect(await trigger.poll()).toEqual(['new']);
		expect(trigger.reported).toEqual([]);
		expect(trigger.stateOf('backlink').isComplete).toBe(false);
		// It is tried again a day later
		expect(await trigger.asked()).toHaveLength(3);
	});
});

it('everything is read where only records without a time are at the end of the list', async () => {
	const trigger = await started({ citedPage: many(3) }, { sorting: 'refused' });
	trigger.lists.citedPage = [{ id: 'undated', age: null, citedAge: 0 }, ...many(3, () => 20)];
	expect(await trigger.poll()).toEqual(['undated']);
	expect(trigger.reported).toEqual([]);
});

it('of a record in two lists, the last appearance counts', async () => {
	const trigger = await started({ backlink: [] });
	const more = (status: string) => ({ more: { status } });
	trigger.lists.backlink.push(
		{ id: 'a', ...more('before') },
		{ id: 'a', status: 'processed', ...more('after') },
	);
	expect(await trigger.poll({ includeProcessed: true })).toEqual(['a']);
	expect(await trigger.sample()).toMatchObject([{ id: 'a', status: 'after' }]);
});

describe('Fetch Test Event', () => {
	it('reads one page of each list, the newest first, and shows the newest five of each event, oldest first', async () => {
		const trigger = story({ backlink: many(2500), question: many(2, (n) => 0.05 + n) });
		const shown = (await trigger.sample()).map(({ event, id }) => `${String(event)} ${String(id)}`);
		expect(shown).toEqual([
			'question r1',
			'backlink r4',
			'backlink r3',
			'backlink r2',
			'backlink r1',
			'question r0',
			'backlink r0',
		]);
		expect(trigger.sent).toMatchObject([
			{ status: 'new,processed', offset: 0, limit: 100 },
			{ type: 'competitors', offset: 0, limit: 100, sortBy: 'firstSeen', sortOrder: 'desc' },
			{ type: 'processed', offset: 0, limit: 100, sortBy: 'firstSeen', sortOrder: 'desc' },
		]);
		expect(trigger.state).toEqual({});
	});

	it('shows records without a time only if there are too few others', async () => {
		const undated = many(4).map((record) => ({ ...record, id: `u${record.id}`, age: null }));
		const trigger = story({ backlink: [...many(3), ...undated] });
		const shown = (await trigger.sample()).map(({ id }) => id);
		expect(shown).toHaveLength(5);
		expect(shown).toEqual(expect.arrayContaining(['r0', 'r1', 'r2']));
		trigger.lists.backlink = [...many(6), ...undated];
		expect((await trigger.sample()).map(({ id }) => id)).toEqual(['r4', 'r3', 'r2', 'r1', 'r0']);
	});

	it('shows what the filter lets through, also where the service refuses to sort', async () => {
		const pages = many(8).map((page, n) => ({ ...page, more: { isOwnDomain: n % 2 } }));
		const trigger = story({ citedPage: pages }, { sorting: 'refused' });
		expect((await trigger.sample({ ownership: 'own' })).map(({ id }) => id)).toEqual([
			'r7',
			'r5',
			'r3',
			'r1',
		]);
	});

	it.each(['citedPage', 'question'] as const)(
		'fails with the event that cannot be read: %s',
		async (failing) => {
			const trigger = story({ citedPage: [], question: [] });
			trigger.onRequest = (_, event) => (event === failing ? 403 : undefined);
			await expect(trigger.sample()).rejects.toMatchObject({ events: [failing], isOfAll: false });
			trigger.settings.events = [failing];
			await expect(trigger.sample()).rejects.toMatchObject({ events: [failing], isOfAll: true });
		},
	);
});
