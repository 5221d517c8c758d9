import { describe, expect, it } from 'vitest';

import { EventFailure } from '../../nodes/SearchVisibilityTrigger/errors.ts';
import type { TriggerSettings } from '../../nodes/SearchVisibilityTrigger/settings.ts';
import { RequestFailure } from '../../nodes/shared/errors/requestFailure.ts';
import type { One } from './triggerStory.mts';
import { DAY, HOUR, many, START, started, story } from './triggerStory.mts';

/** What the trigger emits. What it reads for that is in reading.test.mts. */

/** Both ways to find what is new: a list sorted by time, and one that has to be read as a whole */
const KINDS = ['backlink', 'question'] as const;

describe.each(KINDS)('new records of a %s list', (event) => {
	const epoch = START / DAY;

	it.each<[string, One[], One[], string[]]>([
		[
			'start the workflow once each, the oldest first, and existing ones do not',
			many(150),
			[
				{ id: 'young', age: -0.1 },
				{ id: 'old', age: 0 },
			],
			['old', 'young'],
		],
		[
			'may be the first ever: after an empty list, what lies within the look-back counts',
			[],
			[{ id: 'first', age: 0 }, ...many(1200, (n) => 30 + n, 'old')],
			['first'],
		],
		[
			'may be the first with a date: after others without one, what lies within the look-back counts',
			[{ id: 'undated', age: null }],
			[{ id: 'first', age: 0 }, ...many(1200, (n) => 30 + n, 'old')],
			['first'],
		],
		[
			'are found late although a clock runs ahead: a time in the future does not move the look-back',
			[{ id: 'ahead', age: -0.5 }, ...many(3)],
			[{ id: 'late', age: 2.9 }],
			['late'],
		],
		[
			'may have times in the first hour of 1970, and before',
			[{ id: 'a', age: epoch - 0.02 }],
			[
				{ id: 'late', age: epoch + 2 },
				{ id: 'too late', age: epoch + 20 },
			],
			['late'],
		],
		[
			'have no times where the service never gives any',
			[{ id: 'a', age: null }],
			[{ id: 'b', age: null }],
			['b'],
		],
	])('%s', async (_, existing, added, found) => {
		const trigger = await started({ [event]: existing }, { settings: { lookbackDays: 3 } });
		expect(await trigger.poll()).toEqual([]);
		trigger.lists[event].unshift(...added);
		expect([await trigger.poll(), await trigger.poll()]).toEqual([found, []]);
	});

	it('count from the look-back before the newest record on, however long ago that was: late ones come, older ones are known', async () => {
		const trigger = await started({ [event]: many(5) }, { settings: { lookbackDays: 5 } });
		trigger.now = START + 60 * DAY;
		trigger.lists[event].push({ id: 'at', age: 5 }, { id: 'before', age: 5.001 });
		expect([await trigger.poll(), await trigger.poll()]).toEqual([['at'], []]);
	});

	it('may come right after an empty first poll, and after the list was empty for a while', async () => {
		const trigger = await started({ [event]: [] });
		trigger.lists[event] = [{ id: 'first', age: 0 }, ...many(9, (n) => 30 + n, 'old')];
		expect(await trigger.poll()).toEqual(['first']);
		const listed = trigger.lists[event].splice(0);
		trigger.now = START + 30 * DAY;
		expect(await trigger.poll()).toEqual([]);
		trigger.lists[event] = [...listed, { id: 'late', age: 1 }];
		expect(await trigger.poll()).toEqual(['late']);
	});

	it('are found one poll later if they were missed, however far the newest record has moved the look-back', async () => {
		const trigger = await started({ [event]: many(3) }, { settings: { lookbackDays: 1 } });
		trigger.now = START + 10 * DAY;
		trigger.lists[event].unshift({ id: 'newest', age: -10 });
		expect(await trigger.poll()).toEqual(['newest']);
		trigger.lists[event].push({ id: 'missed', age: 0.9 });
		expect([await trigger.poll(), await trigger.poll()]).toEqual([['missed'], []]);
	});

	it('do not include older ones because the look-back was made longer', async () => {
		const trigger = await started({ [event]: many(3) }, { settings: { lookbackDays: 1 } });
		expect([await trigger.poll(), await trigger.poll({ lookbackDays: 30 })]).toEqual([[], []]);
		trigger.lists[event].push({ id: 'older', age: 10 });
		expect(await trigger.poll({ lookbackDays: 30 })).toEqual([]);
	});

	it('do not come again when their time changes to and fro', async () => {
		const trigger = await started(
			{ [event]: [{ id: 'x', age: 0 }] },
			{ settings: { lookbackDays: 2 } },
		);
		for (const [day, age] of [
			[0, 1.9],
			[1, 1.9],
			[2, 1.9],
			[2, 0],
		] as const) {
			const others = many(1 + day, (n) => -n, `day ${day} `);
			trigger.now = START + day * DAY;
			trigger.lists[event] = [...others, { id: 'x', age }];
			expect(await trigger.poll()).not.toContain('x');
		}
	});
});

