import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { EventFailure } from '../../nodes/SearchVisibilityTrigger/pollErrors.ts';
import type { EventState } from '../../nodes/SearchVisibilityTrigger/state.ts';
import type { Settings } from '../../nodes/SearchVisibilityTrigger/triggerSettings.ts';
import * as failure from '../../nodes/shared/errors/requestFailure.ts';
import * as pollFailures from '../../nodes/SearchVisibilityTrigger/pollErrors.ts';
import * as triggerRecords from '../../nodes/SearchVisibilityTrigger/listedRecord.ts';
import { NOW, oldPages, type Page, type Sorting, worldOf } from '../model/triggerPages.mts';
import { DAY, HOUR } from '../model/triggerService.mts';

describe('the cost of an idle poll', () => {
	it('does not grow with the list if the service keeps the order', async () => {
		const world = worldOf({ pages: [...oldPages(3000), { id: 'recent', age: 1 }] });
		expect(await world.cost()).toHaveLength(26 + 5);
		const asked = (sent: IDataObject[]) =>
			sent.map(({ type, offset, limit }) => [type, offset, limit]);
		const ends = [
			['new', 2401, 100],
			['processed', 400, 100],
		];
		const idle = await world.cost();
		expect(asked(idle)).toEqual(ends);
		expect(idle.filter(({ startDate }) => startDate)).toEqual([]);
	});

	it('is that of the records since the floor, and of all of them once a day', async () => {
		const recent = Array.from({ length: 450 }, (_, n) => ({ id: `recent${n}`, age: 2 - n / 300 }));
		const world = worldOf({ pages: [...oldPages(3000), ...recent] });
		await world.poll();
		const costs: number[] = [];
		for (let hour = 0; hour <= 48; hour += 6) {
			world.now = NOW + hour * HOUR;
			costs.push((await world.cost()).length);
		}
		const whole = costs.filter((count) => count > 30);
		expect(whole).toEqual([5 + 1 + 30 + 5, 5 + 1 + 30 + 5]);
		expect(costs.filter((count) => count <= 30)).toEqual(Array(7).fill(5 + 1));
	});

	it.each<[Sorting, number]>([
		['ignored', 0],
		['refused', 0],
	])('is unchanged if sorting is %s, which is remembered', async (sorting) => {
		const world = worldOf({ sorting, pages: [{ id: 'recent', age: 1 }, ...oldPages(1000)] });
		await world.poll();
		world.pages.forEach((page) => (page.citedAge = page.age ?? 0));
		const idle = await world.cost();
		expect(idle).toHaveLength(2);
		expect(idle.every(({ sortBy, startDate }) => !sortBy && startDate === '2026-01-27')).toBe(true);
	});

	it('is unchanged while a short list proves nothing', async () => {
		const world = worldOf({ pages: [{ id: 'a', age: 1 }] });
		await world.poll();
		const [first] = await world.cost();
		expect(first).toMatchObject({ offset: 0, sortBy: 'firstSeenAt', sortOrder: 'asc' });
		expect(first).not.toHaveProperty('startDate');
	});

	it('does not drop because of a list whose times are all the same', async () => {
		const pages = oldPages(300).map((page) => ({ ...page, age: 10 }));
		pages.splice(200, 0, { id: 'recent', age: 1, citedAge: 1, status: 'new' });
		const world = worldOf({ sorting: 'ignored', pages });
		await world.poll();
		world.pages.splice(150, 0, { id: 'fresh', age: 0, status: 'new' });
		expect(await world.poll()).toEqual(['fresh']);
	});
});

describe('a state that changes while the lists are read', () => {
	it.each<[string, (state: IDataObject) => IDataObject]>([
		['is lost', () => ({ version: 0 })],
		['is an older one', (state) => JSON.parse(JSON.stringify(state)) as IDataObject],
	])('and %s leaves the event to the next poll', async (_, change) => {
		const world = worldOf({ pages: oldPages(1000) });
		await world.poll();
		const older = world.state;
		world.pages.push({ id: 'new', age: 0 });
		world.onRequest = () => (world.state = change(older));
		expect(await world.poll()).toEqual([]);
		world.onRequest = undefined;
		expect(await world.poll()).toEqual(world.state === older ? ['new'] : expect.any(Array));
		expect(await world.poll()).toEqual([]);
	});
});

