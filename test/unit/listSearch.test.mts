import type { IDataObject } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';

import { defined, itemAt } from '../defined.mts';
import { listSearch, loadOptions } from '../../nodes/SearchVisibility/methods/listSearch.ts';
import { atOnce, contextOf, page, useService } from './nodeContext.mts';

const QUESTIONS = '/v1/people-also-ask';
const PAGES = '/v1/ai-visibility/citations';
const KEYWORDS = '/v1/keywords';

const service = useService();

async function search(name: string, filter?: string, token?: string) {
	const { context } = contextOf(service, { parameters: {} });
	return await atOnce(defined(listSearch[name]).call(context, filter, token));
}

const numbers = (count: number) =>
	Array.from({ length: count }, (_, n) => ({ id: `q${n}`, question: `Question ${n}` }));

describe('the records of a list', () => {
	const itemFor = async (record: IDataObject) => {
		service.lists[QUESTIONS] = () => [record];
		return (await search('searchQuestions')).results[0];
	};

	it.each<[IDataObject, string]>([
		[{ domainFrom: 'a.example', url: 'https://a.example/' }, 'a.example'],
		// A domain often has several backlinks, so the page that links says more
		[{ domainFrom: 'a.example', url: 'http://a.example/x' }, 'a.example/x'],
		[
			{ to: 'https://b.example', domainFrom: 'a.example', by: 'https://a.example/x' },
			'a.example/x',
		],
		[{ url: 'https://a.example/x', domain: 'a.example' }, 'https://a.example/x'],
		// The contract does not name the fields of every kind: the first text will do
		[{ question: 'r', phrase: 'green tea' }, 'green tea'],
		[{ question: 7, title: null, name: 'x' }, 'x'],
		[{ rank: 7 }, 'r'],
		// Titles of pages and names of businesses repeat
		[{ title: 'News', domain: 'a.example' }, 'News (a.example)'],
		[{ name: 'Tea House', url: 'https://www.a.example/x' }, 'Tea House (a.example)'],
		[{ question: 'Why?', title: 'News', domain: 'a.example' }, 'Why?'],
		[{ title: 'a.example', url: 'https://a.example/x' }, 'a.example'],
	])('%j is called "%s"', async (fields, name) => {
		expect(await itemFor({ id: 'r', ...fields })).toMatchObject({ name, value: 'r' });
	});

	it('that have the same name differ by the path of the page, or by their ID', async () => {
		const news = (id: string, domain: string) => ({
			id,
			title: 'News',
			domain,
			url: `https://${domain}/${id}`,
		});
		const questions = ['4', '5'].map((id) => ({ id, question: 'Why?' }));
		const pages = [news('1', 'a.example'), news('2', 'a.example'), news('3', 'b.example')];
		service.lists[QUESTIONS] = () => [...pages, ...questions];
		expect((await search('searchQuestions')).results.map(({ name }) => name)).toEqual([
			'News (a.example) (/1)',
			'News (a.example) (/2)',
			'News (b.example)',
			'Why? (4)',
			'Why? (5)',
		]);
	});

	it.each([
		['HTTP://a.example/', true],
		['javascript:alert("https://")', false],
		[['https://a.example/'], false],
		[undefined, false],
	])(
		'have an ID that is text, and are opened at a click where %j is a page: %s',
		async (url, opens) => {
			const item = await itemFor({ id: 17, question: 'Why?', url });
			expect(item).toEqual({ name: 'Why?', value: '17', ...(opens && { url }) });
		},
	);
});

describe('the pages of a list', () => {
	it.each([
		[24, 27, 2],
		[25, 25, 1],
		[130, 100, 1],
	])('of %i new and 3 processed: %i at first, by %i requests', async (count, shown, sent) => {
		const processed = ['a', 'b', 'c'].map((id) => ({ id, title: id }));
		service.lists[PAGES] = ({ type }) => (type === 'new' ? numbers(count) : processed);
		const { results, paginationToken } = await search('searchCitedPages');
		expect(results).toHaveLength(shown);
		expect(service.sent).toHaveLength(sent);
		expect(paginationToken === undefined).toBe(shown === count + 3);
	});

	it('have the size that the service gives', async () => {
		service.respond = ({ query: { offset } }) =>
			page(numbers(30).slice(Number(offset), Number(offset) + 10), 30);
		const { results } = await search('searchQuestions');
		expect(results.map(({ value }) => value)).toEqual(numbers(30).map(({ id }) => id));
		expect(service.sent.map(({ query }) => query.offset)).toEqual([0, 10, 20]);
	});

	it('end where the service gives nothing, whatever it announces', async () => {
		service.respond = () => page([], 1000);
		expect(await search('searchQuestions')).toEqual({ results: [] });
		expect(service.sent).toHaveLength(1);
	});
});