it.each([
	['question', 3],
	['competitor', 3],
	['citedPage', 3],
	['backlink', 14],
] as const)('a new %s may be %i days late unless the look-back is set', async (event, days) => {
	const trigger = await started({ [event]: [{ id: 'a', age: 0 }] });
	trigger.lists[event].push({ id: 'in time', age: days }, { id: 'too late', age: days + 0.1 });
	expect(await trigger.poll()).toEqual(['in time']);
});

it('each item is the record as it came, then its event and workspace, whatever the record has under these names', async () => {
	const more = { event: 'other', question: 'Why?', workspaceId: 'other' };
	const trigger = story({ question: [{ id: 'q', more }] });
	const [item = {}] = await trigger.sample();
	const names = Object.keys(item);
	expect(names[0]).toBe('id');
	expect(names.slice(-3)).toEqual(['event', 'workspaceName', 'workspaceId']);
	const from = { event: 'question', workspaceName: 'Acme', workspaceId: trigger.workspace };
	expect(item).toMatchObject({ id: 'q', question: 'Why?', ...from });
});

describe('Emit Existing', () => {
	const settings = { emitExisting: true };

	it('gives what is there at the very first poll, oldest first, without a time last, and only then', async () => {
		const existing: One[] = [
			{ id: 'undated', age: null },
			{ id: 'young', age: 1 },
			{ id: 'old', age: 90 },
		];
		const trigger = story({ question: existing }, { settings });
		expect(await trigger.poll()).toEqual(['old', 'young', 'undated']);
		expect(await trigger.poll()).toEqual([]);
		trigger.lists.competitor = [{ id: 'existing' }];
		expect(await trigger.poll({ events: ['question', 'competitor'] })).toEqual([]);
	});

	it('goes on with the next polls where there is more than Max Items, however long that takes', async () => {
		const trigger = story(
			{ backlink: many(10, (n) => n * 20) },
			{ settings: { ...settings, maxItems: 4 } },
		);
		expect(await trigger.poll()).toEqual(['r9', 'r8', 'r7', 'r6']);
		expect(await trigger.poll({ maxItems: 500 })).toEqual(['r5', 'r4', 'r3', 'r2', 'r1', 'r0']);
		expect(await trigger.poll()).toEqual([]);
	});

	it('waits for an event that cannot be read in the very first poll', async () => {
		const trigger = story(
			{ citedPage: many(3), question: [{ id: 'q' }] },
			{ settings, canReport: false },
		);
		trigger.onRequest = (_, event) => (event === 'question' ? 403 : undefined);
		expect(await trigger.poll()).toHaveLength(3);
		trigger.onRequest = () => {};
		expect(await trigger.poll()).toEqual(['q']);
		expect(await trigger.poll()).toEqual([]);
	});

	it('does not apply to an event that was added later, even if its first poll failed', async () => {
		const trigger = story({ citedPage: many(3) }, { settings });
		await trigger.poll();
		trigger.settings.events = ['citedPage', 'question'];
		trigger.lists.question = [{ id: 'q' }];
		trigger.onRequest = (_, event) => (event === 'question' ? 403 : undefined);
		await trigger.poll();
		trigger.onRequest = () => {};
		expect(await trigger.poll()).toEqual([]);
	});
});

