import { describe, expect, it } from 'vitest';

import { EventFailure } from '../../nodes/SearchVisibilityTrigger/errors.ts';
import type { TriggerSettings } from '../../nodes/SearchVisibilityTrigger/settings.ts';
import { RequestFailure } from '../../nodes/shared/errors/requestFailure.ts';
import type { One } from './triggerStory.mts';
import { DATED_EVENTS, DAY, HOUR, many, START, started, story } from './triggerStory.mts';

/** What the trigger emits. What it reads for that is in reading.test.mts. */

/** Both ways to find what is new: a list sorted by time, and one that has to be read as a whole */
const KINDS = ['backlink', 'question'] as const;

describe.each(KINDS)('new records of a %s list', (event) => {
	const first: One = { id: 'first', age: 0 };
	const late: One = { id: 'late', age: 2.9 };
	const undated = (id: string): One => ({ id, age: null });
	const old = many(9, (n) => 30 + n, 'old');
	const ahead = [{ id: 'ahead', age: -0.5 }, ...many(3)];
	const in1970 = { id: 'in 1970', age: START / DAY - 0.02 };
	const before1970 = many(2, (n) => START / DAY + 2 + 18 * n, 'before 1970 ');

	it.each<[string, One[], One[], string[]]>([
		['the first with a date, but none without one', [undated('a')], [first, ...old], ['first']],
		['one that is late, although a clock runs ahead', ahead, [late], ['late']],
		['one of the first days of 1970, or before', [in1970], before1970, ['before 1970 0']],
		['any, if the service gives no times', [undated('a')], [undated('b')], ['b']],
	])('come once: %s', async (_, existing, added, found) => {
		const trigger = await started({ [event]: existing }, { settings: { lookbackDays: 3 } });
		expect(await trigger.poll()).toEqual([]);
		trigger.lists[event].unshift(...added);
		expect([await trigger.poll(), await trigger.poll()]).toEqual([found, []]);
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
		const settings = { lookbackDays: 2 };
		const trigger = await started({ [event]: [{ id: 'x', age: 0 }] }, { settings });
		for (const [day, age] of [1.9, 1.9, 1.9, 0].entries()) {
			trigger.now = START + day * DAY;
			trigger.lists[event] = [
				{ id: `day ${day}`, age: -day },
				{ id: 'x', age },
			];
			expect(await trigger.poll()).not.toContain('x');
		}
	});
});

