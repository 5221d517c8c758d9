import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { itemAt } from '../defined.mts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { shareOf } from '../seed.mts';
import { CASES } from './cases.mts';
import { run } from './engine.mts';
import { byId, callOf, caseOf, doneOf, failedOf, idsOf, nameOf } from './helpers.mts';
import { ANY_TARGET, placesOf, type Place } from './places.mts';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
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

const EMPTY = ['', '  ', null, undefined, 'undefined', 'null'];
const NO_TEXT = [{ a: 1 }, [['x']]];
const NO_IDS = [
	'.',
	'..',
	'a/b',
	'../x',
	'..%2Fx',
	'a b',
	'a\nb',
	'a?b',
	'a#b',
	'schlüssel',
	'茶',
	'😀',
];

/** Values that a parameter must reject. */
function wrongFor({ name, type, typeOptions = {}, options }: INodeProperties): unknown[] {
	const { minValue = 0, maxValue } = typeOptions;
	switch (type) {
		case 'resourceLocator':
			return [...NO_IDS, 'x'.repeat(10_000), ...NO_TEXT];
		case 'options':
			return ['bogus', 'NEW', 5, true, ['new'], { a: 1 }];
		case 'multiOptions':
			// There may be more of them later (contract section 9)
			if (name === 'platforms') return [[{ a: 1 }]];
			return options ? [['bogus'], 'bogus', [options[0], 'bogus'], [5]] : [];
		case 'number':
			return [minValue - 1, -1, 1.5, 'abc', true, { a: 1 }, ...(maxValue ? [maxValue + 1] : [])];
		case 'boolean':
			return ['maybe', 2, {}];
		case 'dateTime':
			return [
				'yesterday',
				'2026-02-30',
				'31.01.2026',
				'2026-13-01',
				'2026-01-01T25:00',
				20260101,
				{},
			];
		case 'json':
			return ['not json', '5', '"text"', 5, '{"__proto__":{"a":1}}', '[{"constructor":{}}]'];
		case 'string':
			return [{ a: 1 }];
		default:
			return [];
	}
}

/** Runs all values at once, as items whose errors do not stop the others. */
async function refusals({ callWith }: Place, values: unknown[]) {
	const result = await run(sandbox, {
		items: values.map((value) => ({ value }) as IDataObject),
		parameters: callWith(VALUE),
		onError: 'continueRegularOutput',
	});
	expect(result.error).toBeUndefined();
	return result;
}

describe('a value that cannot be right, from an expression, is refused with the name of its parameter', () => {
	const tested = places.filter(({ property }) => wrongFor(property).length > 0);

	it('concerns parameters of every operation', () => {
		expect(new Set(tested.map(({ name }) => name))).toEqual(new Set(CASES.map(nameOf)));
	});

	it.each(tested)('$name: $parameter', async ({ parameter, ...place }) => {
		const values = wrongFor(place.property);
		const { output } = await refusals(place, values);
		output.forEach(({ json, pairedItem }, item) => {
			expect(String(json.message), JSON.stringify(values[item])).toContain(`'${parameter}'`);
			expect(pairedItem).toEqual({ item });
		});
		expect(output).toHaveLength(values.length);
		expect(sandbox.requests).toEqual([]);
	});
});

describe('a required parameter that is empty is refused with its name', () => {
	const required = places.filter(({ property }) => property.required);

	it('concerns every record that an operation acts on', () => {
		const ids = required.filter(({ property }) => property.type === 'resourceLocator');
		expect(ids.length).toBeGreaterThanOrEqual(15 + 4);
	});

	it.each(required)('$name: $parameter', async ({ parameter, ...place }) => {
		const { output } = await refusals(place, EMPTY);
		for (const { json } of output) expect(json.message).toMatch(new RegExp(`'${parameter}'`));
		expect(output).toHaveLength(EMPTY.length);
		expect(sandbox.requests).toEqual([]);
	});
});