describe('Max Items', () => {
	it('lets the oldest through first, across all events; the others follow', async () => {
		const trigger = await started({ citedPage: [], question: [] }, { settings: { maxItems: 2 } });
		trigger.settings.events = ['citedPage', 'question'];
		trigger.lists.question.push({ id: 'q', age: 0.5 });
		trigger.lists.citedPage.push({ id: 'younger', age: 0.1 }, { id: 'oldest', age: 1 });
		expect(await trigger.poll()).toEqual(['oldest', 'q']);
		expect(await trigger.poll()).toEqual(['younger']);
	});

	it.each(KINDS)(
		'loses no %s that is held back, even if the look-back becomes shorter',
		async (event) => {
			const trigger = await started({ [event]: [{ id: 'x', age: 10 }] });
			trigger.lists[event].unshift(...many(200, (n) => n / 50), { id: 'undated', age: null });
			const found = await trigger.poll({ maxItems: 50 });
			trigger.now = START + 30 * DAY;
			trigger.lists[event].unshift({ id: 'later', age: -30 });
			found.push(...(await trigger.poll({ maxItems: 50, lookbackDays: 1 })));
			found.push(...(await trigger.poll({ lookbackDays: 1 })));
			expect(found).toHaveLength(202);
			expect(new Set(found).size).toBe(202);
			expect(await trigger.poll({ lookbackDays: 1 })).toEqual([]);
		},
	);
});

describe('a changed filter', () => {
	const on = (id: string, domains: string, age?: number | null): One => ({
		...{ id, age: age === undefined ? 1 : age, more: { domain: `${domains}.example` } },
	});
	const begin = async (...pages: One[]) =>
		await started({ citedPage: pages }, { settings: { domain: 'a.' } });

	it('makes new what it lets through and what lies within the look-back', async () => {
		const trigger = await begin(
			on('both', 'a.b'),
			on('hidden', 'b'),
			on('hidden and undated', 'b', null),
		);
		trigger.now = START + 2 * HOUR;
		trigger.lists.citedPage.push(on('fresh', 'b', -1 / 24));
		const found = await trigger.poll({ domain: 'b.' });
		expect(found).toEqual(['hidden', 'fresh', 'hidden and undated']);
		expect(await trigger.poll({ domain: 'b.' })).toEqual([]);
		expect(await trigger.poll({ domain: '' })).toEqual([]);
	});

	it('makes nothing new that is older than the look-back', async () => {
		const trigger = await begin(on('both', 'a.b'), on('old', 'b', 4.1), on('young', 'b', 2));
		expect(await trigger.poll({ domain: '' })).toEqual(['young']);
	});

	it('loses no late page, although the poll before or at the change was incomplete', async () => {
		const trigger = await begin(...Array.from({ length: 122 }, (_, n) => on(`a${n}`, 'a', 1)));
		let isGrowing = true;
		trigger.onRequest = () => {
			if (isGrowing) trigger.lists.citedPage.push(on(`grown${trigger.sent.length}`, 'a', 2));
		};
		await trigger.poll();
		await trigger.poll({ domain: '' });
		isGrowing = false;
		await trigger.poll({ domain: '' });
		trigger.lists.citedPage.push(on('late', 'b', 0.4));
		expect(await trigger.poll({ domain: '' })).toContain('late');
	});

	it('keeps due what was due: a late record, and one that was held back', async () => {
		const trigger = await begin(on('first', 'a.b'));
		trigger.lists.citedPage.push(on('held', 'a.b', 2));
		expect(await trigger.poll({ maxItems: 0 })).toEqual([]);
		trigger.lists.citedPage.push(on('late', 'a.b', 1.5));
		expect(await trigger.poll({ domain: 'b.' })).toEqual(['held', 'late']);
	});

	it('does not make a record come again that was out of its sight', async () => {
		const trigger = await begin(on('first', 'a'));
		trigger.lists.citedPage.push(on('both', 'a.b'), on('undated', 'a', null), on('other', 'b'));
		expect(await trigger.poll()).toEqual(['both', 'undated']);
		expect(await trigger.poll({ domain: 'c.' })).toEqual([]);
		expect(await trigger.poll()).toEqual([]);
	});

	it('makes new what equal records hide from the first polls, as soon as it shows', async () => {
		const twins = Array.from({ length: 97 }, (_, n) => on(`twin${n}`, 'b', 2));
		const trigger = await begin(on('first', 'a'));
		trigger.lists.citedPage.push(on('hidden', 'b', 2), ...twins);
		trigger.hidden = () => 'hidden';
		expect(await trigger.poll({ domain: 'b.' })).toHaveLength(97);
		trigger.hidden = () => undefined;
		expect(await trigger.poll({ domain: 'b.' })).toEqual(['hidden']);
	});
});

