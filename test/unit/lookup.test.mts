import type { IDataObject } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';

import type { ItemSettings } from '../../nodes/SearchVisibility/settings.ts';
import { defined } from '../defined.mts';
import { newInput } from '../../nodes/SearchVisibility/itemInput.ts';
import { Lookup, PageIndex } from '../../nodes/SearchVisibility/lookup.ts';
import { RESOURCES } from '../../nodes/SearchVisibility/resources/index.ts';
import { useService } from './nodeContext.mts';

const FORUM = '/v1/forum-opportunities';
const PAGES = '/v1/ai-visibility/citations';
const ACTIONS = '/v1/actions';
const NEVER = new AbortController().signal;

const service = useService();

const fieldOf = (resource: string, operation: string, name: string) => {
	const { operations } = defined(RESOURCES.find(({ value }) => value === resource));
	const { fields } = defined(operations.find(({ value }) => value === operation));
	return defined(fields.find(({ property }) => property.name === name));
};
const thread = fieldOf('forumOpportunity', 'archive', 'forumOpportunityId');
const citedPage = fieldOf('action', 'create', 'citationId');

function inputFor(settings: Partial<ItemSettings> = {}) {
	const input = newInput(0);
	return { ...input, settings: { ...input.settings, maxRetries: 0, ...settings } };
}

const naming = (field: typeof thread, url: string, settings?: Partial<ItemSettings>) => ({
	...inputFor(settings),
	lookups: [{ field, url }],
});

const newLookup = () => new Lookup(service.client());

/** The cited pages of the service, which filters them as the contract says (4.8). */
function citedPages(...pages: Array<{ id: string; url: string; domain: string; type?: string }>) {
	service.lists[PAGES] = (query) =>
		pages.filter(({ type = 'new', domain }) => {
			return type === query.type && domain.includes(String(query.domain ?? ''));
		});
}

const queries = () =>
	service.sent.map(({ query: { offset: _offset, limit: _limit, ...others } }) => others);

describe('a record that is named by its URL', () => {
	const URL = 'https://a.example/x';
	const idOf = async (url: string, field = citedPage, lookup = newLookup()) => {
		const { body, id } = await lookup.resolve(naming(field, url), NEVER);
		return body.citationId ?? id;
	};

	it('is put where its ID is sent from, and the input stays as it was', async () => {
		service.lists[FORUM] = () => [{ id: 'f', url: URL }];
		citedPages({ id: 'c', url: URL, domain: 'a.example' });
		const input = { ...naming(citedPage, URL), body: { title: 'x' }, values: { title: 'x' } };
		const changed = { title: 'x', citationId: 'c' };
		const resolved = await newLookup().resolve(input, NEVER);
		expect(resolved).toMatchObject({ values: changed, body: changed });
		expect({ ...input.values, ...input.body }).toEqual({ title: 'x' });
		const found = await newLookup().resolve(naming(thread, URL), NEVER);
		expect(found).toMatchObject({ id: 'f', values: { forumOpportunityId: 'f' }, body: {} });
	});

	it('is not looked for where there is none', async () => {
		const input = newInput(0);
		expect(await newLookup().resolve(input, NEVER)).toEqual(input);
		expect(service.sent).toEqual([]);
	});

	it.each([
		['https://www.a.example/x', 'a.example'],
		['https://a.example./x', 'a.example'],
		['https://blog.www.a.example:8080/x', 'blog.www.a.example'],
	])('%s is looked for where the domain contains %s', async (url, domain) => {
		citedPages({ id: 'c', url, domain: `some.${domain}`, type: 'processed' });
		expect(await idOf(url)).toBe('c');
		expect(queries()).toEqual([
			{ type: 'new', domain },
			{ type: 'processed', domain },
		]);
	});

	it.each([
		['not on its domain', URL, 'other.example'],
		['written in another way', 'https://bücher.example/', 'bücher.example'],
	])('is looked for everywhere where it is %s', async (_where, url, domain) => {
		citedPages({ id: 'c', url, domain });
		expect(await idOf(url)).toBe('c');
		expect(queries()).toHaveLength(4);
		expect(queries()[2]).toEqual({ type: 'new' });
	});

	it('is looked for once on each domain', async () => {
		const domains = ['a.example', 'b.example'];
		citedPages(...domains.map((domain) => ({ id: domain, url: `https://${domain}/`, domain })));
		const lookup = newLookup();
		for (const domain of [...domains, ...domains])
			expect(await idOf(`https://${domain}/`, citedPage, lookup)).toBe(domain);
		expect(service.sent).toHaveLength(4);
	});

	it('is looked for everywhere where the list has no filter for domains', async () => {
		service.lists[FORUM] = () => [{ id: 'f', url: URL }];
		expect(await idOf(URL, thread)).toBe('f');
		expect(queries()).toEqual([{}]);
	});

	it('is that of a record that was found, even if others are missing', async () => {
		const items = [URL, `${URL}/2#top`].map((url, n) => ({ id: `f${n}`, url }));
		service.respond = ({ query: { offset } }) => ({
			body: { data: { total: 3, items: offset === 0 ? items : [] } },
		});
		expect(await idOf(URL, thread)).toBe('f0');
		// The one that is missing may have exactly this URL
		const details = { missing: 1, isLookup: true };
		await expect(idOf(`${URL}/2`, thread)).rejects.toMatchObject({ kind: 'list', details });
	});

	it('is refused where there is none', async () => {
		citedPages({ id: 'c', url: 'https://a.example/y', domain: 'a.example' });
		await expect(idOf(URL)).rejects.toMatchObject({
			problem: 'does not match any record',
			hint: `No cited page has the URL "${URL}". Check the URL, or use the ID of the record.`,
			parameter: 'Cited Page',
		});
	});

	it('is refused where several fit, and at most five of them are named', async () => {
		const pages = Array.from({ length: 7 }, (_, n) => ({ id: `f${n}`, url: `${URL}#${n}` }));
		service.lists[FORUM] = () => pages.slice(0, 2);
		await expect(idOf(URL, thread)).rejects.toMatchObject({
			problem: 'matches several records',
			hint: `The URL "${URL}" could be any of these: "${URL}#0" (ID f0), "${URL}#1" (ID f1). Choose one of them by its ID.`,
			parameter: 'Forum Opportunity',
		});
		service.lists[FORUM] = () => pages;
		const hint = expect.stringMatching(/f0.*f4\)\. Choose/) as string;
		await expect(idOf(URL, thread)).rejects.toMatchObject({ hint });
		// Also where each has this very URL
		service.lists[FORUM] = () => pages.map(({ id }) => ({ id, url: URL }));
		await expect(idOf(URL, thread)).rejects.toMatchObject({ problem: 'matches several records' });
	});

	it.each([undefined, '', 'a/b'])('has an ID that can be sent, not %j', async (id) => {
		service.lists[FORUM] = () => [{ id, url: URL }];
		const words = expect.stringMatching(/^A record has an ID that cannot be used: /) as string;
		await expect(idOf(URL, thread)).rejects.toMatchObject({ kind: 'shape', details: { words } });
	});
});

