import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { ServiceClient } from '../../shared/request/client';
import { toNodeError } from '../../shared/errors/nodeErrors';
import { PAGE_SIZE, pagesOf } from '../../shared/lists/pages';
import { readList } from '../../shared/lists/readList';
import { REQUEST_DEFAULTS } from '../../shared/parameters/requestOptions';
import { createClient } from '../../shared/request/transport';
import type { SearchList } from '../searchLists';
import { SEARCH_LISTS } from '../searchLists';

/** Fields by which users know a record; the contract does not name the fields of every kind. */
const LABELS = ['question', 'keyword', 'title', 'name', 'domainFrom', 'url', 'domain'];

/** The editor loads more only if a list is long enough to scroll, and never while a filter is set. */
const ENOUGH_RESULTS = 25;

const MOST_PAGES_PER_SEARCH = 100;

const MOST_OPTIONS = 500;

/** Nobody waits longer for a list in the editor, in milliseconds. */
const TIME_LIMIT = 30_000;

type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** The searches for "From List", one for each list. */
export const listSearch = Object.fromEntries(
	[...SEARCH_LISTS].map(([name, list]) => [name, searchIn(list)]),
);

function searchIn(list: SearchList): ListSearch {
	return async function (filter = '', paginationToken = '0:0') {
		try {
			const client = await createClient(this, { timeLimit: TIME_LIMIT });
			const found = await search(client, list, filter.trim(), paginationToken);
			if (found.results.length > 0 || !filter.trim() || !list.filterIsPartial) return found;
			return await search(client, { ...list, filterParameter: undefined }, filter.trim(), '0:0');
		} catch (error) {
			throw toNodeError(this.getNode(), error);
		}
	};
}

/**
 * Reads one page in most cases, and more, within limits, if few records match.
 * @param token number of the query and offset at which to continue, such as "0:100"
 */
async function search(
	client: ServiceClient,
	{ path, queries, filterParameter }: SearchList,
	filter: string,
	token: string,
): Promise<INodeListSearchResult> {
	const serviceFilter = filterParameter && filter ? { [filterParameter]: filter } : {};
	const localFilter = filterParameter ? '' : filter.toLowerCase();
	const results: INodeListSearchItems[] = [];
	let [queryNumber = 0, offset = 0] = token.split(':').map(Number);
	for (let page = 0; page < MOST_PAGES_PER_SEARCH && results.length < ENOUGH_RESULTS; page++) {
		const query = { ...queries[queryNumber], ...serviceFilter };
		const { total, items } = await pagesOf(client, { method: 'GET', path, query })(
			offset,
			PAGE_SIZE,
		);
		for (const item of items) if (matches(item, localFilter)) results.push(toItem(item));
		offset += items.length;
		if (offset < total && items.length > 0) continue;
		queryNumber++;
		offset = 0;
		if (queryNumber >= queries.length) return { results };
	}
	return { results, paginationToken: `${queryNumber}:${offset}` };
}

/** Compares the filter only with what users see of a record. */
function matches(record: IDataObject, filter: string): boolean {
	const { name, value, url = '' } = toItem(record);
	const seen = [name, value, url, record.domain ?? ''];
	return seen.some((text) => String(text).toLowerCase().includes(filter));
}

function toItem(record: IDataObject): INodeListSearchItems {
	const value = String(record.id);
	const texts = [...LABELS.map((key) => record[key]), ...Object.values(record)];
	const label = texts.find((text) => typeof text === 'string' && text && text !== value);
	// Page titles and business names can repeat
	const repeats = label !== undefined && [record.title, record.name].includes(label);
	const name = repeats && record.domain ? `${String(label)} (${record.domain})` : label;
	// The editor opens the URL with a click
	const isPage = typeof record.url === 'string' && /^https?:\/\//i.test(record.url);
	return { name: String(name ?? value), value, ...(isPage && { url: String(record.url) }) };
}

/** Choices for parameters that take several records, which a resource locator cannot do. */
export const loadOptions = {
	/** The keywords with the highest composite score; users can enter others with an expression. */
	async getKeywords(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		try {
			const request = { method: 'GET', path: '/v1/keywords', query: { type: 'all' } } as const;
			const client = await createClient(this, { timeLimit: TIME_LIMIT });
			const readPage = pagesOf(client, request);
			const records = await readList(
				{ readPage },
				{ wanted: MOST_OPTIONS, atOnce: REQUEST_DEFAULTS.concurrency },
			);
			return records.map(toItem);
		} catch (error) {
			throw toNodeError(this.getNode(), error);
		}
	},
};