describe('records without a time', () => {
	it.each(['first', 'last'] as const)(
		'are found within a day, wherever the service puts them: %s',
		async (undatedAre) => {
			const trigger = await started({ backlink: many(300) }, { undatedAre });
			trigger.lists.backlink.push({ id: 'undated', age: null });
			trigger.now = START + DAY;
			expect(await trigger.poll()).toEqual(['undated']);
			expect(await trigger.poll()).toEqual([]);
			trigger.now = START + 90 * DAY;
			trigger.lists.backlink.push({ id: 'later', age: -90 });
			expect([await trigger.poll(), await trigger.poll()]).toEqual([['later'], []]);
		},
	);

	it.each([false, true])(
		'come once each, although the list grows while it is read (Emit Existing: %j)',
		async (emitExisting) => {
			const undated = many(122).map(({ id }) => ({ id, age: null }));
			const trigger = story({ question: undated }, { settings: { emitExisting } });
			if (!emitExisting) await trigger.poll();
			trigger.onRequest = () =>
				void trigger.lists.question.push({ id: `grown ${trigger.sent.length}`, age: null });
			const found = await trigger.poll();
			trigger.onRequest = () => {};
			found.push(...(await trigger.poll()));
			const expected = trigger.lists.question.map(({ id }) => id).slice(emitExisting ? 0 : 122);
			expect(found.sort()).toEqual(expected.sort());
		},
	);

	it('are forgotten once they are no longer listed', async () => {
		const trigger = await started({ question: [{ id: 'undated', age: null }, ...many(3)] });
		const [undated] = trigger.lists.question.splice(0, 1) as [One];
		await trigger.poll();
		trigger.lists.question.push(undated);
		expect(await trigger.poll()).toEqual(['undated']);
	});

	it.each<[string, Partial<TriggerSettings>]>([
		['Domain', { domain: 'b.example' }],
		['Include Processed', { includeProcessed: false }],
	])('are not forgotten while %s leaves them out, for a day and longer', async (_, filter) => {
		const undated: One = { id: 'undated', age: null, status: 'processed' };
		const pages = [{ ...undated, more: { domain: 'a.example' } }, ...many(3)];
		const trigger = await started({ citedPage: pages });
		for (let day = 1; day <= 3; day++) {
			trigger.now = START + day * DAY;
			expect(await trigger.poll(filter)).toEqual([]);
		}
		expect(await trigger.poll()).toEqual([]);
	});

	it('are not forgotten because equal ones hide them for a day', async () => {
		const undated = many(130).map(({ id }) => ({ id, age: null }));
		const trigger = await started({ question: [...undated, { id: 'dated' }] });
		for (const hidden of ['r7', undefined]) {
			trigger.hidden = () => hidden;
			trigger.now += 25 * HOUR;
			expect(await trigger.poll()).toEqual([]);
		}
	});

	it('make the event fail where all have lost their times, and the others go on', async () => {
		const known = { citedPage: many(3, (n) => n * 4), question: [{ id: 'known' }] };
		const trigger = await started(known);
		const before = trigger.lists.citedPage;
		trigger.lists.citedPage = before.map(({ id }) => ({ id, age: null }));
		trigger.lists.question.push({ id: 'q' });
		expect(await trigger.poll()).toEqual(['q']);
		const [failure] = trigger.reported;
		expect(failure?.failures.get('citedPage')).toMatchObject({
			kind: 'shape',
			details: { serviceMessage: expect.stringMatching(/^None of the records has 'firstSeenAt'/) },
		});
		trigger.lists.citedPage = [...before, { id: 'page' }];
		expect(await trigger.poll()).toEqual(['page']);
	});

	it('are no reason to fail where they are known, and the others have left the worklist', async () => {
		const pages: One[] = [...many(3), { id: 'undated', age: null }];
		const trigger = await started({ citedPage: pages }, { settings: { includeProcessed: false } });
		for (const page of pages.slice(0, 3)) page.status = 'processed';
		expect(await trigger.poll()).toEqual([]);
		expect(trigger.reported).toEqual([]);
	});
});

