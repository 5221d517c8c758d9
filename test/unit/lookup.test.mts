import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { Lookup } from '../../nodes/SearchVisibility/lookup.ts';
import { at, numbered, page, useService } from './nodeContext.mts';

const ACTIONS = '/v1/actions';
const NEVER = new AbortController().signal;

const service = useService();

const newLookup = () => new Lookup(service.client());

describe('the record that is in the way', () => {
	const titled = (title: string, queries: IDataObject[] = [{}]) => ({
		path: ACTIONS,
		queries,
		matches: (record: IDataObject) => record.title === title,
	});
	const find = async (place: ReturnType<typeof titled>, lookup = newLookup()) =>
		await lookup.find(place, NEVER);
	const actions = (...records: IDataObject[]) => {
		service.lists[ACTIONS] = () => records;
	};

	const CHANGED = ['2026-01-03', '2026-01-02'].map((updatedAt, id) => ({
		id,
		title: 'a',
		createdAt: null,
		updatedAt,
	}));
	const NEWEST = [
		{ id: 1, title: 'a', createdAt: '2026-01-01T00:00:00Z' },
		{ id: 2, title: 'a', createdAt: '2026-01-03T00:00:00Z' },
		{ id: 3, title: 'a', createdAt: '2026-01-02' },
	];
	it.each<[string, IDataObject[], object | undefined]>([
		['the newest by its last change', CHANGED, CHANGED[0]],
		['the newest of several, wherever it stands in the list', NEWEST, NEWEST[1]],
		['told from others without an ID', [{ title: 'b' }, { title: 'a' }], { title: 'a' }],
	])('is %s', async (_name, records, expected) => {
		actions(...records);
		expect(await find(titled('a'))).toEqual(expected);
	});

	it('is looked for in the next list only where it is in none before', async () => {
		service.lists[ACTIONS] = ({ search }) => [{ id: 1, title: search ? 'a' : 'b' }];
		expect(await find(titled('a', [{ search: 'a' }, {}]))).toMatchObject({ title: 'a' });
		expect(service.sent).toHaveLength(1);
		expect(await find(titled('b', [{ search: 'a' }, {}]))).toMatchObject({ title: 'b' });
		expect(service.sent.map(({ query }) => query.search)).toEqual(['a', 'a', undefined]);
	});

	it('is not looked for in a list that is not complete', async () => {
		const items = [{ id: 1, title: 'a' }];
		service.respond = ({ query }) => page(query.offset === 0 ? items : [], 2);
		await expect(find(titled('a'))).rejects.toMatchObject({
			details: { searchedRecord: 'existing' },
		});
	});

	it('costs one reading for all items, and what this run created counts', async () => {
		actions({ id: 1, title: 'a' });
		const lookup = newLookup();
		expect(await find(titled('b'), lookup)).toBeUndefined();
		expect(await find(titled('a'), lookup)).toMatchObject({ id: 1 });
		lookup.add({ id: 2, title: 'b' });
		expect(await find(titled('b'), lookup)).toEqual({ id: 2, title: 'b' });
		expect(service.sent).toMatchObject([{ method: 'GET' }]);
	});

	it('counts once where the list has it as well, and as it was created', async () => {
		actions({ id: 1, title: 'a', old: true });
		const lookup = newLookup();
		lookup.add({ id: 1, title: 'a' });
		expect(await find(titled('a'), lookup)).toEqual({ id: 1, title: 'a' });
	});
});

describe('a record that is chosen by its URL', () => {
	const PAGES = '/v1/ai-visibility/citations';
	const update = (url: string) => {
		const citationId = { __rl: true, mode: 'url', value: url };
		return at('action.create', { type: 'get_cited', title: 'Get cited', citationId });
	};
	const pages = (...urls: string[]) => {
		const records = urls.map((url, n) => ({ id: `p${n}`, url }));
		service.lists[PAGES] = ({ type }) => (type === 'processed' ? records : []);
	};

	const HOME = 'https://a.example/';
	const PAGE = 'https://a.example/x';
	const BOOKS = 'https://xn--bcher-kva.example/%C3%BC';
	it.each([
		[PAGE, [`${PAGE}/`, PAGE], 'p1'],
		['HTTPS://A.example:443/x', [`${PAGE}#y`, PAGE], 'p1'],
		['https://bücher.example/ü', ['https://xn--bcher-kva.example/', BOOKS], 'p1'],
		// Others are the same to a browser
		[HOME, ['https://a.example', 'https://A.example/', HOME], 'p2'],
	])('(%s) is the one with this URL: of %j, %s', async (url, urls, citationId) => {
		pages(...urls);
		await service.run({ parameters: update(url) });
		const body = { type: 'get_cited', title: 'Get cited', citationId };
		expect(service.writes.map((sent) => sent.body)).toEqual([body]);
	});

	it('is not looked for in a list that is not complete: the error advises to choose it by ID', async () => {
		service.respond = () => page([], 2);
		await expect(service.run({ parameters: update(HOME) })).rejects.toMatchObject({
			description: expect.stringContaining("'By ID'") as string,
		});
	});

	const NONE = 'does not match any record';
	const SEVERAL = 'matches more than one record';
	const hintFor: Record<string, (url: string) => string> = {
		[NONE]: (url) => `No cited page has exactly the URL "${url}". Check the URL, or use the ID.`,
		[SEVERAL]: (url) => `More than one cited page has the URL "${url}". Use the ID.`,
	};
	it.each([
		[`${PAGE}/`, [PAGE], NONE],
		['http://a.example/x', [PAGE], NONE],
		[HOME, ['https://a.example', 'https://A.example/'], SEVERAL],
		[HOME, [HOME, HOME], SEVERAL],
	])('(%s) is not guessed: of %j, it %s', async (url, urls, problem) => {
		pages(...urls);
		const parameters = update(url);
		const { json } = await service.run({ items: numbered(2), parameters, continues: true });
		const message = `The 'Cited Page' parameter ${problem}`;
		const error = { message, description: hintFor[problem]?.(url) };
		expect(json).toMatchObject([{ error }, { error }]);
		expect(service.writes).toEqual([]);
	});

	it('has an ID that can be sent, or the service broke the contract', async () => {
		service.lists[PAGES] = () => [{ id: { a: 1 }, url: 'https://a.example/x' }];
		const error = await service.failureOf({ parameters: update('https://a.example/x') });
		expect(error.description).toContain('A record has an ID that cannot be used: {"a":1}');
		expect(service.writes).toEqual([]);
	});

	it('is looked up once for all items', async () => {
		pages('https://a.example/x');
		const items = numbered(3);
		const parameters = update('https://a.example/x');
		await service.run({ items, parameters, limits: { timeout: 2 } });
		expect(service.writes).toHaveLength(3);
		// n8n's own time-out comes a second later
		expect(service.sent.map(({ timeout }) => timeout)).toEqual([3000, 3000, 3000, 3000, 3000]);
	});
});