describe('an optional parameter that is empty is not sent', () => {
	const isOptional = ({ property: { required, type } }: Place) =>
		!required && type !== 'boolean' && type !== 'json';
	const optional = places.filter(isOptional);
	const turns = optional.map((place, turn) => ({ ...place, turn }));
	it.each(turns)('$name: $parameter', async ({ name, property, callWith, turn }) => {
		for (const value of shareOf(EMPTY, turn, 3)) {
			sandbox.reset();
			const items = [{ value } as IDataObject];
			const { error } = await run(sandbox, { items, parameters: callWith(VALUE) });
			expect(error).toBeUndefined();
			// Without a filter, there may be more pages
			const { length } = sandbox.requests;
			if (caseOf(name).composedOf) expect(length).toBeGreaterThan(1);
			else expect(length).toBe(1);
			const { query, body } = itemAt(sandbox.requests, 0);
			// `limit` is also the name of the query parameter for the page size
			if (property.name !== 'limit') expect(query).not.toHaveProperty(property.name);
			expect(body ?? {}).not.toHaveProperty(property.name);
			expect(sandbox.responseViolations).toEqual([]);
		}
	});
});

describe('the item with the bad value is named', () => {
	const acting = places.filter(
		({ property }) => property.required && property.type === 'resourceLocator',
	);

	it.each(acting)('$name: $parameter', async ({ parameter, callWith }) => {
		const items = [{ value: 'some-id' }, { value: '../x' }];
		const { error, output } = await run(sandbox, { items, parameters: callWith(VALUE) });
		expect(output).toEqual([]);
		expect(error?.message).toContain(`'${parameter}'`);
		expect(error?.description).toContain('../x');
		expect(error?.context).toMatchObject({ itemIndex: 1 });
		expect(sandbox.requests).toEqual([]);
	});

	it('even if an expression gives the bare ID', async () => {
		const items = [{ value: 'kw_0001' }, {}];
		const parameters = { resource: 'keyword', operation: 'archive', keywordId: VALUE };
		const { error } = await run(sandbox, { items, parameters });
		expect(error?.message).toMatch(/'Keyword' parameter/);
		expect(error?.context).toMatchObject({ itemIndex: 1 });
		expect(sandbox.requests).toEqual([]);
	});
});

interface Wrong {
	name: string;
	parameter: string;
	values: unknown[];
}

const WRONG: Wrong[] = [
	...['forumOpportunity.create', 'indexing.notify', 'indexing.inspect'].map((name) => ({
		name,
		parameter: 'url',
		values: [
			'www.example.com',
			'/path',
			'//example.com/x',
			'ftp://example.com',
			'javascript:alert(1)',
			'mailto:a@example.com',
			'https://',
			'http://exa mple.com/',
			'https:/example.com',
			'https://example.com/a b',
			['https://example.com', 'https://example.com/2'],
		],
	})),
	{
		name: 'competitor.create',
		parameter: 'domain',
		values: [
			'https://',
			'http:///path',
			'/path',
			'.',
			'rival',
			'no host at all',
			'rival..example',
			'-rival.example',
			'rival.example, other.example',
			`${'x'.repeat(64)}.example`,
			['rival.example'],
		],
	},
	{ name: 'keyword.create', parameter: 'keywords', values: [' , \n,', [], [''], '[]', [{ a: 1 }]] },
	{ name: 'category.update', parameter: 'name', values: [['Guides']] },
];