describe('a record that hides behind equal ones', () => {
	const hide = async (event: (typeof KINDS)[number]) => {
		const trigger = await started({ [event]: many(5, (n) => n * 20) });
		trigger.lists[event].unshift({ id: 'hidden', age: 0 }, ...many(97, () => 0, 'twin'));
		trigger.hidden = () => 'hidden';
		return trigger;
	};

	it.each(KINDS)(
		'comes as soon as it shows, even weeks later, and no poll fails: %s',
		async (event) => {
			const trigger = await hide(event);
			expect(await trigger.poll()).toHaveLength(97);
			for (let week = 1; week < 9; week++) {
				trigger.now = START + week * 7 * DAY;
				trigger.lists[event].unshift({ id: `week ${week}`, age: -week * 7 });
				expect(await trigger.poll()).toEqual([`week ${week}`]);
			}
			trigger.hidden = () => undefined;
			expect(await trigger.poll()).toEqual(['hidden']);
			expect(trigger.reported).toEqual([]);
		},
	);

	it('is no reason for an error, but a list that lacks more than a tenth shows one once a day', async () => {
		const trigger = await started({ question: many(90) });
		const reports = async (total: number, hours: number) => {
			trigger.total = total;
			trigger.now += hours * (DAY / 24);
			await trigger.poll();
			return trigger.reported.splice(0).map(({ failures }) => failures.get('question'));
		};
		expect(await reports(99, 25)).toEqual([]);
		const broken = [expect.objectContaining({ details: { missing: 10 } })];
		expect(await reports(100, 25)).toEqual(broken);
		expect(await reports(100, 20)).toEqual([]);
		expect(await reports(100, 5)).toEqual(broken);
	});

	it.each(KINDS)(
		'is waited for 60 days in addition to the look-back; then the rest is forgotten: %s',
		async (event) => {
			const trigger = await started({ [event]: [{ id: 'old', age: 1 }, ...many(98)] });
			trigger.total = 100;
			for (let day = 1; day <= 80; day++) {
				trigger.now = START + day * DAY;
				trigger.lists[event].unshift({ id: `day ${day}`, age: -day });
				trigger.total = trigger.lists[event].length + 1;
				expect(await trigger.poll({ lookbackDays: 7 })).toEqual([`day ${day}`]);
			}
			// The floor follows the poll before, and its own day counts
			expect(Object.keys(trigger.stateOf(event).seen)).toHaveLength(7 + 60 + 2);
		},
	);

	it.each(KINDS)(
		'in a first poll counts as known, with all that is not newer: %s',
		async (event) => {
			const trigger = story({
				[event]: [{ id: 'hidden', age: 1 }, ...many(98, () => 1), { id: 'future', age: -400 }],
			});
			trigger.hidden = () => 'hidden';
			expect(await trigger.poll()).toEqual([]);
			trigger.hidden = () => undefined;
			trigger.lists[event].unshift({ id: 'new', age: 0.9 });
			expect(await trigger.poll()).toEqual(['new']);
		},
	);

	it('in a first poll of a list that grows does not keep what is newer from coming', async () => {
		const trigger = story({ question: many(122, (n) => n / 1000) });
		trigger.onRequest = () =>
			void trigger.lists.question.push({ id: `grown${trigger.sent.length}`, age: 2 });
		expect(await trigger.poll()).toEqual([]);
		trigger.onRequest = () => {};
		trigger.lists.question.push({ id: 'older', age: 0.5 }, { id: 'newer', age: -0.1 });
		expect(await trigger.poll()).toEqual(['newer']);
	});

	it('in a first poll that gave no times at all counts as known, once a poll finds everything', async () => {
		const undated = many(130).map(({ id }) => ({ id, age: null }));
		const trigger = await started({ question: undated }, { hidden: () => 'r7' });
		expect(await trigger.poll()).toEqual([]);
		trigger.hidden = () => undefined;
		expect(await trigger.poll()).toEqual([]);
		trigger.lists.question.push({ id: 'new', age: null });
		expect(await trigger.poll()).toEqual(['new']);
	});

	it('in a first poll that emits comes with a later one', async () => {
		const trigger = story({ question: [{ id: 'hidden' }, { id: 'twin' }, ...many(3)] });
		trigger.hidden = () => 'hidden';
		expect(await trigger.poll({ emitExisting: true })).toHaveLength(4);
		trigger.hidden = () => undefined;
		expect(await trigger.poll()).toEqual(['hidden']);
	});

	it.each(KINDS)(
		'because another one moved up comes with the next poll, one look-back later: %s',
		async (event) => {
			const trigger = await started({ [event]: many(250, (n) => 20 + n / 20) });
			trigger.now = START + 30 * DAY;
			trigger.lists[event].unshift(...many(250, (n) => -29 + n / 20, 'later'));
			let requests = 0;
			trigger.onRequest = () => {
				if (++requests !== 3) return;
				trigger.lists[event].splice(event === 'question' ? 0 : 249, 1);
				trigger.lists[event].push({ id: 'added', age: -25 });
			};
			const found = [...(await trigger.poll()), ...(await trigger.poll())];
			const later = trigger.lists[event].filter(({ age }) => Number(age) < 0).map(({ id }) => id);
			expect(found).toEqual(expect.arrayContaining(later));
			expect(new Set(found).size).toBe(found.length);
		},
	);
});