describe('what a look-up costs', () => {
	const url = (n: number) => `https://a.example/${n}`;
	beforeEach(() => {
		service.lists[FORUM] = () =>
			Array.from({ length: 250 }, (_, n) => ({ id: `f${n}`, url: url(n) }));
	});

	it('each list is read once, with the limits of the first item, for all at the same time', async () => {
		const lookup = newLookup();
		const resolve = async (n: number, maxRetries = 0) => {
			const limits = { timeout: 77, maxRetries };
			return (await lookup.resolve(naming(thread, url(n), limits), NEVER)).id;
		};
		const found = [resolve(0, 3), resolve(150), resolve(249)];
		expect(await Promise.all(found)).toEqual(['f0', 'f150', 'f249']);
		expect(await resolve(7)).toBe('f7');
		expect(service.sent).toHaveLength(3);
		for (const one of service.sent)
			expect(one).toMatchObject({ method: 'GET', timeout: 77, maxRetries: 3 });
	});

	it('nothing is sent once the run is over', async () => {
		const resolving = newLookup().resolve(naming(thread, url(0)), AbortSignal.abort('enough'));
		await expect(resolving).rejects.toMatchObject({ kind: 'cancelled' });
		expect(service.sent).toEqual([]);
	});
});

describe('the record that is in the way', () => {
	const titled = (title: string, queries: IDataObject[] = [{}]) => ({
		...{ path: ACTIONS, queries },
		is: (record: IDataObject) => record.title === title,
	});
	const find = async (place: ReturnType<typeof titled>, lookup = newLookup(), settings = {}) =>
		await lookup.findExisting(place, { ...inputFor(settings).settings, stop: NEVER });
	const actions = (...records: IDataObject[]) => {
		service.lists[ACTIONS] = () => records;
	};

	const CHANGED = ['2026-01-03', '2026-01-02'].map((updatedAt, id) => ({
		...{ id, title: 'a', createdAt: null, updatedAt },
	}));
	const NEWEST = [
		{ id: 1, title: 'a', createdAt: '2026-01-01T00:00:00Z' },
		{ id: 2, title: 'a', createdAt: '2026-01-03T00:00:00Z' },
		{ id: 3, title: 'a', createdAt: '2026-01-02' },
	];
	it.each<[string, IDataObject[], object | undefined]>([
		['found', [{ id: 1 }, { id: 2, title: 'a' }], { id: 2, title: 'a' }],
		['the newest by its last change', CHANGED, CHANGED[0]],
		['the newest of several, wherever it stands in the list', NEWEST, NEWEST[1]],
		['one without a time, if it is the only one', [{ id: 1, title: 'a' }], { id: 1, title: 'a' }],
		['told from others without an ID', [{ title: 'b' }, { title: 'a' }], { title: 'a' }],
	])('is %s', async (_name, records, expected) => {
		actions(...records);
		expect(await find(titled('a'))).toEqual(expected);
	});

	it('is looked for in the next list only where it is in none before', async () => {
		service.lists[ACTIONS] = ({ search }) => [{ id: 1, title: search ? 'a' : 'b' }];
		expect(await find(titled('a', [{ search: 'a' }, {}]))).toMatchObject({ title: 'a' });
		expect(queries()).toEqual([{ search: 'a' }]);
		expect(await find(titled('b', [{ search: 'a' }, {}]))).toMatchObject({ title: 'b' });
		expect(queries().slice(1)).toEqual([{ search: 'a' }, {}]);
	});

	it.each([
		['the same time', ['2026-01-01', '2026-01-01'], '1, 2'],
		['no time for one', ['2026-01-01', undefined], '1, 2'],
		['too many', Array.from({ length: 7 }, () => '2026-01-01'), '1, 2, 3, 4, 5'],
	])('is not guessed: %s', async (_name, times, ids) => {
		actions(...times.map((createdAt, n) => ({ id: n + 1, title: 'a', createdAt })));
		const details = { words: `IDs ${ids}` };
		await expect(find(titled('a'))).rejects.toMatchObject({ kind: 'ambiguous', details });
	});

	it('costs one reading for all items, with the limits of the first, and what this run created counts', async () => {
		actions({ id: 1, title: 'a' });
		const lookup = newLookup();
		expect(await find(titled('b'), lookup, { timeout: 77, maxRetries: 3 })).toBeUndefined();
		expect(await find(titled('a'), lookup)).toMatchObject({ id: 1 });
		lookup.add({ id: 2, title: 'b' });
		expect(await find(titled('b'), lookup)).toEqual({ id: 2, title: 'b' });
		expect(service.sent).toMatchObject([{ method: 'GET', timeout: 77, maxRetries: 3 }]);
	});

	it('counts once where the list has it as well, and as it was created', async () => {
		actions({ id: 1, title: 'a', old: true });
		const lookup = newLookup();
		lookup.add({ id: 1, title: 'a' });
		expect(await find(titled('a'), lookup)).toEqual({ id: 1, title: 'a' });
	});

	it('is read anew where the run created one that it did not get to see', async () => {
		actions();
		const lookup = newLookup();
		expect(await find(titled('a'), lookup)).toBeUndefined();
		actions({ id: 1, title: 'a' });
		lookup.add(undefined);
		expect(await find(titled('a'), lookup)).toEqual({ id: 1, title: 'a' });
	});
});

