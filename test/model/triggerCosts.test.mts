import { describe, expect, it } from 'vitest';

import { read } from '../docs/markdown.mts';
import { DAY, many, START, story } from '../unit/triggerStory.mts';

describe('the table of requests in docs/trigger.md', () => {
	const [, table = ''] = read('docs/trigger.md').split('<!-- costs');
	const rows = table.match(/^\| New .*\|$/gm) ?? [];
	const numbers = (row: string) =>
		row.match(/[\d,]+/g)?.map((number) => Number(number.replace(',', ''))) ?? [];

	it.each(rows)('%s', async (row) => {
		const [count = 0, recent = 0, idle, daily] = numbers(row);
		const isPages = row.includes('Cited Page');
		const age = (n: number) => (n < recent ? 1 + n / recent : 5 + n / count);
		const statusOf = (n: number) => (n % 5 === 4 && n >= recent ? 'processed' : 'new');
		const records = many(count, age).map((one, n) => ({
			...one,
			citedAge: 0,
			status: statusOf(n) as 'processed' | 'new',
		}));
		const trigger = story({ [isPages ? 'citedPage' : 'question']: records });
		await trigger.poll();
		expect(await trigger.asked()).toHaveLength(idle ?? 0);
		trigger.now = START + DAY;
		expect(await trigger.asked()).toHaveLength(daily ?? 0);
	});

	it('has rows', () => expect(rows).toHaveLength(5));
});
