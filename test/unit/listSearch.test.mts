import type { IDataObject } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { defined } from '../defined.mts';
import * as listSearches from '../../nodes/SearchVisibility/methods/listSearch.ts';
import { atOnce, contextOf, FakeService } from './nodeContext.mts';

const QUESTIONS = '/v1/people-also-ask';
const PAGES = '/v1/ai-visibility/citations';
const KEYWORDS = '/v1/keywords';

let service: FakeService;
beforeEach(() => {
	vi.useFakeTimers();
	service = new FakeService();
});
afterEach(() => void vi.useRealTimers());

async function search(name: string, filter?: string, token?: string) {
	const { context } = contextOf(service, { parameters: {} });
	const searchIn = defined(listSearches.listSearch[name]);
	return await atOnce(searchIn.call(context, filter, token));
}

const numbers = (count: number, more: IDataObject = {}) =>
	Array.from({ length: count }, (_, n) => ({ id: `q${n}`, question: `Question ${n}`, ...more }));

/** An answer with a part of a list, however much was asked for. */
function pageOf(all: IDataObject[], offset: number, limit: number, from = offset) {
	const items = all.slice(from, from + limit);
	return { body: { data: { total: all.length, offset, limit, count: items.length, items } } };
}

describe('the records of a list', () => {
	const itemFor = async (record: IDataObject) => {
		service.lists[QUESTIONS] = () => [record];
		return (await search('searchQuestions')).results[0];
	};

	it.each<[IDataObject, string]>([
		[{ question: 'Why?' }, 'Why?'],
		[{ keyword: 'green tea', searchVolume: 7 }, 'green tea'],
		[{ domainFrom: 'a.example', url: 'https://a.example/' }, 'a.example'],
		// A domain often has several backlinks, so the page that links says more
		[{ domainFrom: 'a.example', url: 'http://a.example/x' }, 'a.example/x'],
		[
			{ to: 'https://b.example/y', domainFrom: 'a.example', from: 'https://www.a.example/x' },
			'www.a.example/x',
		],
		[{ domainFrom: 'a.example', to: 'https://b.example/y' }, 'a.example'],
		[{ url: 'https://a.example/x', domain: 'a.example' }, 'https://a.example/x'],
		[{ domain: 'a.example' }, 'a.example'],
		[{ createdAt: 'today', question: 'Why?' }, 'Why?'],
		[{ createdAt: 'today', keyword: 'green tea' }, 'green tea'],
		[{ createdAt: 'today', domain: 'a.example' }, 'a.example'],
		// The contract does not name the fields of every kind: the first text will do
		[{ rank: 7, phrase: 'green tea' }, 'green tea'],
		[{ question: '', phrase: 'green tea' }, 'green tea'],
		[{ question: 'r', phrase: 'green tea' }, 'green tea'],
		[{ question: 7, title: null, name: 'x' }, 'x'],
		[{ rank: 7 }, 'r'],
		// Titles of pages and names of businesses repeat
		[{ title: 'News', domain: 'a.example' }, 'News (a.example)'],
		[{ name: 'Tea House', domain: 'a.example' }, 'Tea House (a.example)'],
		[{ title: 'News' }, 'News'],
		[{ question: 'Why?', title: 'News', domain: 'a.example' }, 'Why?'],
		[{ title: 'a.example', url: 'https://a.example/x' }, 'a.example'],
	])('%j is called "%s"', async (fields, name) => {
		expect(await itemFor({ id: 'r', ...fields })).toMatchObject({ name, value: 'r' });
	});

	it.each<[string, IDataObject[], string[]]>([
		[
			'the address',
			[
				{ title: 'News', domain: 'a.example', url: 'https://a.example/1' },
				{ title: 'News', domain: 'a.example', url: 'https://a.example/2' },
				{ title: 'News', domain: 'b.example', url: 'https://b.example/2' },
			],
			[
				'News (a.example) (https://a.example/1)',
				'News (a.example) (https://a.example/2)',
				'News (b.example)',
			],
		],
		['their ID', [{ question: 'Why?' }, { question: 'Why?' }], ['Why? (0)', 'Why? (1)']],
	])('that have the same name differ by %s', async (_what, records, names) => {
		service.lists[QUESTIONS] = () => records.map((record, id) => ({ id: String(id), ...record }));
		expect((await search('searchQuestions')).results.map(({ name }) => name)).toEqual(names);
	});

	it('have an ID that is text', async () => {
		expect(await itemFor({ id: 17, question: 'Why?' })).toEqual({ name: 'Why?', value: '17' });
		expect(await itemFor({ id: 17 })).toEqual({ name: '17', value: '17' });
	});

	it.each([
		['https://a.example/', true],
		['HTTP://a.example/', true],
		['ftp://a.example/', false],
		['javascript:alert("https://")', false],
		[['https://a.example/'], false],
		[undefined, false],
	])('are opened at a click where %j is a page: %s', async (url, opens) => {
		const item = await itemFor({ id: 'r', question: 'Why?', url });
		expect(item).toEqual({ name: 'Why?', value: 'r', ...(opens && { url }) });
	});
});