describe('a service that no longer keeps its order', () => {
	it('is read without it, and nothing is missed', async () => {
		const world = worldOf({ pages: oldPages(1000) });
		await world.poll();
		world.sorting = 'ignored';
		world.pages.splice(700, 0, { id: 'deep', age: 0 });
		expect(await world.poll()).toEqual(['deep']);
		expect((await world.cost()).some(({ sortBy }) => sortBy)).toBe(false);
	});
});

describe('one refusal of the order', () => {
	it('holds for a day at most: then the trigger asks for it again', async () => {
		const world = worldOf({ pages: oldPages(1000) });
		await world.poll();
		world.sorting = 'refused';
		await world.poll();
		world.sorting = 'kept';
		expect((await world.cost()).some(({ sortBy }) => sortBy)).toBe(false);
		world.now = NOW + DAY;
		await world.poll();
		expect((await world.cost()).map(({ sortBy }) => sortBy)).toEqual([
			'firstSeenAt',
			'firstSeenAt',
		]);
	});
});

it('after a long pause, a record that moved up while the lists were read comes with the next poll', async () => {
	const recent = Array.from({ length: 250 }, (_, n) => ({ id: `r${n}`, age: 20 - n / 20 }));
	const world = worldOf({
		pages: [...oldPages(300).map((one) => ({ ...one, age: 60 })), ...recent],
	});
	await world.poll();
	world.now = NOW + 30 * DAY;
	const later = Array.from({ length: 250 }, (_, n) => ({ id: `l${n}`, age: -10 - n / 20 }));
	world.pages.push(...later);
	let requests = 0;
	world.onRequest = () => {
		if (requests++ !== 2) return;
		world.pages.splice(
			world.pages.findIndex(({ id }) => id === 'l100'),
			1,
		);
		world.pages.push({ id: 'added', age: -29 });
	};
	const found = [...(await world.poll()), ...(await world.poll())];
	const expected = [...later.map(({ id }) => id).filter((id) => id !== 'l100'), 'added'];
	expect(found.filter((id) => id !== 'l100').sort()).toEqual(expected.sort());
});

describe('pages without a time', () => {
	it.each(['first', 'last'] as const)(
		'are found where the service puts them: %s',
		async (undatedAre) => {
			const world = worldOf({ undatedAre, pages: oldPages(1000) });
			await world.poll();
			world.pages.push({ id: 'undated', age: null });
			if (undatedAre === 'first') {
				// Where only a whole reading finds them
				expect(await world.poll()).toEqual([]);
				world.now = NOW + DAY;
			}
			expect(await world.poll()).toEqual(['undated']);
			expect(await world.poll()).toEqual([]);
		},
	);

	it.each<Sorting>(['kept', 'ignored'])(
		'are not lost when Max Items holds them back (%s)',
		async (sorting) => {
			const world = worldOf({ sorting, pages: oldPages(200) });
			await world.poll();
			world.pages.push({ id: 'dated', age: 0 }, { id: 'undated', age: null, citedAge: 0 });
			expect(await world.poll({ maxItems: 1 })).toEqual(['dated']);
			world.now = NOW + 30 * DAY;
			world.pages.push({ id: 'later', age: -30 });
			expect(await world.poll({ maxItems: 1 })).toEqual(['later']);
			expect(await world.poll({ maxItems: 1 })).toEqual(['undated']);
		},
	);

	it.each<Sorting>(['kept', 'ignored'])(
		'are not repeated when they are cited again (%s)',
		async (sorting) => {
			const undated: Page = { id: 'undated', age: null, citedAge: 0 };
			const world = worldOf({ sorting, pages: [...oldPages(200), undated] });
			await world.poll();
			for (const days of [10, 20, 30]) {
				world.now = NOW + days * DAY;
				world.pages.push({ id: `r${days}`, age: -days });
				expect(await world.poll()).toEqual([`r${days}`]);
			}
			undated.citedAge = -30;
			expect(await world.poll()).toEqual([]);
		},
	);
});