describe('values that are checked one by one', () => {
	it.each(WRONG)('$name: $parameter', async ({ name, parameter, values }) => {
		const place = placesOf(name, () => sandbox).find(
			({ property }) => property.name === parameter,
		) as Place;
		const { output } = await refusals(place, values);
		output.forEach(({ json }, item) => {
			const { displayName } = place.property;
			expect(String(json.message), JSON.stringify(values[item])).toContain(`'${displayName}'`);
		});
		expect(output).toHaveLength(values.length);
		expect(sandbox.requests).toEqual([]);
	});

	it('the end of a period before its start', async () => {
		const { error } = await run(sandbox, {
			parameters: callOf('citedPage.getAll', sandbox, {
				filters: { startDate: '2026-03-02', endDate: '2026-03-01T23:59:59Z' },
			}),
		});
		expect(error?.message).toMatch(/'End Date'.*'Start Date'/);
		expect(sandbox.requests).toEqual([]);
	});

	const targets: Record<string, string> = {
		update_article: 'Article ID',
		publish_article: 'Article ID',
		request_indexing: 'Article ID',
		earn_link: 'Backlink',
		get_cited: 'Cited Page',
		reply_thread: 'Cited Page',
		record_video: 'Cited Page',
		track_competitor: 'Competitor',
	};
	it.each(Object.entries(targets))('the missing target of %s', async (type, target) => {
		const action = { resource: 'action', operation: 'create', type, title: 'Fresh' };
		const { error } = await run(sandbox, {
			parameters: { ...ANY_TARGET, ...action, additionalInstructions: 'Mind the step' },
		});
		expect(error?.message).toContain(`'${target}'`);
		expect(error?.context).toMatchObject({ itemIndex: 0 });
		expect(sandbox.requests).toEqual([]);
	});

	it.each(['write_article', 'add_prompt', 'other'])('no target is missed for %s', async (type) => {
		const parameters = { resource: 'action', operation: 'create', type, title: 'Fresh' };
		const { error } = await run(sandbox, { parameters });
		expect(error).toBeUndefined();
		expect(itemAt(sandbox.requests, 0).body).toEqual({ type, title: 'Fresh' });
	});

	it.each([
		['Article ID', { type: 'update_article', additionalInstructions: 'x' }, 'articleId'],
		['Backlink', { type: 'earn_link' }, 'backlinkId'],
	])('a URL for a record that cannot be found by URL: %s', async (title, action, parameter) => {
		const { error } = await run(sandbox, {
			parameters: {
				...{ resource: 'action', operation: 'create', title: 'Fresh', ...action },
				[parameter]: { __rl: true, mode: 'url', value: 'https://www.northwind-tea.example/a' },
			},
		});
		expect(error?.message).toContain(`'${title}'`);
		expect(error?.message).toContain('cannot be chosen by URL');
		expect(sandbox.requests).toEqual([]);
	});

	it('IDs in a list: one that cannot be valid', async () => {
		const { error } = await run(sandbox, {
			parameters: callOf('action.create', sandbox, {
				additionalFields: { keywordIds: ['kw_0001', '../x'] },
			}),
		});
		expect(error?.message).toMatch(/'Keyword/);
		expect(sandbox.requests).toEqual([]);
	});
});

describe('one bad item among good ones', () => {
	const bulks: Array<[string, unknown[], (value: string) => INodeParameters]> = [
		[
			'question.update',
			['paa_0001', 'paa_0002', 'a/b', 'paa_0003'],
			(value) => ({ questionId: byId(value), status: 'processed' }),
		],
		[
			'keyword.create',
			['sencha one', 'sencha two', ' , ', 'sencha three'],
			(value) => ({ keywords: value }),
		],
		[
			'competitor.create',
			['one.example', 'two.example', 'no host', 'three.example'],
			(value) => ({ domain: value }),
		],
		[
			'indexing.notify',
			[1, 2, 'x', 3].map((n) => (n === 'x' ? n : `https://www.northwind-tea.example/${n}`)),
			(value) => ({ url: value, type: 'URL_UPDATED' }),
		],
	];

	it.each(bulks)('%s: nothing at all is sent', async (name, values, changes) => {
		const items = values.map((value) => ({ value }) as IDataObject);
		const parameters = callOf(name, sandbox, changes(VALUE));
		const { error, output } = await run(sandbox, { items, parameters });
		expect(error?.context).toMatchObject({ itemIndex: 2 });
		expect(output).toEqual([]);
		expect(sandbox.requests).toEqual([]);
	});

	for (const onError of ['continueRegularOutput', 'continueErrorOutput'] as const) {
		it.each(bulks)(
			`%s: with "${onError}", the good ones are done`,
			async (name, values, changes) => {
				const items = values.map((value) => ({ value }) as IDataObject);
				const parameters = callOf(name, sandbox, changes(VALUE));
				const result = await run(sandbox, { items, parameters, onError });
				const [failed, ...others] = failedOf(result);
				expect(others).toEqual([]);
				expect(failed?.pairedItem).toEqual({ item: 2 });
				const done = doneOf(result).flatMap(({ pairedItem }) => pairedItem);
				expect(done).toEqual([{ item: 0 }, { item: 1 }, { item: 3 }]);
				const requests = name === 'keyword.create' ? 1 : 3;
				expect(sandbox.requests).toHaveLength(requests);
			},
		);
	}
});

describe('tolerated input', () => {
	const TEN = Array.from({ length: 10 }, (_, n) => `tea ${n}`);
	/** What users may enter, and what the node makes of it */
	const forgiven: Array<[string, string, INodeParameters, IDataObject]> = [
		[
			'a URL for a domain',
			'competitor.create',
			{ domain: ' HTTPS://www.Rival.Example:8080/shop?x=1#top ' },
			{ body: { domain: 'www.rival.example' } },
		],
		[
			'a path after a domain',
			'competitor.create',
			{ domain: 'rival.example/' },
			{ body: { domain: 'rival.example' } },
		],
		[
			'an international domain',
			'competitor.create',
			{ domain: 'tee-händler.example' },
			{ body: { domain: 'xn--tee-hndler-u5a.example' } },
		],
		[
			'spaces around a URL',
			'indexing.notify',
			{ url: '\n https://www.northwind-tea.example/a ' },
			{ body: { url: 'https://www.northwind-tea.example/a', type: 'URL_UPDATED' } },
		],
		['lines', 'keyword.create', { keywords: TEN.join('\r\n') }, { body: { keywords: TEN } }],
		['commas', 'keyword.create', { keywords: TEN.join(' ,') }, { body: { keywords: TEN } }],
		[
			'a fenced block',
			'keyword.create',
			{ keywords: `\`\`\`json\n${JSON.stringify(TEN, null, 2)}\n\`\`\`` },
			{ body: { keywords: TEN } },
		],
		[
			'a list',
			'keyword.create',
			{ keywords: `={{ ${JSON.stringify([...TEN, ' tea 1 ', ''])} }}` },
			{ body: { keywords: TEN } },
		],
		[
			'a list as JSON',
			'keyword.create',
			{ keywords: JSON.stringify(TEN) },
			{ body: { keywords: TEN } },
		],
		[
			'numbers for keywords',
			'keyword.create',
			{ keywords: '={{ [1984, "tea"] }}' },
			{ body: { keywords: ['1984', 'tea'] } },
		],
		[
			'spaces around an id',
			'question.update',
			{ questionId: byId(' paa_0001\n'), status: ' processed ' },
			{ path: '/v1/people-also-ask/paa_0001', body: { status: 'processed' } },
		],
		[
			'a number for an id',
			'question.archive',
			{ questionId: '={{ 42 }}' },
			{ path: '/v1/people-also-ask/42' },
		],
		[
			'date-times',
			'citedPage.getAll',
			{
				filters: {
					startDate: '2026-01-31T23:30:00.000-02:00',
					endDate: '={{ new Date("2026-03-01T10:00:00Z") }}',
				},
			},
			{ query: { startDate: '2026-02-01', endDate: '2026-03-01' } },
		],
		[
			'dates of the expression editor',
			'citedPage.getAll',
			{
				filters: {
					startDate: '={{ DateTime.fromISO("2026-01-31T00:00:00Z") }}',
					endDate: '2026-02-28 12:00:00',
				},
			},
			{ query: { startDate: '2026-01-31', endDate: '2026-02-28' } },
		],
		[
			'words for true and false, and a number as text',
			'question.getAll',
			{ returnAll: '={{ "false" }}', limit: '={{ "7" }}' },
			{ query: { offset: '0', limit: '7' } },
		],
		[
			'several states as text',
			'question.getAll',
			{ filters: { status: '={{ "new, processed" }}' } },
			{ query: { status: 'new,processed' } },
		],
		[
			'nothing for Return All: the limit counts',
			'question.getAll',
			{ returnAll: '={{ undefined }}', limit: 7 },
			{ query: { offset: '0', limit: '7' } },
		],
		[
			'a URL for a part of a domain',
			'citedPage.getAll',
			{ filters: { domain: ' HTTPS://www.Rival.Example/tea?x=1 ' } },
			{ query: { domain: 'www.rival.example' } },
		],
		[
			'a URL for a part of a linking domain',
			'backlink.getAll',
			{ filters: { domainFrom: 'https://rival.example/' } },
			{ query: { domainFrom: 'rival.example' } },
		],
		[
			'nothing for a choice: fields that belong to its default count',
			'backlink.getAll',
			{ type: '={{ undefined }}', filters: { competitorId: byId('comp_0001') } },
			{ query: { competitorId: 'comp_0001' } },
		],
		[
			'a custom body from an expression',
			'backlink.update',
			{ options: { customBody: '={{ { status: "new" } }}' } },
			{ body: { status: 'new' } },
		],
	];

	it.each(forgiven)('%s (%s)', async (_name, operation, changes, sent) => {
		const parameters = callOf(operation, sandbox, changes);
		await run(sandbox, { parameters });
		expect(sandbox.requests[0]).toMatchObject(sent);
	});

	it('optional fields that an agent fills with words for "nothing"', async () => {
		for (const nothing of ['', 'undefined', 'null', ' ']) {
			sandbox.reset();
			const { error } = await run(sandbox, {
				parameters: {
					resource: 'action',
					operation: 'create',
					type: 'write_article',
					title: 'Fresh',
					additionalFields: {
						slug: nothing,
						description: nothing,
						keywordIds: nothing,
						categoryId: byId(nothing),
					},
				},
			});
			expect(error).toBeUndefined();
			expect(itemAt(sandbox.requests, 0).body).toEqual({ type: 'write_article', title: 'Fresh' });
		}
	});

	it('a type from an expression: the targets of other types may be empty', async () => {
		const ids = idsOf(sandbox.state.all('citedPage')).slice(100, 102);
		const { error } = await run(sandbox, {
			items: [
				{ type: 'get_cited', citationId: ids[0] },
				{ type: 'reply_thread', citationId: ids[1] },
				{ type: 'other' },
			],
			parameters: {
				...ANY_TARGET,
				resource: 'action',
				operation: 'create',
				type: '={{ $json.type }}',
				title: '=Fresh {{ $itemIndex }}',
				citationId: byId('={{ $json.citationId }}'),
			},
		});
		expect(error).toBeUndefined();
		expect(sandbox.requests.map(({ body }) => body)).toEqual([
			{ type: 'get_cited', title: 'Fresh 0', citationId: ids[0] },
			{ type: 'reply_thread', title: 'Fresh 1', citationId: ids[1] },
			{ type: 'other', title: 'Fresh 2' },
		]);
	});

	it('IDs that need encoding reach the service as one part of the path', async () => {
		const id = 'a+b=c@d:e~f';
		const parameters = callOf('question.archive', sandbox, { questionId: byId(id) });
		const { error } = await run(sandbox, { parameters });
		expect(error).toMatchObject({ httpCode: '404' });
		const { path } = itemAt(sandbox.requests, 0);
		expect(decodeURIComponent(path)).toBe(`/v1/people-also-ask/${id}`);
		expect(idsOf(sandbox.state.all('question'))).toContain('paa_0001');
	});
});