describe('the pages of a list', () => {
	it('come one after the other, as somebody scrolls down a long list', async () => {
		service.lists[QUESTIONS] = () => numbers(650);
		const first = await search('searchQuestions');
		expect(first.results).toHaveLength(500);
		expect(first.paginationToken).toBe('500');
		const second = await search('searchQuestions', '', '500');
		expect(second.results[0]).toMatchObject({ value: 'q500' });
		expect(second.paginationToken).toBe('600');
		const last = await search('searchQuestions', undefined, '600');
		expect(last.results).toHaveLength(50);
		expect(last).not.toHaveProperty('paginationToken');
		expect(service.sent.map(({ path, query }) => [path, query])).toEqual(
			[0, 100, 200, 300, 400, 500, 600].map((offset) => [QUESTIONS, { offset, limit: 100 }]),
		);
	});

	it.each([
		[24, 27, 3, undefined],
		[100, 103, 4, undefined],
		[496, 499, 8, undefined],
		[497, 500, 8, '500'],
	])('of %i new records and 3 others: %i at first', async (count, expected, requests, token) => {
		const processed = ['a', 'b', 'c'].map((id) => ({ id, title: id }));
		service.lists[PAGES] = ({ type }) => (type === 'new' ? numbers(count) : processed);
		const { results, paginationToken } = await search('searchCitedPages');
		expect(results).toHaveLength(expected);
		expect(paginationToken).toBe(token);
		expect(service.sent).toHaveLength(requests);
	});

	it('go on where the token says, in the second list as well', async () => {
		service.lists[PAGES] = ({ type }) => numbers(type === 'new' ? 30 : 140);
		const { results, paginationToken } = await search('searchCitedPages', '', '130');
		expect(results.map(({ value }) => value)).toEqual(
			numbers(140)
				.slice(100)
				.map(({ id }) => id),
		);
		expect(paginationToken).toBeUndefined();
		expect(service.sent.at(-1)).toMatchObject({ query: { type: 'processed', offset: 100 } });
	});

	it('have the size that the service gives', async () => {
		service.respond = ({ query: { offset } }) => pageOf(numbers(30), Number(offset), 10);
		const { results } = await search('searchQuestions');
		expect(results.map(({ value }) => value)).toEqual(numbers(30).map(({ id }) => id));
		expect(service.sent.map(({ query }) => query.offset)).toEqual([0, 10, 20]);
	});

	it('end where the service gives nothing, whatever it announces', async () => {
		service.respond = ({ query: { offset } }) => ({
			body: { data: { total: 1000, offset, limit: 100, count: 0, items: [] } },
		});
		expect(await search('searchQuestions')).toEqual({ results: [] });
		expect(service.sent.length).toBeLessThan(10);
	});
});