describe('pages by their address', () => {
	const pages = [
		{ id: 1, url: 'https://a.example/x' },
		{ id: 2, url: 'https://a.example/x/' },
		{ id: 3, url: 'https://B.example:443/y' },
		{ id: 4, url: 'https://a.example/z#one' },
		{ id: 5, url: 'https://a.example/z/#two' },
		{ id: 6, url: 'no address' },
		{ id: 8, url: 'https://a.example/twice' },
		{ id: 8, url: 'https://a.example/twice', title: 'later' },
		{ id: 9, url: 'https://a.example/q?a=b' },
		{ id: 10, url: 'https://bücher.example/caf%c3%a9/%7Eme' },
	];

	it.each([
		['https://a.example/x', [1]],
		['https://a.example/x/', [2]],
		['HTTPS://A.example/x', [1]],
		['https://b.example/y/#top', [3]],
		['https://a.example/z#one', [4]],
		['https://a.example/z', [4, 5]],
		['no address', [6]],
		['https://a.example/twice', [8]],
		['https://a.example/q', []],
		['https://xn--bcher-kva.example/café/~me', [10]],
		['https://bücher.example/CAF%C3%A9/~me', []],
		['https://a.example/100%', []],
		['https://a.example/q?a=b#c', [9]],
	])('%s is %j', (url, ids) => {
		const found = new PageIndex([{ records: pages, missing: 0 }]).find(url);
		expect(found.map(({ id }) => id)).toEqual(ids);
	});
});
