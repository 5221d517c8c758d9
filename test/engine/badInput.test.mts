import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { contract, type Schema } from '../contract/document.mts';
import { defined } from '../defined.mts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { CASES } from './cases.mts';
import { description, run } from './engine.mts';
import { byId, callOf, doneOf, failedOf, idsOf, MODES, nameOf } from './helpers.mts';
import { ANY_TARGET, placesOf } from './places.mts';
import { TABLE } from './table.mts';

/**
 * That each parameter of each operation is checked before anything is sent, and what users may enter all the same. What
 * exactly counts as a date, an ID or a domain is in `values.test.mts`.
 */

let sandbox: Sandbox;
beforeAll(async () => {
	// Lists of one or two pages
	const seed = { keyword: 60, question: 30, backlink: 60, forumOpportunity: 30 };
	sandbox = await startSandbox({ seed });
});
beforeEach(() => {
	// In most cases nothing was sent, so nothing has changed
	if (sandbox.requests.length > 0) sandbox.reset();
});
afterAll(() => sandbox.close());

const VALUE = '={{ $json.value }}';

const places = CASES.map(nameOf).flatMap((name) =>
	placesOf(name, () => sandbox).map((place) => ({
		name,
		parameter: place.property.displayName,
		...place,
	})),
);

const EMPTY = ['', '  ', null, undefined];

const MORE_LATER = ['platforms', 'status', 'types'];

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
			if (MORE_LATER.includes(name)) return [options?.[0]?.name, ['any of them'], [5], [{ a: 1 }]];
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
		...[' , \n,', [], [''], '[]', [{ a: 1 }], 'green tea\t1200'],
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
		const values = [...wrongFor(property), ...own, ...(property.required ? EMPTY : [])];
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

	it.each(defined(ActionType?.enum))(
		'of the type %s is required where the contract has one',
		async (type) => {
			const action = { resource: 'action', operation: 'create', type, title: 'Fresh' };
			const { error } = await run(sandbox, { parameters: { ...ANY_TARGET, ...action } });
			const target = description.properties.find(({ name }) => name === defined(targets)[type]);
			expect(error?.message).toBe(target && `The '${target.displayName}' parameter is required`);
			const sent = sandbox.requests.map(({ body }) => body);
			expect(sent).toEqual(target ? [] : [{ type, title: 'Fresh' }]);
		},
	);

	it('may be empty for other types, where the type is an expression', async () => {
		const [citationId] = idsOf(sandbox.state.all('citedPage')).slice(100);
		const items = [{ type: 'get_cited', citationId } as IDataObject, { type: 'other' }];
		const create = { resource: 'action', operation: 'create', title: '=Fresh {{ $itemIndex }}' };
		const target = { citationId: byId('={{ $json.citationId }}') };
		const parameters = { ...ANY_TARGET, ...create, type: '={{ $json.type }}', ...target };
		const { error } = await run(sandbox, { items, parameters });
		expect(error).toBeUndefined();
		expect(sandbox.requests.map(({ body }) => body)).toEqual(
			items.map((item, n) => ({ ...item, title: `Fresh ${n}` })),
		);
	});
});

const BULKS: Array<[string, string[], (value: string) => INodeParameters, requests: number]> = [
	[
		'question.update',
		['paa_0001', 'paa_0002', '../x', 'paa_0003'],
		(value) => ({ questionId: byId(value), status: 'processed' }),
		3,
	],
	['keyword.create', ['one', 'two', ' , ', 'three'], (keywords) => ({ keywords }), 1],
];
const runs = BULKS.flatMap((bulk) => MODES.map((onError) => [onError, ...bulk] as const));

it.each(runs)(
	'one bad item among good ones (on error %s, %s) stops the run before anything is sent, or fails alone',
	async (onError, name, values, changes, requests) => {
		const items = values.map((value) => ({ value }) as IDataObject);
		const parameters = callOf(name, sandbox, changes(VALUE));
		const result = await run(sandbox, { items, parameters, onError });
		expect(result.error?.context?.itemIndex).toBe(onError ? undefined : 2);
		expect(sandbox.requests).toHaveLength(onError ? requests : 0);
		const failed = onError ? [{ item: 2 }] : [];
		expect(failedOf(result).map(({ pairedItem }) => pairedItem)).toEqual(failed);
		const done = onError ? [{ item: 0 }, { item: 1 }, { item: 3 }] : [];
		expect(doneOf(result).flatMap(({ pairedItem }) => pairedItem)).toEqual(done);
	},
);

/** What only n8n's expressions and URLs show; each other way to be forgiving is in `values.test.mts`. */
it.each<[string, INodeParameters, IDataObject]>([
	[
		'question.archive',
		{ questionId: byId('a+b@d:e~') },
		{ path: '/v1/people-also-ask/a%2Bb%40d%3Ae~' },
	],
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
	await run(sandbox, { parameters: callOf(operation, sandbox, changes) });
	expect(sandbox.requests[0]).toMatchObject(sent);
});

describe('a parameter outside collections whose expression finds nothing', () => {
	// Required ones are tested above
	const optional = places.filter(
		({ collection, property: { required, type } }) =>
			!collection && !required && type !== 'resourceLocator',
	);

	it('is tested for what decides how much comes out, and from which list', () => {
		const names = new Set(optional.map(({ property }) => property.name));
		expect([...names]).toEqual(expect.arrayContaining(['returnAll', 'limit', 'type', 'scope']));
	});

	it.each(optional)(
		'($name: $parameter) is rejected before anything is sent',
		async ({ callWith, parameter }) => {
			for (const value of ['={{ $json.nothing }}', '={{ null }}']) {
				const { error } = await run(sandbox, { parameters: callWith(value) });
				expect(error?.message).toBe(`The '${parameter}' parameter has no value`);
				expect(error?.description).toContain('Its expression returns nothing');
			}
			expect(sandbox.requests).toEqual([]);
		},
	);
});

describe('a filter whose expression finds nothing', () => {
	const filtered = [...TABLE].flatMap(([name, { fields }]) => {
		const inner = fields.find(({ property }) => property.name === 'filters')?.fields ?? [];
		return inner.map(({ property }): [string, string, string] => [
			name,
			property.name,
			property.displayName,
		]);
	});

	it.each(filtered)('(%s, %s) is rejected before anything is sent', async (name, filter, label) => {
		const given = callOf(name, sandbox);
		for (const value of ['={{ $json.nothing?.id }}', '={{ null }}', byId('={{ $json.x }}')]) {
			const parameters = { ...given, filters: { [filter]: value } };
			const { error } = await run(sandbox, { parameters });
			expect(error?.message).toBe(`The '${label}' parameter has no value`);
			expect(error?.description).toContain("{{ $json.domain ?? '' }}");
		}
		expect(sandbox.requests).toEqual([]);
	});

	it.each(filtered)('(%s, %s) is no filter if it gives an empty text', async (name, filter) => {
		const filters = { [filter]: "={{ $json.nothing ?? '' }}" };
		const { error } = await run(sandbox, { parameters: callOf(name, sandbox, { filters }) });
		expect(error).toBeUndefined();
		const queries = sandbox.requests.map(({ query }) => query);
		expect(queries.every((query) => !(filter in query))).toBe(true);
	});
});