describe('a filter', () => {
	const pages = [
		{ id: 'p1', title: 'News', url: 'https://tea.example/n', domain: 'tea.example', type: 'new' },
		{ id: 'p2', title: 'Tea', url: 'https://b.example/', domain: 'b.example', type: 'processed' },
	];
	beforeEach(() => {
		service.lists[PAGES] = ({ type, domain = '' }) =>
			pages.filter((page) => page.type === type && page.domain.includes(String(domain)));
	});

	it.each([undefined, '', '  '])('that is empty (%j) is none', async (filter) => {
		await search('searchCitedPages', filter);
		for (const { query } of service.sent)
			expect(Object.keys(query)).toEqual(['type', 'offset', 'limit']);
	});

	it('is applied by the service where it can, without spaces, and then not repeated', async () => {
		service.lists[KEYWORDS] = () => [];
		expect(await search('searchActiveKeywords', ' Tea ')).toEqual({ results: [] });
		const query = { type: 'all', keyword: 'Tea', offset: 0, limit: 100 };
		expect(service.sent.map((sent) => sent.query)).toEqual([query]);
	});

	it('finds cited pages by their domain, and by what else people see', async () => {
		pages.push({
			id: 'p3',
			title: 'tea',
			url: 'https://tea.example/',
			domain: 'tea.example',
			type: 'new',
		});
		const { results } = await search('searchCitedPages', ' Tea ');
		expect(results.map(({ value }) => value)).toEqual(['p1', 'p3', 'p2']);
		expect(service.sent.map(({ query }) => [query.type, query.domain])).toEqual([
			...['new', 'processed', 'new'].map((type) => [type, 'tea']),
			...['new', 'processed', 'new'].map((type) => [type, undefined]),
		]);
	});

	it('finds a title, however many pages have the filter in their domain', async () => {
		const some = numbers(230, { domain: 'tea.example' });
		const all = [...some, { id: 'x', title: 'Tea', domain: 'b.example' }];
		service.lists[PAGES] = ({ type, domain }) =>
			type === 'processed' ? [] : domain === undefined ? all : some;
		const { results, paginationToken } = await search('searchCitedPages', 'tea');
		expect([results.length, paginationToken]).toEqual([231, undefined]);
		expect(results.at(-1)).toEqual({ name: 'Tea (b.example)', value: 'x' });
	});

	describe('that is an address', () => {
		const link = { domainFrom: 'a.example', urlTo: 'https://www.mine.example/tea' };
		const links = [
			{ ...link, id: 'l1', urlFrom: 'https://www.a.example/Tea?a=1&b' },
			{ ...link, id: 'l2', urlFrom: 'https://a.example/other' },
			{ id: 'l3', domainFrom: 'b.example', urlFrom: 'https://blog.b.example/tea' },
		];
		beforeEach(() => {
			service.lists['/v1/backlinks'] = ({ domainFrom = '' }) =>
				links.filter((one) => one.domainFrom.includes(String(domainFrom)));
		});

		it.each([
			['https://www.a.example/tea?a=1&b', ['l1']],
			['http://A.example/other/#top', ['l2']],
			['https://a.example/', ['l1', 'l2']],
			['https://blog.b.example/tea', ['l3']],
			['https://mine.example/tea', ['l1', 'l2']],
			['https://a.example/none', []],
			['https://', ['l1', 'l2', 'l3']],
		])('finds the backlinks with %s', async (address, ids) => {
			const { results } = await search('searchArchivedBacklinks', address);
			expect(results.map(({ value }) => value)).toEqual(ids);
		});

		it('asks for the backlinks from its host, and for all only if it is not among them', async () => {
			await search('searchArchivedBacklinks', 'https://www.a.example/other');
			await search('searchArchivedBacklinks', 'https://mine.example/tea');
			expect(service.sent.map(({ query }) => query.domainFrom)).toEqual([
				'a.example',
				'mine.example',
				undefined,
			]);
		});
	});

	it.each([
		['SAMOVAR', ['a']],
		['b.example/y', ['b']],
		['id-c', ['id-c']],
		['d.example', ['d']],
		// What nobody sees
		['processed', []],
		['undefined', []],
		['null', []],
		['fine', []],
	])('finds "%s" in what people see of a record: %j', async (filter, ids) => {
		service.lists[QUESTIONS] = () => [
			{ id: 'a', question: 'Is a samovar loud?', status: 'processed' },
			{ id: 'b', question: 'Why?', url: 'https://b.example/y' },
			{ id: 'id-c', question: 'Why?', domain: null, url: null },
			{ id: 'd', question: 'Why?', domain: 'd.example' },
		];
		const { results } = await search('searchQuestions', filter);
		expect(results.map(({ value }) => value)).toEqual(ids);
		expect(service.sent[0]?.query).toEqual({ offset: 0, limit: 100 });
	});

	it('shows the hits of all pages at once, where few fit', async () => {
		service.lists[QUESTIONS] = () =>
			numbers(350).map((one, n) => (n % 100 === 7 ? { ...one, question: 'Samovar' } : one));
		const { results, paginationToken } = await search('searchQuestions', 'samovar');
		expect(results).toHaveLength(4);
		expect(paginationToken).toBeUndefined();
		expect(service.sent).toHaveLength(4);
	});

	it('finds the last of many records, with several pages at a time', async () => {
		const all = [...numbers(10_120), { id: 'last', question: 'Samovar?' }];
		service.lists[QUESTIONS] = () => all;
		service.latency = 350;
		const began = performance.now();
		const { results } = await search('searchQuestions', 'samovar');
		expect(results).toEqual([{ name: 'Samovar?', value: 'last' }]);
		expect(service.sent).toHaveLength(102);
		expect(service.atOnce).toBeGreaterThan(5);
		expect(performance.now() - began).toBeLessThan(8000);
	});

	it('reads on only until there are more than anybody scrolls through', async () => {
		const all = numbers(5000).map((one, n) => ({ ...one, question: `${n % 10}` }));
		service.lists[QUESTIONS] = () => all;
		const { results, paginationToken } = await search('searchQuestions', '7');
		expect(results.length).toBeGreaterThanOrEqual(100);
		expect(service.sent.length).toBeLessThan(30);
		expect(paginationToken).toBeUndefined();
	});

	it('finds a record that is on no page because records tie, with other boundaries', async () => {
		const all = numbers(150).map((one, n) =>
			n < 24 || n === 149 ? { ...one, question: `Samovar ${n}` } : one,
		);
		service.respond = ({ query: { offset, limit } }) =>
			pageOf(all, Number(offset), Number(limit), offset === 100 ? 50 : Number(offset));
		const { results } = await search('searchQuestions', 'samovar');
		expect(results).toHaveLength(25);
		expect(results.at(-1)).toEqual({ name: 'Samovar 149', value: 'q149' });
		expect(service.sent).toHaveLength(4);
	});
});

