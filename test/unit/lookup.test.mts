import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { ItemSettings } from '../../nodes/SearchVisibility/settings.ts';
import { newInput } from '../../nodes/SearchVisibility/itemInput.ts';
import { Lookup } from '../../nodes/SearchVisibility/lookup.ts';
import { useService } from './nodeContext.mts';

const ACTIONS = '/v1/actions';
const NEVER = new AbortController().signal;

const service = useService();

function inputFor(settings: Partial<ItemSettings> = {}) {
	const input = newInput(0);
	return { ...input, settings: { ...input.settings, maxRetries: 0, ...settings } };
}

const newLookup = () => new Lookup(service.client());

const queries = () =>
	service.sent.map(({ query: { offset: _offset, limit: _limit, ...others } }) => others);

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

	it('is one of those that were found, even if others are missing', async () => {
		service.respond = ({ query: { offset } }) => ({
			body: { data: { total: 2, items: offset === 0 ? [{ id: 1, title: 'a' }] : [] } },
		});
		expect(await find(titled('a'))).toEqual({ id: 1, title: 'a' });
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
