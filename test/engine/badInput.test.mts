import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { contract, type Schema } from '../contract/document.mts';
import { defined, itemAt } from '../defined.mts';
import { useSandbox } from '../sandbox/useSandbox.mts';
import { CASES } from './cases.mts';
import { description, run } from './engine.mts';
import { at, byId, callOf, doneOf, failedOf, MODES } from './helpers.mts';
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

/** Values that a parameter must reject. */
function wrongFor({ name, type, typeOptions = {}, options }: INodeProperties): unknown[] {
	const { minValue = 0, maxValue } = typeOptions;
	switch (type) {
		case 'resourceLocator':
			return ['..', 'a/b', '..%2Fx', 'a b', 'a?b', 'schlüssel', 'x'.repeat(10_000), { a: 1 }];
		case 'options':
			return ['bogus', 'NEW', 5, ['new'], { a: 1 }];
		case 'multiOptions':
			// There may be more of them later (contract section 9), but none is a label
			if (['platforms', 'status', 'types'].includes(name))
				return [options?.[0]?.name, ['any of them'], [5], [{ a: 1 }]];
			return options ? [['bogus'], 'bogus', [options[0], 'bogus'], [5]] : [];
		case 'number':
			return [minValue - 1, 1.5, 'abc', true, { a: 1 }, ...(maxValue ? [maxValue + 1] : [])];
		case 'boolean':
			return ['maybe', 2, {}];
		case 'dateTime':
			return ['yesterday', '2026-02-30', '2026-01-01T25:00', 20260101, {}];
		case 'json':
			return ['not json', '5', 5];
		case 'string':
			return [{ a: 1 }];
		default:
			return [];
	}
}

