import { describe, expect, it } from 'vitest';

import { read } from '../docs/markdown.mts';
import { ALL_WORK, verified } from './verified.mts';
import { useWorkspace } from './workspace.mts';
import { SEEN, UNSEEN } from './wrongServices.mts';

const workspace = useWorkspace();

describe.each(SEEN)('where $name', ({ wrong, tells, write, ...more }) => {
	const { rows = 1, minds = true, fails = ALL_WORK } = more;

	it('verify tells that and nothing else, says whether the node minds, and counts the reads that work', async () => {
		const { differs, facts, firstLine } = await verified(workspace.answer, wrong, write);
		expect(differs.filter((line) => !tells.test(line))).toEqual([]);
		expect(differs).toHaveLength(rows);
		expect(firstLine).toMatch(fails);
		const effects = facts.filter(({ state }) => state === 'differs').map((one) => one.minds);
		for (const effect of effects) expect(effect).toMatch(/^(Yes|No): \w/);
		expect(effects.some((effect) => effect.startsWith('Yes'))).toBe(minds);
	});
});

it.each(UNSEEN)('verify cannot see $name, and the docs say so', async ({ name, wrong }) => {
	const { differs, firstLine } = await verified(workspace.answer, wrong);
	expect(differs).toEqual([]);
	expect(firstLine).toMatch(ALL_WORK);
	expect(read('docs/assumptions.md')).toContain(`- ${name}`);
});
