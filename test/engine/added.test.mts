import type { INodeProperties } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { loadedNode } from './engine.mts';
import { TABLE } from './table.mts';

/**
 * What people add to a node takes effect at once, so that nobody relies on a filter or an option that
 * does nothing. What each filter does is in `lists.test.mts` and `cases.mts`.
 */

/** All filters and options of both nodes, with their collections. */
const added = ['searchVisibility', 'searchVisibilityTrigger'].flatMap((type) =>
	loadedNode(type)
		.description.properties.filter(({ name }) => ['filters', 'options'].includes(name))
		.flatMap((collection) => (collection.options ?? []) as INodeProperties[]),
);

const withType = (...types: string[]) => added.filter(({ type }) => types.includes(type));
const namesOf = (properties: INodeProperties[]) => properties.map(({ name }) => name);

it('no choice among the filters and options of both nodes has an empty default', () => {
	const choices = withType('options', 'multiOptions');
	expect(choices.length).toBeGreaterThan(15);
	const empty = choices.filter(({ default: usual }) => [usual].flat().join('') === '');
	expect(namesOf(empty)).toEqual([]);
});

it('every switch among the options of both nodes is on when it is added', () => {
	const switches = withType('boolean');
	expect(switches.length).toBeGreaterThan(15);
	expect(namesOf(switches.filter(({ default: usual }) => usual !== true))).toEqual([]);
});

it('a choice among the filters and options of the node is added with another value than the one that counts without it', () => {
	const fields = [...TABLE.values()].flatMap((operation) => [
		...operation.fields.flatMap(({ property, fields: inner = [] }) =>
			property.name === 'filters' ? inner : [],
		),
		...(operation.options ?? []),
	]);
	const choices = fields.filter(
		({ property: { name, type } }) => type === 'options' || name === 'minCitations',
	);
	expect(choices.length).toBeGreaterThan(5);
	const idle = choices.filter(({ property: { default: usual }, unlessAdded = usual }) => {
		return unlessAdded === usual;
	});
	expect(namesOf(idle.map(({ property }) => property))).toEqual([]);
});