describe('a filter', () => {
	it('that is empty is none', async () => {
		service.lists[PAGES] = () => [];
		await search('searchCitedPages', '  ');
		const queries = service.sent.map(({ query }) => Object.keys(query));
		expect(queries).toEqual([...new Array(2)].fill(['type', 'offset', 'limit']));
	});

	it('that is an address finds its page, by asking for its host first', async () => {
		const page = (id: string) => ({ id, domain: 'a.example', url: `https://a.example/${id}` });
		service.lists[PAGES] = ({ type }) => (type === 'new' ? [page('x'), page('y')] : []);
		const { results } = await search('searchCitedPages', 'https://a.example/y');
		expect(results.map(({ value }) => value)).toEqual(['y']);
		expect(service.sent[0]?.query.domain).toBe('a.example');
	});

	it.each([
		['SAMOVAR', ['a']],
		['b.example/y', ['b']],
		['id-c', ['id-c']],
		['d.example', ['d']],
		['MÜNCHEN.example', ['e']],
		['d.example/y', []],
		// What nobody sees
		['processed', []],
		['undefined', []],
	])('finds "%s" in what people see of a record: %j', async (filter, ids) => {
		service.lists[QUESTIONS] = () => [
			{ id: 'a', question: 'Is a samovar loud?', status: 'processed' },
			{ id: 'b', question: 'Why?', url: 'https://b.example/y' },
			{ id: 'id-c', question: 'Why?', domain: null, url: null },
			{ id: 'd', question: 'Why?', domain: 'd.example' },
			{ id: 'e', question: 'Why?', domain: 'xn--mnchen-3ya.example' },
		];
		const { results } = await search('searchQuestions', filter);
		expect(results.map(({ value }) => value)).toEqual(ids);
		expect(service.sent[0]?.query).toEqual({ offset: 0, limit: 100 });
	});

	it('shows the hits of ten pages at once, where few fit, and those of the next ten after them', async () => {
		const all = numbers(1250).map((one, n) => ({ ...one, question: n % 100 === 7 ? 'Tea' : '?' }));
		service.lists[QUESTIONS] = () => all;
		const { results, paginationToken } = await search('searchQuestions', 'tea');
		expect(results).toHaveLength(10);
		expect(service.sent).toHaveLength(10);
		const next = await search('searchQuestions', 'tea', String(paginationToken));
		expect(next.results).toHaveLength(3);
		expect(next.paginationToken).toBeUndefined();
		expect(service.sent).toHaveLength(13);
	});
});

describe('what was found', () => {
	const first = { name: 'Samovar?', value: 'first' };
	beforeEach(() => {
		const all = [{ id: 'first', question: 'Samovar?' }, ...numbers(2000)];
		service.lists[QUESTIONS] = () => all;
	});

	it('is shown when the time is up, even if it is nothing, and scrolling goes on', async () => {
		service.latency = 2000;
		const began = performance.now();
		expect((await search('searchQuestions', 'samovar')).results).toEqual([first]);
		const { results, paginationToken } = await search('searchQuestions', 'teapot');
		expect(results).toEqual([]);
		expect(Number(paginationToken)).toBeGreaterThan(400);
		expect(performance.now() - began).toBeLessThan(40_000);
	});

	it('is an error if not even one page came in time', async () => {
		service.latency = 20_000;
		service.respond = () => new Error('socket hang up');
		await expect(search('searchQuestions')).rejects.toMatchObject({ name: 'NodeApiError' });
	});

	it('is shown when a later page fails', async () => {
		service.respond = ({ query }) => (query.offset === 300 ? { statusCode: 403 } : undefined);
		expect((await search('searchQuestions', 'samovar')).results).toEqual([first]);
		await expect(search('searchQuestions', 'teapot')).rejects.toMatchObject({ httpCode: '403' });
	});
});

const getKeywords = async () =>
	await atOnce(loadOptions.getKeywords.call(contextOf(service, { parameters: {} }).context));

it('keywords to choose several from are those that are not archived, the first 500', async () => {
	service.lists[KEYWORDS] = () => numbers(1000);
	const found = await getKeywords();
	expect(found).toHaveLength(500);
	expect(found[0]).toEqual({ name: 'Question 0', value: 'q0' });
	expect(service.sent).toHaveLength(5);
	for (const { query } of service.sent) expect(query).toMatchObject({ type: 'all', limit: 100 });
});

it('a keyword that the service lists on two pages can be chosen once', async () => {
	const keywords = numbers(150);
	service.lists[KEYWORDS] = () => [...keywords, itemAt(keywords, 0)];
	expect(await getKeywords()).toHaveLength(150);
});

it('does not wait for longer than anybody would in the editor', async () => {
	service.respond = () => ({ statusCode: 429, headers: { 'retry-after': '31' } });
	const began = performance.now();
	await expect(search('searchQuestions')).rejects.toMatchObject({ httpCode: '429' });
	await expect(getKeywords()).rejects.toMatchObject({ httpCode: '429' });
	expect(service.sent).toHaveLength(2);
	expect(performance.now() - began).toBeLessThan(30_000);
});
