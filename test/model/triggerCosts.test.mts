import { describe, expect, it } from 'vitest';

import { read } from '../docs/markdown.mts';
import { defined } from '../defined.mts';
import type { EventName } from '../../nodes/SearchVisibilityTrigger/events.ts';
import { EVENT_NAMES, EVENTS } from '../../nodes/SearchVisibilityTrigger/events.ts';
import { DAY, many, START, story } from '../unit/triggerStory.mts';

describe('the table of requests in docs/trigger.md', () => {
	const [, table = ''] = read('docs/trigger.md').split('<!-- costs');
	const rows = table.match(/^\| (?:New|Article) .*\|$/gm) ?? [];
	const cellsOf = (row: string) => {
		const [name, ...others] = row
			.split('|')
			.map((cell) => cell.trim())
			.slice(1, -1);
		const event = defined(EVENT_NAMES.find((one) => EVENTS[one].name === name));
		return { event, numbers: others.map((number) => Number(number.replace(',', ''))) };
	};
	/** The lists of a service, where each question has an article */
	const listsWith = (event: EventName, count: number, recent: number) => {
		const age = (n: number) => (n < recent ? 1 + n / recent : 5 + n / count);
		const statusOf = (n: number) => (n % 5 === 4 && n >= recent ? 'processed' : 'new');
		const records = many(count, age).map((one, n) => ({
			...one,
			citedAge: 0,
			status: statusOf(n) as 'processed' | 'new',
			more: { articleId: one.id },
		}));
		return { [event]: records };
	};

	it.each(rows)('%s', async (row) => {
		const { event, numbers } = cellsOf(row);
		const [count = 0, recent = 0, idle, daily] = numbers;
		// "Any" is no number
		const trigger = story(listsWith(event, count, recent || count));
		await trigger.poll();
		expect(await trigger.asked()).toHaveLength(idle ?? 0);
		trigger.now = START + DAY;
		expect(await trigger.asked()).toHaveLength(daily ?? 0);
	});

	it('has rows', () => expect(rows).toHaveLength(6));

	it('is for each event: Article Ready reads the list of the questions once more', async () => {
		const questions = listsWith('question', 250, 250);
		const trigger = story({ ...questions, ...listsWith('articleReady', 250, 250) });
		await trigger.poll();
		const idle = Array.from({ length: 2 }, () => ['0-100', '100-200', '200-300']).flat();
		const asked = await trigger.asked();
		expect(asked.map((one) => one.split(' ').at(-1)).sort()).toEqual(idle.sort());
	});
});