describe('an event that is refused permanently', () => {
	const events: Settings['events'] = ['citedPage', 'question'];
	const begin = async () => {
		const world = worldOf({ pages: oldPages(3), questions: ['known'] });
		await world.poll({ events });
		world.refused = '/v1/people-also-ask';
		world.pages.push({ id: 'page', age: 0 });
		world.questions.push('question');
		return world;
	};

	it('does not hold back the others, is shown, and loses nothing', async () => {
		const world = await begin();
		expect(await world.poll({ events })).toEqual(['page']);
		expect(await world.poll({ events })).toEqual([]);
		const report = { events: ['question'], isOfAll: false };
		expect(world.reported).toMatchObject([report, report]);
		world.refused = undefined;
		expect(await world.poll({ events })).toEqual(['question']);
	});

	it('makes polls fail that find nothing, if n8n cannot show it otherwise', async () => {
		const world = await begin();
		expect(await world.poll({ events }, false)).toEqual(['page']);
		const before = JSON.stringify(world.state);
		await expect(world.poll({ events }, false)).rejects.toBeInstanceOf(pollFailures.EventFailure);
		expect(JSON.stringify(world.state)).toBe(before);
	});

	it('does not hold back the others in the very first poll, and has its own afterwards', async () => {
		const settings: Partial<Settings> = { events, emitExisting: true };
		const world = worldOf({ pages: oldPages(3), refused: '/v1/people-also-ask' });
		expect(await world.poll(settings, false)).toHaveLength(3);
		world.questions.push('existing');
		world.refused = undefined;
		expect(await world.poll(settings)).toEqual(['existing']);
		expect(await world.poll(settings)).toEqual([]);
	});

	it('begins in silence if it was added later, whatever Emit Existing says', async () => {
		const world = worldOf({ pages: oldPages(3), questions: ['existing'] });
		await world.poll({ emitExisting: true });
		world.refused = '/v1/people-also-ask';
		await world.poll({ events, emitExisting: true });
		world.refused = undefined;
		expect(await world.poll({ events, emitExisting: true })).toEqual([]);
	});

	it('makes a poll fail in which all are refused', async () => {
		const world = worldOf({ pages: oldPages(3) });
		await world.poll();
		world.refused = '/v1/ai-visibility/citations';
		const failed = await world
			.poll()
			.catch((error: EventFailure) => error.failures.get('citedPage'));
		expect(failed).toBeInstanceOf(failure.RequestFailure);
		expect(world.reported).toEqual([]);
	});
});

describe('a record that many polls do not find', () => {
	const settings: Partial<Settings> = { events: ['question'] };

	it.each([true, false])(
		'is reported once, and no poll fails (n8n can show it: %s)',
		async (can) => {
			const world = worldOf({ questions: Array.from({ length: 120 }, (_, n) => `q${n}`) });
			await world.poll(settings, can);
			world.questions.push('hidden', 'new');
			world.hidden = 'hidden';
			expect(await world.poll(settings, can)).toEqual(['new']);
			for (let poll = 2; poll < 10; poll++) expect(await world.poll(settings, can)).toEqual([]);
			expect(world.reported).toEqual([]);
			for (let poll = 10; poll < 25; poll++) expect(await world.poll(settings, can)).toEqual([]);
			expect(world.reported).toMatchObject([{ events: ['question'], isOfAll: true }]);
			const reason = world.reported[0]?.failures.get('question');
			expect(reason).toMatchObject({ kind: 'ties', details: { missing: 1 } });
			world.hidden = undefined;
			expect(await world.poll(settings, can)).toEqual(['hidden']);
		},
	);
});

it('with Max Items, the oldest comes first across all events', async () => {
	const world = worldOf({ pages: [], questions: [] });
	const settings: Partial<Settings> = { events: ['citedPage', 'question'], maxItems: 2 };
	await world.poll(settings);
	world.questions.push('q');
	world.pages.push({ id: 'younger', age: -HOUR / DAY }, { id: 'oldest', age: 1 });
	expect(await world.poll(settings)).toEqual(['oldest', 'q']);
	expect(await world.poll(settings)).toEqual(['younger']);
});

it('what is held back is found again, although many records have the same time', async () => {
	const world = worldOf({ pages: oldPages(300) });
	await world.poll();
	world.now = NOW + DAY;
	world.pages.push(...Array.from({ length: 240 }, (_, n) => ({ id: `n${n}`, age: -(n % 3) / 10 })));
	const found: string[] = [];
	for (let poll = 0; poll < 6; poll++) {
		// Another order of equal records in each poll
		world.pages.reverse();
		found.push(...(await world.poll({ maxItems: 50 })));
	}
	expect(found).toHaveLength(240);
	expect(new Set(found).size).toBe(240);
});