// docs/trigger.md and Look-Back Days say so
it('a new backlink may be 14 days late unless the look-back is set, a record of any other event 3 days, counted from the newest record, however long ago that was', async () => {
	for (const event of DATED_EVENTS) {
		for (const lookbackDays of [undefined, 5]) {
			const days = lookbackDays ?? (event === 'backlink' ? 14 : 3);
			const trigger = await started({ [event]: many(5) }, { settings: { lookbackDays } });
			trigger.now = START + 60 * DAY;
			trigger.lists[event].push({ id: 'in time', age: days }, { id: 'late', age: days + 0.001 });
			expect([await trigger.poll(), await trigger.poll()], event).toEqual([['in time'], []]);
		}
	}
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

it('Emit Existing gives what is there at the very first poll, oldest first, without a time last, and only then', async () => {
	const undated = { id: 'undated', age: null };
	const question = [undated, { id: 'young', age: 1 }, { id: 'old', age: 90 }];
	const trigger = story({ question }, { settings: { emitExisting: true } });
	expect(await trigger.poll()).toEqual(['old', 'young', 'undated']);
	expect(await trigger.poll()).toEqual([]);
	trigger.lists.competitor = [{ id: 'existing' }];
	expect(await trigger.poll({ events: ['question', 'competitor'] })).toEqual([]);
});

it('Emit Existing waits for an event that cannot be read in the very first poll, not for one that is added later', async () => {
	const lists = { citedPage: many(3), question: [{ id: 'q' }] };
	const settings = { emitExisting: true };
	const trigger = story(lists, { settings });
	trigger.onRequest = (_, event) => (event === 'question' ? 403 : undefined);
	expect(await trigger.poll({ events: ['citedPage'] })).toHaveLength(3);
	expect(await trigger.poll()).toEqual([]);
	trigger.onRequest = () => {};
	expect(await trigger.poll()).toEqual([]);
	const other = story(lists, { settings, canReport: false });
	other.onRequest = (_, event) => (event === 'question' ? 403 : undefined);
	expect(await other.poll()).toHaveLength(3);
	other.onRequest = () => {};
	expect(await other.poll()).toEqual(['q']);
	expect(await other.poll()).toEqual([]);
});

it('Max Items lets the oldest through first, across all events; the others follow', async () => {
	const trigger = await started({ citedPage: [], question: [] }, { settings: { maxItems: 2 } });
	trigger.lists.question.push({ id: 'q', age: 0.5 });
	trigger.lists.citedPage.push({ id: 'younger', age: 0.1 }, { id: 'oldest', age: 1 });
	expect(await trigger.poll()).toEqual(['oldest', 'q']);
	expect(await trigger.poll()).toEqual(['younger']);
});

it('a changed filter makes new what it lets through and what lies within the look-back', async () => {
	const on = (id: string, domain: string, age: number | null = 1): One => ({
		id,
		age,
		more: { domain },
	});
	const pages = [on('both', 'a.b.example'), on('hidden', 'b.example'), on('old', 'b.example', 4.1)];
	const undated = on('hidden and undated', 'b.example', null);
	const settings = { domain: 'a.' };
	const trigger = await started({ citedPage: [...pages, undated] }, { settings });
	trigger.now = START + 2 * HOUR;
	trigger.lists.citedPage.push(on('fresh', 'b.example', -1 / 24));
	const found = await trigger.poll({ domain: 'b.' });
	expect(found).toEqual(['hidden', 'fresh', 'hidden and undated']);
	expect(await trigger.poll({ domain: 'b.' })).toEqual([]);
	expect(await trigger.poll({ domain: '' })).toEqual([]);
});

describe('records without a time', () => {
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
});

describe('a record that hides behind equal ones', () => {
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

	it('is waited for 60 days in addition to the look-back; then the rest is forgotten', async () => {
		const trigger = await started({ question: [{ id: 'old', age: 1 }, ...many(98)] });
		for (let day = 4; day <= 84; day += 4) {
			trigger.now = START + day * DAY;
			trigger.lists.question.unshift({ id: `day ${day}`, age: -day });
			trigger.total = trigger.lists.question.length + 1;
			expect(await trigger.poll({ lookbackDays: 8 })).toEqual([`day ${day}`]);
		}
		// The floor follows the poll before, and its own day counts: every fourth day from 80 - 8 - 60 to 84
		expect(Object.keys(trigger.stateOf('question').seen)).toHaveLength((84 - 12) / 4 + 1);
	});

	it.each(KINDS)('in a first poll is known, like all that is not newer: %s', async (event) => {
		const twins = many(98, () => 1);
		const trigger = story({
			[event]: [{ id: 'hidden', age: 1 }, ...twins, { id: 'future', age: -400 }],
		});
		trigger.hidden = () => 'hidden';
		expect(await trigger.poll()).toEqual([]);
		trigger.hidden = () => undefined;
		trigger.lists[event].unshift({ id: 'new', age: 0.9 });
		expect(await trigger.poll()).toEqual(['new']);
	});

	const undated = (id: string): One => ({ id, age: null, more: { articleId: `article of ${id}` } });
	const undatedOnes = () => many(130).map(({ id }) => undated(id));

	it.each(['question', 'articleReady'] as const)(
		'makes a first poll fail that finds no time, because nothing would keep it out later: %s',
		async (event) => {
			const trigger = story({ [event]: undatedOnes() }, { hidden: () => 'r7' });
			const failed = { events: [event], reason: { kind: 'firstCheck' } };
			for (let n = 0; n < 2; n++) await expect(trigger.poll()).rejects.toMatchObject(failed);
			trigger.hidden = () => undefined;
			expect(await trigger.poll()).toEqual([]);
			trigger.lists[event].push(undated('new'));
			expect(await trigger.poll()).toEqual(['new']);
		},
	);

	it('in the first poll of Article Ready holds back no other event, and is shown with each poll', async () => {
		const lists = { question: many(3), articleReady: undatedOnes() };
		const hidden = () => 'r7';
		const trigger = await started(lists, { hidden });
		trigger.lists.question.push({ id: 'new' });
		expect(await trigger.poll()).toEqual(['new']);
		const report = { events: ['articleReady'], isOfAll: false };
		expect(trigger.reported).toMatchObject([report, report]);
	});

	it('comes later if the first poll of Article Ready passes on what exists', async () => {
		const lists = { articleReady: undatedOnes() };
		const settings = { events: ['articleReady' as const], emitExisting: true };
		const trigger = story(lists, { settings, hidden: () => 'r7' });
		expect(await trigger.poll()).toHaveLength(129);
		trigger.hidden = () => undefined;
		trigger.lists.articleReady.push({ id: 'without', age: null }, undated('new'));
		expect([await trigger.poll(), await trigger.poll()]).toEqual([['r7', 'new'], []]);
	});
});

describe('an event that is refused for good', () => {
	const begin = async (canReport = true) => {
		const lists = { citedPage: many(3), question: [{ id: 'known' }] };
		const trigger = await started(lists, { canReport });
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

	const deadline = new RequestFailure('deadline');
	it.each([403, deadline])('makes a poll fail if no other one is left (%s)', async (reason) => {
		const trigger = await begin();
		trigger.onRequest = () => {
			if (typeof reason === 'number') return reason;
			throw reason;
		};
		const isOfAll = { events: ['citedPage', 'question'], isOfAll: true };
		await expect(trigger.poll()).rejects.toMatchObject(isOfAll);
		expect(trigger.reported).toEqual([]);
	});
});

describe('what is stored', () => {
	it('belongs to one workspace: another one is a silent first poll, and an unknown one is an error', async () => {
		const trigger = await started({ question: many(3) });
		trigger.lists.question.push({ id: 'of the other', age: 0 });
		trigger.workspace = new RequestFailure('status');
		await expect(trigger.poll()).rejects.toThrow('status');
		trigger.workspace = 'other';
		expect(await trigger.poll()).toEqual([]);
		trigger.lists.question.push({ id: 'new', age: 0 });
		expect(await trigger.poll()).toEqual(['new']);
	});

	it('belongs to the API key where the workspace has no ID', async () => {
		const trigger = await started({ question: many(3) }, { workspace: null });
		trigger.lists.question.push({ id: 'new', age: 0 });
		expect(await trigger.poll()).toEqual(['new']);
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
});
