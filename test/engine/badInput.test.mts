import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { contract, type Schema } from '../contract/document.mts';
import { defined } from '../defined.mts';
import { useSandbox } from '../sandbox/useSandbox.mts';
import { CASES } from './cases.mts';
import { description, run } from './engine.mts';
import { at, byId, callOf } from './helpers.mts';
import { ANY_TARGET, placesOf } from './places.mts';

/**
 * That each parameter of each operation is checked before anything is sent, and what users may enter all the same. What
 * exactly counts as a date, an ID or a domain is in `values.test.mts`.
 */

// Lists of one or two pages
const seed = { keyword: 60, question: 30, backlink: 60, forumOpportunity: 30 };
const sandbox = await useSandbox({ seed });

const VALUE = '={{ $json.value }}';

const places = CASES.flatMap(({ name }) =>
	placesOf(name).map((place) => ({ name, parameter: place.property.displayName, ...place })),
);

const EMPTY = ['', '  ', null, undefined];

/** What parameters of a type reject, and some by their names. What else they do is in `values.test.mts`. */
const WRONG: Record<string, unknown[]> = {
	resourceLocator: ['a/b', 'schlüssel', { a: 1 }],
	options: ['bogus', 5, ['new']],
	multiOptions: [['any of them'], [{ a: 1 }]],
	number: [1.5, 'abc'],
	boolean: ['maybe', {}],
	dateTime: ['2026-02-30', 20260101],
	json: ['not json', 5],
	string: [{ a: 1 }],
	'action.getAll status': ['In Progress'],
	'forumOpportunity.create url': ['/path', ['https://a.example']],
	'indexing.notify url': ['www.example.com', 'https://a b.example'],
	'indexing.inspect url': ['ftp://example.com'],
	'competitor.create domain': ['rival', 'rival.example, other.example', ['a.example']],
	'keyword.create keywords': [' , \n,', [], [{ a: 1 }], 'green tea\t1200', 'g\u0000'],
	'category.update name': [['Guides']],
	'action.create keywordIds': [['kw_0001', '../x']],
	'action.create fanoutQueryIds': ['fq_0001, ../x'],
};

describe('a wrong value from an expression is refused by the name of its parameter, before anything is sent', () => {
	// What several operations share, such as options, is tested in one of them
	const definitions = new Map(
		places.map((place) => {
			const { displayOptions: _displayOptions, ...definition } = place.property;
			const { required, name } = definition;
			return [required ? `${place.name} ${name}` : JSON.stringify(definition), place];
		}),
	);
	const tested = [...definitions.values()].map((place) => {
		const { type, name, required, typeOptions } = place.property;
		const { minValue = 0, maxValue = Infinity } = typeOptions ?? {};
		const bounds = type === 'number' ? [minValue - 1, maxValue + 1] : [];
		const own = WRONG[`${place.name} ${name}`] ?? [];
		const values = [...(WRONG[type] ?? []), ...bounds, ...own, ...(required ? EMPTY : [])];
		return { ...place, values };
	});

	it.each(tested.filter(({ values }) => values.length > 0))(
		'$name: $parameter',
		async ({ parameter, callWith, values }) => {
			const { error, output } = await run(sandbox, {
				items: values.map((value) => ({ value }) as IDataObject),
				parameters: callWith(VALUE),
				onError: 'continueRegularOutput',
			});
			expect(error).toBeUndefined();
			output.forEach(({ json, pairedItem }, item) => {
				expect(String(json.message), JSON.stringify(values[item])).toContain(`'${parameter}'`);
				expect(pairedItem).toEqual({ item });
			});
			expect(output).toHaveLength(values.length);
			expect(sandbox.requests).toEqual([]);
		},
	);
});

const { ActionType, CreateAction } = contract.components.schemas as Record<string, Schema>;
const targets = defined(CreateAction as { 'x-targets'?: Record<string, string> })['x-targets'];