describe('what was found', () => {
	beforeEach(() => {
		const all = [{ id: 'first', question: 'Samovar?' }, ...numbers(20_000)];
		service.lists[QUESTIONS] = () => all;
	});

	it('is shown when the search takes too long, and nothing found is an error', async () => {
		service.latency = 2000;
		const began = performance.now();
		const first = { name: 'Samovar?', value: 'first' };
		expect(await search('searchQuestions', 'samovar')).toEqual({ results: [first] });
		expect(performance.now() - began).toBeLessThan(20_000);
		await expect(search('searchQuestions', 'teapot')).rejects.toMatchObject({
			name: 'NodeApiError',
			message: 'The service took too long',
			description: expect.stringContaining('use an ID'),
		});
	});

	it('is shown when a later page fails', async () => {
		service.respond = ({ query }) => (query.offset === 300 ? { statusCode: 403 } : undefined);
		const { results, paginationToken } = await search('searchQuestions', 'samovar');
		expect(results).toEqual([{ name: 'Samovar?', value: 'first' }]);
		expect(paginationToken).toBeUndefined();
		await expect(search('searchQuestions', 'teapot')).rejects.toMatchObject({ httpCode: '403' });
	});

	it('is everything on the pages that the service makes smaller now and then', async () => {
		service.respond = ({ query: { offset, limit } }) =>
			pageOf(numbers(260), Number(offset), offset === 100 ? 70 : Number(limit));
		for (const name of ['question 165', 'question 185']) {
			expect((await search('searchQuestions', name)).results).toHaveLength(1);
		}
	});
});

describe('keywords to choose several from', () => {
	const getKeywords = async () => {
		const { context } = contextOf(service, { parameters: {} });
		return await atOnce(listSearches.loadOptions.getKeywords.call(context));
	};

	it('are those that are not archived, at most 500', async () => {
		service.lists[KEYWORDS] = () => numbers(1000);
		const found = await getKeywords();
		expect(found).toHaveLength(500);
		expect(found[0]).toEqual({ name: 'Question 0', value: 'q0' });
		expect(service.sent).toHaveLength(5);
		for (const { query } of service.sent) expect(query).toMatchObject({ type: 'all', limit: 100 });
	});
});

it('does not wait for longer than anybody would in the editor', async () => {
	service.respond = () => ({ statusCode: 429, headers: { 'retry-after': '31' } });
	const began = performance.now();
	await expect(search('searchQuestions')).rejects.toMatchObject({ httpCode: '429' });
	await expect(
		atOnce(
			listSearches.loadOptions.getKeywords.call(contextOf(service, { parameters: {} }).context),
		),
	).rejects.toMatchObject({ httpCode: '429' });
	expect(service.sent).toHaveLength(2);
	expect(performance.now() - began).toBeLessThan(30_000);
});
