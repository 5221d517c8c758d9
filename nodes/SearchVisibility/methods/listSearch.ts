import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { toNodeError } from '../../shared/errors';
import { PAGE_SIZE, pagesOf } from '../../shared/pagination';
import { createClient } from '../../shared/request';

/** A list that people can pick a record from. */
interface SearchList {
	path: string;
	query?: IDataObject;
	/** The query parameter with which the service filters; without it the pages are filtered here */
	filterParameter?: string;
}

/** Only records that the operations can act on: what is archived can only be restored, and the other way round. */
const LISTS = {
	searchActiveKeywords: {
		path: '/v1/keywords',
		query: { type: 'all' },
		filterParameter: 'keyword',
	},
	searchQuestions: { path: '/v1/people-also-ask', query: { status: 'new,processed' } },
	searchTrackedCompetitors: { path: '/v1/competitors', query: { scope: 'tracked' } },
} satisfies Record<string, SearchList>;

export type SearchListName = keyof typeof LISTS;

/** The texts by which people know a record; the contract does not name the fields of every kind. */
const LABELS = ['question', 'keyword', 'title', 'name', 'domainFrom', 'domain', 'url'];

const MOST_PAGES_PER_SEARCH = 10;

type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** The searches behind "From List", one for each list. */
export const listSearch = Object.fromEntries(
	Object.entries(LISTS).map(([name, list]) => [name, searchIn(list)]),
) as Record<SearchListName, ListSearch>;

function searchIn(list: SearchList): ListSearch {
	return async function (filter = '', paginationToken) {
		try {
			return await search(this, list, filter.trim(), Number(paginationToken ?? 0));
		} catch (error) {
			throw toNodeError(this.getNode(), error);
		}
	};
}

/** One page where the service filters; else as many pages as it takes to show something, within bounds. */
async function search(
	context: ILoadOptionsFunctions,
	{ path, query, filterParameter }: SearchList,
	filter: string,
	start: number,
): Promise<INodeListSearchResult> {
	const filterQuery = filterParameter && filter ? { [filterParameter]: filter } : {};
	const readPage = pagesOf(await createClient(context), {
		method: 'GET',
		path,
		query: { ...query, ...filterQuery },
	});
	const results: INodeListSearchItems[] = [];
	let offset = start;
	for (let page = 0; page < MOST_PAGES_PER_SEARCH; page++) {
		const { total, items } = await readPage(offset, PAGE_SIZE);
		results.push(...items.filter((item) => filterParameter || matches(item, filter)).map(toItem));
		offset += items.length;
		if (offset >= total || items.length === 0) return { results };
		if (results.length > 0) break;
	}
	return { results, paginationToken: String(offset) };
}

function matches(record: IDataObject, filter: string): boolean {
	const wanted = filter.toLowerCase();
	return Object.values(record).some(
		(value) => typeof value === 'string' && value.toLowerCase().includes(wanted),
	);
}

function toItem(record: IDataObject): INodeListSearchItems {
	const value = String(record.id);
	const texts = [...LABELS.map((key) => record[key]), ...Object.values(record)];
	const name = texts.find((text) => typeof text === 'string' && text && text !== value);
	return {
		name: String(name ?? value),
		value,
		...(typeof record.url === 'string' && { url: record.url }),
	};
}
