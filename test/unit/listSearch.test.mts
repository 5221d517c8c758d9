import type { IDataObject } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { defined } from '../defined.mts';
import { listSearches } from './built.mts';
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

describe('the records of a list', () => {
	const itemFor = async (record: IDataObject) => {
		service.lists[QUESTIONS] = () => [record];
		return (await search('searchQuestions')).results[0];
	};

	it.each<[IDataObject, string]>([
		[{ question: 'Why?' }, 'Why?'],
		[{ keyword: 'green tea', searchVolume: 7 }, 'green tea'],
		[{ domainFrom: 'a.example', url: 'https://a.example/' }, 'a.example'],
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
	])('%j is called "%s"', async (fields, name) => {
		expect(await itemFor({ id: 'r', ...fields })).toMatchObject({ name, value: 'r' });
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
	it('come one after the other, as somebody scrolls down', async () => {
		service.lists[QUESTIONS] = () => numbers(250);
		const first = await search('searchQuestions');
		expect(first.results).toHaveLength(100);
		expect(first.paginationToken).toBe('0:100');
		const second = await search('searchQuestions', '', '0:100');
		expect(second.results[0]).toMatchObject({ value: 'q100' });
		const last = await search('searchQuestions', undefined, '0:200');
		expect(last.results).toHaveLength(50);
		expect(last).not.toHaveProperty('paginationToken');
		expect(service.sent.map(({ path, query }) => [path, query])).toEqual(
			[0, 100, 200].map((offset) => [QUESTIONS, { offset, limit: 100 }]),
		);
	});

	it.each([
		[24, 2, undefined],
		[25, 1, '1:0'],
		[100, 1, '1:0'],
		[101, 1, '0:100'],
	])('of %i new records: %i requests at first', async (count, requests, token) => {
		service.lists[PAGES] = ({ type }) => numbers(type === 'new' ? count : 3);
		const { results, paginationToken } = await search('searchCitedPages');
		expect(results).toHaveLength(requests === 2 ? count + 3 : Math.min(count, 100));
		expect(paginationToken).toBe(token);
		const types = ['new', 'processed'].slice(0, requests);
		expect(service.sent.map(({ query }) => query.type)).toEqual(types);
	});

	it('go on in the list that the token names', async () => {
		service.lists[PAGES] = ({ type }) => numbers(type === 'new' ? 30 : 140);
		const { results, paginationToken } = await search('searchCitedPages', '', '1:100');
		expect(results.map(({ value }) => value)).toEqual(
			numbers(140)
				.slice(100)
				.map(({ id }) => id),
		);
		expect(paginationToken).toBeUndefined();
		expect(service.sent).toMatchObject([{ query: { type: 'processed', offset: 100 } }]);
	});

	it('have the size that the service gives', async () => {
		service.respond = ({ query: { offset } }) => {
			const items = numbers(30).slice(Number(offset), Number(offset) + 10);
			return { body: { data: { total: 30, offset, limit: 10, count: items.length, items } } };
		};
		const { results } = await search('searchQuestions');
		expect(results.map(({ value }) => value)).toEqual(numbers(30).map(({ id }) => id));
		expect(service.sent.map(({ query }) => query.offset)).toEqual([0, 10, 20]);
	});

	it('end where the service gives nothing, whatever it announces', async () => {
		service.respond = ({ query: { offset } }) => ({
			body: { data: { total: 1000, offset, limit: 100, count: 0, items: [] } },
		});
		expect(await search('searchQuestions')).toEqual({ results: [] });
		expect(service.sent).toHaveLength(1);
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

	it('is applied by the service where it can, without spaces', async () => {
		service.lists[KEYWORDS] = ({ keyword }) => [{ id: 'k', keyword: `any ${String(keyword)}` }];
		expect((await search('searchActiveKeywords', ' Tea ')).results).toEqual([
			{ name: 'any Tea', value: 'k' },
		]);
		const query = { type: 'all', keyword: 'Tea', offset: 0, limit: 100 };
		expect(service.sent.map((sent) => sent.query)).toEqual([query]);
	});

	it.each([undefined, '', '  '])('that is empty (%j) is none', async (filter) => {
		await search('searchCitedPages', filter);
		expect(service.sent.map(({ query }) => query)).toEqual(
			['new', 'processed'].map((type) => ({ type, offset: 0, limit: 100 })),
		);
	});

	it('that finds nothing at the service is not repeated where the service knows all', async () => {
		service.lists[KEYWORDS] = () => [];
		expect(await search('searchActiveKeywords', 'tea')).toEqual({ results: [] });
		expect(service.sent).toHaveLength(1);
	});

	it('finds cited pages by their domain, and by what else people see only if there is none', async () => {
		expect((await search('searchCitedPages', 'tea')).results).toMatchObject([{ value: 'p1' }]);
		expect(service.sent).toHaveLength(2);
		expect((await search('searchCitedPages', ' news ')).results).toMatchObject([{ value: 'p1' }]);
		expect(service.sent.slice(2).map(({ query }) => query.domain)).toEqual([
			...['news', 'news'],
			...[undefined, undefined],
		]);
	});

	it('looks from the beginning where the service found nothing on a later page', async () => {
		expect((await search('searchCitedPages', 'news', '1:0')).results).toMatchObject([
			{ value: 'p1' },
		]);
	});

	it.each(['', '  '])('with nothing to find (%j) leaves it at that', async (filter) => {
		service.lists[PAGES] = () => [];
		expect(await search('searchCitedPages', filter)).toEqual({ results: [] });
		expect(service.sent).toHaveLength(2);
	});

	it.each([
		['SAMOVAR', 'a'],
		['b.example/y', 'b'],
		['id-c', 'c'],
		['d.example', 'd'],
	])('finds "%s" in what people see of a record', async (filter, id) => {
		service.lists[QUESTIONS] = () => [
			{ id: 'a', question: 'Is a samovar loud?' },
			{ id: 'b', question: 'Why?', url: 'https://b.example/y' },
			{ id: 'id-c', question: 'Why?' },
			{ id: 'd', question: 'Why?', domain: 'd.example' },
		];
		const { results } = await search('searchQuestions', filter);
		expect(results.map(({ value }) => value)).toEqual([id === 'c' ? 'id-c' : id]);
		expect(service.sent[0]?.query).toEqual({ offset: 0, limit: 100 });
	});

	it('does not look into what nobody sees', async () => {
		service.lists[QUESTIONS] = () => [{ id: 'a', question: 'Why?', status: 'processed' }];
		expect(await search('searchQuestions', 'processed')).toEqual({ results: [] });
	});

	it.each(['undefined', 'null', 'fine'])(
		'does not find "%s" in a field that a record does not have',
		async (filter) => {
			service.lists[QUESTIONS] = () => [
				{ id: 'a', question: 'Why?' },
				{ id: 'b', question: 'How?', domain: null, url: null },
			];
			expect(await search('searchQuestions', filter)).toEqual({ results: [] });
		},
	);

	it('shows the hits of all pages at once, where few fit', async () => {
		service.lists[QUESTIONS] = () =>
			numbers(350).map((one, n) => (n % 100 === 7 ? { ...one, question: 'Samovar' } : one));
		const { results, paginationToken } = await search('searchQuestions', 'samovar');
		expect(results).toHaveLength(4);
		expect(paginationToken).toBeUndefined();
		expect(service.sent).toHaveLength(4);
	});

	it('stops after 100 pages, from where the next search goes on', async () => {
		const all = numbers(100 * 100 + 5);
		service.lists[QUESTIONS] = () => all;
		const found = await search('searchQuestions', 'samovar');
		expect(found).toEqual({ results: [], paginationToken: '0:10000' });
		expect(service.sent).toHaveLength(100);
	});
});

describe('keywords to choose several from', () => {
	const getKeywords = async () => {
		const { context } = contextOf(service, { parameters: {} });
		return await atOnce(listSearches.loadOptions.getKeywords.call(context));
	};

	it('are all that are not archived', async () => {
		service.lists[KEYWORDS] = () => [{ id: 'k', keyword: 'tea' }];
		expect(await getKeywords()).toEqual([{ name: 'tea', value: 'k' }]);
		const query = { type: 'all', offset: 0, limit: 100 };
		expect(service.sent).toMatchObject([{ method: 'GET', path: KEYWORDS, query }]);
	});

	it('are at most 500', async () => {
		service.lists[KEYWORDS] = () => numbers(1000);
		expect(await getKeywords()).toHaveLength(500);
		expect(service.sent).toHaveLength(5);
	});

	it('fail with the words of the node', async () => {
		service.respond = () => ({ statusCode: 401 });
		await expect(getKeywords()).rejects.toMatchObject({
			name: 'NodeApiError',
			message: 'The service did not accept the API key',
		});
	});
});

it('a search that fails says what is wrong', async () => {
	service.respond = () => ({ statusCode: 401 });
	await expect(search('searchQuestions')).rejects.toMatchObject({
		name: 'NodeApiError',
		message: 'The service did not accept the API key',
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
