import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodePropertyOptions,
	INodeType,
} from 'n8n-workflow';

import { toNodeError } from '../../shared/errors/nodeErrors';
import { RequestFailure } from '../../shared/errors/requestFailure';
import { visitLists } from '../../shared/lists/joinedLists';
import { PAGE_SIZE } from '../../shared/lists/pages';
import type { List } from '../../shared/lists/readList';
import { readAvailable } from '../../shared/lists/readList';
import { Records } from '../../shared/lists/records';
import { REQUEST_DEFAULTS } from '../../shared/parameters/requestOptions';
import { connect } from '../../shared/request/transport';
import type { SearchList } from '../serviceLists';
import { listOf, SEARCH_LISTS } from '../serviceLists';
import { hostOf, matches, toChoices } from './choices';

/** The editor loads more when somebody scrolls to the end of the list, so there must be enough to scroll. */
const ENOUGH = 25;

/** Up to so many records are offered at once. */
const MOST_AT_ONCE = 500;

/** With so many matches, users enter more of the name instead of scrolling on. */
const MOST_MATCHES = 100;

/** Other page boundaries and orders show records that tie for a place, but each reading costs all pages. */
const OPTIONS = { atOnce: REQUEST_DEFAULTS.concurrency, mostReadings: 3 };

/** Nobody waits longer for a list in the editor, in milliseconds. */
const TIME_LIMIT = 15_000;

type ListSearch = NonNullable<NonNullable<INodeType['methods']>['listSearch']>[string];

/** One of the lists of a search, with what else is sent in the query. */
type ListWith = (query: IDataObject) => List;

/** The searches for "From List", one for each list. */
export const listSearch = Object.fromEntries(
	Object.entries(SEARCH_LISTS).map(([name, list]) => [name, searchIn(list)]),
);

function searchIn({ path, queries, filterParameter, filterIsPartial }: SearchList): ListSearch {
	return async function (filter = '', paginationToken) {
		try {
			const { client } = await connect(this, { timeLimit: TIME_LIMIT });
			const words = filter.trim();
			const lists = queries.map((query): ListWith => {
				return (more) => listOf(client, { method: 'GET', path, query: { ...query, ...more } });
			});
			if (words && (!filterParameter || filterIsPartial)) {
				return { results: toChoices(await find(lists, words.toLowerCase(), filterParameter)) };
			}
			const query = words && filterParameter ? { [filterParameter]: words } : {};
			const queried = lists.map((list) => list(query));
			const { records, next } = await browse(queried, paginationToken);
			return { results: toChoices(records), ...(next && { paginationToken: next }) };
		} catch (error) {
			throw toNodeError(this.getNode(), error);
		}
	};
}

/**
 * Reads on page by page, as somebody scrolls.
 * @param token the index of the list and the offset at which to continue, such as "0:100"
 * @returns also the token for the next call, if there is more
 */
async function browse(lists: List[], token = '0:0') {
	let [index = 0, offset = 0] = token.split(':').map(Number);
	const records = new Records();
	for (let list = lists[index]; list && records.size < ENOUGH; list = lists[index]) {
		const { total, items } = await list.readPage(offset, PAGE_SIZE);
		records.add(items);
		offset += items.length;
		// From page to page, some of the records that are equal in the order would be missing
		const isShort = offset === items.length && total <= MOST_AT_ONCE && offset < total;
		if (isShort) records.add((await readAvailable(list, OPTIONS)).records);
		if (!isShort && items.length > 0 && offset < total) continue;
		index++;
		offset = 0;
	}
	return { records: records.all, next: index < lists.length ? `${index}:${offset}` : undefined };
}

/**
 * Searches in what users see of the records. The service searches first, as far as it can: only in domains.
 * @param filter in lower case
 * @returns what was found when everything was read, there is enough, or the time is up
 * @throws RequestFailure if the reading failed before anything was found
 */
async function find(lists: ListWith[], filter: string, domainParameter?: string) {
	const found = new Records();
	const readWith = async (query: IDataObject, most: number) => {
		const visit = (record: IDataObject) => {
			if (matches(record, filter)) found.add([record]);
			if (found.size >= most) throw new Error('Enough was found');
		};
		const queried = lists.map((list) => list(query));
		await visitLists(queried, visit, OPTIONS);
	};
	const host = hostOf(filter);
	try {
		if (domainParameter) await readWith({ [domainParameter]: host ?? filter }, Infinity);
		// Of a pasted address, the domain is certain
		if (found.size === 0 || !host) await readWith({}, found.size + MOST_MATCHES);
	} catch (error) {
		if (found.size === 0) throw RequestFailure.from(error);
	}
	return found.all;
}

/** Choices for parameters with several records, which a resource locator cannot do. */
export const loadOptions = {
	/** The keywords with the highest composite score; users can enter others with an expression. */
	async getKeywords(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		try {
			const request = { method: 'GET', path: '/v1/keywords', query: { type: 'all' } } as const;
			const { client } = await connect(this, { timeLimit: TIME_LIMIT });
			// A choice that is missing is no reason to show none
			const options = { wanted: MOST_AT_ONCE, atOnce: REQUEST_DEFAULTS.concurrency };
			const { records } = await readAvailable(listOf(client, request), options);
			return toChoices(records);
		} catch (error) {
			throw toNodeError(this.getNode(), error);
		}
	},
};
