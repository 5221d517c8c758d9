import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { toNodeError } from '../../shared/errors/nodeErrors';
import { RequestFailure } from '../../shared/errors/requestFailure';
import { listOf } from '../sortedLists';
import { pagesOf } from '../../shared/lists/pages';
import { readAvailable } from '../../shared/lists/readList';
import { REQUEST_DEFAULTS } from '../../shared/parameters/requestOptions';
import { connect } from '../../shared/request/transport';
import type { SearchList } from '../searchLists';
import { SEARCH_LISTS } from '../searchLists';
import { hostOf, matches, toChoices } from './choices';
import type { Part } from './search';
import { Search } from './search';

const MOST_OPTIONS = 500;

/** Nobody waits longer for a list in the editor, in milliseconds. */
const TIME_LIMIT = 20_000;

type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** The searches for "From List", one for each list. */
export const listSearch = Object.fromEntries(
	[...SEARCH_LISTS].map(([name, list]) => [name, searchIn(list)]),
);

/** The token is the number of the part and the offset at which to continue, such as "0:100". */
function searchIn(list: SearchList): ListSearch {
	return async function (filter = '', paginationToken = '0:0') {
		try {
			const { client } = await connect(this, { timeLimit: TIME_LIMIT });
			const words = filter.trim();
			const [part, offset] = paginationToken.split(':').map(Number);
			const search = new Search(partsOf(list, words), part, offset);
			const readPage = (query: IDataObject) =>
				pagesOf(client, { method: 'GET', path: list.path, query });
			const records = await search.run(readPage);
			const results = toChoices(records);
			if (search.isAtEnd) return { results };
			if (records.length === 0 && search.failure) throw RequestFailure.from(search.failure);
			// With a filter, the editor would say that there are no results
			if (records.length === 0 && words) throw new RequestFailure('deadline');
			return { results, paginationToken: search.token };
		} catch (error) {
			throw toNodeError(this.getNode(), error);
		}
	};
}

/** The service searches first, as far as it can; the node searches for what the service does not find. */
function partsOf(list: SearchList, filter: string): Part[] {
	const { queries, filterParameter: name, filterIsPartial } = list;
	const words = filter.toLowerCase();
	const host = hostOf(words);
	const all = () => true;
	if (!filter) return queries.map((query) => ({ query, fits: all }));
	if (name && !filterIsPartial) {
		return queries.map((query) => ({ query: { ...query, [name]: filter }, fits: all }));
	}
	const found = (record: IDataObject) => matches(record, words);
	const isNew = (record: IDataObject) =>
		!name ||
		!String(record[name] ?? '')
			.toLowerCase()
			.includes(words);
	const byNode = queries.map(
		(query): Part => ({
			query,
			fits: (record) => found(record) && isNew(record),
			...(name && host && { isFallback: true }),
		}),
	);
	const again = byNode.map((part) => ({ ...part, isAgain: true }));
	if (!name) return [...byNode, ...again];
	const byService = queries.map((query) => ({
		query: { ...query, [name]: host ?? words },
		fits: host ? found : all,
	}));
	return [...byService, ...byNode, ...again];
}

/** Choices for parameters that take several records, which a resource locator cannot do. */
export const loadOptions = {
	/** The keywords with the highest composite score; users can enter others with an expression. */
	async getKeywords(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		try {
			const request = { method: 'GET', path: '/v1/keywords', query: { type: 'all' } } as const;
			const { client } = await connect(this, { timeLimit: TIME_LIMIT });
			// A choice that is missing is no reason to show none
			const { records } = await readAvailable(listOf(client, request), {
				wanted: MOST_OPTIONS,
				atOnce: REQUEST_DEFAULTS.concurrency,
			});
			return toChoices(records);
		} catch (error) {
			throw toNodeError(this.getNode(), error);
		}
	},
};