describe('an event that is refused for good', () => {
	const begin = async (canReport = true) => {
		const trigger = await started(
			{ citedPage: many(3), question: [{ id: 'known' }] },
			{ canReport },
		);
		trigger.onRequest = (_, event) => (event === 'question' ? 403 : undefined);
		trigger.lists.citedPage.push({ id: 'page' });
		trigger.lists.question.push({ id: 'q' });
		return trigger;
	};

	it('does not hold back the others, is shown, and loses nothing', async () => {
		const trigger = await begin();
		expect([await trigger.poll(), await trigger.poll()]).toEqual([['page'], []]);
		const report = { events: ['question'], isOfAll: false };
		expect(trigger.reported).toMatchObject([report, report]);
		trigger.onRequest = () => {};
		expect(await trigger.poll()).toEqual(['q']);
	});

	it('makes a poll fail that finds nothing, if n8n cannot show it otherwise', async () => {
		const trigger = await begin(false);
		expect(await trigger.poll()).toEqual(['page']);
		const before = JSON.stringify(trigger.state);
		await expect(trigger.poll()).rejects.toBeInstanceOf(EventFailure);
		expect(JSON.stringify(trigger.state)).toBe(before);
	});

	it('does not make the very first poll fail, which remembers the others', async () => {
		const trigger = story({ citedPage: many(3), question: many(3) }, { canReport: false });
		trigger.onRequest = (_, event) => (event === 'question' ? 403 : undefined);
		expect(await trigger.poll()).toEqual([]);
		trigger.lists.citedPage.push({ id: 'page' });
		expect(await trigger.poll()).toEqual(['page']);
	});

	it.each([403, new RequestFailure('deadline')])(
		'makes a poll fail if it is the only one (%s)',
		async (reason) => {
			const trigger = await begin();
			trigger.onRequest = () => {
				if (typeof reason === 'number') return reason;
				throw reason;
			};
			const isOfAll = { events: ['citedPage', 'question'], isOfAll: true };
			await expect(trigger.poll()).rejects.toMatchObject(isOfAll);
			expect(trigger.reported).toEqual([]);
		},
	);
});

