import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { histories, type Step } from './triggerSteps.mts';

/** They set the memory back, or begin another one. */
const ENDS: Array<Step['type']> = ['crash', 'publish', 'rollback', 'damage', 'move'];
const isOccasional = (type: Step['type']) => type !== 'edit' && type !== 'poll';

const all = fc.sample(histories, 200).map(({ steps }) => steps);

/** The steps of a history, cut where a life of the memory ends. */
function livesOf(steps: Step[]): Step[][] {
	const lives: Step[][] = [[]];
	for (const step of steps) {
		if (ENDS.includes(step.type)) lives.push([]);
		else lives.at(-1)?.push(step);
	}
	return lives;
}

const hasUndated = (step: Step) => step.type === 'edit' && step.edit.do === 'undated';

describe('of 200 random histories', () => {
	it('at least 31 have a life of eight steps or more with a record without a time', () => {
		const isLong = (life: Step[]) => life.length >= 8 && life.some(hasUndated);
		const found = all.filter((steps) => livesOf(steps).some(isLong));
		expect(found.length).toBeGreaterThanOrEqual(31);
	});

	it('each leaves out a random part of the kinds of steps: some have hardly any, others many', () => {
		const kindsOf = (steps: Step[]) => new Set(steps.map(({ type }) => type).filter(isOccasional));
		const kinds = all.filter(({ length }) => length >= 12).map((steps) => kindsOf(steps).size);
		const few = kinds.filter((count) => count <= 2);
		const many = kinds.filter((count) => count >= 6);
		// Without the choice, long histories have six or seven kinds, and nearly none has fewer than three
		expect(few.length).toBeGreaterThan(kinds.length / 5);
		expect(many.length).toBeGreaterThan(kinds.length / 10);
	});
});
