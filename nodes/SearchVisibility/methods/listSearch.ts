import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodePropertyOptions,
	INodeType,
} from 'n8n-workflow';

import { toNodeError } from '../../shared/errors/nodeErrors';
import { RequestFailure } from '../../shared/errors/requestFailure';
import { PAGE_SIZE, pagesOf } from '../../shared/lists/pages';
import { readOnce } from '../../shared/lists/readOnce';
import { bareDomain } from '../../shared/parameters/addresses';
import { Records } from '../../shared/records';
import type { Requester } from '../../shared/request/client';
import { connect } from '../../shared/request/transport';
import type { SearchList } from '../searchList';
import { SEARCH_LISTS } from '../serviceLists';
import { hostOf, matches, toSearchResults } from './searchResults';

/** The editor loads more when somebody scrolls to the end of a list, so there must be enough to scroll. */
const ENOUGH = 25;

/** A call reads at most so many pages of each list, because workflows need the rate limit too. */
const MOST_PAGES = 10;

const MOST_OPTIONS = 500;

/** In milliseconds. */
const TIME_LIMIT = 15_000;

type ListSearch = NonNullable<NonNullable<INodeType['methods']>['listSearch']>[string];

export const listSearch = Object.fromEntries(
	Object.entries(SEARCH_LISTS).map(([name, list]) => [name, searchIn(list)]),
);

function searchIn(list: SearchList): ListSearch {
	return async function (searchText = '', token) {
		try {
			const { client } = await connect(this, { timeLimit: TIME_LIMIT });
			const { records, next } = await search(client, list, searchText.trim(), token?.split(' '));
			return { results: toSearchResults(records), ...(next && { paginationToken: next }) };
		} catch (error) {
			throw toNodeError(this.getNode(), error);
		}
	};
}

/**
 * Reads pages until enough records match. Records that ties hide are not looked for.
 * @param from the offset in each source at which the last call ended
 * @returns the records; `next`, the offsets for the next call, if there is more
 * @throws RequestFailure if a request fails before anything was found, unless only the time was up
 */
async function search(
	client: Requester,
	list: SearchList,
	searchText: string,
	from: string[] = [],
) {
	const { narrowed, whole } = sourcesOf(client, list, searchText);
	const sources = [...narrowed, ...whole];
	// Infinity stands for a source that has been read to its end, also in the token for the next call
	const offsets = sources.map((_, index) => Number(from[index] ?? 0));
	const words = searchText.toLowerCase();
	const found = new Records();
	try {
		for (const [index, { readPage, budget }] of sources.entries()) {
			let offset = offsets[index] ?? 0;
			while (found.size < ENOUGH && budget.pagesLeft > 0 && offset < Infinity) {
				const { total, items } = await readPage(offset, PAGE_SIZE);
				budget.pagesLeft--;
				// The service's filter is enough only where it covers all that users see
				found.add(items.filter((record) => whole.length === 0 || matches(record, words)));
				const end = offset + items.length;
				offset = items.length > 0 && end < total ? end : Infinity;
				offsets[index] = offset;
			}
		}
	} catch (error) {
		const failure = RequestFailure.from(error);
		if (found.size === 0 && failure.kind !== 'deadline') throw failure;
	}
	const hasMore = offsets.some((offset) => offset < Infinity);
	return { records: found.all, next: hasMore ? offsets.join(' ') : undefined };
}

/** @returns `narrowed`, the lists as the service filters them; `whole`, the lists that the node filters */
function sourcesOf(client: Requester, list: SearchList, searchText: string) {
	const { path, queries, filterParameter, filterIsPartial } = list;
	const lists = queries.map((query) => ({ query, budget: { pagesLeft: MOST_PAGES } }));
	const sources = (filters: IDataObject = {}) =>
		lists.map(({ query, budget }) => ({
			readPage: pagesOf(client, { method: 'GET', path, query: { ...query, ...filters } }),
			/** How many pages may still be read: the narrowed and the whole list share this number */
			budget,
		}));
	if (!searchText || !filterParameter) return { narrowed: [], whole: sources() };
	if (!filterIsPartial) return { narrowed: sources({ [filterParameter]: searchText }), whole: [] };
	const domain = hostOf(searchText) ?? bareDomain(searchText).toLowerCase();
	return { narrowed: sources({ [filterParameter]: domain }), whole: sources() };
}

/** Choices for parameters with several records. A resource locator can have only one. */
export const loadOptions = {
	/** The keywords with the highest composite score; users can enter others with an expression. */
	async getKeywords(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		try {
			const { client } = await connect(this, { timeLimit: TIME_LIMIT });
			const query = { type: 'all' };
			const readPage = pagesOf(client, { method: 'GET', path: '/v1/keywords', query });
			const { records } = await readOnce(readPage, { end: MOST_OPTIONS });
			// Equal records may come on two pages
			const found = new Records();
			found.add(records);
			return toSearchResults(found.all);
		} catch (error) {
			throw toNodeError(this.getNode(), error);
		}
	},
};
