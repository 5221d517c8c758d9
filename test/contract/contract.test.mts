import type { INodeProperties } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { defined } from '../defined.mts';
import { loadedNode } from '../engine/engine.mts';
import { fieldsIn } from '../engine/table.mts';
import { differences, documented, offered, operations } from './offered.mts';

/** What the compiler cannot see: whether the node offers everything that the contract has (mistakes.mts is the rest). */

describe('the node', () => {
	it('offers every endpoint of the contract once, with every parameter and field, and no others', () => {
		expect(differences()).toEqual([]);
		expect(offered.size).toBeGreaterThan(60);
		const names = operations.map(({ method, path }) => `${method} ${path}`);
		expect(new Set(names).size).toBe(names.length);
	});

	it.each([...documented])('agrees with the contract about %s', (name, { choices, ...place }) => {
		const ours = defined(offered.get(name));
		expect([...ours.choices].sort()).toEqual([...choices].sort());
		// The node may ask for more than the contract requires
		if (place.isRequired) expect(ours.isRequired).toBe(true);
		if (typeof place.byDefault === 'string' && choices.length > 0 && ours.byDefault) {
			expect(ours.byDefault).toBe(place.byDefault);
		}
	});
});

/** Everything about a parameter that a saved workflow may contain. */
function lineFor(path: string, { type, default: usual, options = [] }: INodeProperties): string {
	const isChoice = type === 'options' || type === 'multiOptions';
	const values = isChoice ? options.map((option) => (option as { value: string }).value) : [];
	const choices = values.length > 0 ? ` (${values.join(', ')})` : '';
	return `${path}: ${type}${choices} = ${JSON.stringify(usual)}`;
}

it('what workflows save changes only on purpose (npm run generate)', async () => {
	const lines = ['searchVisibility', 'searchVisibilityTrigger'].flatMap((type) => {
		const { name, version, credentials, properties } = loadedNode(type).description;
		const credential = credentials?.map((one) => one.name).join();
		return [
			`${name}, version ${String(version)}, ${credential}`,
			...fieldsIn(properties).map((one) => lineFor(...one)),
			'',
		];
	});
	await expect(lines.join('\n')).toMatchFileSnapshot('publicNames.txt');
});
