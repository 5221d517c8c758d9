import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import type { Settings } from '../../nodes/SearchVisibilityTrigger/settings.ts';
import { NOW, worldOf } from './triggerPages.mts';
import { DAY } from './triggerService.mts';

describe('the table of requests in docs/trigger.md', () => {
	const text = readFileSync(new URL('../../docs/trigger.md', import.meta.url), 'utf8');
	const [, table = ''] = text.split('<!-- costs');
	const rows = table.match(/^\| New .*\|$/gm) ?? [];
	const numbers = (row: string) =>
		row.match(/[\d,]+/g)?.map((number) => Number(number.replace(',', ''))) ?? [];

	it.each(rows)('%s', async (row) => {
		const [count = 0, recent = 0, idle, daily] = numbers(row);
		const isPages = row.includes('Cited Page');
		const world = worldOf({ sorting: isPages ? 'kept' : 'refused' });
		const events: Settings['events'] = [isPages ? 'citedPage' : 'question'];
		if (isPages) {
			const age = (n: number) => (n < recent ? 1 + n / recent : 5 + n / count);
			world.pages = Array.from({ length: count }, (_, n) => ({
				...{ id: `p${n}`, age: age(n), citedAge: 0 },
				status: n % 5 === 4 && n >= recent ? 'processed' : 'new',
			}));
		} else world.questions = Array.from({ length: count }, (_, n) => `q${n}`);
		await world.poll({ events });
		expect((await world.cost({ events })).length).toBe(idle);
		world.now = NOW + DAY;
		expect((await world.cost({ events })).length).toBe(daily);
	});

	it('has rows', () => expect(rows).toHaveLength(5));
});
