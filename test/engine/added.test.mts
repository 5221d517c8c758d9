import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { loadedNode, run } from './engine.mts';
import { byId, callOf } from './helpers.mts';
import { TABLE } from './table.mts';

/** What people add to a node takes effect at once, so that nobody relies on a filter or an option that does nothing. */

const ADDED = ['filters', 'options'];
const COUNTS: Array<INodeProperties['type']> = ['options', 'multiOptions', 'number'];

/** All filters and options of both nodes, with their collections. */
const added = ['searchVisibility', 'searchVisibilityTrigger'].flatMap((type) =>
	loadedNode(type)
		.description.properties.filter(({ name }) => ADDED.includes(name))
		.flatMap((collection) => (collection.options ?? []) as INodeProperties[]),
);

const withType = (...types: string[]) => added.filter(({ type }) => types.includes(type));
const namesOf = (properties: INodeProperties[]) => properties.map(({ name }) => name);

describe('among the filters and options of both nodes', () => {
	it('no choice has an empty default', () => {
		const choices = withType('options', 'multiOptions');
		expect(choices.length).toBeGreaterThan(15);
		const empty = choices.filter(({ default: usual }) => [usual].flat().join('') === '');
		expect(namesOf(empty)).toEqual([]);
	});

	it('every switch is on when it is added', () => {
		const switches = withType('boolean');
		expect(switches.length).toBeGreaterThan(15);
		expect(namesOf(switches.filter(({ default: usual }) => usual !== true))).toEqual([]);
	});

	it('a choice is added with another value than the one that counts without it', () => {
		const parameters = [...TABLE.values()].flatMap((operation) => [
			...operation.parameters.flatMap(({ property, parameters: inner = [] }) =>
				property.name === 'filters' ? inner : [],
			),
			...(operation.options ?? []),
		]);
		const choices = parameters.filter(({ property: { type } }) => type === 'options');
		expect(choices.length).toBeGreaterThan(5);
		const idle = choices.filter(
			({ property: { default: usual }, absentDefault: absentDefault = usual }) => {
				return absentDefault === usual;
			},
		);
		expect(namesOf(idle.map(({ property }) => property))).toEqual([]);
	});
});

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
	// Every choice has records that it lets pass, and others
	const [rival] = sandbox.state.all('competitor').filter(({ state }) => state === 'tracked');
	sandbox.discover.citedPage({ url: `https://${rival?.domain}/teas`, citations: 1 });
});
beforeEach(() => sandbox.clearLog());
afterAll(() => sandbox.close());

const filters = [...TABLE].flatMap(([name, { parameters: parameters }]) => {
	const inner = parameters.find(({ property }) => property.name === 'filters')?.parameters ?? [];
	return inner.map(({ property, absentDefault }) => ({
		...property,
		absentDefault,
		operation: name,
	}));
});

/** How many records come out, or are counted. */
async function countWith(operation: string, changes: INodeParameters): Promise<number> {
	const all = operation === 'citedPage.summarize' ? {} : { returnAll: true };
	const parameters = callOf(operation, { filters: {}, ...all, ...changes });
	const { error, json } = await run(sandbox, { parameters });
	if (error) throw error;
	return Number(json[0]?.pages ?? json.length);
}

it.each(filters.filter(({ type }) => type === 'options' || type === 'number'))(
	'($operation, $displayName) lets everything pass before anybody has set it, also in a tool, which opens with its numbers',
	async ({ operation, name, absentDefault }) => {
		const all = await countWith(operation, {});
		const filtersOf = { [name]: absentDefault } as INodeParameters;
		const hint = `'absentDefault' of ${name} in nodes/SearchVisibility/resources/ is ${String(absentDefault)}`;
		expect(await countWith(operation, { filters: filtersOf }), hint).toBe(all);
	},
);

describe('a filter that is added and left as it is', () => {
	it.each(filters.filter(({ type }) => COUNTS.includes(type)))(
		'($operation, $displayName) filters',
		async ({ operation, name, default: usual }) => {
			const all = await countWith(operation, {});
			const left = await countWith(operation, { filters: { [name]: usual } as INodeParameters });
			const hint = `${name} filters in test/sandbox/lists.mts, or in the node if it is not sent; records are in test/sandbox/seed.mts`;
			expect(left, hint).toBeGreaterThan(0);
			expect(left, hint).toBeLessThan(all);
		},
	);

	it.each(filters.filter(({ type }) => type === 'resourceLocator'))(
		'($operation, $displayName) asks for a record, before anything is sent',
		async ({ operation, name, displayName, default: usual }) => {
			const given = (value: unknown) =>
				run(sandbox, { parameters: callOf(operation, { filters: { [name]: value as string } }) });
			const { error } = await given(usual);
			expect(error?.message).toBe(`The '${displayName}' parameter has no value`);
			expect(error?.description).toBe('Choose a competitor from the list, or remove this filter.');
			expect(sandbox.requests).toEqual([]);
			// An expression, with which the editor leaves the list, may say that there is no filter
			expect((await given(byId("={{ $json.nothing ?? '' }}"))).error).toBeUndefined();
		},
	);
});