/** What only some fields reject, by their names. */
const WRONG: Record<string, unknown[]> = {
	'action.getAll status': ['In Progress', 'all that are open', 'new; done'],
	'forumOpportunity.create url': ['/path', 'javascript:alert(1)', ['https://a.example']],
	'indexing.notify url': ['www.example.com', 'https://', 'https://a b.example'],
	'indexing.inspect url': ['www.example.com', 'https://', 'ftp://example.com'],
	'competitor.create domain': ['https://', 'rival', 'rival.example, other.example', ['a.example']],
	'keyword.create keywords': [
		' , \n,',
		[],
		[''],
		'[]',
		[{ a: 1 }],
		'green tea\t1200',
		'\ufffd\ufffdt\u0000e\u0000a\u0000',
	],
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
		const { name, property } = place;
		const own = WRONG[`${name} ${property.name}`] ?? [];
		const empty = property.required ? ['', '  ', null, undefined] : [];
		const values = [...wrongFor(property), ...own, ...empty];
		return { ...place, values };
	});

	it('for every record that an operation acts on', () => {
		const ids = tested.filter(({ property: { required, type } }) => {
			return required && type === 'resourceLocator';
		});
		expect(ids.length).toBeGreaterThanOrEqual(15 + 4);
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

describe('the target of an action', () => {
	const { ActionType, CreateAction } = contract.components.schemas as Record<string, Schema>;
	const targets = defined(CreateAction as { 'x-targets'?: Record<string, string> })['x-targets'];
	const bodies = () => sandbox.requests.map(({ body }) => body);

	it.each(defined(ActionType?.enum))(
		'of the type %s is required where the contract has one',
		async (type) => {
			const parameters = at('action.create', { ...ANY_TARGET, type, title: 'Fresh' });
			const { error } = await run(sandbox, { parameters });
			const target = description.properties.find(({ name }) => name === defined(targets)[type]);
			expect(error?.message).toBe(target && `The '${target.displayName}' parameter is required`);
			expect(bodies()).toEqual(target ? [] : [{ type, title: 'Fresh' }]);
		},
	);

	it('may be empty for other types, where the type is an expression', async () => {
		const citationId = itemAt(sandbox.state.all('citedPage'), 100).id;
		const items: IDataObject[] = [{ type: 'get_cited', citationId }, { type: 'other' }];
		const given = { type: '={{ $json.type }}', citationId: byId('={{ $json.citationId }}') };
		const title = '=Fresh {{ $itemIndex }}';
		const parameters = at('action.create', { ...ANY_TARGET, title, ...given });
		expect((await run(sandbox, { items, parameters })).error).toBeUndefined();
		expect(bodies()).toEqual(items.map((item, n) => ({ ...item, title: `Fresh ${n}` })));
	});
});

it.each(
	MODES.flatMap((onError) => [
		{
			onError,
			name: 'question.update',
			changes: { questionId: byId(VALUE) },
			values: ['paa_0001', 'paa_0002', '../x', 'paa_0003'],
			requests: 3,
		},
		{
			onError,
			name: 'keyword.create',
			changes: { keywords: VALUE },
			values: ['one', 'two', ' , ', 'three'],
			requests: 1,
		},
	]),
)(
	'one bad item among good ones (on error $onError, $name) stops the run before anything is sent, or fails alone',
	async ({ onError, name, changes, values, requests }) => {
		const items = values.map((value) => ({ value }));
		const result = await run(sandbox, { items, parameters: callOf(name, changes), onError });
		expect(result.error?.context?.itemIndex).toBe(onError ? undefined : 2);
		expect(sandbox.requests).toHaveLength(onError ? requests : 0);
		const failed = onError ? [{ item: 2 }] : [];
		expect(failedOf(result).map(({ pairedItem }) => pairedItem)).toEqual(failed);
		const done = onError ? [{ item: 0 }, { item: 1 }, { item: 3 }] : [];
		expect(doneOf(result).flatMap(({ pairedItem }) => pairedItem)).toEqual(done);
	},
);

/** What only n8n's expressions show; each other way to be forgiving is in `values.test.mts`. */
it.each<[string, INodeParameters, IDataObject]>([
	[
		'citedPage.getAll',
		{
			filters: {
				startDate: '={{ DateTime.fromISO("2026-01-31", { zone: "Europe/Berlin" }) }}',
				endDate: '={{ new Date("2026-03-01T10:00:00Z") }}',
			},
		},
		{ query: { startDate: '2026-01-31', endDate: '2026-03-01' } },
	],
	[
		'action.getAll',
		{ filters: { types: '={{ ["write_article", "brand_new"] }}', status: '=new, brand_new' } },
		{ query: { types: 'write_article,brand_new', status: 'new,brand_new' } },
	],
	[
		'keyword.create',
		{ keywords: '=tea pot, cast iron\ntea，oolong', options: { splitAt: 'lines' } },
		{ body: { keywords: ['tea pot, cast iron', 'tea，oolong'] } },
	],
])('%s understands %j from expressions', async (operation, changes, sent) => {
	await run(sandbox, { parameters: callOf(operation, changes) });
	expect(sandbox.requests[0]).toMatchObject(sent);
});

/** Required ones are tested above. */
const optional = places.filter(
	({ collection, property: { required, type } }) =>
		!collection && !required && type !== 'resourceLocator',
);
const filters = places.filter(({ collection }) => collection === 'filters');

it('what decides how much comes out, and from which list, is among the parameters whose expression must find something', () => {
	const names = optional.map(({ property }) => property.name);
	expect(names).toEqual(expect.arrayContaining(['returnAll', 'limit', 'type', 'scope']));
	expect(filters.length).toBeGreaterThan(10);
});

it.each([...optional, ...filters])(
	'$name: $parameter, whose expression finds nothing, is rejected before anything is sent',
	async ({ callWith, collection, parameter }) => {
		for (const value of ['={{ $json.nothing?.id }}', '={{ null }}']) {
			const { error } = await run(sandbox, { parameters: callWith(value) });
			expect(error?.message).toBe(`The '${parameter}' parameter has no value`);
			const hint = collection ? "{{ $json.domain ?? '' }}" : 'Its expression returns nothing';
			expect(error?.description).toContain(hint);
		}
		expect(sandbox.requests).toEqual([]);
	},
);

it.each(filters)(
	'the filter $parameter of $name is none if its expression gives an empty text',
	async ({ callWith, property }) => {
		const { error } = await run(sandbox, { parameters: callWith("={{ $json.nothing ?? '' }}") });
		expect(error).toBeUndefined();
		const queries = sandbox.requests.map(({ query }) => query);
		expect(queries.length).toBeGreaterThan(0);
		expect(queries.filter((query) => property.name in query)).toEqual([]);
	},
);