describe('what is stored', () => {
	it.each([
		['another service', { baseUrl: 'https://b.example' }],
		['another workspace', { workspace: 'other' }],
	])('does not count for %s: its first poll is silent', async (_, place) => {
		const trigger = await started({ question: many(3) }, { workspace: 'ws' });
		Object.assign(trigger, place);
		trigger.lists.question = many(5, undefined, 'other');
		expect(await trigger.poll()).toEqual([]);
		trigger.lists.question.push({ id: 'new', age: 0 });
		expect(await trigger.poll()).toEqual(['new']);
	});

	it('belongs to one workspace: another one is a silent first poll, and an unknown one is an error', async () => {
		const trigger = await started({ question: many(3) });
		trigger.workspace = 'other';
		trigger.lists.question.push({ id: 'of the other', age: 0 });
		trigger.workspaceFails = true;
		await expect(trigger.poll()).rejects.toThrow('status');
		trigger.workspaceFails = false;
		expect(await trigger.poll()).toEqual([]);
		trigger.lists.question.push({ id: 'new', age: 0 });
		expect(await trigger.poll()).toEqual(['new']);
	});

	it('belongs to the API key where the workspace has no ID', async () => {
		const trigger = await started({ question: many(3) }, { workspace: null });
		trigger.lists.question.push({ id: 'new', age: 0 });
		expect(await trigger.poll()).toEqual(['new']);
	});

	it.each([
		['is damaged', 'damaged'],
		['has no IDs', { events: { question: { service: 'https://a.example', workspace: 'ws' } } }],
		['is of another version', { version: 0 }],
	])('and %s is replaced by a silent poll', async (_, damage) => {
		const trigger = await started({ question: many(3) });
		if (typeof damage === 'string') trigger.state.events = damage;
		else Object.assign(trigger.state, damage);
		trigger.lists.question.push({ id: 'new', age: 0 });
		expect([await trigger.poll(), await trigger.poll()]).toEqual([[], []]);
	});

	it('and changes while the lists are read leaves the event to the next poll', async () => {
		const trigger = await started({ question: many(3) });
		const older = trigger.state;
		trigger.lists.question.push({ id: 'new', age: 0 });
		trigger.onRequest = () => void (trigger.state = structuredClone(older));
		expect(await trigger.poll()).toEqual([]);
		trigger.onRequest = () => {};
		expect([await trigger.poll(), await trigger.poll()]).toEqual([['new'], []]);
	});

	it('is less than 100 KB for 5,000 records within the look-back, and forgets them afterwards', async () => {
		const ids = many(5000, (n) => (n / 5000) * 2.9, '8f14e45f-ceea-467f-a0e6-0000');
		const trigger = await started({ question: ids });
		expect(JSON.stringify(trigger.state).length).toBeGreaterThan(5000 * 18);
		expect(JSON.stringify(trigger.state).length).toBeLessThan(100_000);
		trigger.now = START + 9 * DAY;
		trigger.lists.question.unshift({ id: 'new', age: -9 });
		expect([await trigger.poll(), await trigger.poll()]).toEqual([['new'], []]);
		expect(JSON.stringify(trigger.state).length).toBeLessThan(500);
	});
});