it.each(defined(ActionType?.enum))(
	'the target of an action is required if the contract has one for its type, %s from an expression, and may else be empty',
	async (type) => {
		const parameters = at('action.create', { ...ANY_TARGET, type: VALUE, title: 'Fresh' });
		const { error } = await run(sandbox, { items: [{ value: type }], parameters });
		const target = description.properties.find(({ name }) => name === defined(targets)[type]);
		expect(error?.message).toBe(target && `The '${target.displayName}' parameter is required`);
		const bodies = sandbox.requests.map(({ body }) => body);
		expect(bodies).toEqual(target ? [] : [{ type, title: 'Fresh' }]);
	},
);

it.each<[name: string, changes: INodeParameters, values: string[]]>([
	['question.update', { questionId: byId(VALUE) }, ['paa_0001', '../x', 'paa_0003']],
	['keyword.create', { keywords: VALUE }, ['one', ' , ', 'three']],
])(
	'one bad item among good ones stops %s before anything is sent, or fails alone',
	async (name, changes, values) => {
		const items = values.map((value) => ({ value }));
		const node = { items, parameters: callOf(name, changes) };
		expect((await run(sandbox, node)).error?.context?.itemIndex).toBe(1);
		expect(sandbox.requests).toEqual([]);
		const result = await run(sandbox, { ...node, onError: 'continueErrorOutput' });
		expect(result.error).toBeUndefined();
		expect(result.errors.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
		const done = [{ item: 0 }, { item: 2 }];
		expect(result.output.flatMap(({ pairedItem }) => pairedItem)).toEqual(done);
	},
);

/** What only n8n itself shows; each other way to be forgiving is in `values.test.mts`. */
it.each<[string, INodeParameters, IDataObject]>([
	[
		'citedPage.getAll',
		{
			filters: {
				startDate: '={{ DateTime.fromISO("2026-01-31T00:00:00Z") }}',
				endDate: '={{ new Date("2026-03-01T10:00:00Z") }}',
			},
		},
		{ query: { startDate: '2026-01-31', endDate: '2026-03-01' } },
	],
	[
		'keyword.create',
		{ keywords: '=tea pot, cast iron\ntea，oolong', options: { splitAt: 'lines' } },
		{ body: { keywords: ['tea pot, cast iron', 'tea，oolong'] } },
	],
	// n8n's own helper would send no empty body
	['keyword.create', { options: { customBody: '{}' } }, { body: {} }],
	['keyword.create', { options: { customBody: '={{ [] }}' } }, { body: [] }],
])('%s understands %j, and sends %j', async (operation, changes, sent) => {
	await run(sandbox, { parameters: callOf(operation, changes) });
	expect(sandbox.requests[0]).toMatchObject(sent);
});

/** What decides how much comes out, such as Return All, Limit and Type. Required ones are tested above. */
const optional = places.filter(
	({ collection, property: { required, type } }) =>
		!collection && !required && type !== 'resourceLocator',
);
const filters = places.filter(({ collection }) => collection === 'filters');

it.each([...optional, ...filters])(
	'$name: $parameter, whose expression finds nothing, is rejected before anything is sent; a filter is none if it gives an empty text',
	async ({ callWith, collection, parameter, property }) => {
		for (const value of ['={{ $json.nothing?.id }}', '={{ null }}']) {
			const { error } = await run(sandbox, { parameters: callWith(value) });
			expect(error?.message).toBe(`The '${parameter}' parameter has no value`);
			const hint = collection ? "{{ $json.domain ?? '' }}" : 'Its expression returns nothing';
			expect(error?.description).toContain(hint);
		}
		expect(sandbox.requests).toEqual([]);
		if (!collection) return;
		const { error } = await run(sandbox, { parameters: callWith("={{ $json.nothing ?? '' }}") });
		expect(error).toBeUndefined();
		const queries = sandbox.requests.map(({ query }) => query);
		expect(queries.length).toBeGreaterThan(0);
		expect(queries.filter((query) => property.name in query)).toEqual([]);
	},
);