describe('Emit Existing', () => {
	const settings: Partial<Settings> = { emitExisting: true, maxItems: 10_000 };

	it('gives what is there at the very first poll, oldest first, and only then', async () => {
		const world = worldOf({ pages: oldPages(300), questions: ['q'] });
		const found = await world.poll(settings);
		expect(found).toHaveLength(300);
		const ages = new Map(world.pages.map(({ id, age }) => [id, age ?? 0]));
		expect(found).toEqual([...found].sort((a, b) => Number(ages.get(b)) - Number(ages.get(a))));
		expect(await world.poll(settings)).toEqual([]);
		// An event that is added later begins in silence
		expect(await world.poll({ ...settings, events: ['citedPage', 'question'] })).toEqual([]);
	});
});

it('where the service cannot be reached at all, the poll fails for all events', async () => {
	const world = worldOf({ pages: oldPages(3), questions: ['q'] });
	const events: Settings['events'] = ['citedPage', 'question'];
	world.onRequest = () => {
		throw new failure.RequestFailure('network', { code: 'ECONNREFUSED' });
	};
	await expect(world.poll({ events })).rejects.toMatchObject({ events, isOfAll: true });
});

it('an event whose list takes too long to read does not hold back the others', async () => {
	const world = worldOf({ pages: oldPages(3), questions: ['known'] });
	const events: Settings['events'] = ['citedPage', 'question'];
	await world.poll({ events });
	world.questions.push('q');
	world.pages.push({ id: 'page', age: 0 });
	world.onRequest = ({ type }) => {
		if (type !== undefined) throw new failure.RequestFailure('deadline');
	};
	expect(await world.poll({ events })).toEqual(['q']);
	expect(world.reported).toMatchObject([{ events: ['citedPage'] }]);
	world.onRequest = undefined;
	expect(await world.poll({ events })).toEqual(['page']);
});

it('an event whose records have lost their times fails, and the others go on', async () => {
	const world = worldOf({ pages: oldPages(3), questions: ['known'] });
	const events: Settings['events'] = ['citedPage', 'question'];
	await world.poll({ events });
	const before = world.pages;
	world.pages = before.map((page) => ({ ...page, age: null }));
	world.questions.push('q');
	expect(await world.poll({ events })).toEqual(['q']);
	expect(world.reported).toMatchObject([{ events: ['citedPage'] }]);
	world.pages = [...before, { id: 'page', age: 0 }];
	expect(await world.poll({ events })).toEqual(['page']);
});

it('the domain of the filter is left to the service, for the events that it applies to', async () => {
	const world = worldOf({ pages: oldPages(3), questions: ['q'] });
	const events: Settings['events'] = ['citedPage', 'question'];
	const sent = await world.cost({ events, domain: 'example.com' });
	const asked = sent.map(({ type, status, domain }) => [type ?? status, domain]);
	expect(asked.sort()).toEqual([
		['new', 'example.com'],
		['new,processed', undefined],
		['processed', 'example.com'],
	]);
	expect((await world.cost({ events })).filter(({ domain }) => domain !== undefined)).toEqual([]);
});

it('what is remembered belongs to the service, and reaches as far back as the settings say', async () => {
	const floorOf = async (lookbackDays: number | undefined) => {
		const world = worldOf({ pages: [{ id: 'a', age: 0 }] });
		await world.poll({ lookbackDays });
		const [state] = Object.values(world.state.events as Record<string, EventState>);
		expect(state?.service).toBe('https://a.example');
		return state?.floor;
	};
	expect(await floorOf(undefined)).toBe(NOW - 3 * DAY);
	expect(await floorOf(7)).toBe(NOW - 7 * DAY);
});

it('each item has the name of its event in front, whatever the record has there', () => {
	const record = { id: 'q', event: 'other', question: 'Why?' };
	const listed = triggerRecords.listedRecord('question', record, {});
	expect(Object.entries(triggerRecords.toOutput(listed))).toEqual([
		['event', 'question'],
		['id', 'q'],
		['question', 'Why?'],
	]);
});
